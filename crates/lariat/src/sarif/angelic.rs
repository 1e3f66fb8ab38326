//! The log of `lariat angelic`: each warning is a result, and so is each suppressed alarm, with its suppression.

use std::collections::BTreeMap;

use lariat_report::{
    AngelicReport, AngelicWarning, Confidence, EntryOutcome, FailureKind, Specification, SpecificationStatus,
    Suppressed,
};
use serde_json::{Value, json};

use super::{Run, code_flow, location, locations, notification, notifications};

/// The rule of alarms that a specification suppresses.
const SUPPRESSED_RULE: &str = "suppressed";

/// A report as a SARIF log.
pub fn log(report: &AngelicReport) -> Value {
    let mut rules = Rules::default();
    let mut results: Vec<Value> = report
        .warnings
        .iter()
        .map(|warning| result(warning, &mut rules))
        .collect();
    for specification in report.specifications.iter().filter(|it| it.is_assumed()) {
        for alarm in &specification.suppresses {
            results.push(suppressed(alarm, specification, &mut rules));
        }
    }
    let incomplete = report.entries.iter().filter_map(|entry| match &entry.outcome {
        EntryOutcome::Done => None,
        EntryOutcome::Incomplete { reason } => Some((entry, reason.as_str())),
        EntryOutcome::Pending => Some((entry, "it was not analysed")),
    });
    let incomplete = incomplete.map(|(entry, reason)| {
        let message = format!("{} is incomplete: {reason}", entry.name);
        notification("warning", &message, entry.location.as_ref())
    });
    let unfinished = report
        .unfinished
        .as_ref()
        .map(|reason| notification("error", reason, None));
    let told = notifications(&report.diagnostics, &report.notes);
    Run {
        files: &report.files,
        rules: rules.descriptions,
        results,
        successful: !report.bad_input && report.unfinished.is_none(),
        notifications: told.into_iter().chain(incomplete).chain(unfinished).collect(),
        properties: json!({
            "entries": report.entries.len(),
            "specifications": report.specifications.len(),
            "dereferences": report.stats.dereferences,
            "dereferencesProved": report.stats.dereferences_proved,
        }),
    }
    .log()
}

/// The rules that the results refer to, in the order in which they come up.
#[derive(Default)]
struct Rules {
    descriptions: Vec<Value>,
    indices: BTreeMap<String, usize>,
}

impl Rules {
    /// The index of a rule.
    fn index(&mut self, id: &str, words: &str) -> usize {
        if let Some(&index) = self.indices.get(id) {
            return index;
        }
        let index = self.descriptions.len();
        self.descriptions.push(json!({
            "id": id,
            "shortDescription": { "text": words },
            "defaultConfiguration": { "level": "warning" },
        }));
        self.indices.insert(id.to_owned(), index);
        index
    }
}

fn result(warning: &AngelicWarning, rules: &mut Rules) -> Value {
    let first = warning.traces.first().map(|trace| &trace.failure);
    let kind = first.map_or(FailureKind::Assertion, |failure| failure.kind);
    let rule = format!("{}/{}", warning.confidence.name(), kind.name());
    let words = format!("{}: {}", kind.words(), words(warning.confidence));
    let message = first.map_or("it can fail", |failure| failure.message.as_str());
    let mut text = format!("{message} in {}", warning.procedure);
    for more in [Some(&warning.explanation), warning.origin.as_ref()]
        .into_iter()
        .flatten()
    {
        if !more.is_empty() {
            text.push_str(". ");
            text.push_str(more);
        }
    }
    let flows: Vec<Value> = warning
        .traces
        .iter()
        .filter(|trace| !trace.failure.trace.is_empty())
        .map(|trace| {
            let mut flow = code_flow(&trace.failure.trace);
            flow["message"] = json!({ "text": format!("from {}", trace.entry) });
            flow
        })
        .collect();
    let mut value = json!({
        "ruleId": rule,
        "ruleIndex": rules.index(&rule, &words),
        "level": "warning",
        "rank": rank(warning.confidence),
        "message": { "text": text },
        "locations": locations(first.and_then(|failure| failure.location.as_ref())),
        "partialFingerprints": { "lariat/v1": warning.id },
    });
    if !flows.is_empty() {
        value["codeFlows"] = json!(flows);
    }
    if let Some(refused) = &warning.refused {
        let text = format!("`{}` is refused: {}", refused.specification, refused.reason);
        if let Some(place) = &refused.location {
            let mut related = location(place);
            related["id"] = json!(0);
            related["message"] = json!({ "text": text });
            value["relatedLocations"] = json!([related]);
        }
        value["properties"] = json!({ "refused": refused.specification, "reason": refused.reason });
    }
    value
}

fn suppressed(alarm: &Suppressed, specification: &Specification, rules: &mut Rules) -> Value {
    let decided = match specification.status {
        SpecificationStatus::Inferred => "underReview",
        SpecificationStatus::Accepted | SpecificationStatus::Edited => "accepted",
        SpecificationStatus::Rejected => "rejected",
    };
    let words = "an alarm that a specification of the environment suppresses";
    json!({
        "ruleId": SUPPRESSED_RULE,
        "ruleIndex": rules.index(SUPPRESSED_RULE, words),
        "level": "warning",
        "message": { "text": format!("{} in {}", alarm.message, alarm.procedure) },
        "locations": locations(alarm.location.as_ref()),
        "suppressions": [{
            "kind": "external",
            "status": decided,
            "justification": format!("{} requires {}", specification.entry, specification.text),
            "properties": { "specification": specification.id },
        }],
    })
}

/// What a degree of confidence means.
fn words(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Inconsistent => "the code itself checks for what would exclude it",
        Confidence::Definite => "whatever the environment does",
        Confidence::NotExpressible => "no specification of the vocabulary excludes it",
        Confidence::Rejected => "the specification that would exclude it was rejected",
        Confidence::Demonic => "the environment can do anything",
    }
}

/// SARIF's measure of importance, up to 100.
fn rank(confidence: Confidence) -> u32 {
    match confidence {
        Confidence::Inconsistent => 95,
        Confidence::Definite => 90,
        Confidence::NotExpressible => 60,
        Confidence::Rejected => 50,
        Confidence::Demonic => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::assert_valid;
    use super::*;
    use crate::show::example;

    #[test]
    fn warnings_and_suppressed_alarms_are_results() {
        let log = log(&example::report());
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
            .filter(|result| result["ruleId"] == SUPPRESSED_RULE)
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
        let expected: usize = example::report()
            .specifications
            .iter()
            .filter(|it| it.is_assumed())
            .map(|it| it.suppresses.len())
            .sum();
        assert_eq!(suppressed.len(), expected);
    }

    #[test]
    fn what_is_incomplete_is_a_notification() {
        let log = log(&example::report());
        let notifications = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
        assert!(notifications.contains("Slow is incomplete: time limit of the entry reached"));
    }

    #[test]
    fn an_empty_report_is_sarif_too() {
        assert_valid(&log(&AngelicReport::default()));
    }
}
