//! Whether a log is SARIF, by the schema of OASIS.
//!
//! The validator knows the keywords of JSON Schema (draft 7) that this schema has. It rejects what it cannot check, so
//! nothing passes unchecked.

use serde_json::{Map, Value};

/// See `tests/schemas/README.md` for where it comes from.
const SCHEMA: &str = include_str!("../../tests/schemas/sarif-2.1.0.json");

/// Fails with everything that the schema objects to.
pub fn assert_valid(log: &Value) {
    let objections = objections(log);
    assert!(objections.is_empty(), "{}\n{log:#}", objections.join("\n"));
}

fn objections(log: &Value) -> Vec<String> {
    objections_by(SCHEMA, log)
}

/// What a schema objects to.
pub fn objections_by(schema: &str, log: &Value) -> Vec<String> {
    let root: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let mut validator = Validator {
        root: &root,
        objections: Vec::new(),
    };
    validator.check(&root, log, "");
    validator.objections
}

struct Validator<'s> {
    root: &'s Value,
    objections: Vec<String>,
}

impl<'s> Validator<'s> {
    fn check(&mut self, schema: &'s Value, value: &Value, place: &str) {
        let empty = Map::new();
        let keywords = schema.as_object().expect("a schema is an object");
        let properties = keywords
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        for (keyword, argument) in keywords {
            let holds = match keyword.as_str() {
                "$ref" => {
                    let target = argument.as_str().and_then(|text| text.strip_prefix('#'));
                    let target = target.and_then(|pointer| self.root.pointer(pointer));
                    self.check(target.expect("the definition exists"), value, place);
                    true
                }
                "type" => is_of_type(value, argument.as_str().expect("one type")),
                "enum" => argument.as_array().expect("a list").contains(value),
                "required" => {
                    let names = argument.as_array().expect("a list").iter();
                    let mut names = names.filter_map(Value::as_str);
                    value
                        .as_object()
                        .is_none_or(|object| names.all(|name| object.contains_key(name)))
                }
                "properties" => {
                    for (name, schema) in argument.as_object().expect("properties") {
                        if let Some(value) = value.get(name) {
                            self.check(schema, value, &format!("{place}/{name}"));
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    let object = value.as_object().unwrap_or(&empty);
                    for (name, value) in object.iter().filter(|(name, _)| !properties.contains_key(*name)) {
                        let place = format!("{place}/{name}");
                        match argument {
                            Value::Bool(true) => {}
                            Value::Bool(false) => self.objections.push(format!("{place}: no such property")),
                            schema => self.check(schema, value, &place),
                        }
                    }
                    true
                }
                "items" => {
                    for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(argument, value, &format!("{place}/{index}"));
                    }
                    true
                }
                "minItems" => value
                    .as_array()
                    .is_none_or(|list| list.len() as u64 >= argument.as_u64().expect("a number")),
                "uniqueItems" => {
                    let list = value.as_array().map_or(&[][..], Vec::as_slice);
                    *argument == Value::Bool(false)
                        || (1..list.len()).all(|index| !list[..index].contains(&list[index]))
                }
                "minimum" => value.as_f64() >= argument.as_f64() || !value.is_number(),
                "maximum" => value.as_f64() <= argument.as_f64() || !value.is_number(),
                "anyOf" => self.alternatives(argument, value, place) > 0,
                "oneOf" => self.alternatives(argument, value, place) == 1,
                "format" => match argument.as_str() {
                    Some("uri") => value
                        .as_str()
                        .is_none_or(|text| text.contains(':') && is_uri(text)),
                    Some("uri-reference") => value.as_str().is_none_or(is_uri),
                    _ => false,
                },
                "$schema" | "$id" | "title" | "description" | "default" | "definitions" => true,
                // Such as `pattern`: our logs have nothing that it applies to.
                _ => false,
            };
            if !holds {
                self.objections.push(format!(
                    "{place}: `{keyword}` {argument} does not hold of {value}"
                ));
            }
        }
    }

    /// How many of the schemas a value satisfies.
    fn alternatives(&self, schemas: &'s Value, value: &Value, place: &str) -> usize {
        let schemas = schemas.as_array().expect("a list of schemas").iter();
        let satisfied = schemas.filter(|schema| {
            let mut validator = Validator {
                root: self.root,
                objections: Vec::new(),
            };
            validator.check(schema, value, place);
            validator.objections.is_empty()
        });
        satisfied.count()
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        _ => false,
    }
}

/// Only characters that a URI may have, each `%` with its digits.
fn is_uri(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let allowed = match byte {
            b'%' => (0..2).all(|_| bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit())),
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(&byte),
        };
        if !allowed {
            return false;
        }
    }
    true
}

#[test]
fn what_is_no_sarif_is_objected_to() {
    use serde_json::json;
    let log = |result: Value| {
        json!({
            "version": "2.1.0",
            "runs": [{ "tool": { "driver": { "name": "Lariat" } }, "results": [result] }],
        })
    };
    let good = json!({ "message": { "text": "it fails" }, "level": "warning", "rank": 50.5 });
    assert_valid(&log(good.clone()));
    for (name, value) in [
        ("level", json!("loud")),
        ("level", json!(3)),
        ("message", json!({})),
        ("rank", json!(101)),
        ("rank", json!(-2)),
        ("ruleIndex", json!(1.5)),
        ("ruleIndex", json!(-2)),
        ("colour", json!("red")),
        ("codeFlows", json!([{ "threadFlows": [] }])),
        ("suppressions", json!([{ "status": "accepted" }])),
        ("fixes", json!([{ "artifactChanges": [1] }])),
        ("hostedViewerUri", json!("a b")),
        ("guid", json!("not one, and not checked")),
        (
            "locations",
            json!([{ "physicalLocation": { "region": { "startLine": 0 } } }]),
        ),
        (
            "relatedLocations",
            json!([{ "message": { "text": "twice" } }, { "message": { "text": "twice" } }]),
        ),
    ] {
        let mut bad = good.clone();
        bad[name] = value;
        let told = objections(&log(bad.clone()));
        assert!(
            told.iter()
                .any(|told| told.starts_with(&format!("/runs/0/results/0/{name}"))),
            "{bad}: {told:?}"
        );
    }
    let mut no_message = good;
    no_message.as_object_mut().expect("an object").remove("message");
    assert_eq!(objections(&log(no_message)).len(), 1);
}
