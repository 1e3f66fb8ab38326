//! The execution that was replayed, as values of the inputs and of everything that was chosen.

use lariat_interp::{Evaluation, Evaluator, NoOracle};
use lariat_term::{TermId, TermPool, Value, VarId};
use rustc_hash::FxHashMap;

use crate::wlp::Wlp;

pub(crate) struct Replayed {
    values: FxHashMap<VarId, Value>,
    evaluation: Evaluation,
}

impl Replayed {
    /// `None` if the events do not show the failure.
    pub fn new(pool: &TermPool, wlp: &Wlp) -> Option<Self> {
        let mut values: FxHashMap<VarId, Value> = wlp.values.iter().cloned().collect();
        let mut roots = wlp.conditions.clone();
        roots.push(wlp.failing);
        for var in pool.free_vars(&roots) {
            if let std::collections::hash_map::Entry::Vacant(entry) = values.entry(var) {
                entry.insert(Value::any_of(pool, pool.var_sort(var))?);
            }
        }
        let mut replayed = Replayed {
            values,
            evaluation: Evaluation::default(),
        };
        let fails = replayed.truth(pool, wlp.failing) == Some(false)
            && wlp
                .conditions
                .iter()
                .all(|&condition| replayed.truth(pool, condition) == Some(true));
        fails.then_some(replayed)
    }

    /// What a formula over inputs and choices was; `None` if it cannot be evaluated.
    pub fn truth(&mut self, pool: &TermPool, formula: TermId) -> Option<bool> {
        let value = Evaluator::new(pool).eval_in(&mut self.evaluation, formula, &self.values, &mut NoOracle);
        match value {
            Ok(Value::Bool(value)) => Some(value),
            _ => None,
        }
    }
}
