//! What identifies a finding from run to run, whatever moves around it.
//!
//! A fingerprint is made of the rule, the file, the text of the line and the message, not of the number of the line. Equal findings
//! are counted, so that a second one of the same kind is new.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::source::Sources;
use crate::view::Finding;

/// The name of ours among the fingerprints of a SARIF result.
pub const KEY: &str = "lariat/v1";

/// One for each finding, in their order.
pub fn fingerprints(findings: &[Finding<'_>]) -> Vec<String> {
    let mut sources = Sources::default();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    findings
        .iter()
        .map(|finding| {
            let hash = fingerprint(finding, &mut sources);
            let count = seen.entry(hash.clone()).or_default();
            *count += 1;
            format!("{hash}:{count}")
        })
        .collect()
}

fn fingerprint(finding: &Finding<'_>, sources: &mut Sources) -> String {
    let mut hash = Fnv::default();
    hash.add(&finding.rule);
    if let Some(known) = finding.fingerprint {
        hash.add(known);
        return hash.digits();
    }
    hash.add(&finding.message);
    if let Some(place) = finding.location {
        let path = Path::new(&place.file);
        match path.is_relative() {
            true => hash.add(&place.file),
            // The same in another checkout.
            false => hash.add(&path.file_name().unwrap_or_default().to_string_lossy()),
        }
        for (_, line) in sources.lines_around(place, 0) {
            hash.add(line.trim());
        }
    }
    hash.digits()
}

/// The fingerprints of the results of a SARIF file.
pub fn of_sarif(path: &Path) -> Result<BTreeSet<String>, String> {
    let problem = |what: String| format!("the baseline {} {what}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| problem(format!("cannot be read: {error}")))?;
    let log: Value = serde_json::from_str(&text).map_err(|error| problem(format!("is no JSON: {error}")))?;
    let Some(runs) = log["runs"].as_array() else {
        return Err(problem("is no SARIF: it has no `runs`".to_owned()));
    };
    let results = runs
        .iter()
        .flat_map(|run| run["results"].as_array().into_iter().flatten());
    let fingerprint = |result: &Value| {
        let text = result["partialFingerprints"][KEY].as_str();
        text.map(str::to_owned)
    };
    Ok(results.filter_map(fingerprint).collect())
}

/// Fowler, Noll and Vo's hash of 64 bits, with an end of each part.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn digits(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use lariat_report::{FailureKind, Location};

    use super::*;

    #[test]
    fn a_finding_is_known_again_when_its_line_moves() {
        let path = std::env::temp_dir().join(format!("lariat-fingerprint-{}.c", std::process::id()));
        let find = |text: &str, lines: &[u32]| {
            std::fs::write(&path, text).expect("written");
            let places: Vec<Location> = lines
                .iter()
                .map(|&line| Location {
                    file: path.display().to_string(),
                    line,
                    column: 1,
                })
                .collect();
            let findings: Vec<Finding<'_>> = places
                .iter()
                .map(|place| Finding::new(FailureKind::Leak, "it leaks".to_owned(), Some(place)))
                .collect();
            fingerprints(&findings)
        };
        let before = find("a;\nb;\n", &[2, 2]);
        let after = find("a;\n// more\n\n  b;\n", &[4, 1]);
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(before[0], after[0]);
        assert_ne!(before[0], before[1], "equal findings are counted");
        assert_ne!(before[0], after[1], "another line is another finding");
    }
}
