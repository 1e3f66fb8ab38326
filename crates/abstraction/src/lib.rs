//! ir ─ passes ─> problem ─ **abstraction** ─> problem with fewer globals ─> engine
//!
//! Variable abstraction with hierarchical refinement ([Corral12] §3). [`abstract_globals`] leaves out
//! the globals that are not tracked (Fig. 3); [`PathProgram`] is one counterexample of the abstract
//! program with all globals again; [`refine`] finds a minimal set of globals that rules it out, by
//! Storm's linear algorithm or by one of the two of Fig. 4; [`cegar`] is the loop around them.
//!
//! Architecture invariants:
//! - blocks, statements and their ids are the same in the abstract program, so a path of the one is
//!   a path of the other;
//! - the abstract program over-approximates: what an engine proves of it holds of the concrete one;
//! - engines are plugged in as closures: this crate knows problems and lists of blocks only.

mod cegar;
mod global_vars;
mod path_program;
mod path_vc;
mod refine;
mod restrict;
mod transform;

pub use cegar::{Cegar, CegarOptions, CegarOutcome, CegarStats, Found, Spurious, cegar, initially_tracked};
pub use path_program::PathProgram;
pub use path_vc::Feasibility;
pub use refine::{Algorithm, RefineOptions, RefineStats, Refinement, is_minimal, refine};
pub use restrict::restrict_to_path;
pub use transform::abstract_globals;
