//! Whether a log is SARIF: OASIS's own schema decides.

use serde_json::Value;

/// See `tests/schemas/README.md` for where it comes from.
const SCHEMA: &str = include_str!("../../tests/schemas/sarif-2.1.0.json");

/// Fails with everything that the schema objects to.
pub fn assert_valid(log: &Value) {
    // The pattern of languages ends with a stray bracket, which only some dialects take for itself.
    let schema = SCHEMA.replace("{2}]?$", r"{2}\\]?$");
    assert_ne!(schema, SCHEMA, "the schema is correct now");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("the schema is one");
    let objections: Vec<String> = validator
        .iter_errors(log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(objections.is_empty(), "{}\n{log:#}", objections.join("\n"));
}

#[test]
#[should_panic(expected = "/runs/0")]
fn what_is_no_sarif_is_objected_to() {
    assert_valid(&serde_json::json!({
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": { "name": "Lariat" } }, "results": [{ "level": "loud" }] }],
    }));
}
