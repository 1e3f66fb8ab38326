//! SARIF 2.1.0, for editors and services that show results of analyses.
//!
//! A finding is a result with its executions as code flows; diagnostics, warnings and obstacles of the run are
//! notifications. Results have what GitHub's code scanning asks for: a place each, rules with help and severity, fingerprints
//! that stay when lines move, and executions within its limits.

use std::collections::BTreeMap;

use lariat_report::{Location, Severity, TraceLine};
use serde_json::{Value, json};

use super::fingerprint::{KEY, fingerprints};
use super::json::pretty;
use crate::rules;
use crate::view::{Finding, Flow, View};

/// GitHub shows this many steps of a result.
const MAX_STEPS: usize = 1_000;
/// Of them this many from the start, if there are more.
const FIRST_STEPS: usize = 200;
/// Executions of one result; with [`MAX_STEPS`] each they stay within GitHub's limit of 10,000 steps.
const MAX_FLOWS: usize = 10;

pub fn render(view: &View<'_>) -> Result<String, String> {
    pretty(&log(view))
}

/// The log of a run.
pub fn log(view: &View<'_>) -> Value {
    let mut rules = Rules::default();
    let results: Vec<Value> = view
        .findings
        .iter()
        .zip(fingerprints(&view.findings))
        .map(|(finding, fingerprint)| {
            let mut value = result(finding, &mut rules);
            if value["locations"].as_array().is_none_or(Vec::is_empty) {
                value["locations"] = view
                    .files
                    .first()
                    .map(|file| start_of(file))
                    .into_iter()
                    .collect();
            }
            value["partialFingerprints"] =
                json!({ KEY: fingerprint, "primaryLocationLineHash": fingerprint });
            value
        })
        .collect();
    let is_error = |severity| severity == Severity::Error;
    let successful = !view.diagnostics.iter().any(|one| is_error(one.severity))
        && !view.obstacles.iter().any(|obstacle| obstacle.is_error);
    let artifact = |file: &String| json!({ "location": { "uri": uri(file) } });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "Lariat",
                    "version": env!("CARGO_PKG_VERSION"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "informationUri": format!("{}/blob/main/docs/findings.md", env!("CARGO_PKG_REPOSITORY")),
                    "rules": rules.descriptions,
                },
            },
            "artifacts": view.files.iter().map(artifact).collect::<Vec<_>>(),
            "invocations": [{
                "executionSuccessful": successful,
                "toolExecutionNotifications": notifications(view),
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": view.properties,
        }],
    })
}

/// The rules that the results refer to, in the order in which they come up.
#[derive(Default)]
struct Rules {
    descriptions: Vec<Value>,
    indices: BTreeMap<String, usize>,
}

impl Rules {
    fn index(&mut self, finding: &Finding<'_>) -> usize {
        if let Some(&index) = self.indices.get(&finding.rule) {
            return index;
        }
        let index = self.descriptions.len();
        let known = rules::find(&finding.rule);
        let help = known.map_or(finding.rule_text.as_str(), |rule| rule.help);
        let mut tags = vec!["correctness"];
        let mut properties = json!({
            "precision": if finding.is_error { "very-high" } else { "high" },
            "problem.severity": level(finding.is_error),
        });
        if let Some(severity) = known.and_then(|rule| rule.security) {
            tags.push("security");
            properties["security-severity"] = json!(severity);
        }
        properties["tags"] = json!(tags);
        self.descriptions.push(json!({
            "id": finding.rule,
            "name": finding.rule,
            "shortDescription": { "text": finding.rule_text },
            "fullDescription": { "text": help },
            "help": { "text": help, "markdown": help },
            "helpUri": rules::address(&finding.rule),
            "defaultConfiguration": { "level": level(finding.is_error) },
            "properties": properties,
        }));
        self.indices.insert(finding.rule.clone(), index);
        index
    }
}

fn level(is_error: bool) -> &'static str {
    if is_error { "error" } else { "warning" }
}

fn result(finding: &Finding<'_>, rules: &mut Rules) -> Value {
    let mut value = json!({
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding),
        "level": level(finding.is_error),
        "message": { "text": finding.message },
        "locations": locations(finding.location),
    });
    let flows = finding.flows.iter().filter(|flow| !flow.trace.is_empty());
    let flows: Vec<Value> = flows
        .take(MAX_FLOWS)
        .map(|flow| code_flow(flow, finding.location))
        .filter(|flow| flow["threadFlows"][0]["locations"] != json!([]))
        .collect();
    if !flows.is_empty() {
        value["codeFlows"] = json!(flows);
    }
    if let Some(rank) = finding.rank {
        value["rank"] = json!(rank);
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(id, (place, text))| {
            let mut related = location(place);
            related["id"] = json!(id);
            related["message"] = json!({ "text": text });
            related
        });
        value["relatedLocations"] = related.collect();
    }
    if let Some(suppression) = &finding.suppression {
        value["suppressions"] = json!([{
            "kind": "external",
            "status": suppression.status,
            "justification": suppression.justification,
            "properties": { "specification": suppression.specification },
        }]);
    }
    if !finding.properties.is_null() {
        value["properties"] = finding.properties.clone();
    }
    value
}

/// What the user must know about the run.
fn notifications(view: &View<'_>) -> Vec<Value> {
    let diagnostics = view.diagnostics.iter().map(|diagnostic| {
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let mut value = notification(level, &diagnostic.message, diagnostic.location.as_ref());
        value["descriptor"] = json!({ "id": diagnostic.code });
        value
    });
    let warnings = view
        .warnings
        .iter()
        .map(|warning| notification("warning", &warning.message, warning.location.as_ref()));
    let obstacles = view
        .obstacles
        .iter()
        .map(|obstacle| notification(level(obstacle.is_error), &obstacle.message, obstacle.location));
    diagnostics.chain(warnings).chain(obstacles).collect()
}

fn notification(level: &str, message: &str, place: Option<&Location>) -> Value {
    json!({
        "level": level,
        "message": { "text": message },
        "locations": locations(place),
    })
}

/// A failing execution. Steps without a place are at the one before.
fn code_flow(flow: &Flow<'_>, finding: Option<&Location>) -> Value {
    // Library code is not a place of the user's.
    let own: Vec<&TraceLine> = flow.trace.iter().filter(|line| !line.is_library).collect();
    let left_out = own.len().saturating_sub(MAX_STEPS);
    let first = own.iter().find_map(|line| line.location.as_ref());
    let mut place = first.or(finding);
    // By thread, in the order in which they first run.
    let mut threads: Vec<(Option<u32>, Vec<Value>)> = Vec::new();
    let has_threads = own.iter().any(|line| line.thread.is_some());
    for (index, line) in own.into_iter().enumerate() {
        if left_out > 0 && (FIRST_STEPS..FIRST_STEPS + left_out).contains(&index) {
            continue;
        }
        place = line.location.as_ref().or(place);
        let Some(place) = place else { continue };
        let mut step = flow_location(line, place);
        if has_threads {
            step["executionOrder"] = json!(index + 1);
        }
        match threads.iter_mut().find(|(thread, _)| *thread == line.thread) {
            Some((_, steps)) => steps.push(step),
            None => threads.push((line.thread, vec![step])),
        }
    }
    let flows: Vec<Value> = threads
        .into_iter()
        .map(|(thread, steps)| match thread {
            Some(thread) => json!({ "id": format!("thread {thread}"), "locations": steps }),
            None => json!({ "locations": steps }),
        })
        .collect();
    let flows = match flows.is_empty() {
        true => vec![json!({ "locations": [] })],
        false => flows,
    };
    let mut value = json!({ "threadFlows": flows });
    if let Some(title) = &flow.title {
        value["message"] = json!({ "text": title });
    }
    value
}

fn flow_location(line: &TraceLine, place: &Location) -> Value {
    let mut text = line.text.clone();
    for change in &line.changes {
        text.push_str(&format!("  {} = {}", change.name, change.value));
    }
    let mut place = location(place);
    place["message"] = json!({ "text": text });
    json!({ "location": place, "nestingLevel": line.indent })
}

fn locations(place: Option<&Location>) -> Vec<Value> {
    place.map(location).into_iter().collect()
}

/// For what has no place of its own.
fn start_of(file: &str) -> Value {
    location(&Location {
        file: file.to_owned(),
        line: 1,
        column: 1,
    })
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
    use lariat_report::AngelicReport;

    use super::*;
    use crate::examples;
    use crate::format::schema::assert_valid;

    #[test]
    fn an_absolute_path_has_a_scheme() {
        assert_eq!(uri("/a/b.c"), "file:///a/b.c");
        assert_eq!(uri("b.c"), "b.c");
    }

    #[test]
    fn a_failure_is_a_result_with_a_code_flow() {
        let report = examples::out_of_bounds();
        let log = log(&crate::verify::view(&report));
        assert_valid(&log);
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
    fn warnings_and_suppressed_alarms_are_results() {
        let report = examples::angelic();
        let log = log(&crate::angelic::view(&report, None));
        assert_valid(&log);
        let run = &log["runs"][0];
        let results = run["results"].as_array().expect("results");
        let warning = &results[0];
        assert_eq!(warning["ruleId"], "inconsistent/null-dereference");
        let rule = warning["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], warning["ruleId"]);
        assert_eq!(warning["codeFlows"].as_array().map(Vec::len), Some(2));
        assert_eq!(
            warning["relatedLocations"][0]["physicalLocation"]["region"]["startLine"],
            5
        );
        let suppressed: Vec<&Value> = results
            .iter()
            .filter(|result| result["ruleId"] == "suppressed")
            .collect();
        assert_eq!(
            suppressed[0]["suppressions"][0],
            json!({
                "kind": "external",
                "status": "underReview",
                "justification": "FooBar requires Lib2() != NULL",
                "properties": { "specification": "s1" },
            })
        );
        // Rejected specifications suppress nothing.
        let assumed = report.specifications.iter().filter(|it| it.is_assumed());
        let expected: usize = assumed.map(|it| it.suppresses.len()).sum();
        assert_eq!(suppressed.len(), expected);
        let notifications = run["invocations"][0]["toolExecutionNotifications"].to_string();
        assert!(notifications.contains("Slow is incomplete: time limit of the entry reached"));
    }

    #[test]
    fn a_violation_of_a_protocol_is_a_result() {
        let report = examples::conform();
        let log = log(&crate::conform::view(&report));
        assert_valid(&log);
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!(result["ruleId"], "trace-inclusion");
        assert_eq!(
            result["message"]["text"],
            "LOCK does not allow worker to do `unlock` here"
        );
        assert_eq!(
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
            17
        );
        assert_eq!(result["codeFlows"][0]["message"]["text"], "what worker does");
        assert_eq!(run["properties"]["verdict"], "bug");
    }

    #[test]
    fn results_have_what_github_asks_for() {
        let (verify, angelic, conform) = (
            examples::out_of_bounds(),
            examples::angelic(),
            examples::conform(),
        );
        let logs = [
            log(&crate::verify::view(&verify)),
            log(&crate::angelic::view(&angelic, None)),
            log(&crate::conform::view(&conform)),
        ];
        for log in logs {
            assert_valid(&log);
            let run = &log["runs"][0];
            for rule in run["tool"]["driver"]["rules"].as_array().expect("rules") {
                for field in [
                    "/id",
                    "/name",
                    "/shortDescription/text",
                    "/fullDescription/text",
                    "/help/text",
                    "/helpUri",
                ] {
                    assert!(
                        rule.pointer(field).is_some_and(Value::is_string),
                        "{field} of {rule}"
                    );
                }
                assert!(rule["properties"]["tags"].is_array(), "{rule}");
            }
            for result in run["results"].as_array().expect("results") {
                assert_eq!(result["locations"].as_array().map(Vec::len), Some(1), "{result}");
                assert!(result["partialFingerprints"][KEY].is_string(), "{result}");
                assert!(result["message"]["text"].is_string(), "{result}");
            }
        }
    }

    #[test]
    fn a_long_execution_keeps_its_start_and_its_end() {
        let mut report = examples::out_of_bounds();
        let trace = &mut report.entries[0].failures[0].trace;
        let line = trace[0].clone();
        *trace = (0..5000)
            .map(|index| TraceLine {
                text: index.to_string(),
                changes: Vec::new(),
                ..line.clone()
            })
            .collect();
        let log = log(&crate::verify::view(&report));
        let steps = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
        let steps = steps.as_array().expect("steps");
        assert_eq!(steps.len(), MAX_STEPS);
        assert_eq!(steps[FIRST_STEPS - 1]["location"]["message"]["text"], "199");
        assert_eq!(steps[MAX_STEPS - 1]["location"]["message"]["text"], "4999");
    }

    #[test]
    fn an_empty_report_is_sarif_too() {
        assert_valid(&log(&crate::angelic::view(&AngelicReport::default(), None)));
    }
}
