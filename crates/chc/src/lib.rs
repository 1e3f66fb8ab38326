//! front end ─> ir ─ passes ─> ir ─> passive procedures ─> **Horn clauses ─> summaries ─> check** ─> proved
//!
//! Proofs without a bound. [`prove`] gives the whole program to Spacer as constrained Horn clauses and
//! turns its answer into summaries of procedures. [`prove_by_k_induction`] asks one query about the last
//! rounds of all loops.
//!
//! Architecture invariant: nothing is called proved because Spacer says so, only because
//! [`lariat_summaries::check_inductive`] confirms the summaries, or a condition of our own has no model.

mod clauses;
mod encode;
mod ghosts;
mod k_induction;
mod loosen;
mod prove;
mod readiness;
mod regions;
mod solve;
mod tail_calls;

pub use encode::Direction;
pub use k_induction::{KInductionOptions, KInductionOutcome, prove_by_k_induction};
pub use prove::{Attempt, ChcOptions, ChcOutcome, Proof, prove};
