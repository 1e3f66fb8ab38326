//! How an engine goes about its problem.

use lariat_options::{Partition, UnfoldingFlags};

use crate::merge::MergePolicy;

/// Which open call sites are inlined.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExpandPolicy {
    /// Those on the counterexample of the over-approximation ([Corral12] Fig. 2, [Legion22] Alg. 2).
    OverRefine,
    /// Those in the unsat core of the under-approximation ([Legion22] Alg. 3).
    UnderWiden,
    /// One or the other: of all rounds this share (0 to 1) are refinements.
    Interleave(f64),
    /// One or the other, whichever makes more progress in this run.
    Adaptive,
    /// All within the bound, before the solver is asked: static inlining, the baseline and oracle.
    Eager,
}

/// When a search ends with its two parts instead of an answer ([`crate::split`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitPolicy {
    Never,
    /// When somebody waits for work and the search has taken some effort. Counts decide, not the clock.
    WhenAsked,
    /// In each round, until so many decisions are made: for tests.
    EachRound {
        depth: usize,
    },
}

#[derive(Clone, Debug)]
pub struct SearchOptions {
    pub expand: ExpandPolicy,
    pub merge: MergePolicy,
    /// The largest recursion bound; bounds from the first one on are tried in turn.
    pub max_bound: u32,
    /// The first recursion bound. To show that there is nothing within a smaller one can be much harder than to find what is within a larger
    /// one, which has all executions of the smaller one.
    pub first_bound: u32,
    pub unfolding: UnfoldingFlags,
    /// Procedures of one block are executed in place of their calls.
    pub in_place: bool,
    /// Callees that every execution of a procedure calls once are inlined with it.
    pub unavoidable: bool,
    /// A procedure whose tree of calls has at most this many statements is inlined with its caller.
    pub small_size: usize,
    /// Callees with a summary are not inlined with their callers: the summary mostly says all that matters.
    pub leave_summarised: bool,
    /// A refinement follows the path of its counterexample into what it has inlined, before another one is looked for.
    pub follow: bool,
    pub solver_options: Vec<(String, String)>,
    /// The path of a counterexample that the solver is unsure of is solved again at once; if not, the user of the
    /// search does that ([`crate::Session::reconsider`]).
    pub reconsider: bool,
    /// The search gives up after this much effort of the solver, in the solver's own count.
    pub effort: Option<u64>,
    /// The executions that are searched.
    pub partition: Partition,
    pub split: SplitPolicy,
    /// The search pauses when it has completed a bound and that rests on procedures that it has not told yet
    /// ([`crate::Session::take_proof`]).
    pub pause_at_proofs: bool,
    /// Check the unfolding after each round of inlining, and stop with an internal error if calls that may
    /// be on one execution share an instance.
    pub check_dag: bool,
    /// Log each step in words.
    pub log: bool,
    /// Log the unfolding as a graph when the search ends.
    pub log_dag: bool,
    /// Log everything that was asserted in the solver when the search ends.
    pub log_smt: bool,
}

impl Default for SearchOptions {
    /// Refinement with sharing, at bound 1.
    fn default() -> Self {
        SearchOptions {
            expand: ExpandPolicy::OverRefine,
            merge: MergePolicy::default(),
            max_bound: 1,
            first_bound: 1,
            unfolding: UnfoldingFlags::default(),
            in_place: true,
            unavoidable: true,
            small_size: 0,
            leave_summarised: false,
            follow: false,
            solver_options: vec![("smt.mbqi".into(), "false".into())],
            reconsider: true,
            effort: None,
            partition: Partition::default(),
            split: SplitPolicy::Never,
            pause_at_proofs: false,
            check_dag: false,
            log: false,
            log_dag: false,
            log_smt: false,
        }
    }
}

impl SearchOptions {
    /// Whether a call is within the bound: `cost(c) ≤ r`, where a procedure may add to its own bound,
    /// and the stack is not too deep.
    pub fn allows(&self, bound: u32, extra: u32, cost: u32, depth: u32) -> bool {
        cost <= bound.saturating_add(extra) && !self.is_too_deep(depth)
    }

    /// Whether a call with so many unfinished ones is not followed, whatever the bound.
    pub fn is_too_deep(&self, depth: u32) -> bool {
        self.unfolding.stack_depth.is_some_and(|limit| depth > limit)
    }
}
