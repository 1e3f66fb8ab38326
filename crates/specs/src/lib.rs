//! term ─ describe (front ends) ─> **specs**: `SpecExpr` ─ print ─> NAME.specs.toml ─ edited by the user ─ parse ─> `SpecExpr` ─ resolve (front ends) ─> term
//!
//! What is assumed of the environment of an open program, as people read and edit it: one language for C and Boogie, and
//! the file that keeps the user's decisions.
//!
//! Architecture invariants:
//! - this crate knows the syntax only; what a name means is known by the front end that lowered the program;
//! - print and parse are inverse: each [`SpecExpr`] has a text, and the text gives it back.

mod expr;
mod file;
mod lex;
mod parse;
mod print;
mod read;
pub mod rules;
mod update;

pub use expr::{BinaryOp, CallPlace, MAX_DEPTH, PointerType, SpecExpr, UnaryOp, UnknownSite};
pub use file::{Messages, SpecsFile, specification_id};
pub use parse::SyntaxError;
