//! The program executed path by path (`lariat-paths`), as one way of answering the question.

use lariat_engine::{EngineStats, SearchEvent, SearchProgress};
use lariat_paths::{FoundPath, PathOptions, PathOutcome, PathProgress, PathStats, explore};
use lariat_report::{Engine, UnknownCause, Verdict};
use lariat_smt::{Doubt, Model};
use lariat_vc::Problem;

use super::confirmation::Candidate;
use super::{BackMap, EntryAnswer, EntryCheck, unknown};
use crate::counterexample::trace_of_path;
use crate::solver_options::solver_options;

impl EntryCheck<'_> {
    /// `steps` limits the exploration.
    pub(super) fn run_paths(
        &self,
        problem: &Problem,
        steps: Option<u64>,
        back_map: &BackMap,
        tell: &mut dyn FnMut(SearchEvent),
    ) -> (EntryAnswer, EngineStats) {
        let mut progress = |progress: PathProgress| {
            tell(SearchEvent::Progress(SearchProgress {
                bound: progress.bound,
                completed: progress.completed,
                stats: engine_stats(&progress.stats),
                parts: None,
            }));
        };
        let (outcome, stats) = self.explored(problem, steps, &mut progress);
        let answer = match outcome {
            PathOutcome::Reached(found) => self.answer_of_path(problem, *found, back_map),
            PathOutcome::Proved => EntryAnswer::new(Verdict::Proved, None),
            PathOutcome::Bounded { bound, cut, deep } => self.bounded(&problem.program, bound, &cut, &deep),
            PathOutcome::Unknown { reason, bound } => self.no_answer(reason, bound),
        };
        (answer, engine_stats(&stats))
    }

    pub(super) fn explored(
        &self,
        problem: &Problem,
        steps: Option<u64>,
        progress: &mut dyn FnMut(PathProgress),
    ) -> (PathOutcome, PathStats) {
        let options = PathOptions {
            max_bound: self.largest_bound(Engine::Paths),
            stack_depth: self.request.unfolding.stack_depth,
            steps,
            solver_options: solver_options(self.request, &self.front_end.program),
        };
        explore(problem, &options, self.budget, progress)
    }

    fn answer_of_path(&self, problem: &Problem, mut found: FoundPath, back_map: &BackMap) -> EntryAnswer {
        let mut answer = unknown(UnknownCause::Solver, "a path without values".into(), None);
        for (model, doubt) in std::mem::take(&mut found.models) {
            answer = self.answer_of_model(problem, &mut found, &model, doubt.as_ref(), back_map);
            if answer.verdict.is_bug() {
                break;
            }
        }
        answer
    }

    fn answer_of_model(
        &self,
        problem: &Problem,
        found: &mut FoundPath,
        model: &Model,
        doubt: Option<&Doubt>,
        back_map: &BackMap,
    ) -> EntryAnswer {
        let read = trace_of_path(
            &self.front_end.program,
            &back_map.origins,
            &back_map.map_entries,
            back_map.schedule.as_ref(),
            &problem.program,
            found,
            model,
        );
        let of_model = match read {
            Ok(of_model) => of_model,
            Err(error) => {
                let reason = format!("the model could not be read: {}", error.0);
                return unknown(UnknownCause::Solver, reason, None);
            }
        };
        let candidate = Candidate {
            of_model: &of_model,
            model,
            doubt,
            bound: found.bound,
        };
        let confirmed = self.replayed(&candidate, &mut found.context, &mut found.pool, back_map, None);
        let fails = self.fails_again(&confirmed) && doubt.is_none();
        match &confirmed.answer.verdict {
            // Values that only the solver can choose are the business of the other engines, which ask again.
            Verdict::BugUnconfirmed { reason } if !fails => {
                unknown(UnknownCause::Solver, reason.clone(), None)
            }
            _ => confirmed.finding(),
        }
    }
}

fn engine_stats(stats: &PathStats) -> EngineStats {
    EngineStats {
        inlined: stats.calls,
        solver_calls: stats.solver_calls,
        solver_seconds: stats.solver_seconds,
        ..EngineStats::default()
    }
}
