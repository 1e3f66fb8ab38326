//! Summaries from proofs: a bounded proof says which procedures it rests on, and what may hold of them.
//!
//! When a search pauses ([`lariat_engine::Session::take_proof`]) guesses are made for the procedures that its answer rests on. What their
//! inlined subtrees refute is left out, what is inductive is kept (Houdini), and the search tries whether that proves the program.
//!
//! Invariants: a search that uses facts inferred before it does not pause, since the guesses would be the same; limits are counts of
//! effort; a proof that uses what was learned is checked like any other with facts ([`EntryCheck::facts_hold`]).

use cranelift_entity::EntitySet;
use lariat_engine::Session;
use lariat_ir::ProcId;
use lariat_report::{Engine, OnOff};
use lariat_smt::SolverError;
use lariat_summaries::{Preconditions, SummaryOptions, guess, infer_from};
use lariat_vc::{Problem, Summary};

use super::EntryCheck;
use super::inference::{Inference, MOST_SUMMARY_PROCS, inference_budget};
use crate::candidates::user_candidates;
use crate::solver_options::solver_options;

impl EntryCheck<'_> {
    /// Whether the search of this problem is to pause at its proofs.
    pub(super) fn learns_from_proofs(&self, problem: &Problem) -> bool {
        let is_wanted = self.request.search.summaries_from_proofs == OnOff::On && !self.within_contexts;
        let has_facts = problem.summaries.values().any(Option::is_some);
        is_wanted
            && !has_facts
            && match self.inference(problem) {
                Inference::AtOnce => false,
                Inference::OnNeed => true,
                Inference::Never => self.request.engine != Engine::Portfolio,
            }
    }

    /// Infers summaries of the procedures that proofs rest on, for the rest of the search.
    pub(super) fn learn(&self, search: &mut Session<'_>, procs: &[ProcId]) -> Result<(), SolverError> {
        let options = self.proof_options(search.problem(), procs.len());
        let mut wanted: EntitySet<ProcId> = EntitySet::new();
        wanted.extend(procs.iter().copied());
        let mut guesses = guess(search.problem_mut(), &options, |proc| wanted.contains(proc));
        for &proc in procs {
            let own = &mut guesses[proc];
            let guess = Summary {
                ins: own.ins.clone(),
                outs: own.outs.clone(),
                facts: std::mem::take(&mut own.posts),
            };
            own.posts = search.implied(proc, &guess)?;
        }
        let budget = inference_budget(self.budget);
        infer_from(search.problem_mut(), guesses, &options, &budget);
        search.learn()?;
        Ok(())
    }

    fn proof_options(&self, problem: &Problem, told: usize) -> SummaryOptions {
        let solver_options = solver_options(self.request, &self.front_end.program);
        let is_small = problem.program.procs.len() <= MOST_SUMMARY_PROCS;
        let options = match is_small {
            true => SummaryOptions::new(solver_options),
            false => SummaryOptions {
                preconditions: Preconditions::Recursive,
                intervals: false,
                ..SummaryOptions::typestate(solver_options, told)
            },
        };
        SummaryOptions {
            threads: 1,
            user: user_candidates(&problem.program),
            ..options
        }
    }
}
