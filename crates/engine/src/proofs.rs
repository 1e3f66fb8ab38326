//! What the proofs of a search rest on: procedures whose summaries are worth inferring, and what their refuted subtrees imply.
//!
//! Every unsat core names calls. A search that is asked for it ([`crate::SearchOptions::pause_at_proofs`]) pauses when it has completed
//! a bound, and after some effort, and tells which procedures these calls are of, with those below them. Its user guesses what may hold
//! of them, leaves out what the unfolding refutes ([`Unfolding::implied`]), finds out what is inductive, and the search goes
//! on with that at its open calls ([`crate::Session::learn`]).
//!
//! Invariants: each procedure is told once; a search that has dropped its facts pauses no more; what is told and what is implied are
//! guesses, on which no answer rests. Effort is the solver's count, so that the same input gives the same pauses.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_ir::ProcId;
use lariat_smt::{Ast, CheckResult, Solver, SolverError, Stop, Template};
use lariat_term::{TermId, VarId};
use lariat_vc::Summary;
use rustc_hash::FxHashSet;

use crate::dag::{CallSiteId, InstanceId};
use crate::search::Search;
use crate::unfolding::Unfolding;

/// Within a bound a search pauses after so much effort, about a second; the next time after twice as much.
const FIRST_EFFORT: u64 = 20_000_000;
/// So many instances of a procedure are asked what they imply, …
const MOST_INSTANCES: usize = 2;
/// … each with so many instances at most; calls below those are blocked, as open ones are.
const MOST_BELOW: usize = 50;
/// The effort of a question about an instance.
const IMPLIED_EFFORT: u32 = 100_000;

/// What the unsat cores of a search have named.
#[derive(Default)]
pub(crate) struct Proofs {
    named: EntitySet<ProcId>,
    /// The procedures that were told.
    told: EntitySet<ProcId>,
    /// The effort at which the search pauses within a bound.
    next: Option<u64>,
    /// The procedures of the pause that has ended the search.
    found: Option<Vec<ProcId>>,
}

impl Search<'_> {
    /// Notes the calls that an unsat core names.
    pub(crate) fn note_proof(&mut self, named: &[CallSiteId]) {
        if self.options.pause_at_proofs {
            let sites = &self.unfolding.dag.sites;
            let callees = named.iter().map(|&site| sites[site].callee);
            self.proofs.named.extend(callees);
        }
    }

    /// Ends the search for now if there are procedures to tell.
    pub(crate) fn pause_at_proof(&mut self, is_bound_completed: bool) -> Result<(), Stop> {
        if !self.options.pause_at_proofs || self.unfolding.facts.are_dropped() {
            return Ok(());
        }
        let effort = self.unfolding.effort();
        let next = *self.proofs.next.get_or_insert(effort + FIRST_EFFORT);
        if !is_bound_completed && effort < next {
            return Ok(());
        }
        let procs = self.untold();
        if procs.is_empty() {
            return Ok(());
        }
        self.proofs.next = Some(effort.saturating_mul(2).max(effort + FIRST_EFFORT));
        self.proofs.told.extend(procs.iter().copied());
        self.proofs.found = Some(procs);
        Err(Stop::OutOfEffort)
    }

    /// The procedures of the pause that has ended the search.
    pub(crate) fn take_proof(&mut self) -> Option<Vec<ProcId>> {
        self.proofs.found.take()
    }

    /// The procedures that unsat cores have named, and those that are inlined below them, as far as they were not told.
    fn untold(&self) -> Vec<ProcId> {
        let Unfolding { dag, problem, .. } = &self.unfolding;
        let mut calls = SecondaryMap::<ProcId, FxHashSet<ProcId>>::new();
        for site in dag.sites.values().filter(|site| site.instance.is_some()) {
            calls[dag.nodes[site.caller].proc].insert(site.callee);
        }
        let mut work: Vec<ProcId> = self.proofs.named.keys().collect();
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
        if count == 0 || !self.facts.prepare(&mut self.context)? {
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
