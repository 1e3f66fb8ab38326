//! The SMT solver: Z3 in the process.
//!
//! Architecture invariant: this is the only crate that knows about Z3 and the only one with `unsafe`
//! code. `crates/z3-setup` puts the library in place while this crate is being built.

mod back_translate;
mod context;
mod datatypes;
mod fixedpoint;
mod library;
mod literals;
mod model;
mod options;
mod solver;
mod stop;
mod template;
mod translate;
mod version;
mod watchdog;

pub use context::{Ast, Context, InterruptHandle, SolverError};
pub use fixedpoint::{Fixedpoint, FixedpointOption, Predicate};
pub use library::NotLoaded;
pub use model::Model;
pub use solver::{CheckResult, Doubt, Solver, SolverStats};
pub use stop::Stop;
pub use template::Template;
pub use version::{OLDEST_SUPPORTED, SolverUnusable, SolverVersion, check_solver_version, solver_version};
pub use watchdog::Watchdog;
