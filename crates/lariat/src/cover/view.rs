//! The view of a report of `lariat cover`: how much is reached, a row for each function, and what is not reached.

use std::collections::BTreeMap;

use lariat_report::{CoverCounts, CoverFunction, CoverGoal, CoverGoalKind, CoverReport, CoverStatus};
use serde_json::json;

use crate::units;
use crate::verify::{add_assumptions, add_externals};
use crate::view::{
    Block, Column, Finding, Item, Line, List, Listing, Note, Obstacle, Span, Table, Tone, View, When,
};

pub fn view(report: &CoverReport) -> View<'_> {
    let counts = report.counts();
    let mut view = View {
        diagnostics: &report.diagnostics,
        warnings: &report.warnings,
        obstacles: report
            .unfinished
            .iter()
            .map(|reason| unfinished(reason))
            .collect(),
        findings: report.goals().filter_map(finding).collect(),
        properties: json!({
            "goals": counts.all,
            "reached": counts.reached,
            "dead": counts.dead,
            "bounded": counts.bounded,
            "unknown": counts.unknown,
        }),
        ..View::new("cover", &report.files, answer(report, counts), report)
    };
    let mut headline = Line::default();
    headline.spans.push(answer(report, counts));
    headline.spans.push(Span::new(Tone::Dim, report.files.join(" ")));
    view.show(When::Always, Block::Line(headline));
    if report.bad_input {
        return view;
    }
    view.add(Block::Table(table(&report.functions)));
    let open: Vec<Item> = report
        .functions
        .iter()
        .flat_map(|function| function.goals.iter().filter_map(|goal| item(function, goal)))
        .collect();
    if !open.is_empty() {
        view.add(Block::Gap);
        view.add(Block::List(List {
            title: "Not reached".to_owned(),
            items: open,
        }));
    }
    if counts.dead > 0 {
        add_assumptions(&mut view, &report.assumptions);
    }
    add_tests(&mut view, report);
    for listing in listings(report) {
        view.show(When::Verbose, Block::Listing(listing));
    }
    view.add(Block::Whole);
    add_externals(&mut view, &report.externals, When::Verbose);
    let stats = &report.stats;
    view.add(Block::Gap);
    view.add(Block::Line(Line::new(
        0,
        Tone::Dim,
        [
            units::count(stats.runs, "random execution"),
            units::count(stats.questions, "question"),
            units::count(stats.proofs, "proof attempt"),
            format!("{} inlined", stats.inlined),
            format!("{} in all", units::seconds(stats.total_seconds)),
        ]
        .join(" · "),
    )));
    view
}

/// The lines that the executions of a success reach: how many, the checks that none of them reaches, and the files.
pub fn add_coverage(view: &mut View<'_>, report: &CoverReport) {
    let counts = report.counts();
    let mut text = format!("{} of {} lines reached", counts.reached, counts.all);
    for (number, words) in [
        (counts.dead, "never reached"),
        (counts.bounded, "not reached within the bound"),
        (counts.unknown, "not decided"),
    ] {
        if number > 0 {
            text.push_str(&format!(", {number} {words}"));
        }
    }
    view.add(Block::Line(Line::labelled(0, Tone::Plain, "coverage", text)));
    let has_open_check = |goal: &&CoverGoal| goal.has_check && status(goal).is_some();
    let open: Vec<Item> = report
        .functions
        .iter()
        .flat_map(|function| {
            let open = function.goals.iter().filter(has_open_check);
            open.filter_map(|goal| item(function, goal))
        })
        .collect();
    if !open.is_empty() {
        view.add(Block::List(List {
            title: "lines with checks that no execution was seen to reach".to_owned(),
            items: open,
        }));
    }
    for listing in listings(report) {
        view.show(When::Verbose, Block::Listing(listing));
    }
}

fn unfinished(reason: &str) -> Obstacle<'static> {
    Obstacle {
        is_error: false,
        message: format!("the run ended early: {reason}"),
        location: None,
    }
}

/// Such as `5 of 8 goals reached, 2 dead, 1 bounded`.
fn answer(report: &CoverReport, counts: CoverCounts) -> Span {
    if report.bad_input {
        return Span::new(Tone::Bad, "bad-input");
    }
    let mut text = format!("{} of {} goals reached", counts.reached, counts.all);
    for (number, word) in [
        (counts.dead, "dead"),
        (counts.bounded, "bounded"),
        (counts.unknown, "unknown"),
    ] {
        if number > 0 {
            text.push_str(&format!(", {number} {word}"));
        }
    }
    let tone = match counts.is_decided() {
        true if counts.dead == 0 => Tone::Good,
        true => Tone::Bold,
        false => Tone::Warn,
    };
    Span::new(tone, text)
}

fn table(functions: &[CoverFunction]) -> Table {
    let row = |function: &CoverFunction| {
        let counts = function.counts();
        let place = function.location.as_ref();
        let mut row = vec![
            function.name.clone(),
            place.map_or(String::new(), |place| format!("{}:{}", place.file, place.line)),
        ];
        let numbers = [
            counts.all,
            counts.reached,
            counts.dead,
            counts.bounded,
            counts.unknown,
        ];
        row.extend(numbers.map(|number| number.to_string()));
        row
    };
    Table {
        indent: 2,
        columns: vec![
            Column::text("function", Tone::Plain),
            Column::text("place", Tone::Dim),
            Column::number("goals", Tone::Plain),
            Column::number("reached", Tone::Good),
            Column::number("dead", Tone::Plain),
            Column::number("bounded", Tone::Bounded),
            Column::number("unknown", Tone::Warn),
        ],
        rows: functions.iter().map(row).collect(),
    }
}

/// The goal in words.
fn words(goal: &CoverGoal) -> String {
    let text = goal.text.as_deref().unwrap_or_default();
    match (goal.kind, goal.side.as_deref()) {
        (CoverGoalKind::Function, _) => "its start".to_owned(),
        (CoverGoalKind::Branch, Some(side @ ("true" | "false"))) => format!("`{text}` is {side}"),
        (CoverGoalKind::Branch, Some(side)) => format!("`{side}` of `{text}`"),
        (CoverGoalKind::Branch, None) => format!("the branch to `{text}`"),
        (CoverGoalKind::Line, _) => format!("`{text}`"),
        (CoverGoalKind::Error, _) => format!("the failure of `{text}`"),
        (CoverGoalKind::Label, _) => format!("the label `{text}`"),
    }
}

/// What is said of a goal that is not reached.
fn status(goal: &CoverGoal) -> Option<(Span, &str)> {
    Some(match &goal.status {
        CoverStatus::Reached { .. } => return None,
        CoverStatus::Dead { reason } => (Span::new(Tone::Bold, "dead"), reason),
        CoverStatus::Bounded { bound } => (Span::new(Tone::Bounded, format!("bounded({bound})")), ""),
        CoverStatus::Unknown { reason } => (Span::new(Tone::Warn, "unknown"), reason),
        CoverStatus::Pending => (Span::new(Tone::Warn, "unknown"), ""),
    })
}

fn item(function: &CoverFunction, goal: &CoverGoal) -> Option<Item> {
    let (word, reason) = status(goal)?;
    let place = goal.location.as_ref().or(function.location.as_ref());
    let place = place.map_or(String::new(), |place| format!("{}:{}", place.file, place.line));
    let reason = match reason {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    Some(Item {
        spans: vec![
            Span::new(Tone::Place, place),
            word,
            Span::new(Tone::Plain, format!("{}, {}{reason}", function.name, words(goal))),
        ],
        ..Item::default()
    })
}

/// Dead code is what a tool may warn about.
fn finding(goal: &CoverGoal) -> Option<Finding<'_>> {
    let CoverStatus::Dead { reason } = &goal.status else {
        return None;
    };
    // That an assertion cannot fail is no finding.
    if goal.kind == CoverGoalKind::Error {
        return None;
    }
    let kind = lariat_report::FailureKind::Assertion;
    Some(Finding {
        rule: "dead-code".to_owned(),
        rule_text: "no execution reaches this".to_owned(),
        is_error: false,
        ..Finding::new(
            kind,
            format!("{} is never reached: {reason}", words(goal)),
            goal.location.as_ref(),
        )
    })
}

fn add_tests(view: &mut View<'_>, report: &CoverReport) {
    let tests = report
        .executions
        .iter()
        .filter(|execution| execution.test.is_some())
        .count();
    if tests > 0 {
        view.add(Block::Gap);
        view.add(Block::Line(Line::new(
            0,
            Tone::Plain,
            format!("{} written", units::count(tests as u64, "test")),
        )));
    }
    let Some(measured) = &report.measured else {
        return;
    };
    let percent = 100.0 * measured.taken as f64 / measured.branches.max(1) as f64;
    view.add(Block::Line(Line::new(
        0,
        Tone::Plain,
        format!(
            "gcov: {} of {} branches taken ({percent:.1} %) by {}; {} compared, {} missed, {} contradicted",
            measured.taken,
            measured.branches,
            units::count(measured.tests as u64, "test"),
            units::count(measured.compared as u64, "claim"),
            measured.missed.len(),
            measured.contradicted.len(),
        ),
    )));
    let wrong = measured.missed.iter().map(|place| format!("not taken: {place}"));
    let wrong = wrong.chain(
        measured
            .contradicted
            .iter()
            .map(|place| format!("not dead: {place}")),
    );
    for text in wrong.chain(measured.failed.iter().map(|failed| first_line(failed))) {
        view.add(Block::Line(Line::new(2, Tone::Warn, text)));
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// The files with what is known of their lines.
fn listings(report: &CoverReport) -> Vec<Listing> {
    let mut files: BTreeMap<&str, BTreeMap<u32, Vec<&CoverGoal>>> = BTreeMap::new();
    for goal in report.goals() {
        if let Some(place) = &goal.location {
            let lines = files.entry(&place.file).or_default();
            lines.entry(place.line).or_default().push(goal);
        }
    }
    files
        .into_iter()
        .map(|(file, lines)| Listing {
            file: file.to_owned(),
            notes: lines
                .into_iter()
                .map(|(line, goals)| (line, note(&goals)))
                .collect(),
        })
        .collect()
}

fn note(goals: &[&CoverGoal]) -> Note {
    let counts = CoverCounts::of(goals.iter().copied());
    let tone = if counts.unknown > 0 {
        Tone::Warn
    } else if counts.bounded > 0 {
        Tone::Bounded
    } else if counts.dead > 0 {
        Tone::Bad
    } else {
        Tone::Good
    };
    let open: Vec<String> = goals
        .iter()
        .filter_map(|goal| {
            let (word, reason) = status(goal)?;
            let reason = match reason {
                "" => String::new(),
                reason => format!(" ({reason})"),
            };
            Some(match goal.kind {
                // The line is there to read.
                CoverGoalKind::Line => format!("{}{reason}", word.text),
                _ => format!("{}: {}{reason}", words(goal), word.text),
            })
        })
        .collect();
    let text = match open.is_empty() {
        true => format!("{} of {} reached", counts.reached, counts.all),
        false => open.join("; "),
    };
    Note { tone, text }
}
