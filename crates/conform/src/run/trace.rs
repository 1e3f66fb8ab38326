//! The C trace of each component in a counterexample.

use lariat_base::{SourceMap, Span};
use lariat_c_program::Scalar;
use lariat_report::rendering::location;
use lariat_report::{Change, ComponentRun, StuckComponent, TraceKind, TraceLine};
use lariat_term::{Value, VarId};
use num_bigint::BigInt;

use crate::abstraction::Control;
use crate::cegar::{Reason, Run, Stable, Violation};
use crate::cfa::{EdgeKind, Label, LocationId};
use crate::component::Component;
use crate::counterexample::ConcreteStep;
use crate::question::{CSide, Question};

pub fn runs(question: &Question, violation: &Violation, sources: &SourceMap) -> Vec<ComponentRun> {
    let stuck = match violation.reason {
        Reason::Deadlock => stuck(question, violation, sources),
        _ => Vec::new(),
    };
    let components = question.components.iter().zip(&question.sides);
    components
        .zip(&violation.runs)
        .enumerate()
        .map(|(number, ((component, side), run))| {
            let lines = Lines {
                question,
                component,
                side,
                sources,
            };
            let does_last = match violation.trace.last() {
                Some(&action) => component.alphabet.contains(action),
                None => true,
            };
            let is_wrong = does_last && matches!(violation.reason, Reason::NotAllowed(_));
            let mut trace = lines.of(run, is_wrong);
            trace.extend(stuck.get(number).and_then(|stuck| waiting(stuck, &trace)));
            ComponentRun {
                component: component.name.clone(),
                trace,
            }
        })
        .collect()
}

/// What a stuck component waits for, where it waits.
fn waiting(stuck: &StuckComponent, trace: &[TraceLine]) -> Option<TraceLine> {
    (!stuck.waits_for.is_empty()).then(|| TraceLine {
        indent: trace.last().map_or(0, |line| line.indent),
        kind: TraceKind::Failure,
        location: stuck.location.clone(),
        text: format!("waits for {}", stuck.waits_for.join(" or ")),
        ..TraceLine::default()
    })
}

/// Where each component is after the trace of a deadlock.
pub fn stuck(question: &Question, violation: &Violation, sources: &SourceMap) -> Vec<StuckComponent> {
    let components = question.components.iter().enumerate();
    components
        .zip(&violation.runs)
        .map(|((index, component), run)| {
            let last = run.path.controls.last().copied();
            let shared = component.shared_with(&question.components, index);
            let waits_for = match last.and_then(|control| component.stable(control, &shared)) {
                Some(Stable::Waits(offers)) => Some(question.actions.names(&offers)),
                Some(Stable::Ended | Stable::Unsupported) | None => None,
            };
            let span = match last {
                Some(Control::Inlined { location, .. }) => component.cfa.locations[location].span,
                _ => None,
            };
            StuckComponent {
                component: component.name.clone(),
                has_ended: waits_for.is_none(),
                waits_for: waits_for.unwrap_or_default(),
                location: span.map(|span| location(sources, span)),
            }
        })
        .collect()
}

struct Lines<'a> {
    question: &'a Question,
    component: &'a Component,
    side: &'a CSide,
    sources: &'a SourceMap,
}

impl Lines<'_> {
    /// `takes_part`: whether the component takes part in the last action, which is the wrong one.
    fn of(&self, run: &Run, takes_part: bool) -> Vec<TraceLine> {
        let mut lines = Vec::new();
        let own = &self.component.own;
        for (index, (step, &action)) in run.steps.iter().zip(&run.path.actions).enumerate() {
            let next = run.path.controls.get(index + 1);
            if let Some(&Control::At(location)) = run.path.controls.get(index) {
                self.location(location, next, step, &mut lines);
            }
            // The failing statement is already in the trace.
            let is_shown_already =
                action == own.error && lines.last().is_some_and(|line| line.kind == TraceKind::Failure);
            if !action.is_tau() && !is_shown_already {
                let indent = lines.last().map_or(0, |line: &TraceLine| line.indent);
                lines.push(TraceLine {
                    indent,
                    kind: TraceKind::External,
                    location: None,
                    text: self.question.actions.name(action),
                    ..TraceLine::default()
                });
            }
        }
        if let Some(last) = lines.last_mut().filter(|_| takes_part) {
            last.kind = TraceKind::Failure;
        }
        lines
    }

    fn location(
        &self,
        id: LocationId,
        next: Option<&Control>,
        step: &ConcreteStep,
        lines: &mut Vec<TraceLine>,
    ) {
        let data = &self.component.cfa.locations[id];
        if matches!(data.label, Label::Branch { .. } | Label::Return(_)) && data.parts.is_empty() {
            let line = data.span.map(|span| {
                let mut line = self.line(span, data.depth, TraceKind::Statement);
                if let Some(value) = self.branch(id, next) {
                    line.text = format!("{} is {value}", line.text);
                }
                line
            });
            lines.extend(line);
        }
        for (index, part) in data.parts.iter().enumerate() {
            let (Some(span), true) = (part.span, part.is_shown) else {
                continue;
            };
            let kind = match data.label {
                Label::Call(_) => TraceKind::External,
                Label::Fail(_) => TraceKind::Failure,
                _ => TraceKind::Statement,
            };
            let mut line = self.line(span, data.depth, kind);
            // A variable has the value that the last assignment of the run gives it.
            let later = &data.parts[index + 1..];
            let is_last = |var: &&VarId| !later.iter().any(|part| part.assigned.contains(var));
            line.changes = part
                .assigned
                .iter()
                .filter(is_last)
                .filter_map(|&var| self.change(var, step))
                .collect();
            lines.push(line);
        }
    }

    /// Whether the condition of a branch holds, judging by where the run goes.
    fn branch(&self, id: LocationId, next: Option<&Control>) -> Option<bool> {
        let &Control::At(next) = next? else {
            return None;
        };
        let edges = self
            .component
            .cfa
            .edges_of(id)
            .filter(|(_, edge)| edge.target == next);
        let kinds: Vec<EdgeKind> = edges.map(|(_, edge)| edge.kind).collect();
        match kinds.as_slice() {
            [EdgeKind::Then] => Some(true),
            [EdgeKind::Else] => Some(false),
            _ => None,
        }
    }

    fn line(&self, span: Span, depth: u32, kind: TraceKind) -> TraceLine {
        let text = self.sources.snippet(span);
        TraceLine {
            indent: depth,
            kind,
            location: Some(location(self.sources, span)),
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            ..TraceLine::default()
        }
    }

    fn change(&self, var: VarId, step: &ConcreteStep) -> Option<Change> {
        let original = self.component.cfa.originals.get(&var).copied().unwrap_or(var);
        let shown = self.side.names.vars.get(&original)?;
        let (_, value) = step.values.iter().find(|(own, _)| *own == var)?;
        let is_signed = matches!(
            self.side.program.types.scalar(shown.ty),
            Some(Scalar::Int { signed: true, .. })
        );
        Some(Change {
            name: shown.text.clone(),
            value: number(value, is_signed)?,
            is_global: false,
        })
    }
}

/// Floating point and maps are left out.
fn number(value: &Value, is_signed: bool) -> Option<String> {
    Some(match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Bv { value, width } => match is_signed && value.bit(u64::from(*width) - 1) {
            true => (value - (BigInt::from(1) << *width)).to_string(),
            false => value.to_string(),
        },
        _ => return None,
    })
}
