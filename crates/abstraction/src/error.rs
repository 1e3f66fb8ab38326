//! Why there is no answer.

use lariat_base::Exhausted;
use lariat_smt::SolverError;

/// Why work on a path stopped before it was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Exhausted(Exhausted),
    Solver(SolverError),
    /// The blocks are not a path of the program, which is a bug where the list was made.
    NotAPath(String),
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
            Stop::NotAPath(reason) => write!(f, "the blocks are no path of the program: {reason}"),
        }
    }
}

impl std::error::Error for Stop {}
