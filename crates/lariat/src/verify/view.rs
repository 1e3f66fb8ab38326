//! The view of a report of `lariat verify`: failures with their traces, then each entry's verdict, then the figures.

use std::borrow::Cow;

use lariat_report::{
    CutKind, CutSite, EntryReport, External, Failure, HarnessOutcome, UnknownCause, Verdict, VerifyReport,
};
use serde_json::json;

use crate::cover::add_coverage;
use crate::units;
use crate::view::{Block, Column, Finding, Flow, Headline, Item, Line, List, Span, Table, Tone, View, When};

/// Lines of a compiler's message that are shown.
const COMPILER_LINES: usize = 8;

pub fn view(report: &VerifyReport) -> View<'_> {
    let mut view = View {
        diagnostics: &report.diagnostics,
        warnings: &report.warnings,
        findings: report.failures().map(finding).collect(),
        properties: json!({
            "verdict": report.verdict.to_string(),
            "assumptions": report.assumptions,
        }),
        ..View::new("verify", &report.files, Span::of_verdict(&report.verdict), report)
    };
    for entry in &report.entries {
        add_entry(&mut view, report, entry);
    }
    let shown = Verdict::overall(report.entries.iter().map(|entry| &entry.verdict));
    // A run may have a verdict that no entry has: no entry, bad input, a process that died.
    if shown.as_ref() != Some(&report.verdict) {
        add_run(&mut view, report);
    }
    view.add(Block::Whole);
    add_externals(&mut view, &report.externals, When::Normal);
    if matches!(report.verdict, Verdict::Proved | Verdict::Bounded { .. }) {
        add_assumptions(&mut view, &report.assumptions);
    }
    if let Some(coverage) = &report.coverage {
        add_coverage(&mut view, coverage);
    }
    view.add(Block::Line(Line::new(0, Tone::Dim, summary(report).join(" · "))));
    view.show(When::Verbose, Block::Table(phases(report)));
    view
}

pub fn finding(failure: &Failure) -> Finding<'_> {
    Finding {
        // What was not replayed may be no bug.
        is_error: failure.confirmed,
        flows: vec![Flow {
            title: None,
            trace: &failure.trace,
            steps: &failure.steps,
        }],
        ..Finding::new(failure.kind, failure.message.clone(), failure.location.as_ref())
    }
}

fn add_entry<'r>(view: &mut View<'r>, report: &'r VerifyReport, entry: &'r EntryReport) {
    for failure in &entry.failures {
        add_failure(view, entry, failure);
    }
    if !entry.failures.is_empty() {
        // With `--all`, the search after the last failure can still be cut.
        add_cut(view, entry);
        return;
    }
    let claim = match &entry.verdict {
        Verdict::Unknown { reason, .. } | Verdict::BugUnconfirmed { reason } => reason.clone(),
        Verdict::Proved | Verdict::Bounded { .. } => entry.goal.claim(),
        Verdict::Bug => entry.goal.text.clone(),
        Verdict::BadInput => "it cannot be checked".to_owned(),
        Verdict::Accepted => "well-formed".to_owned(),
    };
    let within = match entry.verdict {
        Verdict::Bounded {
            bound,
            contexts,
            stack_depth,
        } => {
            let limits = Verdict::limits(bound, contexts, stack_depth);
            match (contexts, entry.cut.is_empty()) {
                (Some(contexts), true) => {
                    format!(" in up to {contexts} contexts; bound {bound} was not reached")
                }
                (None, true) => format!(" within {limits}, which cut nothing"),
                (_, false) => format!(" within {limits}"),
            }
        }
        _ => String::new(),
    };
    let integers = match (&entry.verdict, &report.integers) {
        (Verdict::Proved | Verdict::Bounded { .. }, Some(words)) => format!(" ({words})"),
        _ => String::new(),
    };
    view.headline(
        &entry.verdict,
        &report.files,
        format!("{}: {claim}{within}{integers}", entry.entry),
    );
    if let (Verdict::Unknown { .. }, Some(bound)) = (&entry.verdict, entry.bound) {
        let decided = format!("decided: no violation within bound {bound}");
        view.add(Block::Line(Line::new(2, Tone::Plain, decided)));
    }
    add_cut(view, entry);
    add_advice(view, &entry.verdict, entry.ended_by_time, !entry.cut.is_empty());
}

pub fn add_failure<'r>(view: &mut View<'r>, entry: &EntryReport, failure: &'r Failure) {
    let reason = || {
        let reason = failure.why_not.clone();
        reason.unwrap_or_else(|| "the trace was not replayed".to_owned())
    };
    let verdict = match failure.confirmed {
        true => Verdict::Bug,
        false => Verdict::BugUnconfirmed { reason: reason() },
    };
    let place = failure.location.as_ref();
    view.show(
        When::Always,
        Block::Headline(Headline {
            verdict,
            subject: place.map_or_else(|| entry.entry.clone(), ToString::to_string),
            message: failure.message.clone(),
            id: failure.id.as_deref(),
            location: place,
        }),
    );
    if !failure.confirmed {
        view.add(Block::Line(Line::labelled(
            2,
            Tone::Warn,
            "not replayed",
            reason(),
        )));
    }
    if !failure.trace.is_empty() {
        view.add(Block::Gap);
        view.add(Block::Trace(Cow::Borrowed(&failure.trace)));
    }
    if let Some(harness) = &failure.harness {
        add_harness(view, harness);
    }
    view.add(Block::Gap);
}

/// What the compiled program did.
fn add_harness(view: &mut View<'_>, harness: &HarnessOutcome) {
    let HarnessOutcome {
        path, how, output, ..
    } = harness;
    let (tone, text) = match (harness.compiled, harness.reproduced) {
        (true, true) => (Tone::Good, format!("{path} fails in the same way: {output}")),
        (true, false) => (
            Tone::Warn,
            format!("{path} does not fail in the same way: {output}"),
        ),
        (false, _) => (Tone::Warn, format!("{path} was not compiled: {how}")),
    };
    view.add(Block::Line(Line::labelled(2, tone, "harness", text)));
    if harness.compiled {
        let text = format!("compiled with {how}");
        view.add(Block::Line(Line::new(4, Tone::Dim, text)));
    } else {
        for line in output.lines().take(COMPILER_LINES) {
            view.add(Block::Line(Line::new(4, Tone::Dim, line)));
        }
    }
}

/// The loops and procedures that the bound has cut.
fn add_cut(view: &mut View<'_>, entry: &EntryReport) {
    let (false, Some(bound)) = (entry.cut.is_empty(), entry.bound) else {
        return;
    };
    let title = match entry.verdict {
        Verdict::Bounded {
            stack_depth: Some(_), ..
        } => "not searched further:".to_owned(),
        _ => format!("not searched beyond {bound}:"),
    };
    view.add(Block::Line(Line::new(2, Tone::Plain, title)));
    let row = |site: &CutSite| {
        let name = match site.kind {
            CutKind::Loop => format!("loop in {}", site.name),
            CutKind::Procedure => format!("recursion of {}", site.name),
            CutKind::Call => format!("deep calls of {}", site.name),
        };
        let place = site.location.as_ref();
        vec![name, place.map(ToString::to_string).unwrap_or_default()]
    };
    view.add(Block::Table(Table {
        indent: 4,
        columns: vec![Column::text("", Tone::Plain), Column::text("", Tone::Place)],
        rows: entry.cut.iter().map(row).collect(),
    }));
}

fn add_run<'r>(view: &mut View<'r>, report: &'r VerifyReport) {
    let errors = report.errors().count() as u64;
    let claim = match &report.verdict {
        Verdict::BadInput if errors > 0 => {
            format!("{}, nothing was verified", units::count(errors, "error"))
        }
        Verdict::BadInput => "nothing was verified".to_owned(),
        Verdict::Unknown { reason, .. } | Verdict::BugUnconfirmed { reason } => reason.clone(),
        Verdict::Accepted => "well-formed".to_owned(),
        Verdict::Proved => "no violation".to_owned(),
        Verdict::Bounded {
            bound,
            contexts,
            stack_depth,
        } => format!(
            "no violation within {}",
            Verdict::limits(*bound, *contexts, *stack_depth)
        ),
        Verdict::Bug => "a violation was found".to_owned(),
    };
    view.headline(&report.verdict, &report.files, claim);
    add_advice(view, &report.verdict, false, true);
}

/// What to do next. `is_cut`: the bound has cut something off.
fn add_advice(view: &mut View<'_>, verdict: &Verdict, ended_by_time: bool, is_cut: bool) {
    let advice = match verdict {
        Verdict::Bounded { .. } if ended_by_time => {
            "time limit reached; raise --time-limit to search further"
        }
        Verdict::Bounded {
            stack_depth: Some(_), ..
        } => "raise --stack-depth, or leave it out, to search further",
        Verdict::Bounded {
            contexts: Some(_), ..
        } if !is_cut => "raise --contexts to search further",
        Verdict::Bounded {
            contexts: Some(_), ..
        } => "raise --contexts or --bound to search further",
        Verdict::Bounded { .. } => "raise --bound to search further",
        Verdict::Unknown { cause, .. } => match cause {
            UnknownCause::Time => "raise --time-limit, or lower --bound",
            UnknownCause::Memory => "raise --memory-limit, or lower --bound",
            UnknownCause::Solver => "try another --seed or --solver-option",
            UnknownCause::NothingChecked => {
                "this is not a success: check --entry, --assert and the assertions"
            }
            _ => return,
        },
        _ => return,
    };
    view.add(Block::Line(Line::new(2, Tone::Dim, advice)));
}

/// What a success rests on, or a proof that something is dead.
pub fn add_assumptions(view: &mut View<'_>, assumptions: &[String]) {
    if assumptions.is_empty() {
        return;
    }
    let item = |assumption: &String| Item {
        spans: vec![Span::new(Tone::Plain, assumption.clone())],
        ..Item::default()
    };
    view.add(Block::List(List {
        title: "assuming that".to_owned(),
        items: assumptions.iter().map(item).collect(),
    }));
}

/// The functions without body, by what was assumed of them.
pub fn add_externals(view: &mut View<'_>, externals: &[External], when: When) {
    if externals.is_empty() {
        return;
    }
    let mut effects: Vec<&str> = Vec::new();
    for external in externals {
        if !effects.contains(&external.effect.as_str()) {
            effects.push(&external.effect);
        }
    }
    let item = |effect: &&str| {
        let named = externals.iter().filter(|external| external.effect == **effect);
        let names: Vec<&str> = named.map(|external| external.name.as_str()).collect();
        Item {
            spans: vec![Span::new(Tone::Plain, format!("{}: {effect}", names.join(", ")))],
            ..Item::default()
        }
    };
    view.show(
        when,
        Block::List(List {
            title: "functions without body".to_owned(),
            items: effects.iter().map(item).collect(),
        }),
    );
}

/// The question that was answered, and what that took.
fn summary(report: &VerifyReport) -> Vec<String> {
    let (stats, entries) = (&report.stats, &report.entries);
    let mut parts = Vec::new();
    let mut goals: Vec<&str> = entries.iter().map(|entry| entry.goal.text.as_str()).collect();
    goals.dedup();
    if !goals.is_empty() {
        parts.push(format!("asked {}", goals.join("; ")));
    }
    if let Some(bound) = entries.iter().filter_map(|entry| entry.bound).min() {
        parts.push(format!("bound {bound}"));
    }
    let deciders = entries
        .iter()
        .filter_map(|entry| entry.stats.decided_by.as_deref());
    let mut deciders: Vec<&str> = deciders.collect();
    deciders.dedup();
    if !deciders.is_empty() {
        parts.push(format!("decided by {}", deciders.join(", ")));
    }
    let facts: u64 = entries.iter().map(|entry| entry.stats.summary_facts).sum();
    if facts > 0 {
        let seconds: f64 = entries.iter().map(|entry| entry.stats.summary_seconds).sum();
        let facts = units::count(facts, "summary fact");
        parts.push(format!("{facts} in {}", units::seconds(seconds)));
    }
    for tracked in entries.iter().filter_map(|entry| entry.tracked.as_ref()) {
        parts.push(format!("tracked {}", tracked_text(tracked)));
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
    parts
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
fn phases(report: &VerifyReport) -> Table {
    let stats = &report.stats;
    let size = stats.source_bytes as f64 / 1e6;
    let speed = stats
        .megabytes_per_second()
        .map(|speed| format!(", {speed:.1} MB/s to the IR"))
        .unwrap_or_default();
    let lines = units::count(stats.source_lines, "line");
    let phases = [
        (
            "read",
            stats.read_seconds,
            format!("{size:.2} MB, {lines}{speed}"),
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
    let row = |(phase, seconds, remark): (&str, f64, String)| {
        vec![phase.to_owned(), format!("{seconds:.3} s"), remark]
    };
    Table {
        indent: 2,
        columns: vec![
            Column::text("", Tone::Dim),
            Column::number("", Tone::Dim),
            Column::text("", Tone::Dim),
        ],
        rows: phases.map(row).to_vec(),
    }
}
