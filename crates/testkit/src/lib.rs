//! What the tests of several crates share. Only tests depend on this crate, as a dev-dependency.
//!
//! - [`Random`]: numbers that depend on the seed only
//! - [`seeds`]: how many random inputs there are
//! - [`boogie`]: text to program, text to problem
//! - [`c`]: C text to program
//! - [`programs`], [`ir_text`], [`tree`]: random programs, and how a failing one is made smaller
//! - [`files`]: a test of its own for each file of a folder
//! - [`folder`]: temporary folders
//! - [`gcc`]: what a real compiler says
//! - [`mutate`]: texts that were right, with some of their bytes changed

pub mod boogie;
pub mod c;
pub mod files;
pub mod folder;
pub mod gcc;
pub mod ir_text;
pub mod mutate;
pub mod programs;
mod random;
pub mod seeds;
pub mod tree;

use std::time::Duration;

pub use random::Random;

/// Ends what would otherwise never end. Nothing comes near it on any machine.
pub const HANG: Duration = Duration::from_secs(300);
