//! Labelled transition systems as [Magic04] (MAGIC) uses them: data, notations, and the questions
//! about them.
//!
//! ```text
//! FSP ─ fsp ─┐                                  ┌─ inclusion: is every trace one of the specification?
//!            ├─> Lts ─┐                         │
//! AUT ─ aut ─┘        ├─> Process ─ composition ┼─ state_search: is such a state reached?
//!   predicate abstractions (elsewhere)          │
//!   Lts ─ reduction ─ action_guided ─> Process ─┴─ explore: the reachable part as an Lts ─> AUT, DOT, SVG
//!   Lts ─ stepwise: composition and reduction in turn ─> inclusion
//!                        Lts ─ compact ─> Lts ─┬─ ltl: has every execution the property?
//!                                              └─ equivalence: can one do what the other does?
//! ```
//!
//! Architecture invariants:
//! - This crate knows nothing of C, terms or solvers. A predicate abstraction takes part by
//!   implementing [`Process`].
//! - Actions are compared by their ids; all systems that meet in one question share one
//!   [`ActionTable`].
//! - τ is in no alphabet and is never synchronised on. Traces are sequences of visible actions,
//!   so that L(M) is closed under leaving out τ; this is the reading of Definition 2 under which
//!   Theorem 1 holds for systems with τ.
//! - A search ends with an answer or with [`Stopped`], never with a guess.

pub mod action;
pub mod action_guided;
pub mod aut;
pub mod compact;
mod components;
pub mod composition;
pub mod determinise;
pub mod dot;
pub mod equivalence;
pub mod fsp;
pub mod inclusion;
pub mod language;
pub mod ltl;
pub mod lts;
pub mod process;
pub mod reduction;
pub mod relabel;
mod search;
pub mod state_search;
pub mod state_set;
pub mod stepwise;
pub mod svg;

pub use action::{Action, ActionId, ActionTable, Alphabet, ReturnValue};
pub use action_guided::{ActionGuided, Refinement};
pub use composition::{Composition, Tuples};
pub use inclusion::{Inclusion, InclusionSearch, Violation, trace_inclusion};
pub use language::PathGoal;
pub use lts::{Lts, LtsBuilder, StateId, StateKind, Transition};
pub use process::{PathStep, Process, Progress, SearchControl, Stopped, explore};
