//! Algorithm 2 ([Corral12] Fig. 4 (b)): as Algorithm 1, with Boolean constants in place of
//! globals, inside one solver that is given the condition once.

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_smt::Stop;
use lariat_term::VarId;

use crate::path_program::PathProgram;
use crate::path_vc::{Feasibility, IncrementalVc};
use crate::refine::{RefineOptions, RefineStats, hierarchical};

/// `vcrefine(T, ∅, P)`.
pub(super) fn vcrefine(
    path: &mut PathProgram,
    globals: &BTreeSet<VarId>,
    tracked: &BTreeSet<VarId>,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<(BTreeSet<VarId>, RefineStats), Stop> {
    let mut vc = IncrementalVc::new(path, tracked, options, budget)?;
    let needed = search(&mut vc, globals, tracked, BTreeSet::new())?;
    Ok((needed, vc.stats()))
}

/// `vcrefine(T, D, P)` where `D` is what an unsat core of the concrete path does not name.
pub(super) fn vcrefine_with_core(
    path: &mut PathProgram,
    globals: &BTreeSet<VarId>,
    tracked: &BTreeSet<VarId>,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<(BTreeSet<VarId>, RefineStats), Stop> {
    let mut vc = IncrementalVc::new(path, tracked, options, budget)?;
    let mut dropped = BTreeSet::new();
    if vc.feasibility(globals)? == Feasibility::Infeasible {
        let core = vc.core(globals)?;
        dropped.extend(
            globals
                .difference(tracked)
                .filter(|global| !core.contains(global)),
        );
    }
    let needed = search(&mut vc, globals, tracked, dropped)?;
    Ok((needed, vc.stats()))
}

fn search(
    vc: &mut IncrementalVc<'_>,
    globals: &BTreeSet<VarId>,
    tracked: &BTreeSet<VarId>,
    dropped: BTreeSet<VarId>,
) -> Result<BTreeSet<VarId>, Stop> {
    let mut is_correct = |set: &BTreeSet<VarId>| Ok(vc.feasibility(set)? == Feasibility::Infeasible);
    hierarchical(globals, tracked.clone(), dropped, &mut is_correct)
}
