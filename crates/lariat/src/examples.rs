//! One report of each command, written by hand, for the tests of the formats.

use lariat_report::{
    AngelicEntry, AngelicEntryStats, AngelicReport, AngelicStats, AngelicWarning, Change, ComponentRun,
    Confidence, ConformAsked, ConformPart, ConformReason, ConformReport, ConformRequest, ConformStats,
    ConformViolation, EntryOutcome, EntryReport, EntryStats, EntryTrace, Failure, FailureKind, Goal,
    GoalKind, Location, ProtocolStep, Refusal, Specification, SpecificationStatus, Suppressed, TraceKind,
    TraceLine, Verdict, VerifyReport, VerifyRequest, Warning, WarningKind,
};

/// A bug of `lariat verify`, with a warning.
pub fn out_of_bounds() -> VerifyReport {
    let place = Some(Location {
        file: "src/a b.c".to_owned(),
        line: 7,
        column: 3,
    });
    let request = VerifyRequest::new(vec!["src/a b.c".into()]);
    let mut report = VerifyReport::new(&request, Verdict::Bug);
    report.entries.push(EntryReport {
        entry: "main".to_owned(),
        goal: Goal {
            kind: GoalKind::AssertionFails,
            text: String::new(),
        },
        verdict: Verdict::Bug,
        bound: None,
        ended_by_time: false,
        contexts: None,
        cut: Vec::new(),
        failures: vec![Failure {
            kind: FailureKind::OutOfBounds,
            message: "`a[i]` can be outside of `a`".to_owned(),
            location: place.clone(),
            ..failure(vec![TraceLine {
                indent: 1,
                kind: TraceKind::Failure,
                location: place,
                text: "a[i] = 0;".to_owned(),
                changes: vec![Change {
                    name: "i".to_owned(),
                    value: "10".to_owned(),
                    is_global: false,
                }],
                ..TraceLine::default()
            }])
        }],
        tracked: None,
        stats: EntryStats::default(),
    });
    report.warnings.push(Warning {
        kind: WarningKind::Other,
        message: "mind this".to_owned(),
        location: None,
    });
    report
}

/// A violation of a protocol of one component.
pub fn conform() -> ConformReport {
    let request = ConformRequest {
        project: "bad.conform".into(),
        ..ConformRequest::default()
    };
    let line = |line: Option<u32>, kind, text: &str| TraceLine {
        indent: 0,
        kind,
        location: line.map(|line| Location {
            file: "worker.c".to_owned(),
            line,
            column: 9,
        }),
        text: text.to_owned(),
        ..TraceLine::default()
    };
    let mut report = ConformReport::new(&request, Verdict::Bug);
    report.specifications.push(ConformPart {
        specification: "LOCK".to_owned(),
        asked: ConformAsked::TraceInclusion,
        verdict: Verdict::Bug,
        expect: None,
        violation: Some(ConformViolation {
            reason: ConformReason::Refused,
            steps: vec![ProtocolStep {
                action: "unlock".to_owned(),
                components: vec!["worker".to_owned()],
                observed: true,
            }],
            allowed: vec!["lock".to_owned()],
            runs: vec![ComponentRun {
                component: "worker".to_owned(),
                trace: vec![
                    line(Some(17), TraceKind::Call, "unlock(1)"),
                    line(None, TraceKind::Failure, "unlock"),
                ],
            }],
            stuck: Vec::new(),
            cycle: None,
            notes: Vec::new(),
        }),
        stats: ConformStats::default(),
        models: Vec::new(),
    });
    report
}

pub fn place(line: u32) -> Option<Location> {
    Some(Location {
        file: "src/fig1.c".to_owned(),
        line,
        column: 3,
    })
}

fn step(indent: u32, kind: TraceKind, line: u32, text: &str) -> TraceLine {
    TraceLine {
        indent,
        kind,
        location: place(line),
        text: text.to_owned(),
        changes: match kind {
            TraceKind::Start => vec![Change {
                name: "x".to_owned(),
                value: "NULL".to_owned(),
                is_global: false,
            }],
            _ => Vec::new(),
        },
        ..TraceLine::default()
    }
}

fn refused() -> Option<Refusal> {
    Some(Refusal {
        specification: "x != NULL".to_owned(),
        location: place(5),
        reason: "the check of `x` would be in vain".to_owned(),
    })
}

fn trace(entry: &str, lines: Vec<TraceLine>) -> EntryTrace {
    EntryTrace {
        entry: entry.to_owned(),
        cause: "Bar+5".to_owned(),
        confidence: Confidence::Inconsistent,
        explanation: "`x` is compared with NULL before".to_owned(),
        origin: Some("parameter x".to_owned()),
        refused: refused(),
        procedure: "Bar".to_owned(),
        condition: Some("x != NULL".to_owned()),
        failure: failure(lines),
    }
}

fn failure(trace: Vec<TraceLine>) -> Failure {
    Failure {
        location: place(7),
        trace,
        ..Failure::new(FailureKind::NullDereference, "null pointer can be dereferenced")
    }
}

pub fn specification(id: &str, text: &str, status: SpecificationStatus) -> Specification {
    Specification {
        id: id.to_owned(),
        entry: "FooBar".to_owned(),
        text: text.to_owned(),
        formal: format!("forall x_2: int :: unknown_1(x_2) ==> {text}"),
        status,
        locations: Vec::new(),
        suppresses: vec![Suppressed {
            procedure: "FooBar".to_owned(),
            condition: Some("x->len".to_owned()),
            message: "null pointer can be dereferenced".to_owned(),
            location: place(30),
        }],
        unnecessary: false,
        problem: None,
        inferred: None,
    }
}

fn entry(name: &str, outcome: EntryOutcome) -> AngelicEntry {
    AngelicEntry {
        name: name.to_owned(),
        location: place(1),
        complete: outcome == EntryOutcome::Done,
        outcome,
        bound: 3,
        fingerprint: String::new(),
        reused: name == "Baz",
        stats: AngelicEntryStats::default(),
    }
}

/// In the manner of the running example of [Angelic15]: one warning with two traces, specifications of every status, an
/// entry that is incomplete.
pub fn angelic() -> AngelicReport {
    AngelicReport {
        schema_version: 1,
        files: vec!["src/fig1.c".to_owned()],
        warnings: vec![AngelicWarning {
            id: "w1".to_owned(),
            confidence: Confidence::Inconsistent,
            procedure: "Bar".to_owned(),
            condition: Some("x != NULL".to_owned()),
            explanation: "`x` is compared with NULL before".to_owned(),
            origin: Some("parameter x".to_owned()),
            refused: refused(),
            traces: vec![
                trace(
                    "Bar",
                    vec![
                        step(0, TraceKind::Start, 2, "Bar(x)"),
                        step(0, TraceKind::Failure, 7, "*x = 5;"),
                    ],
                ),
                trace(
                    "Foo",
                    vec![
                        step(0, TraceKind::Start, 15, "Foo(z)"),
                        step(0, TraceKind::Call, 16, "Bar(z);"),
                        step(1, TraceKind::Failure, 7, "*x = 5;"),
                    ],
                ),
            ],
        }],
        specifications: vec![
            specification("s1", "Lib2() != NULL", SpecificationStatus::Inferred),
            specification("s2", "Lib1() != NULL", SpecificationStatus::Accepted),
            Specification {
                unnecessary: true,
                suppresses: Vec::new(),
                ..specification("s3", "m != NULL", SpecificationStatus::Accepted)
            },
            specification("s4", "n != NULL", SpecificationStatus::Rejected),
            Specification {
                problem: Some("there is no `y`".to_owned()),
                ..specification("s5", "y != NULL", SpecificationStatus::Edited)
            },
        ],
        entries: vec![
            entry("Bar", EntryOutcome::Done),
            entry("Baz", EntryOutcome::Done),
            entry(
                "Slow",
                EntryOutcome::Incomplete {
                    reason: "time limit of the entry reached".to_owned(),
                },
            ),
        ],
        stats: AngelicStats {
            total_seconds: 3.2,
            dereferences: 512,
            dereferences_proved: 430,
            ..AngelicStats::default()
        },
        ..AngelicReport::default()
    }
}
