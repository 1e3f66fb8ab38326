//! Whole C projects: a verdict for each entry of each program and library.
//!
//! ```text
//! compile_commands.json ─> files ─ survey (a child each) ─> symbols ─ plan ─> entries with their files
//!                                            state file <─> run (a child each) ─> ProjectReport
//! ```
//!
//! Invariants:
//! - files are put together as the linker would: a name that a file needs is found in the file that defines it, names that only
//!   one file sees are kept apart, and no program has two `main`s;
//! - what is wrong with one file or entry is told and does not stop the others;
//! - a verdict is in the state file as soon as it is there, and is used again only if nothing that it depends on has changed.

mod plan;
mod run;

pub use lariat_front_end::survey;
pub use plan::{Plan, PlannedEntry, plan};
pub use run::{ProjectError, ProjectEvent, ProjectOptions, project_files, run};
