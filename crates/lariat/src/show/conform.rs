//! What `lariat conform` answers: one part for each question, with the figures of the tables of seed 004.

use std::fmt::Write;

use lariat_report::{
    ConformPart, ConformReason, ConformReport, ConformViolation, Location, TraceKind, TraceLine,
    UnknownCause, Verdict,
};

use super::{Options, chart, headline, paint, trace, wrapped};
use crate::{style, units};

pub fn answer(report: &ConformReport, options: &Options) -> String {
    let mut text = String::new();
    let files = report.files.join(" ");
    let several = report.specifications.len() > 1;
    for part in &report.specifications {
        show_part(&mut text, part, &files, options);
        if !options.quiet && (!several || options.verbose) {
            show_components(&mut text, part);
        }
    }
    let told = Verdict::overall(report.specifications.iter().map(|part| &part.verdict));
    // A run may have an answer of its own: bad input, a process that died.
    if told.as_ref() != Some(&report.verdict) {
        show_run(&mut text, report, &files);
    }
    if !options.quiet {
        if several {
            show_table(&mut text, &report.specifications);
        }
        let mut parts = vec![format!("{} in all", units::seconds(report.seconds))];
        if report.peak_memory_bytes > 0 {
            parts.push(units::bytes(report.peak_memory_bytes));
        }
        let _ = writeln!(text, "{}", paint(style::DIM, &parts.join(" · ")));
    }
    text
}

fn show_part(text: &mut String, part: &ConformPart, files: &str, options: &Options) {
    let place = match part.violation.as_ref().and_then(last_place) {
        Some(location) => location.to_string(),
        None => files.to_owned(),
    };
    headline(text, &part.verdict, &place, &claim(part));
    if options.quiet {
        return;
    }
    if let Some(violation) = &part.violation {
        show_violation(text, part, violation, options.width);
    }
    show_advice(text, &part.verdict);
}

/// What the verdict says, in words.
pub fn claim(part: &ConformPart) -> String {
    let name = match part.specification.as_str() {
        "" => "the specification",
        name => name,
    };
    match (&part.verdict, &part.violation) {
        (Verdict::Proved, _) => {
            let components = part.stats.components.iter().map(|stats| stats.component.as_str());
            let components: Vec<&str> = components.collect();
            format!("{name}: {} to it", conform(&components))
        }
        (Verdict::Unknown { reason, .. } | Verdict::BugUnconfirmed { reason }, _) => {
            format!("{name}: {reason}")
        }
        (_, Some(violation)) => wrong(name, violation),
        _ => name.to_owned(),
    }
}

fn conform(components: &[&str]) -> String {
    match components {
        [] => "the components conform".to_owned(),
        [one] => format!("{one} conforms"),
        [first @ .., last] => format!("{} and {last} together conform", first.join(", ")),
    }
}

/// What is wrong with the last step.
fn wrong(name: &str, violation: &ConformViolation) -> String {
    let Some(last) = violation.steps.last() else {
        return format!("{name}: it is in an ERROR state at the start");
    };
    let who = last.components.join(" and ");
    let own = last.action.rsplit('.').next().unwrap_or(&last.action);
    match (violation.reason, own) {
        (ConformReason::ErrorState, _) => format!("{name}: `{}` leads to an ERROR state", last.action),
        (_, "error") => format!("{name}: {who} can reach an error"),
        (_, "return{other}") => format!("{name}: {who} returns a value that it does not speak of"),
        _ => format!("{name} does not allow {who} to do `{}` here", last.action),
    }
}

/// Where the last step is taken in C.
fn last_place(violation: &ConformViolation) -> Option<&Location> {
    let last = violation.steps.last()?;
    let mut runs = violation.runs.iter();
    let run = runs.find(|run| last.components.contains(&run.component))?;
    run.trace.iter().rev().find_map(|line| line.location.as_ref())
}

fn show_violation(text: &mut String, part: &ConformPart, violation: &ConformViolation, width: usize) {
    let specification = match part.specification.as_str() {
        "" => "specification",
        name => name,
    };
    text.push('\n');
    chart::show(text, specification, violation, width);
    if violation.reason == ConformReason::Refused {
        let allowed = match violation.allowed.as_slice() {
            [] => format!("{specification} allows nothing more here"),
            allowed => format!("{specification} allows here: {}", allowed.join(", ")),
        };
        text.push('\n');
        for line in wrapped(&allowed, width.saturating_sub(2)) {
            let _ = writeln!(text, "  {}", paint(style::GOOD, &line));
        }
    }
    for run in &violation.runs {
        let _ = writeln!(text, "\n  {}", paint(style::BOLD, &run.component));
        let mut lines = run.trace.clone();
        number_actions(&mut lines, &run.component, violation);
        if lines.is_empty() {
            let _ = writeln!(text, "  {}", paint(style::DIM, "does nothing"));
        }
        trace::show(text, &fitting(lines, width), width);
    }
    text.push('\n');
}

/// Actions of a component's trace get the numbers that they have in the chart.
fn number_actions(lines: &mut [TraceLine], component: &str, violation: &ConformViolation) {
    let steps = violation.steps.iter().enumerate();
    let mut own = steps.filter(|(_, step)| step.components.iter().any(|other| other == component));
    for line in lines.iter_mut().filter(|line| line.location.is_none()) {
        if let Some((index, _)) = own.next() {
            line.text = format!("[{}] {}", index + 1, line.text);
        }
    }
}

/// Cuts statements that would leave no room for anything else.
fn fitting(mut lines: Vec<TraceLine>, width: usize) -> Vec<TraceLine> {
    let places = lines.iter().map(|line| trace::place(line).chars().count());
    let place_width = places.max().unwrap_or(0);
    for line in &mut lines {
        let indent = 2 * line.indent.min(trace::MAX_INDENT) as usize;
        let mark = if line.kind == TraceKind::Failure { 2 } else { 0 };
        let room = width.saturating_sub(4 + place_width + indent + mark).max(12);
        let own = trace::one_line(&line.text);
        if own.chars().count() > room {
            line.text = own.chars().take(room - 1).chain(['…']).collect();
        }
    }
    lines
}

fn show_run(text: &mut String, report: &ConformReport, files: &str) {
    let errors = report.diagnostics.iter();
    let errors = errors
        .filter(|one| one.severity == lariat_report::Severity::Error)
        .count() as u64;
    let claim = match &report.verdict {
        Verdict::BadInput => format!("{}, nothing was checked", units::count(errors, "error")),
        Verdict::Unknown { reason, .. } => reason.clone(),
        verdict => verdict.word().to_owned(),
    };
    headline(text, &report.verdict, files, &claim);
    show_advice(text, &report.verdict);
}

fn show_advice(text: &mut String, verdict: &Verdict) {
    let Verdict::Unknown { cause, .. } = verdict else {
        return;
    };
    let advice = match cause {
        UnknownCause::Time => "raise --time-limit, or try another --minimise",
        UnknownCause::Memory => "raise --memory-limit, or try --levels both",
        _ => return,
    };
    let _ = writeln!(text, "  {}", paint(style::DIM, advice));
}

/// How the components were abstracted, and the figures of the part.
fn show_components(text: &mut String, part: &ConformPart) {
    let stats = &part.stats;
    if stats.components.is_empty() {
        return;
    }
    let mut rows = vec![
        [
            "component",
            "locations",
            "expressions",
            "predicates",
            "branches in P",
            "MP states",
            "MA states",
        ]
        .map(str::to_owned),
    ];
    rows.extend(stats.components.iter().map(|one| {
        [
            one.component.clone(),
            one.control_states.to_string(),
            one.expressions.to_string(),
            one.predicates.to_string(),
            one.branches.to_string(),
            one.predicate_states.to_string(),
            one.action_states.to_string(),
        ]
    }));
    show_rows(text, &rows);
    let checks: u64 = stats.components.iter().map(|one| one.prover_checks).sum();
    let figures = [
        units::count(stats.states as u64, "state"),
        format!(
            "{} of predicates",
            units::count(stats.predicate_iterations as u64, "iteration")
        ),
        format!("{} of actions", stats.action_iterations),
        units::count(checks, "solver call"),
        units::seconds(stats.seconds),
    ];
    let _ = writeln!(text, "  {}", paint(style::DIM, &figures.join(" · ")));
}

/// The table of seed 004: final states, branches in P, iterations of predicates and of actions, time.
fn show_table(text: &mut String, parts: &[ConformPart]) {
    let mut rows =
        vec![["specification", "verdict", "states", "|P|", "PIt", "LIt", "time"].map(str::to_owned)];
    rows.extend(parts.iter().map(|part| {
        let stats = &part.stats;
        let branches: usize = stats.components.iter().map(|one| one.branches).sum();
        [
            trace::one_line(&part.specification),
            part.verdict.word().to_owned(),
            stats.states.to_string(),
            branches.to_string(),
            stats.predicate_iterations.to_string(),
            stats.action_iterations.to_string(),
            units::seconds(stats.seconds),
        ]
    }));
    text.push('\n');
    show_rows(text, &rows);
}

/// Columns of figures; the first is text and the first row a heading.
fn show_rows<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let widths: [usize; N] = std::array::from_fn(|column| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    });
    for (index, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(widths).enumerate();
        let line: Vec<String> = cells
            .map(|(column, (cell, width))| match column {
                0 => format!("{cell:width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        let line = line.join("  ");
        let line = if index == 0 {
            paint(style::DIM, &line)
        } else {
            line
        };
        let _ = writeln!(text, "  {line}");
    }
}
