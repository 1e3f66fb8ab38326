//! Evidence for verdicts on C programs, for people and tools that do not trust Lariat.
//!
//! - [`harness`]: a C program with the inputs of a trace. Compiled and run, it must fail as the
//!   trace does.
//! - [`svcomp`]: the properties, answers and witnesses of the Competition on Software Verification.
//! - [`testcomp`]: test suites in the format of the Competition on Software Testing.
//!
//! Architecture invariants:
//! - this crate knows the program as text and the failure as data of a report; it sees no engine,
//!   and nothing that an engine believes goes into the judgement about a run of a harness;
//! - only [`harness::confirm`] and [`harness::measure`] start processes (a compiler, what it made, `addr2line`, `gcov`), and
//!   they leave nothing behind but the harness itself.

pub mod harness;
mod scan;
pub mod svcomp;
pub mod testcomp;

pub use scan::{defines_function, names_function};
