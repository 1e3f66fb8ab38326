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
//!   off, since then the answer does not rest on it ([`crate::exactness`]);
//! - a summary is what was inferred of the callee ([`crate::facts`]), if anything;
//! - after the first rounds query type 1 is asked in some of them only, and a counterexample of query
//!   type 2 without open calls ends the search as well;
//! - unsat cores are the solver's and need not be minimal (`smt.core.minimize` makes them so);
//! - a loop with a known number of rounds is unrolled by twice as many each time;
//! - small callees, and callees that every execution calls once, are inlined together with their caller;
//! - the path of a counterexample is followed into what was just inlined, as long as that is easy and it goes on
//!   ([`Search::go_along`]), before any other is looked for;
//! - where quantifiers make the solver unsure of a counterexample its path is solved again
//!   ([`crate::confirm`]), and blocked if it is infeasible.

use lariat_base::Budget;
use lariat_smt::{Ast, SolverError, Stop, Watchdog};
use lariat_vc::Problem;

use crate::dag::{CallSiteId, Dag, Site};
use crate::mix::{Mix, SearchStep};
use crate::observer::{Observer, SearchEvent};
use crate::options::{ExpandPolicy, SearchOptions};
use crate::outcome::{Counterexample, SearchOutcome};
use crate::path::Path;
use crate::proofs::Proofs;
use crate::queries::Candidate;
use crate::split::Splitting;
use crate::unfolding::Unfolding;

/// Query type 1 is asked in each of the first rounds, and then once in so many.
const UNDER_ROUNDS: u64 = 20;
const UNDER_PERIOD: u64 = 3;

/// Up to how many configurations of a node the unfolding is checked by definition.
const MOST_CONFIGURATIONS: usize = 200;

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
pub(crate) struct Search<'a> {
    pub unfolding: Unfolding,
    pub options: SearchOptions,
    pub budget: Budget,
    pub observer: Observer<'a>,
    pub bound: u32,
    completed: Option<u32>,
    /// How often the loop has gone round.
    round: u64,
    mix: Mix,
    /// The search gives up at this count of the solver's effort.
    pub effort_limit: Option<u64>,
    /// The effort that was counted when the search last had to wait for its turn.
    pub(crate) counted: u64,
    pub(crate) splitting: Splitting,
    pub(crate) proofs: Proofs,
    _watchdog: Watchdog,
}

impl<'a> Search<'a> {
    pub fn new(
        problem: Problem,
        options: SearchOptions,
        budget: Budget,
        receiver: &'a mut dyn FnMut(SearchEvent),
    ) -> Result<Self, SolverError> {
        let mut unfolding = Unfolding::new(problem, &options)?;
        for decision in &options.partition.decisions {
            unfolding.decide(decision.clone())?;
        }
        let watchdog = Watchdog::start(budget.clone(), unfolding.context.interrupt_handle());
        Ok(Search {
            effort_limit: options.effort,
            counted: 0,
            bound: options.first_bound.clamp(1, options.max_bound),
            observer: Observer::new(&options, receiver),
            unfolding,
            options,
            budget,
            completed: None,
            round: 0,
            mix: Mix::default(),
            splitting: Splitting::default(),
            proofs: Proofs::default(),
            _watchdog: watchdog,
        })
    }

    /// Starts over with the first bound, under other assumptions. What was inlined stays.
    pub fn restart(&mut self, assumed: Vec<Ast>) {
        self.unfolding.assumed = assumed;
        self.unfolding.used.clear();
        self.take_paused();
        self.bound = self.options.first_bound.clamp(1, self.options.max_bound);
        self.completed = None;
        self.round = 0;
    }

    /// Goes on from here: within the bounds before there is no execution.
    pub fn start_at(&mut self, bound: u32, completed: Option<u32>) {
        self.bound = bound;
        self.completed = completed;
    }

    /// The largest bound that was completed.
    pub fn completed(&self) -> Option<u32> {
        self.completed
    }

    /// Searches bound by bound until the answer is known or the budget is used up, or until the search is split
    /// ([`Search::take_split`]) or pauses ([`Search::take_proof`]).
    pub fn run(&mut self) -> SearchOutcome {
        match self.run_bounds() {
            Ok(outcome) => outcome,
            Err(stop) => SearchOutcome::Unknown {
                reason: stop.to_string(),
                bound: self.completed,
            },
        }
    }

    fn run_bounds(&mut self) -> Result<SearchOutcome, Stop> {
        self.catch_up()?;
        let together = self.unfolding.inlined_together(Dag::root());
        if !together.is_empty() {
            self.inline(&together)?;
        }
        if let Some(cut) = self.take_paused() {
            if self.is_proved_by_facts(&cut)? {
                return Ok(SearchOutcome::Proved);
            }
            if let Some(outcome) = self.complete_bound(&cut) {
                return Ok(outcome);
            }
        }
        loop {
            self.split_if_wanted()?;
            self.round += 1;
            let before = self.unfolding.stats;
            let step = self.next_step();
            match self.take(step)? {
                Decided::Nothing => {}
                Decided::Reached(candidate) => {
                    if let Some(counterexample) = self.counterexample(candidate)? {
                        return Ok(SearchOutcome::Reached(Box::new(counterexample)));
                    }
                }
                Decided::Correct { cut } if cut.is_empty() => return Ok(SearchOutcome::Proved),
                Decided::Correct { cut } => {
                    self.completed = Some(self.bound);
                    self.pause_at_proof(&cut)?;
                    if let Some(outcome) = self.complete_bound(&cut) {
                        return Ok(outcome);
                    }
                }
            }
            self.mix.note(step, &before, &self.unfolding.stats);
        }
    }

    fn next_step(&mut self) -> SearchStep {
        match self.options.expand {
            ExpandPolicy::OverRefine => SearchStep::Refine,
            ExpandPolicy::UnderWiden => SearchStep::Widen,
            ExpandPolicy::Interleave(share) => self.mix.interleave(share),
            ExpandPolicy::Adaptive => self.mix.adaptive(),
            ExpandPolicy::Eager => SearchStep::InlineAll,
        }
    }

    fn take(&mut self, step: SearchStep) -> Result<Decided, Stop> {
        match step {
            SearchStep::Refine => self.over_ref_step(),
            SearchStep::Widen => self.under_widen_step(),
            SearchStep::InlineAll => {
                self.inline_all()?;
                self.under_widen_step()
            }
        }
    }

    /// Nothing within the bound, and the answer rests on the calls that it cut off. `None`: go on with
    /// the next bound.
    fn complete_bound(&mut self, cut: &[CallSiteId]) -> Option<SearchOutcome> {
        self.report();
        let is_last = self.bound >= self.options.max_bound;
        let has_summaries = self.unfolding.facts.switch().is_some();
        // A search without end asks now and then.
        let now_and_then = self.options.max_bound == u32::MAX && self.bound.is_power_of_two();
        // The bound is completed, whatever becomes of this question.
        if (is_last || has_summaries || now_and_then) && !self.rests_on_bound() {
            return Some(SearchOutcome::Proved);
        }
        if !is_last {
            self.bound += 1;
            return None;
        }
        let (deep, cut): (Vec<CallSiteId>, Vec<CallSiteId>) = cut.iter().partition(|&&site| {
            let data = &self.unfolding.dag.sites[site];
            self.options.is_too_deep(data.depth())
        });
        Some(SearchOutcome::Bounded {
            bound: self.bound,
            cut: self.cut_procs(&cut),
            deep: self.cut_procs(&deep),
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
        let mut candidate = match self.over_approximate()? {
            Ok(candidate) => candidate,
            Err(cut) => return Ok(Decided::Correct { cut }),
        };
        loop {
            let path = Path::follow(&self.unfolding, &candidate.model)?;
            let open: Vec<CallSiteId> = path.open_calls().collect();
            if open.is_empty() {
                return Ok(Decided::Reached(candidate));
            }
            self.inline(&open)?;
            let further = match self.options.follow {
                true => self.go_along(&path)?,
                false => None,
            };
            match further {
                Some(further) => candidate = further,
                None => return Ok(Decided::Nothing),
            }
        }
    }

    /// [Legion22] Alg. 3: with all open calls blocked there is no execution; what the proof of that
    /// blames is inlined. If it blames nothing the program is correct, and if it blames only calls
    /// beyond the bound it is so within the bound.
    fn under_widen_step(&mut self) -> Result<Decided, Stop> {
        let open: Vec<CallSiteId> = self.unfolding.open_sites().to_vec();
        let blamed = match self.ask_blocking(&open)? {
            Ok(candidate) => return Ok(Decided::Reached(candidate)),
            Err(blamed) => blamed,
        };
        let (widen, cut): (Vec<CallSiteId>, Vec<CallSiteId>) =
            blamed.into_iter().partition(|&site| self.within_bound(site));
        self.observer
            .widened(open.len(), widen.len(), cut.len(), &self.unfolding.stats);
        if widen.is_empty() {
            return Ok(Decided::Correct { cut });
        }
        self.inline(&widen)?;
        Ok(Decided::Nothing)
    }

    /// Query type 1 finds bugs early but proves nothing, since query type 2 finds every execution that it
    /// finds. After a while it is asked now and then only. (Rounds and not seconds decide, so that the
    /// same input gives the same queries.)
    fn asks_under_approximation(&self) -> bool {
        // Where refinement and widening take turns, the widening steps ask it.
        let takes_turns = matches!(
            self.options.expand,
            ExpandPolicy::Interleave(_) | ExpandPolicy::Adaptive
        );
        !takes_turns && (self.round <= UNDER_ROUNDS || self.round.is_multiple_of(UNDER_PERIOD))
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
        Ok(if doubtful && self.options.reconsider {
            self.reconsider(counterexample)?
        } else {
            Some(counterexample)
        })
    }

    /// Inlines open calls.
    pub(crate) fn inline(&mut self, open: &[CallSiteId]) -> Result<(), Stop> {
        self.observer.inlining(&self.unfolding, open);
        let open = open.iter().rev();
        let mut work: Vec<(CallSiteId, u32)> = open.map(|&site| (site, self.further_rounds(site))).collect();
        while let Some((site, rounds)) = work.pop() {
            self.budget.check()?;
            let data = &self.unfolding.dag.sites[site];
            if data.instance.is_some() || !self.within_bound(site) {
                continue;
            }
            let callee = data.callee;
            if let Some(instance) = self.unfolding.inline(site)? {
                let together = self.unfolding.inlined_together(instance);
                work.extend(together.into_iter().map(|site| (site, 0)));
                if rounds > 0 {
                    let Dag { nodes, sites, .. } = &self.unfolding.dag;
                    let calls = nodes[instance].sites.iter().copied();
                    let next = calls.filter(|&site| sites[site].callee == callee);
                    work.extend(next.map(|site| (site, rounds - 1)));
                }
            }
        }
        self.unfolding.close_inlined()?;
        self.report();
        self.check_dag()
    }

    /// A loop whose number of rounds is known is unrolled by as many rounds again as were there already: a search
    /// that needs n of them asks for more about log n times.
    fn further_rounds(&self, site: CallSiteId) -> u32 {
        let Site { callee, cost, .. } = self.unfolding.dag.sites[site];
        match self.unfolding.problem.program.procs[callee].extra_bound {
            0 => 0,
            _ => cost.saturating_sub(1),
        }
    }

    /// By definition ([Dag15] Definition 2) if that is feasible, or else by Algorithm 1.
    fn check_dag(&mut self) -> Result<(), Stop> {
        let dag = &mut self.unfolding.dag;
        let is_consistent = |dag: &mut Dag| {
            let by_definition = dag.is_consistent_by_definition(MOST_CONFIGURATIONS);
            by_definition.unwrap_or_else(|| dag.is_consistent())
        };
        if self.options.check_dag && !is_consistent(dag) {
            return Err(Stop::Internal("the unfolding is not consistent".into()));
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
            self.unfolding.close_inlined()?;
            self.report();
            self.check_dag()?;
        }
    }

    pub(crate) fn within_bound(&self, site: CallSiteId) -> bool {
        let data = &self.unfolding.dag.sites[site];
        let extra = self.unfolding.problem.program.procs[data.callee].extra_bound;
        self.options.allows(self.bound, extra, data.cost, data.depth())
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

    pub(crate) fn report(&mut self) {
        self.observer
            .progress(self.bound, self.completed, self.unfolding.stats);
    }
}
