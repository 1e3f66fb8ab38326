//! What an engine answers.

use lariat_ir::ProcId;
use lariat_smt::{Doubt, Model};

use crate::path::Path;

/// The answer to "can the entry return?".
pub enum SearchOutcome {
    /// It can, along this path.
    Reached(Box<Counterexample>),
    /// It cannot, whatever the bound.
    Proved,
    /// It cannot within the bound; `cut` are the procedures whose activations the bound cut off and
    /// on which the answer rests, `deep` those whose calls were too deep on the stack.
    Bounded {
        bound: u32,
        cut: Vec<ProcId>,
        deep: Vec<ProcId>,
    },
    /// No answer, with the reason; `bound` is the largest bound that was completed.
    Unknown { reason: String, bound: Option<u32> },
}

/// A path to the end of the entry, with the solver's model of it.
pub struct Counterexample {
    pub path: Path,
    pub model: Model,
    /// Why the solver does not vouch for the model (`None`: it does).
    pub doubt: Option<Doubt>,
    /// The bound at which it was found.
    pub bound: u32,
}

#[derive(Clone, Copy, Default, Debug)]
pub struct EngineStats {
    /// Procedure instances, the entry's own too.
    pub inlined: u64,
    pub open_call_sites: u64,
    /// Call sites that share an instance which was there already.
    pub merged: u64,
    pub solver_calls: u64,
    pub solver_seconds: f64,
    /// The solver's own measure of its work.
    pub solver_effort: f64,
    /// Finding instances to share.
    pub merge_seconds: f64,
    /// Making and asserting instances.
    pub inline_seconds: f64,
    /// Passive forms, conditions and templates.
    pub vc_seconds: f64,
    /// Reading paths off models.
    pub model_seconds: f64,
    pub vc_nodes: u64,
    /// Facts of summaries after the last pause ([`crate::Session::learn`]).
    pub learned_facts: u64,
}
