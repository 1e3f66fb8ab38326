//! FSP, the process notation of LTSA, with `return{v}` actions.
//!
//! **text ─ lexer ─> tokens ─ parser ─> [`ast::Model`] ─ compile ─> [`crate::Lts`]**
//!
//! Supported are constants, ranges and sets; processes with parameters, local processes with
//! indices, action prefix, choice, guards, indexed actions, action sets, `if … then … else`,
//! `STOP`, `END`, `ERROR`, sequential composition `P;Q`, alphabet extension; `property`
//! processes; composites with `a:P`, `{a,b}::P`, `forall`, `if`, relabelling, hiding and
//! exposing; `deterministic` and `minimal`. Beyond LTSA, `return{v}` and `return{}` are actions.
//! `fluent`, `assert` and `progress` are formulas of temporal logic ([`crate::ltl`]); priorities are obeyed.
//! `menu`, `animation`, `constraint` and `ltl_property` are skipped with a warning.
//!
//! As in LTSA, a label `a[1]` is `a.1`; the relabellings of a composite apply to its parts before
//! they are composed, its hiding afterwards; patterns match the leading parts of labels;
//! a local process whose index is out of range is `ERROR`.

pub mod ast;
mod compile;
mod lexer;
mod parser;

use lariat_base::{Diagnostics, SourceId};

pub use compile::{CompileError, Compiler};

/// The model of a file, and what is wrong with it. The model is complete unless there are errors.
pub fn parse(source: SourceId, text: &str) -> (ast::Model, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let tokens = lexer::tokens(source, text, &mut diagnostics);
    let model = parser::Parser::new(source, text, &tokens, &mut diagnostics).model();
    (model, diagnostics)
}
