//! The log of `lariat verify`: each failure is a result.

use lariat_report::{Failure, FailureKind, VerifyReport};
use serde_json::{Value, json};

use super::{Run, code_flow, locations, notifications};

/// A report as a SARIF log.
pub fn log(report: &VerifyReport) -> Value {
    let mut kinds: Vec<FailureKind> = report.failures().map(|failure| failure.kind).collect();
    kinds.sort();
    kinds.dedup();
    let results: Vec<Value> = report
        .failures()
        .map(|failure| {
            let rule = kinds.iter().position(|kind| *kind == failure.kind);
            result(failure, rule)
        })
        .collect();
    Run {
        files: &report.files,
        rules: kinds.iter().map(|&kind| rule(kind)).collect(),
        results,
        successful: report.errors().next().is_none(),
        notifications: notifications(&report.diagnostics, &report.warnings),
        properties: json!({ "verdict": report.verdict.to_string() }),
    }
    .log()
}

fn rule(kind: FailureKind) -> Value {
    json!({ "id": kind.name(), "shortDescription": { "text": kind.words() } })
}

fn result(failure: &Failure, rule: Option<usize>) -> Value {
    let mut value = json!({
        "ruleId": failure.kind.name(),
        "ruleIndex": rule,
        // What was not replayed may not be so.
        "level": if failure.confirmed { "error" } else { "warning" },
        "message": { "text": failure.message },
        "locations": locations(failure.location.as_ref()),
    });
    if !failure.trace.is_empty() {
        value["codeFlows"] = json!([code_flow(&failure.trace)]);
    }
    value
}

#[cfg(test)]
mod tests {
    use lariat_report::{
        Change, EntryReport, EntryStats, Goal, GoalKind, Location, TraceKind, TraceLine, Verdict,
        VerifyRequest, Warning, WarningKind,
    };

    use super::*;

    fn place(line: u32) -> Option<Location> {
        Some(Location {
            file: "src/a b.c".to_owned(),
            line,
            column: 3,
        })
    }

    #[test]
    fn a_failure_is_a_result_with_a_code_flow() {
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
            cut: Vec::new(),
            failures: vec![Failure {
                kind: FailureKind::OutOfBounds,
                message: "`a[i]` can be outside of `a`".to_owned(),
                id: None,
                location: place(7),
                trace: vec![TraceLine {
                    indent: 1,
                    kind: TraceKind::Failure,
                    location: place(7),
                    text: "a[i] = 0;".to_owned(),
                    changes: vec![Change {
                        name: "i".to_owned(),
                        value: "10".to_owned(),
                    }],
                }],
                confirmed: true,
                why_not: None,
                inputs: Vec::new(),
                objects: Vec::new(),
                memory: Vec::new(),
                harness: None,
            }],
            tracked: None,
            stats: EntryStats::default(),
        });
        report.warnings.push(Warning {
            kind: WarningKind::Other,
            message: "mind this".to_owned(),
            location: None,
        });
        let log = log(&report);
        super::super::schema::assert_valid(&log);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "out-of-bounds");
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        assert_eq!(
            run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "mind this"
        );
        let result = &run["results"][0];
        assert_eq!(result["ruleId"], "out-of-bounds");
        assert_eq!(result["ruleIndex"], 0);
        let region = &result["locations"][0]["physicalLocation"];
        assert_eq!(region["artifactLocation"]["uri"], "src/a%20b.c");
        assert_eq!(region["region"]["startLine"], 7);
        let step = &result["codeFlows"][0]["threadFlows"][0]["locations"][0];
        assert_eq!(step["nestingLevel"], 1);
        assert_eq!(step["location"]["message"]["text"], "a[i] = 0;  i = 10");
    }
}
