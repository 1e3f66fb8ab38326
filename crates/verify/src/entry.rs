//! One entry: passes, engine, replay, verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use cranelift_entity::SecondaryMap;
use lariat_base::{Budget, Exhausted};
use lariat_engine::{
    Counterexample, ExpandPolicy, Outcome, Problem, Search, SearchEvent, SearchOptions, SearchProgress,
    Unfolding,
};
use lariat_interp::{Replay, ReplayOptions, ReplayOutcome, ViolatedAxiom, replay};
use lariat_ir::{AssertId, AssertKind, ProcId, ProcKind, Program, StmtId};
use lariat_passes::{Goal, PrepareOptions, Prepared, prepare};
use lariat_report::{
    CutKind, CutSite, Engine, EntryReport, EntryStats, Failure, FailureKind, LogStage, LogText, Phase,
    Progress, ProgressUpdate, UnknownCause, Verdict, VerifyReport, VerifyRequest, Warning, WarningKind,
};
use lariat_term::{Op, Substitution, TermId, TermPool, VarId};
use lariat_vc::GlobalInterface;
use rustc_hash::FxHashMap;

use crate::axioms::{AxiomCheck, check_axioms};
use crate::counterexample::trace_of;
use crate::front_end::FrontEnd;
use crate::oracle::ModelOracle;
use crate::question::Question;
use crate::rendering;
use crate::solver_options::solver_options;

/// How long the search for a normal return of the entry may take, to warn of a vacuous success.
const VACUITY_TIME: Duration = Duration::from_secs(2);
/// Procedures whose tree of calls has at most this many statements are inlined with their callers.
/// On the driver corpora 400 was better than 0, 30 and 100.
const SMALL_SIZE: usize = 400;
/// How many models of one path are tried if they violate axioms.
const MAX_MODELS: usize = 30;
/// How long the axioms may be checked after a replay.
const AXIOM_TIME: Duration = Duration::from_secs(3);

/// The check of one entry.
pub struct EntryCheck<'a> {
    request: &'a VerifyRequest,
    front_end: &'a FrontEnd,
    question: &'a Question,
    budget: &'a Budget,
    stats: EntryStats,
}

/// From the prepared program back to the lowered one.
struct BackMap {
    /// For each statement that sets the error flag the assertion that fails there.
    failures: BTreeMap<StmtId, AssertId>,
    origins: FxHashMap<VarId, VarId>,
    /// Where a replay ends: assertions that are no longer asked about are passed.
    replay_goal: lariat_interp::Goal,
}

/// What a search gave, in terms of the report.
struct Answer {
    verdict: Verdict,
    bound: Option<u32>,
    cut: Vec<CutSite>,
    failure: Option<(Failure, Option<AssertId>)>,
}

impl<'a> EntryCheck<'a> {
    pub fn new(
        request: &'a VerifyRequest,
        front_end: &'a FrontEnd,
        question: &'a Question,
        budget: &'a Budget,
    ) -> Self {
        EntryCheck {
            request,
            front_end,
            question,
            budget,
            stats: EntryStats::default(),
        }
    }

    /// Answers the question; with `all`, until no further assertion fails.
    pub fn run(
        &mut self,
        progress: &mut dyn FnMut(Progress),
        report: &mut VerifyReport,
    ) -> (EntryReport, Vec<Warning>) {
        let started = Instant::now();
        let mut warnings = Vec::new();
        let mut goal = self.question.goal.clone();
        let mut entry_report = EntryReport {
            entry: self.question.name.clone(),
            goal: lariat_report::Goal {
                kind: self.question.goal_kind(),
                text: self.question.goal_text(&self.front_end.program),
            },
            verdict: Verdict::unknown(UnknownCause::Interrupted, "not finished"),
            bound: None,
            cut: Vec::new(),
            failures: Vec::new(),
            stats: EntryStats::default(),
        };
        loop {
            let prepared = self.prepare(&goal, report);
            if let Some(reason) = nothing_to_check(&goal, &prepared) {
                if entry_report.failures.is_empty() {
                    warnings.push(Warning {
                        kind: WarningKind::NothingChecked,
                        message: reason.clone(),
                        location: None,
                    });
                    entry_report.verdict = Verdict::unknown(UnknownCause::NothingChecked, reason);
                }
                break;
            }
            let answer = self.search(&goal, prepared, progress, report, &entry_report);
            entry_report.bound = answer.bound;
            entry_report.cut = answer.cut;
            let worst = entry_report.failures.is_empty();
            let Some((failure, assert)) = answer.failure else {
                if worst {
                    entry_report.verdict = answer.verdict;
                }
                break;
            };
            if worst || answer.verdict == Verdict::Bug {
                entry_report.verdict = answer.verdict;
            }
            entry_report.failures.push(failure);
            match (self.request.all, assert) {
                (true, Some(assert)) => goal = self.without(&goal, assert),
                _ => break,
            }
        }
        if matches!(entry_report.verdict, Verdict::Proved | Verdict::Bounded { .. }) {
            warnings.extend(self.vacuity(&goal, report));
        }
        self.stats.seconds = started.elapsed().as_secs_f64();
        entry_report.stats = self.stats.clone();
        (entry_report, warnings)
    }

    fn prepare(&self, goal: &Goal, report: &mut VerifyReport) -> Prepared {
        let started = Instant::now();
        let options = PrepareOptions {
            record_stages: self.request.log.contains(&LogStage::Passes),
            ..PrepareOptions::default()
        };
        let prepared = prepare(&self.front_end.program, self.question.entry, goal, &options);
        report.stats.passes_seconds += started.elapsed().as_secs_f64();
        prepared
    }

    fn search_options(&self) -> SearchOptions {
        SearchOptions {
            expand: match self.request.engine {
                Engine::Stratified => ExpandPolicy::OverRefine,
                Engine::Static => ExpandPolicy::Eager,
            },
            max_bound: self.request.bound.max(1),
            stack_depth: self.request.stack_depth,
            small_size: if self.request.stack_depth.is_some() {
                0
            } else {
                SMALL_SIZE
            },
            solver_options: solver_options(self.request),
            seed: self.request.seed,
            log: self.request.log.contains(&LogStage::Unfolding),
        }
    }

    fn search(
        &mut self,
        goal: &Goal,
        prepared: Prepared,
        progress: &mut dyn FnMut(Progress),
        report: &mut VerifyReport,
        so_far: &EntryReport,
    ) -> Answer {
        for (stage, text) in &prepared.stages {
            progress(Progress::Log(LogText {
                stage: LogStage::Passes,
                title: (*stage).to_owned(),
                text: text.clone(),
            }));
        }
        let back_map = BackMap {
            failures: prepared.failures.clone(),
            origins: prepared.var_origins.clone(),
            replay_goal: replay_goal(goal),
        };
        let problem = problem_of(prepared);
        let base = report.clone();
        let mut told_bound = None;
        let mut tell = |event: SearchEvent| {
            let event = match event {
                SearchEvent::Progress(event) => event,
                SearchEvent::Log(text) => {
                    let text = LogText {
                        stage: LogStage::Unfolding,
                        title: String::new(),
                        text: text
                            + "
",
                    };
                    return progress(Progress::Log(text));
                }
            };
            progress(Progress::Update(update(&so_far.entry, &event)));
            if event.completed.is_some() && event.completed != told_bound {
                told_bound = event.completed;
                progress(Progress::Partial(Box::new(partial(
                    &base,
                    so_far,
                    event.completed,
                ))));
            }
        };
        let mut search = match Search::new(problem, self.search_options(), self.budget.clone(), &mut tell) {
            Ok(search) => search,
            Err(error) => return unknown(UnknownCause::Solver, error.to_string(), None),
        };
        let answer = self.answer(&mut search, &back_map);
        let stats = search.unfolding.stats;
        self.stats.inlined += stats.inlined;
        self.stats.solver_calls += stats.solver_calls;
        self.stats.solver_seconds += stats.solver_seconds;
        report.stats.inlined += stats.inlined;
        report.stats.solver_calls += stats.solver_calls;
        report.stats.solver_seconds += stats.solver_seconds;
        report.stats.vc_seconds += stats.vc_seconds + stats.inline_seconds;
        answer
    }

    /// Runs the search until there is an answer that holds.
    fn answer(&mut self, search: &mut Search<'_>, back_map: &BackMap) -> Answer {
        loop {
            match search.run() {
                Outcome::Proved => {
                    return Answer {
                        verdict: Verdict::Proved,
                        bound: None,
                        cut: Vec::new(),
                        failure: None,
                    };
                }
                Outcome::Bounded { bound, cut } => {
                    return Answer {
                        verdict: Verdict::Bounded { bound },
                        bound: Some(bound),
                        cut: self.cut_sites(&search.unfolding.problem.program, &cut),
                        failure: None,
                    };
                }
                Outcome::Unknown { reason, bound } => return self.no_answer(reason, bound),
                Outcome::Reached(counterexample) => {
                    if let Some(answer) = self.confirmed(search, counterexample, back_map) {
                        return answer;
                    }
                }
            }
        }
    }

    /// Replays a counterexample, and others along its path as long as their models violate axioms.
    /// `None` if the path turns out to be infeasible.
    fn confirmed(
        &mut self,
        search: &mut Search<'_>,
        mut counterexample: Counterexample,
        back_map: &BackMap,
    ) -> Option<Answer> {
        let mut rounds = 0;
        loop {
            let (answer, lemmas) = self.reached(&mut search.unfolding, &counterexample, back_map);
            rounds += 1;
            // The first failed replay asks for another model in any case: the options of the main solver
            // leave parts of the theory of maps out.
            if !matches!(answer.verdict, Verdict::BugUnconfirmed { .. })
                || (lemmas.is_empty() && rounds > 1)
                || rounds > MAX_MODELS
                || self.budget.check().is_err()
                || lemmas.into_iter().any(|lemma| search.note_lemma(lemma).is_err())
            {
                return Some(answer);
            }
            match search.reconsider(counterexample) {
                Ok(other) => counterexample = other?,
                Err(_) => return Some(answer),
            }
        }
    }

    /// The budget ended or the solver gave up: what was completed still stands.
    fn no_answer(&self, reason: String, completed: Option<u32>) -> Answer {
        let cause = match self.budget.check_memory() {
            Err(Exhausted::Time) => UnknownCause::Time,
            Err(Exhausted::Memory) => UnknownCause::Memory,
            Err(Exhausted::Interrupted) => UnknownCause::Interrupted,
            Ok(()) => UnknownCause::Solver,
        };
        let reason = match completed {
            Some(bound) => format!("{reason}; no violation within bound {bound}"),
            None => reason,
        };
        unknown(cause, reason, completed)
    }

    fn cut_sites(&self, program: &Program, cut: &[ProcId]) -> Vec<CutSite> {
        let mut sites: Vec<CutSite> = cut
            .iter()
            .map(|&id| {
                let proc = &program.procs[id];
                let (kind, name, span) = match &proc.kind {
                    ProcKind::Source => (CutKind::Procedure, proc.name.to_string(), proc.span),
                    ProcKind::Loop { parent, head } => {
                        (CutKind::Loop, program.procs[*parent].name.to_string(), *head)
                    }
                };
                let location = span.map(|span| rendering::location(&self.front_end.sources, span));
                CutSite { name, kind, location }
            })
            .collect();
        sites.sort();
        sites.dedup();
        sites
    }

    /// Replays a counterexample on the program as it was lowered.
    fn reached(
        &mut self,
        unfolding: &mut Unfolding,
        counterexample: &Counterexample,
        back_map: &BackMap,
    ) -> (Answer, Vec<TermId>) {
        let lowered = &self.front_end.program;
        let of_model = match trace_of(lowered, &back_map.origins, unfolding, counterexample) {
            Ok(of_model) => of_model,
            Err(error) => {
                let reason = format!("the model could not be read: {}", error.0);
                let failure = self.failure(None, Vec::new(), Some(reason.clone()));
                return (
                    bug_unconfirmed(reason, failure, None, counterexample.bound),
                    Vec::new(),
                );
            }
        };
        let expected = of_model
            .failing
            .and_then(|stmt| back_map.failures.get(&stmt).copied());
        let mut oracle = ModelOracle {
            unfolding,
            model: &counterexample.model,
            budget: self.budget,
        };
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
            return (
                unknown(
                    UnknownCause::Unsupported,
                    format!("{reason}{place} is reachable"),
                    None,
                ),
                violated_instances(&mut unfolding.problem.program.pool, &result.violated_axioms),
            );
        }
        let trace = self.trace_lines(&result);
        let mut lemma = None;
        let complaint = self.complaint(
            &result,
            counterexample,
            &of_model.trace.inputs,
            unfolding,
            &mut lemma,
        );
        let failure = self.failure(assert, trace, complaint.clone());
        let answer = match complaint {
            None => Answer {
                verdict: Verdict::Bug,
                bound: Some(counterexample.bound),
                cut: Vec::new(),
                failure: Some((failure, assert)),
            },
            Some(reason) => bug_unconfirmed(reason, failure, assert, counterexample.bound),
        };
        let mut lemmas = violated_instances(&mut unfolding.problem.program.pool, &result.violated_axioms);
        lemmas.extend(lemma);
        (answer, lemmas)
    }

    /// Why the replay does not confirm the counterexample; `None` if it does. Sets `lemma` to what
    /// follows from the axioms and excludes the model.
    fn complaint(
        &self,
        result: &Replay,
        counterexample: &Counterexample,
        constants: &FxHashMap<VarId, lariat_term::Value>,
        unfolding: &mut Unfolding,
        lemma: &mut Option<TermId>,
    ) -> Option<String> {
        if let Some(complaint) = result.complaint() {
            return Some(complaint);
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
        };
        if !confirmed {
            return Some("the replay ended differently from what the solver said".into());
        }
        if result.skipped > 0 {
            return Some(format!("{} calls could not be replayed", result.skipped));
        }
        counterexample.doubt.as_ref()?;
        let budget = self.budget.within(AXIOM_TIME);
        let pool = &mut unfolding.problem.program.pool;
        match check_axioms(lowered, pool, constants, &result.points, &budget) {
            AxiomCheck::Consistent => None,
            AxiomCheck::Contradicted(excluded) => {
                *lemma = excluded;
                Some("the axioms exclude the values that the solver chose".into())
            }
            AxiomCheck::Unknown(reason) => Some(format!(
                "the quantified axioms could not be checked at the values of the trace: {reason}"
            )),
        }
    }

    fn trace_lines(&self, result: &Replay) -> Vec<lariat_report::TraceLine> {
        let detail = match self.request.trace {
            lariat_report::TraceDetail::Brief => lariat_interp::TraceDetail::Brief,
            lariat_report::TraceDetail::Full => lariat_interp::TraceDetail::Full,
        };
        let lines = lariat_interp::render(
            &result.events,
            &self.front_end.program,
            &self.front_end.sources,
            detail,
        );
        lines.into_iter().map(rendering::trace_line).collect()
    }

    fn failure(
        &self,
        assert: Option<AssertId>,
        trace: Vec<lariat_report::TraceLine>,
        why_not: Option<String>,
    ) -> Failure {
        let lowered = &self.front_end.program;
        let sources = &self.front_end.sources;
        let confirmed = why_not.is_none();
        let Some(assert) = assert else {
            let (kind, message) = match &self.question.goal {
                Goal::VariableNonZero(var) => (
                    FailureKind::VariableNonzero,
                    format!(
                        "`{}` can be non-zero when `{}` returns",
                        lowered.pool.var_name(*var),
                        self.question.name
                    ),
                ),
                Goal::EntryReturns => (
                    FailureKind::EntryReturns,
                    format!("`{}` can return", self.question.name),
                ),
                Goal::AssertionFails { .. } => (FailureKind::Assertion, "an assertion can fail".into()),
            };
            let span = lowered.procs[self.question.entry].span;
            let location = span.map(|span| rendering::location(sources, span));
            return Failure {
                kind,
                message,
                id: None,
                location,
                trace,
                confirmed,
                why_not,
            };
        };
        let info = &lowered.asserts[assert];
        let (kind, message) = match &info.kind {
            AssertKind::Assert => (FailureKind::Assertion, "assertion can fail".to_owned()),
            AssertKind::Requires(callee) => (
                FailureKind::Precondition,
                format!("precondition of `{callee}` can be violated"),
            ),
            AssertKind::Ensures(name) => (
                FailureKind::Postcondition,
                format!("postcondition of `{name}` can be violated"),
            ),
            AssertKind::LoopInvariant => (
                FailureKind::InvariantMaintained,
                "loop invariant can be violated".into(),
            ),
            AssertKind::Unpack => (
                FailureKind::Assertion,
                "the value may have another constructor".into(),
            ),
            AssertKind::Unsupported(reason) => (FailureKind::Assertion, reason.to_string()),
        };
        Failure {
            kind,
            message: info.message.as_ref().map_or(message, |text| text.to_string()),
            id: info.id.as_ref().map(|id| id.to_string()),
            location: info.span.map(|span| rendering::location(sources, span)),
            trace,
            confirmed,
            why_not,
        }
    }

    /// The goal without an assertion that was shown to fail.
    fn without(&self, goal: &Goal, failed: AssertId) -> Goal {
        let checked: BTreeSet<AssertId> = match goal {
            Goal::AssertionFails {
                checked: Some(checked),
            } => checked.clone(),
            _ => self.front_end.program.asserts.keys().collect(),
        };
        Goal::AssertionFails {
            checked: Some(checked.into_iter().filter(|&assert| assert != failed).collect()),
        }
    }

    /// Warns if the entry cannot be completed at all.
    fn vacuity(&self, goal: &Goal, report: &mut VerifyReport) -> Option<Warning> {
        if !matches!(goal, Goal::AssertionFails { .. }) {
            return None;
        }
        let problem = problem_of(self.prepare(&Goal::EntryReturns, report));
        let budget = self.budget.within(VACUITY_TIME);
        let mut silent = |_: SearchEvent| {};
        let mut search = Search::new(problem, self.search_options(), budget, &mut silent).ok()?;
        matches!(search.run(), Outcome::Proved).then(|| Warning {
            kind: WarningKind::Vacuous,
            message: format!(
                "`{}` can never be completed: its assumptions contradict each other or it never returns, so the success \
                 says little",
                self.question.name
            ),
            location: self.front_end.program.procs[self.question.entry]
                .span
                .map(|span| rendering::location(&self.front_end.sources, span)),
        })
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

fn problem_of(prepared: Prepared) -> Problem {
    let mut interfaces = SecondaryMap::<ProcId, GlobalInterface>::new();
    for (id, interface) in prepared.interfaces {
        interfaces[id] = GlobalInterface {
            ins: interface.ins,
            outs: interface.outs,
        };
    }
    Problem {
        program: prepared.program,
        entry: prepared.entry,
        interfaces,
        error: prepared.error,
    }
}

fn nothing_to_check(goal: &Goal, prepared: &Prepared) -> Option<String> {
    let nothing = matches!(goal, Goal::AssertionFails { .. })
        && prepared.checked.is_empty()
        && prepared.unsupported.is_empty();
    nothing.then(|| "nothing was checked: the entry reaches none of the assertions".to_owned())
}

fn replay_goal(goal: &Goal) -> lariat_interp::Goal {
    match goal {
        Goal::AssertionFails {
            checked: Some(checked),
        } => lariat_interp::Goal::Asserts(checked.iter().copied().collect()),
        _ => lariat_interp::Goal::AnyAssert,
    }
}

fn is_nonzero(value: &lariat_term::Value) -> bool {
    use lariat_term::Value;
    match value {
        Value::Bool(value) => *value,
        Value::Int(value) | Value::Bv { value, .. } => *value != Default::default(),
        _ => true,
    }
}

fn unknown(cause: UnknownCause, reason: String, bound: Option<u32>) -> Answer {
    Answer {
        verdict: Verdict::unknown(cause, reason),
        bound,
        cut: Vec::new(),
        failure: None,
    }
}

fn bug_unconfirmed(reason: String, failure: Failure, assert: Option<AssertId>, bound: u32) -> Answer {
    Answer {
        verdict: Verdict::BugUnconfirmed { reason },
        bound: Some(bound),
        cut: Vec::new(),
        failure: Some((failure, assert)),
    }
}

fn update(entry: &str, event: &SearchProgress) -> ProgressUpdate {
    ProgressUpdate {
        phase: Phase::Solving,
        entry: Some(entry.to_owned()),
        bound: Some(event.bound),
        inlined: event.stats.inlined,
        open_call_sites: event.stats.open_call_sites,
        solver_calls: event.stats.solver_calls,
        solver_seconds: event.stats.solver_seconds,
        memory_bytes: lariat_base::budget::resident_memory().unwrap_or(0),
    }
}

/// The report as it would be if the run ended now.
fn partial(base: &VerifyReport, so_far: &EntryReport, completed: Option<u32>) -> VerifyReport {
    let mut report = base.clone();
    let mut entry = so_far.clone();
    entry.bound = completed;
    if let (Some(bound), true) = (completed, entry.failures.is_empty()) {
        entry.verdict = Verdict::unknown(
            UnknownCause::Interrupted,
            format!("not finished; no violation within bound {bound}"),
        );
    }
    report.verdict = entry.verdict.clone();
    report.entries.push(entry);
    report
}
