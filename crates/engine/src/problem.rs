//! What an engine is given.

use cranelift_entity::SecondaryMap;
use lariat_ir::{ProcId, Program};
use lariat_term::VarId;
use lariat_vc::GlobalInterface;

/// A prepared program and its question: can `entry` return?
pub struct Problem {
    pub program: Program,
    pub entry: ProcId,
    pub interfaces: SecondaryMap<ProcId, GlobalInterface>,
    /// The error flag of the instrumentation, if the question is about assertions.
    pub error: Option<VarId>,
}

/// Which open call sites are inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpandPolicy {
    /// Those on the counterexample of the over-approximation (seed 000 Fig. 2, seed 002 Alg. 2).
    OverRefine,
    /// All within the bound, before the solver is asked: static inlining, the baseline and oracle.
    Eager,
}

#[derive(Clone, Debug)]
pub struct SearchOptions {
    pub expand: ExpandPolicy,
    /// The largest recursion bound; bounds from 1 are tried in turn.
    pub max_bound: u32,
    /// At most this many activations on the stack.
    pub stack_depth: Option<u32>,
    /// A procedure whose tree of calls has at most this many statements is inlined with its caller.
    pub small_size: usize,
    pub solver_options: Vec<(String, String)>,
    pub seed: u32,
    /// Tell each step in words.
    pub log: bool,
}
