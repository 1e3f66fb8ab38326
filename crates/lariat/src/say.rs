//! Short messages on standard error, and results for programs.

use crate::exit::ExitCode;
use crate::style;

/// What the user has to change.
pub fn error(message: &str) {
    let label = style::ERROR;
    anstream::eprintln!("{label}error{label:#}: {message}");
}

/// An error in the arguments, with its exit code.
pub fn usage_error(message: &str) -> ExitCode {
    error(message);
    ExitCode::BadInput
}

pub fn warning(message: &str) {
    let label = style::WARNING;
    anstream::eprintln!("{label}warning{label:#}: {message}");
}

/// A result for programs, with the end of its last line.
pub fn json(value: &impl serde::Serialize) -> Option<String> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => Some(text + "\n"),
        Err(error) => {
            warning(&format!("the report cannot be written as JSON: {error}"));
            None
        }
    }
}
