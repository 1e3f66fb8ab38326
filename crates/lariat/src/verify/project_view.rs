//! The view of a report on a whole project: each failure once, then a line for each entry.

use std::collections::BTreeMap;
use std::path::Path;

use lariat_report::{Failure, ProjectEntry, ProjectPart, ProjectReport, Verdict};
use serde_json::json;

use super::view::{add_failure, finding};
use crate::units;
use crate::view::{Block, Column, Headline, Line, Obstacle, Span, Table, Tone, View, When, verdict_word};

pub fn view<'r>(report: &'r ProjectReport, state: Option<&Path>) -> View<'r> {
    let mut view = View {
        diagnostics: &report.diagnostics,
        warnings: &report.warnings,
        obstacles: obstacles(report),
        properties: json!({
            "verdict": report.verdict.to_string(),
            "entries": report.entries.iter().map(entry_properties).collect::<Vec<_>>(),
            "missing": report.missing,
        }),
        ..View::new("verify", &report.files, Span::of_verdict(&report.verdict), report)
    };
    for (failure, entries) in failures(report) {
        let [first, others @ ..] = entries.as_slice() else {
            continue;
        };
        let names: Vec<&str> = entries.iter().map(|entry| entry.entry.as_str()).collect();
        let mut found = finding(failure);
        found.properties = json!({ "entries": names });
        view.findings.push(found);
        for entry in &first.report.entries {
            if entry.failures.iter().any(|other| std::ptr::eq(other, failure)) {
                add_failure(&mut view, entry, failure);
            }
        }
        if !others.is_empty() {
            let names: Vec<String> = others.iter().map(|entry| entry.entry.clone()).collect();
            let text = format!("also from {}", names.join(", "));
            view.add(Block::Line(Line::new(2, Tone::Dim, text)));
            view.add(Block::Gap);
        }
    }
    if report.entries.is_empty() {
        add_nothing(&mut view, report);
    }
    view.add(Block::Whole);
    view.show(When::Always, Block::Table(table(report)));
    if !report.missing.is_empty() {
        let text = format!(
            "{} not verified: --resume goes on from here",
            units::count_of(report.missing.len() as u64, "entry", "entries")
        );
        view.show(When::Always, Block::Line(Line::new(0, Tone::Warn, text)));
    }
    if !report.unreadable.is_empty() {
        let text = format!("not read: {}", report.unreadable.join(", "));
        view.show(When::Always, Block::Line(Line::new(0, Tone::Warn, text)));
    }
    view.show(
        When::Always,
        Block::Line(Line::new(0, Tone::Dim, summary(report).join(" · "))),
    );
    if let Some(state) = state {
        let text = format!("verdicts in {}", state.display());
        view.add(Block::Line(Line::new(0, Tone::Dim, text)));
    }
    view
}

/// Each failure once, with the entries that come to it.
fn failures(report: &ProjectReport) -> Vec<(&Failure, Vec<&ProjectEntry>)> {
    let mut numbers: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut found: Vec<(&Failure, Vec<&ProjectEntry>)> = Vec::new();
    for entry in &report.entries {
        for failure in entry.report.failures() {
            let place = failure.location.as_ref();
            let place = place.map_or_else(|| entry.entry.clone(), ToString::to_string);
            let number = *numbers.entry((place, &failure.message)).or_insert_with(|| {
                found.push((failure, Vec::new()));
                found.len() - 1
            });
            // Of several executions one that was replayed is shown.
            if failure.confirmed && !found[number].0.confirmed {
                found[number].0 = failure;
                found[number].1.insert(0, entry);
            } else {
                found[number].1.push(entry);
            }
        }
    }
    for (_, entries) in &mut found {
        entries.dedup_by(|a, b| std::ptr::eq(*a, *b));
    }
    found
}

fn obstacles(report: &ProjectReport) -> Vec<Obstacle<'_>> {
    let unreadable = report.unreadable.iter().map(|file| Obstacle {
        is_error: true,
        message: format!("{file} was not read"),
        location: None,
    });
    let missing = report.missing.iter().map(|entry| Obstacle {
        is_error: true,
        message: format!("{entry} was not verified"),
        location: None,
    });
    let undecided = report.entries.iter().filter_map(|entry| {
        let message = match &entry.report.verdict {
            Verdict::Unknown { reason, .. } => reason.clone(),
            Verdict::BadInput => bad_input(entry),
            _ => return None,
        };
        Some(Obstacle {
            is_error: entry.report.verdict == Verdict::BadInput,
            message: format!("{}: {}: {message}", entry.file, entry.entry),
            location: None,
        })
    });
    unreadable.chain(missing).chain(undecided).collect()
}

fn bad_input(entry: &ProjectEntry) -> String {
    let first = entry.report.errors().next();
    first.map_or_else(
        || "it cannot be checked".to_owned(),
        |error| error.message.clone(),
    )
}

fn entry_properties(entry: &ProjectEntry) -> serde_json::Value {
    json!({
        "entry": entry.entry,
        "file": entry.file,
        "verdict": entry.report.verdict.to_string(),
        "seconds": entry.report.stats.total_seconds,
    })
}

fn add_nothing(view: &mut View<'_>, report: &ProjectReport) {
    let message = match &report.verdict {
        Verdict::Unknown { reason, .. } => reason.clone(),
        _ => "nothing was verified".to_owned(),
    };
    view.show(
        When::Always,
        Block::Headline(Headline {
            verdict: report.verdict.clone(),
            subject: units::count(report.files.len() as u64, "file"),
            message,
            id: None,
            location: None,
        }),
    );
}

fn table(report: &ProjectReport) -> Table {
    Table {
        indent: 0,
        columns: vec![
            Column::text("verdict", Tone::Bold),
            Column::text("entry", Tone::Plain),
            Column::text("file", Tone::Place),
            Column::number("time", Tone::Plain),
            Column::text("remark", Tone::Dim),
        ],
        rows: report.entries.iter().map(row).collect(),
    }
}

fn row(entry: &ProjectEntry) -> Vec<String> {
    let stats = &entry.report.stats;
    vec![
        verdict_word(&entry.report.verdict),
        entry.entry.clone(),
        entry.file.clone(),
        units::seconds(stats.total_seconds),
        remark(entry),
    ]
}

/// One entry while others still run.
pub fn row_line(entry: &ProjectEntry) -> String {
    let mut line = row(entry).join("  ").trim_end().to_owned();
    line.push('\n');
    line
}

fn remark(entry: &ProjectEntry) -> String {
    let report = &entry.report;
    let mut parts = Vec::new();
    match &report.verdict {
        Verdict::Unknown { reason, .. } => parts.push(reason.clone()),
        Verdict::BadInput => parts.push(bad_input(entry)),
        _ => {}
    }
    if let Some(failure) = report.failures().next() {
        let place = failure.location.as_ref().map(|place| format!("{place} "));
        parts.push(format!("{}{}", place.unwrap_or_default(), failure.message));
    }
    if entry.reused {
        parts.push("from an earlier run".to_owned());
    }
    parts.join("; ")
}

fn summary(report: &ProjectReport) -> Vec<String> {
    let of_part = |part| report.entries.iter().filter(|entry| entry.part == part).count() as u64;
    let mut parts = vec![format!(
        "{}, {}",
        units::count(of_part(ProjectPart::Program), "program"),
        units::count_of(of_part(ProjectPart::Library), "library entry", "library entries"),
    )];
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for entry in &report.entries {
        let word = entry.report.verdict.word();
        match counts.iter_mut().find(|(other, _)| *other == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    parts.extend(counts.iter().map(|(word, count)| format!("{count} {word}")));
    let reused = report.entries.iter().filter(|entry| entry.reused).count();
    if reused > 0 {
        parts.push(format!("{reused} from an earlier run"));
    }
    parts.push(format!("{} in all", units::seconds(report.seconds)));
    parts
}
