//! C text ─ c-reader ─> CProgram ─ **c-models** ─> CProgram ─ c-regions, c-lower ─> IR
//!
//! The C library: models written in C (`models/*.c`, read by the reader like any other file), and the binding of a
//! program's calls to them.
//!
//! Architecture invariants:
//! - this is the only crate that knows names of library functions; what the lowering itself gives a meaning to is told
//!   by [`is_intrinsic`];
//! - after [`instantiate`] a call either goes to a function with a body, to an intrinsic, or to a function that the
//!   [`ModelReport`] lists as unknown;
//! - a function that the user defines is never replaced by a model.

mod block;
mod build;
mod builtins;
mod copies;
mod edit;
mod format;
mod formats;
mod instantiate;
mod library;
mod names;
mod report;

pub use instantiate::instantiate;
pub use library::{is_intrinsic, models, prelude};
pub use names::needs;
pub use report::{ModelReport, UnknownFunction, UsedModel};
