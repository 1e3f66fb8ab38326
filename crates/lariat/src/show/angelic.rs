//! The report of `lariat angelic` as text: warnings, then what was assumed, then what is not known.

use std::fmt::Write;
use std::path::Path;

use lariat_base::Diagnostic;
use lariat_report::{
    AngelicEntry, AngelicReport, AngelicWarning, EntryOutcome, EntryTrace, Failure, Specification,
    SpecificationStatus, Suppressed, TraceKind,
};

use super::source::Sources;
use super::{Options, evidence, paint, trace};
use crate::{style, units};

/// Alarms that are named for one specification; `-v` names all.
const ALARMS_SHOWN: usize = 3;
/// Entries that are named for one reason why they are incomplete; `-v` names all.
const INCOMPLETE_SHOWN: usize = 10;
/// Places that are named of a further trace, from its end.
const PLACES_SHOWN: usize = 6;

/// The report for standard output. `specs` is the file that the specifications were written to.
pub fn answer(report: &AngelicReport, specs: Option<&Path>, options: &Options) -> String {
    let mut text = String::new();
    let mut sources = Sources::default();
    for warning in &report.warnings {
        show_warning(&mut text, warning, &mut sources, options);
    }
    if !options.quiet {
        show_specifications(&mut text, report, options);
        show_decisions(&mut text, report);
        if options.verbose {
            evidence::show_externals(&mut text, &report.externals);
            show_entries(&mut text, &report.entries);
        }
    }
    show_incomplete(&mut text, &report.entries, options);
    if let Some(reason) = &report.unfinished {
        let _ = writeln!(text, "{}: {reason}", paint(style::WARNING, "unfinished"));
    }
    if let Some(specs) = specs.filter(|_| !options.quiet && !report.specifications.is_empty()) {
        let line = format!("accept, reject or edit specifications in {}", specs.display());
        let _ = writeln!(text, "{}", paint(style::DIM, &line));
    }
    text.push_str(&summary(report));
    text
}

fn show_warning(text: &mut String, warning: &AngelicWarning, sources: &mut Sources, options: &Options) {
    let code = warning.confidence.name();
    let first = warning.traces.first().map(|trace| &trace.failure);
    let message = first.map_or("it can fail", |failure| failure.message.as_str());
    let message = format!("{message} in {}", warning.procedure);
    let place = first.and_then(|failure| failure.location.as_ref());
    let span = place.and_then(|place| sources.span(place, warning.condition.as_deref()));
    if let (Some(span), false) = (span, options.quiet) {
        let mut diagnostic = Diagnostic::warning(code, span, &message);
        if let Some(origin) = &warning.origin {
            diagnostic = diagnostic.label(origin);
        }
        if let Some(refused) = &warning.refused
            && let Some(span) = refused
                .location
                .as_ref()
                .and_then(|place| sources.span(place, None))
        {
            let label = format!("`{}` would exclude this", refused.specification);
            diagnostic = diagnostic.related(span, label);
        }
        let _ = writeln!(text, "{}", diagnostic.render(sources.map(), true));
    } else {
        let label = paint(style::WARNING, &format!("warning[{code}]"));
        let place = place.map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "{label}: {}: {message}", paint(style::PLACE, &place));
    }
    if options.quiet {
        return;
    }
    for (label, words) in [
        ("why", Some(warning.explanation.clone())),
        (
            "refused",
            warning.refused.as_ref().map(|refused| {
                let place = refused.location.as_ref();
                let place = place
                    .map(|place| format!(" ({})", trace::short(place)))
                    .unwrap_or_default();
                format!("{}: {}{place}", refused.specification, refused.reason)
            }),
        ),
    ] {
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            let _ = writeln!(text, "  {} {words}", paint(style::BOLD, &format!("{label}:")));
        }
    }
    for (index, trace) in warning.traces.iter().enumerate() {
        if index == 1 || (index > 1 && options.verbose) {
            text.push('\n');
        }
        if index == 0 || options.verbose {
            show_trace(text, trace, index, options);
        } else {
            let entry = paint(style::BOLD, &trace.entry);
            let _ = writeln!(text, "  also from {entry}: {}", path(&trace.failure));
        }
    }
    text.push('\n');
}

fn show_trace(text: &mut String, trace: &EntryTrace, index: usize, options: &Options) {
    if index > 0 {
        let _ = writeln!(text, "  also from {}:", paint(style::BOLD, &trace.entry));
    }
    let failure = &trace.failure;
    if !failure.confirmed {
        let reason = failure.why_not.as_deref().unwrap_or("the trace was not replayed");
        let _ = writeln!(text, "  {} {reason}", paint(style::WARNING, "not replayed:"));
    }
    if !failure.trace.is_empty() {
        text.push('\n');
        trace::show(text, &failure.trace, options.width);
    }
}

/// The calls of a trace and where it fails, in a line.
fn path(failure: &Failure) -> String {
    let is_shown = |kind| matches!(kind, TraceKind::Start | TraceKind::Call | TraceKind::Failure);
    let steps = failure.trace.iter().filter(|line| is_shown(line.kind));
    let mut places: Vec<String> = steps
        .map(trace::place)
        .filter(|place| !place.is_empty())
        .collect();
    places.dedup();
    if places.len() > PLACES_SHOWN {
        let left_out = places.len() - PLACES_SHOWN;
        places.splice(1..=left_out + 1, ["…".to_owned()]);
    }
    paint(style::PLACE, &places.join(" → "))
}

/// What is assumed, by entry, with the alarms that it suppresses.
fn show_specifications(text: &mut String, report: &AngelicReport, options: &Options) {
    let assumed: Vec<&Specification> = report
        .specifications
        .iter()
        .filter(|it| it.is_assumed() && !it.unnecessary)
        .collect();
    if assumed.is_empty() {
        return;
    }
    text.push_str("assumed of the environment:\n");
    for specification in in_order_of_entries(&assumed) {
        let claim = claim(specification);
        let remark = match specification.status {
            SpecificationStatus::Accepted => " [accepted]",
            SpecificationStatus::Edited => " [edited]",
            SpecificationStatus::Inferred | SpecificationStatus::Rejected => "",
        };
        let alarms = alarms(&specification.suppresses, options.verbose);
        let _ = write!(text, "  {}", claim.painted);
        if !remark.is_empty() {
            text.push_str(&paint(style::GOOD, remark));
        }
        if !alarms.is_empty() {
            let used = 2 + claim.columns + remark.len() + 3;
            let gap = if used + alarms.chars().count() <= options.width {
                "   ".to_owned()
            } else {
                "\n      ".to_owned()
            };
            let _ = write!(text, "{gap}{}", paint(style::DIM, &alarms));
        }
        text.push('\n');
        if options.verbose && !specification.formal.is_empty() {
            let _ = writeln!(text, "      {}", paint(style::DIM, &specification.formal));
        }
    }
    text.push('\n');
}

/// Specifications of one entry stand together, entries in the order of their first specification.
fn in_order_of_entries<'s>(specifications: &[&'s Specification]) -> Vec<&'s Specification> {
    let mut entries: Vec<&str> = Vec::new();
    for specification in specifications {
        if !entries.contains(&specification.entry.as_str()) {
            entries.push(&specification.entry);
        }
    }
    let of = |entry: &str| {
        let entry = entry.to_owned();
        specifications.iter().copied().filter(move |it| it.entry == entry)
    };
    entries.into_iter().flat_map(of).collect()
}

struct Claim {
    painted: String,
    columns: usize,
}

/// `FooBar requires Lib2() != NULL`.
fn claim(specification: &Specification) -> Claim {
    let Specification { entry, text, .. } = specification;
    let text = trace::one_line(text);
    Claim {
        columns: format!("{entry} requires {text}").chars().count(),
        painted: format!(
            "{} {} {text}",
            paint(style::BOLD, entry),
            paint(style::DIM, "requires")
        ),
    }
}

/// `(suppresses: `x->len`, a.c:30)`.
fn alarms(suppressed: &[Suppressed], all: bool) -> String {
    if suppressed.is_empty() {
        return String::new();
    }
    let shown = if all { suppressed.len() } else { ALARMS_SHOWN };
    let mut words: Vec<String> = Vec::new();
    for alarm in suppressed.iter().take(shown) {
        let what = match &alarm.condition {
            Some(condition) => format!("`{}`", trace::one_line(condition)),
            None => trace::one_line(&alarm.message),
        };
        words.push(match &alarm.location {
            Some(place) => format!("{what}, {}", trace::short(place)),
            None => format!("{what} in {}", alarm.procedure),
        });
    }
    let left_out = suppressed.len().saturating_sub(shown);
    if left_out > 0 {
        words.push(format!("{left_out} more"));
    }
    format!("(suppresses: {})", words.join("; "))
}

/// What came of the user's decisions, where there is something to say.
fn show_decisions(text: &mut String, report: &AngelicReport) {
    for specification in &report.specifications {
        let claim = claim(specification).painted;
        let (label, words) = if let Some(problem) = &specification.problem {
            (paint(style::WARNING, "not used"), format!("{claim}: {problem}"))
        } else if specification.status == SpecificationStatus::Rejected {
            (paint(style::BOLD, "rejected"), claim)
        } else if specification.unnecessary {
            (
                paint(style::BOLD, "unnecessary"),
                format!("{claim}: nothing needs it any more"),
            )
        } else {
            continue;
        };
        let _ = writeln!(text, "{label}: {words}");
    }
}

fn show_incomplete(text: &mut String, entries: &[AngelicEntry], options: &Options) {
    let mut reasons: Vec<(&str, Vec<&AngelicEntry>)> = Vec::new();
    for (entry, reason) in incomplete(entries) {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, entries)) => entries.push(entry),
            None => reasons.push((reason, vec![entry])),
        }
    }
    let shown = if options.verbose {
        usize::MAX
    } else {
        INCOMPLETE_SHOWN
    };
    let label = paint(style::WARNING, "incomplete");
    for (reason, entries) in reasons {
        for entry in entries.iter().take(shown) {
            let place = entry.location.as_ref();
            let place = place
                .map(|place| format!(" ({})", trace::short(place)))
                .unwrap_or_default();
            let _ = writeln!(
                text,
                "{label}: {}{place}: {reason}",
                paint(style::BOLD, &entry.name)
            );
        }
        let left_out = entries.len().saturating_sub(shown) as u64;
        if left_out > 0 {
            let more = units::count_of(left_out, "more entry", "more entries");
            let _ = writeln!(text, "{label}: {more}: {reason}");
        }
    }
}

fn incomplete(entries: &[AngelicEntry]) -> impl Iterator<Item = (&AngelicEntry, &str)> {
    entries.iter().filter_map(|entry| match &entry.outcome {
        EntryOutcome::Done => None,
        EntryOutcome::Incomplete { reason } => Some((entry, reason.as_str())),
        EntryOutcome::Pending => Some((entry, "it was not analysed")),
    })
}

/// Where the time went, entry by entry, the longest first.
fn show_entries(text: &mut String, entries: &[AngelicEntry]) {
    let mut analysed: Vec<&AngelicEntry> = entries.iter().filter(|entry| !entry.reused).collect();
    analysed.sort_by(|a, b| b.stats.seconds.total_cmp(&a.stats.seconds));
    let name_width = analysed
        .iter()
        .map(|entry| entry.name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(5, 40);
    let head = format!(
        "  {:name_width$}{:>9}{:>9}{:>9}{:>9}{:>8}{:>12}{:>14}",
        "entry", "seconds", "verify", "explain", "permit", "traces", "permissive", "solver calls"
    );
    let _ = writeln!(text, "{}", paint(style::DIM, &head));
    for entry in analysed {
        let stats = &entry.stats;
        let line = format!(
            "  {:name_width$}{:>9.2}{:>9.2}{:>9.2}{:>9.2}{:>8}{:>12}{:>14}",
            entry.name,
            stats.seconds,
            stats.verify_seconds,
            stats.explain_seconds,
            stats.permissive_seconds,
            stats.traces,
            stats.permissive_checks,
            stats.solver_calls
        );
        let _ = writeln!(text, "{}", paint(style::DIM, &line));
    }
}

/// `3 warnings, 12 specifications assumed, 40 entries (2 incomplete), 512 dereferences of which 430 …, 3.2 s`.
fn summary(report: &AngelicReport) -> String {
    let stats = &report.stats;
    let warnings = report.warnings.len() as u64;
    let mut parts = Vec::new();
    if report.bad_input {
        parts.push(paint(style::ERROR, "bad input, nothing was analysed"));
    } else {
        let style = if warnings > 0 { style::WARNING } else { style::GOOD };
        let incomplete = report.unfinished.is_some() || incomplete(&report.entries).next().is_some();
        let style = if incomplete { style::WARNING } else { style };
        let words = match warnings {
            0 => "no warnings".to_owned(),
            _ => units::count(warnings, "warning"),
        };
        parts.push(paint(style, &words));
        let assumed = report.specifications.iter().filter(|it| it.is_assumed()).count() as u64;
        parts.push(format!("{} assumed", units::count(assumed, "specification")));
        parts.push(entries_in_words(&report.entries));
        if stats.dereferences > 0 {
            parts.push(format!(
                "{} of which {} proved by the cheap analysis",
                units::count(stats.dereferences, "dereference"),
                stats.dereferences_proved
            ));
        }
    }
    parts.push(units::seconds(stats.total_seconds));
    format!("{}\n", parts.join(", "))
}

/// `40 entries (38 unchanged, 2 incomplete, 3 cut at bound 3)`.
fn entries_in_words(entries: &[AngelicEntry]) -> String {
    let mut remarks = Vec::new();
    let reused = entries.iter().filter(|entry| entry.reused).count();
    if reused > 0 {
        remarks.push(format!("{reused} unchanged"));
    }
    let incomplete = incomplete(entries).count();
    if incomplete > 0 {
        remarks.push(format!("{incomplete} incomplete"));
    }
    let cut = entries
        .iter()
        .filter(|entry| entry.outcome == EntryOutcome::Done && !entry.complete);
    if let Some(bound) = cut.clone().map(|entry| entry.bound).min() {
        remarks.push(format!("{} cut at bound {bound}", cut.count()));
    }
    let count = units::count_of(entries.len() as u64, "entry", "entries");
    if remarks.is_empty() {
        count
    } else {
        format!("{count} ({})", remarks.join(", "))
    }
}

#[cfg(test)]
#[path = "angelic_tests.rs"]
mod tests;
