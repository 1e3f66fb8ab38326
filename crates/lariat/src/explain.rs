//! `lariat explain`: shows a saved result again, without verifying.

use std::path::{Path, PathBuf};

use clap::Args;
use lariat_report::{AngelicReport, ConformReport, CoverReport, SCHEMA_VERSION, VerifyReport};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::Arguments;
use crate::command::{self, OutputArguments};
use crate::exit::ExitCode;
use crate::view::View;
use crate::{angelic, conform, cover, say, verify};

#[derive(Args, Debug)]
pub struct ExplainArguments {
    /// A result that was written with `--output-format json`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub output: OutputArguments,
}

/// A result of one of the commands.
pub enum Saved {
    Verify(Box<VerifyReport>),
    Angelic(Box<AngelicReport>),
    Conform(Box<ConformReport>),
    Cover(Box<CoverReport>),
}

impl Saved {
    pub fn view(&self) -> View<'_> {
        match self {
            Saved::Verify(report) => verify::view(report),
            Saved::Angelic(report) => angelic::saved_view(report),
            Saved::Conform(report) => conform::view(report),
            Saved::Cover(report) => cover::view(report),
        }
    }

    /// The exit code of the run.
    fn exit_code(&self) -> ExitCode {
        match self {
            Saved::Verify(report) => ExitCode::of_verdict(&report.verdict, false),
            Saved::Angelic(report) => ExitCode::of_angelic(report),
            Saved::Conform(report) => ExitCode::of_verdict(&report.verdict, false),
            Saved::Cover(report) => ExitCode::of_cover(report),
        }
    }

    pub fn to_json(&self) -> Result<Value, String> {
        let value = match self {
            Saved::Verify(report) => serde_json::to_value(report),
            Saved::Angelic(report) => serde_json::to_value(report),
            Saved::Conform(report) => serde_json::to_value(report),
            Saved::Cover(report) => serde_json::to_value(report),
        };
        value.map_err(|error| format!("the result cannot be written as JSON: {error}"))
    }

    pub fn read(path: &Path) -> Result<Self, String> {
        let problem = |what: String| format!("{} {what}", path.display());
        let text =
            std::fs::read_to_string(path).map_err(|error| problem(format!("cannot be read: {error}")))?;
        let value: Value =
            serde_json::from_str(&text).map_err(|error| problem(format!("is no JSON: {error}")))?;
        match value["schema_version"].as_u64() {
            Some(version) if version == u64::from(SCHEMA_VERSION) => {}
            Some(version) => {
                let known = format!("has version {version}; this Lariat reads version {SCHEMA_VERSION}");
                return Err(problem(known));
            }
            None => {
                return Err(problem(
                    "is no result of Lariat: it has no `schema_version`".to_owned(),
                ));
            }
        }
        // Each command has a field that no other has.
        let has = |field: &str| value.get(field).is_some();
        if has("engine") {
            parse(value).map(Saved::Verify).map_err(problem)
        } else if has("procedures") {
            parse(value).map(Saved::Angelic).map_err(problem)
        } else if has("specifications") {
            parse(value).map(Saved::Conform).map_err(problem)
        } else if has("executions") {
            parse(value).map(Saved::Cover).map_err(problem)
        } else {
            Err(problem(
                "is no result of `verify`, `angelic`, `conform` or `cover`".to_owned(),
            ))
        }
    }
}

fn parse<R: DeserializeOwned>(value: Value) -> Result<Box<R>, String> {
    serde_json::from_value(value)
        .map(Box::new)
        .map_err(|error| format!("is no complete result: {error}"))
}

/// The exit code is that of the run which made the result.
pub fn run(arguments: &ExplainArguments, common: &Arguments) -> ExitCode {
    let shown = Saved::read(&arguments.file).and_then(|saved| {
        let shown = command::show(saved.view(), &arguments.output, common, None)?;
        Ok(shown.exit_code(saved.exit_code()))
    });
    shown.unwrap_or_else(|message| say::usage_error(&message))
}
