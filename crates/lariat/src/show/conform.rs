//! What `lariat conform` answers: one part for each question, with the figures of the tables of [Magic04].

use std::fmt::Write;

use lariat_report::{
    ComponentRun, ConformAsked, ConformExpectation, ConformPart, ConformReason, ConformReport,
    ConformViolation, Location, StuckComponent, TraceKind, TraceLine, UnknownCause, Verdict,
};

use super::{Options, chart, headline, paint, trace, wrapped};
use crate::{style, units};

pub fn answer(report: &ConformReport, options: &Options) -> String {
    let mut text = String::new();
    let files = report.files.join(" ");
    let several = report.specifications.len() > 1;
    let (asked, open): (Vec<&ConformPart>, Vec<&ConformPart>) =
        report.specifications.iter().partition(|part| !is_open(part));
    for part in &asked {
        show_part(&mut text, part, &files, options);
        let figures = options.verbose || (!several && part.verdict == Verdict::Proved);
        if !options.quiet && figures {
            show_components(&mut text, part);
        }
    }
    show_open(&mut text, &open, &files, options.width);
    let told = Verdict::overall(report.specifications.iter().map(|part| &part.verdict));
    // A run may have an answer of its own: bad input, a process that died.
    if told.as_ref() != Some(&report.verdict) {
        show_run(&mut text, report, &files);
    }
    if !options.quiet {
        if several {
            show_table(&mut text, &asked);
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
    headline_within(text, &part.verdict, &place, &claim(part), options.width);
    if options.quiet {
        return;
    }
    if let (Verdict::BugUnconfirmed { reason }, Some(_)) = (&part.verdict, &part.violation) {
        let _ = writeln!(text, "  {} {reason}", paint(style::WARNING, "not confirmed:"));
    }
    let is_decided = !matches!(part.verdict, Verdict::Unknown { .. });
    if is_decided && part.meets_expectation() == Some(false) {
        let expected = match part.expect {
            Some(ConformExpectation::Violates) => "violates",
            _ => "conforms",
        };
        let _ = writeln!(
            text,
            "  {} that it {expected}",
            paint(style::WARNING, "the project expects")
        );
    }
    if let Some(violation) = &part.violation {
        show_violation(text, part, violation, options.width);
    }
    show_advice(text, &part.verdict);
}

/// Time or memory was over before anything was done for it.
fn is_open(part: &ConformPart) -> bool {
    matches!(part.verdict, Verdict::Unknown { .. }) && part.stats.predicate_iterations == 0
}

/// What was not looked at is told together.
fn show_open(text: &mut String, open: &[&ConformPart], files: &str, width: usize) {
    let Some(first) = open.first() else {
        return;
    };
    let reason = match &first.verdict {
        Verdict::Unknown { reason, .. } => reason.as_str(),
        verdict => verdict.word(),
    };
    let names: Vec<&str> = open.iter().map(|part| name(part)).collect();
    headline_within(
        text,
        &first.verdict,
        files,
        &format!("{}: {reason}", names.join(", ")),
        width,
    );
}

/// The headline, on several lines if one is too short for it.
fn headline_within(text: &mut String, verdict: &Verdict, place: &str, message: &str, width: usize) {
    let columns = [verdict.word(), place, message].map(|part| part.chars().count());
    if columns.iter().sum::<usize>() + 4 <= width {
        return headline(text, verdict, place, message);
    }
    headline(text, verdict, place, "");
    text.truncate(text.trim_end().len());
    text.push('\n');
    for line in wrapped(message, width.saturating_sub(2)) {
        let _ = writeln!(text, "  {line}");
    }
}

/// The name of the specification, or a word for it.
pub fn name(part: &ConformPart) -> &str {
    match part.specification.as_str() {
        "" => "the specification",
        name => name,
    }
}

/// What the verdict says, in words.
pub fn claim(part: &ConformPart) -> String {
    let name = name(part);
    match (&part.verdict, &part.violation, part.asked) {
        (Verdict::Unknown { reason, .. }, ..) | (Verdict::BugUnconfirmed { reason }, None, _) => {
            match part.asked {
                ConformAsked::TraceInclusion => format!("{name}: {reason}"),
                ConformAsked::DeadlockFreedom => format!("deadlock: {reason}"),
                ConformAsked::Reachability => reason.clone(),
            }
        }
        (Verdict::Proved, _, ConformAsked::TraceInclusion) => {
            format!("{name}: {} to it", conform(&components(part)))
        }
        (Verdict::Proved, _, ConformAsked::DeadlockFreedom) => {
            format!("{} cannot get stuck", components(part).join(" and "))
        }
        (Verdict::Proved, _, ConformAsked::Reachability) => {
            format!(
                "{} cannot reach {}",
                components(part).join(" and "),
                failure(part)
            )
        }
        (_, Some(violation), ConformAsked::TraceInclusion) => wrong(name, violation),
        (_, Some(_), ConformAsked::DeadlockFreedom) => {
            format!("{} can get stuck", components(part).join(" and "))
        }
        (_, Some(_), ConformAsked::Reachability) => {
            format!("{} can reach {}", components(part).join(" and "), failure(part))
        }
        _ => name.to_owned(),
    }
}

fn components(part: &ConformPart) -> Vec<&str> {
    let components = part.stats.components.iter();
    components.map(|stats| stats.component.as_str()).collect()
}

/// What a program must never reach: the specification is `never …`.
fn failure(part: &ConformPart) -> &str {
    part.specification.strip_prefix("never ").unwrap_or("an error")
}

fn conform(components: &[&str]) -> String {
    match components {
        [] => "the components conform".to_owned(),
        [one] => format!("{one} conforms"),
        [first @ .., last] if first.len() < 4 => format!("{} and {last} together conform", first.join(", ")),
        many => format!("the {} components together conform", many.len()),
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
    text.push('\n');
    match part.asked {
        ConformAsked::TraceInclusion => {
            chart::show(text, Some(name(part)), violation, width);
            show_allowed(text, name(part), violation, width);
        }
        ConformAsked::DeadlockFreedom => {
            chart::show(text, None, violation, width);
            show_stuck(text, violation, width);
        }
        // One step of one component makes no chart.
        ConformAsked::Reachability => {}
    }
    for run in &violation.runs {
        if part.asked != ConformAsked::Reachability {
            let _ = writeln!(text, "\n  {}", paint(style::BOLD, &run.component));
        }
        let lines = numbered(run, violation);
        if lines.is_empty() {
            let _ = writeln!(text, "  {}", paint(style::DIM, "does nothing"));
        }
        trace::show(text, &fitting(lines, width), width);
    }
    text.push('\n');
}

/// What would have been right instead of the last step.
fn show_allowed(text: &mut String, name: &str, violation: &ConformViolation, width: usize) {
    if violation.reason != ConformReason::Refused {
        return;
    }
    let allowed = match violation.allowed.as_slice() {
        [] => format!("{name} allows nothing more here"),
        allowed => format!("{name} allows here: {}", allowed.join(", ")),
    };
    text.push('\n');
    for line in wrapped(&allowed, width.saturating_sub(2)) {
        let _ = writeln!(text, "  {}", paint(style::GOOD, &line));
    }
}

/// Who waits for what.
fn show_stuck(text: &mut String, violation: &ConformViolation, width: usize) {
    text.push('\n');
    for one in &violation.stuck {
        let line = stuck(one);
        for line in wrapped(&line, width.saturating_sub(2)) {
            let _ = writeln!(text, "  {line}");
        }
    }
}

/// What a component of a deadlock does, in words.
pub fn stuck(one: &StuckComponent) -> String {
    let place = match &one.location {
        Some(location) => format!(" in {}", trace::short(location)),
        None => String::new(),
    };
    match (one.has_ended, one.waits_for.as_slice()) {
        (true, _) => format!("{} has ended", one.component),
        (false, []) => format!("{} can do nothing{place}", one.component),
        (false, waits) => format!("{} waits for {}{place}", one.component, waits.join(" or ")),
    }
}

/// The trace of a component whose actions have the numbers that they have in the chart.
pub fn numbered(run: &ComponentRun, violation: &ConformViolation) -> Vec<TraceLine> {
    let mut lines = run.trace.clone();
    let steps = violation.steps.iter().enumerate();
    let mut own = steps.filter(|(_, step)| step.components.contains(&run.component));
    for line in lines.iter_mut().filter(|line| line.location.is_none()) {
        if let Some((index, _)) = own.next() {
            line.text = format!("[{}] {}", index + 1, line.text);
        }
    }
    lines
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

/// The table of [Magic04]: final states, branches in P, iterations of predicates and of actions, time.
fn show_table(text: &mut String, parts: &[&ConformPart]) {
    let mut rows =
        vec![["specification", "verdict", "states", "|P|", "PIt", "LIt", "time"].map(str::to_owned)];
    rows.extend(parts.iter().map(|part| {
        let stats = &part.stats;
        let branches: usize = stats.components.iter().map(|one| one.branches).sum();
        [
            match part.asked {
                ConformAsked::DeadlockFreedom => "deadlock".to_owned(),
                _ => trace::one_line(name(part)),
            },
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
