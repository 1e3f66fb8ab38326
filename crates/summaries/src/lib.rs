//! front end ─> ir ─ passes ─> ir ─> passive procedures ─> ProcVc ─> **summaries** ─> unfolding
//!
//! What holds of every call that returns (seed 000 §4.2): [`check_inductive`] decides whether given
//! summaries are right.
//!
//! Architecture invariant: a summary says something about *every* terminating call of its procedure,
//! whatever it was called with, so it may be assumed at every call site.

mod check;
mod condition;

pub use check::{Inductive, check_inductive};
