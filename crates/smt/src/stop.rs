//! Why there is no answer.

use lariat_base::Exhausted;

use crate::SolverError;

/// Why work with the solver stopped before it was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Exhausted(Exhausted),
    Solver(SolverError),
    /// The solver does not know, for this reason.
    GaveUp(String),
    /// The limit on the solver's effort is reached.
    OutOfEffort,
    /// A bug of ours.
    Internal(String),
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Self {
        Stop::Solver(error)
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Stop::Exhausted(exhausted)
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Exhausted(exhausted) => exhausted.fmt(f),
            Stop::Solver(error) => error.fmt(f),
            Stop::GaveUp(reason) => write!(f, "the solver gave up: {reason}"),
            Stop::OutOfEffort => f.write_str("limit on the solver's effort reached"),
            Stop::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for Stop {}
