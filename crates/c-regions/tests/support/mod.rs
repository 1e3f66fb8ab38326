//! Building programs by hand, and running them.

pub mod build;
mod expressions;
pub mod generate;
mod library;
pub mod machine;

pub use lariat_testkit::Random;
