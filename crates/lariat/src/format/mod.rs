//! Output formats: one file each, all working on the same [`View`] of a report.
//!
//! To add one, write its file and add its variant here, with its arm in [`OutputFormat::render`].

pub mod fingerprint;
pub mod html;
pub mod json;
pub mod sarif;
#[cfg(test)]
mod schema;
mod source;
pub mod text;

use clap::ValueEnum;

use crate::view::View;

/// The form of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OutputFormat {
    /// For people, on a terminal
    Text,
    /// For programs: one object with stable names
    Json,
    /// For editors and services: SARIF 2.1.0
    Sarif,
    /// For people, as a page that needs no network
    Html,
}

impl OutputFormat {
    /// The whole result in this format. `options` are for text.
    pub fn render(self, view: &View<'_>, options: &text::Options) -> Result<String, String> {
        match self {
            OutputFormat::Text => Ok(text::render(view, options)),
            OutputFormat::Json => json::render(view),
            OutputFormat::Sarif => sarif::render(view),
            OutputFormat::Html => Ok(html::render(view)),
        }
    }
}
