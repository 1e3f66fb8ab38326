//! CUBE: a conjunction of atoms that implies the formula (Vocab.Bool of [Angelic15] §4).
//!
//! The paper leaves open which one; there may be many and no weakest. Taken is one atom of each clause of the projected formula,
//! in the order of the text, such that all of them can hold together; then atoms are left out that the others do without.

use lariat_smt::SolverError;
use lariat_term::{TermId, TermPool};

use crate::cnf::Clause;
use crate::prover::{Prover, Satisfiability};

/// Choices that are tried.
const MAX_CHOICES: usize = 200;

/// The atoms of a cube, or `None` if none was found.
pub(crate) fn cube(
    pool: &mut TermPool,
    prover: &mut Prover<'_>,
    clauses: &[Clause],
    formula: TermId,
) -> Result<Option<Vec<TermId>>, SolverError> {
    let Some(mut chosen) = one_of_each(pool, prover, clauses)? else {
        return Ok(None);
    };
    let mut index = 0;
    while index < chosen.len() && chosen.len() > 1 {
        let mut others = chosen.clone();
        others.remove(index);
        match prover.implies(pool, &others, formula)? {
            true => chosen = others,
            false => index += 1,
        }
    }
    Ok(Some(chosen))
}

/// One literal of each clause, all of which can hold together: the first choice in lexicographic order.
fn one_of_each(
    pool: &mut TermPool,
    prover: &mut Prover<'_>,
    clauses: &[Clause],
) -> Result<Option<Vec<TermId>>, SolverError> {
    // The positions in the clauses that are chosen so far; all but the last are known to be possible together.
    let mut positions: Vec<usize> = vec![0];
    for _ in 0..MAX_CHOICES {
        let at = positions.len() - 1;
        if positions[at] >= clauses[at].len() {
            positions.pop();
            match positions.last_mut() {
                Some(last) => *last += 1,
                None => return Ok(None),
            }
            continue;
        }
        let chosen: Vec<TermId> = positions
            .iter()
            .zip(clauses)
            .map(|(&position, clause)| clause[position])
            .collect();
        if prover.check(pool, &chosen)? == Satisfiability::Impossible {
            positions[at] += 1;
        } else if positions.len() == clauses.len() {
            return Ok(Some(chosen));
        } else {
            positions.push(0);
        }
    }
    Ok(None)
}
