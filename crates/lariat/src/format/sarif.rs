//! SARIF 2.1.0, for editors and services that show results of analyses.
//!
//! A finding is a result with its executions as code flows; diagnostics, warnings and obstacles of the run are
//! notifications.

use std::collections::BTreeMap;

use lariat_report::{Location, Severity, TraceLine};
use serde_json::{Value, json};

use super::json::pretty;
use crate::view::{Finding, Flow, View};

pub fn render(view: &View<'_>) -> Result<String, String> {
    pretty(&log(view))
}

/// The log of a run.
fn log(view: &View<'_>) -> Value {
    let mut rules = Rules::default();
    let results: Vec<Value> = view
        .findings
        .iter()
        .map(|finding| result(finding, &mut rules))
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
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
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
        self.descriptions.push(json!({
            "id": finding.rule,
            "shortDescription": { "text": finding.rule_text },
            "defaultConfiguration": { "level": level(finding.is_error) },
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
    let flows: Vec<Value> = flows.map(code_flow).collect();
    if !flows.is_empty() {
        value["codeFlows"] = json!(flows);
    }
    if let Some(rank) = finding.rank {
        value["rank"] = json!(rank);
    }
    if let Some(fingerprint) = finding.fingerprint {
        value["partialFingerprints"] = json!({ "lariat/v1": fingerprint });
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

/// A failing execution.
fn code_flow(flow: &Flow<'_>) -> Value {
    // Library code is not a place of the user's.
    let own = flow.trace.iter().filter(|line| !line.is_library);
    let steps: Vec<Value> = own.map(flow_location).collect();
    let mut value = json!({ "threadFlows": [{ "locations": steps }] });
    if let Some(title) = &flow.title {
        value["message"] = json!({ "text": title });
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
    fn an_empty_report_is_sarif_too() {
        assert_valid(&log(&crate::angelic::view(&AngelicReport::default(), None)));
    }
}
