//! Projects with temporal properties, relations, parameters of actions, daemons and shared variables.

use lariat_base::Budget;
use lariat_conform::run::conform;
use lariat_report::{ConformReason, ConformReport, ConformRequest, Verdict};
use lariat_testkit::folder::Folder;

fn ask(c: &str, project: &str, deadlock_free: bool) -> ConformReport {
    let folder = Folder::new("behaviour");
    folder.write("program.c", c);
    let request = ConformRequest {
        project: folder.write("program.conform", project),
        deadlock_free,
        ..ConformRequest::default()
    };
    conform(&request, &Budget::unlimited(), &mut |_| {})
}

fn messages(report: &ConformReport) -> String {
    let all = report.diagnostics.iter();
    all.map(|message| message.rendered.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

const SERVER: &str = "
void take(void); void give(void); int more(void);
int client(void) { while (more()) take(); return 0; }
int server(void) { for (;;) give(); }
";

fn server(daemon: bool, specification: &str) -> String {
    format!(
        "[specification]
fsp = '''
TAKE = (item -> return{{}} -> STOP).
MORE = (more -> return{{1}} -> STOP | done -> return{{0}} -> STOP).
ITEMS = (item -> ITEMS).
assert ENDS = <> done
assert GOES_ON = [] (more -> <> item)
'''
{specification}
[[component]]
file = \"program.c\"
procedure = \"client\"
[[component]]
file = \"program.c\"
procedure = \"server\"
daemon = {daemon}
[[routine]]
name = \"take\"
process = \"TAKE\"
[[routine]]
name = \"give\"
process = \"TAKE\"
[[routine]]
name = \"more\"
process = \"MORE\"
"
    )
}

#[test]
fn a_daemon_may_wait_for_ever() {
    for (daemon, is_stuck) in [(false, true), (true, false)] {
        let report = ask(SERVER, &server(daemon, "process = \"ITEMS\""), true);
        let deadlock = &report.specifications[1];
        assert_eq!(
            deadlock.verdict == Verdict::Bug,
            is_stuck,
            "{}",
            messages(&report)
        );
        assert_eq!(deadlock.verdict == Verdict::Proved, !is_stuck);
    }
}

#[test]
fn executions_that_go_on_and_executions_that_end() {
    let report = ask(SERVER, &server(true, "assert = \"ENDS\""), false);
    let part = &report.specifications[0];
    assert_eq!(part.verdict, Verdict::Bug, "{}", messages(&report));
    let violation = part.violation.as_ref().expect("a violation");
    assert_eq!(violation.reason, ConformReason::NotLive);
    let cycle = violation.cycle.expect("a cycle");
    let repeated: Vec<&str> = violation.steps[cycle..]
        .iter()
        .map(|step| step.action.as_str())
        .collect();
    assert!(
        repeated.contains(&"more") && repeated.contains(&"item"),
        "{repeated:?}"
    );
    assert!(violation.runs.iter().all(|run| !run.trace.is_empty()));
    for (specification, verdict) in [
        ("assert = \"ENDS\"\nfair = true", Verdict::Proved),
        ("assert = \"GOES_ON\"", Verdict::Proved),
        ("ltl = \"[] (item -> X item)\"", Verdict::Bug),
        ("ltl = \"<> (item || done)\"", Verdict::Proved),
    ] {
        let report = ask(SERVER, &server(true, specification), false);
        assert_eq!(report.verdict, verdict, "{specification}: {}", messages(&report));
    }
}

/// A loop over many values is not exact: what holds of all executions is still proved, the rest is unknown.
#[test]
fn a_model_that_is_not_exact_says_so() {
    let c = "
void go(void); void stop(void); int any(void);
int runs(int n) { int i = 0; while (i < n) { go(); i++; } stop(); return 0; }
";
    let project = |specification: &str| {
        format!(
            "[specification]
fsp = '''
GO = (go -> return{{}} -> STOP).
HALT = (stop -> return{{}} -> STOP).
'''
{specification}
[[component]]
file = \"program.c\"
procedure = \"runs\"
[[routine]]
name = \"go\"
process = \"GO\"
[[routine]]
name = \"stop\"
process = \"HALT\"
"
        )
    };
    let report = ask(c, &project("ltl = \"[] (stop -> X [] !go)\""), false);
    assert_eq!(report.verdict, Verdict::Proved, "{}", messages(&report));
    let report = ask(c, &project("ltl = \"<> stop\""), false);
    assert!(
        matches!(report.verdict, Verdict::Unknown { .. }),
        "{:?}",
        report.verdict
    );
    // It can stop at once: an execution that ends is followed.
    let report = ask(c, &project("ltl = \"<> go\""), false);
    assert_eq!(report.verdict, Verdict::Bug, "{}", messages(&report));
}

#[test]
fn parameters_of_actions() {
    let c = "
void put(int value); int get(void);
int producer(void) { int i = 0; for (;;) { put(i); i = i == 3 ? 0 : i + STEP; } }
int consumer(void) { for (;;) get(); }
";
    let project = |step: i32, parameters: &str, process: &str, otherwise: &str| {
        format!(
            "[specification]
fsp = '''
PUT(V=0) = (chan[V] -> return{{}} -> STOP).
GET = (chan[v:0..3] -> return{{v}} -> STOP).
OTHER = (other -> return{{}} -> STOP).
COUNT = C[0], C[i:0..3] = (chan[i] -> C[(i + 1) % 4]) + {{other}}.
'''
process = \"COUNT\"
macros = [\"STEP={step}\"]
[[component]]
file = \"program.c\"
procedure = \"producer\"
[[component]]
file = \"program.c\"
procedure = \"consumer\"
[[routine]]
name = \"put\"
parameters = [\"{parameters}\"]
process = \"{process}\"
{otherwise}
[[routine]]
name = \"get\"
process = \"GET\"
"
        )
    };
    let other = "otherwise = \"OTHER\"";
    let report = ask(c, &project(1, "value:0..3", "PUT(value)", other), false);
    assert_eq!(report.verdict, Verdict::Proved, "{}", messages(&report));
    for step in [0, 2, 5] {
        let report = ask(c, &project(step, "value:0..3", "PUT(value)", other), false);
        assert_eq!(report.verdict, Verdict::Bug, "{step}: {}", messages(&report));
    }
    for (parameters, process, otherwise, message) in [
        ("value", "PUT(value)", other, "is not a parameter with a range"),
        ("value:3..0", "PUT(value)", other, "is not a range of numbers"),
        ("value:0..3", "PUT(value", other, "do not end with `)`"),
        ("value:0..3", "PUT(v)", other, "is not a parameter with a range"),
        ("value:0..3", "PUT(value)", "", "guard"),
        (
            "value:0..9999",
            "PUT(value)",
            other,
            "more than 1000 alternatives",
        ),
        ("value", "PUT", other, "`otherwise` is for values outside"),
    ] {
        let report = ask(c, &project(1, parameters, process, otherwise), false);
        assert_eq!(
            report.verdict,
            Verdict::BadInput,
            "{parameters} {process} {otherwise}"
        );
        assert!(
            messages(&report).contains(message),
            "{message}: {}",
            messages(&report)
        );
    }
}

#[test]
fn shared_variables_are_refused() {
    let c = "
void tick(void); static int shared; static const int limit = 3;
int left(void) { shared = limit; tick(); return 0; }
int right(void) { if (shared < limit) tick(); return 0; }
int other(void) { if (limit) tick(); return 0; }
static int *const place = &shared;
int by_pointer(void) { if (*place < limit) tick(); return 0; }
static void set(void) { shared = 1; }
static struct handler { int id; void (*run)(void); } handlers[] = {{1, set}};
int by_function(void) { handlers[0].run(); tick(); return 0; }
";
    let project = |second: &str, options: &str| {
        format!(
            "[specification]
fsp = '''
TICK = (tick -> return{{}} -> STOP).
TICKS = (tick -> TICKS).
'''
process = \"TICKS\"
[[component]]
file = \"program.c\"
procedure = \"left\"
[[component]]
file = \"program.c\"
procedure = \"{second}\"
[[routine]]
name = \"tick\"
process = \"TICK\"
{options}
"
        )
    };
    for second in ["right", "by_pointer", "by_function"] {
        let report = ask(c, &project(second, ""), false);
        assert_eq!(report.verdict, Verdict::BadInput, "{second}");
        let found = messages(&report);
        let told = format!("`left` and `{second}` both use `shared`");
        assert!(
            found.contains(&told) && found.contains("separate-globals"),
            "{found}"
        );
    }
    for (second, options) in [("other", ""), ("right", "[options]\nseparate-globals = true")] {
        let report = ask(c, &project(second, options), false);
        assert_eq!(report.verdict, Verdict::Proved, "{}", messages(&report));
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (specification, message) in [
        (
            "process = \"ITEMS\"\nassert = \"ENDS\"",
            "one of `process`, `assert`",
        ),
        ("process = \"ITEMS\"\nfair = true", "`fair` is for"),
        (
            "assert = \"ENDS\"\nrelation = \"simulation\"",
            "`relation` is for",
        ),
        ("assert = \"END\"", "there is no assertion `END`"),
        ("ltl = \"[] (item\"", "expected"),
        ("progress = \"NONE\"", "there is no progress property"),
    ] {
        let report = ask(SERVER, &server(false, specification), false);
        assert_eq!(report.verdict, Verdict::BadInput, "{specification}");
        assert!(
            messages(&report).contains(message),
            "{specification}: {}",
            messages(&report)
        );
    }
}

/// More than 4096 combinations of values: each error is a question of its own.
#[test]
fn many_independent_checks() {
    use std::fmt::Write as _;
    for is_wrong in [false, true] {
        let mut c = String::from("extern int any(void); void reach_error(void);\nint main(void) {\n");
        for lock in 0..16 {
            let _ = writeln!(c, "int p{lock} = any(); int lock{lock} = 0;");
        }
        for lock in 0..16 {
            let _ = writeln!(c, "if (p{lock} != 0) lock{lock} = 1;");
        }
        for lock in 0..16 {
            let wanted = if is_wrong && lock == 11 { 2 } else { 1 };
            let _ = writeln!(c, "if (p{lock} != 0 && lock{lock} != {wanted}) goto ERROR;");
        }
        c.push_str("return 0;\nERROR: reach_error(); return 1; }\n");
        let folder = Folder::new("checks");
        let request = ConformRequest {
            reach: Some(lariat_report::ConformReach {
                files: vec![folder.write("checks.c", &c)],
                procedure: "main".to_owned(),
                label: None,
            }),
            ..ConformRequest::default()
        };
        let report = conform(&request, &Budget::unlimited(), &mut |_| {});
        let expected = if is_wrong { Verdict::Bug } else { Verdict::Proved };
        assert_eq!(report.verdict, expected, "{}", messages(&report));
    }
}
