//! C programs, one per feature of the language, with the expected answers in the file.
//!
//! A file in `tests/files/c/` (programs that gcc can run too) or `tests/files/c-environment/` (programs that depend on what is
//! outside of them) starts with comment lines:
//!
//! ```text
//! // lariat: --check bounds                          options, as on the command line
//! // expect: feature_ok proved                       for each entry the verdict,
//! // expect: feature_bad bug line 26 bounds          for a bug the line and the check that fails
//! ```
//!
//! `bounded` is a weaker expectation than `proved`, which meets it too.
//!
//! Every entry is a test of its own, `FILE::ENTRY`. It is run by the default engine and by one single engine, which follows from
//! its name; with `LARIAT_FULL_MATRIX=1` by all of them. A single engine need not prove: it may stop at its bound.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_report::{Check, CheckSelector, Engine, FailureKind, Verdict, VerifyReport, VerifyRequest};
use lariat_testkit::HANG;
use lariat_testkit::files::{self, Case};
use lariat_testkit::seeds::full_matrix;

/// There are to be many entries; a run that finds few looks in the wrong place.
const FEWEST_ENTRIES: usize = 170;
/// Engines that decide an entry without the others.
const SINGLE: [Engine; 4] = [Engine::Widen, Engine::Dag, Engine::Stratified, Engine::Paths];

#[derive(Clone)]
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

    fn request(&self, expectation: &Expectation, engine: Engine) -> VerifyRequest {
        let mut request = VerifyRequest::new(vec![self.path.clone()]);
        request.entries = vec![expectation.entry.clone()];
        request.engine = engine;
        request.bound = match expectation.verdict.as_str() {
            "bounded" => 2,
            "proved" if engine != Engine::Portfolio => 2,
            _ => 12,
        };
        let mut words = self.options.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--check" => {
                    for name in words.next().expect("a check").split(',') {
                        let selected: CheckSelector = name.parse().expect("a known check or group");
                        request.c.checks.extend(CheckSelector::selected(&[selected]));
                    }
                }
                "--machine" => {
                    let name = words.next().expect("a machine");
                    request.c.machine = name.parse().expect("a known machine");
                }
                "--integers" => {
                    let name = words.next().expect("a kind of integers");
                    request.c.integers = name.parse().expect("a known kind of integers");
                }
                "--externals" => {
                    let name = words.next().expect("a word for external functions");
                    request.c.externals = name.parse().expect("`pure` or `havoc`");
                }
                "--malloc-may-fail" => request.c.malloc_may_fail = true,
                other => panic!("{}: the option {other} is not known here", self.path.display()),
            }
        }
        request
    }
}

/// What is wrong with the answer, if anything.
fn complaint(expectation: &Expectation, engine: Engine, report: &VerifyReport) -> Option<String> {
    let failure = report.failures().next();
    let single = engine != Engine::Portfolio;
    let right = match (expectation.verdict.as_str(), &report.verdict) {
        ("proved", Verdict::Bounded { .. }) => single,
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
    let mut text = format!("{engine}: {}", report.verdict);
    if let Some(failure) = failure {
        let _ = write!(text, " {:?} at {:?}", failure.kind, failure.location);
    }
    for diagnostic in report.errors() {
        let _ = write!(text, "\n{}", diagnostic.rendered);
    }
    Some(text)
}

fn kind_of(check: &str) -> FailureKind {
    check.parse::<Check>().expect("a known check").failure()
}

/// Runs one entry by the engines that the environment asks for.
fn check(test: &FileTest, expectation: &Expectation) -> Result<(), String> {
    let mut engines = vec![Engine::Portfolio];
    match full_matrix() {
        true => engines.extend(SINGLE),
        false => {
            let turn: usize = expectation.entry.bytes().map(usize::from).sum();
            engines.push(SINGLE[turn % SINGLE.len()]);
        }
    }
    let complaints: Vec<String> = engines
        .into_iter()
        .filter_map(|engine| {
            let request = test.request(expectation, engine);
            let report = lariat_verify::verify(&request, &Budget::unlimited().within(HANG), &mut |_| {});
            complaint(expectation, engine, &report)
        })
        .collect();
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints.join("\n")),
    }
}

/// On a stack as large as the command's.
fn check_on_a_big_stack(test: &FileTest, expectation: &Expectation) -> Result<(), String> {
    std::thread::scope(|scope| {
        let thread = spawn_with_big_stack(scope, "c-file", || check(test, expectation)).expect("a thread");
        thread.join().unwrap_or_else(|_| Err("it panics".to_owned()))
    })
}

fn main() -> ExitCode {
    let folders = ["tests/files/c", "tests/files/c-environment"];
    let folders = folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let mut cases = Vec::new();
    for (name, path) in folders.iter().flat_map(|folder| files::below(folder, "c")) {
        let test = Arc::new(FileTest::read(&path));
        for expectation in test.expectations.clone() {
            let test = Arc::clone(&test);
            cases.push(Case::new(format!("{name}::{}", expectation.entry), move || {
                check_on_a_big_stack(&test, &expectation)
            }));
        }
    }
    files::run(cases, FEWEST_ENTRIES)
}
