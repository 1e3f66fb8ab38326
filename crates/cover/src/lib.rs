//! `lariat cover`: for each branch of a program an execution that reaches it, or a proof that none does.
//!
//! ```text
//! IR ─ goals ─> one program for all goals ─┬─ runs: random inputs ──────────┐
//!                                          ├─ search: one unfolding for all ├─ interp: replay ─> reached, with inputs
//!                                          └─ proof: the whole verifier ────┴─> dead, bounded(k), unknown
//! ```
//!
//! [Corral12] §4.4 asks for each branch target whether it is reachable. Here all of them are asked of one unfolding: a goal is an
//! assertion that a Boolean constant of the program switches on, and what was reached is switched off.
//!
//! Architecture invariants:
//! - a goal is `reached` only if the interpreter has replayed an execution of the lowered program that gets there;
//! - a goal is `dead` only if no execution gets there before a construct that is not modelled, and no execution gets to such a
//!   construct;
//! - assertions of the program are assumed: an execution ends where one fails.

mod goals;
mod ledger;
mod proof;
mod reasons;
mod run;
mod runs;
mod search;

pub use run::cover;

#[cfg(test)]
mod tests;
