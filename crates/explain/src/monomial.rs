//! MONOMIAL: the disjunction of all atoms that each imply the formula ([Angelic15], Algorithm 2, lines 6 and 7).

use lariat_smt::SolverError;
use lariat_term::{TermId, TermPool};

use crate::prover::{Prover, Satisfiability};

/// The atoms that imply the formula and can hold on the trace.
pub(crate) fn monomials(
    pool: &mut TermPool,
    prover: &mut Prover<'_>,
    atoms: &[TermId],
    formula: TermId,
) -> Result<Vec<TermId>, SolverError> {
    let mut found = Vec::new();
    for &atom in atoms {
        if prover.implies(pool, &[atom], formula)?
            && prover.check(pool, &[atom])? != Satisfiability::Impossible
        {
            found.push(atom);
        }
    }
    Ok(found)
}
