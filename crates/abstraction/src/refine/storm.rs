//! The linear refinement of the Storm checker ([23] in [Corral12]): |G − T| calls of `check`.

use std::collections::BTreeSet;

use lariat_base::Budget;
use lariat_smt::Stop;
use lariat_term::VarId;

use crate::path_program::PathProgram;
use crate::path_vc::{Feasibility, FreshVc};
use crate::refine::{RefineOptions, RefineStats};

/// Starts with all globals and drops one after the other, if the path stays correct without it.
/// What was needed once stays needed when less is tracked, so one round gives a minimal set.
pub(super) fn storm(
    path: &mut PathProgram,
    globals: &BTreeSet<VarId>,
    tracked: &BTreeSet<VarId>,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<(BTreeSet<VarId>, RefineStats), Stop> {
    let mut vc = FreshVc::new(path, options, budget)?;
    let mut needed = globals.clone();
    for global in globals.difference(tracked) {
        needed.remove(global);
        if vc.feasibility(&needed)? != Feasibility::Infeasible {
            needed.insert(*global);
        }
    }
    Ok((needed, vc.stats))
}
