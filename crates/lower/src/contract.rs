//! Contracts of procedures, lowered once for each instance over its formal parameters.
//!
//! Every use substitutes what the formals stand for. In a postcondition `old(g)` is a variable,
//! the *snapshot* of `g`, which a use replaces too. Candidates are no part of a contract.

use lariat_boogie::typed::{self, Procedure, VarId};
use lariat_term::{TermId, VarId as PoolVar, VarSet};

use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

pub(crate) struct Clause<'a> {
    pub source: &'a typed::Contract,
    pub term: Lowers<TermId>,
    /// The globals that occur under `old`.
    pub old: Vec<VarId>,
}

/// A `where` clause with the place where it was written.
pub(crate) struct WhereClause {
    pub var: VarId,
    pub term: Lowers<TermId>,
}

pub(crate) struct Contract<'a> {
    pub requires: Vec<Clause<'a>>,
    pub ensures: Vec<Clause<'a>>,
    /// What the postconditions and the `where` clauses of the outs mention.
    pub post_vars: VarSet,
    /// The globals that occur under `old` in any clause, with their snapshots.
    pub snapshots: Vec<(VarId, PoolVar)>,
    pub modifies: Vec<(VarId, PoolVar)>,
    pub out_where: Vec<WhereClause>,
}

impl<'a> Lowering<'a> {
    /// The scope binds the formals; the snapshots that it gets are those of the instance.
    pub(crate) fn lower_contract(&mut self, procedure: &'a Procedure, scope: &mut Scope) -> Contract<'a> {
        let requires = self.lower_clauses(&procedure.requires, scope);
        let ensures = self.lower_clauses(&procedure.ensures, scope);
        let out_where: Vec<WhereClause> = procedure
            .outs
            .iter()
            .filter_map(|&var| self.lower_where(var, scope))
            .collect();
        let post_terms: Vec<TermId> = ensures
            .iter()
            .map(|clause| &clause.term)
            .chain(out_where.iter().map(|clause| &clause.term))
            .filter_map(|term| term.as_ref().ok().copied())
            .collect();
        let mut snapshots: Vec<(VarId, PoolVar)> = scope
            .snapshots
            .iter()
            .map(|(&var, &snapshot)| (var, snapshot))
            .collect();
        snapshots.sort_unstable();
        Contract {
            requires,
            ensures,
            post_vars: self.ir.pool.free_vars(&post_terms),
            snapshots,
            modifies: procedure
                .modifies
                .iter()
                .map(|&var| (var, self.shared_var(var)))
                .collect(),
            out_where,
        }
    }

    fn lower_clauses(&mut self, clauses: &'a [typed::Contract], scope: &mut Scope) -> Vec<Clause<'a>> {
        let mut lowered = Vec::with_capacity(clauses.len());
        for clause in clauses {
            if self.is_candidate(&clause.expr) {
                continue;
            }
            scope.used_snapshots.clear();
            let term = self.lower_expr(&clause.expr, scope);
            lowered.push(Clause {
                source: clause,
                term,
                old: scope.used_snapshots.keys().copied().collect(),
            });
        }
        lowered
    }

    /// The `where` clause of a parameter or local.
    pub(crate) fn lower_where(&mut self, var: VarId, scope: &mut Scope) -> Option<WhereClause> {
        let source = self.source;
        let clause = source.vars[var].where_clause.as_ref()?;
        Some(WhereClause {
            var,
            term: self.lower_expr(clause, scope),
        })
    }

    /// The pool's variable of a constant or global.
    pub(crate) fn shared_var(&self, var: VarId) -> PoolVar {
        self.shared_vars[var]
            .and_then(|term| self.ir.pool.as_var(term))
            .expect("constants and globals are declared first")
    }
}
