//! Random programs whose search is split in each round, down to 1 to 6 decisions: the verdict is that of the search in one part.
//!
//! The parts are searched by threads, and one after the other by requests that were written as text in between, each by an
//! engine of its own. See `lariat_testkit::seeds` for longer runs: `LARIAT_RANDOM_FACTOR=9` tries 504 programs. A failure names
//! its seed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{Engine, MergePolicy, Verdict, VerifyReport, VerifyRequest};
use lariat_testkit::programs::generate;
use lariat_testkit::seeds::{are_chosen, seeds};

const PROGRAMS: u64 = 56;
/// No program here is worth more; running into it is a failure.
const TIME: Duration = Duration::from_secs(120);

const ENGINES: [Engine; 5] = [
    Engine::Widen,
    Engine::Dag,
    Engine::Mix,
    Engine::Stratified,
    Engine::Static,
];
const MERGES: [Option<MergePolicy>; 4] = [
    None,
    Some(MergePolicy::Maxc),
    Some(MergePolicy::Random),
    Some(MergePolicy::Tree),
];

fn request(file: &Path, seed: u64) -> VerifyRequest {
    let mut request = VerifyRequest::new(vec![file.to_owned()]);
    request.engine = ENGINES[(seed % 5) as usize];
    request.bound = [2, 1, 2, 3][(seed % 4) as usize];
    request.search.merge = MERGES[(seed / 5 % 4) as usize];
    request
}

fn run(request: &VerifyRequest) -> VerifyReport {
    lariat_verify::verify(request, &Budget::new(Some(TIME), None), &mut |_| {})
}

/// The reports of the parts of a search that are handed over. Each part is searched by another engine, and its
/// request has been text.
fn hand_over(request: &VerifyRequest, parts: &mut Vec<VerifyReport>) {
    let text = serde_json::to_string(request).expect("a request can be written");
    let request: VerifyRequest = serde_json::from_str(&text).expect("and read again");
    let mut report = run(&request);
    let Some(halves) = report.split.take() else {
        return parts.push(report);
    };
    for partition in [halves.blocked, halves.reached] {
        let position = ENGINES.iter().position(|&engine| engine == request.engine);
        let next = (position.unwrap_or(0) + 1 + usize::from(partition.is_first())) % ENGINES.len();
        let part = VerifyRequest {
            partition,
            engine: ENGINES[next],
            ..request.clone()
        };
        hand_over(&part, parts);
    }
}

/// Verdicts are equal. Words of reasons may differ.
fn agree(one: &Verdict, other: &Verdict) -> bool {
    match (one, other) {
        (Verdict::Unknown { cause: one, .. }, Verdict::Unknown { cause: other, .. }) => one == other,
        _ => one == other,
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
    folder
}

#[test]
fn parts_say_what_the_whole_says() {
    let folder = folder("splits");
    let mut seen: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut parts = 0;
    let mut most = 0;
    let mut failures = Vec::new();
    for seed in seeds(40_000, PROGRAMS) {
        let generated = generate(seed);
        let file = folder.join(format!("seed-{seed}.bpl"));
        std::fs::write(&file, generated.program.text()).expect("the program can be written");
        let whole = request(&file, seed);
        let depth = (seed % 6 + 1) as u32;
        let expected = run(&whole).verdict;
        let mut split = whole.clone();
        split.search.split = Some(2);
        split.search.forced_splits = Some(depth);
        let by_threads = run(&split);
        let own: u64 = by_threads.entries.iter().map(|entry| entry.stats.parts).sum();
        split.hand_over = true;
        let mut handed = Vec::new();
        hand_over(&split, &mut handed);
        parts += own + handed.len() as u64;
        most = most.max(handed.len());
        let one_by_one = VerifyReport::of_parts(handed).expect("there are parts").verdict;
        *seen.entry(expected.word()).or_default() += 1;
        for (how, verdict) in [("threads", &by_threads.verdict), ("requests", &one_by_one)] {
            if !agree(&expected, verdict) {
                failures.push(format!(
                    "seed {seed}, depth {depth}: {} says {expected}, its parts by {how} {verdict}",
                    whole.engine
                ));
            }
        }
        let _ = std::fs::remove_file(&file);
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if !are_chosen() {
        // Every verdict occurs, and there is something to split.
        assert!(
            seen.len() >= 3 && parts > 4 * PROGRAMS && most >= 10,
            "{seen:?}, {parts} parts, at most {most}"
        );
    }
}

/// Parts are of one search: where there are several, each is done in one part, or by threads.
#[test]
fn several_entries_are_not_handed_over() {
    let folder = folder("entries");
    let file = folder.join("two.bpl");
    let text = "
        procedure f(x: int) returns (r: int) { if (*) { r := x; } else { assume x > 0; r := x + 1; } }
        procedure {:entrypoint} one() { var r: int; if (*) { call r := f(1); assert r > 0; } else { call r := f(2); assert r > 1; } }
        procedure {:entrypoint} two() { var r: int; if (*) { call r := f(1); assert r > 0; } else { call r := f(2); assert r > 2; } }
    ";
    std::fs::write(&file, text).expect("the program can be written");
    let mut request = VerifyRequest::new(vec![file.clone()]);
    request.engine = Engine::Dag;
    request.search.split = Some(2);
    request.search.forced_splits = Some(2);
    let by_threads = run(&request);
    assert_eq!(by_threads.verdict, Verdict::Bug);
    request.hand_over = true;
    let report = run(&request);
    assert_eq!((report.verdict, report.split), (Verdict::Bug, None));
    request.entries = vec!["one".to_owned()];
    let report = run(&request);
    let halves = report.split.expect("one entry is split");
    request.entries.clear();
    request.partition = halves.reached;
    assert!(matches!(run(&request).verdict, Verdict::Unknown { .. }));
    let _ = std::fs::remove_dir_all(&folder);
}
