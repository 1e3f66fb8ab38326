//! When summaries are inferred before a search or beside it, and with what options.

use lariat_base::Budget;
use lariat_passes::CallGraph;
use lariat_report::{Engine, Switch};
use lariat_summaries::{SummaryOptions, SummaryStats};
use lariat_vc::Problem;

use super::EntryCheck;
use crate::candidates::user_candidates;
use crate::solver_options::solver_options;

/// Summaries take at most this part of the time that the user has left them. Their own limit is a count of
/// the solver's effort, which a loaded machine does not change.
const SUMMARY_SHARE: u32 = 3;
/// In larger programs summaries are inferred when the searches turn out to need them, and of the simplest forms only.
pub(super) const MOST_SUMMARY_PROCS: usize = 60;

/// When summaries are inferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inference {
    Never,
    AtOnce,
    /// When a search has come to calls that its bound cuts off, or has inlined much.
    OnNeed,
}

impl EntryCheck<'_> {
    /// Infers summaries; the search members assume them at open calls.
    pub(super) fn infer_summaries(&self, problem: &mut Problem, budget: &Budget) -> SummaryStats {
        let solver_options = solver_options(self.request, &self.front_end.program);
        let mut options = match self.inference(problem) {
            Inference::OnNeed => SummaryOptions::typestate(solver_options, problem.program.procs.len()),
            _ => SummaryOptions::new(solver_options),
        };
        options.user = user_candidates(&problem.program);
        lariat_summaries::infer(problem, &options, &inference_budget(budget))
    }

    /// Summaries pay where the user has an idea of them, or where something may be called without end.
    pub(super) fn inference(&self, problem: &Problem) -> Inference {
        match self.request.search.summaries {
            Switch::On => Inference::AtOnce,
            Switch::Off => Inference::Never,
            Switch::Auto if !problem.program.candidates.is_empty() => Inference::AtOnce,
            Switch::Auto if self.within_contexts => Inference::Never,
            Switch::Auto if !matches!(self.request.engine, Engine::Portfolio | Engine::Chc) => {
                Inference::Never
            }
            Switch::Auto => {
                let procs = &problem.program.procs;
                let calls = CallGraph::new(&problem.program);
                let is_recursive = procs.keys().any(|proc| calls.is_recursive(proc));
                match (is_recursive, procs.len() <= MOST_SUMMARY_PROCS) {
                    (true, true) => Inference::AtOnce,
                    (true, false) if self.request.engine == Engine::Portfolio => Inference::OnNeed,
                    _ => Inference::Never,
                }
            }
        }
    }
}

/// An inference takes a share of the time that is left.
pub(super) fn inference_budget(budget: &Budget) -> Budget {
    match budget.remaining() {
        Some(remaining) => budget.part().within(remaining / SUMMARY_SHARE),
        None => budget.part(),
    }
}
