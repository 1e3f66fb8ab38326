//! front end ─> ir ─ passes ─> ir ─> passive procedures ─> ProcVc ─> **summaries** ─> unfolding
//!
//! What holds of every call that returns ([Corral12] §4.2). [`infer`] guesses ([`candidates`]) and keeps
//! what is inductive (`houdini`); [`guess`] and [`infer_from`] are its two halves, for those who know more about the guesses;
//! [`check_inductive`] decides whether given summaries are right, wherever
//! they come from.
//!
//! Architecture invariant: a summary says something about *every* terminating call of its procedure,
//! whatever it was called with, so it may be assumed at every call site. Nothing that was not proved is part
//! of one: what is undecided, or unfinished when the effort runs out, is left out.

pub mod candidates;
mod check;
mod condition;
mod houdini;
mod infer;
mod intervals;
mod minimise;
mod options;

pub use candidates::{
    CandidateLimits, Guesses, ProcCandidates, UserCandidate, UserCandidateKind, UserCandidates,
};
pub use check::{Inductive, check_inductive, check_inductive_within};
pub use infer::{guess, infer, infer_from};
pub use options::{Preconditions, SummaryOptions, SummaryStats};
