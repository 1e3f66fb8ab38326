//! Candidates: what may hold of a procedure and is worth asking.
//!
//! A candidate is a precondition (over the inputs) or a postcondition (over inputs and outputs). Nothing
//! here is sound or unsound: a candidate is a guess, and only [`crate::houdini`] decides. What matters is
//! that the guesses are few and that the same program gives the same ones.
//!
//! A procedure that returns with the error flag set gives no other output (see `lariat_vc::passify`), so
//! every postcondition but `¬error` is made weaker by `∨ error`.

mod constants;
mod draft;
mod mined;
mod relations;
mod typestate;
mod user;
mod vocabulary;

use cranelift_entity::SecondaryMap;
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use lariat_term::{TermId, VarId};
use lariat_vc::Problem;

use constants::ConstantTable;
use draft::Draft;
use mined::Conditions;
pub use user::{UserCandidate, UserCandidateKind, UserCandidates};
use vocabulary::Vocabulary;

/// How many candidates a procedure may have, and which forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CandidateLimits {
    pub pres: usize,
    pub posts: usize,
    /// Constants that one variable is compared with.
    pub constants: usize,
    /// Variables of a procedure that are related to each other.
    pub related: usize,
}

impl CandidateLimits {
    /// For programs of a few procedures.
    pub const FEW_PROCEDURES: Self = CandidateLimits {
        pres: 120,
        posts: 240,
        constants: 6,
        related: 7,
    };
    /// For programs of any number of procedures.
    pub const TYPESTATE: Self = CandidateLimits {
        pres: 0,
        posts: 16,
        constants: 2,
        related: 0,
    };
    /// For programs of hundreds of procedures.
    pub const MANY_PROCEDURES: Self = CandidateLimits {
        pres: 12,
        posts: 24,
        constants: 3,
        related: 0,
    };
}

/// The candidates of one procedure.
#[derive(Clone, Debug, Default)]
pub struct ProcCandidates {
    /// Own variables: see [`lariat_vc::Summary`].
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    /// Over `ins`.
    pub pres: Vec<TermId>,
    /// Over `ins` and `outs`.
    pub posts: Vec<TermId>,
}

/// The candidates of procedures.
pub type Guesses = SecondaryMap<ProcId, ProcCandidates>;

/// Candidates for the wanted procedures, but not for the entry, which is never called.
pub(crate) fn generate(
    problem: &mut Problem,
    calls: &CallGraph,
    limits: CandidateLimits,
    user: &UserCandidates,
    wanted: impl Fn(ProcId) -> bool,
) -> Guesses {
    let constants = ConstantTable::new(problem, limits.constants);
    let conditions = Conditions::new(problem);
    let vocabulary = Vocabulary::new(problem);
    let mut candidates = SecondaryMap::new();
    for proc in problem.program.procs.keys().collect::<Vec<_>>() {
        if proc == problem.entry || !wanted(proc) {
            continue;
        }
        let mut draft = Draft::new(problem, &vocabulary, proc, limits);
        draft.add_user(user, &vocabulary);
        draft.add_error();
        draft.add_typestate(&constants);
        draft.add_mined(&conditions, &vocabulary, calls);
        draft.add_relations(&constants);
        candidates[proc] = draft.finish();
    }
    candidates
}
