//! IR ─ passes ─> IR ─ **paths** ─> an execution that reaches the end of the entry, or none
//!
//! Executes the prepared program path by path. Inputs are symbols, values are terms over them, a branch that both ways are possible at is
//! taken both ways, one after the other. Where inputs are few (some bytes of a text) nearly everything on a path is a number:
//! positions, lengths, addresses. Then most conditions are decided without the solver.
//!
//! - `machine`: the state of a path, and the trail by which it is taken back;
//! - `eval`: terms of the program in a state; what they read is noted;
//! - `knowledge`: what the path has assumed of its symbols, and whether more can be assumed;
//! - `explored`: what is remembered of parts of the tree that were explored;
//! - `statements`: what statements do to variables;
//! - `search`: the tree, depth first, bound by bound.
//!
//! **What is remembered.** When everything behind a state has been explored without reaching the end, going back along the trail
//! gives what the exploration depended on: variables and entries of maps that were read before they were written, and
//! assumptions that made a way impossible. A later state at the same place that agrees in these, or has assumed more, cannot reach
//! the end either. (This is lazy annotation, McMillan CAV 2010, with needed values for interpolants.)
//!
//! Architecture invariants:
//! - a way is left out only if the solver or the set of possible values shows that no execution takes it; a solver that
//!   gives up leaves the way in;
//! - `Proved` is said only if no call was cut off; a limit that is reached ends the search without a claim beyond the bounds that were
//!   completed;
//! - limits are counts, so that the same program has the same answer on every machine.

mod eval;
mod explored;
mod knowledge;
mod machine;
mod search;
mod statements;

use lariat_ir::{BlockId, ProcId, StmtId};
use lariat_smt::{Context, Doubt, Model};
use lariat_term::{TermId, TermPool, VarId};

pub use search::explore;

/// How much is explored.
#[derive(Clone, Debug)]
pub struct PathOptions {
    /// The largest recursion bound. Bounds are doubled until the exploration is complete.
    pub max_bound: u32,
    /// Calls with more unfinished ones than this are cut off.
    pub stack_depth: Option<u32>,
    /// The most statements that are executed, if there is a limit. The solver's effort counts, too: [`EFFORT_OF_STEP`].
    pub steps: Option<u64>,
    pub solver_options: Vec<(String, String)>,
}

/// How much of the solver's effort stands for one statement in the limit of steps: about what takes as long.
pub const EFFORT_OF_STEP: f64 = 4.0;

/// The answer to "can the entry return?".
pub enum PathOutcome {
    Reached(Box<FoundPath>),
    /// It cannot.
    Proved,
    /// It cannot within the bound. `cut` are the procedures whose activations the bound cut off, `deep` those that were
    /// too deep on the stack.
    Bounded {
        bound: u32,
        cut: Vec<ProcId>,
        deep: Vec<ProcId>,
    },
    /// No answer, with the reason; `bound` is the largest bound that was completed.
    Unknown {
        reason: String,
        bound: Option<u32>,
    },
}

/// An execution to the end of the entry.
pub struct FoundPath {
    pub steps: Vec<PathStep>,
    pub bound: u32,
    /// Values of the symbols, the surest first; with each why the solver does not vouch for it. At least one.
    pub models: Vec<(Model, Option<Doubt>)>,
    pub context: Context,
    pub pool: TermPool,
}

/// A step of an execution; terms are over symbols.
#[derive(Clone, Debug)]
pub enum PathStep {
    Enter(BlockId),
    Havoc(StmtId, Vec<(VarId, TermId)>),
    /// A global variable that nobody has set is read.
    Input(VarId, TermId),
    /// A variable of this activation that nobody has set is read.
    Initial(VarId, TermId),
    Call {
        stmt: StmtId,
        callee: ProcId,
    },
    Return,
    /// The statement sets the error flag.
    Fail(StmtId),
}

/// What the exploration has done.
#[derive(Clone, Copy, Default, Debug)]
pub struct PathStats {
    pub statements: u64,
    pub calls: u64,
    pub paths: u64,
    /// States that were left because their like had been explored.
    pub known: u64,
    pub solver_calls: u64,
    pub solver_seconds: f64,
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug)]
pub struct PathProgress {
    pub bound: u32,
    pub completed: Option<u32>,
    pub stats: PathStats,
}
