//! A blocking formula as people want it: without clauses and literals that say nothing new.

use lariat_smt::SolverError;
use lariat_term::TermPool;

use crate::cnf::Clause;
use crate::prover::Prover;

/// Questions to the solver.
const MAX_QUESTIONS: usize = 60;

/// An equivalent set of clauses, given the background.
pub(crate) fn tidy(
    pool: &mut TermPool,
    prover: &mut Prover<'_>,
    mut clauses: Vec<Clause>,
) -> Result<Vec<Clause>, SolverError> {
    let mut questions = 0;
    // Long clauses are the first to go.
    let mut index = clauses.len();
    while index > 0 && clauses.len() > 1 && questions < MAX_QUESTIONS {
        index -= 1;
        questions += 1;
        let clause = clauses.remove(index);
        let others: Vec<_> = clauses.iter().map(|clause| pool.or(clause)).collect();
        let goal = pool.or(&clause);
        if !prover.implies(pool, &others, goal)? {
            clauses.insert(index, clause);
        }
    }
    for clause in &mut clauses {
        let mut position = clause.len();
        while position > 0 && clause.len() > 1 && questions < MAX_QUESTIONS {
            position -= 1;
            questions += 1;
            let literal = clause.remove(position);
            let rest = pool.or(clause);
            if !prover.implies(pool, &[literal], rest)? {
                clause.insert(position, literal);
            }
        }
    }
    Ok(clauses)
}
