//! open program ─ instrument ─> one program for all questions ─ **entry by entry: verify, explain, permissive?** ─> report
//!
//! Angelic verification ([Angelic15]): a failing execution is a warning only if no acceptable specification of the
//! environment excludes it.
//!
//! | paper | here |
//! |---|---|
//! | Algorithm 1 | [`analysis`] |
//! | Definition 1, permissive preconditions | [`permissive`] |
//! | `P_{A1,A2}`, the program with two kinds of assertions | [`instrument`] |
//! | Algorithm 2, ExplainError | crate `explain` |
//! | calls in which nothing fails any more | [`summary`] |
//! | a weaker specification where one is not acceptable | [`weaken`] |
//! | procedures that do not return (KeBugCheck) | [`noreturn`] |
//! | all entry points, in parallel (§5.2) | [`schedule`] |
//!
//! Architecture invariants:
//! - the result for an entry depends on the code that it reaches and on the question only, never on timing (except where
//!   time runs out): so it can be kept for the next run;
//! - an assertion that was reported for an entry is assumed in the entries that call it;
//! - every warning was replayed by the interpreter, or says why not.

mod analysis;
mod can_fail;
mod chosen;
mod coarse;
mod cone;
mod definite;
mod fingerprint;
mod found;
mod generalise;
mod given;
mod instrument;
mod noreturn;
mod open_search;
mod permissive;
mod reuse;
mod run;
mod schedule;
mod specification;
mod subsumed;
mod summary;
mod unfolding;
mod warnings;
mod weaken;

pub use run::angelic;
