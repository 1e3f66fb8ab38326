//! `GlobalVars(e)` of [Corral12] §3: the globals that a term mentions.

use std::rc::Rc;

use lariat_term::{TermId, TermPool, VarId, VarSet};
use rustc_hash::FxHashMap;

/// The free variables of terms, remembered.
pub(crate) struct GlobalVars {
    globals: VarSet,
    free_vars: FxHashMap<TermId, Rc<[VarId]>>,
}

impl GlobalVars {
    pub(crate) fn new(globals: &[VarId]) -> Self {
        GlobalVars {
            globals: globals.iter().copied().collect(),
            free_vars: FxHashMap::default(),
        }
    }

    pub(crate) fn is_global(&self, var: VarId) -> bool {
        self.globals.contains(&var)
    }

    /// All free variables of a term, in ascending order.
    pub(crate) fn free_vars(&mut self, pool: &TermPool, term: TermId) -> Rc<[VarId]> {
        self.free_vars
            .entry(term)
            .or_insert_with(|| {
                let mut vars: Vec<VarId> = pool.free_vars(&[term]).into_iter().collect();
                vars.sort_unstable();
                vars.into()
            })
            .clone()
    }

    /// The globals among them.
    pub(crate) fn of(&mut self, pool: &TermPool, term: TermId) -> Rc<[VarId]> {
        let vars = self.free_vars(pool, term);
        if vars.iter().all(|&var| self.is_global(var)) {
            return vars;
        }
        vars.iter().copied().filter(|&var| self.is_global(var)).collect()
    }
}
