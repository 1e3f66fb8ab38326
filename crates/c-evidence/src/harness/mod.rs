//! A C program with the inputs of a trace, compiled and run with a real compiler.
//!
//! The harness is one C file: the user's files are included, and every function that they call
//! and nobody defines is defined with the answers that it gave in the trace, in their order. All
//! definitions go by names of the linker (`__asm__("name")`), so that they never clash with how the
//! program declares the functions, or whether it does at all.
//!
//! What is not an input of the trace is as the compiled program has it: variables without
//! initialiser and the contents of fresh memory are zero where that can be arranged, memory behind
//! pointers from outside is zero. A trace that needs other values is not reproduced, which is said.
//! The files are run as they are: a program that deletes files deletes them.

mod build;
mod inputs;
mod judge;
mod process;
mod source;

pub use build::confirm;
pub use source::{HarnessTask, harness_source};

use std::time::Duration;

/// How long a harness may run.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The exit code of a harness that has failed as the marker on its standard error says.
const FAILED: i32 = 42;
/// The exit code of a harness that violated an assumption.
const ASSUMPTION: i32 = 43;
/// The exit code of a harness that called `abort` where that is no failure.
const ABORTED: i32 = 44;
/// The exit code of a harness that a sanitizer stopped.
const SANITIZER: i32 = 45;
