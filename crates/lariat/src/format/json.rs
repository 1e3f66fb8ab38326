//! The report itself, for programs. `report` says what the names mean.

use serde::Serialize;

use crate::view::View;

pub fn render(view: &View<'_>) -> Result<String, String> {
    line(view.data.to_json())
}

/// A value that is the whole output.
pub fn pretty(value: &impl Serialize) -> Result<String, String> {
    line(serde_json::to_string_pretty(value))
}

fn line(text: serde_json::Result<String>) -> Result<String, String> {
    match text {
        Ok(text) => Ok(text + "\n"),
        Err(error) => Err(format!("the result cannot be written as JSON: {error}")),
    }
}
