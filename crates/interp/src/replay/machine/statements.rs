//! What statements do, and what they read and write.

use std::sync::Arc;

use lariat_ir::{AssertKind, Stmt, StmtKind};
use lariat_term::{TermId, Value, VarId};
use rustc_hash::FxHashMap;

use super::{Machine, Progress};
use crate::eval::Evaluation;
use crate::event::{Change, ChangeKind, ElementChange, EventKind, Flow, Read};
use crate::replay::access::{Plan, TermPlan, index_values};
use crate::replay::{ReplayGoal, ReplayOutcome};
use crate::trace::TraceStep;

/// What an assignment does to its target.
enum Update {
    /// `None`: the value is not known.
    Whole(Option<Value>),
    /// Elements of a map, in order.
    Elements(Vec<(Vec<Value>, Value)>),
}

impl<'a> Machine<'a> {
    pub(super) fn statement(&mut self, stmt: &'a Stmt) -> Progress {
        match &stmt.kind {
            StmtKind::Enter(_) => {}
            StmtKind::Assume(condition) => {
                let plan = self.plan(self.place(), stmt);
                let holds = self.assume(*condition, &plan.vars);
                let uses = self.reads(&plan);
                if !holds {
                    let text = self.program.pool.term_text(*condition);
                    return Err(self.diverged(format!("an assumption does not hold: {}", shortened(&text))));
                }
                self.event(EventKind::Assume, uses, Vec::new());
            }
            StmtKind::Assert { condition, assert } => {
                let plan = self.plan(self.place(), stmt);
                self.pending.clear();
                self.materialise(&plan.vars);
                let holds = match self.holds(&mut Evaluation::default(), *condition) {
                    Ok(holds) => holds,
                    Err(error) => {
                        self.doubt(&error);
                        // The trace ends where the assertion fails.
                        self.trace_goes_on()
                    }
                };
                let is_goal = match &self.options.goal {
                    ReplayGoal::AnyAssert => true,
                    ReplayGoal::Asserts(goals) => goals.contains(assert),
                };
                let uses = self.reads(&plan);
                let info = &self.program.asserts[*assert];
                if !holds && self.free_run.is_some() && matches!(info.kind, AssertKind::Unsupported(_)) {
                    return Err(self.diverged("a call that does not matter cannot be executed".into()));
                }
                if holds {
                    self.event(EventKind::AssertHeld, uses, Vec::new());
                } else if is_goal {
                    let kind = EventKind::AssertFailed {
                        assert: *assert,
                        values: self.values_of(&uses),
                    };
                    self.event(kind, uses, Vec::new());
                    return Err(ReplayOutcome::AssertionFailed {
                        assert: *assert,
                        span: self.program.asserts[*assert].span.or(stmt.span),
                    });
                }
            }
            StmtKind::Assign(assignments) => self.assign(stmt, assignments),
            StmtKind::Havoc(vars) => {
                // A record that changes nothing is one event.
                if !self.record(stmt) || !vars.is_empty() {
                    self.havoc(stmt, vars)?;
                }
            }
            StmtKind::Call(call) if self.trace.has_threads && self.primitive(stmt, call)? => return Ok(()),
            StmtKind::Call(call) => return self.call(stmt, call),
        }
        self.top_mut().place.index += 1;
        Ok(())
    }

    fn assign(&mut self, stmt: &Stmt, assignments: &[(VarId, TermId)]) {
        let plan = self.plan(self.place(), stmt);
        self.pending.clear();
        self.materialise(&plan.vars);
        let mut evaluation = Evaluation::default();
        let updates: Vec<Update> = plan
            .terms
            .iter()
            .map(|term| self.update(&mut evaluation, term))
            .collect();
        let targets: Vec<VarId> = assignments.iter().map(|&(var, _)| var).collect();
        let flows = self.flows(&plan, &targets, &evaluation);
        // Maps that the evaluation still held would be copied when they are written.
        drop(evaluation);
        let changes = targets
            .into_iter()
            .zip(updates)
            .filter_map(|(var, update)| match update {
                Update::Whole(value) => {
                    let old = self.set(var, value.clone());
                    Change::between(var, old, value)
                }
                Update::Elements(elements) => self.set_elements(var, elements),
            })
            .collect();
        self.event(EventKind::Assign { changes }, Vec::new(), flows);
    }

    /// What an assignment does to its target.
    fn update(&mut self, evaluation: &mut Evaluation, term: &TermPlan) -> Update {
        let Some(written) = &term.written else {
            return Update::Whole(self.eval_or_doubt(evaluation, term.term));
        };
        let mut elements = Vec::new();
        // The innermost update comes first.
        for element in written.iter().rev() {
            let indices: Option<Vec<Value>> = element
                .indices
                .iter()
                .map(|&index| self.eval_or_doubt(evaluation, index))
                .collect();
            match (indices, self.eval_or_doubt(evaluation, element.value)) {
                (Some(indices), Some(value)) => elements.push((indices, value)),
                _ => return Update::Whole(None),
            }
        }
        Update::Elements(elements)
    }

    /// Writes elements of a map in place.
    fn set_elements(&mut self, var: VarId, elements: Vec<(Vec<Value>, Value)>) -> Option<Change> {
        let Some(Value::Map(mut map)) = self.set(var, None) else {
            return None;
        };
        let mut changes: Vec<ElementChange> = Vec::new();
        let data = Arc::make_mut(&mut map);
        for (indices, new) in elements {
            let old = data.get(&indices).clone();
            data.set(indices.clone(), new.clone());
            match changes.iter_mut().find(|change| change.indices == indices) {
                Some(change) => change.new = new,
                None => changes.push(ElementChange { indices, old, new }),
            }
        }
        changes.retain(|change| change.old != change.new);
        self.set(var, Some(Value::Map(map)));
        (!changes.is_empty()).then_some(Change {
            var,
            kind: ChangeKind::Elements(changes),
        })
    }

    fn havoc(&mut self, stmt: &Stmt, vars: &[VarId]) -> Progress {
        let mut chosen: FxHashMap<VarId, Value> = FxHashMap::default();
        if let Some(TraceStep::Havoc(id, values)) = self.next_step()
            && *id == stmt.id
        {
            chosen.extend(values.iter().cloned());
            self.use_step();
        }
        let mut changes = Vec::new();
        let mut flows = Vec::new();
        for &var in vars {
            let value = chosen.remove(&var);
            let old = match &value {
                Some(value) => self.set_from_trace(var, value.clone())?,
                None => self.set(var, None),
            };
            if value.is_none() {
                let cell = self.cell(var, None);
                self.opened.insert((cell.activation, var), self.events.len());
            }
            let change = Change::between(var, old, value.clone()).or_else(|| chosen_again(var, value));
            changes.extend(change);
            flows.push(Flow {
                target: self.cell(var, None),
                sources: Vec::new(),
                is_copy: false,
            });
        }
        self.event(EventKind::Havoc { changes }, Vec::new(), flows);
        Ok(())
    }

    /// What the condition of an assume or assert read.
    pub(super) fn reads(&mut self, plan: &Plan) -> Vec<Read> {
        // Evaluated again because the values of open variables may have been chosen since.
        let mut evaluation = Evaluation::default();
        let mut reads = Vec::new();
        for term in &plan.terms {
            if !term.reads.elements.is_empty() {
                let _ = self.eval(&mut evaluation, term.term);
            }
            let cells = term.reads.evaluated(&evaluation);
            reads.extend(cells.into_iter().map(|(var, indices)| self.cell(var, indices)));
        }
        reads
    }

    pub(super) fn values_of(&self, reads: &[Read]) -> Vec<(Read, Value)> {
        reads
            .iter()
            .filter_map(|read| {
                let value = match (self.value(read.var)?, &read.indices) {
                    (Value::Map(map), Some(indices)) => map.get(indices),
                    (value, _) => value,
                };
                Some((read.clone(), value.clone()))
            })
            .collect()
    }

    /// One flow for each target, or one for each element of a map that was written.
    pub(super) fn flows(&self, plan: &Plan, targets: &[VarId], evaluation: &Evaluation) -> Vec<Flow> {
        let mut flows = Vec::new();
        for (&target, term) in targets.iter().zip(&plan.terms) {
            let sources: Vec<Read> = term
                .reads
                .evaluated(evaluation)
                .into_iter()
                .map(|(var, indices)| self.cell(var, indices))
                .collect();
            let elements: Vec<Option<Vec<Value>>> = match &term.written {
                Some(written) => written
                    .iter()
                    .map(|element| index_values(evaluation, &element.indices))
                    .collect(),
                None => vec![None],
            };
            flows.extend(elements.into_iter().map(|indices| Flow {
                target: self.cell(target, indices),
                sources: sources.clone(),
                is_copy: term.is_copy,
            }));
        }
        flows
    }
}

/// A text of at most a line.
fn shortened(text: &str) -> String {
    const MAX: usize = 200;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// A value that was chosen although the variable had it already: still a choice.
fn chosen_again(var: VarId, value: Option<Value>) -> Option<Change> {
    match value {
        None | Some(Value::Map(_)) => None,
        value => Some(Change {
            var,
            kind: ChangeKind::Whole {
                old: value.clone(),
                new: value,
            },
        }),
    }
}
