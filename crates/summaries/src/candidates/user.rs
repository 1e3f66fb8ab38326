//! Candidates that the user wrote.
//!
//! Houdini in Boogie: `const {:existential true} b: bool;` and clauses `requires b ==> e`, `ensures b ==> e`,
//! `invariant b ==> e`; the constant is true if the clause is kept. Corral: a procedure marked `{:template}`
//! whose `ensures` is tried for every procedure. The front end turns both into [`UserCandidates`]; here
//! they come before everything that is generated.

use lariat_ir::{ProcId, ProcKind};
use lariat_term::{Substitution, TermId, VarId};

use super::draft::Draft;
use super::vocabulary::Vocabulary;

/// What the user wants to be tried.
#[derive(Clone, Debug, Default)]
pub struct UserCandidates {
    pub candidates: Vec<UserCandidate>,
}

/// One clause, over the variables of the prepared program: globals, parameters and out parameters of the
/// procedure; for an invariant any variables of the procedure that the loop is in.
#[derive(Clone, Debug)]
pub struct UserCandidate {
    /// The procedure; `None` is a template, tried wherever all its variables are known. Of an invariant it is
    /// the procedure that the user wrote, and the clause is tried for all loops in it.
    pub proc: Option<ProcId>,
    pub kind: UserCandidateKind,
    pub term: TermId,
    /// Variables of the term that stand for the value of a global or parameter at the start (`old`).
    pub old: Vec<(VarId, VarId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UserCandidateKind {
    Requires,
    Ensures,
    Invariant,
}

impl Draft<'_> {
    pub fn add_user(&mut self, user: &UserCandidates, vocabulary: &Vocabulary) {
        for candidate in &user.candidates {
            if candidate.kind == UserCandidateKind::Invariant {
                self.add_user_invariant(candidate, vocabulary);
                continue;
            }
            if candidate.proc.is_some_and(|proc| proc != self.proc) {
                continue;
            }
            if let Some(term) = self.instantiate_user(candidate) {
                match candidate.kind {
                    UserCandidateKind::Requires => self.pre(term),
                    UserCandidateKind::Ensures if self.speaks_of_error(term) => self.push_post(term),
                    UserCandidateKind::Ensures | UserCandidateKind::Invariant => self.post(term),
                }
            }
        }
    }

    fn add_user_invariant(&mut self, candidate: &UserCandidate, vocabulary: &Vocabulary) {
        let is_loop = matches!(self.problem.program.procs[self.proc].kind, ProcKind::Loop { .. });
        let source = match candidate.proc {
            Some(source) if is_loop && vocabulary.family(source).contains(&self.proc) => source,
            _ => return,
        };
        if let Some(mapped) = self.map_term(vocabulary, candidate.term, |draft, var| {
            let key = vocabulary.key(draft.problem, source, var);
            draft.position(&key, var)
        }) {
            self.add_state_condition(&mapped);
        }
    }

    fn speaks_of_error(&self, term: TermId) -> bool {
        let pool = &self.problem.program.pool;
        let error = self.error.and_then(|error| pool.as_var(error));
        error.is_some_and(|error| pool.free_vars(&[term]).contains(&error))
    }

    /// The clause over the candidate's own variables; `None` if it speaks about others.
    fn instantiate_user(&mut self, candidate: &UserCandidate) -> Option<TermId> {
        let ins: Vec<VarId> = self.problem.ins(self.proc).collect();
        let outs: Vec<VarId> = self.problem.outs(self.proc).collect();
        let input = |var| {
            ins.iter()
                .position(|&own| own == var)
                .map(|at| self.own_ins()[at])
        };
        let output = |var| {
            outs.iter()
                .position(|&own| own == var)
                .map(|at| self.own_outs()[at])
        };
        let mut free: Vec<VarId> = self
            .problem
            .program
            .pool
            .free_vars(&[candidate.term])
            .into_iter()
            .filter(|var| !self.problem.program.constants.contains(var))
            .collect();
        free.sort_unstable();
        let mut pairs = Vec::new();
        for var in free {
            let old = candidate.old.iter().find(|(own, _)| *own == var);
            let value = match (old, candidate.kind) {
                (Some(&(_, global)), _) => input(global)?,
                (None, UserCandidateKind::Requires) => input(var)?,
                (None, _) => output(var).or_else(|| input(var))?,
            };
            pairs.push((var, value));
        }
        let pool = self.pool();
        let mut substitution: Substitution = pairs
            .into_iter()
            .map(|(var, value)| (var, pool.var(value)))
            .collect();
        Some(substitution.apply(pool, candidate.term))
    }
}
