//! What an explanation relies on because memory is fresh, as lemmas for solvers that do not know it.

use lariat_smt::SolverError;
use lariat_term::{TermId, TermPool};

use crate::prover::Prover;
use crate::wlp::{SymbolKind, Wlp};
use crate::{Blocking, Reduced, blocking, whole_wlp};

/// What it may cost to find out which facts are needed: all of them would do.
const EFFORT: u32 = 20_000;

/// The disequalities of fresh memory without which the formula would not exclude the failure, one lemma each.
pub(crate) fn lemmas_for(
    pool: &mut TermPool,
    wlp: &Wlp,
    reduced: &Reduced,
    formula: TermId,
    prover: &mut Prover<'_>,
    solver_calls: &mut u64,
) -> Result<Vec<Blocking>, SolverError> {
    if reduced.freshness.is_empty() {
        return Ok(Vec::new());
    }
    let needed = needed(pool, wlp, reduced, Some(formula), prover, solver_calls)?;
    // Where the solver gives no answer, all that can be named are given.
    let facts = needed.unwrap_or_else(|| reduced.freshness.clone());
    Ok(facts
        .into_iter()
        .filter(|&fact| is_nameable(pool, wlp, fact))
        .map(|fact| blocking(pool, wlp, fact))
        .collect())
}

/// A lemma that excludes the trace; `None` if there is none.
pub(crate) fn excluding_lemma(
    pool: &mut TermPool,
    wlp: &Wlp,
    reduced: &Reduced,
    prover: &mut Prover<'_>,
    solver_calls: &mut u64,
) -> Result<Option<Blocking>, SolverError> {
    let needed = needed(pool, wlp, reduced, None, prover, solver_calls)?;
    // All of them exclude it for sure.
    let facts = needed.unwrap_or_else(|| reduced.freshness.clone());
    if facts.is_empty() || !facts.iter().all(|&fact| is_nameable(pool, wlp, fact)) {
        return Ok(None);
    }
    let lemma = pool.and(&facts);
    Ok(Some(blocking(pool, wlp, lemma)))
}

/// A part of the freshness facts that excludes the failure, perhaps together with a formula.
fn needed(
    pool: &mut TermPool,
    wlp: &Wlp,
    reduced: &Reduced,
    formula: Option<TermId>,
    prover: &mut Prover<'_>,
    solver_calls: &mut u64,
) -> Result<Option<Vec<TermId>>, SolverError> {
    let mut prover = prover.another(EFFORT)?;
    for &fact in &wlp.background {
        prover.assume(pool, fact)?;
    }
    let wlp_formula = whole_wlp(pool, wlp);
    let failure = pool.not(wlp_formula);
    let mut formulas = reduced.freshness.clone();
    formulas.push(failure);
    formulas.extend(formula);
    let conflict = prover.conflict(pool, &formulas)?;
    *solver_calls += prover.calls();
    Ok(conflict.map(|positions| {
        positions
            .into_iter()
            .filter_map(|position| reduced.freshness.get(position).copied())
            .collect()
    }))
}

/// Whether everything in the fact is an input or a placeholder.
fn is_nameable(pool: &TermPool, wlp: &Wlp, fact: TermId) -> bool {
    pool.free_vars(&[fact])
        .into_iter()
        .all(|var| wlp.symbols.kind(var) != Some(SymbolKind::Internal))
}
