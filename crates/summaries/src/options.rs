//! What an inference may do, and what it did.

use crate::candidates::{CandidateLimits, UserCandidates};

#[derive(Clone, Debug)]
pub struct SummaryOptions {
    /// The options of the search's solver.
    pub solver_options: Vec<(String, String)>,
    /// How many threads share the work. What is found depends on their number, so that it is not taken from
    /// the machine.
    pub threads: usize,
    /// Z3's effort for each thread and stage. Unlike time it is the same on every machine and under any
    /// load, so the same program always gets the same summaries.
    pub effort: u64,
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
            threads: 4,
            effort: 10_000_000,
            limits: None,
            query_effort: None,
            intervals: true,
            preconditions: Preconditions::BySize,
            minimise: true,
            user: UserCandidates::default(),
        }
    }
}

impl SummaryOptions {
    /// For a program of many procedures: the forms of [Corral12] §4.2 for two states, as far as they hold whatever the input.
    /// The effort grows with the program.
    pub fn typestate(solver_options: Vec<(String, String)>, procedures: usize) -> Self {
        SummaryOptions {
            threads: TYPESTATE_THREADS,
            effort: TYPESTATE_EFFORT * procedures as u64,
            limits: Some(CandidateLimits::TYPESTATE),
            preconditions: Preconditions::None,
            ..SummaryOptions::new(solver_options)
        }
    }
}

/// How many threads look for typestate facts.
const TYPESTATE_THREADS: usize = 2;
/// The effort of each of them for each procedure.
const TYPESTATE_EFFORT: u64 = 30_000;

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
    /// Of the solver, over all threads, in its own count.
    pub solver_effort: u64,
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
