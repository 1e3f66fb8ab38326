//! Programs with threads: the search in growing numbers of contexts.
//!
//! No violation in K contexts says nothing of more, unless contexts cannot matter ([`lariat_passes::Sequentialised::exact`]): no global
//! is shared, or no execution has as many places where a thread may give way. Only then is an answer `proved`.

use lariat_interp::{Executable, RunOptions, RunOutcome};
use lariat_passes::{Goal, Prepared, starts_threads};
use lariat_report::{EntryReport, Progress, UnknownCause, Verdict, VerifyReport, VerifyRequest};

use super::confirmation::Runs;
use super::{BackMap, EntryAnswer, EntryCheck, unknown};

/// Where neither contexts nor a bound are asked for, the bound of the first search, and by how much it grows with each context.
const FIRST_BOUND: u32 = 3;
/// Where more contexts may be searched, those below this number take at most half of the time that the user has left them.
const ENOUGH_CONTEXTS: u32 = 3;
/// Schedules for each execution that a program without threads would get, more than there are in all, how many steps one may take, and
/// how many all for one such execution.
const SCHEDULES_PER_RUN: u64 = 10;
const MOST_SCHEDULES: u64 = 1_000_000;
const STEPS_OF_SCHEDULE: u64 = 200_000;
const STEPS_PER_RUN: u64 = 100_000;

impl EntryCheck<'_> {
    /// Searches with the contexts that were asked for, or with more and more of them.
    pub(super) fn search_contexts(
        &mut self,
        goal: &Goal,
        prepared: Prepared,
        progress: &mut dyn FnMut(Progress),
        report: &mut VerifyReport,
        entry_report: &mut EntryReport,
    ) -> EntryAnswer {
        if let Goal::VariableNonZero(_) | Goal::VariableZero(_) = goal {
            let reason = "an error variable in a program with threads".to_owned();
            return unknown(UnknownCause::Unsupported, reason, None);
        }
        let mut prepared = prepared;
        let mut best: Option<EntryAnswer> = None;
        let mut is_retried = false;
        loop {
            let exact = prepared.threads.as_ref().is_none_or(|threads| threads.exact);
            if self.request.deepen {
                self.bound =
                    Some(FIRST_BOUND + self.contexts - VerifyRequest::DEFAULT_CONTEXTS.min(self.contexts));
            }
            self.within_contexts = !exact;
            entry_report.contexts = (!exact).then_some(self.contexts);
            let may_grow = self.request.search.contexts.is_none() && (!exact || self.request.deepen);
            let share = self.budget.remaining().map(|time| self.budget.within(time / 2));
            let answer = match share {
                Some(share) if may_grow && !is_retried && self.contexts < ENOUGH_CONTEXTS => {
                    let mut part = EntryCheck {
                        budget: &share,
                        ..self.clone()
                    };
                    let answer = part.search(goal, prepared, progress, report, entry_report);
                    self.stats = part.stats;
                    answer
                }
                _ => self.search(goal, prepared, progress, report, entry_report),
            };
            let answer = self.within_contexts(answer, exact);
            match answer.verdict {
                Verdict::Bounded { .. } => best = Some(answer),
                Verdict::Unknown {
                    cause: UnknownCause::Time | UnknownCause::Memory | UnknownCause::Solver,
                    ..
                } if best.is_some() => break,
                // Half of the time was not enough.
                Verdict::Unknown {
                    cause: UnknownCause::Time,
                    ..
                } if self.budget.check().is_ok() && !is_retried => {
                    is_retried = true;
                    prepared = self.prepare(goal).0;
                    continue;
                }
                _ => return answer,
            }
            let most = match self.budget.remaining() {
                Some(_) => u32::MAX,
                None => VerifyRequest::DEEP_CONTEXTS,
            };
            if !may_grow || self.contexts >= most || self.budget.check().is_err() {
                break;
            }
            self.contexts += 1;
            let (next, seconds) = self.prepare(goal);
            report.stats.passes_seconds += seconds;
            prepared = next;
        }
        let answer = best.unwrap_or_else(|| unknown(UnknownCause::Solver, "no answer".to_owned(), None));
        if let Verdict::Bounded { contexts, .. } = answer.verdict {
            entry_report.contexts = contexts;
        }
        answer
    }

    /// Whether threads, if there are any, may be executed in schedules of any number of contexts.
    pub(super) fn may_run_threads(&self) -> bool {
        let search = &self.request.search;
        (search.contexts.is_none() && !search.cooperative)
            || !starts_threads(&self.front_end.program, self.question.entry)
    }

    /// Executes the program under some schedules; a failing execution is replayed like any other.
    pub(super) fn run_schedules(&self, back_map: &BackMap, runs: &Runs) -> EntryAnswer {
        let (program, entry) = (&self.front_end.program, self.question.entry);
        let executable = Executable::with_threads(program, entry, &back_map.replay_goal);
        let mut left = runs.seeds.end.saturating_sub(runs.seeds.start) * STEPS_PER_RUN;
        // Each number of contexts has its own.
        let first = u64::from(self.request.unfolding.seed) + u64::from(self.contexts) * MOST_SCHEDULES;
        for seed in runs.seeds.start * SCHEDULES_PER_RUN..runs.seeds.end * SCHEDULES_PER_RUN {
            let options = RunOptions {
                seed: first + seed,
                max_steps: STEPS_OF_SCHEDULE.min(left),
                ..RunOptions::default()
            };
            let run = executable.run(&options, self.budget);
            left = left.saturating_sub(run.steps);
            if let RunOutcome::Failed { trace, .. } = &run.outcome {
                let answer = self.failed_run(trace, back_map);
                if answer.verdict == Verdict::Bug {
                    return answer;
                }
            }
            if left == 0 || self.budget.check().is_err() {
                break;
            }
        }
        let reason = "no schedule that was tried fails, but there are others".to_owned();
        unknown(UnknownCause::Solver, reason, None)
    }

    /// What an answer about the sequential program says of the one with threads.
    fn within_contexts(&self, mut answer: EntryAnswer, exact: bool) -> EntryAnswer {
        let contexts = (!exact).then_some(self.contexts);
        answer.verdict = match answer.verdict {
            Verdict::Proved if !exact => {
                let bound = self.bound.unwrap_or(self.request.bound);
                answer.bound = Some(bound);
                Verdict::Bounded {
                    bound,
                    contexts,
                    stack_depth: None,
                }
            }
            Verdict::Bounded {
                bound, stack_depth, ..
            } => Verdict::Bounded {
                bound,
                contexts,
                stack_depth,
            },
            other => other,
        };
        answer
    }
}
