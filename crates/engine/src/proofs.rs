//! Summaries from proofs: which procedures a bounded proof rests on, what their refuted subtrees imply, and whether what was learned of
//! them makes it a proof.
//!
//! An unsat core that completes a bound names the calls beyond it that the answer rests on. A search that is asked for it
//! ([`crate::SearchOptions::pause_at_proofs`]) pauses then and tells the procedures of these calls, with those that are inlined below
//! them. Its user guesses what may hold of them, leaves out what the unfolding refutes ([`Unfolding::implied`]), finds out what is
//! inductive, and has the search go on ([`crate::Session::learn`]). The search tries whether there is no execution if those calls do what
//! is known of them. If there may be one, the facts are set aside until more is learned: on drivers they saved no inlining, and
//! took time.
//!
//! Invariants: a procedure is told once; after a few trials in vain, and once facts are dropped, a search pauses no more; what is told
//! and what is implied are guesses, on which no answer rests. Limits are counts, so that the same input gives the same pauses.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_ir::ProcId;
use lariat_smt::{Ast, CheckResult, Solver, SolverError, Stop, Template};
use lariat_term::{TermId, VarId};
use lariat_vc::Summary;
use rustc_hash::FxHashSet;

use crate::dag::{CallSiteId, InstanceId};
use crate::search::Search;
use crate::unfolding::Unfolding;

/// After so many trials in vain nothing more is learned.
const MOST_TRIALS: u32 = 3;
/// A trial inlines in so many rounds at most, and takes so much effort.
const TRIAL_ROUNDS: usize = 30;
const TRIAL_EFFORT: u32 = 15_000_000;
/// So many instances of a procedure are asked what they imply, …
const MOST_INSTANCES: usize = 2;
/// … each with so many instances at most; calls below those are blocked, as open ones are.
const MOST_BELOW: usize = 50;
/// The effort of a question about an instance.
const IMPLIED_EFFORT: u32 = 100_000;

/// Where a search stands with its pauses.
#[derive(Default)]
pub(crate) struct Proofs {
    /// The procedures that were told.
    told: EntitySet<ProcId>,
    trials: u32,
    /// The procedures of the pause that has ended the search.
    found: Option<Vec<ProcId>>,
    /// The calls that the answer rests on for which the search has paused.
    cut: Option<Vec<CallSiteId>>,
}

impl Search<'_> {
    /// A bound is completed, and the answer rests on these calls. Ends the search for now if there are procedures to tell.
    pub(crate) fn pause_at_proof(&mut self, cut: &[CallSiteId]) -> Result<(), Stop> {
        let may_learn = self.options.pause_at_proofs && !self.unfolding.facts.are_dropped();
        if !may_learn || self.proofs.trials == MOST_TRIALS {
            return Ok(());
        }
        let procs = self.untold(cut);
        if procs.is_empty() {
            return Ok(());
        }
        self.proofs.told.extend(procs.iter().copied());
        self.proofs.found = Some(procs);
        self.proofs.cut = Some(cut.to_vec());
        Err(Stop::OutOfEffort)
    }

    /// The procedures of the pause that has ended the search.
    pub(crate) fn take_proof(&mut self) -> Option<Vec<ProcId>> {
        self.proofs.found.take()
    }

    /// The calls for which the search has paused.
    pub(crate) fn take_paused(&mut self) -> Option<Vec<CallSiteId>> {
        self.proofs.cut.take()
    }

    /// Whether the answer does not rest on these calls any more, with what was learned of them. If it may do so, that is
    /// set aside.
    pub(crate) fn is_proved_by_facts(&mut self, cut: &[CallSiteId]) -> Result<bool, Stop> {
        if self.unfolding.facts.switch().is_none() {
            return Ok(false);
        }
        let proved = self.within_effort(TRIAL_EFFORT.into(), |search| search.try_facts(cut));
        if let Ok(true) = proved {
            return Ok(true);
        }
        self.proofs.trials += 1;
        if let Some(switch) = self.unfolding.facts.set_aside() {
            self.unfolding.retire(switch)?;
        }
        Ok(false)
    }

    /// [Legion22] Alg. 3 with these calls left to their summaries: no execution, and open calls are not to blame.
    fn try_facts(&mut self, cut: &[CallSiteId]) -> Result<bool, Stop> {
        let mut free: FxHashSet<CallSiteId> = cut.iter().copied().collect();
        for _ in 0..TRIAL_ROUNDS {
            let open = self.unfolding.open_sites().iter().copied();
            let blocked: Vec<CallSiteId> = open.filter(|site| !free.contains(site)).collect();
            let Err(blamed) = self.ask_blocking(&blocked)? else {
                return Ok(false);
            };
            if blamed.is_empty() {
                return Ok(true);
            }
            let (within, beyond): (Vec<CallSiteId>, Vec<CallSiteId>) =
                blamed.into_iter().partition(|&site| self.within_bound(site));
            free.extend(beyond);
            self.inline(&within)?;
        }
        Ok(false)
    }

    /// The procedures of these calls, and those that are inlined below them, as far as they were not told.
    fn untold(&self, cut: &[CallSiteId]) -> Vec<ProcId> {
        let Unfolding { dag, problem, .. } = &self.unfolding;
        let mut calls = SecondaryMap::<ProcId, FxHashSet<ProcId>>::new();
        for site in dag.sites.values().filter(|site| site.instance.is_some()) {
            calls[dag.nodes[site.caller].proc].insert(site.callee);
        }
        let mut work: Vec<ProcId> = cut.iter().map(|&site| dag.sites[site].callee).collect();
        let mut below = EntitySet::<ProcId>::new();
        while let Some(proc) = work.pop() {
            if below.insert(proc) {
                work.extend(&calls[proc]);
            }
        }
        let untold = |&proc: &ProcId| {
            below.contains(proc) && proc != problem.entry && !self.proofs.told.contains(proc)
        };
        problem.program.procs.keys().filter(untold).collect()
    }
}

impl Unfolding {
    /// Those of the facts that the first instances of a procedure imply, with open calls blocked. What is too hard to find out
    /// counts as implied: all of them are guesses.
    pub(crate) fn implied(&mut self, proc: ProcId, guess: &Summary) -> Result<Vec<TermId>, SolverError> {
        let mut facts = guess.facts.clone();
        let parameters: Vec<VarId> = guess.ins.iter().chain(&guess.outs).copied().collect();
        let instances: Vec<InstanceId> = self
            .instances
            .iter()
            .filter(|(_, instance)| instance.proc == proc)
            .map(|(id, _)| id)
            .take(MOST_INSTANCES)
            .collect();
        for instance in instances {
            if facts.is_empty() {
                break;
            }
            let pool = &self.problem.program.pool;
            let template = Template::new(&mut self.context, pool, &facts, &parameters)?;
            let formals = self.formals_of(instance).to_vec();
            let asts = template.instantiate(&mut self.context, &formals)?;
            let refuted = self.refuted_by(instance, &asts)?;
            let mut index = 0;
            facts.retain(|_| {
                index += 1;
                !refuted.contains(&(index - 1))
            });
        }
        Ok(facts)
    }

    /// The positions of the formulas that some execution of the instance violates, as far as that is easily found out.
    fn refuted_by(
        &mut self,
        instance: InstanceId,
        formulas: &[Ast],
    ) -> Result<FxHashSet<usize>, SolverError> {
        let mut solver = Solver::new(&mut self.context, &[])?;
        for ast in self.subtree(instance)? {
            solver.assert(&mut self.context, ast)?;
        }
        let mut refuted = FxHashSet::default();
        loop {
            let standing: Vec<usize> = (0..formulas.len())
                .filter(|index| !refuted.contains(index))
                .collect();
            let asts: Vec<Ast> = standing.iter().map(|&index| formulas[index]).collect();
            let some_fails = self.context.not_all(&asts)?;
            let guard = solver.assert_tracked(&mut self.context, some_fails)?;
            if standing.is_empty()
                || solver.check_within(&mut self.context, &[guard], IMPLIED_EFFORT)? != CheckResult::Sat
            {
                return Ok(refuted);
            }
            let model = solver.model(&self.context)?;
            let before = refuted.len();
            for index in standing {
                if !model.is_true(&self.context, formulas[index])? {
                    refuted.insert(index);
                }
            }
            if refuted.len() == before {
                return Ok(refuted);
            }
        }
    }

    /// That an instance is executed, with those below it; other calls in it are blocked. Axioms with quantifiers are left out.
    fn subtree(&self, root: InstanceId) -> Result<Vec<Ast>, SolverError> {
        let mut asserted = self.ground_axioms.clone();
        asserted.push(self.known_ast(root, self.vc(root).entry())?);
        let mut known: FxHashSet<InstanceId> = FxHashSet::from_iter([root]);
        let mut work = vec![root];
        while let Some(instance) = work.pop() {
            asserted.extend(&self.instances[instance].clauses);
            for &site in &self.dag.nodes[instance].sites {
                let terms = &self.sites[site];
                match self.dag.sites[site].instance {
                    Some(callee) if known.contains(&callee) || known.len() < MOST_BELOW => {
                        asserted.extend(&terms.facts);
                        if known.insert(callee) {
                            work.push(callee);
                        }
                    }
                    _ => asserted.push(terms.blocked),
                }
            }
        }
        Ok(asserted)
    }

    /// Asserts the summaries, which have become stronger, at open calls. Returns how many facts they have; none if facts are dropped.
    pub(crate) fn assert_learned(&mut self) -> Result<usize, SolverError> {
        let summaries = self.problem.summaries.values().flatten();
        let count = summaries.map(|summary| summary.facts.len()).sum();
        if count == 0 || !self.facts.prepare(&mut self.context, TRIAL_EFFORT)? {
            return Ok(0);
        }
        self.summaries.clear();
        for site in self.open_sites().to_vec() {
            let mut terms = self.sites[site].clone();
            self.assert_summary(self.dag.sites[site].callee, &mut terms)?;
            self.sites[site] = terms;
        }
        self.stats.learned_facts = count as u64;
        Ok(count)
    }
}
