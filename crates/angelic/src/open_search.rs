//! One entry of an open program: an engine that keeps its unfolding between questions, and the replay of what it finds.
//!
//! Invariant: the program of the front end is the one that angelic verification has instrumented; failures, events and
//! statements are in its terms.

use lariat_base::Budget;
use lariat_engine::{SearchEvent, SearchOutcome, Session};
use lariat_front_end::FrontEnd;
use lariat_interp::{Event, ReplayOutcome};
use lariat_ir::{AssertId, ProcId, Program};
use lariat_passes::Goal;
use lariat_report::{Engine, Failure, Verdict, VerifyRequest};
use lariat_smt::{Model, SolverError};
use lariat_vc::Problem;
use lariat_verify::{BackMap, Confirmed, EntryCheck, Question};
use rustc_hash::FxHashSet;

use crate::can_fail::limit_failures;
use crate::instrument::Switches;
use crate::summary::{Attached, add_facts};
use crate::unfolding::suitable_engine;

/// Which entry is asked about.
pub struct OpenQuestion(Question);

impl OpenQuestion {
    pub fn new(name: &str, entry: ProcId) -> Self {
        OpenQuestion(Question {
            name: name.to_owned(),
            entry,
            goal: Goal::AssertionFails { checked: None },
        })
    }
}

/// A search that goes on after each failure.
pub struct OpenSearch<'a> {
    check: EntryCheck<'a>,
    back_map: BackMap,
    /// The assertions that the entry reaches.
    pub reached: FxHashSet<AssertId>,
    pub session: Session<'a>,
    /// Summaries of callees; each counts while its switch is assumed.
    pub summaries: Vec<Attached>,
}

/// What a question gave.
pub enum Found {
    Failure(Box<FoundFailure>),
    /// None is left; `complete` if the bound cut nothing off.
    Nothing {
        bound: u32,
        complete: bool,
    },
    Unknown {
        reason: String,
        /// Within this bound none is left.
        completed: Option<u32>,
    },
}

/// A failing execution.
pub struct FoundFailure {
    pub assert: AssertId,
    /// In the words of the report, with the trace.
    pub failure: Failure,
    /// Empty if it could not be replayed at all.
    pub events: Vec<Event>,
    /// The replay fails at this assertion, even if something it met on the way is in doubt.
    pub replayed: bool,
    /// A construct that cannot be executed was reached.
    pub unsupported: Option<String>,
}

impl<'a> OpenSearch<'a> {
    /// `program` is that of the front end, with the summaries.
    pub fn new(
        front_end: &'a FrontEnd,
        request: &'a VerifyRequest,
        question: &'a OpenQuestion,
        switches: &Switches,
        (program, summaries): (Program, Vec<Attached>),
        budget: &'a Budget,
        progress: &'a mut dyn FnMut(SearchEvent),
    ) -> Result<Self, SolverError> {
        let check = EntryCheck::new(request, front_end, &question.0, budget);
        let (mut prepared, _) = check.prepare_program(program, &question.0.goal);
        let limits = limit_failures(&mut prepared, switches);
        let back_map = BackMap::new(&question.0.goal, &prepared);
        let origins = prepared.var_origins.clone();
        let reached = prepared
            .checked
            .iter()
            .chain(&prepared.unsupported)
            .copied()
            .collect();
        let engine = match request.engine {
            Engine::Portfolio | Engine::Chc | Engine::Paths => {
                suitable_engine(&prepared.program, prepared.entry, request.bound)
            }
            engine => engine,
        };
        let mut options = check.search_options(engine);
        options.leave_summarised = true;
        let mut problem = Problem::from(prepared);
        add_facts(&mut problem, &summaries);
        let mut session = Session::new(problem, options, budget.clone(), progress)?;
        session.note_origins(origins);
        for limit in limits {
            session.assert_term(limit)?;
        }
        Ok(OpenSearch {
            check,
            back_map,
            reached,
            session,
            summaries,
        })
    }

    /// Whether the last answer may rest on a summary that holds up to the bound only.
    pub fn rests_on_bounded_summaries(&self) -> bool {
        let is_bounded = self.summaries.iter().any(|attached| !attached.complete);
        is_bounded && self.session.needs_facts()
    }

    /// The next failing execution under what is assumed now.
    pub fn next_failure(&mut self) -> Found {
        loop {
            let counterexample = match self.session.run() {
                SearchOutcome::Reached(counterexample) => counterexample,
                outcome => return without_failure(outcome),
            };
            let expected = self
                .check
                .expected(&mut self.session, &counterexample, &self.back_map);
            let confirmed = self
                .check
                .confirmed(&mut self.session, *counterexample, &self.back_map);
            let Some(Confirmed { answer, replay, .. }) = confirmed else {
                // The path is infeasible after all.
                continue;
            };
            let unsupported = match &answer.verdict {
                Verdict::Unknown { reason, .. } => Some(reason.clone()),
                _ => None,
            };
            let (failure, assert) = match answer.failure {
                Some((failure, assert)) => (failure, assert.or(expected)),
                None => (
                    self.check.failure(expected, Vec::new(), unsupported.clone()),
                    expected,
                ),
            };
            let Some(assert) = assert else {
                return Found::Unknown {
                    reason: "a failing execution without an assertion".into(),
                    completed: None,
                };
            };
            let outcome = replay.as_ref().map(|replay| &replay.outcome);
            let replayed = match outcome {
                Some(ReplayOutcome::AssertionFailed { assert: failing, .. }) => *failing == assert,
                _ => false,
            };
            return Found::Failure(Box::new(FoundFailure {
                assert,
                replayed,
                failure,
                events: replay.map_or_else(Vec::new, |replay| replay.events),
                unsupported,
            }));
        }
    }

    /// Whether some execution fails under what is assumed now: its model, without a replay.
    pub fn witness(&mut self) -> Result<Option<Model>, String> {
        match self.session.run() {
            SearchOutcome::Reached(counterexample) => Ok(Some(counterexample.model)),
            SearchOutcome::Proved | SearchOutcome::Bounded { .. } => Ok(None),
            SearchOutcome::Unknown { reason, .. } => Err(reason),
        }
    }
}

fn without_failure(outcome: SearchOutcome) -> Found {
    match outcome {
        SearchOutcome::Proved => Found::Nothing {
            bound: 0,
            complete: true,
        },
        SearchOutcome::Bounded { bound, .. } => Found::Nothing {
            bound,
            complete: false,
        },
        SearchOutcome::Unknown { reason, bound } => Found::Unknown {
            reason,
            completed: bound,
        },
        SearchOutcome::Reached(_) => Found::Unknown {
            reason: "a counterexample that was not looked at".into(),
            completed: None,
        },
    }
}
