//! Houdini ([Corral12] §4.2): the largest set of candidates that is inductive.
//!
//! All candidates are assumed to hold; what a model refutes is dropped; and so on until nothing is
//! refuted. Each query is about one procedure, whose callees are what their candidates say.
//!
//! Two stages:
//! 1. postconditions alone, one component of the call graph after the other, callees first. A component is
//!    final when its own fixpoint is reached, so what was finished when the effort runs out is sound;
//! 2. for recursive procedures and what leads to them, preconditions too: what holds at every call. The
//!    fact `pre ⇒ post` then says nothing about other calls, so it is a summary like any other. This is one
//!    fixpoint; if the effort runs out before it is reached, nothing of it is kept.
//!
//! Deviation: [Corral12] infers postconditions only.

mod proc_solver;
mod query;
mod stages;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use lariat_ir::ProcId;
use lariat_term::{Substitution, TermId, TermPool, VarId};
use lariat_vc::Summary;

use crate::candidates::ProcCandidates;

pub(crate) use stages::{Effort, Stage, infer_posts, infer_with_preconditions};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CandidateId(u32);
entity_impl!(CandidateId, "candidate");

/// A candidate and the Boolean that says whether it still stands.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub proc: ProcId,
    pub term: TermId,
    pub guard: VarId,
}

/// The candidates of a procedure, with what is known of it for certain.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcEntry {
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub pres: Vec<CandidateId>,
    pub posts: Vec<CandidateId>,
    /// Facts over `ins` and `outs` that hold of every call that returns.
    pub known: Vec<TermId>,
}

/// All candidates of a program.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub candidates: PrimaryMap<CandidateId, Candidate>,
    pub procs: SecondaryMap<ProcId, ProcEntry>,
}

impl Table {
    pub fn new(pool: &mut TermPool, candidates: SecondaryMap<ProcId, ProcCandidates>) -> Self {
        let bool_sort = pool.bool_sort();
        let mut table = Table {
            candidates: PrimaryMap::new(),
            procs: SecondaryMap::new(),
        };
        for (proc, own) in candidates.iter() {
            let mut add = |terms: &[TermId]| -> Vec<CandidateId> {
                terms
                    .iter()
                    .map(|&term| {
                        let guard = pool.declare_var("candidate", bool_sort);
                        table.candidates.push(Candidate { proc, term, guard })
                    })
                    .collect()
            };
            let (pres, posts) = (add(&own.pres), add(&own.posts));
            table.procs[proc] = ProcEntry {
                ins: own.ins.clone(),
                outs: own.outs.clone(),
                pres,
                posts,
                known: Vec::new(),
            };
        }
        table
    }

    /// Adds what is known of procedures, whether they have candidates or not.
    pub fn add_known(&mut self, pool: &mut TermPool, summaries: &SecondaryMap<ProcId, Option<Summary>>) {
        for (proc, summary) in summaries.iter() {
            let Some(summary) = summary else { continue };
            let entry = &mut self.procs[proc];
            if entry.ins.len() != summary.ins.len() || entry.outs.len() != summary.outs.len() {
                entry.ins.clone_from(&summary.ins);
                entry.outs.clone_from(&summary.outs);
            }
            let theirs = summary.ins.iter().chain(&summary.outs);
            let own = entry.ins.iter().chain(&entry.outs);
            let mut renaming: Substitution = theirs
                .zip(own)
                .map(|(&theirs, &own)| (theirs, pool.var(own)))
                .collect();
            let facts = summary.facts.iter().map(|&fact| renaming.apply(pool, fact));
            entry.known.extend(facts);
        }
    }

    /// What stands among the postconditions is known from now on; what does not is a candidate still.
    pub fn settle_posts(&mut self, standing: &Standing) {
        let procs: Vec<ProcId> = self.procs.keys().collect();
        for proc in procs {
            let entry = &mut self.procs[proc];
            let (kept, rest): (Vec<CandidateId>, Vec<CandidateId>) =
                entry.posts.iter().partition(|&&id| standing[id]);
            entry.posts = rest;
            entry
                .known
                .extend(kept.iter().map(|&id| self.candidates[id].term));
        }
    }
}

/// Which candidates still stand.
pub(crate) type Standing = SecondaryMap<CandidateId, bool>;
