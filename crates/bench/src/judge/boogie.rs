//! Rows of modular verification: the numbers and the lines of Boogie.
//!
//! Right: as many bodies verified, as many errors, and the same messages at the same places. Wrong: more bodies verified,
//! or a file accepted that Boogie reports nothing but errors of: something was proved that Boogie does not prove. Every
//! other difference is unsolved.

use std::fs;
use std::path::Path;

use lariat_report::{BoogieReport, BoogieRequest};
use serde::Deserialize;

use crate::judge::Judgement;
use crate::manifest::Row;

/// What Boogie says about a file.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct BoogieDetail {
    #[serde(default)]
    pub flags: String,
    pub verified: usize,
    pub errors: usize,
    /// Where there are fewer than errors, the others are not known.
    #[serde(default)]
    pub messages: Vec<String>,
}

impl BoogieDetail {
    /// The flags of the row, or those of the file's own `// RUN:` line, as Boogie's tests have it.
    pub fn request(&self, file: &Path) -> BoogieRequest {
        let text = fs::read(file).unwrap_or_default();
        let own = run_line(&String::from_utf8_lossy(&text));
        let mut arguments = match own.is_empty() {
            true => self.flags.split_whitespace().map(str::to_owned).collect(),
            false => own,
        };
        arguments.push(file.display().to_string());
        BoogieRequest {
            arguments,
            jobs: Some(1),
            cache: None,
        }
    }
}

/// The flags of the first line `// RUN: %boogie …`.
fn run_line(text: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| {
        let command = line
            .trim()
            .strip_prefix("//")?
            .trim()
            .strip_prefix("RUN:")?
            .trim();
        let command = command.strip_prefix('%')?;
        let command = command.strip_prefix("parallel-").unwrap_or(command);
        command.strip_prefix("boogie")
    });
    let words = line.unwrap_or_default().split_whitespace();
    words
        .map(|word| word.trim_matches('"'))
        .take_while(|word| !word.starts_with('>'))
        .filter(|word| word.starts_with(['-', '/']) && !word.contains('%'))
        .map(str::to_owned)
        .collect()
}

/// What a report is worth, and how it differs from what Boogie says.
pub fn judge_boogie(row: &Row, report: &BoogieReport) -> (Judgement, Option<String>) {
    let Some(expected) = row.boogie_detail() else {
        return (
            Judgement::Unsolved,
            Some("the row does not say what Boogie says".to_owned()),
        );
    };
    if let Some(reason) = &report.unfinished {
        return (Judgement::Unsolved, Some(reason.clone()));
    }
    let counts = &report.counts;
    let mut differs = Vec::new();
    if (counts.verified, counts.errors) != (expected.verified, expected.errors) {
        differs.push(format!(
            "{} verified, {} errors instead of {}, {}",
            counts.verified, counts.errors, expected.verified, expected.errors
        ));
    }
    let mut found: Vec<String> = report.lines.iter().filter_map(|line| message(line)).collect();
    let mut missing = Vec::new();
    for wanted in &expected.messages {
        match found.iter().position(|line| line == wanted) {
            Some(position) => {
                found.swap_remove(position);
            }
            None => missing.push(wanted.clone()),
        }
    }
    if let Some(first) = missing.first() {
        differs.push(format!("not reported: {first}"));
    }
    if let Some(first) = found
        .first()
        .filter(|_| expected.messages.len() == expected.errors)
    {
        differs.push(format!("reported: {first}"));
    }
    let judgement = match differs.is_empty() {
        true => Judgement::Right,
        false if counts.verified > expected.verified => Judgement::Wrong,
        false => Judgement::Unsolved,
    };
    (judgement, (!differs.is_empty()).then(|| differs.join("; ")))
}

/// An error line with the name of its file alone.
fn message(line: &str) -> Option<String> {
    let (place, _) = line.split_once(": Error: ")?;
    if !place.ends_with(')') {
        return None;
    }
    let start = place.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
    Some(line[start..].to_owned())
}

#[cfg(test)]
mod tests {
    use lariat_report::BoogieCounts;

    use super::*;

    fn row(verified: usize, errors: usize, messages: &[&str]) -> Row {
        let detail =
            serde_json::json!({"flags": "", "verified": verified, "errors": errors, "messages": messages});
        let row = serde_json::json!({"file": "a.bpl", "expect": "bug", "detail": detail});
        serde_json::from_value(row).expect("a row")
    }

    fn report(verified: usize, lines: &[&str]) -> BoogieReport {
        BoogieReport {
            lines: lines.iter().map(|line| line.to_string()).collect(),
            counts: BoogieCounts {
                verified,
                errors: lines.len(),
                ..BoogieCounts::default()
            },
            ..BoogieReport::default()
        }
    }

    #[test]
    fn numbers_and_lines_must_agree() {
        let row = row(1, 1, &["a.bpl(3,1): Error: no"]);
        let judged = |report: &BoogieReport| judge_boogie(&row, report).0;
        assert_eq!(judged(&report(1, &["x/a.bpl(3,1): Error: no"])), Judgement::Right);
        assert_eq!(
            judged(&report(1, &["x/a.bpl(4,1): Error: no"])),
            Judgement::Unsolved
        );
        assert_eq!(judged(&report(2, &[])), Judgement::Wrong);
        assert_eq!(
            judged(&report(0, &["a.bpl(3,1): Error: no", "a.bpl(9,1): Error: no"])),
            Judgement::Unsolved
        );
    }

    #[test]
    fn a_file_says_its_own_flags() {
        let text = "// RUN: %parallel-boogie \"-proc:*Bar\" /errorTrace:0 \"%s\" > \"%t\"\nprocedure P();";
        assert_eq!(run_line(text), ["-proc:*Bar", "/errorTrace:0"]);
        assert!(run_line("procedure P();").is_empty());
    }
}
