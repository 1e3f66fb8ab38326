//! Random C programs, what a real compiler makes of them, and what Lariat says.
//!
//! The programs have no undefined and no unspecified behaviour under `-fwrapv -fno-strict-aliasing`.

pub mod batch;
pub mod expressions;
pub mod features;
pub mod generator;
pub mod kinds;
pub mod native;
pub mod objects;
pub mod records;
pub mod scope;
pub mod statements;
