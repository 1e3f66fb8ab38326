//! Reports in SARIF 2.1.0, for editors and services that show results of analyses.
//!
//! A failure is a result with its trace as a code flow; diagnostics and warnings are notifications of the run.

use lariat_report::{DiagnosticReport, Failure, FailureKind, Location, Severity, TraceLine, VerifyReport};
use serde_json::{Value, json};

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
    let warnings = report.warnings.iter().map(|warning| {
        json!({
            "level": "warning",
            "message": { "text": warning.message },
            "locations": locations(warning.location.as_ref()),
        })
    });
    let notifications: Vec<Value> = report
        .diagnostics
        .iter()
        .map(notification)
        .chain(warnings)
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "Lariat",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": kinds.iter().map(|&kind| rule(kind)).collect::<Vec<_>>(),
                },
            },
            "artifacts": report.files.iter().map(|file| json!({ "location": { "uri": uri(file) } })).collect::<Vec<_>>(),
            "invocations": [{
                "executionSuccessful": report.errors().next().is_none(),
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "verdict": report.verdict.to_string() },
        }],
    })
}

fn rule(kind: FailureKind) -> Value {
    json!({ "id": id(kind), "shortDescription": { "text": kind.words() } })
}

/// The name of the JSON form.
fn id(kind: FailureKind) -> Value {
    serde_json::to_value(kind).unwrap_or_default()
}

fn result(failure: &Failure, rule: Option<usize>) -> Value {
    let flow: Vec<Value> = failure.trace.iter().map(flow_location).collect();
    let mut value = json!({
        "ruleId": id(failure.kind),
        "ruleIndex": rule,
        // What was not replayed may not be so.
        "level": if failure.confirmed { "error" } else { "warning" },
        "message": { "text": failure.message },
        "locations": locations(failure.location.as_ref()),
    });
    if !flow.is_empty() {
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow }] }]);
    }
    value
}

fn flow_location(line: &TraceLine) -> Value {
    let mut text = line.text.clone();
    for change in &line.changes {
        text.push_str(&format!("  {} = {}", change.name, change.value));
    }
    let mut place = line.location.as_ref().map_or_else(|| json!({}), location);
    place["message"] = json!({ "text": text });
    json!({ "location": place, "nestingLevel": line.indent })
}

fn notification(diagnostic: &DiagnosticReport) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    json!({
        "descriptor": { "id": diagnostic.code },
        "level": level,
        "message": { "text": diagnostic.message },
        "locations": locations(diagnostic.location.as_ref()),
    })
}

fn locations(place: Option<&Location>) -> Vec<Value> {
    place.map(location).into_iter().collect()
}

fn location(place: &Location) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.file) },
            "region": { "startLine": place.line, "startColumn": place.column },
        },
    })
}

/// A path as a URI reference: absolute paths get a scheme, and what is not allowed in one is escaped.
fn uri(path: &str) -> String {
    let mut text = String::new();
    if path.starts_with('/') {
        text.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use lariat_report::{
        Change, EntryReport, EntryStats, Goal, GoalKind, TraceKind, Verdict, VerifyRequest, Warning,
        WarningKind,
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

    #[test]
    fn an_absolute_path_has_a_scheme() {
        assert_eq!(uri("/a/b.c"), "file:///a/b.c");
        assert_eq!(uri("b.c"), "b.c");
    }
}
