//! Algorithm 1 ([Corral12] Fig. 4 (a)): divide and conquer over the undecided globals.

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_smt::Stop;
use lariat_term::VarId;

use crate::path_program::PathProgram;
use crate::path_vc::{Feasibility, FreshVc};
use crate::refine::{RefineOptions, RefineStats, hierarchical};

/// `hrefine(T, ∅, P)`: each check abstracts the path anew and makes its condition.
pub(super) fn hrefine(
    path: &mut PathProgram,
    globals: &BTreeSet<VarId>,
    tracked: &BTreeSet<VarId>,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<(BTreeSet<VarId>, RefineStats), Stop> {
    let mut vc = FreshVc::new(path, options, budget)?;
    let mut is_correct = |set: &BTreeSet<VarId>| Ok(vc.feasibility(set)? == Feasibility::Infeasible);
    let needed = hierarchical(globals, tracked.clone(), BTreeSet::new(), &mut is_correct)?;
    Ok((needed, vc.stats))
}
