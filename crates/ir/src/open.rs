//! What is known of an open program beside its procedures: where the environment comes in.
//!
//! Statements and variables are those of the lowered program.

use std::sync::Arc;

use lariat_base::Span;
use lariat_term::{TermId, VarId};

use crate::program::{AssertId, ProcId, StmtId};

/// The open side of a program.
#[derive(Clone, Debug, Default)]
pub struct OpenInfo {
    /// The null pointer.
    pub null: Option<TermId>,
    /// The variables that hold pointers, and the maps whose elements are pointers, if the source distinguishes them from numbers.
    pub pointers: Option<Vec<VarId>>,
    /// The procedures that the environment may call, in the order of the text.
    pub entries: Vec<OpenEntry>,
    /// Havocs whose values the environment chooses, one for each variable.
    pub unknowns: Vec<Unknown>,
    /// Havocs whose values are addresses of fresh memory: different from everything that was there before.
    pub fresh: Vec<(StmtId, VarId)>,
    /// Monitor variables of typestate rules: globals.
    pub typestate: Vec<VarId>,
    /// Assumptions of branches that say that a pointer is null.
    pub null_tests: Vec<StmtId>,
    /// Assertions that no specification may prove: what the user wrote, not the policies.
    pub angelic: Vec<AssertId>,
    /// Assertions that are dereferences: a cheap analysis may prove them.
    pub dereferences: Vec<AssertId>,
}

/// A procedure that is analysed with unknown parameters and globals.
#[derive(Clone, Debug)]
pub struct OpenEntry {
    /// As the user calls it.
    pub name: Arc<str>,
    /// What is executed: its parameters and the initial values of the globals are the inputs.
    pub proc: ProcId,
    /// Marked as an entry point by the user.
    pub marked: bool,
}

/// A value that the environment chooses while the program runs.
#[derive(Clone, Debug)]
pub struct Unknown {
    pub stmt: StmtId,
    pub var: VarId,
    /// The procedure without body that gives the value; `None` for a `havoc` that the user wrote.
    pub callee: Option<Arc<str>>,
    /// What the value is, in words of the source: `Lib1()`, `*out after get(out)`, `x` (havocked).
    pub text: Arc<str>,
    pub span: Option<Span>,
}
