//! The view of a report of `lariat angelic`: warnings, then what was assumed, then what is not known.

use std::borrow::Cow;
use std::path::Path;

use lariat_report::{
    AngelicEntry, AngelicReport, AngelicWarning, Confidence, EntryOutcome, EntryTrace, Failure, FailureKind,
    Specification, SpecificationStatus, Suppressed, TraceKind,
};
use lariat_specs::SpecExpr;
use serde_json::json;

use crate::format::text::{one_line, place, short_place};
use crate::units;
use crate::verify::add_externals;
use crate::view::{
    Alarm, Block, Column, Finding, Flow, Item, Line, List, Obstacle, Span, Suppression, Table, Tone, View,
    When,
};

/// The title of what is assumed.
pub const SPECIFICATIONS: &str = "assumed of the environment";
/// Entries that are named for one reason why they are incomplete; `-v` names all.
const INCOMPLETE_SHOWN: usize = 10;
/// Places that are named of a further trace, from its end.
const PLACES_SHOWN: usize = 6;

/// `specs` is the file that the specifications were written to.
pub fn view<'r>(report: &'r AngelicReport, specs: Option<&Path>) -> View<'r> {
    let mut view = View {
        diagnostics: &report.diagnostics,
        warnings: &report.notes,
        obstacles: obstacles(report),
        findings: findings(report),
        properties: json!({
            "entries": report.entries.len(),
            "specifications": report.specifications.len(),
            "dereferences": report.stats.dereferences,
            "dereferencesProved": report.stats.dereferences_proved,
        }),
        ..View::new("angelic", &report.files, answer(report), report)
    };
    for warning in &report.warnings {
        add_warning(&mut view, warning);
    }
    view.add(Block::Whole);
    add_specifications(&mut view, report);
    add_decisions(&mut view, report);
    add_externals(&mut view, &report.externals, When::Verbose);
    if !report.entries.is_empty() {
        view.show(When::Verbose, Block::Table(entries_table(&report.entries)));
    }
    add_incomplete(&mut view, &report.entries);
    if let Some(reason) = &report.unfinished {
        let line = Line::labelled(0, Tone::Warn, "unfinished", reason);
        view.show(When::Always, Block::Line(line));
    }
    if let Some(specs) = specs.filter(|_| !report.specifications.is_empty()) {
        let line = format!("accept, reject or edit specifications in {}", specs.display());
        view.add(Block::Line(Line::new(0, Tone::Dim, line)));
    }
    view.show(When::Always, Block::Line(summary(report)));
    view
}

/// `no warnings`, `3 warnings`.
fn answer(report: &AngelicReport) -> Span {
    if report.bad_input {
        return Span::new(Tone::Bad, "bad input, nothing was analysed");
    }
    let is_incomplete = report.unfinished.is_some() || incomplete(&report.entries).next().is_some();
    match report.warnings.len() as u64 {
        0 if is_incomplete => Span::new(Tone::Warn, "no warnings"),
        0 => Span::new(Tone::Good, "no warnings"),
        warnings => Span::new(Tone::Warn, units::count(warnings, "warning")),
    }
}

fn obstacles(report: &AngelicReport) -> Vec<Obstacle<'_>> {
    let incomplete = incomplete(&report.entries).map(|(entry, reason)| Obstacle {
        is_error: false,
        message: format!("{} is incomplete: {reason}", entry.name),
        location: entry.location.as_ref(),
    });
    let unfinished = report.unfinished.as_ref().map(|reason| Obstacle {
        is_error: true,
        message: reason.clone(),
        location: None,
    });
    incomplete.chain(unfinished).collect()
}

/// Warnings, and the alarms that specifications suppress.
fn findings(report: &AngelicReport) -> Vec<Finding<'_>> {
    let mut findings: Vec<Finding<'_>> = report.warnings.iter().map(finding).collect();
    for specification in report.specifications.iter().filter(|it| it.is_assumed()) {
        let alarms = specification.suppresses.iter();
        findings.extend(alarms.map(|alarm| suppressed(alarm, specification)));
    }
    findings
}

fn message(warning: &AngelicWarning) -> String {
    let first = warning.traces.first();
    let message = first.map_or("it can fail", |trace| trace.failure.message.as_str());
    format!("{message} in {}", warning.procedure)
}

fn finding(warning: &AngelicWarning) -> Finding<'_> {
    let first = warning.traces.first().map(|trace| &trace.failure);
    let kind = first.map_or(FailureKind::Assertion, |failure| failure.kind);
    let mut text = message(warning);
    let more = [Some(&warning.explanation), warning.origin.as_ref()];
    for more in more.into_iter().flatten().filter(|more| !more.is_empty()) {
        text.push_str(". ");
        text.push_str(more);
    }
    let flow = |trace: &'_ EntryTrace| format!("from {}", trace.entry);
    let mut finding = Finding {
        rule: format!("{}/{}", warning.confidence.name(), kind.name()),
        rule_text: format!("{}: {}", kind.words(), words(warning.confidence)),
        is_error: false,
        flows: warning
            .traces
            .iter()
            .map(|trace| Flow {
                title: Some(flow(trace)),
                trace: &trace.failure.trace,
                steps: &trace.failure.steps,
            })
            .collect(),
        rank: Some(rank(warning.confidence)),
        fingerprint: Some(&warning.id),
        ..Finding::new(kind, text, first.and_then(|failure| failure.location.as_ref()))
    };
    if let Some(refused) = &warning.refused {
        let text = format!("`{}` is refused: {}", refused.specification, refused.reason);
        finding.related = refused
            .location
            .iter()
            .map(|place| (place, text.clone()))
            .collect();
        finding.properties = json!({ "refused": refused.specification, "reason": refused.reason });
    }
    finding
}

fn suppressed<'r>(alarm: &'r Suppressed, specification: &'r Specification) -> Finding<'r> {
    Finding {
        rule: "suppressed".to_owned(),
        rule_text: "an alarm that a specification of the environment suppresses".to_owned(),
        is_error: false,
        suppression: Some(Suppression {
            status: match specification.status {
                SpecificationStatus::Inferred => "underReview",
                SpecificationStatus::Accepted | SpecificationStatus::Edited => "accepted",
                SpecificationStatus::Rejected => "rejected",
            },
            justification: format!(
                "{} {} {}",
                specification.entry,
                requires(&specification.text),
                specification.text
            ),
            specification: &specification.id,
        }),
        ..Finding::new(
            FailureKind::Assertion,
            format!("{} in {}", alarm.message, alarm.procedure),
            alarm.location.as_ref(),
        )
    }
}

/// What a degree of confidence means.
fn words(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Inconsistent => "the code itself checks for what would exclude it",
        Confidence::Definite => "whatever the environment does",
        Confidence::NotExpressible => "no specification of the vocabulary excludes it",
        Confidence::Rejected => "the specification that would exclude it was rejected",
        Confidence::Demonic => "the environment can do anything",
    }
}

/// SARIF's measure of importance, up to 100.
fn rank(confidence: Confidence) -> u32 {
    match confidence {
        Confidence::Inconsistent => 95,
        Confidence::Definite => 90,
        Confidence::NotExpressible => 60,
        Confidence::Rejected => 50,
        Confidence::Demonic => 10,
    }
}

fn add_warning<'r>(view: &mut View<'r>, warning: &'r AngelicWarning) {
    let first = warning.traces.first().map(|trace| &trace.failure);
    let refused = warning.refused.as_ref();
    view.show(
        When::Always,
        Block::Alarm(Alarm {
            code: warning.confidence.name(),
            message: message(warning),
            location: first.and_then(|failure| failure.location.as_ref()),
            expected: warning.condition.as_deref(),
            label: warning.origin.as_deref(),
            related: refused.and_then(|refused| {
                let label = format!("`{}` would exclude this", refused.specification);
                Some((refused.location.as_ref()?, label))
            }),
        }),
    );
    if !warning.explanation.is_empty() {
        let line = Line::labelled(2, Tone::Bold, "why", &warning.explanation);
        view.add(Block::Line(line));
    }
    if let Some(refused) = refused {
        let place = refused.location.as_ref();
        let place = place.map(|place| format!(" ({})", short_place(place)));
        let text = format!(
            "{}: {}{}",
            refused.specification,
            refused.reason,
            place.unwrap_or_default()
        );
        view.add(Block::Line(Line::labelled(2, Tone::Bold, "refused", text)));
    }
    for (index, trace) in warning.traces.iter().enumerate() {
        match index {
            0 => add_trace(view, When::Normal, trace),
            _ => {
                view.show(if index == 1 { When::Normal } else { When::Verbose }, Block::Gap);
                let mut spans = vec![
                    Span::new(Tone::Plain, "also from"),
                    Span::new(Tone::Bold, format!("{}:", trace.entry)),
                ];
                let line = |spans| Block::Line(Line { indent: 2, spans });
                view.show(When::Verbose, line(spans.clone()));
                add_trace(view, When::Verbose, trace);
                spans.push(Span::new(Tone::Place, path(&trace.failure)));
                view.show(When::Brief, line(spans));
            }
        }
    }
    view.add(Block::Gap);
}

fn add_trace<'r>(view: &mut View<'r>, when: When, trace: &'r EntryTrace) {
    let failure = &trace.failure;
    if !failure.confirmed {
        let reason = failure.why_not.as_deref().unwrap_or("the trace was not replayed");
        let line = Line::labelled(2, Tone::Warn, "not replayed", reason);
        view.show(when, Block::Line(line));
    }
    if !failure.trace.is_empty() {
        view.show(when, Block::Gap);
        view.show(when, Block::Trace(Cow::Borrowed(&failure.trace)));
    }
}

/// The calls of a trace and where it fails, in a line.
fn path(failure: &Failure) -> String {
    let is_shown = |kind| matches!(kind, TraceKind::Start | TraceKind::Call | TraceKind::Failure);
    let steps = failure.trace.iter().filter(|line| is_shown(line.kind));
    let mut places: Vec<String> = steps.map(place).filter(|place| !place.is_empty()).collect();
    places.dedup();
    if places.len() > PLACES_SHOWN {
        let left_out = places.len() - PLACES_SHOWN;
        places.splice(1..=left_out + 1, ["…".to_owned()]);
    }
    places.join(" → ")
}

/// What is assumed, by entry, with the alarms that it suppresses.
fn add_specifications(view: &mut View<'_>, report: &AngelicReport) {
    let specifications = report.specifications.iter();
    let assumed: Vec<&Specification> = specifications
        .filter(|it| it.is_assumed() && !it.unnecessary)
        .collect();
    if assumed.is_empty() {
        return;
    }
    let items = in_order_of_entries(&assumed).into_iter().map(|specification| {
        let mut spans = claim(specification);
        match specification.status {
            SpecificationStatus::Accepted => spans.push(Span::new(Tone::Good, "[accepted]")),
            SpecificationStatus::Edited => spans.push(Span::new(Tone::Good, "[edited]")),
            SpecificationStatus::Inferred | SpecificationStatus::Rejected => {}
        }
        let alarms: Vec<String> = specification.suppresses.iter().map(alarm).collect();
        Item {
            spans,
            asides: (!alarms.is_empty()).then_some(("suppresses", alarms)),
            detail: Some(specification.formal.clone()).filter(|formal| !formal.is_empty()),
        }
    });
    let list = List {
        title: SPECIFICATIONS.to_owned(),
        items: items.collect(),
    };
    view.add(Block::List(list));
    view.add(Block::Gap);
}

/// Specifications of one entry stand together, entries in the order of their first specification.
fn in_order_of_entries<'s>(specifications: &[&'s Specification]) -> Vec<&'s Specification> {
    let mut entries: Vec<&str> = Vec::new();
    for specification in specifications {
        if !entries.contains(&specification.entry.as_str()) {
            entries.push(&specification.entry);
        }
    }
    let mut ordered = specifications.to_vec();
    ordered.sort_by_key(|it| entries.iter().position(|entry| *entry == it.entry));
    ordered
}

/// The word before a specification: what is no formula is a clause.
pub fn requires(text: &str) -> &'static str {
    match SpecExpr::parse(text) {
        Ok(SpecExpr::NeverReturns(_)) => "requires that",
        _ => "requires",
    }
}

/// `FooBar requires Lib2() != NULL`.
fn claim(specification: &Specification) -> Vec<Span> {
    vec![
        Span::new(Tone::Bold, &specification.entry),
        Span::new(Tone::Dim, requires(&specification.text)),
        Span::new(Tone::Plain, one_line(&specification.text)),
    ]
}

/// `` `x->len`, a.c:30 ``.
fn alarm(alarm: &Suppressed) -> String {
    let what = match &alarm.condition {
        Some(condition) => format!("`{}`", one_line(condition)),
        None => one_line(&alarm.message),
    };
    match &alarm.location {
        Some(place) => format!("{what}, {}", short_place(place)),
        None => format!("{what} in {}", alarm.procedure),
    }
}

/// What the user's decisions led to, where that needs saying.
fn add_decisions(view: &mut View<'_>, report: &AngelicReport) {
    for specification in &report.specifications {
        let (tone, label, remark) = if let Some(problem) = &specification.problem {
            (Tone::Warn, "not used:", problem.as_str())
        } else if specification.status == SpecificationStatus::Rejected {
            (Tone::Bold, "rejected:", "")
        } else if specification.unnecessary {
            (Tone::Bold, "unnecessary:", "nothing needs it any more")
        } else {
            continue;
        };
        let mut spans = claim(specification);
        spans.insert(0, Span::new(tone, label));
        if let Some(last) = spans.last_mut().filter(|_| !remark.is_empty()) {
            last.text.push_str(": ");
            last.text.push_str(remark);
        }
        view.add(Block::Line(Line { indent: 0, spans }));
    }
}

fn add_incomplete<'r>(view: &mut View<'r>, entries: &'r [AngelicEntry]) {
    let mut reasons: Vec<(&str, Vec<&AngelicEntry>)> = Vec::new();
    for (entry, reason) in incomplete(entries) {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, entries)) => entries.push(entry),
            None => reasons.push((reason, vec![entry])),
        }
    }
    let mut add = |when, name: String, remark: String| {
        let spans = vec![
            Span::new(Tone::Warn, "incomplete:"),
            Span::new(Tone::Bold, name),
            Span::new(Tone::Plain, remark),
        ];
        view.show(when, Block::Line(Line { indent: 0, spans }));
    };
    for (reason, entries) in reasons {
        for (index, entry) in entries.iter().enumerate() {
            let when = match index < INCOMPLETE_SHOWN {
                true => When::Always,
                false => When::Verbose,
            };
            match &entry.location {
                Some(location) => {
                    let remark = format!("({}): {reason}", short_place(location));
                    add(when, entry.name.clone(), remark);
                }
                None => add(when, format!("{}:", entry.name), reason.to_owned()),
            }
        }
        let left_out = entries.len().saturating_sub(INCOMPLETE_SHOWN) as u64;
        if left_out > 0 {
            let more = units::count_of(left_out, "more entry", "more entries");
            add(When::Brief, format!("{more}:"), reason.to_owned());
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
fn entries_table(entries: &[AngelicEntry]) -> Table {
    let mut analysed: Vec<&AngelicEntry> = entries.iter().filter(|entry| !entry.reused).collect();
    analysed.sort_by(|a, b| b.stats.seconds.total_cmp(&a.stats.seconds));
    let row = |entry: &&AngelicEntry| {
        let stats = &entry.stats;
        vec![
            entry.name.clone(),
            format!("{:.2}", stats.seconds),
            format!("{:.2}", stats.verify_seconds),
            format!("{:.2}", stats.explain_seconds),
            format!("{:.2}", stats.permissive_seconds),
            stats.traces.to_string(),
            stats.permissive_checks.to_string(),
            stats.solver_calls.to_string(),
        ]
    };
    let figures = [
        "seconds",
        "verify",
        "explain",
        "permit",
        "traces",
        "permissive",
        "solver calls",
    ];
    let figures = figures.map(|name| Column::number(name, Tone::Dim));
    Table {
        indent: 2,
        columns: std::iter::once(Column::text("entry", Tone::Dim))
            .chain(figures)
            .collect(),
        rows: analysed.iter().map(row).collect(),
    }
}

/// `3 warnings, 12 specifications assumed, 40 entries (2 incomplete), 512 dereferences of which 430 …, 3.2 s`.
fn summary(report: &AngelicReport) -> Line {
    let stats = &report.stats;
    let mut first = answer(report);
    first.text.push(',');
    let mut parts = Vec::new();
    if !report.bad_input {
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
    Line {
        indent: 0,
        spans: vec![first, Span::new(Tone::Plain, parts.join(", "))],
    }
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
