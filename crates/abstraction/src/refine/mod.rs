//! Refinement: a minimal set of globals that, tracked, rules out a spurious path ([Corral12] §3.1).
//!
//! All algorithms are given a path `P` with `Abstract(P, G)` correct (it has no execution) and the set
//! `T` that is tracked already. They return a set `R ⊇ T` with `Abstract(P, R)` correct and
//! `Abstract(P, R')` buggy for every `T ⊆ R' ⊂ R` (Theorem 1). What the solver cannot say counts as
//! buggy: then more is tracked than must be, which is sound, and `R` still rests on an `unsat` answer.

mod hrefine;
mod storm;
mod vcrefine;

use std::collections::BTreeSet;
use std::time::Instant;

use lariat_base::Budget;
/// How a spurious path is refuted.
pub use lariat_options::RefinementAlgorithm as Algorithm;
use lariat_smt::Stop;
use lariat_term::VarId;

use crate::path_program::PathProgram;
use crate::path_vc::{Feasibility, FreshVc};

#[derive(Clone, Debug, Default)]
pub struct RefineOptions {
    pub solver_options: Vec<(String, String)>,
}

/// What a refinement cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefineStats {
    pub solver_calls: u64,
    /// In the solver.
    pub solver_seconds: f64,
    /// In all, abstraction and conditions too.
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct Refinement {
    /// `R`, with all of `T`.
    pub tracked: BTreeSet<VarId>,
    pub stats: RefineStats,
}

/// Finds a minimal set of globals to track. The path must have no execution with all globals.
pub fn refine(
    algorithm: Algorithm,
    path: &mut PathProgram,
    tracked: &BTreeSet<VarId>,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<Refinement, Stop> {
    let started = Instant::now();
    let globals = path.globals().clone();
    let already: BTreeSet<VarId> = globals
        .iter()
        .copied()
        .filter(|global| tracked.contains(global) || Some(*global) == path.error)
        .collect();
    let (needed, stats) = match algorithm {
        Algorithm::Storm => storm::storm(path, &globals, &already, options, budget)?,
        Algorithm::HRefine => hrefine::hrefine(path, &globals, &already, options, budget)?,
        Algorithm::VcRefine => vcrefine::vcrefine(path, &globals, &already, options, budget)?,
        Algorithm::Cores => vcrefine::vcrefine_with_core(path, &globals, &already, options, budget)?,
    };
    let mut tracked = tracked.clone();
    tracked.extend(needed);
    Ok(Refinement {
        tracked,
        stats: RefineStats {
            seconds: started.elapsed().as_secs_f64(),
            ..stats
        },
    })
}

/// The recursion that Algorithms 1 and 2 share; `is_correct` is lines 3 and 4 of either. The line
/// numbers are those of Fig. 4. Its depth is at most log₂ |G| + 1, since each call halves what is undecided.
fn hierarchical(
    globals: &BTreeSet<VarId>,
    tracked: BTreeSet<VarId>,
    dropped: BTreeSet<VarId>,
    is_correct: &mut dyn FnMut(&BTreeSet<VarId>) -> Result<bool, Stop>,
) -> Result<BTreeSet<VarId>, Stop> {
    let undecided: Vec<VarId> = globals
        .iter()
        .copied()
        .filter(|global| !tracked.contains(global) && !dropped.contains(global))
        .collect();
    // 1, 2
    if undecided.is_empty() {
        return Ok(tracked);
    }
    // 3–5
    if is_correct(&tracked)? {
        return Ok(tracked);
    }
    // 6, 7
    if undecided.len() == 1 {
        return Ok(globals.difference(&dropped).copied().collect());
    }
    // 8: not at random but in the middle, so that the same input gives the same queries.
    let (first, second) = undecided.split_at(undecided.len() / 2);
    // 9
    let with_second: BTreeSet<VarId> = tracked.iter().chain(second).copied().collect();
    let answer = hierarchical(globals, with_second, dropped.clone(), is_correct)?;
    // 10
    let mut with_needed = tracked;
    let mut without_rest = dropped;
    for &global in first {
        if answer.contains(&global) {
            with_needed.insert(global);
        } else {
            without_rest.insert(global);
        }
    }
    // 11
    hierarchical(globals, with_needed, without_rest, is_correct)
}

/// Whether the set refutes the path and no variable of it beyond `tracked` can be spared, by definition.
pub fn is_minimal(
    path: &mut PathProgram,
    tracked: &BTreeSet<VarId>,
    refined: &BTreeSet<VarId>,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut vc = FreshVc::new(path, options, budget)?;
    if vc.feasibility(refined)? != Feasibility::Infeasible {
        return Ok(false);
    }
    for spared in refined.difference(tracked) {
        let mut rest = refined.clone();
        rest.remove(spared);
        if vc.feasibility(&rest)? == Feasibility::Infeasible {
            return Ok(false);
        }
    }
    Ok(true)
}
