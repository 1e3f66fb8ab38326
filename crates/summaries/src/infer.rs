//! From a problem to its summaries.

use std::time::Instant;

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::Budget;
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use lariat_smt::SolverError;
use lariat_term::TermId;
use lariat_vc::{Problem, Summary};

use crate::candidates::{CandidateLimits, Guesses, generate};
use crate::houdini::{CandidateId, Effort, Stage, Standing, Table, infer_posts, infer_with_preconditions};
use crate::intervals::Intervals;
use crate::minimise::Minimiser;
use crate::options::{Preconditions, SummaryOptions, SummaryStats};

/// Up to so many procedures a program is small.
const FEW_PROCEDURES: usize = 40;
/// Z3's `rlimit` for one query in a small program …
const SMALL_EFFORT: u32 = 2_000_000;
/// … and in a large one. On drivers 50,000 kept 97 to 100 % of what 2,000,000 kept, in half the time.
const LARGE_EFFORT: u32 = 50_000;

/// Infers summaries and sets [`Problem::summaries`], in place of what was there. What is set is inductive,
/// also if the effort ran out.
pub fn infer(problem: &mut Problem, options: &SummaryOptions, budget: &Budget) -> SummaryStats {
    let started = Instant::now();
    let guesses = guess(problem, options, |_| true);
    problem.summaries = SecondaryMap::new();
    let candidate_seconds = started.elapsed().as_secs_f64();
    let mut stats = infer_from(problem, guesses, options, budget);
    stats.candidate_seconds += candidate_seconds;
    stats.seconds += candidate_seconds;
    stats
}

/// What may hold of the wanted procedures.
pub fn guess(problem: &mut Problem, options: &SummaryOptions, wanted: impl Fn(ProcId) -> bool) -> Guesses {
    let limits = options.limits.unwrap_or(if is_small(problem) {
        CandidateLimits::FEW_PROCEDURES
    } else {
        CandidateLimits::MANY_PROCEDURES
    });
    let calls = CallGraph::new(&problem.program);
    generate(problem, &calls, limits, &options.user, wanted)
}

/// Adds what is inductive among the guesses to [`Problem::summaries`], which must be inductive themselves. If the solver fails they
/// stay as they are.
pub fn infer_from(
    problem: &mut Problem,
    guesses: Guesses,
    options: &SummaryOptions,
    budget: &Budget,
) -> SummaryStats {
    let started = Instant::now();
    let mut stats = SummaryStats {
        procedures: problem.program.procs.len(),
        ..SummaryStats::default()
    };
    let mut inference = Inference {
        calls: CallGraph::new(&problem.program),
        budget: budget.clone(),
        options,
        stats: &mut stats,
    };
    match inference.run(problem, guesses) {
        Ok(summaries) => problem.summaries = summaries,
        Err(error) => {
            stats.fixpoint = false;
            stats.failure = Some(error.0);
        }
    }
    stats.kept = problem
        .summaries
        .values()
        .flatten()
        .map(|summary| summary.facts.len())
        .sum();
    stats.seconds = started.elapsed().as_secs_f64();
    stats
}

fn is_small(problem: &Problem) -> bool {
    problem.program.procs.len() <= FEW_PROCEDURES
}

struct Inference<'a> {
    calls: CallGraph,
    budget: Budget,
    options: &'a SummaryOptions,
    stats: &'a mut SummaryStats,
}

impl Inference<'_> {
    fn run(
        &mut self,
        problem: &mut Problem,
        guesses: Guesses,
    ) -> Result<SecondaryMap<ProcId, Option<Summary>>, SolverError> {
        let started = Instant::now();
        let is_small = is_small(problem);
        let mut table = Table::new(&mut problem.program.pool, guesses);
        table.add_known(&mut problem.program.pool, &problem.summaries);
        self.stats.candidates = table.candidates.len();
        if self.options.intervals {
            self.add_intervals(problem, &mut table);
        }
        self.stats.candidate_seconds = started.elapsed().as_secs_f64();

        let mut solver_options = self.options.solver_options.clone();
        let effort = if is_small { SMALL_EFFORT } else { LARGE_EFFORT };
        let effort = self.options.query_effort.unwrap_or(effort);
        solver_options.push(("rlimit".into(), effort.to_string()));
        self.first_stage(problem, &mut table, &solver_options)?;
        let conditional = self.second_stage(problem, &mut table, is_small, &solver_options)?;
        let started = Instant::now();
        let result = self.summaries(problem, &table, conditional.as_ref());
        self.stats.minimise_seconds = started.elapsed().as_secs_f64();
        result
    }

    /// Postconditions that hold whatever the input; what stands is known afterwards.
    fn first_stage(
        &mut self,
        problem: &Problem,
        table: &mut Table,
        solver_options: &[(String, String)],
    ) -> Result<(), SolverError> {
        let started = Instant::now();
        let stage = Stage {
            problem,
            calls: &self.calls,
            solver_options,
            threads: self.options.threads,
            effort: self.options.effort,
            budget: &self.budget,
        };
        let posts = infer_posts(&stage, table)?;
        self.count(posts.effort);
        let mut procs = problem.program.procs.keys();
        self.stats.fixpoint = procs.all(|proc| posts.finished.contains(proc));
        table.settle_posts(&posts.standing);
        self.stats.post_seconds = started.elapsed().as_secs_f64();
        Ok(())
    }

    /// Postconditions under preconditions: what stands, if the fixpoint was reached.
    fn second_stage(
        &mut self,
        problem: &Problem,
        table: &mut Table,
        is_small: bool,
        solver_options: &[(String, String)],
    ) -> Result<Option<Standing>, SolverError> {
        let started = Instant::now();
        let chosen = self.chosen(problem, table, is_small);
        let Some(&first) = chosen.first() else {
            return Ok(None);
        };
        let mut conditional = None;
        if self.budget.check().is_ok() {
            let stage = Stage {
                problem,
                calls: &self.calls,
                solver_options,
                threads: 1,
                effort: self.options.effort,
                budget: &self.budget,
            };
            let result = infer_with_preconditions(&stage, table, &chosen)?;
            self.count(result.effort);
            conditional = result.finished.contains(first).then_some(result.standing);
        }
        self.stats.fixpoint &= conditional.is_some();
        self.stats.precondition_seconds = started.elapsed().as_secs_f64();
        Ok(conditional)
    }

    fn count(&mut self, effort: Effort) {
        self.stats.queries += effort.queries;
        self.stats.solver_seconds += effort.solver_seconds;
        self.stats.solver_effort += effort.solver_effort;
    }

    /// Ranges are known before anything is asked; what they are candidates for need not be asked.
    fn add_intervals(&mut self, problem: &mut Problem, table: &mut Table) {
        let intervals = Intervals::analyse(problem, &self.calls, &self.budget);
        for proc in problem.program.procs.keys().collect::<Vec<_>>() {
            let has_guesses = table.procs[proc].outs.len() == problem.outs(proc).count();
            if proc == problem.entry || !has_guesses {
                continue;
            }
            let facts = intervals.facts(problem, proc, &table.procs[proc].outs);
            self.stats.interval_facts += facts.len();
            let entry = &mut table.procs[proc];
            let candidates = &table.candidates;
            entry.posts.retain(|&id| !facts.contains(&candidates[id].term));
            entry.known.extend(facts);
        }
    }

    /// The procedures of stage 2, callees first: those with preconditions and their callers; none if no
    /// procedure is recursive, since then inlining does as well. Preconditions of others are taken away.
    fn chosen(&self, problem: &Problem, table: &mut Table, is_small: bool) -> Vec<ProcId> {
        let all = match self.options.preconditions {
            Preconditions::None => return Vec::new(),
            Preconditions::All => true,
            Preconditions::Recursive => false,
            Preconditions::BySize => is_small,
        };
        let mut chosen: EntitySet<ProcId> = EntitySet::new();
        let mut work = Vec::new();
        for proc in problem.program.procs.keys() {
            let entry = &table.procs[proc];
            let has_guesses = !(entry.pres.is_empty() && entry.posts.is_empty());
            if self.calls.is_recursive(proc) && has_guesses {
                work.push(proc);
            } else if !all {
                table.procs[proc].pres.clear();
            }
        }
        if all && !work.is_empty() {
            chosen.extend(problem.program.procs.keys());
        }
        for proc in work {
            chosen.insert(proc);
            for &caller in self.calls.callers(proc) {
                chosen.insert(caller);
                if !all && !self.calls.is_recursive(caller) {
                    // It is there only to say with what it calls.
                    table.procs[caller].posts.clear();
                }
            }
        }
        let components = self.calls.components().iter().flatten().copied();
        components.filter(|&proc| chosen.contains(proc)).collect()
    }

    /// The summaries: what is known, and `pre ⇒ post` for what stands beyond that.
    fn summaries(
        &self,
        problem: &mut Problem,
        table: &Table,
        conditional: Option<&Standing>,
    ) -> Result<SecondaryMap<ProcId, Option<Summary>>, SolverError> {
        let mut summaries = SecondaryMap::new();
        let mut minimiser = Minimiser::new(&self.options.solver_options, &self.budget)?;
        for proc in problem.program.procs.keys() {
            let entry = &table.procs[proc];
            let standing = |ids: &[CandidateId]| -> Vec<TermId> {
                let stands = |id: &&CandidateId| conditional.is_some_and(|standing| standing[**id]);
                ids.iter()
                    .filter(stands)
                    .map(|&id| table.candidates[id].term)
                    .collect()
            };
            let pool = &mut problem.program.pool;
            let mut facts = entry.known.clone();
            let posts = standing(&entry.posts);
            if !posts.is_empty() {
                let pres = minimiser.minimise(pool, &standing(&entry.pres))?;
                let pre = pool.and(&pres);
                facts.extend(posts.into_iter().map(|post| pool.implies(pre, post)));
            }
            facts.retain(|&fact| pool.as_bool(fact) != Some(true));
            if self.options.minimise {
                facts = minimiser.minimise(pool, &facts)?;
            }
            if !facts.is_empty() {
                summaries[proc] = Some(Summary {
                    ins: entry.ins.clone(),
                    outs: entry.outs.clone(),
                    facts,
                });
            }
        }
        Ok(summaries)
    }
}
