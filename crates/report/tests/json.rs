//! The JSON form is a contract: it round-trips, and its names do not change by accident.

use std::path::PathBuf;

use lariat_report::{
    AssertSelector, Change, Check, CutKind, CutSite, EntryReport, EntryStats, Failure, FailureKind, Figure,
    Goal, GoalKind, HarnessOutcome, Input, Location, LogStage, LogText, Machine, Phase, Progress,
    ProgressUpdate, SolverOption, Stats, TraceKind, TraceLine, UnknownCause, Verdict, VerifyReport,
    VerifyRequest, Warning, WarningKind,
};
use serde_json::json;

fn location(line: u32) -> Option<Location> {
    Some(Location {
        file: "lock.bpl".to_owned(),
        line,
        column: 3,
    })
}

fn report() -> VerifyReport {
    let request = VerifyRequest::new(vec![PathBuf::from("lock.bpl")]);
    let mut report = VerifyReport::new(&request, Verdict::Bug);
    report.entries.push(EntryReport {
        entry: "main".to_owned(),
        goal: Goal {
            kind: GoalKind::AssertionFails,
            text: "whether an assertion can fail".to_owned(),
        },
        verdict: Verdict::Bug,
        bound: Some(3),
        ended_by_time: false,
        contexts: None,
        cut: vec![CutSite {
            name: "main".to_owned(),
            kind: CutKind::Loop,
            location: location(7),
        }],
        tracked: None,
        failures: vec![Failure {
            kind: FailureKind::Assertion,
            message: "assertion can fail".to_owned(),
            id: Some("lock-is-free".to_owned()),
            assertion: None,
            attributes: Vec::new(),
            location: location(17),
            trace: vec![TraceLine {
                indent: 1,
                kind: TraceKind::Statement,
                location: location(18),
                text: "lockHeld := true;".to_owned(),
                changes: vec![Change {
                    name: "lockHeld".to_owned(),
                    value: "true".to_owned(),
                    is_global: false,
                }],
                ..TraceLine::default()
            }],
            steps: Vec::new(),
            confirmed: true,
            why_not: None,
            inputs: vec![Input {
                function: "__VERIFIER_nondet_uint".to_owned(),
                ty: "unsigned int".to_owned(),
                value: "4294967295U".to_owned(),
                location: location(9),
                writes: Vec::new(),
            }],
            objects: Vec::new(),
            memory: Vec::new(),
            schedule: Vec::new(),
            harness: Some(HarnessOutcome {
                path: "out.c".to_owned(),
                compiled: true,
                reproduced: true,
                how: "gcc -w out.c".to_owned(),
                output: "assertion failed".to_owned(),
            }),
        }],
        stats: EntryStats::default(),
    });
    report.warnings.push(Warning {
        kind: WarningKind::Vacuous,
        message: "the entry cannot return".to_owned(),
        location: None,
    });
    report
}

#[test]
fn a_report_round_trips() {
    let report = report();
    let text = serde_json::to_string(&report).expect("serialised");
    assert_eq!(
        serde_json::from_str::<VerifyReport>(&text).expect("parsed"),
        report
    );
}

#[test]
fn the_names_in_a_report_are_stable() {
    let value = serde_json::to_value(report()).expect("serialised");
    assert_eq!(value["schema_version"], 1);
    assert_eq!(value["verdict"], json!({"kind": "bug"}));
    let entry = &value["entries"][0];
    assert_eq!(entry["goal"]["kind"], "assertion-fails");
    assert_eq!(entry["cut"][0]["kind"], "loop");
    assert_eq!(
        entry["cut"][0]["location"],
        json!({"file": "lock.bpl", "line": 7, "column": 3})
    );
    let step = &entry["failures"][0]["trace"][0];
    assert_eq!(step["kind"], "statement");
    assert_eq!(step["changes"], json!([{"name": "lockHeld", "value": "true"}]));
}

#[test]
fn verdicts_are_tagged_by_kind() {
    for (verdict, value) in [
        (Verdict::Proved, json!({"kind": "proved"})),
        (Verdict::bounded(4), json!({"kind": "bounded", "bound": 4})),
        (
            Verdict::BugUnconfirmed {
                reason: "quantifiers".to_owned(),
            },
            json!({"kind": "bug-unconfirmed", "reason": "quantifiers"}),
        ),
        (
            Verdict::unknown(UnknownCause::NothingChecked, "no assertion"),
            json!({"kind": "unknown", "cause": "nothing-checked", "reason": "no assertion"}),
        ),
        (Verdict::BadInput, json!({"kind": "bad-input"})),
        (Verdict::Accepted, json!({"kind": "accepted"})),
    ] {
        assert_eq!(serde_json::to_value(&verdict).expect("serialised"), value);
        assert_eq!(serde_json::from_value::<Verdict>(value).expect("parsed"), verdict);
    }
}

#[test]
fn a_request_round_trips_and_may_leave_out_what_has_a_default() {
    let request = VerifyRequest {
        entries: vec!["main".to_owned()],
        asserts: vec![AssertSelector::parse("17"), AssertSelector::parse("lock-is-free")],
        log: LogStage::ALL.to_vec(),
        solver_options: vec![SolverOption {
            key: "smt.arith.solver".to_owned(),
            value: "2".to_owned(),
        }],
        ..VerifyRequest::new(vec![PathBuf::from("a.bpl")])
    };
    let value = serde_json::to_value(&request).expect("serialised");
    assert_eq!(value["asserts"], json!([17, "lock-is-free"]));
    assert_eq!(
        serde_json::from_value::<VerifyRequest>(value).expect("parsed"),
        request
    );

    let short: VerifyRequest = serde_json::from_value(json!({"files": ["a.bpl"]})).expect("parsed");
    assert_eq!(short, VerifyRequest::new(vec![PathBuf::from("a.bpl")]));
}

#[test]
fn options_for_c_are_read_by_name() {
    let request: VerifyRequest =
        serde_json::from_value(json!({"c": {"machine": "ilp32", "checks": ["use-after-free"]}}))
            .expect("parsed");
    assert_eq!(request.c.machine, Machine::Ilp32);
    assert!(request.c.checks(Check::UseAfterFree) && !request.c.checks(Check::Reach));
    let defaults = VerifyRequest::default().c;
    assert!(defaults.checks(Check::Reach) && defaults.checks(Check::Assert));
}

#[test]
fn reports_of_versions_without_inputs_are_read() {
    let mut value = serde_json::to_value(report()).expect("serialised");
    let failure = &mut value["entries"][0]["failures"][0];
    assert_eq!(failure["inputs"][0]["value"], "4294967295U");
    let failure = failure.as_object_mut().expect("an object");
    failure.remove("inputs");
    failure.remove("harness");
    let whole = value.as_object_mut().expect("an object");
    whole.remove("externals");
    whole.remove("integers");
    let read: VerifyReport = serde_json::from_value(value).expect("parsed");
    assert!(
        read.failures()
            .all(|failure| failure.inputs.is_empty() && failure.harness.is_none())
    );
}

#[test]
fn progress_round_trips() {
    for progress in [
        Progress::Update(ProgressUpdate {
            phase: Phase::Solving,
            figures: vec![Figure::Bound(2), Figure::SolverSeconds(1.5)],
            ..ProgressUpdate::default()
        }),
        Progress::Partial(Box::new(report())),
        Progress::Log(LogText {
            stage: LogStage::Ir,
            title: "lowered".to_owned(),
            text: "procedure main\n".to_owned(),
        }),
    ] {
        let text = serde_json::to_string(&progress).expect("serialised");
        assert!(!text.contains('\n'), "one message is one line: {text}");
        assert_eq!(serde_json::from_str::<Progress>(&text).expect("parsed"), progress);
    }
}

#[test]
fn the_speed_of_reading_is_told_only_where_it_was_measured() {
    assert_eq!(Stats::default().megabytes_per_second(), None);
    let stats = Stats {
        read_seconds: 0.25,
        parse_seconds: 0.25,
        source_bytes: 3_000_000,
        ..Stats::default()
    };
    assert_eq!(stats.megabytes_per_second(), Some(6.0));
}
