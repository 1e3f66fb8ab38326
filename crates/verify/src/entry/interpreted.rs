//! A counterexample searched again under a model of the axioms, so that all its values are right.

use lariat_abstraction::restrict_to_path;
use lariat_engine::{Counterexample, SearchOptions, SearchOutcome, Session};
use lariat_report::{Engine, Verdict};
use lariat_vc::Problem;

use super::{BackMap, Confirmed, EntryCheck};
use crate::interpretation::Interpretation;

/// The solver's effort along the path of a counterexample: where it helps, ten to twenty million are enough.
const PATH_EFFORT: u64 = 25_000_000;
/// The solver's effort for any execution.
const PROGRAM_EFFORT: u64 = 150_000_000;

impl EntryCheck<'_> {
    /// The model of axioms that was recognised; found out once.
    fn interpretation(&self) -> &Interpretation {
        self.interpretation
            .get_or_init(|| Interpretation::of_axioms(&self.front_end.program, self.budget))
    }

    /// Looks for an execution along the path of a counterexample under the recognised model of the axioms. `None` if none is
    /// found that can be replayed.
    pub fn path_interpreted(
        &self,
        problem: &Problem,
        counterexample: &Counterexample,
        back_map: &BackMap,
    ) -> Option<Confirmed> {
        counterexample.doubt.as_ref()?;
        let interpretation = self.interpretation();
        if interpretation.is_empty() {
            return None;
        }
        let in_place = self.request.unfolding.stack_depth.is_none();
        let path = restrict_to_path(problem, &counterexample.path.blocks, in_place).ok()?;
        self.search_interpreted(path, PATH_EFFORT, counterexample.bound, interpretation, back_map)
    }

    /// The same for any execution of the program, where one was found that cannot be replayed.
    pub(super) fn program_interpreted(
        &self,
        problem: &Problem,
        bound: u32,
        back_map: &BackMap,
    ) -> Option<Confirmed> {
        let interpretation = self.interpretation();
        if interpretation.is_empty() {
            return None;
        }
        self.search_interpreted(problem.clone(), PROGRAM_EFFORT, bound, interpretation, back_map)
    }

    fn search_interpreted(
        &self,
        problem: Problem,
        effort: u64,
        first_bound: u32,
        interpretation: &Interpretation,
        back_map: &BackMap,
    ) -> Option<Confirmed> {
        let problem = interpretation.applied_to(problem);
        let options = SearchOptions {
            effort: Some(effort),
            first_bound,
            reconsider: false,
            // It looks for a model, and most often there is one.
            solver_options: crate::solver_options::solver_options(self.request, &self.front_end.program),
            ..self.search_options(Engine::Widen)
        };
        let mut ignore = |_| {};
        let mut search = Session::new(problem, options, self.budget.clone(), &mut ignore).ok()?;
        let SearchOutcome::Reached(mut found) = search.run() else {
            return None;
        };
        // What is left of quantifiers may make the first model a wrong one.
        for last in [false, true] {
            let confirmed = self.reached(&mut search, &found, back_map, Some(interpretation));
            if confirmed.answer.verdict == Verdict::Bug {
                return Some(confirmed);
            }
            if last || found.doubt.is_none() {
                break;
            }
            *found = search.reconsider(*found).ok()??;
        }
        None
    }
}
