//! Modular verification of Boogie programs: `lariat boogie`.
//!
//! ```text
//! files ─ boogie, lower (modular) ─> IR ─ inline, unroll, cut ─> loop-free bodies ─ condition ─> ProcVc ─ smt ─> failures
//! ```
//!
//! Every body is checked against its contract on its own, as Boogie does it; the output is Boogie's, line by line.
//!
//! Architecture invariants:
//! - only an `unsat` of the solver makes a body verified, and only if nothing in it is unsupported;
//! - each worker makes conditions in its own copy of the program and forgets them after each batch of bodies, so that
//!   what the solver is asked does not depend on the number of workers; one context and one solver per body or batch;
//! - what is called a real bug has been executed by the interpreter;
//! - messages come in the order of the text.

mod cache;
mod condition;
mod flags;
mod houdini;
mod inline;
mod intervals;
mod output;
mod prune;
mod read;
mod replay;
mod reveal;
mod run;
mod solve;
mod tasks;
mod trace;

pub use flags::{Flags, Inlining, parse};
pub use run::verify;
