//! The whole run: read, make conditions, solve them, print.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use lariat_base::threads::spawn_with_big_stack;
use lariat_base::{Budget, Diagnostics, SourceMap};
use lariat_ir::{AssertKind, Program};
use lariat_report::{
    BoogieError, BoogieFailure, BoogieOutcome, BoogieProcedure, BoogieReport, BoogieRequest, Progress,
};
use lariat_smt::SolverError;
use lariat_term::{Sort, TermId};

use crate::cache::{Cache, fingerprint, with_own_numbers};
use crate::condition::Condition;
use crate::flags::{Flags, parse};
use crate::houdini::{Assignment, infer};
use crate::output::{self, location};
use crate::prune::Pruner;
use crate::read::{Stopped, errors, read};
use crate::reveal::Revealed;
use crate::solve::{BodySolver, Ended, SharedSolver, Solved};
use crate::tasks::{ConditionMaker, Keep, Source, Task, tasks};

/// Options of the solver, those of Boogie.
const SOLVER_OPTIONS: &[(&str, &str)] = &[
    ("smt.mbqi", "false"),
    ("smt.case_split", "3"),
    ("smt.delay_units", "true"),
    ("smt.arith.solver", "2"),
];

/// Verifies every body of the files.
pub fn verify(
    request: &BoogieRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress<BoogieReport>),
) -> BoogieReport {
    let mut run = Run {
        report: BoogieReport {
            schema_version: lariat_report::SCHEMA_VERSION,
            ..BoogieReport::default()
        },
        progress,
    };
    run.all(request, budget);
    run.report
}

struct Run<'a> {
    report: BoogieReport,
    progress: &'a mut dyn FnMut(Progress<BoogieReport>),
}

impl Run<'_> {
    fn line(&mut self, line: String) {
        (self.progress)(Progress::Output { line: line.clone() });
        self.report.lines.push(line);
    }

    fn all(&mut self, request: &BoogieRequest, budget: &Budget) {
        let mut flags = match parse(&request.arguments) {
            Ok(flags) if flags.files.is_empty() => {
                return self.bad_arguments("No input files were specified.");
            }
            Ok(flags) => flags,
            Err(message) => return self.bad_arguments(&message),
        };
        if let Some(jobs) = request.jobs {
            flags.jobs = jobs.max(1);
        }
        self.report.files.clone_from(&flags.files);
        let mut sources = SourceMap::new();
        let read = match read(&flags, &mut sources) {
            Ok(read) => read,
            Err(stopped) => return self.refused(&stopped, &sources, &flags),
        };
        if flags.no_verify || flags.no_typecheck || flags.no_resolve {
            return;
        }
        let program = read.lowered.program;
        let info = read.lowered.modular.unwrap_or_default();
        let tasks = tasks(&read.typed, &info, &flags);
        let source = Source::new(&program, &info, &flags);
        let axioms: Vec<TermId> = program.axioms.iter().map(|axiom| axiom.term).collect();
        let cache = match &request.cache {
            None => None,
            Some(wanted) => match Cache::read(&wanted.folder, wanted.check) {
                Ok(cache) => Some(cache),
                Err(error) => {
                    let folder = wanted.folder.display();
                    self.report
                        .notes
                        .push(format!("the cache {folder} is not used: {error}"));
                    None
                }
            },
        };
        let solving = Solving {
            cache: cache.as_ref(),
            source: &source,
            sources: &sources,
            axioms: &axioms,
            pruner: flags.prune.then(|| Pruner::new(&program, &read.typed, &info)),
            options: solver_options(&flags, &program),
            has_own_options: !flags.solver_options.is_empty(),
            budget,
        };
        let assignment = match flags.contract_infer {
            true => infer(&solving, &read.typed, &tasks),
            false => Assignment::default(),
        };
        self.report.assignment.clone_from(&assignment.values);
        if flags.print_assignment && flags.contract_infer {
            self.line("Assignment computed by Houdini:".to_owned());
            for (name, value) in &assignment.values {
                self.line(format!("{name} = {}", if *value { "True" } else { "False" }));
            }
        }
        self.solve_all(&solving, &tasks, &assignment, &flags);
        if let Some(Err(error)) = cache.as_ref().map(Cache::write) {
            self.report
                .notes
                .push(format!("the cache cannot be written: {error}"));
        }
        self.line(String::new());
        self.line(output::last_line(&self.report.counts));
    }

    fn bad_arguments(&mut self, message: &str) {
        self.report.bad_arguments = true;
        self.line(format!("*** Error: {message}"));
    }

    fn refused(&mut self, stopped: &Stopped, sources: &SourceMap, flags: &Flags) {
        let file = flags.files.last().cloned().unwrap_or_default();
        let (diagnostics, word, what): (&Diagnostics, _, _) = match stopped {
            Stopped::File(message) => {
                self.report.errors.push(BoogieError {
                    location: None,
                    message: message.clone(),
                });
                return self.line(message.clone());
            }
            Stopped::Parsing(diagnostics) => (diagnostics, "error", "parse errors"),
            Stopped::Checking(diagnostics) => {
                let about_names = errors(diagnostics).any(|diagnostic| is_about_names(diagnostic.code));
                let what = match about_names {
                    true => "name resolution errors",
                    false => "type checking errors",
                };
                (diagnostics, "Error", what)
            }
            Stopped::Lowering(diagnostics) => (diagnostics, "Error", "unsupported constructs"),
        };
        let mut count = 0;
        for diagnostic in errors(diagnostics) {
            count += 1;
            self.report.errors.push(BoogieError {
                location: diagnostic.span.map(|span| location(sources, span)),
                message: diagnostic.message.clone(),
            });
            self.line(output::diagnostic_line(sources, diagnostic, word));
        }
        self.line(format!("{count} {what} detected in {file}"));
    }

    /// Solves all tasks with as many workers as wanted; results appear in the order of the text.
    fn solve_all(
        &mut self,
        solving: &Solving<'_>,
        tasks: &[Task<'_>],
        assignment: &Assignment,
        flags: &Flags,
    ) {
        let batch = batch_size(tasks.len());
        let next = AtomicUsize::new(0);
        let (sender, results) = channel();
        let mut waiting: Vec<Option<BoogieProcedure>> = tasks.iter().map(|_| None).collect();
        std::thread::scope(|scope| {
            for _ in 0..flags.jobs.clamp(1, tasks.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                let work = move || {
                    let mut maker = ConditionMaker::new(solving.source);
                    while let Some(first) =
                        Some(next.fetch_add(batch, Ordering::Relaxed)).filter(|&first| first < tasks.len())
                    {
                        let mut shared = Shared::new(solving, batch);
                        maker.forget();
                        for (index, task) in tasks.iter().enumerate().skip(first).take(batch) {
                            let result = solving.procedure(task, assignment, &mut maker, &mut shared);
                            if sender.send((index, result)).is_err() {
                                return;
                            }
                        }
                    }
                };
                if let Err(error) = spawn_with_big_stack(scope, "procedures", work) {
                    self.report.unfinished = Some(format!("a thread cannot be started: {error}"));
                }
            }
            drop(sender);
            let mut shown = 0;
            for (index, result) in results {
                waiting[index] = Some(result);
                while let Some(done) = waiting.get_mut(shown).and_then(Option::take) {
                    shown += 1;
                    output::count(&mut self.report.counts, &done);
                    for line in output::procedure_lines(&done, flags.error_trace, flags.enhanced_messages) {
                        self.line(line);
                    }
                    if done.cached && done.outcome != BoogieOutcome::Verified {
                        let name = &done.name;
                        let note = format!("the cache says that {name} is verified, but now it is not");
                        self.report.notes.push(note);
                    }
                    self.report.procedures.push(done);
                }
            }
        });
    }
}

fn is_about_names(code: &str) -> bool {
    code == "attribute-argument"
        || code.starts_with("undeclared")
        || code.starts_with("duplicate")
        || code.contains("unknown-")
}

fn solver_options(flags: &Flags, program: &Program) -> Vec<(String, String)> {
    // With bits to reason about, choices by relevance cost more than they save.
    let has_bits = program
        .pool
        .sorts()
        .any(|sort| matches!(sort, Sort::Bv(_) | Sort::Float { .. }));
    let mut options: Vec<(String, String)> = SOLVER_OPTIONS
        .iter()
        .filter(|&&(key, _)| !(has_bits && key == "smt.case_split"))
        .map(|&(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    for (key, value) in &flags.solver_options {
        // What the context is made with, and what is no option of a solver.
        if !key.starts_with("smt.") {
            continue;
        }
        match options.iter_mut().find(|(other, _)| other == key) {
            Some((_, old)) => old.clone_from(value),
            None => options.push((key.clone(), value.clone())),
        }
    }
    options
}

/// What all workers share.
pub struct Solving<'a> {
    pub source: &'a Source<'a>,
    pub sources: &'a SourceMap,
    pub axioms: &'a [TermId],
    pub pruner: Option<Pruner<'a>>,
    pub options: Vec<(String, String)>,
    /// Some options are the user's.
    pub has_own_options: bool,
    pub budget: &'a Budget,
    pub cache: Option<&'a Cache>,
}

/// How many bodies share a solver. It depends on the program only, so that the answers do too; programs with few
/// bodies can still be divided among workers.
fn batch_size(tasks: usize) -> usize {
    (tasks / 16).clamp(1, 32)
}

/// The solver of a batch, made when the first body asks for it.
struct Shared<'a> {
    solving: &'a Solving<'a>,
    solver: Option<SharedSolver>,
    /// Bodies in a row that it did not prove. After some, the others are not tried.
    misses: usize,
    is_on: bool,
}

impl<'a> Shared<'a> {
    /// As many misses in a row end the use of a shared solver.
    const MOST_MISSES: usize = 2;

    fn new(solving: &'a Solving<'a>, batch: usize) -> Self {
        Shared {
            solving,
            solver: None,
            misses: 0,
            // Which axioms are kept differs from body to body; options of the user are for the solver of a body.
            is_on: batch > 1 && solving.pruner.is_none() && !solving.has_own_options,
        }
    }

    /// Whether bodies are kept: not where most are proved at once.
    fn keep(&self) -> Keep {
        match self.is_on {
            true => Keep::Nothing,
            false => Keep::Body,
        }
    }

    /// Whether the solver of the batch proves the body. A limit of resources is for a solver of its own.
    fn proves(
        &mut self,
        task: &Task<'_>,
        program: &Program,
        condition: &Condition,
        assignment: &Assignment,
    ) -> bool {
        if !self.is_on || task.limits.resource > 0 {
            return false;
        }
        let solving = self.solving;
        if self.solver.is_none() {
            let made = SharedSolver::new(program, solving.axioms, solving.budget);
            self.solver = made.ok();
        }
        let answer = match &mut self.solver {
            Some(solver) => solver.proves(program, condition, &assignment.literals).ok(),
            None => None,
        };
        self.misses = if answer == Some(true) { 0 } else { self.misses + 1 };
        // A solver that refuses once is not asked again.
        self.is_on = answer.is_some() && self.misses < Self::MOST_MISSES;
        answer == Some(true)
    }
}

impl Solving<'_> {
    /// The result of one task.
    fn procedure(
        &self,
        task: &Task<'_>,
        assignment: &Assignment,
        maker: &mut ConditionMaker<'_>,
        shared: &mut Shared<'_>,
    ) -> BoogieProcedure {
        let mut procedure = BoogieProcedure {
            name: task.name.clone(),
            location: location(self.sources, task.span),
            outcome: BoogieOutcome::Verified,
            failures: Vec::new(),
            cached: false,
        };
        let keep = shared.keep();
        let mut condition = match maker.condition(task, keep) {
            Ok(Some(condition)) => condition,
            Ok(None) => return procedure,
            Err(reason) => {
                procedure.outcome = BoogieOutcome::Inconclusive { reason };
                return procedure;
            }
        };
        if self.cache.is_none() && shared.proves(task, maker.program(), &condition, assignment) {
            return procedure;
        }
        // What is not proved at once is made again, so that it can be executed.
        if keep == Keep::Nothing
            && let Ok(Some(again)) = maker.condition(task, Keep::Body)
        {
            condition = again;
        }
        let program = maker.program();
        if self.pruner.is_some() && condition.hides() {
            match self.solve_parts(task, program, &condition, assignment) {
                Ok(solved) => self.describe(task, program, &condition, &solved, &mut procedure),
                Err(SolverError(reason)) => procedure.outcome = BoogieOutcome::Inconclusive { reason },
            }
            return procedure;
        }
        let solver = self.solver(task, program, &condition, &Revealed::default());
        let fingerprint = match (self.cache, &solver) {
            (Some(_), Ok(solver)) => Some(self.fingerprint(solver, task, assignment)),
            _ => None,
        };
        let known = self.cache.zip(fingerprint.as_deref());
        let is_known = known.is_some_and(|(cache, fingerprint)| cache.is_known(fingerprint));
        if is_known && self.cache.is_some_and(|cache| !cache.check) {
            procedure.cached = true;
            return procedure;
        }
        let solved = solver.and_then(|mut solver| solver.solve(&assignment.literals));
        match solved {
            Ok(solved) => {
                self.describe(task, program, &condition, &solved, &mut procedure);
                // With `--cache check` a proof that is not found again is told.
                procedure.cached = is_known && procedure.outcome != BoogieOutcome::Verified;
                if let (BoogieOutcome::Verified, Some(cache), Some(fingerprint)) =
                    (&procedure.outcome, self.cache, fingerprint)
                {
                    cache.add(fingerprint);
                }
            }
            Err(SolverError(reason)) => {
                procedure.outcome = BoogieOutcome::Inconclusive { reason };
            }
        }
        procedure
    }

    fn solver<'s>(
        &'s self,
        task: &Task<'_>,
        program: &'s Program,
        condition: &'s Condition,
        revealed: &Revealed,
    ) -> Result<BodySolver<'s>, SolverError> {
        let kept = self
            .pruner
            .as_ref()
            .map(|pruner| pruner.reached(&program.pool, &condition.vc.clauses, revealed));
        BodySolver::new(
            program,
            condition,
            kept.as_deref().unwrap_or(self.axioms),
            &self.options,
            task.limits.clone(),
            Some(self.budget),
        )
    }

    /// Parts that may use different axioms have solvers of their own.
    fn solve_parts(
        &self,
        task: &Task<'_>,
        program: &Program,
        condition: &Condition,
        assignment: &Assignment,
    ) -> Result<Solved, SolverError> {
        let mut whole = Solved::default();
        for part in condition.parts() {
            let revealed = condition.revealed_in(part);
            let mut solver = self.solver(task, program, condition, &revealed)?;
            let found = solver.solve_part(&assignment.literals, part)?;
            if whole.add(found, task.limits.errors) {
                break;
            }
        }
        Ok(whole)
    }

    /// What the answer for a task depends on.
    fn fingerprint(&self, solver: &BodySolver<'_>, task: &Task<'_>, assignment: &Assignment) -> String {
        let limits = format!("{:?}", task.limits);
        let options = format!("{:?}", self.options);
        let values = format!("{:?}", assignment.values);
        fingerprint(&[&with_own_numbers(&solver.text()), &limits, &options, &values])
    }

    fn describe(
        &self,
        task: &Task<'_>,
        program: &Program,
        condition: &Condition,
        solved: &Solved,
        procedure: &mut BoogieProcedure,
    ) {
        let mut unsupported = None;
        for failing in &solved.failing {
            let info = &program.asserts[condition.leaves[&failing.leaf].assert];
            if let AssertKind::Unsupported(reason) = &info.kind {
                unsupported = Some(format!("it contains {reason}, which is not supported"));
                continue;
            }
            let span = info.span.unwrap_or(task.span);
            let (message, related) = output::messages(info);
            let is_measure = info
                .condition_span
                .is_some_and(|span| self.source.info().measures.contains(&span));
            let related = match is_measure {
                true => Some("this measure could not be proved to be non-negative"),
                false => related,
            };
            procedure.failures.push(BoogieFailure {
                location: location(self.sources, span),
                message,
                related: related
                    .zip(info.condition_span)
                    .map(|(text, span)| (location(self.sources, span), text.to_owned())),
                id: info.id.as_deref().map(str::to_owned),
                trace: condition
                    .marks
                    .trace(&condition.vc, &failing.path)
                    .into_iter()
                    .map(|(span, label)| (location(self.sources, span), label.to_string()))
                    .collect(),
                printed: failing.printed.clone(),
                replay: failing.replay.clone(),
            });
        }
        procedure
            .failures
            .sort_by_key(|failure| (failure.location.line, failure.location.column));
        procedure.outcome = match (&solved.ended, unsupported) {
            (_, Some(reason)) => BoogieOutcome::Inconclusive { reason },
            (Ended::Proved | Ended::Enough, None) if !procedure.failures.is_empty() => {
                BoogieOutcome::NotProved
            }
            (Ended::Proved | Ended::Enough, None) => BoogieOutcome::Verified,
            (Ended::TimedOut, None) => BoogieOutcome::TimedOut,
            (Ended::OutOfMemory, None) => BoogieOutcome::OutOfMemory,
            (Ended::OutOfResource, None) => BoogieOutcome::OutOfResource,
            (Ended::Inconclusive(reason), None) => BoogieOutcome::Inconclusive {
                reason: reason.clone(),
            },
        };
    }
}
