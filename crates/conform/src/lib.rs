//! Conformance of concurrent C components to a labelled transition system: MAGIC's two-level counterexample-guided
//! abstraction refinement ([Magic04]).
//!
//! ```text
//! C ─ c-lower ─> IR ─ cfa ─> control flow automaton ─ infer, abstraction ─> MP ─┐
//! specification, procedure abstractions ─ lts ─> Lts ───────────────────────────┼─ cegar ─> verdict
//!                    counterexample, eliminate, minimise: which predicates <────┘
//! ```
//!
//! Architecture invariants:
//! - L(C) ⊆ L(MP) for every set of predicates: whatever limits predicates or makes the prover give up makes MP larger.
//! - Components share no variables, only actions. All work on data is done for one component at a time.
//! - A counterexample is reported only if the formula of its path has a model for every component, and as confirmed only if
//!   the execution with the model's values takes that path.

pub mod abstraction;
pub mod behaviour;
pub mod cegar;
pub mod cfa;
pub mod component;
pub mod counterexample;
mod eliminate;
pub mod front_end;
pub mod guard;
pub mod infer;
pub mod minimise;
mod path_invariants;
pub mod predicates;
pub mod project;
pub mod prover;
pub mod question;
mod replay;
pub mod run;
mod step;
