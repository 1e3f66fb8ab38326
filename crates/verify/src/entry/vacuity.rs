//! Whether a success says anything: some execution of the entry must come to its end.

use lariat_engine::{SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_front_end::rendering;
use lariat_passes::{Completion, Goal, mark_completions};
use lariat_paths::PathOutcome;
use lariat_report::{Engine, VerifyReport, Warning, WarningKind};
use lariat_vc::Problem;

use super::EntryCheck;

/// The solver's effort in the search for an execution that is completed.
const VACUITY_EFFORT: u64 = 10_000_000;

/// The statements that are executed path by path in this search.
const VACUITY_STEPS: u64 = 200_000;

/// How executions of an entry that has no bug end.
pub(super) enum Completes {
    /// Some come to their end, or it is not known that none does.
    Normally,
    /// None does, but some go round a loop for ever: what is in it was checked.
    Never(Warning),
    /// Each is cut by an assumption: nothing was checked.
    Nothing(String),
}

impl EntryCheck<'_> {
    pub(super) fn completion(&self, report: &mut VerifyReport) -> Completes {
        if !self.excludes(Completion::End, report) {
            return Completes::Normally;
        }
        let name = &self.question.name;
        if self.excludes(Completion::EndOrEndless, report) {
            return Completes::Nothing(format!(
                "nothing was checked: `{name}` can never be completed, because its assumptions contradict each other or \
                 every execution misuses memory in a way that is not checked"
            ));
        }
        Completes::Never(Warning {
            kind: WarningKind::Vacuous,
            message: format!("`{name}` never returns: only what its loops do was checked"),
            location: self.front_end.program.procs[self.question.entry]
                .span
                .map(|span| rendering::location(&self.front_end.sources, span)),
        })
    }

    /// Whether no execution is completed in this way.
    fn excludes(&self, completion: Completion, report: &mut VerifyReport) -> bool {
        let mut program = self.front_end.program.clone();
        let assert = mark_completions(&mut program, self.question.entry, completion);
        let goal = Goal::AssertionFails {
            checked: Some([assert].into()),
        };
        let (prepared, seconds) = self.prepare_program(program, &goal);
        report.stats.passes_seconds += seconds;
        let problem = Problem::from(prepared);
        if self.may_take_paths() {
            // Where some execution is completed, one of the first paths mostly is.
            match self.explored(&problem, Some(VACUITY_STEPS), &mut |_| {}).0 {
                PathOutcome::Reached(_) => return false,
                PathOutcome::Proved => return true,
                PathOutcome::Bounded { .. } | PathOutcome::Unknown { .. } => {}
            }
        }
        let mut silent = |_: SearchEvent| {};
        let options = SearchOptions {
            effort: Some(VACUITY_EFFORT),
            ..self.search_options(Engine::Dag)
        };
        Session::new(problem, options, self.budget.clone(), &mut silent)
            .is_ok_and(|mut search| matches!(search.run(), SearchOutcome::Proved))
    }
}
