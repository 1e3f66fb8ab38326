//! C programs, one per feature of the language, with the expected answers in the file.
//!
//! A file in `tests/files/c/` starts with comment lines:
//!
//! ```text
//! // lariat: --check bounds                          options, as on the command line
//! // expect: feature_ok proved                       for each entry the verdict,
//! // expect: feature_bad bug line 26 bounds          for a bug the line and the check that fails
//! ```
//!
//! `bounded` is a weaker expectation than `proved`, which meets it too. `LARIAT_FILETEST=text` runs the files whose name
//! contains the text. Each entry is run by one engine, which follows from its name.

#![allow(clippy::print_stderr)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_report::{CCheck, CIntegers, CMachine, Engine, FailureKind, Verdict, VerifyReport, VerifyRequest};

/// There are to be many programs; a run that finds few looks in the wrong place.
const FEWEST_FILES: usize = 60;
/// For each entry. None should come near it on any machine: it only ends what would not end.
const TIME: Duration = Duration::from_secs(300);
/// What takes longer is named (`--nocapture`): such a program should be made smaller.
const SLOW: Duration = Duration::from_secs(5);

struct Expectation {
    entry: String,
    verdict: String,
    line: Option<u32>,
    check: Option<String>,
}

struct FileTest {
    path: PathBuf,
    options: Vec<String>,
    expectations: Vec<Expectation>,
}

impl FileTest {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("the program can be read");
        let mut options = Vec::new();
        let mut expectations = Vec::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("// lariat:") {
                options = rest.split_whitespace().map(str::to_owned).collect();
            } else if let Some(rest) = line.strip_prefix("// expect:") {
                let words: Vec<&str> = rest.split_whitespace().collect();
                expectations.push(Expectation {
                    entry: words[0].to_owned(),
                    verdict: words[1].to_owned(),
                    line: words.get(3).map(|line| line.parse().expect("a line")),
                    check: words.get(4).map(|&check| check.to_owned()),
                });
            }
        }
        assert!(!expectations.is_empty(), "{} expects nothing", path.display());
        FileTest {
            path: path.to_owned(),
            options,
            expectations,
        }
    }

    fn request(&self, expectation: &Expectation) -> VerifyRequest {
        let mut request = VerifyRequest::new(vec![self.path.clone()]);
        request.entries = vec![expectation.entry.clone()];
        request.bound = if expectation.verdict == "bounded" { 2 } else { 12 };
        let turn: usize = expectation.entry.bytes().map(usize::from).sum();
        // A proof may need the one engine that proves without a bound.
        request.engine = match expectation.verdict.as_str() {
            "proved" => Engine::Portfolio,
            _ => [Engine::Widen, Engine::Dag, Engine::Portfolio][turn % 3],
        };
        let mut words = self.options.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--check" => {
                    for name in words.next().expect("a check").split(',') {
                        let check = CCheck::ALL.into_iter().find(|check| check.name() == name);
                        request.c.checks.push(check.expect("a known check"));
                    }
                }
                "--machine" => {
                    let name = words.next().expect("a machine");
                    let machine = CMachine::ALL.into_iter().find(|machine| machine.name() == name);
                    request.c.machine = machine.expect("a known machine");
                }
                "--integers" => {
                    let name = words.next().expect("a kind of integers");
                    let kind = CIntegers::ALL.into_iter().find(|kind| kind.name() == name);
                    request.c.integers = kind.expect("a known kind of integers");
                }
                "--malloc-may-fail" => request.c.malloc_may_fail = true,
                other => panic!("{}: the option {other} is not known here", self.path.display()),
            }
        }
        request
    }
}

/// What is wrong with the answer, if anything.
fn complaint(expectation: &Expectation, report: &VerifyReport) -> Option<String> {
    let failure = report.failures().next();
    let right = match (expectation.verdict.as_str(), &report.verdict) {
        ("proved", Verdict::Proved)
        | ("bounded", Verdict::Proved | Verdict::Bounded { .. })
        | ("unknown", Verdict::Unknown { .. }) => true,
        ("bug", Verdict::Bug) | ("bug-unconfirmed", Verdict::BugUnconfirmed { .. }) => {
            failure.is_some_and(|failure| {
                let line = failure.location.as_ref().map(|location| location.line);
                let kind = expectation.check.as_deref().map(kind_of);
                (expectation.line.is_none() || line == expectation.line)
                    && kind.is_none_or(|kind| kind == failure.kind)
            })
        }
        _ => false,
    };
    if right {
        return None;
    }
    let mut text = format!("  {}: {}", expectation.entry, report.verdict);
    if let Some(failure) = failure {
        let _ = write!(text, " {:?} at {:?}", failure.kind, failure.location);
    }
    for diagnostic in report.errors() {
        let _ = write!(text, "\n{}", diagnostic.rendered);
    }
    Some(text)
}

fn kind_of(check: &str) -> FailureKind {
    match check {
        "assert" => FailureKind::Assertion,
        "reach" => FailureKind::ErrorReached,
        "abort" => FailureKind::Abort,
        "null" => FailureKind::NullDereference,
        "bounds" => FailureKind::OutOfBounds,
        "use-after-free" => FailureKind::UseAfterFree,
        "double-free" => FailureKind::DoubleFree,
        "invalid-free" => FailureKind::InvalidFree,
        "leak" => FailureKind::Leak,
        "overflow" => FailureKind::SignedOverflow,
        "div-by-zero" => FailureKind::DivisionByZero,
        "shift" => FailureKind::InvalidShift,
        "uninit" => FailureKind::UninitialisedUse,
        other => panic!("no check is called {other}"),
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/c");
    let filter = std::env::var("LARIAT_FILETEST").ok();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of the programs can be read")
        .map(|entry| entry.expect("the folder of the programs can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    assert!(files.len() >= FEWEST_FILES);
    files.retain(|path| {
        filter
            .as_ref()
            .is_none_or(|text| path.to_string_lossy().contains(text.as_str()))
    });
    files.sort();
    files
}

#[test]
fn every_c_program_has_the_expected_answer() {
    let files = files();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        for _ in 0..threads {
            let work = || {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let test = FileTest::read(path);
                    for expectation in &test.expectations {
                        let budget = Budget::unlimited().within(TIME);
                        let started = std::time::Instant::now();
                        let report = lariat_verify::verify(&test.request(expectation), &budget, &mut |_| {});
                        let time = started.elapsed();
                        if time >= SLOW {
                            eprintln!("slow: {} of {}: {time:.1?}", expectation.entry, path.display());
                        }
                        if let Some(text) = complaint(expectation, &report) {
                            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                            let mut failures = failures.lock().expect("no thread panics");
                            failures.push(format!("{}:\n{text}", name.unwrap_or_default()));
                        }
                    }
                }
            };
            spawn_with_big_stack(scope, "c-files", work).expect("a thread");
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} entries fail\n{}",
        failures.len(),
        failures.join("\n")
    );
}
