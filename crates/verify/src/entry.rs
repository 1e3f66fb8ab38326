//! One entry: passes, engine, replay, verdict.

mod abstraction;
mod confirmation;
mod failure;
mod imprecise;
mod inference;
mod interpreted;
mod member;
mod paths;
mod portfolio;
mod precise;
mod proofs;
mod split;
mod threads;
mod vacuity;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use lariat_base::{Budget, Exhausted};
use lariat_engine::{SearchEvent, SearchProgress};
use lariat_front_end::{FrontEnd, rendering};
use lariat_ir::{AssertId, ProcId, ProcKind, Program, StmtId};
use lariat_passes::{
    CallGraph, ContextOptions, Goal, MapEntryVars, PrepareOptions, Prepared, Schedule, prepare_owned,
};
use lariat_report::{
    CutKind, CutSite, Engine, EntryReport, EntryStats, Failure, Figure, Halves, LogStage, LogText, PartKind,
    Parts, Phase, Progress, ProgressUpdate, UnknownCause, Verdict, VerifyReport, VerifyRequest, Warning,
    WarningKind,
};
use lariat_term::VarId;
use lariat_vc::{Problem, generate_vc, passify, straight_line_procs};
use rustc_hash::FxHashMap;

pub use self::confirmation::{Confirmed, RepeatedRun};
use self::inference::Inference;
use self::member::FIRST_RUNS;
use self::portfolio::Decision;
use self::vacuity::Completes;
use crate::interpretation::Interpretation;
use crate::question::Question;

/// The check of one entry.
#[derive(Clone)]
pub struct EntryCheck<'a> {
    request: &'a VerifyRequest,
    front_end: &'a FrontEnd,
    question: &'a Question,
    budget: &'a Budget,
    /// A model of axioms, once it was needed.
    interpretation: Arc<OnceLock<Interpretation>>,
    stats: EntryStats,
    /// In how many contexts threads run.
    contexts: u32,
    /// The largest bound that is searched, if it is not that of the request.
    bound: Option<u32>,
    /// Whether the program starts threads, and their contexts matter: then no proof is one for every number of contexts.
    within_contexts: bool,
    /// Executions that come to one of these statements are left out.
    left_out: &'a [StmtId],
}

/// From the prepared program back to the lowered one.
pub struct BackMap {
    /// For each statement that sets the error flag the assertion that fails there.
    failures: BTreeMap<StmtId, AssertId>,
    origins: FxHashMap<VarId, VarId>,
    map_entries: MapEntryVars,
    /// How an execution is read as one with threads, if there are any.
    schedule: Option<Schedule>,
    /// Where a replay ends: other assertions are passed.
    replay_goal: lariat_interp::ReplayGoal,
}

/// What a search gave, in terms of the report.
pub struct EntryAnswer {
    pub verdict: Verdict,
    bound: Option<u32>,
    cut: Vec<CutSite>,
    pub failure: Option<(Failure, Option<AssertId>)>,
    /// What abstraction did, if it was used.
    abstraction: Option<Abstraction>,
    /// The statements that gave values which a model only knows roughly, if the failure depends on them.
    rough: Vec<StmtId>,
    /// The parts that are to be searched instead.
    split: Option<Box<Halves>>,
}

/// What abstraction did.
pub(crate) struct Abstraction {
    tracked: Vec<String>,
    rounds: u64,
    refinement_seconds: f64,
}

impl EntryAnswer {
    fn new(verdict: Verdict, bound: Option<u32>) -> Self {
        EntryAnswer {
            verdict,
            bound,
            cut: Vec::new(),
            failure: None,
            abstraction: None,
            rough: Vec::new(),
            split: None,
        }
    }
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
            interpretation: Arc::default(),
            stats: EntryStats::default(),
            contexts: request.search.contexts.unwrap_or(VerifyRequest::DEFAULT_CONTEXTS),
            bound: None,
            within_contexts: false,
            left_out: &[],
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
                text: self.question.goal_text(self.request, self.front_end),
            },
            verdict: Verdict::unknown(UnknownCause::Interrupted, "not finished"),
            bound: None,
            ended_by_time: false,
            contexts: None,
            cut: Vec::new(),
            failures: Vec::new(),
            tracked: None,
            stats: EntryStats::default(),
        };
        let mut has_threads = false;
        loop {
            let (prepared, seconds) = self.prepare(&goal);
            report.stats.passes_seconds += seconds;
            if let Some(reason) = nothing_to_check(&goal, &prepared) {
                let c = self.front_end.c.as_ref();
                let is_checked = c.is_some_and(|c| c.checked_entries.contains(&self.question.entry));
                let is_named = c.is_some_and(|c| c.property_entries.contains(&self.question.entry));
                if entry_report.failures.is_empty() && (is_checked || is_named) {
                    // What is checked holds on sight.
                    entry_report.verdict = Verdict::Proved;
                } else if entry_report.failures.is_empty() {
                    warnings.push(Warning {
                        kind: WarningKind::NothingChecked,
                        message: reason.clone(),
                        location: None,
                    });
                    entry_report.verdict = Verdict::unknown(UnknownCause::NothingChecked, reason);
                }
                break;
            }
            has_threads = prepared.threads.is_some();
            let answer = self.search_all(&goal, prepared, progress, report, &mut entry_report);
            entry_report.bound = answer.bound;
            entry_report.cut = answer.cut;
            report.split = answer.split;
            if let Some(abstraction) = answer.abstraction {
                self.stats.abstraction_rounds += abstraction.rounds;
                self.stats.refinement_seconds += abstraction.refinement_seconds;
                entry_report.tracked = Some(abstraction.tracked);
            }
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
        entry_report.ended_by_time = self.request.deepen
            && matches!(entry_report.verdict, Verdict::Bounded { .. })
            && self.budget.check_memory() == Err(Exhausted::Time);
        // A thread may stop for good, the first one too: then the others have been checked.
        if matches!(entry_report.verdict, Verdict::Proved | Verdict::Bounded { .. })
            && matches!(goal, Goal::AssertionFails { .. })
            && !has_threads
            // It is said of all executions, once.
            && self.request.partition.is_first()
        {
            match self.completion(report) {
                Completes::Normally => {}
                Completes::Never(warning) => warnings.push(warning),
                // Beyond the bound an execution may well fail.
                Completes::Nothing(reason) if entry_report.verdict != Verdict::Proved => {
                    warnings.push(Warning {
                        kind: WarningKind::Vacuous,
                        message: reason.trim_start_matches("nothing was checked: ").to_owned(),
                        location: None,
                    });
                }
                Completes::Nothing(reason) => {
                    entry_report.verdict = Verdict::unknown(UnknownCause::NothingChecked, reason);
                }
            }
        }
        self.stats.seconds = started.elapsed().as_secs_f64();
        entry_report.stats = self.stats.clone();
        (entry_report, warnings)
    }

    /// The program after the passes, and how many seconds they took.
    pub fn prepare(&self, goal: &Goal) -> (Prepared, f64) {
        self.prepare_program(self.searched_program().into_owned(), goal)
    }

    /// The same of another version of the program.
    pub fn prepare_program(&self, program: Program, goal: &Goal) -> (Prepared, f64) {
        let started = Instant::now();
        let options = PrepareOptions {
            record_stages: self.request.log.contains(&LogStage::Passes),
            cut_loops_by_invariants: self.request.check_invariants,
            contexts: Some(ContextOptions {
                contexts: self.contexts,
                cooperative: self.request.search.cooperative,
                share_all: self.request.search.share_all,
            }),
            constant_loop_limit: self
                .request
                .unfolding
                .static_loop_bound
                // Rounds are told, visits of the loop's head are counted.
                .map(|rounds| rounds.saturating_add(u32::from(rounds > 0)))
                .unwrap_or(PrepareOptions::default().constant_loop_limit),
            split_maps: self.front_end.c.is_some() && self.front_end.open.is_none(),
            ..PrepareOptions::default()
        };
        let prepared = prepare_owned(program, self.question.entry, goal, &options);
        (prepared, started.elapsed().as_secs_f64())
    }

    fn search(
        &mut self,
        goal: &Goal,
        prepared: Prepared,
        progress: &mut dyn FnMut(Progress),
        report: &mut VerifyReport,
        so_far: &EntryReport,
    ) -> EntryAnswer {
        for (stage, text) in &prepared.stages {
            progress(Progress::Log(LogText {
                stage: LogStage::Passes,
                title: (*stage).to_owned(),
                text: text.clone(),
            }));
        }
        let has_threads = prepared.threads.is_some();
        let threads = prepared.threads.as_ref().map(|made| made.starts as u64 + 1);
        let back_map = BackMap::new(goal, &prepared);
        if self.request.engine == Engine::Portfolio && self.may_run() && self.partition().is_whole() {
            let answer = self.run_concretely(&back_map, &FIRST_RUNS);
            if matches!(answer.verdict, Verdict::Proved | Verdict::Bug) {
                self.stats.decided_by = Some("run".to_owned());
                return answer;
            }
        }
        let was_cut = !prepared.cut_loops.is_empty();
        let mut problem = Problem::from(prepared);
        self.log_conditions(&mut problem, progress);
        progress(Progress::Update(ProgressUpdate {
            phase: Phase::Solving,
            subject: Some(so_far.entry.clone()),
            ..ProgressUpdate::default()
        }));
        let base = report.clone();
        let repeated = self.repeated(&problem);
        let mut told_bound = None;
        let mut parts = 0;
        let mut tell = |event: SearchEvent| {
            let event = match event {
                SearchEvent::Progress(event) => {
                    parts = event.parts.map_or(parts, |(_, all)| all);
                    event
                }
                SearchEvent::Log(stage, text) => {
                    let text = LogText {
                        stage,
                        title: String::new(),
                        text: text + "\n",
                    };
                    return progress(Progress::Log(text));
                }
            };
            let contexts = has_threads.then_some(self.contexts);
            progress(Progress::Update(update(&so_far.entry, contexts, threads, &event)));
            if event.completed.is_some() && event.completed != told_bound {
                told_bound = event.completed;
                progress(Progress::Partial(Box::new(partial(
                    &base,
                    so_far,
                    event.completed,
                    &repeated,
                ))));
            }
        };
        let members = self.members(self.request.engine, &problem);
        let Decision {
            mut answer,
            stats,
            summaries,
            member,
        } = portfolio::race(self, problem, members, &back_map, &mut tell);
        self.stats.decided_by = member;
        self.stats.summary_facts += (summaries.kept as u64).max(stats.learned_facts);
        self.stats.summary_seconds += summaries.seconds;
        if self.request.deepen && answer.cut.is_empty() && matches!(answer.verdict, Verdict::Bounded { .. }) {
            answer.cut = repeated;
        }
        if let (Verdict::BugUnconfirmed { reason }, true) = (&answer.verdict, was_cut) {
            let reason = format!(
                "loops were cut by their invariants, which may allow more than the program does: strengthen \
                 them, or look for a real execution without `--invariants check` ({reason})"
            );
            answer = unknown(UnknownCause::Solver, reason, answer.bound);
        }
        self.stats.parts += parts;
        self.stats.inlined += stats.inlined;
        self.stats.solver_calls += stats.solver_calls;
        self.stats.solver_seconds += stats.solver_seconds;
        report.stats.inlined += stats.inlined;
        report.stats.solver_calls += stats.solver_calls;
        report.stats.solver_seconds += stats.solver_seconds;
        report.stats.vc_seconds += stats.vc_seconds + stats.inline_seconds;
        answer
    }

    /// The passive form and the condition of each procedure, where the user wants to see them.
    fn log_conditions(&self, problem: &mut Problem, progress: &mut dyn FnMut(Progress)) {
        let wants = |stage| self.request.log.contains(&stage);
        if !wants(LogStage::Passive) && !wants(LogStage::Vc) {
            return;
        }
        let constants = problem.program.constants.iter().copied().collect();
        let in_place = straight_line_procs(&problem.program, problem.error);
        for id in problem.program.procs.keys().collect::<Vec<_>>() {
            let passive = passify(
                &mut problem.program,
                id,
                &problem.interfaces,
                problem.error,
                &in_place,
            );
            let title = problem.program.procs[id].name.to_string();
            if wants(LogStage::Passive) {
                let text = passive.text(&problem.program);
                progress(Progress::Log(LogText {
                    stage: LogStage::Passive,
                    title: title.clone(),
                    text,
                }));
            }
            let vc = generate_vc(&mut problem.program.pool, passive, &constants);
            if wants(LogStage::Vc) {
                let text = vc.text(&problem.program);
                progress(Progress::Log(LogText {
                    stage: LogStage::Vc,
                    title,
                    text,
                }));
            }
        }
    }

    /// The budget ended or the solver gave up: what was completed still stands.
    fn no_answer(&self, reason: String, completed: Option<u32>) -> EntryAnswer {
        let cause = match self.budget.check_memory() {
            Err(Exhausted::Time) => UnknownCause::Time,
            Err(Exhausted::Memory) => UnknownCause::Memory,
            Err(Exhausted::Interrupted) => UnknownCause::Interrupted,
            Ok(()) => UnknownCause::Solver,
        };
        if let (Some(bound), true, UnknownCause::Time) = (completed, self.request.deepen, cause) {
            return EntryAnswer::new(Verdict::bounded(bound), completed);
        }
        let reason = match completed {
            Some(bound) => format!("{reason}; no violation within bound {bound}"),
            None => reason,
        };
        unknown(cause, reason, completed)
    }

    /// All loops and recursive procedures: what a bound may cut. Loops with a constant number of rounds are complete.
    fn repeated(&self, problem: &Problem) -> Vec<CutSite> {
        if !self.request.deepen {
            return Vec::new();
        }
        let calls = CallGraph::new(&problem.program);
        let recursive: Vec<ProcId> = problem
            .program
            .procs
            .keys()
            .filter(|&proc| calls.is_recursive(proc) && problem.program.procs[proc].extra_bound == 0)
            .collect();
        self.cut_sites(&problem.program, &recursive, &[])
    }

    fn cut_sites(&self, program: &Program, cut: &[ProcId], deep: &[ProcId]) -> Vec<CutSite> {
        let cut = cut.iter().map(|&id| (id, false));
        let mut sites: Vec<CutSite> = cut
            .chain(deep.iter().map(|&id| (id, true)))
            .map(|(id, is_deep)| {
                let proc = &program.procs[id];
                let (kind, name, span) = match &proc.kind {
                    ProcKind::Source if is_deep => (CutKind::Call, proc.name.to_string(), proc.span),
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
}

impl BackMap {
    pub fn new(goal: &Goal, prepared: &Prepared) -> Self {
        BackMap {
            failures: prepared.failures.clone(),
            origins: prepared.var_origins.clone(),
            map_entries: prepared.map_entries.clone(),
            schedule: prepared.threads.as_ref().map(|threads| threads.schedule.clone()),
            replay_goal: replay_goal(goal),
        }
    }
}

fn nothing_to_check(goal: &Goal, prepared: &Prepared) -> Option<String> {
    let nothing = matches!(goal, Goal::AssertionFails { .. })
        && prepared.checked.is_empty()
        && prepared.unsupported.is_empty();
    nothing.then(|| "nothing was checked: the entry reaches none of the assertions".to_owned())
}

fn replay_goal(goal: &Goal) -> lariat_interp::ReplayGoal {
    match goal {
        Goal::AssertionFails {
            checked: Some(checked),
        } => lariat_interp::ReplayGoal::Asserts(checked.iter().copied().collect()),
        _ => lariat_interp::ReplayGoal::AnyAssert,
    }
}

fn unknown(cause: UnknownCause, reason: String, bound: Option<u32>) -> EntryAnswer {
    EntryAnswer::new(Verdict::unknown(cause, reason), bound)
}

/// `threads`: the places where threads start.
fn update(
    entry: &str,
    contexts: Option<u32>,
    threads: Option<u64>,
    event: &SearchProgress,
) -> ProgressUpdate {
    let figures = contexts.map(Figure::Contexts).into_iter();
    let figures = figures.chain(threads.map(Figure::Threads));
    let of_search = [
        Figure::Bound(event.bound),
        Figure::Inlined(event.stats.inlined),
        Figure::OpenCalls(event.stats.open_call_sites),
        Figure::SolverSeconds(event.stats.solver_seconds),
    ];
    ProgressUpdate {
        phase: Phase::Solving,
        subject: Some(entry.to_owned()),
        parts: event.parts.map(|(done, total)| Parts {
            kind: PartKind::Parts,
            done,
            total,
        }),
        figures: figures.chain(of_search).collect(),
        memory_bytes: lariat_base::budget::resident_memory().unwrap_or(0),
    }
}

/// The report as it would be if the run ended now.
fn partial(
    base: &VerifyReport,
    so_far: &EntryReport,
    completed: Option<u32>,
    repeated: &[CutSite],
) -> VerifyReport {
    let mut report = base.clone();
    let mut entry = so_far.clone();
    entry.bound = completed;
    entry.cut = repeated.to_vec();
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
