//! The one loop over an unfolding: stratified inlining ([Corral12] §2, Fig. 2) and underapproximation
//! widening ([Legion22] Alg. 3), one step of either at a time.
//!
//! | paper | here |
//! |---|---|
//! | [Corral12] Fig. 2 line 3, `for r = 1 to MAX`; [Legion22] Alg. 1 | [`Search::run`] |
//! | [Corral12] Fig. 2 lines 6–8, query type 1: all open calls blocked | [`Search::under_approximate`] |
//! | lines 9–16, query type 2: calls within the bound are summaries, others blocked | [`Search::over_approximate`] |
//! | line 18, inline the open calls on the counterexample; [Legion22] Alg. 2 | [`Search::over_ref_step`] |
//! | [Legion22] Alg. 3 | [`Search::under_widen_step`] |
//! | [Dag15] Fig. 8 lines 19–25, share or make an instance | [`Unfolding::inline`] |
//!
//! Deviations:
//! - the program is proved as soon as the unsat core of a query names no call that the bound cut
//!   off, since then the answer does not rest on it;
//! - a summary is what was inferred of the callee ([`Problem::summaries`]), if anything;
//! - after the first rounds query type 1 is asked in some of them only, and a counterexample of query
//!   type 2 without open calls ends the search as well;
//! - unsat cores are the solver's and need not be minimal (`smt.core.minimize` makes them so);
//! - small callees, and callees that every execution calls once, are inlined together with their caller;
//! - where quantifiers make the solver unsure of a counterexample its path is solved again
//!   ([`crate::confirm`]), and blocked if it is infeasible.

use std::time::Duration;

use lariat_base::{Budget, Exhausted};
use lariat_options::LogStage;
use lariat_smt::{Ast, CheckResult, Model, SolverError, Watchdog};
use lariat_term::TermId;
use lariat_vc::Problem;
use rustc_hash::FxHashSet;

use crate::confirm::{PathAnswer, check_path};
use crate::dag::{CallSiteId, Dag};
use crate::mix::{Mix, Step};
use crate::options::{ExpandPolicy, SearchOptions};
use crate::outcome::{Counterexample, EngineStats, Outcome};
use crate::path::Path;
use crate::unfolding::Unfolding;

/// What a search tells while it runs.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    Progress(SearchProgress),
    /// What [`SearchOptions`] asks to be told.
    Log(LogStage, String),
}

/// Where a search stands.
#[derive(Clone, Copy, Debug)]
pub struct SearchProgress {
    pub bound: u32,
    /// The largest bound that was completed without reaching the end.
    pub completed: Option<u32>,
    pub stats: EngineStats,
}

/// How long one path may be looked at again because of its quantifiers.
const PATH_TIME: Duration = Duration::from_secs(2);

/// Query type 1 is asked in each of the first rounds, and then once in so many.
const UNDER_ROUNDS: u64 = 20;
const UNDER_PERIOD: u64 = 3;

/// Up to how many instances it is found out exactly whether an answer rests on the bound, and how much
/// effort of the solver that may take.
const MOST_EXACT_INSTANCES: u64 = 500;
const EXACT_EFFORT: u64 = 15_000_000;

/// Up to how many configurations of a node the unfolding is checked by definition.
const MOST_CONFIGURATIONS: usize = 200;

/// Why the loop stops early.
enum Stop {
    Exhausted(Exhausted),
    Solver(SolverError),
    GaveUp(String),
    /// [`SearchOptions::effort`]
    OutOfEffort,
    /// [`SearchOptions::check_dag`]
    InconsistentDag,
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Self {
        Stop::Solver(error)
    }
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Stop::Exhausted(exhausted)
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Exhausted(exhausted) => exhausted.fmt(f),
            Stop::Solver(error) => error.fmt(f),
            Stop::GaveUp(reason) => write!(f, "the solver gave up: {reason}"),
            Stop::OutOfEffort => f.write_str("limit on the solver's effort reached"),
            Stop::InconsistentDag => f.write_str("internal error: the unfolding is not consistent"),
        }
    }
}

/// A satisfiable query: its model, and why the solver does not vouch for it.
struct Candidate {
    model: Model,
    doubt: Option<String>,
}

/// What a step has found out.
enum Decided {
    /// Something was inlined.
    Nothing,
    Reached(Candidate),
    /// No execution within the bound, and these cut-off calls are why it is not a proof.
    Correct {
        cut: Vec<CallSiteId>,
    },
}

/// A search under way; it can go on after a counterexample.
pub struct Search<'a> {
    pub unfolding: Unfolding,
    options: SearchOptions,
    budget: Budget,
    progress: &'a mut dyn FnMut(SearchEvent),
    bound: u32,
    completed: Option<u32>,
    /// How often the loop has gone round.
    round: u64,
    mix: Mix,
    /// The search gives up at this count of the solver's effort.
    effort_limit: Option<u64>,
    _watchdog: Watchdog,
}

impl<'a> Search<'a> {
    pub fn new(
        problem: Problem,
        options: SearchOptions,
        budget: Budget,
        progress: &'a mut dyn FnMut(SearchEvent),
    ) -> Result<Self, SolverError> {
        let unfolding = Unfolding::new(problem, &options)?;
        let watchdog = Watchdog::start(budget.clone(), unfolding.context.interrupt_handle());
        Ok(Search {
            effort_limit: options.effort,
            unfolding,
            options,
            budget,
            progress,
            bound: 1,
            completed: None,
            round: 0,
            mix: Mix::default(),
            _watchdog: watchdog,
        })
    }

    /// Searches bound by bound until the answer is known or the budget is used up.
    pub fn run(&mut self) -> Outcome {
        match self.run_bounds() {
            Ok(outcome) => outcome,
            Err(stop) => Outcome::Unknown {
                reason: stop.to_string(),
                bound: self.completed,
            },
        }
    }

    /// Starts over with the smallest bound, under other assumptions: literals. What was inlined stays.
    pub fn restart(&mut self, assumed: Vec<Ast>) {
        self.unfolding.assumed = assumed;
        self.unfolding.used.clear();
        self.bound = 1;
        self.completed = None;
        self.round = 0;
    }

    /// Goes on under more assumptions: what was excluded before is still excluded.
    pub fn assume(&mut self, literal: Ast) {
        self.unfolding.assumed.push(literal);
    }

    /// Uses a new budget from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self._watchdog = Watchdog::start(budget.clone(), self.unfolding.context.interrupt_handle());
        self.budget = budget;
    }

    /// Notes what follows from the axioms and the model of a counterexample violates, for
    /// [`Search::reconsider`]. The main solver is not told: it has its triggers, and more terms would
    /// set off more of them.
    pub fn note_lemma(&mut self, lemma: TermId) -> Result<(), SolverError> {
        let unfolding = &mut self.unfolding;
        let ast = unfolding.context.term(&unfolding.problem.program.pool, lemma)?;
        unfolding.ground_axioms.push(ast);
        Ok(())
    }

    /// Looks for another model along the path of a counterexample. `None` if there is none; then the
    /// path is blocked, and the search can go on.
    pub fn reconsider(
        &mut self,
        counterexample: Counterexample,
    ) -> Result<Option<Counterexample>, SolverError> {
        let Counterexample {
            path,
            model,
            doubt,
            bound,
        } = counterexample;
        let time = self
            .budget
            .remaining()
            .map_or(PATH_TIME, |remaining| remaining.min(PATH_TIME));
        let (model, doubt) = match check_path(&mut self.unfolding, &path, time)? {
            PathAnswer::Feasible(better) => (better, None),
            PathAnswer::Candidate(better) => (better, doubt),
            PathAnswer::Unknown => (model, doubt),
            PathAnswer::Infeasible => {
                self.log(|_| "the path is infeasible and is blocked".into());
                let unfolding = &mut self.unfolding;
                // It is infeasible as long as the same is assumed.
                let mut facts = path.taken.clone();
                facts.extend(unfolding.assumptions());
                let blocked = unfolding.context.not_all(&facts)?;
                unfolding.solver.assert(&mut unfolding.context, blocked)?;
                return Ok(None);
            }
        };
        Ok(Some(Counterexample {
            path,
            model,
            doubt,
            bound,
        }))
    }

    fn run_bounds(&mut self) -> Result<Outcome, Stop> {
        let together = self.unfolding.inlined_together(Dag::root());
        if !together.is_empty() {
            self.inline(&together)?;
        }
        loop {
            self.round += 1;
            let before = self.unfolding.stats;
            let step = self.next_step();
            let decided = match step {
                Step::Refine => self.over_ref_step()?,
                Step::Widen => self.under_widen_step()?,
                Step::InlineAll => {
                    self.inline_all()?;
                    self.under_widen_step()?
                }
            };
            match decided {
                Decided::Nothing => {}
                Decided::Reached(candidate) => {
                    if let Some(counterexample) = self.counterexample(candidate)? {
                        return Ok(Outcome::Reached(Box::new(counterexample)));
                    }
                }
                Decided::Correct { cut } if cut.is_empty() => return Ok(Outcome::Proved),
                Decided::Correct { cut } => {
                    if let Some(outcome) = self.complete_bound(&cut) {
                        return Ok(outcome);
                    }
                }
            }
            self.mix.note(step, &before, &self.unfolding.stats);
        }
    }

    fn next_step(&mut self) -> Step {
        match self.options.expand {
            ExpandPolicy::OverRefine => Step::Refine,
            ExpandPolicy::UnderWiden => Step::Widen,
            ExpandPolicy::Interleave(share) => self.mix.interleave(share),
            ExpandPolicy::Adaptive => self.mix.adaptive(),
            ExpandPolicy::Eager => Step::InlineAll,
        }
    }

    /// Nothing within the bound, and the answer rests on the calls that it cut off. `None`: go on with
    /// the next bound.
    fn complete_bound(&mut self, cut: &[CallSiteId]) -> Option<Outcome> {
        self.completed = Some(self.bound);
        self.report();
        let is_last = self.bound >= self.options.max_bound;
        let has_summaries = self.unfolding.facts.switch().is_some();
        // A search without end asks now and then.
        let now_and_then = self.options.max_bound == u32::MAX && self.bound.is_power_of_two();
        // The bound is completed, whatever becomes of this question.
        if (is_last || has_summaries || now_and_then)
            && let Ok(false) = self.rests_on_bound()
        {
            return Some(Outcome::Proved);
        }
        if !is_last {
            self.bound += 1;
            return None;
        }
        Some(Outcome::Bounded {
            bound: self.bound,
            cut: self.cut_procs(cut),
        })
    }

    /// [Legion22] Alg. 2, after a look at the executions that need no open call.
    fn over_ref_step(&mut self) -> Result<Decided, Stop> {
        if self.asks_under_approximation() {
            if let Some(candidate) = self.under_approximate()? {
                return Ok(Decided::Reached(candidate));
            }
            if self.unfolding.open_sites().is_empty() {
                return Ok(Decided::Correct { cut: Vec::new() });
            }
        }
        let candidate = match self.over_approximate()? {
            Ok(candidate) => candidate,
            Err(cut) => return Ok(Decided::Correct { cut }),
        };
        let path = Path::follow(&self.unfolding, &candidate.model)?;
        let open: Vec<CallSiteId> = path.open_calls().collect();
        if open.is_empty() {
            return Ok(Decided::Reached(candidate));
        }
        self.inline(&open)?;
        Ok(Decided::Nothing)
    }

    /// [Legion22] Alg. 3: with all open calls blocked there is no execution; what the proof of that
    /// blames is inlined. If it blames nothing the program is correct, and if it blames only calls
    /// beyond the bound it is so within the bound.
    fn under_widen_step(&mut self) -> Result<Decided, Stop> {
        let open: Vec<CallSiteId> = self.unfolding.open_sites().to_vec();
        let assumptions = self.blocked(&open);
        let core = match self.check(&assumptions)? {
            Ok(candidate) => return Ok(Decided::Reached(candidate)),
            Err(core) => core,
        };
        let blamed = self.blamed(&open, &assumptions, &core);
        let (widen, cut): (Vec<CallSiteId>, Vec<CallSiteId>) =
            blamed.into_iter().partition(|&site| self.within_bound(site));
        self.log(|unfolding| {
            format!(
                "all {} open calls blocked: no execution, because of {} within the bound and {} beyond it ({:.2} s in the solver)",
                open.len(),
                widen.len(),
                cut.len(),
                unfolding.stats.solver_seconds
            )
        });
        if widen.is_empty() {
            return Ok(Decided::Correct { cut });
        }
        self.inline(&widen)?;
        Ok(Decided::Nothing)
    }

    /// The call sites whose blocking an unsat core names.
    fn blamed(&self, sites: &[CallSiteId], assumptions: &[Ast], core: &[usize]) -> Vec<CallSiteId> {
        let named: FxHashSet<Ast> = core.iter().map(|&index| assumptions[index]).collect();
        let is_named = |site: &CallSiteId| named.contains(&self.unfolding.sites[*site].blocked);
        sites.iter().copied().filter(is_named).collect()
    }

    /// The counterexample of a candidate. `None` if its path is infeasible after all.
    fn counterexample(&mut self, candidate: Candidate) -> Result<Option<Counterexample>, Stop> {
        let path = Path::follow(&self.unfolding, &candidate.model)?;
        let Candidate { model, doubt } = candidate;
        let doubtful = doubt.is_some();
        let counterexample = Counterexample {
            path,
            model,
            doubt,
            bound: self.bound,
        };
        Ok(if doubtful {
            self.reconsider(counterexample)?
        } else {
            Some(counterexample)
        })
    }

    /// Query type 1 finds bugs early but proves nothing, since query type 2 finds every execution that it
    /// finds. After a while it is asked now and then only. (Rounds and not seconds decide, so that the
    /// same input gives the same queries.)
    fn asks_under_approximation(&self) -> bool {
        self.round <= UNDER_ROUNDS || self.round.is_multiple_of(UNDER_PERIOD)
    }

    /// Query type 1: is there an execution through no open call?
    fn under_approximate(&mut self) -> Result<Option<Candidate>, Stop> {
        let open: Vec<CallSiteId> = self.unfolding.open_sites().to_vec();
        let answer = self.check(&self.blocked(&open))?;
        self.log(|unfolding| {
            let answer = if answer.is_ok() {
                "an execution"
            } else {
                "no execution"
            };
            format!(
                "all {} open calls blocked: {answer} ({:.2} s in the solver)",
                open.len(),
                unfolding.stats.solver_seconds
            )
        });
        Ok(answer.ok())
    }

    /// Query type 2: is there one if calls within the bound may do anything? If not, the calls beyond the
    /// bound that the answer rests on.
    fn over_approximate(&mut self) -> Result<Result<Candidate, Vec<CallSiteId>>, Stop> {
        let cut: Vec<CallSiteId> = self
            .unfolding
            .open_sites()
            .iter()
            .copied()
            .filter(|&site| !self.within_bound(site))
            .collect();
        let assumptions = self.blocked(&cut);
        let answer = self.check(&assumptions)?;
        let bound = self.bound;
        self.log(|unfolding| {
            let answer = if answer.is_ok() {
                "an execution"
            } else {
                "no execution"
            };
            format!(
                "bound {bound}, {} calls beyond it: {answer} ({:.2} s in the solver)",
                cut.len(),
                unfolding.stats.solver_seconds
            )
        });
        Ok(answer.map_err(|core| self.blamed(&cut, &assumptions, &core)))
    }

    /// Whether there is an execution through calls beyond the bound if those may do anything. The unsat
    /// core of query type 2 may name calls that it could do without; a small unfolding can afford to be
    /// exact about that, and then the answer is the same whatever the order of inlining was.
    fn rests_on_bound(&mut self) -> Result<bool, Stop> {
        let limit = self.effort_limit;
        let own = self.unfolding.effort() + EXACT_EFFORT;
        self.effort_limit = Some(limit.map_or(own, |limit| limit.min(own)));
        let answer = self.finds_no_proof();
        self.effort_limit = limit;
        answer
    }

    fn finds_no_proof(&mut self) -> Result<bool, Stop> {
        while self.options.expand == ExpandPolicy::Eager
            || self.unfolding.stats.inlined <= MOST_EXACT_INSTANCES
        {
            let Ok(candidate) = self.check(&[])? else {
                return Ok(false);
            };
            let path = Path::follow(&self.unfolding, &candidate.model)?;
            let open: Vec<CallSiteId> = path
                .open_calls()
                .filter(|&site| self.within_bound(site))
                .collect();
            if open.is_empty() {
                return Ok(true);
            }
            self.inline(&open)?;
        }
        Ok(true)
    }

    /// Inlines open calls.
    fn inline(&mut self, open: &[CallSiteId]) -> Result<(), Stop> {
        self.log(|unfolding| {
            let names: Vec<String> = open.iter().map(|&site| unfolding.site_text(site)).collect();
            format!("inline {}", names.join(", "))
        });
        let mut work: Vec<CallSiteId> = open.iter().rev().copied().collect();
        while let Some(site) = work.pop() {
            self.budget.check()?;
            if self.unfolding.dag.sites[site].instance.is_some() || !self.within_bound(site) {
                continue;
            }
            if let Some(instance) = self.unfolding.inline(site)? {
                work.extend(self.unfolding.inlined_together(instance));
            }
        }
        self.unfolding.close_inlined();
        self.report();
        self.check_dag()
    }

    /// By definition ([Dag15] Definition 2) if that is feasible, or else by Algorithm 1.
    fn check_dag(&mut self) -> Result<(), Stop> {
        let dag = &mut self.unfolding.dag;
        let is_consistent = |dag: &mut Dag| {
            let by_definition = dag.is_consistent_by_definition(MOST_CONFIGURATIONS);
            by_definition.unwrap_or_else(|| dag.is_consistent())
        };
        if self.options.check_dag && !is_consistent(dag) {
            return Err(Stop::InconsistentDag);
        }
        Ok(())
    }

    /// Inlines everything within the bound.
    fn inline_all(&mut self) -> Result<(), Stop> {
        loop {
            let open: Vec<CallSiteId> = self
                .unfolding
                .open_sites()
                .iter()
                .copied()
                .filter(|&site| self.within_bound(site))
                .collect();
            if open.is_empty() {
                return Ok(());
            }
            for site in open {
                self.budget.check_memory()?;
                // Calls of one callee that exclude each other are inlined together.
                if self.unfolding.dag.sites[site].instance.is_none() {
                    self.unfolding.inline(site)?;
                }
            }
            self.unfolding.close_inlined();
            self.report();
            self.check_dag()?;
        }
    }

    fn within_bound(&self, site: CallSiteId) -> bool {
        let data = &self.unfolding.dag.sites[site];
        let extra = self.unfolding.problem.program.procs[data.callee].extra_bound;
        self.options.allows(self.bound, extra, data.cost, data.depth())
    }

    /// The assumptions that block the calls, each once.
    fn blocked(&self, sites: &[CallSiteId]) -> Vec<Ast> {
        let mut seen = FxHashSet::default();
        sites
            .iter()
            .map(|&site| self.unfolding.sites[site].blocked)
            .filter(|&ast| seen.insert(ast))
            .collect()
    }

    /// Asks the solver: a candidate, or the unsat core as positions of assumptions.
    fn check(&mut self, assumptions: &[Ast]) -> Result<Result<Candidate, Vec<usize>>, Stop> {
        self.budget.check_memory()?;
        let mut literals = assumptions.to_vec();
        literals.extend(&self.unfolding.assumed);
        let answer = self.ask(&mut literals)?;
        let unfolding = &mut self.unfolding;
        unfolding.stats.solver_calls = unfolding.solver.stats().checks;
        unfolding.stats.solver_seconds = unfolding.solver.stats().seconds;
        if self.options.expand == ExpandPolicy::Adaptive {
            unfolding.stats.solver_effort = unfolding.solver.effort(&unfolding.context);
        }
        self.report();
        let started = std::time::Instant::now();
        let unfolding = &mut self.unfolding;
        let result = match answer {
            CheckResult::Unsat => {
                let mut core = unfolding.solver.unsat_core(&unfolding.context, &literals)?;
                let switch = unfolding.facts.switch();
                let used = core.iter().any(|&index| Some(literals[index]) == switch);
                unfolding.facts.note_core(used);
                let assumed = core.iter().filter(|&&index| index >= assumptions.len());
                unfolding.used.extend(assumed.map(|&index| literals[index]));
                core.retain(|&index| index < assumptions.len());
                Err(core)
            }
            CheckResult::Sat => Ok(Candidate {
                model: unfolding.solver.model(&unfolding.context)?,
                doubt: None,
            }),
            CheckResult::Unknown(reason) => {
                self.budget.check_memory()?;
                // Incomplete quantifiers leave a model that satisfies everything else.
                match unfolding.solver.model(&unfolding.context) {
                    Ok(model) if reason.contains("incomplete") => Ok(Candidate {
                        model,
                        doubt: Some(reason),
                    }),
                    _ => return Err(Stop::GaveUp(reason)),
                }
            }
        };
        unfolding.stats.model_seconds += started.elapsed().as_secs_f64();
        Ok(result)
    }

    /// Asks the solver, with the inferred facts as long as they do not make it too hard: see
    /// [`crate::facts`]. Their switch is added to the literals if the answer is under it.
    fn ask(&mut self, literals: &mut Vec<Ast>) -> Result<CheckResult, Stop> {
        while let Some(switch) = self.unfolding.facts.switch() {
            let effort = self.unfolding.facts.effort();
            let before = self.unfolding.effort();
            literals.push(switch);
            let answer = self.ask_solver(literals, Some(effort))?;
            if !answer.is_out_of_effort() || self.is_out_of_effort() {
                let spent = self.unfolding.effort().saturating_sub(before);
                self.unfolding.facts.note_answer(spent);
                return Ok(answer);
            }
            literals.pop();
            self.log(|_| "too hard with the inferred facts, asked again without them".into());
            if let Some(switch) = self.unfolding.facts.note_failure() {
                self.unfolding.retire(switch)?;
                break;
            }
            let answer = self.ask_solver(literals, Some(effort.saturating_mul(2)))?;
            if !answer.is_out_of_effort() || self.is_out_of_effort() {
                return Ok(answer);
            }
        }
        self.ask_solver(literals, None)
    }

    /// Asks the solver, which may take this much effort and what the search has left.
    fn ask_solver(&mut self, literals: &[Ast], effort: Option<u32>) -> Result<CheckResult, Stop> {
        self.budget.check()?;
        let left = self
            .effort_limit
            .map(|limit| u32::try_from(limit.saturating_sub(self.unfolding.effort())).unwrap_or(u32::MAX));
        if left == Some(0) {
            return Err(Stop::OutOfEffort);
        }
        let limit = match (effort, left) {
            (Some(effort), Some(left)) => Some(effort.min(left)),
            (effort, left) => effort.or(left),
        };
        let Unfolding { solver, context, .. } = &mut self.unfolding;
        Ok(match limit {
            Some(limit) => solver.check_within(context, literals, limit)?,
            None => solver.check(context, literals)?,
        })
    }

    fn is_out_of_effort(&self) -> bool {
        self.effort_limit
            .is_some_and(|limit| self.unfolding.effort() >= limit)
    }

    /// Goes on without the inferred facts, from the smallest bound: a proof that rests on them is no longer one.
    pub fn drop_facts(&mut self) -> Result<(), SolverError> {
        self.unfolding.drop_facts()?;
        self.restart(self.unfolding.assumed.clone());
        Ok(())
    }

    /// Whether the last negative answer needs the inferred facts.
    pub fn needs_facts(&self) -> bool {
        self.unfolding.facts.are_used()
    }

    /// Tells what is told at the end.
    pub fn log_end(&mut self) {
        if self.options.log_dag {
            let text = self.unfolding.to_dot();
            (self.progress)(SearchEvent::Log(LogStage::Dag, text));
        }
        if self.options.log_smt {
            let text = self.unfolding.to_smtlib();
            (self.progress)(SearchEvent::Log(LogStage::Smt, text));
        }
    }

    fn cut_procs(&self, cut: &[CallSiteId]) -> Vec<lariat_ir::ProcId> {
        let mut procs: Vec<lariat_ir::ProcId> = cut
            .iter()
            .map(|&site| self.unfolding.dag.sites[site].callee)
            .collect();
        procs.sort_unstable();
        procs.dedup();
        procs
    }

    fn log(&mut self, text: impl FnOnce(&Unfolding) -> String) {
        if self.options.log {
            let text = text(&self.unfolding);
            (self.progress)(SearchEvent::Log(LogStage::Unfolding, text));
        }
    }

    fn report(&mut self) {
        let progress = SearchProgress {
            bound: self.bound,
            completed: self.completed,
            stats: self.unfolding.stats,
        };
        (self.progress)(SearchEvent::Progress(progress));
    }
}
