//! The view of a report of `lariat conform`: one part for each question, with the figures of the tables of [Magic04].

use std::borrow::Cow;

use lariat_report::{
    ComponentRun, ConformAsked, ConformExpectation, ConformPart, ConformReason, ConformReport,
    ConformViolation, FailureKind, Location, Severity, StuckComponent, TraceLine, UnknownCause, Verdict,
};
use serde_json::json;

use crate::format::text::{one_line, short_place};
use crate::units;
use crate::view::{Block, Column, Finding, Flow, Headline, Line, Obstacle, Span, Table, Tone, View, When};

pub fn view(report: &ConformReport) -> View<'_> {
    let mut view = View {
        diagnostics: &report.diagnostics,
        obstacles: report.specifications.iter().filter_map(obstacle).collect(),
        findings: report.specifications.iter().filter_map(finding).collect(),
        properties: json!({ "verdict": report.verdict.to_string() }),
        ..View::new(
            "conform",
            &report.files,
            Span::of_verdict(&report.verdict),
            report,
        )
    };
    let several = report.specifications.len() > 1;
    let (asked, open): (Vec<&ConformPart>, Vec<&ConformPart>) =
        report.specifications.iter().partition(|part| !is_open(part));
    for part in &asked {
        add_part(&mut view, part, &report.files);
        let when = match !several && part.verdict == Verdict::Proved {
            true => When::Normal,
            false => When::Verbose,
        };
        add_components(&mut view, part, when);
        for model in &part.models {
            view.add(Block::Model(model));
        }
    }
    add_open(&mut view, &open, &report.files);
    let shown = Verdict::overall(report.specifications.iter().map(|part| &part.verdict));
    // A run may have a verdict that no part has: bad input, a process that died.
    if shown.as_ref() != Some(&report.verdict) {
        add_run(&mut view, report);
    }
    view.add(Block::Whole);
    if several {
        view.add(Block::Gap);
        view.add(Block::Table(overview(&asked)));
    }
    let mut figures = vec![format!("{} in all", units::seconds(report.seconds))];
    if report.peak_memory_bytes > 0 {
        figures.push(units::bytes(report.peak_memory_bytes));
    }
    view.add(Block::Line(Line::new(0, Tone::Dim, figures.join(" · "))));
    view
}

fn obstacle(part: &ConformPart) -> Option<Obstacle<'_>> {
    matches!(part.verdict, Verdict::Unknown { .. }).then(|| Obstacle {
        is_error: false,
        message: claim(part),
        location: None,
    })
}

fn finding(part: &ConformPart) -> Option<Finding<'_>> {
    let violation = part.violation.as_ref()?;
    let (rule, rule_text) = match part.asked {
        ConformAsked::TraceInclusion => (
            "trace-inclusion",
            "the components do what the specification does not allow",
        ),
        ConformAsked::DeadlockFreedom => ("deadlock", "the components get stuck"),
        ConformAsked::Reachability => ("error-reached", FailureKind::ErrorReached.words()),
        ConformAsked::Temporal | ConformAsked::FairTemporal => (
            "temporal-property",
            "an execution of the components does not have the property",
        ),
        ConformAsked::Simulation | ConformAsked::WeakBisimulation => (
            "equivalence",
            "the components and the specification can be told apart",
        ),
    };
    let flow = |run: &'_ ComponentRun| format!("what {} does", run.component);
    let runs = violation.runs.iter();
    Some(Finding {
        rule: rule.to_owned(),
        rule_text: rule_text.to_owned(),
        is_error: part.verdict == Verdict::Bug,
        flows: runs
            .map(|run| Flow {
                title: Some(flow(run)),
                trace: &run.trace,
                steps: &[],
            })
            .collect(),
        properties: json!({
            "specification": part.specification,
            "actions": violation.steps.iter().map(|step| &step.action).collect::<Vec<_>>(),
            "allowed": violation.allowed,
        }),
        ..Finding::new(FailureKind::ErrorReached, claim(part), last_place(violation))
    })
}

fn add_part<'r>(view: &mut View<'r>, part: &'r ConformPart, files: &[String]) {
    let place = part.violation.as_ref().and_then(last_place);
    view.show(
        When::Always,
        Block::Headline(Headline {
            verdict: part.verdict.clone(),
            subject: place.map_or_else(|| files.join(" "), ToString::to_string),
            message: claim(part),
            id: None,
            location: place,
        }),
    );
    if let (Verdict::BugUnconfirmed { reason }, Some(_)) = (&part.verdict, &part.violation) {
        view.add(Block::Line(Line::labelled(
            2,
            Tone::Warn,
            "not confirmed",
            reason,
        )));
    }
    if part.is_unexpected() {
        let expected = match part.expect {
            Some(ConformExpectation::Violates) => "violates",
            _ => "conforms",
        };
        let text = format!("the project says that it {expected}");
        let line = Line::labelled(2, Tone::Warn, "not expected", text);
        view.show(When::Always, Block::Line(line));
    }
    if let Some(violation) = &part.violation {
        add_violation(view, part, violation);
    }
    add_advice(view, &part.verdict);
}

/// Time or memory ran out before anything was done for it.
fn is_open(part: &ConformPart) -> bool {
    matches!(part.verdict, Verdict::Unknown { .. }) && part.stats.predicate_iterations == 0
}

/// One headline for all questions that were not looked at.
fn add_open(view: &mut View<'_>, open: &[&ConformPart], files: &[String]) {
    let Some(first) = open.first() else {
        return;
    };
    let reason = match &first.verdict {
        Verdict::Unknown { reason, .. } => reason.as_str(),
        verdict => verdict.word(),
    };
    let names: Vec<&str> = open.iter().map(|part| name(part)).collect();
    view.headline(&first.verdict, files, format!("{}: {reason}", names.join(", ")));
}

/// The name of the specification, or a word for it.
fn name(part: &ConformPart) -> &str {
    match part.specification.as_str() {
        "" => "the specification",
        name => name,
    }
}

/// What the verdict says, in words.
fn claim(part: &ConformPart) -> String {
    let name = name(part);
    let components = || part.stats.components.iter().map(|stats| stats.component.as_str());
    let all = || together(&components().collect::<Vec<&str>>());
    match (&part.verdict, &part.violation, part.asked) {
        (Verdict::Unknown { reason, .. }, ..) | (Verdict::BugUnconfirmed { reason }, None, _) => {
            match part.asked {
                ConformAsked::DeadlockFreedom => format!("deadlock: {reason}"),
                ConformAsked::Reachability => reason.clone(),
                _ => format!("{name}: {reason}"),
            }
        }
        (Verdict::Proved, _, ConformAsked::TraceInclusion) => {
            let components: Vec<&str> = components().collect();
            format!("{name}: {} to it", conform(&components))
        }
        (Verdict::Proved, _, ConformAsked::DeadlockFreedom) => format!("{} cannot get stuck", all()),
        (Verdict::Proved, _, ConformAsked::Reachability) => {
            format!("{} cannot reach {}", all(), error_name(part))
        }
        (Verdict::Proved, _, ConformAsked::Temporal) => {
            format!("{name}: every execution of {} has the property", all())
        }
        (Verdict::Proved, _, ConformAsked::FairTemporal) => {
            format!("{name}: every fair execution of {} has the property", all())
        }
        (Verdict::Proved, _, ConformAsked::Simulation) => format!("{name}: it can do whatever {} can", all()),
        (Verdict::Proved, _, ConformAsked::WeakBisimulation) => {
            format!("{name}: nothing tells {} from it", all())
        }
        (_, Some(violation), ConformAsked::Temporal | ConformAsked::FairTemporal) => match violation.cycle {
            Some(_) => format!("{name}: {} can go on for ever without it", all()),
            None => format!("{name}: {} can stop without it", all()),
        },
        (_, Some(_), ConformAsked::Simulation) => format!("{name}: it cannot do all that {} can", all()),
        (_, Some(_), ConformAsked::WeakBisimulation) => format!("{name}: {} can be told from it", all()),
        (_, Some(violation), ConformAsked::TraceInclusion) => wrong(name, violation),
        (_, Some(_), ConformAsked::DeadlockFreedom) => format!("{} can get stuck", all()),
        (_, Some(_), ConformAsked::Reachability) => {
            format!("{} can reach {}", all(), error_name(part))
        }
        _ => name.to_owned(),
    }
}

/// What a program must never reach: the specification is `never …`.
fn error_name(part: &ConformPart) -> &str {
    part.specification.strip_prefix("never ").unwrap_or("an error")
}

fn conform(components: &[&str]) -> String {
    match components {
        [] => "the components conform".to_owned(),
        [one] => format!("{one} conforms"),
        many => format!("{} together conform", together(many)),
    }
}

/// Components as a subject; those of a crowd are not listed.
fn together(components: &[&str]) -> String {
    match components {
        [] => "the components".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] if first.len() < 4 => format!("{} and {last}", first.join(", ")),
        many => format!("the {} components", many.len()),
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
        (_, "return{other}") => format!("{name}: {who} returns a value that it does not mention"),
        _ => format!("{name} does not allow {who} to do `{}` here", last.action),
    }
}

/// Where the last step is taken in C.
fn last_place(violation: &ConformViolation) -> Option<&Location> {
    let mut waiting = violation.stuck.iter().filter(|stuck| !stuck.has_ended);
    if let Some(place) = waiting.find_map(|stuck| stuck.location.as_ref()) {
        return Some(place);
    }
    let last = violation.steps.last()?;
    let mut runs = violation.runs.iter();
    let run = runs.find(|run| last.components.contains(&run.component))?;
    run.trace.iter().rev().find_map(|line| line.location.as_ref())
}

fn add_violation<'r>(view: &mut View<'r>, part: &'r ConformPart, violation: &'r ConformViolation) {
    view.add(Block::Gap);
    match part.asked {
        ConformAsked::TraceInclusion => {
            let watching = Some(name(part));
            view.add(Block::Chart { watching, violation });
            add_allowed(view, name(part), violation);
        }
        ConformAsked::DeadlockFreedom => {
            let watching = None;
            view.add(Block::Chart { watching, violation });
            view.add(Block::Gap);
            for one in &violation.stuck {
                view.add(Block::Line(Line::new(2, Tone::Plain, stuck(one))));
            }
        }
        ConformAsked::Temporal
        | ConformAsked::FairTemporal
        | ConformAsked::Simulation
        | ConformAsked::WeakBisimulation => {
            let watching = None;
            view.add(Block::Chart { watching, violation });
            view.add(Block::Gap);
            for note in &violation.notes {
                view.add(Block::Line(Line::new(2, Tone::Plain, note.clone())));
            }
        }
        // One step of one component makes no chart.
        ConformAsked::Reachability => {}
    }
    for run in &violation.runs {
        if part.asked != ConformAsked::Reachability {
            view.add(Block::Gap);
            view.add(Block::Heading(run.component.clone()));
        }
        match run.trace.is_empty() {
            true => view.add(Block::Line(Line::new(2, Tone::Dim, "does nothing"))),
            false => view.add(Block::Trace(Cow::Owned(numbered(run, violation)))),
        }
    }
    view.add(Block::Gap);
}

/// What the specification allows instead of the last step.
fn add_allowed(view: &mut View<'_>, name: &str, violation: &ConformViolation) {
    if violation.reason != ConformReason::Refused {
        return;
    }
    let allowed = match violation.allowed.as_slice() {
        [] => format!("{name} allows nothing more here"),
        allowed => format!("{name} allows here: {}", allowed.join(", ")),
    };
    view.add(Block::Gap);
    view.add(Block::Line(Line::new(2, Tone::Good, allowed)));
}

/// What a component of a deadlock does, in words.
fn stuck(one: &StuckComponent) -> String {
    let place = match &one.location {
        Some(location) => format!(" in {}", short_place(location)),
        None => String::new(),
    };
    match (one.has_ended, one.waits_for.as_slice()) {
        (true, _) => format!("{} has ended", one.component),
        (false, []) => format!("{} can do nothing{place}", one.component),
        (false, waits) => format!("{} waits for {}{place}", one.component, waits.join(" or ")),
    }
}

/// The trace of a component; its actions have the numbers that they have in the chart.
fn numbered(run: &ComponentRun, violation: &ConformViolation) -> Vec<TraceLine> {
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

fn add_run(view: &mut View<'_>, report: &ConformReport) {
    let errors = report.diagnostics.iter();
    let errors = errors.filter(|one| one.severity == Severity::Error).count() as u64;
    let claim = match &report.verdict {
        Verdict::BadInput => format!("{}, nothing was checked", units::count(errors, "error")),
        Verdict::Unknown { reason, .. } => reason.clone(),
        verdict => verdict.word().to_owned(),
    };
    view.headline(&report.verdict, &report.files, claim);
    add_advice(view, &report.verdict);
}

fn add_advice(view: &mut View<'_>, verdict: &Verdict) {
    let Verdict::Unknown { cause, .. } = verdict else {
        return;
    };
    let advice = match cause {
        UnknownCause::Time => "raise --time-limit, or try another --minimise",
        UnknownCause::Memory => "raise --memory-limit, or try --levels both",
        _ => return,
    };
    view.add(Block::Line(Line::new(2, Tone::Dim, advice)));
}

/// How the components were abstracted, and the figures of the part.
fn add_components(view: &mut View<'_>, part: &ConformPart, when: When) {
    let stats = &part.stats;
    if stats.components.is_empty() {
        return;
    }
    let figures = [
        "locations",
        "expressions",
        "predicates",
        "branches in P",
        "MP states",
        "MA states",
    ];
    let figures = figures.map(|name| Column::number(name, Tone::Plain));
    let rows = stats.components.iter().map(|one| {
        vec![
            one.component.clone(),
            one.control_states.to_string(),
            one.expressions.to_string(),
            one.predicates.to_string(),
            one.branches.to_string(),
            one.predicate_states.to_string(),
            one.action_states.to_string(),
        ]
    });
    view.show(
        when,
        Block::Table(Table {
            indent: 2,
            columns: std::iter::once(Column::text("component", Tone::Plain))
                .chain(figures)
                .collect(),
            rows: rows.collect(),
        }),
    );
    let checks: u64 = stats.components.iter().map(|one| one.prover_checks).sum();
    let iterations = units::count(stats.predicate_iterations as u64, "iteration");
    let figures = [
        units::count(stats.states as u64, "state"),
        format!("{iterations} of predicates"),
        format!("{} of actions", stats.action_iterations),
        units::count(checks, "solver call"),
        units::seconds(stats.seconds),
    ];
    let line = Line::new(2, Tone::Dim, figures.join(" · "));
    view.show(when, Block::Line(line));
}

/// The table of [Magic04]: final states, branches in P, iterations of predicates and of actions, time.
fn overview(parts: &[&ConformPart]) -> Table {
    let rows = parts.iter().map(|part| {
        let stats = &part.stats;
        let branches: usize = stats.components.iter().map(|one| one.branches).sum();
        vec![
            match part.asked {
                ConformAsked::DeadlockFreedom => "deadlock".to_owned(),
                _ => one_line(name(part)),
            },
            part.verdict.word().to_owned(),
            stats.states.to_string(),
            branches.to_string(),
            stats.predicate_iterations.to_string(),
            stats.action_iterations.to_string(),
            units::seconds(stats.seconds),
        ]
    });
    let figures = ["verdict", "states", "|P|", "PIt", "LIt", "time"];
    let figures = figures.map(|name| Column::number(name, Tone::Plain));
    Table {
        indent: 2,
        columns: std::iter::once(Column::text("specification", Tone::Plain))
            .chain(figures)
            .collect(),
        rows: rows.collect(),
    }
}
