//! front end ─> ir ─ passes ─> ir ─> passive procedures ─> **Horn clauses ─> summaries ─> check** ─> proved
//!
//! Proofs without a bound. [`prove`] gives the whole program to Spacer as constrained Horn clauses and
//! turns its answer into summaries of procedures.
//!
//! Architecture invariant: nothing is called proved because Spacer says so, only because
//! [`lariat_summaries::check_inductive`] confirms the summaries.

mod clauses;
mod encode;
mod ghosts;
mod loosen;
mod prove;
mod regions;
mod solve;

pub use encode::Direction;
pub use prove::{ChcOptions, ChcOutcome, Proof, prove};
