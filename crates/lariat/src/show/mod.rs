//! Reports as text for people: the answer for standard output, remarks for standard error.
//!
//! Texts are always styled here; `anstream` removes the styles where they are not wanted.

mod angelic;
mod chart;
mod conform;
mod evidence;
#[cfg(test)]
pub mod example;
mod source;
mod trace;

use std::fmt::Write;

use anstyle::Style;
use lariat_report::{
    CutKind, CutSite, DiagnosticReport, EntryReport, Failure, GoalKind, Severity, UnknownCause, Verdict,
    VerifyReport, Warning, WarningKind,
};

use crate::{style, units};

pub use angelic::answer as angelic_answer;
pub use conform::{
    answer as conform_answer, claim as conform_claim, name as specification_name, numbered,
    stuck as stuck_claim,
};
pub use trace::{MAX_INDENT, short as short_place};

pub struct Options {
    pub quiet: bool,
    pub verbose: bool,
    /// Columns to lay text out in.
    pub width: usize,
}

/// The width of the terminal, or one that suits files.
pub fn terminal_width() -> usize {
    let width = terminal_size::terminal_size().map_or(110, |(width, _)| usize::from(width.0));
    width.clamp(60, 160)
}

/// What is wrong with the input and what qualifies the verdict.
pub fn remarks(diagnostics: &[DiagnosticReport], warnings: &[Warning], options: &Options) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        if diagnostic.severity == Severity::Error || !options.quiet {
            text.push_str(diagnostic.rendered.trim_end());
            text.push_str("\n\n");
        }
    }
    for warning in warnings {
        // Who wants verdicts only must still know that one of them says little.
        if options.quiet && !matches!(warning.kind, WarningKind::Vacuous | WarningKind::NothingChecked) {
            continue;
        }
        text.push_str(&paint(style::WARNING, "warning"));
        text.push_str(": ");
        if let Some(location) = &warning.location {
            let _ = write!(text, "{}: ", paint(style::PLACE, &location.to_string()));
        }
        text.push_str(&warning.message);
        text.push('\n');
    }
    text
}

/// The verdict with everything that belongs to it.
pub fn answer(report: &VerifyReport, options: &Options) -> String {
    let mut text = String::new();
    for entry in &report.entries {
        show_entry(&mut text, report, entry, options);
    }
    let told = Verdict::overall(report.entries.iter().map(|entry| &entry.verdict));
    // A run may have an answer of its own: no entry, bad input, a process that died.
    if told.as_ref() != Some(&report.verdict) {
        show_run(&mut text, report);
    }
    if !options.quiet {
        evidence::show_externals(&mut text, &report.externals);
        text.push_str(&summary(report));
        if options.verbose {
            show_phases(&mut text, report);
        }
    }
    text
}

fn show_entry(text: &mut String, report: &VerifyReport, entry: &EntryReport, options: &Options) {
    for failure in &entry.failures {
        show_failure(text, entry, failure, options);
    }
    if !entry.failures.is_empty() {
        // With `--all`, what comes after the failures found can still be cut or unknown.
        if !options.quiet {
            show_cut(text, entry);
        }
        return;
    }
    let claim = match (&entry.verdict, entry.goal.kind) {
        (Verdict::Unknown { reason, .. } | Verdict::BugUnconfirmed { reason }, _) => reason.clone(),
        (Verdict::Proved | Verdict::Bounded { .. }, GoalKind::AssertionFails) => {
            "no assertion can fail".to_owned()
        }
        (Verdict::Proved | Verdict::Bounded { .. }, GoalKind::EntryReturns) => "it cannot return".to_owned(),
        (Verdict::Proved | Verdict::Bounded { .. }, GoalKind::VariableNonzero) => {
            "the error variable stays zero".to_owned()
        }
        (Verdict::Bug, _) => entry.goal.text.clone(),
        (Verdict::BadInput, _) => "it cannot be checked".to_owned(),
        (Verdict::Accepted, _) => "well-formed".to_owned(),
    };
    let within = match entry.verdict {
        Verdict::Bounded { bound } if entry.cut.is_empty() => {
            format!(" within bound {bound}, which cut nothing")
        }
        Verdict::Bounded { bound } => format!(" within bound {bound}"),
        _ => String::new(),
    };
    let integers = match (&entry.verdict, &report.integers) {
        (Verdict::Proved | Verdict::Bounded { .. }, Some(words)) => format!(" ({words})"),
        _ => String::new(),
    };
    headline(
        text,
        &entry.verdict,
        &report.files.join(" "),
        &format!("{}: {claim}{within}{integers}", entry.entry),
    );
    if !options.quiet {
        if let (Verdict::Unknown { .. }, Some(bound)) = (&entry.verdict, entry.bound) {
            let _ = writeln!(text, "  decided: no violation within bound {bound}");
        }
        show_cut(text, entry);
        show_advice(text, &entry.verdict);
    }
}

fn show_failure(text: &mut String, entry: &EntryReport, failure: &Failure, options: &Options) {
    let verdict = match (&failure.why_not, failure.confirmed) {
        (_, true) => Verdict::Bug,
        (reason, false) => Verdict::BugUnconfirmed {
            reason: reason
                .clone()
                .unwrap_or_else(|| "the trace was not replayed".to_owned()),
        },
    };
    let place = failure
        .location
        .as_ref()
        .map_or_else(|| entry.entry.clone(), ToString::to_string);
    let mut message = failure.message.clone();
    if let Some(id) = &failure.id {
        let _ = write!(message, "  {}", paint(style::DIM, &format!("{{:id \"{id}\"}}")));
    }
    headline(text, &verdict, &place, &message);
    if options.quiet {
        return;
    }
    if let Verdict::BugUnconfirmed { reason } = &verdict {
        let _ = writeln!(text, "  {} {reason}", paint(style::WARNING, "not replayed:"));
    }
    if !failure.trace.is_empty() {
        text.push('\n');
        trace::show(text, &failure.trace, options.width);
    }
    if let Some(harness) = &failure.harness {
        evidence::show_harness(text, harness);
    }
    text.push('\n');
}

fn show_cut(text: &mut String, entry: &EntryReport) {
    if entry.cut.is_empty() {
        return;
    }
    let Some(bound) = entry.bound else {
        return;
    };
    let _ = writeln!(text, "  not searched beyond {bound}:");
    let name = |site: &CutSite| match site.kind {
        CutKind::Loop => format!("loop in {}", site.name),
        CutKind::Procedure => format!("recursion of {}", site.name),
    };
    let width = entry
        .cut
        .iter()
        .map(|site| name(site).chars().count())
        .max()
        .unwrap_or(0)
        .min(60);
    for site in &entry.cut {
        let place = site
            .location
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(text, "    {:width$}  {}", name(site), paint(style::PLACE, &place));
    }
}

/// The verdict of the run where no entry accounts for it.
fn show_run(text: &mut String, report: &VerifyReport) {
    let errors = report.errors().count() as u64;
    let claim = match &report.verdict {
        Verdict::BadInput if errors > 0 => format!("{}, nothing was verified", units::count(errors, "error")),
        Verdict::BadInput => "nothing was verified".to_owned(),
        Verdict::Unknown { reason, .. } | Verdict::BugUnconfirmed { reason } => reason.clone(),
        Verdict::Accepted => "well-formed".to_owned(),
        Verdict::Proved => "no violation".to_owned(),
        Verdict::Bounded { bound } => format!("no violation within bound {bound}"),
        Verdict::Bug => "a violation was found".to_owned(),
    };
    headline(text, &report.verdict, &report.files.join(" "), &claim);
    show_advice(text, &report.verdict);
}

fn show_advice(text: &mut String, verdict: &Verdict) {
    let advice = match verdict {
        Verdict::Bounded { .. } => "raise --bound to search further",
        Verdict::Unknown {
            cause: UnknownCause::Time,
            ..
        } => "raise --time-limit, or lower --bound",
        Verdict::Unknown {
            cause: UnknownCause::Memory,
            ..
        } => "raise --memory-limit, or lower --bound",
        Verdict::Unknown {
            cause: UnknownCause::Solver,
            ..
        } => "try another --seed or --solver-option",
        Verdict::Unknown {
            cause: UnknownCause::NothingChecked,
            ..
        } => "this is not a success: check --entry, --assert and the assertions",
        _ => return,
    };
    let _ = writeln!(text, "  {}", paint(style::DIM, advice));
}

fn headline(text: &mut String, verdict: &Verdict, place: &str, message: &str) {
    let word = match verdict {
        Verdict::Bounded { bound } => format!("bounded({bound})"),
        _ => verdict.word().to_owned(),
    };
    let word = paint(style::of_verdict(verdict), &word);
    let _ = writeln!(text, "{word}  {}  {message}", paint(style::BOLD, place));
}

/// One line of figures, with the question that was answered.
fn summary(report: &VerifyReport) -> String {
    let stats = &report.stats;
    let mut parts = Vec::new();
    let mut goals: Vec<&str> = report
        .entries
        .iter()
        .map(|entry| entry.goal.text.as_str())
        .collect();
    goals.dedup();
    if !goals.is_empty() {
        parts.push(format!("asked {}", goals.join("; ")));
    }
    if let Some(bound) = report.entries.iter().filter_map(|entry| entry.bound).min() {
        parts.push(format!("bound {bound}"));
    }
    let mut deciders: Vec<&str> = report
        .entries
        .iter()
        .filter_map(|entry| entry.stats.decided_by.as_deref())
        .collect();
    deciders.dedup();
    if !deciders.is_empty() {
        parts.push(format!("decided by {}", deciders.join(", ")));
    }
    let facts: u64 = report.entries.iter().map(|entry| entry.stats.summary_facts).sum();
    if facts > 0 {
        let seconds: f64 = report
            .entries
            .iter()
            .map(|entry| entry.stats.summary_seconds)
            .sum();
        parts.push(format!(
            "{} in {}",
            units::count(facts, "summary fact"),
            units::seconds(seconds)
        ));
    }
    for entry in &report.entries {
        if let Some(tracked) = &entry.tracked {
            parts.push(format!("tracked {}", tracked_text(tracked)));
        }
    }
    if stats.inlined > 0 {
        parts.push(format!("{} inlined", stats.inlined));
    }
    if stats.solver_calls > 0 {
        let calls = units::count(stats.solver_calls, "solver call");
        parts.push(format!("{calls} in {}", units::seconds(stats.solver_seconds)));
    }
    if report.verdict == Verdict::Accepted
        && let Some(speed) = stats.megabytes_per_second()
    {
        parts.push(format!("read at {speed:.1} MB/s"));
    }
    parts.push(format!("{} in all", units::seconds(stats.total_seconds)));
    if stats.peak_memory_bytes > 0 {
        parts.push(units::bytes(stats.peak_memory_bytes));
    }
    format!("{}\n", paint(style::DIM, &parts.join(" · ")))
}

/// The globals that abstraction kept; of many only the first.
fn tracked_text(tracked: &[String]) -> String {
    const SHOWN: usize = 6;
    match tracked {
        [] => "no globals".into(),
        few if few.len() <= SHOWN => few.join(", "),
        many => format!(
            "{} and {} more globals",
            many[..SHOWN].join(", "),
            many.len() - SHOWN
        ),
    }
}

/// Where the time went.
fn show_phases(text: &mut String, report: &VerifyReport) {
    let stats = &report.stats;
    let size = stats.source_bytes as f64 / 1e6;
    let speed = stats
        .megabytes_per_second()
        .map(|speed| format!(", {speed:.1} MB/s to the IR"))
        .unwrap_or_default();
    let phases = [
        (
            "read",
            stats.read_seconds,
            format!(
                "{size:.2} MB, {}{speed}",
                units::count(stats.source_lines, "line")
            ),
        ),
        ("parse", stats.parse_seconds, String::new()),
        ("check", stats.check_seconds, String::new()),
        ("lower", stats.lower_seconds, String::new()),
        ("passes", stats.passes_seconds, String::new()),
        ("vc", stats.vc_seconds, String::new()),
        (
            "solver",
            stats.solver_seconds,
            units::count(stats.solver_calls, "call"),
        ),
    ];
    for (phase, seconds, remark) in phases {
        let line = format!("  {phase:8}{seconds:>9.3} s  {remark}");
        let _ = writeln!(text, "{}", paint(style::DIM, line.trim_end()));
    }
}

/// Words on lines of at most `width` columns, unless a word is longer.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        let needed = word.chars().count() + usize::from(!line.is_empty());
        if !line.is_empty() && line.chars().count() + needed > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// `text` in `style`.
fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests;
