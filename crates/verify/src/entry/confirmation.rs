//! From a counterexample to an answer: replay, and the axioms at the points that it used.

use std::ops::Range;

use lariat_engine::{Counterexample, Session};
use lariat_interp::{
    Executable, Inputs, NoOracle, Replay, ReplayGoal, ReplayOptions, ReplayOutcome, RunOptions, RunOutcome,
    Trace, ViolatedAxiom, replay,
};
use lariat_ir::{AssertId, AssertKind};
use lariat_passes::Goal;
use lariat_report::{Failure, Integers, UnknownCause, Verdict};
use lariat_smt::{Context, Doubt, Model};
use lariat_term::{Op, Substitution, TermId, TermPool, Value};

use super::{BackMap, EntryAnswer, EntryCheck, unknown};
use crate::axioms::{AxiomCheck, check_axioms, supposes};
use crate::counterexample::{TraceOfModel, trace_of};
use crate::interpretation::Interpretation;
use crate::inverses::{Inverses, InvertingOracle};
use crate::oracle::ModelOracle;

/// How many models of one path are tried if they violate axioms.
const MAX_MODELS: usize = 30;
/// The solver's effort to check the axioms after a replay.
const AXIOM_EFFORT: u32 = 4_000_000;

/// Executions with different inputs.
pub(super) struct Runs {
    pub seeds: Range<u64>,
    /// How many steps each may take.
    pub steps: Option<u64>,
    /// How many steps all may take together. The only execution that there is goes on until the budget ends.
    pub all_steps: u64,
}

/// An execution with chosen inputs that was replayed.
pub struct RepeatedRun {
    /// The assertion that fails at its end.
    pub assert: AssertId,
    pub failure: Failure,
    /// Why it may be no execution of the real program.
    pub complaint: Option<String>,
    pub replay: Replay,
}

/// An execution that a solver found, to be replayed.
pub(super) struct Candidate<'a> {
    pub of_model: &'a TraceOfModel,
    pub model: &'a Model,
    pub doubt: Option<&'a Doubt>,
    pub bound: u32,
}

/// Why a counterexample is not confirmed.
enum Complaint {
    Unconfirmed(String),
    /// There may be no execution at all.
    NoExecution(String),
}

/// A counterexample after its replay.
pub struct Confirmed {
    pub answer: EntryAnswer,
    /// `None` if the model could not even be read.
    pub replay: Option<Replay>,
    /// What follows from the axioms and excludes the model.
    lemmas: Vec<TermId>,
    /// Why there may be no execution at all.
    no_execution: Option<String>,
}

impl Confirmed {
    /// The answer; a failure in a program that may have no execution is no finding.
    pub fn finding(self) -> EntryAnswer {
        match self.no_execution {
            Some(reason) => unknown(UnknownCause::Solver, reason, None),
            None => self.answer,
        }
    }
}

impl EntryCheck<'_> {
    /// Replays a counterexample, and others along its path as long as their models violate axioms.
    /// `None` if the path turns out to be infeasible.
    pub fn confirmed(
        &self,
        session: &mut Session<'_>,
        mut counterexample: Counterexample,
        back_map: &BackMap,
    ) -> Option<Confirmed> {
        let mut rounds = 0;
        loop {
            let mut confirmed = self.reached(session, &counterexample, back_map, None);
            let lemmas = std::mem::take(&mut confirmed.lemmas);
            rounds += 1;
            // The first failed replay asks for another model in any case: the options of the main solver
            // leave parts of the theory of maps out.
            if !matches!(confirmed.answer.verdict, Verdict::BugUnconfirmed { .. })
                || (lemmas.is_empty() && rounds > 1)
                || rounds > MAX_MODELS
                || self.budget.check().is_err()
                || lemmas.into_iter().any(|lemma| session.add_lemma(lemma).is_err())
            {
                return Some(self.unless_only_guessed(confirmed, counterexample.doubt.as_ref()));
            }
            let doubt = counterexample.doubt.clone();
            match session.reconsider(counterexample) {
                Ok(other) => counterexample = other?,
                Err(_) => return Some(self.unless_only_guessed(confirmed, doubt.as_ref())),
            }
        }
    }

    /// Whether the replay ended as the question asks, whatever was doubtful on the way.
    pub(super) fn fails_again(&self, confirmed: &Confirmed) -> bool {
        match confirmed.replay.as_ref().map(|replay| &replay.outcome) {
            Some(ReplayOutcome::AssertionFailed { .. }) => true,
            Some(ReplayOutcome::EntryReturned { .. }) => {
                !matches!(self.question.goal, Goal::AssertionFails { .. })
            }
            _ => false,
        }
    }

    /// Where the solver gave up on arithmetic and left a candidate, an execution that does not fail as it said is no finding.
    /// Quantifiers and maps are other doubts: there the candidate satisfies what the solver has instantiated.
    fn unless_only_guessed(&self, mut confirmed: Confirmed, doubt: Option<&Doubt>) -> Confirmed {
        // An execution without some of its calls, which may not return, is none.
        let is_whole = confirmed
            .replay
            .as_ref()
            .is_some_and(|replay| replay.skipped == 0);
        let replayed = is_whole && self.fails_again(&confirmed);
        let arithmetic = doubt.filter(|doubt| doubt.of_arithmetic);
        if let (Verdict::BugUnconfirmed { reason }, Some(doubt), false) =
            (&confirmed.answer.verdict, arithmetic, replayed)
        {
            let reason = format!(
                "the solver gave up ({}), and its candidate does not fail: {reason}",
                doubt.reason
            );
            confirmed.answer = unknown(UnknownCause::Solver, reason, None);
        }
        let c = self.front_end.c.as_ref();
        if let (Verdict::BugUnconfirmed { reason }, true, false) = (
            &confirmed.answer.verdict,
            c.is_some_and(|c| c.names.has_real_functions),
            replayed,
        ) {
            let reason = format!(
                "the solver does not know what functions of `math.h` return, and its candidate does not fail: {reason}"
            );
            confirmed.answer = unknown(UnknownCause::Solver, reason, None);
        }
        confirmed
    }

    /// The assertion that fails at the end of the path, by the statement that sets the error flag.
    pub fn expected(
        &self,
        session: &mut Session<'_>,
        counterexample: &Counterexample,
        back_map: &BackMap,
    ) -> Option<AssertId> {
        let lowered = &self.front_end.program;
        let of_model = trace_of(
            lowered,
            &back_map.origins,
            &back_map.map_entries,
            back_map.schedule.as_ref(),
            session,
            counterexample,
        )
        .ok()?;
        back_map.failures.get(&of_model.failing?).copied()
    }

    /// Executes the program a few times; a failing execution is replayed like any other.
    pub(super) fn run_concretely(&self, back_map: &BackMap, runs: &Runs) -> EntryAnswer {
        if back_map.schedule.is_some() {
            return self.run_schedules(back_map, runs);
        }
        let lowered = &self.front_end.program;
        let executable = Executable::new(lowered, self.question.entry, &back_map.replay_goal);
        let mut left = runs.all_steps;
        let defaults = RunOptions {
            max_steps: runs.steps.unwrap_or(RunOptions::default().max_steps),
            ..RunOptions::default()
        };
        // First one that stands for all executions, then some with chosen inputs.
        let unknown_inputs = RunOptions {
            inputs: Inputs::Unknown,
            ..defaults.clone()
        };
        let chosen = runs.seeds.clone().map(|seed| RunOptions {
            seed: u64::from(self.request.unfolding.seed) + seed,
            ..defaults.clone()
        });
        for mut options in std::iter::once(unknown_inputs).chain(chosen) {
            options.most_steps_of_many = left;
            let run = executable.run(&options, self.budget);
            left = left.saturating_sub(run.steps);
            match run.outcome {
                RunOutcome::NoneFails => return EntryAnswer::new(Verdict::Proved, None),
                RunOutcome::Failed { trace, .. } => return self.failed_run(&trace, back_map),
                RunOutcome::FailedTooLate { assert } => return self.failed_too_late(assert),
                RunOutcome::Passed if left > 0 => {}
                RunOutcome::Passed => break,
                RunOutcome::Unsupported(_) => break,
                RunOutcome::GaveUp(_) if options.inputs == Inputs::Unknown => {}
                RunOutcome::GaveUp(reason) => return unknown(UnknownCause::Solver, reason, None),
            }
        }
        let reason = "no execution that was tried fails, but there are others".to_owned();
        unknown(UnknownCause::Solver, reason, None)
    }

    fn failed_too_late(&self, assert: AssertId) -> EntryAnswer {
        let reason = "the execution that fails is too long to be replayed; run the program of `--harness`";
        let failure = self.failure(Some(assert), Vec::new(), Some(reason.to_owned()));
        EntryAnswer {
            failure: Some((failure, Some(assert))),
            ..EntryAnswer::new(
                Verdict::BugUnconfirmed {
                    reason: reason.to_owned(),
                },
                None,
            )
        }
    }

    pub(super) fn failed_run(&self, trace: &Trace, back_map: &BackMap) -> EntryAnswer {
        let Some(RepeatedRun {
            assert,
            failure,
            complaint,
            replay,
        }) = self.repeat(trace, &back_map.replay_goal)
        else {
            return unknown(
                UnknownCause::Solver,
                "a failing execution could not be repeated".into(),
                None,
            );
        };
        let verdict = match complaint {
            None => Verdict::Bug,
            Some(reason) => Verdict::BugUnconfirmed { reason },
        };
        EntryAnswer {
            failure: Some((failure, Some(assert))),
            rough: self.rough_statements(&replay),
            ..EntryAnswer::new(verdict, None)
        }
    }

    /// Replays an execution with chosen inputs. `None` if it does not fail again.
    pub fn repeat(&self, trace: &Trace, goal: &ReplayGoal) -> Option<RepeatedRun> {
        let lowered = &self.front_end.program;
        let options = ReplayOptions {
            goal: goal.clone(),
            ..ReplayOptions::default()
        };
        let entry = self.question.entry;
        let replay = replay(lowered, entry, trace, &mut NoOracle, &options, self.budget);
        let ReplayOutcome::AssertionFailed { assert, .. } = replay.outcome else {
            return None;
        };
        if replay.complaint().is_some() {
            return None;
        }
        let complaint = self.inexact().or_else(|| self.imprecise(&replay));
        let failure = self.failure_of_replay(&replay, Some(assert), complaint.clone());
        Some(RepeatedRun {
            assert,
            failure,
            complaint,
            replay,
        })
    }

    /// The failure at the end of a replay, with the inputs that led there.
    fn failure_of_replay(
        &self,
        result: &Replay,
        assert: Option<AssertId>,
        complaint: Option<String>,
    ) -> Failure {
        let mut failure = self.failure(assert, self.trace_lines(result), complaint);
        self.tell_of_threads(&mut failure, result);
        failure.steps = self.steps(result);
        failure.inputs = self.front_end.inputs(&result.events);
        (failure.objects, failure.memory) = self.front_end.fresh_memory(&result.events);
        failure.schedule = self.front_end.schedule(&result.events);
        let waits_at = self.deadlock_place(&failure, result);
        if let Some(place) = waits_at.or_else(|| self.front_end.user_place(&result.events)) {
            failure.location = Some(place);
        }
        failure
    }

    /// Replays a counterexample on the lowered program, under the interpretation that it was found under.
    pub(super) fn reached(
        &self,
        session: &mut Session<'_>,
        counterexample: &Counterexample,
        back_map: &BackMap,
        interpretation: Option<&Interpretation>,
    ) -> Confirmed {
        let lowered = &self.front_end.program;
        let of_model = match trace_of(
            lowered,
            &back_map.origins,
            &back_map.map_entries,
            back_map.schedule.as_ref(),
            session,
            counterexample,
        ) {
            Ok(of_model) => of_model,
            Err(error) => {
                let reason = format!("the model could not be read: {}", error.0);
                let failure = self.failure(None, Vec::new(), Some(reason.clone()));
                return Confirmed {
                    answer: bug_unconfirmed(reason, failure, None, counterexample.bound),
                    replay: None,
                    lemmas: Vec::new(),
                    no_execution: None,
                };
            }
        };
        let candidate = Candidate {
            of_model: &of_model,
            model: &counterexample.model,
            doubt: counterexample.doubt.as_ref(),
            bound: counterexample.bound,
        };
        let (context, pool) = session.context();
        self.replayed(&candidate, context, pool, back_map, interpretation)
    }

    /// Replays an execution on the lowered program. The model is of this context and pool.
    pub(super) fn replayed(
        &self,
        candidate: &Candidate<'_>,
        context: &mut Context,
        pool: &mut TermPool,
        back_map: &BackMap,
        interpretation: Option<&Interpretation>,
    ) -> Confirmed {
        let lowered = &self.front_end.program;
        let of_model = candidate.of_model;
        let expected = of_model
            .failing
            .and_then(|stmt| back_map.failures.get(&stmt).copied());
        let inverses = Inverses::of_axioms(lowered);
        let oracle = ModelOracle {
            context,
            pool,
            model: candidate.model,
            interpretation,
            budget: self.budget,
        };
        let mut oracle = InvertingOracle::new(oracle, &inverses, &lowered.pool);
        let options = ReplayOptions {
            goal: back_map.replay_goal.clone(),
            ..ReplayOptions::default()
        };
        let result = replay(
            lowered,
            self.question.entry,
            &of_model.trace,
            &mut oracle,
            &options,
            self.budget,
        );
        let assert = match result.outcome {
            ReplayOutcome::AssertionFailed { assert, .. } => Some(assert),
            _ => expected,
        };
        let info = assert.map(|assert| &lowered.asserts[assert]);
        if let Some(info) = info
            && let AssertKind::Unsupported(reason) = &info.kind
        {
            let place = info.span.map_or(String::new(), |span| {
                format!(" ({})", self.front_end.sources.location(span))
            });
            let answer = unknown(
                UnknownCause::Unsupported,
                format!("{reason}{place} is reachable"),
                None,
            );
            let lemmas = violated_instances(pool, &result.violated_axioms);
            return Confirmed {
                answer,
                replay: Some(result),
                lemmas,
                no_execution: None,
            };
        }
        let mut lemma = None;
        let complaint = self.complaint(&result, candidate, interpretation, pool, &mut lemma);
        let (complaint, no_execution) = match complaint {
            None => (None, None),
            Some(Complaint::Unconfirmed(reason)) => (Some(reason), None),
            Some(Complaint::NoExecution(reason)) => {
                let reason = format!("there may be no execution: {reason}");
                (Some(reason.clone()), Some(reason))
            }
        };
        let failure = self.failure_of_replay(&result, assert, complaint.clone());
        let mut reached = back_map.failures.values();
        let unsupported = reached.find_map(|&assert| match &lowered.asserts[assert].kind {
            AssertKind::Unsupported(reason) => Some(reason),
            _ => None,
        });
        let is_replayed = result.confirms_failure(lowered) && result.skipped == 0;
        let answer = match complaint {
            // What was not replayed may have ended at a construct that is not modelled.
            Some(complaint) if unsupported.is_some() && !is_replayed => unknown(
                UnknownCause::Unsupported,
                format!(
                    "{} may be reachable; {complaint}",
                    unsupported.map_or("", |reason| reason)
                ),
                None,
            ),
            None => EntryAnswer {
                failure: Some((failure, assert)),
                ..EntryAnswer::new(Verdict::Bug, Some(candidate.bound))
            },
            Some(reason) => EntryAnswer {
                rough: self.rough_statements(&result),
                ..bug_unconfirmed(reason, failure, assert, candidate.bound)
            },
        };
        let mut lemmas = violated_instances(pool, &result.violated_axioms);
        lemmas.extend(lemma);
        Confirmed {
            answer,
            replay: Some(result),
            lemmas,
            no_execution,
        }
    }

    /// Why no replay is an execution of the C program: its arithmetic was not C's.
    fn inexact(&self) -> Option<String> {
        let is_math = self.front_end.c.is_some() && self.request.c.integers == Integers::Math;
        is_math.then(|| {
            "it was found with mathematical integers, which do not wrap around; verify without `--integers math`, or run \
             the program of `--harness`"
                .to_owned()
        })
    }

    /// Why the replay does not confirm the counterexample; `None` if it does. Sets `lemma` to what
    /// follows from the axioms and excludes the model.
    fn complaint(
        &self,
        result: &Replay,
        candidate: &Candidate<'_>,
        interpretation: Option<&Interpretation>,
        pool: &mut TermPool,
        lemma: &mut Option<TermId>,
    ) -> Option<Complaint> {
        let unconfirmed = |reason: String| Some(Complaint::Unconfirmed(reason));
        if let Some(complaint) = result
            .complaint()
            .or_else(|| self.inexact())
            .or_else(|| self.imprecise(result))
        {
            return unconfirmed(complaint);
        }
        let lowered = &self.front_end.program;
        let confirmed = match &self.question.goal {
            Goal::AssertionFails { .. } => result.confirms_failure(lowered),
            Goal::EntryReturns => result.confirms_return(),
            Goal::VariableNonZero(var) => match &result.outcome {
                ReplayOutcome::EntryReturned { globals } => globals
                    .iter()
                    .any(|(global, value)| global == var && is_nonzero(value)),
                _ => result.confirms_failure(lowered),
            },
            Goal::VariableZero(var) => match &result.outcome {
                ReplayOutcome::EntryReturned { globals } => globals
                    .iter()
                    .any(|(global, value)| global == var && !is_nonzero(value)),
                _ => result.confirms_failure(lowered),
            },
        };
        if !confirmed {
            return unconfirmed("the replay ended differently from what the solver said".into());
        }
        if result.skipped > 0 {
            return unconfirmed(format!("{} calls could not be replayed", result.skipped));
        }
        if candidate.doubt.is_none() && !supposes(pool, &result.points) {
            return None;
        }
        let none = Interpretation::default();
        let interpretation = interpretation.unwrap_or(&none);
        match check_axioms(
            lowered,
            pool,
            &candidate.of_model.trace.inputs,
            &result.points,
            interpretation,
            AXIOM_EFFORT,
            self.budget,
        ) {
            AxiomCheck::Consistent => None,
            AxiomCheck::Contradicted(excluded) => {
                *lemma = excluded;
                unconfirmed("the axioms exclude the values that the solver chose".into())
            }
            AxiomCheck::NoModel(reason) => Some(Complaint::NoExecution(reason.into())),
            AxiomCheck::Unknown(reason) => unconfirmed(format!(
                "the quantified axioms could not be checked at the values of the trace: {reason}"
            )),
        }
    }
}

/// The instances of axioms that a model violates, as far as terms denote their values.
fn violated_instances(pool: &mut TermPool, violated: &[ViolatedAxiom]) -> Vec<TermId> {
    let mut instances = Vec::new();
    for instance in violated {
        let Op::Quantifier(id) = pool.op(instance.quantifier) else {
            continue;
        };
        let body = pool.quantifier(id).body;
        let values: Option<Substitution> = instance
            .binding
            .iter()
            .map(|(var, value)| Some((*var, value.to_term(pool)?)))
            .collect();
        if let Some(mut values) = values {
            instances.push(values.apply(pool, body));
        }
    }
    instances
}

fn is_nonzero(value: &Value) -> bool {
    match value {
        Value::Bool(value) => *value,
        Value::Int(value) | Value::Bv { value, .. } => *value != Default::default(),
        _ => true,
    }
}

fn bug_unconfirmed(reason: String, failure: Failure, assert: Option<AssertId>, bound: u32) -> EntryAnswer {
    EntryAnswer {
        failure: Some((failure, assert)),
        ..EntryAnswer::new(Verdict::BugUnconfirmed { reason }, Some(bound))
    }
}
