//! What belongs to verdicts on C programs: harnesses, functions without body.

use std::fmt::Write;

use lariat_report::{External, HarnessOutcome};

use super::paint;
use crate::style;

/// Lines of a compiler's complaint that are shown.
const COMPLAINT_LINES: usize = 8;

/// What became of a harness.
pub fn show_harness(text: &mut String, harness: &HarnessOutcome) {
    let HarnessOutcome {
        path, how, output, ..
    } = harness;
    let label = match (harness.compiled, harness.reproduced) {
        (true, true) => paint(style::GOOD, "harness:"),
        _ => paint(style::WARNING, "harness:"),
    };
    let _ = match (harness.compiled, harness.reproduced) {
        (true, true) => writeln!(text, "  {label} {path} fails in the same way: {output}"),
        (true, false) => writeln!(text, "  {label} {path} does not fail in the same way: {output}"),
        (false, _) => writeln!(text, "  {label} {path} was not compiled: {how}"),
    };
    if harness.compiled {
        let _ = writeln!(text, "    {}", paint(style::DIM, &format!("compiled with {how}")));
    } else {
        for line in output.lines().take(COMPLAINT_LINES) {
            let _ = writeln!(text, "    {}", paint(style::DIM, line));
        }
    }
}

/// The functions whose effect was assumed, by effect.
pub fn show_externals(text: &mut String, externals: &[External]) {
    if externals.is_empty() {
        return;
    }
    text.push_str("functions without body:\n");
    let mut effects: Vec<&str> = Vec::new();
    for external in externals {
        if !effects.contains(&external.effect.as_str()) {
            effects.push(&external.effect);
        }
    }
    for effect in effects {
        let names: Vec<&str> = externals
            .iter()
            .filter(|external| external.effect == effect)
            .map(|external| external.name.as_str())
            .collect();
        let _ = writeln!(text, "  {}: {effect}", names.join(", "));
    }
}
