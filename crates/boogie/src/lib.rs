//! The Boogie front end.
//!
//! ```text
//! text ─ lexer ─> tokens ─ parser ─> ast::Program ─ resolve + typecheck ─> typed::Program
//!                                        └─ printer ─> text
//! ```
//!
//! Architecture invariant: this crate knows Boogie and nothing of the IR. Everything
//! after it works on [`typed::Program`] only.

pub mod ast;
mod lexer;
pub mod parser;
mod preprocess;
pub mod printer;
pub mod typed;
