//! What an inference may do, and what it did.

use std::time::Duration;

use crate::candidates::{CandidateLimits, UserCandidates};

#[derive(Clone, Debug)]
pub struct SummaryOptions {
    /// As the search has them.
    pub solver_options: Vec<(String, String)>,
    pub threads: usize,
    /// For everything together; the budget may be shorter.
    pub time: Duration,
    /// `None`: by the size of the program.
    pub limits: Option<CandidateLimits>,
    /// Z3's `rlimit` for one query: the same in every run, unlike seconds. `None`: by the size of the program.
    pub query_effort: Option<u32>,
    /// Ranges of outputs first, without a solver.
    pub intervals: bool,
    pub preconditions: Preconditions,
    /// Leave out facts that follow from others.
    pub minimise: bool,
    pub user: UserCandidates,
}

/// Which procedures get preconditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preconditions {
    None,
    /// Recursive ones, loops above all.
    Recursive,
    All,
    /// All in a program of a few procedures, recursive ones in others.
    BySize,
}

impl SummaryOptions {
    pub fn new(solver_options: Vec<(String, String)>) -> Self {
        SummaryOptions {
            solver_options,
            threads: std::thread::available_parallelism().map_or(1, |cores| cores.get().min(8)),
            time: Duration::from_secs(5),
            limits: None,
            query_effort: None,
            intervals: true,
            preconditions: Preconditions::BySize,
            minimise: true,
            user: UserCandidates::default(),
        }
    }
}

/// What an inference did.
#[derive(Clone, Debug, Default)]
pub struct SummaryStats {
    pub procedures: usize,
    pub candidates: usize,
    /// Facts in the summaries, those of the interval analysis included.
    pub kept: usize,
    /// Of these, facts of the interval analysis.
    pub interval_facts: usize,
    pub queries: u64,
    /// In the solver, over all threads.
    pub solver_seconds: f64,
    pub seconds: f64,
    pub candidate_seconds: f64,
    pub post_seconds: f64,
    pub precondition_seconds: f64,
    pub minimise_seconds: f64,
    /// Whether both fixpoints were reached for all procedures.
    pub fixpoint: bool,
    /// Why nothing was inferred, if the solver failed.
    pub failure: Option<String>,
}
