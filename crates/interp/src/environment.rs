//! Where the evaluator finds the values of variables.

use lariat_term::{Value, VarId};
use rustc_hash::FxHashMap;

/// Values of variables.
pub trait Environment {
    /// `None` if the variable has no value (yet).
    fn value(&self, var: VarId) -> Option<&Value>;
}

impl Environment for FxHashMap<VarId, Value> {
    fn value(&self, var: VarId) -> Option<&Value> {
        self.get(&var)
    }
}

/// The inner environment hides the outer one.
pub struct Overlay<'a> {
    pub inner: &'a dyn Environment,
    pub outer: &'a dyn Environment,
}

impl Environment for Overlay<'_> {
    fn value(&self, var: VarId) -> Option<&Value> {
        self.inner.value(var).or_else(|| self.outer.value(var))
    }
}
