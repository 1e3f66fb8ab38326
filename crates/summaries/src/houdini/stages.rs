//! The two stages, and the work list that both use.
//!
//! Determinism: which worker gets which component depends on nothing but their number and the program, and
//! each worker takes its components in one order, so each asks the same queries in every run.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use lariat_smt::{Ast, Context, SolverError, Watchdog};
use lariat_vc::Problem;
use rustc_hash::FxHashMap;

use super::proc_solver::{HoudiniStep, ProcSolver};
use super::query::build_query;
use super::{CandidateId, Standing, Table};
use crate::condition::ConditionMaker;

/// A further thread is worth its solver, 7 ms and 17 MB, for so many components.
const COMPONENTS_EACH: usize = 6;

/// What both stages are given.
pub(crate) struct Stage<'a> {
    pub problem: &'a Problem,
    pub calls: &'a CallGraph,
    pub solver_options: &'a [(String, String)],
    pub threads: usize,
    /// Of the solver of each thread, in its own count.
    pub effort: u64,
    pub budget: &'a Budget,
}

/// What a stage found.
pub(crate) struct StageResult {
    pub standing: Standing,
    /// The procedures for which the fixpoint was reached.
    pub finished: EntitySet<ProcId>,
    pub effort: Effort,
}

/// What was asked, by all threads together.
#[derive(Clone, Copy, Default)]
pub(crate) struct Effort {
    pub queries: u64,
    pub solver_seconds: f64,
    pub solver_effort: u64,
}

/// A solver context with its own copy of the program.
struct Worker<'a> {
    stage: &'a Stage<'a>,
    problem: Problem,
    conditions: ConditionMaker,
    context: Context,
    axioms: Vec<Ast>,
    effort: Effort,
    _watchdog: Watchdog,
}

impl<'a> Worker<'a> {
    fn new(stage: &'a Stage<'a>) -> Result<Self, SolverError> {
        let problem = stage.problem.clone();
        let mut context = Context::new()?;
        let axioms = problem
            .program
            .axioms
            .iter()
            .map(|axiom| context.term(&problem.program.pool, axiom.term))
            .collect::<Result<Vec<Ast>, SolverError>>()?;
        let watchdog = Watchdog::start(stage.budget.clone(), context.interrupt_handle());
        Ok(Worker {
            stage,
            conditions: ConditionMaker::new(&problem),
            problem,
            context,
            axioms,
            effort: Effort::default(),
            _watchdog: watchdog,
        })
    }

    fn solver(
        &mut self,
        proc: ProcId,
        table: &Table,
        standing: &Standing,
        with_pres: bool,
    ) -> Result<ProcSolver, SolverError> {
        let vc = self.conditions.condition(&mut self.problem, proc);
        let pool = &mut self.problem.program.pool;
        let query = build_query(pool, &vc, table, standing, with_pres);
        debug_assert_eq!(query.proc, proc);
        ProcSolver::new(
            &mut self.context,
            &self.problem.program.pool,
            &self.axioms,
            self.stage.solver_options,
            &query,
        )
    }

    /// Drops what is refuted in the procedures until nothing is; `false` if that would be too much effort.
    ///
    /// Candidates of other procedures are taken as they are.
    fn fixpoint(
        &mut self,
        procs: &[ProcId],
        table: &Table,
        standing: &mut Standing,
        with_pres: bool,
    ) -> Result<bool, SolverError> {
        let outcome = self.run_work_list(procs, table, standing, with_pres);
        match outcome {
            // The interruption makes Z3 refuse everything, not only checks.
            Err(_) if self.stage.budget.check_memory().is_err() => Ok(false),
            outcome => outcome,
        }
    }

    fn run_work_list(
        &mut self,
        procs: &[ProcId],
        table: &Table,
        standing: &mut Standing,
        with_pres: bool,
    ) -> Result<bool, SolverError> {
        let position: FxHashMap<ProcId, usize> =
            procs.iter().zip(0..).map(|(&proc, at)| (proc, at)).collect();
        let mut solvers: Vec<Option<ProcSolver>> = procs.iter().map(|_| None).collect();
        let mut work: BTreeSet<usize> = (0..procs.len()).collect();
        while let Some(at) = work.pop_first() {
            if self.stage.budget.check().is_err() || self.effort.solver_effort >= self.stage.effort {
                return Ok(false);
            }
            let proc = procs[at];
            let solver = match &mut solvers[at] {
                Some(solver) => solver,
                empty => empty.insert(self.solver(proc, table, standing, with_pres)?),
            };
            let started = Instant::now();
            let step = solver.step(&mut self.context, standing, &mut self.effort.queries)?;
            self.effort.solver_seconds += started.elapsed().as_secs_f64();
            let before = std::mem::replace(&mut self.effort.solver_effort, solver.effort(&self.context));
            let spent = self.effort.solver_effort.saturating_sub(before);
            // An answer that came because of the limit says nothing, and nothing is lost by not using it.
            if self.stage.budget.spend(spent).is_err() {
                return Ok(false);
            }
            let HoudiniStep::Dropped(dropped) = step else {
                continue;
            };
            work.insert(at);
            for candidate in dropped {
                standing[candidate] = false;
                let owner = table.candidates[candidate].proc;
                work.extend(position.get(&owner));
                let callers = self.stage.calls.callers(owner);
                if table.procs[owner].posts.contains(&candidate) {
                    work.extend(callers.iter().filter_map(|caller| position.get(caller)));
                }
            }
        }
        Ok(true)
    }
}

/// All candidates stand, except those of procedures that are executed in place, which are never called.
fn all_standing(table: &Table, wanted: impl Fn(ProcId) -> bool) -> Standing {
    let mut standing = Standing::new();
    for (id, candidate) in table.candidates.iter() {
        standing[id] = wanted(candidate.proc);
    }
    standing
}

/// Stage 1, in parallel: components whose callees are final.
pub(crate) fn infer_posts(stage: &Stage<'_>, table: &Table) -> Result<StageResult, SolverError> {
    let components = stage.calls.components();
    let in_place = ConditionMaker::new(stage.problem);
    let shared = Mutex::new(Shared {
        standing: all_standing(table, |proc| !in_place.is_in_place(proc)),
        done: vec![false; components.len()],
        finished: EntitySet::new(),
        failed: None,
        effort: Effort::default(),
    });
    let changed = Condvar::new();
    let threads = stage
        .threads
        .min(components.len().div_ceil(COMPONENTS_EACH))
        .max(1);
    std::thread::scope(|scope| {
        for index in 0..threads {
            let (shared, changed) = (&shared, &changed);
            let fail = move |error: SolverError| {
                lock(shared).failed.get_or_insert(error);
                changed.notify_all();
            };
            let work = move || {
                if let Err(error) = run_worker(stage, table, index, threads, shared, changed) {
                    fail(error);
                }
            };
            if let Err(error) = spawn_with_big_stack(scope, "summaries", work) {
                fail(SolverError(format!("no thread could be started: {error}")));
            }
        }
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match shared.failed {
        Some(error) => Err(error),
        None => Ok(StageResult {
            standing: shared.standing,
            finished: shared.finished,
            effort: shared.effort,
        }),
    }
}

struct Shared {
    standing: Standing,
    done: Vec<bool>,
    finished: EntitySet<ProcId>,
    failed: Option<SolverError>,
    effort: Effort,
}

fn lock<'m>(shared: &'m Mutex<Shared>) -> std::sync::MutexGuard<'m, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes every component whose index is `index` modulo `threads`, callees first.
fn run_worker(
    stage: &Stage<'_>,
    table: &Table,
    index: usize,
    threads: usize,
    shared: &Mutex<Shared>,
    changed: &Condvar,
) -> Result<(), SolverError> {
    let components = stage.calls.components();
    let mut component_of = SecondaryMap::<ProcId, usize>::new();
    for (at, component) in components.iter().enumerate() {
        for &proc in component {
            component_of[proc] = at;
        }
    }
    let mut worker = Worker::new(stage)?;
    for at in (index..components.len()).step_by(threads) {
        let component = &components[at];
        let callees: BTreeSet<usize> = component
            .iter()
            .flat_map(|&proc| stage.calls.callees(proc))
            .map(|&callee| component_of[callee])
            .filter(|&other| other != at)
            .collect();
        let mut standing = {
            let mut guard = lock(shared);
            // The component with the least index that is not done has its callees done, so some worker goes on.
            while guard.failed.is_none() && !callees.iter().all(|&callee| guard.done[callee]) {
                guard = changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
            if guard.failed.is_some() {
                return Ok(());
            }
            guard.standing.clone()
        };
        let own: Vec<CandidateId> = component
            .iter()
            .flat_map(|&proc| table.procs[proc].posts.iter().copied())
            .filter(|&id| standing[id])
            .collect();
        let in_time = stage.budget.check().is_ok();
        let final_answer =
            in_time && (own.is_empty() || worker.fixpoint(component, table, &mut standing, false)?);
        let mut guard = lock(shared);
        for id in own {
            // What is not final does not stand, for its callers as well.
            guard.standing[id] = final_answer && standing[id];
        }
        if final_answer {
            guard.finished.extend(component.iter().copied());
        }
        guard.done[at] = true;
        changed.notify_all();
    }
    let mut guard = lock(shared);
    guard.effort.queries += worker.effort.queries;
    guard.effort.solver_seconds += worker.effort.solver_seconds;
    guard.effort.solver_effort += worker.effort.solver_effort;
    Ok(())
}

/// Stage 2: preconditions and, under them, postconditions, for the given procedures (callees first).
pub(crate) fn infer_with_preconditions(
    stage: &Stage<'_>,
    table: &Table,
    procs: &[ProcId],
) -> Result<StageResult, SolverError> {
    let mut worker = Worker::new(stage)?;
    let mut chosen: EntitySet<ProcId> = EntitySet::new();
    chosen.extend(procs.iter().copied());
    let mut standing = all_standing(table, |proc| {
        chosen.contains(proc) && !worker.conditions.is_in_place(proc)
    });
    let finished = worker.fixpoint(procs, table, &mut standing, true)?;
    Ok(StageResult {
        standing,
        finished: if finished { chosen } else { EntitySet::new() },
        effort: worker.effort,
    })
}
