//! A search on the program with globals left out ([Corral12] §3), and back.

use std::collections::BTreeSet;

use lariat_abstraction::{CegarOptions, CegarOutcome, Found, RefineOptions, cegar, restrict_to_path};
use lariat_base::names::matches_pattern;
use lariat_engine::{EngineStats, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_report::{OnOff, UnknownCause};
use lariat_term::VarId;
use lariat_vc::Problem;

use super::{Abstraction, BackMap, EntryAnswer, EntryCheck, unknown};

impl EntryCheck<'_> {
    /// Only if the user asks for it: interfaces carry live globals only, and conditions have no equations for
    /// unchanged ones, so there was no family of programs on which it paid (`docs/benchmarks.md`).
    pub(super) fn wants_abstraction(&self) -> bool {
        self.request.search.abstraction == OnOff::On
    }

    /// Searches with few globals, and with more as long as counterexamples are spurious. A feasible path
    /// is searched once more with all of them, for its values.
    pub(super) fn run_abstract(
        &self,
        options: &SearchOptions,
        problem: &Problem,
        back_map: &BackMap,
        tell: &mut dyn FnMut(SearchEvent),
    ) -> (EntryAnswer, EngineStats) {
        let mut stats = EngineStats::default();
        let in_place = options.in_place && options.unfolding.stack_depth.is_none();
        let cegar_options = CegarOptions {
            algorithm: self.request.search.refinement,
            refine: RefineOptions {
                solver_options: options.solver_options.clone(),
            },
            track: self.named_globals(problem),
            in_place,
        };
        let search = |abstraction: Problem| {
            let (found, more) = self.search_abstraction(options, problem, abstraction, tell);
            add(&mut stats, &more);
            found
        };
        let result = cegar(problem, &cegar_options, self.budget, search, &mut |_| {});
        let mut answer = match result.outcome {
            CegarOutcome::NoPath(Some(answer)) => answer,
            CegarOutcome::NoPath(None) => unknown(UnknownCause::Solver, "no answer".into(), None),
            CegarOutcome::Stopped(stop) => self.no_answer(stop.to_string(), None),
            CegarOutcome::Feasible { blocks, .. } => match restrict_to_path(problem, &blocks, in_place) {
                Ok(path) => {
                    let (answer, more) = self.run_search(options, path, back_map, tell, &mut Err);
                    add(&mut stats, &more);
                    if answer.failure.is_some() {
                        answer
                    } else {
                        unknown(
                            UnknownCause::Solver,
                            "a counterexample was found and its values could not be".into(),
                            None,
                        )
                    }
                }
                Err(stop) => self.no_answer(stop.to_string(), None),
            },
        };
        let pool = &problem.program.pool;
        let mut tracked: Vec<String> = result
            .tracked
            .iter()
            .filter(|&&var| Some(var) != problem.error)
            .map(|&var| pool.var_name(var).to_string())
            .collect();
        tracked.sort();
        answer.abstraction = Some(Abstraction {
            tracked,
            rounds: result.stats.iterations,
            refinement_seconds: result.stats.refinement.seconds,
        });
        (answer, stats)
    }

    fn search_abstraction(
        &self,
        options: &SearchOptions,
        problem: &Problem,
        abstraction: Problem,
        tell: &mut dyn FnMut(SearchEvent),
    ) -> (Found<Option<EntryAnswer>>, EngineStats) {
        let mut search = match Session::new(abstraction, options.clone(), self.budget.clone(), tell) {
            Ok(search) => search,
            Err(error) => {
                let answer = unknown(UnknownCause::Solver, error.to_string(), None);
                return (Found::NoPath(Some(answer)), EngineStats::default());
            }
        };
        let found = loop {
            match search.run() {
                SearchOutcome::Reached(counterexample) => {
                    break Found::Path {
                        blocks: counterexample.path.blocks,
                        answer: None,
                    };
                }
                SearchOutcome::Proved if search.needs_facts() && !self.facts_hold(problem) => {
                    if let Err(error) = search.drop_facts() {
                        let answer = unknown(UnknownCause::Solver, error.to_string(), None);
                        break Found::NoPath(Some(answer));
                    }
                }
                outcome => break Found::NoPath(self.without_counterexample(&search, outcome)),
            }
        };
        search.log_end();
        (found, search.stats())
    }

    /// The globals of the program that the user wants tracked.
    fn named_globals(&self, problem: &Problem) -> BTreeSet<VarId> {
        let pool = &problem.program.pool;
        let is_named = |&&var: &&VarId| {
            self.request
                .search
                .track
                .iter()
                .any(|name| matches_pattern(name, pool.var_name(var)))
        };
        problem.program.globals.iter().filter(is_named).copied().collect()
    }
}

fn add(total: &mut EngineStats, more: &EngineStats) {
    total.inlined += more.inlined;
    total.merged += more.merged;
    total.solver_calls += more.solver_calls;
    total.solver_seconds += more.solver_seconds;
    total.vc_seconds += more.vc_seconds;
    total.inline_seconds += more.inline_seconds;
    total.vc_nodes += more.vc_nodes;
}
