//! The outer loop of [Corral12] §1.1 and §3: abstract, search, concretise, refine.
//!
//! Termination: every round but the last tracks at least one more global. Where the refinement finds
//! nothing to add, although the solver refuted the path (it was lucky with quantifiers there and not in
//! the search), all globals are tracked from then on.

use std::collections::BTreeSet;
use std::time::Instant;

use lariat_base::Budget;
use lariat_ir::{BlockId, StmtKind, Terminator};
use lariat_smt::Stop;
use lariat_term::VarId;
use lariat_vc::Problem;

use crate::path_program::PathProgram;
use crate::path_vc::Feasibility;
use crate::refine::{Algorithm, RefineOptions, RefineStats, refine};
use crate::transform::abstract_globals;

/// What a search found in the abstract program, with its own answer.
pub enum Found<A> {
    /// The entry can return, through these blocks (`lariat_engine::Path::blocks`).
    Path { blocks: Vec<BlockId>, answer: A },
    /// No path: a proof, a bound that was completed, or no answer.
    NoPath(A),
}

#[derive(Clone, Debug)]
pub struct CegarOptions {
    pub algorithm: Algorithm,
    pub refine: RefineOptions,
    /// Globals to track from the start, besides the error flag.
    pub track: BTreeSet<VarId>,
    /// The search executes straight-line procedures in place of their calls and does not list their
    /// blocks. (Stratified inlining does, unless it has to count the stack.)
    pub in_place: bool,
}

impl Default for CegarOptions {
    fn default() -> Self {
        CegarOptions {
            algorithm: Algorithm::default(),
            refine: RefineOptions::default(),
            track: BTreeSet::new(),
            in_place: true,
        }
    }
}

/// How the loop ended.
pub enum CegarOutcome<A> {
    /// The search found no path in the abstract program. What it proved there, for every bound or for one,
    /// holds of the concrete program; that it does not know remains so.
    NoPath(A),
    /// The path has an execution with all globals. If `doubt` is given the solver was not sure of it.
    Feasible {
        blocks: Vec<BlockId>,
        /// What the search said of it; about the concrete program only if `concrete`.
        answer: A,
        /// All globals were tracked in the last search.
        concrete: bool,
        doubt: Option<String>,
    },
    /// No answer.
    Stopped(Stop),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct CegarStats {
    /// Searches of an abstract program.
    pub iterations: u64,
    pub search_seconds: f64,
    /// Making abstract programs.
    pub abstract_seconds: f64,
    /// Checking paths with all globals.
    pub concretise_seconds: f64,
    pub refinement: RefineStats,
}

pub struct Cegar<A> {
    pub outcome: CegarOutcome<A>,
    /// The globals that were tracked at the end.
    pub tracked: BTreeSet<VarId>,
    pub stats: CegarStats,
}

/// A spurious counterexample, as the loop meets it.
pub struct Spurious<'a> {
    pub blocks: &'a [BlockId],
    /// What was tracked when it was found …
    pub tracked: &'a BTreeSet<VarId>,
    /// … and what is tracked from now on.
    pub refined: &'a BTreeSet<VarId>,
}

/// Runs the loop. `search` is given each abstract problem; `on_spurious` is called for each refinement.
pub fn cegar<A>(
    problem: &Problem,
    options: &CegarOptions,
    budget: &Budget,
    mut search: impl FnMut(Problem) -> Found<A>,
    on_spurious: &mut dyn FnMut(&Spurious<'_>),
) -> Cegar<A> {
    let mut tracked = initially_tracked(problem, &options.track);
    let mut stats = CegarStats::default();
    let outcome = run(
        problem,
        options,
        budget,
        &mut search,
        on_spurious,
        &mut tracked,
        &mut stats,
    )
    .unwrap_or_else(CegarOutcome::Stopped);
    Cegar {
        outcome,
        tracked,
        stats,
    }
}

fn run<A>(
    problem: &Problem,
    options: &CegarOptions,
    budget: &Budget,
    search: &mut impl FnMut(Problem) -> Found<A>,
    on_spurious: &mut dyn FnMut(&Spurious<'_>),
    tracked: &mut BTreeSet<VarId>,
    stats: &mut CegarStats,
) -> Result<CegarOutcome<A>, Stop> {
    let all: BTreeSet<VarId> = problem.program.globals.iter().copied().collect();
    loop {
        budget.check_memory()?;
        stats.iterations += 1;
        let concrete = tracked.is_superset(&all);
        let started = Instant::now();
        let abstraction = if concrete {
            problem.clone()
        } else {
            abstract_globals(problem, tracked)
        };
        stats.abstract_seconds += started.elapsed().as_secs_f64();
        let started = Instant::now();
        let found = search(abstraction);
        stats.search_seconds += started.elapsed().as_secs_f64();
        let (blocks, answer) = match found {
            Found::NoPath(answer) => return Ok(CegarOutcome::NoPath(answer)),
            Found::Path { blocks, answer } => (blocks, answer),
        };
        if concrete {
            return Ok(CegarOutcome::Feasible {
                blocks,
                answer,
                concrete,
                doubt: None,
            });
        }
        let started = Instant::now();
        let mut path = PathProgram::new(problem, &blocks, options.in_place)?;
        let feasibility = path.feasibility(&options.refine, budget)?;
        stats.concretise_seconds += started.elapsed().as_secs_f64();
        let doubt = match feasibility {
            Feasibility::Feasible => None,
            Feasibility::Unknown(reason) => Some(reason),
            Feasibility::Infeasible => {
                let refinement = refine(options.algorithm, &mut path, tracked, &options.refine, budget)?;
                stats.refinement.solver_calls += refinement.stats.solver_calls;
                stats.refinement.solver_seconds += refinement.stats.solver_seconds;
                stats.refinement.seconds += refinement.stats.seconds;
                let refined = if refinement.tracked.len() > tracked.len() {
                    refinement.tracked
                } else {
                    all.clone()
                };
                on_spurious(&Spurious {
                    blocks: &blocks,
                    tracked,
                    refined: &refined,
                });
                *tracked = refined;
                continue;
            }
        };
        return Ok(CegarOutcome::Feasible {
            blocks,
            answer,
            concrete,
            doubt,
        });
    }
}

/// What is tracked at the start: the error flag, what the user names, and the globals that the entry's
/// last assumptions are about, which every counterexample has to satisfy.
pub fn initially_tracked(problem: &Problem, track: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let mut tracked = track.clone();
    tracked.extend(problem.error);
    let program = &problem.program;
    let entry = &program.procs[problem.entry];
    for block in entry.blocks.values() {
        if block.terminator != Terminator::Return {
            continue;
        }
        for stmt in block.stmts.iter().rev() {
            match &stmt.kind {
                StmtKind::Assume(condition) => {
                    let vars = program.pool.free_vars(&[*condition]);
                    tracked.extend(program.globals.iter().filter(|global| vars.contains(global)));
                }
                StmtKind::Enter(_) => {}
                _ => break,
            }
        }
    }
    tracked
}
