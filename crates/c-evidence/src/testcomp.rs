//! Test suites in the format of the International Competition on Software Testing.
//!
//! A suite is a folder: `metadata.xml` says of what and by whom, each `testcase-N.xml` lists the values that the functions
//! `__VERIFIER_nondet_…` return, in the order of their calls.

use std::fmt::Write;
use std::path::Path;
use std::time::SystemTime;

use lariat_report::{Input, Machine};
use sha2::{Digest, Sha256};

use crate::svcomp::utc_time;

/// What a suite is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Specification {
    /// Every branch is to be taken.
    Branches,
    /// An error function is to be called.
    ErrorCall,
}

impl Specification {
    fn text(self) -> &'static str {
        match self {
            Specification::Branches => "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            Specification::ErrorCall => "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )",
        }
    }
}

/// What `metadata.xml` tells.
pub struct Metadata<'a> {
    pub specification: Specification,
    pub program: &'a Path,
    /// Of the program.
    pub content: &'a [u8],
    pub entry: &'a str,
    pub machine: Machine,
    pub version: &'a str,
    pub time: SystemTime,
}

/// The text of `metadata.xml`.
pub fn metadata(metadata: &Metadata<'_>) -> String {
    let mut text = head("test-metadata");
    let architecture = match metadata.machine {
        Machine::Ilp32 => "32bit",
        Machine::Lp64 => "64bit",
    };
    let hash = Sha256::digest(metadata.content);
    let hash = hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (name, value) in [
        ("sourcecodelang", "C"),
        ("producer", &format!("Lariat {}", metadata.version)),
        ("specification", metadata.specification.text()),
        ("programfile", &metadata.program.display().to_string()),
        ("programhash", &hash),
        ("entryfunction", metadata.entry),
        ("architecture", architecture),
        ("creationtime", &utc_time(metadata.time)),
    ] {
        let _ = writeln!(text, "  <{name}>{}</{name}>", escape(value));
    }
    text.push_str("</test-metadata>\n");
    text
}

/// The text of a `testcase-N.xml`. Only what `__VERIFIER_nondet_…` functions return can be told.
pub fn test_case(inputs: &[Input]) -> String {
    let mut text = head("testcase");
    for input in inputs {
        let Some(kind) = input.function.strip_prefix("__VERIFIER_nondet_") else {
            continue;
        };
        let _ = writeln!(
            text,
            "  <input type=\"{}\">{}</input>",
            escape(kind),
            escape(&plain_number(&input.value))
        );
    }
    text.push_str("</testcase>\n");
    text
}

/// Whether a test case can tell all inputs.
pub fn tells_all(inputs: &[Input]) -> bool {
    inputs
        .iter()
        .all(|input| input.function.starts_with("__VERIFIER_nondet_"))
}

fn head(root: &str) -> String {
    let kind = root;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE {root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {kind} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{kind}-1.1.dtd\">\n<{root}>\n"
    )
}

/// The number that a constant of C is, as `scanf` and `strtod` read it: no suffix, cast, expression or built-in function.
fn plain_number(value: &str) -> String {
    if let Some(special) = ["nan", "inf"]
        .into_iter()
        .find(|special| value.contains(&format!("__builtin_{special}")))
    {
        let sign = if value.starts_with('-') { "-" } else { "" };
        return format!("{sign}{special}");
    }
    let value = value.strip_prefix("(void *)").unwrap_or(value);
    // The smallest number has no constant: it is written as `(-127 - 1)`.
    let (value, less) = match value
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(" - 1)"))
    {
        Some(next) => (next, 1),
        None => (value, 0),
    };
    let is_integer = !value.contains(['.', 'x', 'p']);
    let digits = match is_integer {
        true => value.trim_end_matches(['u', 'U', 'l', 'L']),
        false => value,
    };
    match digits.parse::<i128>() {
        Ok(number) => (number - less).to_string(),
        Err(_) => digits.to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(function: &str, value: &str) -> Input {
        Input {
            function: function.to_owned(),
            ty: "int".to_owned(),
            value: value.to_owned(),
            location: None,
            writes: Vec::new(),
        }
    }

    #[test]
    fn a_test_case_lists_what_functions_return() {
        let inputs = [
            input("__VERIFIER_nondet_int", "-3"),
            input("x", "7"),
            input("__VERIFIER_nondet_ulong", "4294967296UL"),
            input("__VERIFIER_nondet_double", "0x1.8p+1"),
            input("__VERIFIER_nondet_int", "(-2147483647 - 1)"),
            input("__VERIFIER_nondet_longlong", "(-9223372036854775807LL - 1)"),
            input("__VERIFIER_nondet_double", "__builtin_nan(\"\")"),
            input("__VERIFIER_nondet_float", "-__builtin_inf()"),
            input("__VERIFIER_nondet_pointer", "(void *)18446744073709551614"),
        ];
        let text = test_case(&inputs);
        let values: Vec<&str> = text.lines().filter(|line| line.contains("<input")).collect();
        assert_eq!(
            values,
            [
                "  <input type=\"int\">-3</input>",
                "  <input type=\"ulong\">4294967296</input>",
                "  <input type=\"double\">0x1.8p+1</input>",
                "  <input type=\"int\">-2147483648</input>",
                "  <input type=\"longlong\">-9223372036854775808</input>",
                "  <input type=\"double\">nan</input>",
                "  <input type=\"float\">-inf</input>",
                "  <input type=\"pointer\">18446744073709551614</input>",
            ]
        );
        assert!(!tells_all(&inputs), "a variable cannot be told");
    }

    #[test]
    fn metadata_cannot_become_markup() {
        let text = metadata(&Metadata {
            specification: Specification::Branches,
            program: Path::new("a<b>.c"),
            content: b"int main(void) { return 0; }",
            entry: "main",
            machine: Machine::Lp64,
            version: "1",
            time: SystemTime::UNIX_EPOCH,
        });
        assert!(text.contains("<programfile>a&lt;b&gt;.c</programfile>"), "{text}");
        assert!(text.contains("<creationtime>1970-01-01T00:00:00Z</creationtime>"));
        assert!(text.ends_with("</test-metadata>\n"));
    }
}
