//! Answers and witnesses as the competition's tools read them.

use std::path::PathBuf;

use lariat_c_evidence::svcomp::{Answer, Property, WitnessKind, WitnessTask, graphml, yaml};
use lariat_report::{
    EntryReport, EntryStats, Failure, FailureKind, Goal, GoalKind, Input, Location, Machine, TraceKind,
    TraceLine, UnknownCause, Verdict, VerifyReport, VerifyRequest,
};

const PROGRAM: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void *__VERIFIER_nondet_pointer(void);
void reach_error() { }
int check(unsigned a) {
  return a < 10 && __VERIFIER_nondet_uint(
  ) > 5;
}
int main() {
  void *p = __VERIFIER_nondet_pointer();
  if (check(__VERIFIER_nondet_uint()))
    reach_error();
}
";
const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, PROGRAM).expect("a file");
    path
}

fn failure(path: &std::path::Path, kind: FailureKind) -> Failure {
    let location = |line, column| {
        Some(Location {
            file: path.display().to_string(),
            line,
            column,
        })
    };
    let input = |function: &str, ty: &str, value: &str, line, column| Input {
        function: function.to_owned(),
        ty: ty.to_owned(),
        value: value.to_owned(),
        location: location(line, column),
        writes: Vec::new(),
    };
    Failure {
        kind,
        message: "an error can be reached".to_owned(),
        id: None,
        assertion: None,
        attributes: Vec::new(),
        location: location(11, 5),
        trace: Vec::new(),
        steps: Vec::new(),
        confirmed: true,
        why_not: None,
        inputs: vec![
            input("__VERIFIER_nondet_pointer", "void *", "(void*)0", 9, 13),
            input("__VERIFIER_nondet_uint", "unsigned int", "3U", 10, 13),
            input("__VERIFIER_nondet_uint", "unsigned int", "4294967295U", 5, 20),
        ],
        objects: Vec::new(),
        memory: Vec::new(),
        schedule: Vec::new(),
        harness: None,
    }
}

fn report(verdict: Verdict, failures: Vec<Failure>) -> VerifyReport {
    let mut report = VerifyReport::new(&VerifyRequest::default(), verdict.clone());
    report.entries.push(EntryReport {
        entry: "main".to_owned(),
        goal: Goal {
            kind: GoalKind::AssertionFails,
            text: String::new(),
        },
        verdict,
        bound: None,
        ended_by_time: false,
        contexts: None,
        cut: Vec::new(),
        failures,
        tracked: None,
        stats: EntryStats::default(),
    });
    report
}

#[test]
fn answers_never_overstate() {
    let reach = Property::parse(REACH).expect("a property");
    let answer =
        |property: &Property, verdict, failures| property.answer(&report(verdict, failures)).to_string();
    let path = PathBuf::from("a.c");
    let bug = |kind| vec![failure(&path, kind)];
    assert_eq!(answer(&reach, Verdict::Proved, vec![]), "TRUE");
    assert_eq!(
        answer(&reach, Verdict::Bug, bug(FailureKind::ErrorReached)),
        "FALSE(unreach-call)"
    );
    assert_eq!(answer(&reach, Verdict::bounded(100), vec![]), "UNKNOWN");
    assert_eq!(
        answer(&reach, Verdict::unknown(UnknownCause::Time, "time"), vec![]),
        "UNKNOWN"
    );
    // A failure of another kind, or one that was not replayed.
    assert_eq!(answer(&reach, Verdict::Bug, bug(FailureKind::Leak)), "UNKNOWN");
    let mut unconfirmed = bug(FailureKind::ErrorReached);
    unconfirmed[0].confirmed = false;
    assert_eq!(answer(&reach, Verdict::Bug, unconfirmed), "UNKNOWN");
    // Mathematical integers are not the machine's.
    let mut mathematical = report(Verdict::Proved, vec![]);
    mathematical.integers = Some("mathematical integers".to_owned());
    assert_eq!(reach.answer(&mathematical), Answer::Unknown);

    let clause = |name: &str| format!("CHECK( init(main()), LTL(G {name}) )\n");
    let memory = ["valid-free", "valid-deref", "valid-memtrack"]
        .map(clause)
        .concat();
    let memory = Property::parse(&memory).expect("a property");
    assert_eq!(
        answer(&memory, Verdict::Bug, bug(FailureKind::UseAfterFree)),
        "FALSE(valid-deref)"
    );
    assert_eq!(
        answer(&memory, Verdict::Bug, bug(FailureKind::DoubleFree)),
        "FALSE(valid-free)"
    );
    assert_eq!(answer(&memory, Verdict::Proved, vec![]), "UNKNOWN");
    let cleanup = Property::parse(&clause("valid-memcleanup")).expect("a property");
    assert_eq!(
        answer(&cleanup, Verdict::Bug, bug(FailureKind::Leak)),
        "FALSE(valid-memcleanup)"
    );
    let overflow = Property::parse(&clause("! overflow")).expect("a property");
    assert_eq!(
        answer(&overflow, Verdict::Bug, bug(FailureKind::SignedOverflow)),
        "FALSE(no-overflow)"
    );
}

fn witness(name: &str, is_violation: bool, form: fn(&WitnessTask<'_>) -> String) -> (PathBuf, String) {
    let path = file(name);
    let failure = failure(&path, FailureKind::ErrorReached);
    let kind = if is_violation {
        WitnessKind::Violation(&failure)
    } else {
        WitnessKind::Correctness
    };
    let files = [path.clone()];
    let task = WitnessTask::read(
        kind,
        &files,
        REACH,
        Machine::Ilp32,
        "main",
        "0.1.0",
        "2026-01-02T03:04:05Z",
    )
    .expect("readable files");
    let text = form(&task);
    // Witnesses are determined by what they are about.
    assert_eq!(text, form(&task));
    (path, text)
}

/// Lines of YAML as (indentation, key or dash, value): enough to check the structure by hand.
fn value_of<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    text.lines()
        .filter_map(|line| {
            line.trim_start()
                .trim_start_matches("- ")
                .strip_prefix(key)?
                .strip_prefix(':')
        })
        .map(str::trim)
        .collect()
}

#[test]
fn a_violation_in_yaml_is_a_sequence_of_segments() {
    let (path, text) = witness("violation.c", true, yaml);
    let name = format!("\"{}\"", path.display());
    assert!(
        text.starts_with("- entry_type: violation_sequence\n  metadata:\n"),
        "{text}"
    );
    assert_eq!(value_of(&text, "format_version"), ["\"2.0\""]);
    assert_eq!(value_of(&text, "creation_time"), ["\"2026-01-02T03:04:05Z\""]);
    assert_eq!(value_of(&text, "data_model"), ["ILP32"]);
    assert_eq!(value_of(&text, "language"), ["C"]);
    assert_eq!(value_of(&text, "specification"), [format!("\"{REACH}\"")]);
    let uuid = value_of(&text, "uuid")[0].trim_matches('"');
    let lengths: Vec<usize> = uuid.split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    assert!(uuid.chars().all(|c| c == '-' || c.is_ascii_hexdigit()));
    // The hash of the file, under its name.
    let hash = value_of(&text, &name)[0].trim_matches('"');
    assert_eq!(hash.len(), 64);
    assert_eq!(text.matches("- segment:").count(), 3);
    assert_eq!(
        value_of(&text, "type"),
        ["function_return", "function_return", "target"]
    );
    assert_eq!(value_of(&text, "action"), ["follow"; 3]);
    assert_eq!(
        value_of(&text, "value"),
        ["\"\\\\result == 3U\"", "\"\\\\result == 4294967295U\""]
    );
    assert_eq!(value_of(&text, "format"), ["acsl_expression"; 2]);
    assert_eq!(value_of(&text, "file_name"), [name.as_str(); 3]);
    // Closing parentheses of the calls, then the target.
    assert_eq!(value_of(&text, "line"), ["10", "6", "11"]);
    assert_eq!(value_of(&text, "column"), ["36", "3", "5"]);
    assert_eq!(value_of(&text, "function"), ["\"main\"", "\"check\"", "\"main\""]);
}

#[test]
fn a_call_that_is_not_found_ends_the_answers() {
    let path = file("unfound.c");
    let mut failure = failure(&path, FailureKind::ErrorReached);
    failure.inputs[1].location = None;
    let files = [path];
    let task = WitnessTask::read(
        WitnessKind::Violation(&failure),
        &files,
        REACH,
        Machine::Lp64,
        "main",
        "0.1.0",
        "2026-01-02T03:04:05Z",
    )
    .expect("readable files");
    assert_eq!(value_of(&yaml(&task), "type"), ["target"]);
    assert_eq!(graphml(&task).matches("<edge ").count(), 2);
}

#[test]
fn a_proof_is_a_set_of_invariants_or_one_state() {
    let (_, text) = witness("proof.c", false, yaml);
    assert!(
        text.starts_with("- entry_type: invariant_set\n  metadata:\n"),
        "{text}"
    );
    assert!(text.ends_with("  content: []\n"), "{text}");

    let (_, text) = witness("proof2.c", false, graphml);
    assert!(text.contains("<data key=\"witness-type\">correctness_witness</data>"));
    assert_eq!(text.matches("<node ").count(), 1);
    assert_eq!(text.matches("<edge ").count(), 0);
    assert!(text.contains("<data key=\"entry\">true</data>"));
}

#[test]
fn a_violation_in_graphml_is_a_chain() {
    let (path, text) = witness("chain.c", true, graphml);
    for (key, value) in [
        ("witness-type", "violation_witness".to_owned()),
        ("sourcecodelang", "C".to_owned()),
        ("producer", "Lariat 0.1.0".to_owned()),
        ("specification", REACH.to_owned()),
        ("programfile", path.display().to_string()),
        ("architecture", "32bit".to_owned()),
        ("creationtime", "2026-01-02T03:04:05Z".to_owned()),
    ] {
        assert_eq!(
            text.matches(&format!("<data key=\"{key}\">{value}</data>"))
                .count(),
            1,
            "{key}"
        );
    }
    // Every key that is used is declared.
    for part in text.split("<data key=\"").skip(1) {
        let key = part.split('"').next().unwrap_or_default();
        assert!(text.contains(&format!("id=\"{key}\"")), "{key}");
    }
    // main is entered, two answers, the violation.
    assert_eq!(text.matches("<node ").count(), 5);
    for state in 1..5 {
        assert!(text.contains(&format!("<edge source=\"N{}\" target=\"N{state}\">", state - 1)));
    }
    assert_eq!(text.matches("<data key=\"entry\">true</data>").count(), 1);
    assert_eq!(text.matches("<data key=\"violation\">true</data>").count(), 1);
    assert!(text.contains("<data key=\"assumption\">\\result == 3U</data>"));
    assert!(text.contains("<data key=\"assumption.resultfunction\">__VERIFIER_nondet_uint</data>"));
    assert!(text.contains("<data key=\"assumption.scope\">check</data>"));
    assert!(text.contains("<data key=\"startline\">11</data>"));
}

#[test]
fn witnesses_say_which_thread_goes_on() {
    let path = file("threads.c");
    let line = |thread, kind, text: &str, line, column| TraceLine {
        thread: Some(thread),
        kind,
        text: text.to_owned(),
        location: Some(Location {
            file: path.display().to_string(),
            line,
            column,
        }),
        ..TraceLine::default()
    };
    let failure = Failure {
        inputs: Vec::new(),
        trace: vec![
            line(1, TraceKind::Statement, "void *p", 9, 3),
            line(2, TraceKind::Call, "starts with check", 4, 5),
            line(2, TraceKind::Statement, "return", 5, 3),
            line(2, TraceKind::Statement, "return", 5, 10),
            line(1, TraceKind::Statement, "check(…)", 10, 7),
            line(1, TraceKind::Failure, "reach_error()", 11, 5),
        ],
        ..failure(&path, FailureKind::ErrorReached)
    };
    let task = WitnessTask::read(
        WitnessKind::Violation(&failure),
        std::slice::from_ref(&path),
        REACH,
        Machine::Lp64,
        "main",
        "1",
        "2026-01-01T00:00:00Z",
    )
    .expect("a task");
    let text = yaml(&task);
    assert!(text.contains("format_version: \"2.2\""), "{text}");
    let waypoints: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| {
            ["type:", "thread_id:", "line:"]
                .iter()
                .any(|key| line.starts_with(key))
        })
        .collect();
    // Where the first thread goes on no statement starts.
    let expected = [
        "type: assumption",
        "thread_id: 1",
        "line: 5",
        "type: target",
        "thread_id: 0",
        "line: 11",
    ];
    assert_eq!(waypoints, expected, "{text}");
    let text = graphml(&task);
    let edges: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| {
            ["threadId", "createThread", "startline"]
                .iter()
                .any(|key| line.starts_with(&format!("<data key=\"{key}\"")))
        })
        .collect();
    let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
    let expected = [
        data("createThread", "0"),
        data("threadId", "0"),
        data("createThread", "1"),
        data("threadId", "1"),
        data("startline", "5"),
        data("threadId", "1"),
        data("startline", "10"),
        data("threadId", "0"),
        data("startline", "11"),
        data("threadId", "0"),
    ];
    assert_eq!(edges, expected, "{text}");
}
