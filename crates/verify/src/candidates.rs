//! The user's Houdini candidates, from the program to the inference of summaries.

use lariat_ir::{CandidateKind, Program};
use lariat_report::{Warning, WarningKind};
use lariat_summaries::{UserCandidate, UserCandidateKind, UserCandidates};

/// What the user wants to be tried of a prepared program. Clauses over variables that the passes have
/// taken away are left out by the inference.
pub fn user_candidates(program: &Program) -> UserCandidates {
    let candidates = program.candidates.iter().map(|clause| UserCandidate {
        proc: clause.proc,
        kind: match clause.kind {
            CandidateKind::Requires => UserCandidateKind::Requires,
            CandidateKind::Ensures => UserCandidateKind::Ensures,
            CandidateKind::Invariant => UserCandidateKind::Invariant,
        },
        term: clause.term,
        old: clause.old.clone(),
    });
    UserCandidates {
        candidates: candidates.collect(),
    }
}

/// A warning that the candidates are unused without summaries; `None` if there are none.
pub fn ignored_without_summaries(program: &Program) -> Option<Warning> {
    let count = program.candidates.len();
    (count > 0).then(|| Warning {
        kind: WarningKind::Ignored,
        message: format!(
            "{count} candidates (`{{:existential true}}`, `{{:template}}`) are ignored: they are tried only \
             with summaries, which are off"
        ),
        location: None,
    })
}
