//! ProjectAtoms: the clauses of the formula without the literals that are not in the vocabulary ([Angelic15] §4).
//!
//! Clauses that the solver proves and literals that it refutes are dropped before. Where distribution makes too many
//! clauses, literals outside the vocabulary are taken away first: the result is then stronger than it would have to
//! be where both a literal and its negation are outside.
//!
//! A literal outside the vocabulary stays if it may stand beside those that are kept of its clause; alone it never does.

use lariat_smt::SolverError;
use lariat_term::{TermId, TermPool};
use rustc_hash::FxHashSet;

use crate::cnf::{Clause, clauses, without_subsumed};
use crate::prover::Prover;

/// Clauses while distributing.
const MAX_CLAUSES: usize = 200;

pub(crate) enum Projection {
    Clauses(Vec<Clause>),
    /// Nothing is left of this clause.
    Empty(Clause),
    TooLarge,
}

pub(crate) fn project_atoms(
    pool: &mut TermPool,
    prover: &mut Prover<'_>,
    formula: TermId,
    atoms: &FxHashSet<TermId>,
    may_stand_beside: &dyn Fn(&TermPool, TermId, &[TermId]) -> bool,
) -> Result<Projection, SolverError> {
    let Some(all) = clauses(pool, formula, MAX_CLAUSES, |_| true) else {
        let projected = clauses(pool, formula, MAX_CLAUSES, |literal| atoms.contains(&literal));
        return Ok(match projected {
            None => Projection::TooLarge,
            Some(clauses) if clauses.iter().any(Vec::is_empty) => Projection::TooLarge,
            Some(clauses) => Projection::Clauses(clauses),
        });
    };
    let mut projected = Vec::new();
    for clause in all {
        let whole = pool.or(&clause);
        if prover.implies(pool, &[], whole)? {
            continue;
        }
        let mut kept: Clause = clause
            .iter()
            .copied()
            .filter(|literal| atoms.contains(literal))
            .collect();
        if kept.is_empty() {
            return Ok(Projection::Empty(clause));
        }
        let is_beside =
            |literal: &TermId| !atoms.contains(literal) && may_stand_beside(pool, *literal, &kept);
        let beside: Clause = clause.iter().copied().filter(is_beside).collect();
        kept.extend(beside);
        kept.sort_unstable();
        projected.push(kept);
    }
    Ok(Projection::Clauses(without_subsumed(projected)))
}
