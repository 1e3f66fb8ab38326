//! The portfolio: the verdicts of its members, and what becomes of it when some of them or all are stopped.
//!
//! The tests run one after the other, since they look at the memory and the threads of the process.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_base::budget::resident_memory;
use lariat_report::{Engine, Switch, UnknownCause, Verdict, VerifyReport, VerifyRequest};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file for one test, gone when the test is over.
struct Program {
    path: PathBuf,
}

impl Program {
    fn new(name: &str, text: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("portfolio-{name}-{}.bpl", std::process::id()));
        std::fs::write(&path, text).expect("a temporary file can be written");
        Program { path }
    }

    /// Without summaries, which are inferred before the members start.
    fn request(&self, engine: Engine) -> VerifyRequest {
        let mut request = VerifyRequest::new(vec![self.path.clone()]);
        request.engine = engine;
        request.search.summaries = Switch::Off;
        request
    }

    fn verify(&self, engine: Engine, budget: &Budget) -> VerifyReport {
        verify(&self.request(engine), budget)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn verify(request: &VerifyRequest, budget: &Budget) -> VerifyReport {
    lariat_verify::verify(request, budget, &mut |_| {})
}

fn seconds(seconds: u64) -> Budget {
    Budget::new(Some(Duration::from_secs(seconds)), None)
}

fn decided_by(report: &VerifyReport) -> Option<&str> {
    report.entries.first()?.stats.decided_by.as_deref()
}

fn threads() -> usize {
    let members = ["widen", "dag", "mix", "stratified", "unbounded", "run"];
    let tasks = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
        .filter(|name| members.contains(&name.trim()))
        .count()
}

#[track_caller]
fn assert_unknown(report: &VerifyReport, expected: UnknownCause) {
    match &report.verdict {
        Verdict::Unknown { cause, reason } => assert_eq!(*cause, expected, "{reason}"),
        other => panic!("{other}"),
    }
}

/// Factors of a product of two primes, behind a call: no member gets far.
const HARD: &str = "
function {:bvbuiltin \"bvmul\"} mul(x: bv64, y: bv64): bv64;
function {:bvbuiltin \"bvult\"} ult(x: bv64, y: bv64): bool;
procedure main(x: bv64, y: bv64)
{
  assume ult(1bv64, x) && ult(x, 4294967296bv64);
  assume ult(1bv64, y) && ult(y, 4294967296bv64);
  if (*) { call product(x, y); } else { call product(y, x); }
}
procedure product(x: bv64, y: bv64)
{
  if (x != y) { assert mul(x, y) != 9153552214547054437bv64; }
}
";

/// One violation, which needs some rounds of the loop; without an end for whoever wants an invariant.
const BUG_IN_A_LOOP: &str = "
procedure main(n: int)
{
  var i: int, x: int;
  i := 0; x := 2;
  while (i < n) { call x := step(x); i := i + 1; }
  assert x != 16 || n != 2;
}
procedure step(x: int) returns (y: int)
{
  if (x > 0) { y := x * x + 1; } else { y := x * x * x; }
  if (y == 26) { y := 16; }
}
";

/// Correct for every bound, which only an invariant shows.
const LOOP_INVARIANT: &str = "
procedure main(n: int)
{
  var i: int, x: int;
  i := 0; x := 0;
  while (i < n) { i := i + 1; x := x + 2; }
  assert n < 0 || x == 2 * n;
}
";

/// Correct, with a tree of calls.
const TREE: &str = "
var g: int;
procedure main() { g := 0; if (*) { call a(); } else { call b(); } assert g > 0; }
procedure a() { if (*) { call c(1); } else { call c(2); } }
procedure b() { call c(3); if (*) { call c(4); } }
procedure c(x: int) { if (g < 100) { g := g + x; } else { g := 1; } }
";

#[test]
fn the_verdict_is_that_of_its_members() {
    let _alone = alone();
    for (name, text) in [
        ("loop-bug", BUG_IN_A_LOOP),
        ("invariant", LOOP_INVARIANT),
        ("tree", TREE),
    ] {
        let program = Program::new(name, text);
        let portfolio = program.verify(Engine::Portfolio, &seconds(60));
        let members = [Engine::Dag, Engine::Widen, Engine::Chc];
        let verdicts = members.map(|member| program.verify(member, &seconds(20)).verdict);
        match decided_by(&portfolio).expect("one of them decided") {
            "dag" => assert_eq!(portfolio.verdict, verdicts[0], "{name}"),
            "widen" => assert_eq!(portfolio.verdict, verdicts[1], "{name}"),
            // It has more means than Horn clauses, and only proves.
            "unbounded" => assert_eq!(portfolio.verdict, Verdict::Proved, "{name}"),
            other => panic!("no member is called {other}"),
        }
        let is_bug = portfolio.verdict == Verdict::Bug;
        assert_eq!(is_bug, verdicts.contains(&Verdict::Bug), "{name}: {verdicts:?}");
        let (bug, holds) = (
            verdicts.contains(&Verdict::Bug),
            verdicts
                .iter()
                .any(|verdict| matches!(verdict, Verdict::Proved | Verdict::Bounded { .. })),
        );
        assert!(bug != holds, "{name}: {verdicts:?}");
    }
}

/// On one core the searches take turns by counts of effort: the same one decides each time, after the same work.
#[test]
fn on_one_core_the_same_member_decides_each_time() {
    let _alone = alone();
    for (name, text) in [
        ("turns-bug", slow(true)),
        ("turns-loop", BUG_IN_A_LOOP.to_owned()),
    ] {
        let program = Program::new(name, &text);
        let run = || {
            let report = program.verify(Engine::Portfolio, &seconds(60).with_cores(1));
            let decided = decided_by(&report).map(str::to_owned);
            (
                report.verdict,
                decided,
                report.stats.inlined,
                report.stats.solver_calls,
            )
        };
        let first = run();
        assert_eq!(
            (&first.0, first.1.as_deref()),
            (&Verdict::Bug, Some("widen")),
            "{name}"
        );
        assert_eq!((run(), run()), (first.clone(), first), "{name}");
    }
}

#[test]
fn members_that_wait_for_their_turn_stop_when_the_time_is_over() {
    let _alone = alone();
    let program = Program::new("turns-time", HARD);
    let before = threads();
    assert_unknown(
        &program.verify(Engine::Portfolio, &seconds(1).with_cores(1)),
        UnknownCause::Time,
    );
    wait_for_threads(before);
}

#[test]
fn a_proof_for_every_bound_is_better_than_a_bound() {
    let _alone = alone();
    let program = Program::new("better", LOOP_INVARIANT);
    for member in [Engine::Dag, Engine::Widen] {
        let report = program.verify(member, &seconds(60));
        assert!(
            matches!(report.verdict, Verdict::Bounded { .. }),
            "{}",
            report.verdict
        );
    }
    let report = program.verify(Engine::Portfolio, &seconds(60));
    assert_eq!(
        (report.verdict.clone(), decided_by(&report)),
        (Verdict::Proved, Some("unbounded"))
    );
}

#[test]
fn when_it_returns_no_member_runs_on() {
    let _alone = alone();
    let program = Program::new("prompt", BUG_IN_A_LOOP);
    let before = threads();
    for _ in 0..5 {
        let started = Instant::now();
        let report = program.verify(Engine::Portfolio, &seconds(120));
        assert_eq!(report.verdict, Verdict::Bug);
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{:?}",
            started.elapsed()
        );
        wait_for_threads(before);
    }
}

/// A thread that has ended may still be listed for a moment.
fn wait_for_threads(expected: usize) {
    for _ in 0..100 {
        if threads() <= expected {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} threads, {expected} before", threads());
}

#[test]
fn the_time_limit_is_that_of_all() {
    let _alone = alone();
    let program = Program::new("time", HARD);
    let before = threads();
    let started = Instant::now();
    let report = program.verify(Engine::Portfolio, &seconds(1));
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "{:?}",
        started.elapsed()
    );
    assert_unknown(&report, UnknownCause::Time);
    wait_for_threads(before);
}

#[test]
fn cancelling_stops_all() {
    let _alone = alone();
    let program = Program::new("cancel", HARD);
    let before = threads();
    for delay in [0, 50, 500] {
        let budget = Budget::new(Some(Duration::from_secs(60)), None);
        let started = Instant::now();
        let report = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(delay));
                budget.interrupt();
            });
            program.verify(Engine::Portfolio, &budget)
        });
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "{:?}",
            started.elapsed()
        );
        assert_unknown(&report, UnknownCause::Interrupted);
        wait_for_threads(before);
    }
}

/// A program that takes each member a while; correct, and found wrong with one more line.
fn slow(wrong: bool) -> String {
    let mut text = String::from("var g: int;\nprocedure main(n: int) {\n  g := n;\n");
    for _ in 0..12 {
        text.push_str("  if (*) { call up(g); } else { call down(g); }\n");
    }
    let limit = if wrong { 23 } else { 24 };
    text += &format!("  assert g <= n + {limit} && g >= n - 24;\n}}\n");
    text.push_str(
        "procedure up(x: int) { if (x > 5) { g := x + 2; } else { if (x < 0) { g := x + 1; } else { g := x; } } }
         procedure down(x: int) { if (x > 7) { g := x - 2; } else { if (x < 1) { g := x - 1; } else { g := x; } } }\n",
    );
    text
}

/// Members are stopped one by one as long as there is little memory; the last goes on, and its answer counts.
#[test]
fn members_that_are_stopped_for_memory_leave_the_answer_right() {
    let _alone = alone();
    let ballast = vec![1u8; 1_500_000_000];
    let used = resident_memory().expect("the system tells the memory");
    // From 85 % of the limit on the largest member is stopped.
    let limit = used + used / 7;
    for (wrong, expected) in [(false, Verdict::Proved), (true, Verdict::Bug)] {
        let program = Program::new("memory", &slow(wrong));
        let budget = Budget::new(Some(Duration::from_secs(100)), Some(limit));
        let report = program.verify(Engine::Portfolio, &budget);
        assert_eq!(report.verdict, expected);
        assert!(decided_by(&report).is_some());
    }
    assert!(ballast.iter().all(|&byte| byte == 1));
}

#[test]
fn without_memory_for_any_member_nothing_is_said() {
    let _alone = alone();
    let program = Program::new("no-memory", &slow(false));
    let before = threads();
    let budget = Budget::new(Some(Duration::from_secs(60)), Some(1_000_000));
    assert_unknown(&program.verify(Engine::Portfolio, &budget), UnknownCause::Memory);
    wait_for_threads(before);
}

#[test]
fn the_same_program_twice_at_once() {
    let _alone = alone();
    let program = Program::new("twice", &slow(true));
    let reports: Vec<VerifyReport> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| program.verify(Engine::Portfolio, &seconds(100))))
            .collect();
        runs.into_iter()
            .map(|run| run.join().expect("no panic"))
            .collect()
    });
    assert!(reports.iter().all(|report| report.verdict == Verdict::Bug));
}
