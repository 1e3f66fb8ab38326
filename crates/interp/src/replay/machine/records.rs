//! Values that the program shows of its executions.
//!
//! A record is no use of its variables: a variable that is open stays open, and the record shows the value once it is chosen.

use lariat_ir::{Record, Stmt};
use lariat_term::{TermId, Value, VarId};

use super::Machine;
use crate::environment::Overlay;
use crate::eval::Evaluation;
use crate::event::EventKind;
use crate::oracle::NoOracle;

/// Only this many records wait for values; of older ones any value is shown.
const MAX_WAITING: usize = 256;

/// A record whose variables may still get other values.
pub(super) struct Waiting {
    event: usize,
    activation: u32,
    value: TermId,
    vars: Vec<VarId>,
}

impl Machine<'_> {
    /// Shows the value, if the statement is there to show one; whether it is.
    pub(super) fn record(&mut self, stmt: &Stmt) -> bool {
        let Some(Record { value, .. }) = self.program.records.get(&stmt.id) else {
            return false;
        };
        let vars = self.free_vars(*value);
        let is_open =
            vars.iter().any(|&var| self.value(var).is_none()) || !self.pending.open_among(&vars).is_empty();
        if is_open {
            if self.waiting_records.len() >= MAX_WAITING {
                self.waiting_records.remove(0);
            }
            self.waiting_records.push(Waiting {
                event: self.events.len(),
                activation: self.top().number,
                value: *value,
                vars: vars.clone(),
            });
        }
        let shown = self.recorded_value(*value);
        let uses = vars.iter().map(|&var| self.cell(var, None)).collect();
        self.event(EventKind::Record { value: shown }, uses, Vec::new());
        true
    }

    /// What the oracle would say of functions must not depend on what is shown, so it is not asked.
    fn recorded_value(&mut self, value: TermId) -> Option<Value> {
        let environment = Overlay {
            inner: &self.stack.last()?.locals,
            outer: &self.globals,
        };
        self.evaluator
            .eval_in(&mut Evaluation::default(), value, &environment, &mut NoOracle)
            .ok()
    }

    /// The variable gets another value: what was recorded of the old one stays as it is.
    pub(super) fn settle_records(&mut self, var: VarId) {
        if !self.waiting_records.is_empty() {
            self.waiting_records
                .retain(|waiting| !waiting.vars.contains(&var));
        }
    }

    /// The value of an open variable was chosen.
    pub(super) fn show_in_records(&mut self, var: VarId) {
        let activation = self.top().number;
        let is_global = self.shared.contains(&var);
        let concerned: Vec<(usize, TermId)> = self
            .waiting_records
            .iter()
            .filter(|waiting| waiting.activation == activation || is_global)
            .filter(|waiting| waiting.vars.contains(&var))
            .map(|waiting| (waiting.event, waiting.value))
            .collect();
        for (event, value) in concerned {
            let value = self.recorded_value(value);
            if let Some(EventKind::Record { value: shown }) =
                self.events.get_mut(event).map(|event| &mut event.kind)
            {
                *shown = value;
            }
        }
    }

    /// Gives up the records from this event on.
    pub(super) fn forget_records(&mut self, from: usize) {
        self.waiting_records.retain(|waiting| waiting.event < from);
    }
}
