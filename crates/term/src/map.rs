//! Sets of variables.

use rustc_hash::FxHashSet;

use crate::pool::VarId;

/// A set of variables.
pub type VarSet = FxHashSet<VarId>;
