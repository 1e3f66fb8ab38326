//! The interface of a procedure: which values pass between it and its callers.

use lariat_term::VarId;

/// What a procedure's callers must know about. All lists of variables are in ascending order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    /// Globals whose value at the start may matter.
    pub ins: Vec<VarId>,
    /// Globals that the procedure may change and some caller may look at.
    pub outs: Vec<VarId>,
    /// For each in parameter, whether the body reads it.
    pub live_params: Vec<bool>,
    /// For each out parameter, whether some caller may look at it.
    pub live_outs: Vec<bool>,
}
