//! Reports in SARIF 2.1.0, for editors and services that show results of analyses.
//!
//! What can be wrong is a result with its trace as a code flow; diagnostics and warnings about the run are notifications.

pub mod angelic;
pub mod verify;

use lariat_report::{DiagnosticReport, Location, Severity, TraceLine, Warning};
use serde_json::{Value, json};

/// One run of Lariat.
struct Run<'r> {
    files: &'r [String],
    rules: Vec<Value>,
    results: Vec<Value>,
    /// It could be done.
    successful: bool,
    notifications: Vec<Value>,
    properties: Value,
}

impl Run<'_> {
    fn log(self) -> Value {
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
                        "rules": self.rules,
                    },
                },
                "artifacts": self.files.iter().map(artifact).collect::<Vec<_>>(),
                "invocations": [{
                    "executionSuccessful": self.successful,
                    "toolExecutionNotifications": self.notifications,
                }],
                "columnKind": "unicodeCodePoints",
                "results": self.results,
                "properties": self.properties,
            }],
        })
    }
}

/// What the user must know of the run.
fn notifications(diagnostics: &[DiagnosticReport], warnings: &[Warning]) -> Vec<Value> {
    let diagnostics = diagnostics.iter().map(|diagnostic| {
        let level = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let mut value = notification(level, &diagnostic.message, diagnostic.location.as_ref());
        value["descriptor"] = json!({ "id": diagnostic.code });
        value
    });
    let warnings = warnings
        .iter()
        .map(|warning| notification("warning", &warning.message, warning.location.as_ref()));
    diagnostics.chain(warnings).collect()
}

fn notification(level: &str, message: &str, place: Option<&Location>) -> Value {
    json!({
        "level": level,
        "message": { "text": message },
        "locations": locations(place),
    })
}

/// A failing execution.
fn code_flow(trace: &[TraceLine]) -> Value {
    let steps: Vec<Value> = trace.iter().map(flow_location).collect();
    json!({ "threadFlows": [{ "locations": steps }] })
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
    use super::uri;

    #[test]
    fn an_absolute_path_has_a_scheme() {
        assert_eq!(uri("/a/b.c"), "file:///a/b.c");
        assert_eq!(uri("b.c"), "b.c");
    }
}

/// The schema of SARIF, for tests.
#[cfg(test)]
mod schema;
