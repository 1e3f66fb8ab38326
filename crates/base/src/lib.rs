//! What every crate may depend on: source text and spans, diagnostics, budgets, turns, names that users write, deep stacks,
//! components of graphs.
//!
//! Architecture invariant: this crate knows nothing of programs, terms or solvers.

pub mod budget;
mod build;
pub mod diagnostic;
pub mod names;
pub mod source;
pub mod strongly_connected;
pub mod threads;
pub mod turns;

pub use budget::{Budget, Exhausted, Idle};
pub use build::this_build;
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use source::{SourceFile, SourceId, SourceMap, Span};
pub use strongly_connected::{component_numbers, strongly_connected_components};
pub use turns::{Turn, Turns};
