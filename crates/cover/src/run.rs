//! A run: read, put the goals into the program, and ask about them entry by entry.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use lariat_base::{Budget, Diagnostic};
use lariat_engine::SearchEvent;
use lariat_front_end::FrontEnd;
use lariat_ir::ProcId;
use lariat_passes::{CallGraph, Goal, starts_threads};
use lariat_report::{
    CoverAim, CoverFunction, CoverGoal, CoverReport, CoverRequest, CoverStats, CoverStatus, Figure, Phase,
    Progress, ProgressUpdate, VerifyRequest,
};
use lariat_verify::{EntryCheck, Question, entries};
use rustc_hash::FxHashSet;

use crate::goals::{Goals, instrument};
use crate::ledger::Ledger;
use crate::proof::{has_proofs, prove_each, prove_together};
use crate::reasons::reason;
use crate::runs::{ONLY_EXECUTION, run_randomly};
use crate::search::{CommonSearch, Reach};

/// How often a partial report is told at most.
const PERIOD: Duration = Duration::from_millis(400);

/// One entry and what is asked about it.
pub struct EntryTask<'a> {
    pub request: &'a CoverRequest,
    /// The request as the verifier sees it.
    pub program: &'a VerifyRequest,
    pub front_end: &'a FrontEnd,
    pub goals: &'a Goals,
    pub question: &'a Question,
    pub check: EntryCheck<'a>,
    pub budget: &'a Budget,
}

impl EntryTask<'_> {
    pub fn name(&self) -> &str {
        &self.question.name
    }
}

/// Who is told: reports of the run, and steps of the search in between.
type Receiver<'a> = RefCell<&'a mut dyn FnMut(Progress<CoverReport>)>;

/// Tells what is known so far.
pub struct Teller<'a> {
    progress: &'a Receiver<'a>,
    front_end: &'a FrontEnd,
    base: CoverReport,
    last: Option<Instant>,
    pub stats: CoverStats,
}

impl Teller<'_> {
    /// Sends a partial report, unless one was sent just now.
    pub fn tell(&mut self, ledger: &Ledger<'_>) {
        if self.last.is_some_and(|last| last.elapsed() < PERIOD) {
            return;
        }
        self.last = Some(Instant::now());
        let mut report = self.base.clone();
        report.stats = self.stats.clone();
        fill(&mut report, self.front_end, ledger);
        (self.progress.borrow_mut())(Progress::Partial(Box::new(report)));
    }
}

/// How far a search is.
fn update(progress: &Receiver<'_>, event: &SearchEvent, entry: &str) {
    let SearchEvent::Progress(event) = event else {
        return;
    };
    let figures = vec![
        Figure::Bound(event.bound),
        Figure::Inlined(event.stats.inlined),
        Figure::SolverSeconds(event.stats.solver_seconds),
    ];
    (progress.borrow_mut())(Progress::Update(ProgressUpdate {
        phase: Phase::Solving,
        subject: Some(entry.to_owned()),
        parts: None,
        figures,
        memory_bytes: lariat_base::budget::resident_memory().unwrap_or(0),
    }));
}

/// Answers `request` within `budget`, reporting to `progress`.
pub fn cover(
    request: &CoverRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress<CoverReport>),
) -> CoverReport {
    let started = Instant::now();
    let mut report = CoverReport::new(request);
    if let Err(diagnostic) = run(request, budget, progress, &mut report) {
        report.bad_input = true;
        if let Some((front_end, diagnostic)) = *diagnostic {
            let rendered = front_end.diagnostic(&diagnostic, request.program.color);
            report.diagnostics.push(rendered);
        }
    }
    report.stats.total_seconds = started.elapsed().as_secs_f64();
    report.stats.peak_memory_bytes = lariat_verify::peak_memory();
    report
}

/// What is wrong with the input; nothing if the reading has said it already.
type BadInput = Box<Option<(FrontEnd, Diagnostic)>>;

fn run(
    request: &CoverRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress<CoverReport>),
    report: &mut CoverReport,
) -> Result<(), BadInput> {
    let reading = lariat_front_end::read(&(&request.program).into(), request.program.color, progress);
    report.diagnostics = reading.diagnostics;
    report.warnings = reading.warnings;
    report.externals = reading.externals;
    report.assumptions = reading.assumptions;
    report.stats.source_lines = reading.stats.source_lines;
    let Some(mut front_end) = reading.program else {
        return Err(Box::new(None));
    };
    let entries = match entries(&request.program, &front_end.program) {
        Ok(entries) => entries,
        Err(diagnostic) => return Err(Box::new(Some((front_end, diagnostic)))),
    };
    let name = |entry: &ProcId| front_end.program.procs[*entry].name.to_string();
    report.entries = entries.iter().map(name).collect();
    let calls = CallGraph::new(&front_end.program);
    let mut reachable: FxHashSet<ProcId> = FxHashSet::default();
    for &entry in &entries {
        let from = calls.reachable_from(entry);
        reachable.extend(front_end.program.procs.keys().filter(|&proc| from.contains(proc)));
    }
    let goals = instrument(&mut front_end, &request.aim, &reachable);
    if let (CoverAim::Label(name), true) = (&request.aim, goals.goals.is_empty()) {
        let message = format!("there is no label `{name}` that the entry reaches by calls");
        let diagnostic = Diagnostic::global_error("no-such-label", message)
            .hint("--goal takes `branch`, `line`, `error` or the name of a label");
        return Err(Box::new(Some((front_end, diagnostic))));
    }
    let mut ledger = Ledger::new(&goals);
    let progress: Receiver<'_> = RefCell::new(progress);
    let mut teller = Teller {
        progress: &progress,
        front_end: &front_end,
        base: report.clone(),
        last: None,
        stats: report.stats.clone(),
    };
    // What is asked is known even if the process is killed from here on.
    teller.tell(&ledger);
    for (index, &entry) in entries.iter().enumerate() {
        ledger.is_last = index + 1 == entries.len();
        let otherwise = ask(
            request,
            &front_end,
            &goals,
            entry,
            budget,
            &mut ledger,
            &mut teller,
        );
        ledger.end_entry(&otherwise);
    }
    report.stats = teller.stats.clone();
    ledger.mark_needed();
    fill(report, &front_end, &ledger);
    if let Err(exhausted) = budget.check_memory() {
        report.unfinished = Some(exhausted.to_string());
    }
    Ok(())
}

/// Asks about one entry; the result is what is said of goals without an answer.
fn ask(
    request: &CoverRequest,
    front_end: &FrontEnd,
    goals: &Goals,
    entry: ProcId,
    budget: &Budget,
    ledger: &mut Ledger<'_>,
    teller: &mut Teller<'_>,
) -> String {
    if starts_threads(&front_end.program, entry) {
        return "the program starts threads, which `cover` does not follow".to_owned();
    }
    let question = Question {
        name: front_end.program.procs[entry].name.to_string(),
        entry,
        goal: Goal::AssertionFails {
            checked: Some(goals.checked()),
        },
    };
    let program = VerifyRequest {
        deepen: false,
        // Invariants are assumed like all assertions, so they cannot stand for loops.
        check_invariants: false,
        ..request.program.clone()
    };
    let task = EntryTask {
        request,
        program: &program,
        front_end,
        goals,
        question: &question,
        check: EntryCheck::new(&program, front_end, &question, budget),
        budget,
    };
    let started = Instant::now();
    run_randomly(&task, ledger, teller);
    teller.stats.run_seconds += started.elapsed().as_secs_f64();
    teller.tell(ledger);
    if !request.search {
        return "only executions with random inputs were tried".to_owned();
    }
    if ledger.open().is_empty() {
        return String::new();
    }
    search_all(&task, ledger, teller)
}

/// The common search with growing bounds, a proof for all that is left after the first one, and proofs one by one at the end.
/// The result is what is said of goals without an answer.
fn search_all(task: &EntryTask<'_>, ledger: &mut Ledger<'_>, teller: &mut Teller<'_>) -> String {
    let receiver = teller.progress;
    let mut receive = |event: SearchEvent| update(receiver, &event, task.name());
    // The rest of the time is for proofs.
    let budget = match task.budget.remaining() {
        Some(remaining) if has_proofs(task) => task.budget.within(remaining / 3 * 2),
        _ => task.budget.clone(),
    };
    let mut common = match CommonSearch::new(task, budget, &mut receive) {
        Ok(common) => common,
        Err(error) => return error.to_string(),
    };
    let smallest = task.program.bound.max(1);
    let largest = match (task.request.program.deepen, task.budget.remaining()) {
        (false, _) => smallest,
        (true, Some(_)) => u32::MAX,
        (true, None) => VerifyRequest::DEEP_BOUND.max(smallest),
    };
    let (mut bound, mut completed) = (1, None);
    let reason = loop {
        let started = Instant::now();
        let reach = common.up_to(bound, ledger, teller);
        teller.stats.search_seconds += started.elapsed().as_secs_f64();
        teller.tell(ledger);
        match reach {
            Reach::Complete => return String::new(),
            Reach::Stopped { reason, bound } => {
                completed = completed.max(bound);
                break reason;
            }
            Reach::Bounded if bound == 1 => timed(teller, |teller| prove_together(task, ledger, teller)),
            Reach::Bounded => {}
        }
        completed = Some(bound);
        if bound >= largest {
            break String::new();
        }
        bound = bound.saturating_mul(2).max(smallest).min(largest);
    };
    drop(common);
    timed(teller, |teller| prove_each(task, ledger, teller));
    if let Some(bound) = completed {
        ledger.decide_open(&CoverStatus::Bounded { bound });
    }
    reason
}

/// Counts the time of a proof.
fn timed(teller: &mut Teller<'_>, prove: impl FnOnce(&mut Teller<'_>)) {
    let started = Instant::now();
    prove(teller);
    teller.stats.proof_seconds += started.elapsed().as_secs_f64();
}

/// Puts what is known into the report.
fn fill(report: &mut CoverReport, front_end: &FrontEnd, ledger: &Ledger<'_>) {
    let goals = ledger.goals;
    let statuses: Vec<CoverStatus> = (0..goals.goals.len()).map(|goal| ledger.status(goal)).collect();
    report.executions = ledger.executions.clone();
    report.functions.clear();
    for (index, goal) in goals.goals.iter().enumerate() {
        let status = match &statuses[index] {
            CoverStatus::Dead { reason: known } if known != ONLY_EXECUTION => CoverStatus::Dead {
                reason: reason(front_end, goals, &statuses, index),
            },
            status => status.clone(),
        };
        let found = CoverGoal {
            kind: goal.kind,
            text: goal.text.clone(),
            side: goal.side.clone(),
            location: goal.span.map(|span| front_end.location(span)),
            has_check: goal.has_check,
            status,
        };
        let mut functions = report.functions.iter_mut();
        match functions.find(|function| function.name == goal.function) {
            Some(function) => function.goals.push(found),
            None => {
                let proc = front_end.program.proc_by_name(&goal.function);
                let span = proc.and_then(|proc| front_end.program.procs[proc].span);
                report.functions.push(CoverFunction {
                    name: goal.function.clone(),
                    location: span.map(|span| front_end.location(span)),
                    goals: vec![found],
                });
            }
        }
    }
    report
        .functions
        .sort_by(|a, b| (&a.location, &a.name).cmp(&(&b.location, &b.name)));
}
