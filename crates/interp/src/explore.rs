//! Brute force: all executions of a program within small bounds and domains.
//!
//! The naive algorithm that the engines are tested against. A value is chosen when it is first
//! read, so a variable that nothing reads costs nothing.
//!
//! Invariants:
//! - a failure that is found is one: every value is a value of its sort, every assume, axiom and
//!   where-clause on the way was evaluated to true;
//! - `NoFailure { complete: true }` means that no execution of any length fails.

use lariat_base::Budget;
use lariat_ir::{AssertId, ProcId, Program};
use num_bigint::BigInt;

mod choice;
mod state;

/// The values to choose from. Booleans, bit-vectors of at most 3 bits and other sorts with few
/// values are always enumerated whole.
#[derive(Clone, Debug)]
pub struct Domains {
    pub ints: Vec<BigInt>,
    /// For wider bit-vectors, modulo 2^width.
    pub bit_patterns: Vec<BigInt>,
    /// How many elements of each uninterpreted sort.
    pub elements: u64,
}

impl Default for Domains {
    fn default() -> Self {
        Domains {
            ints: [0, 1, -1, 2].map(BigInt::from).to_vec(),
            bit_patterns: [0, 1, -1, 2].map(BigInt::from).to_vec(),
            elements: 2,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ExploreLimits {
    /// Visits of one loop head in a row, without leaving the loop.
    pub loop_visits: u32,
    /// Activations of one procedure on the stack.
    pub activations: u32,
    /// Statements in all.
    pub steps: u64,
}

impl Default for ExploreLimits {
    fn default() -> Self {
        ExploreLimits {
            loop_visits: 4,
            activations: 3,
            steps: 1_000_000,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExploreVerdict {
    Fails(AssertId),
    /// `complete`: no execution was cut, no domain sampled, nothing given up.
    NoFailure {
        complete: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Exploration {
    pub verdict: ExploreVerdict,
    /// Some execution returned from the entry.
    pub entry_returns: bool,
    /// Executions that ended, in whatever way.
    pub paths: u64,
    pub steps: u64,
    /// Some execution went beyond the bounds on loops and recursion.
    pub cut_by_bound: bool,
    /// Some choice was among more values than were tried.
    pub sampled: bool,
    /// Why some execution or the whole search was given up.
    pub given_up: Option<String>,
}

/// Executes the entry in all ways, up to the first failure.
pub fn explore(
    program: &Program,
    entry: ProcId,
    domains: &Domains,
    limits: &ExploreLimits,
    budget: &Budget,
) -> Exploration {
    state::Explorer::new(program, domains, limits, budget).run(entry)
}

#[cfg(test)]
mod tests;
