//! Properties and witnesses of SV-COMP.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use lariat_c_evidence::svcomp::{Answer, Property, WitnessKind, WitnessTask, graphml, utc_time, yaml};
use lariat_report::{VerifyReport, VerifyRequest};

/// Reads a property file.
pub fn read_property(path: &Path) -> Result<Property, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Property::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The formats of witnesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessFormat {
    GraphMl,
    Yaml,
}

/// A file that a witness is written to; its extension selects the format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessPath {
    pub path: PathBuf,
    pub format: WitnessFormat,
}

impl WitnessPath {
    pub fn parse(text: &str) -> Result<WitnessPath, String> {
        let path = PathBuf::from(text);
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("graphml") => WitnessFormat::GraphMl,
            Some("yml" | "yaml") => WitnessFormat::Yaml,
            _ => {
                return Err(
                    "a witness file ends in `.graphml` (format 1.0) or `.yml` (format 2.0)".to_owned(),
                );
            }
        };
        Ok(WitnessPath { path, format })
    }

    /// The default files.
    pub fn usual() -> Vec<WitnessPath> {
        vec![
            WitnessPath {
                path: "witness.graphml".into(),
                format: WitnessFormat::GraphMl,
            },
            WitnessPath {
                path: "witness.yml".into(),
                format: WitnessFormat::Yaml,
            },
        ]
    }
}

/// Writes the witnesses of an answer; `UNKNOWN` has none.
pub fn write_witnesses(
    report: &VerifyReport,
    request: &VerifyRequest,
    property: &Property,
    paths: &[WitnessPath],
) -> Result<(), String> {
    let kind = match (property.answer(report), property.violation(report)) {
        (Answer::True, _) => WitnessKind::Correctness,
        (Answer::False(_), Some((_, failure))) => WitnessKind::Violation(failure),
        _ => return Ok(()),
    };
    let time = utc_time(SystemTime::now());
    let task = WitnessTask::read(
        kind,
        &request.files,
        &property.text,
        request.c.machine,
        &property.entry,
        env!("CARGO_PKG_VERSION"),
        &time,
    )
    .map_err(|error| format!("cannot read the program again for the witness: {error}"))?;
    for WitnessPath { path, format } in paths {
        let text = match format {
            WitnessFormat::GraphMl => graphml(&task),
            WitnessFormat::Yaml => yaml(&task),
        };
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}
