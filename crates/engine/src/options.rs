//! How an engine goes about its problem.

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
