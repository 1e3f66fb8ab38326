//! What is asked of ExplainError and what it answers.

use std::time::Duration;

use lariat_base::Span;
use lariat_interp::Event;
use lariat_ir::{AssertId, OpenInfo, ProcId, Program, StmtId};
use lariat_report::Vocabulary;
use lariat_specs::SpecExpr;
use lariat_term::{TermId, TermPool, VarId};

/// A term in the words of the source; the placeholders are those that may occur in it.
pub type InWords<'a> = dyn Fn(&TermPool, TermId, &[Placeholder]) -> SpecExpr + 'a;

/// A trace that fails.
#[derive(Clone, Copy)]
pub struct FailingTrace<'a> {
    /// The program that was replayed.
    pub program: &'a Program,
    pub entry: ProcId,
    /// Of the replay, which ended in the failure of `failing`.
    pub events: &'a [Event],
    pub failing: AssertId,
    pub open: &'a OpenInfo,
    /// Boolean constants of the program whose values are known: put in their place everywhere.
    pub known: &'a [(VarId, bool)],
    /// For patterns in the words of the source.
    pub in_words: &'a InWords<'a>,
}

/// How weak the formula is to be: the first one is the easiest to read, each other one allows more executions than those before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Weakness {
    /// Atoms that each exclude the failure, as far as there are any.
    #[default]
    Single,
    /// All clauses that are needed, with all atoms of the vocabulary in them.
    Clauses,
    /// Beside the atoms of a clause what is said of numbers that belong to them.
    Related,
}

#[derive(Clone, Debug)]
pub struct ExplainOptions {
    pub vocabulary: Vocabulary,
    pub weakness: Weakness,
    /// For all of it.
    pub time: Duration,
    /// Clauses of a blocking formula: where all cases of aliasing need more, only the one at hand is blocked.
    pub max_clauses: usize,
    /// Steps of the elimination of map updates, likewise.
    pub max_terms: usize,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        ExplainOptions {
            vocabulary: Vocabulary::default(),
            weakness: Weakness::default(),
            time: Duration::from_secs(2),
            max_clauses: 8,
            max_terms: 10_000,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Explained {
    pub explanation: Explanation,
    /// What a blocking formula relies on, since fresh memory differs from everything else: disequalities that must be
    /// assumed together with it, in the same sense as [`Explanation::Infeasible`].
    pub lemmas: Vec<Blocking>,
    pub origin: ValueOrigin,
    /// What a blocking formula says beside a pointer of results of the calls that gave it: how these calls may fail.
    pub failing_results: Vec<TermId>,
    /// The conditions of jumps that the failure depends on, and the statements that made the failing value.
    pub evidence: Vec<StmtId>,
    pub seconds: f64,
    pub solver_calls: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explanation {
    /// A formula of the vocabulary under which the trace does not fail.
    Blocked(Blocking),
    /// The trace cannot happen, given that fresh memory differs from everything else: a lemma that
    /// excludes it. Its placeholders are sites of fresh memory and unknowns; those of one site stand
    /// for different occurrences of it.
    Infeasible(Blocking),
    /// The trace fails whatever the environment does.
    AlwaysFails,
    /// The time ended before there was an answer: nothing is known.
    OutOfTime,
    /// The solver gave up: whether a formula excludes the trace is not known.
    TooHard,
    /// No formula of the vocabulary was found.
    NotExpressible {
        reason: String,
        /// What would have to hold, in formulas of any vocabulary.
        needed: Option<TermId>,
    },
}

/// A formula over the entry's inputs (its parameters, the initial values of globals, constants) and
/// placeholders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocking {
    pub term: TermId,
    /// Those that occur in the term, in the order of the trace.
    pub placeholders: Vec<Placeholder>,
}

/// A variable that stands for what a havoc chose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placeholder {
    /// Made for this explanation.
    pub var: VarId,
    pub stmt: StmtId,
    /// The variable that was havocked.
    pub site_var: VarId,
    /// How often the trace had come to the statement before.
    pub occurrence: u32,
}

/// Where the failing value comes from: traces with the same one have the same cause.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ValueOrigin {
    /// In ascending order, each once.
    pub sources: Vec<Source>,
    /// The procedure where what was made and the failure meet: the innermost one whose activation holds both. `None` if
    /// nothing was made in the program.
    pub meeting: Option<ProcId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A parameter of the entry, the initial value of a global, or a constant.
    Input(VarId),
    /// An element of a map as it was at the start.
    Memory(VarId),
    /// What an unknown chose.
    Unknown { stmt: StmtId, var: VarId },
    /// Fresh memory.
    Fresh { stmt: StmtId, var: VarId },
    /// A variable that nothing was assigned to.
    Uninitialised(VarId),
    /// The statement that put a constant or a computed value into a variable or into memory.
    Made { stmt: StmtId, span: Option<Span> },
}
