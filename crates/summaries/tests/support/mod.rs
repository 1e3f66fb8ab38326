//! Random programs and the solver's options.

#![allow(dead_code, reason = "each test binary uses a part")]

pub mod generate;
mod solver_options;

pub use lariat_testkit::boogie::problem;
pub use solver_options::solver_options;
