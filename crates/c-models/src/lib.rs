//! C text ─ c-reader ─> CProgram ─ **c-models** ─> CProgram ─ c-regions, c-lower ─> IR
//!
//! The C library: models written in C (`models/*.c`, read by the reader like any other file), and the binding of a
//! program's calls to them.
//!
//! Architecture invariants:
//! - which functions there are is said by the table in `c-library`: every row with a model has one here;
//! - after [`instantiate`] a call goes to a function with a body, to an intrinsic, or to an unknown function;
//! - a function that the user defines is never replaced by a model.

mod block;
mod build;
mod builtins;
mod copies;
mod entry;
mod format;
mod formats;
mod instantiate;
mod library;
mod math;
mod padding;

pub use instantiate::instantiate;
pub use library::{models, needs, prelude};
