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
mod check;
mod lexer;
pub mod parser;
mod preprocess;
pub mod printer;
pub mod typed;

/// Resolves names and checks types, exactly as Boogie does. The typed program is `None` if there are errors.
pub fn check(program: &ast::Program) -> (Option<typed::Program>, lariat_base::Diagnostics) {
    check::check(program, check::ModifiesClauses::Checked)
}

/// Like [`check`], but a global that is assigned and not in the `modifies` clause is added to it, as
/// programs written for Corral expect.
pub fn check_completing_modifies(
    program: &ast::Program,
) -> (Option<typed::Program>, lariat_base::Diagnostics) {
    check::check(program, check::ModifiesClauses::Completed)
}
