//! A search and the solver state behind it, for those who ask several questions of one program.
//!
//! A session answers a question ([`Session::run`]), goes on after a counterexample, takes assumptions and
//! withdraws them, and reads values off models. The unfolding behind it is kept from one question to the
//! next, and is not visible: a question in terms of the program is a method here.

use lariat_base::Budget;
use lariat_ir::{ProcId, StmtId};
use lariat_options::{Decision, Halves};
use lariat_smt::{Ast, CheckResult, Context, Model, Solver, SolverError};
use lariat_term::{TermId, TermPool, Value, VarId};
use lariat_vc::{PassiveBlockId, PassiveStep, Problem, Summary};
use rustc_hash::FxHashMap;

use crate::dag::{CallSiteId, Dag, InstanceId};
use crate::environment::Assumption;
use crate::observer::SearchEvent;
use crate::options::SearchOptions;
use crate::outcome::{Counterexample, EngineStats, SearchOutcome};
use crate::search::Search;

/// A search that can be asked again.
pub struct Session<'a> {
    pub(crate) search: Search<'a>,
}

/// A call in the unfolding, in terms of the program.
#[derive(Clone, Copy, Debug)]
pub struct InlinedCall {
    pub stmt: StmtId,
    pub callee: ProcId,
    /// The instance of the callee; `None` if the call is open.
    pub instance: Option<InstanceId>,
}

/// Questions and assumptions.
impl<'a> Session<'a> {
    pub fn new(
        problem: Problem,
        options: SearchOptions,
        budget: Budget,
        receiver: &'a mut dyn FnMut(SearchEvent),
    ) -> Result<Self, SolverError> {
        Ok(Session {
            search: Search::new(problem, options, budget, receiver)?,
        })
    }

    /// Can the entry return under what is assumed? After a counterexample: is there another one?
    pub fn run(&mut self) -> SearchOutcome {
        self.search.run()
    }

    /// The two parts of the search, if the last outcome is `Unknown` because it is to be split ([`crate::SplitPolicy`]). Both have
    /// the decisions of this search and one more. Another session may search either; this one can go on with a part of
    /// what is left ([`Session::decide`]).
    pub fn take_split(&mut self) -> Option<Halves> {
        self.search.take_split()
    }

    /// The procedures whose summaries would help, if the last outcome is `Unknown` because of a pause
    /// ([`SearchOptions::pause_at_proofs`]). The search can go on as it is, or after [`Session::learn`].
    pub fn take_proof(&mut self) -> Option<Vec<ProcId>> {
        self.search.take_proof()
    }

    /// What of a guess, over variables of its own like a [`Summary`], the inlined instances of the procedure do not refute.
    pub fn implied(&mut self, proc: ProcId, guess: &Summary) -> Result<Vec<TermId>, SolverError> {
        self.search.unfolding.implied(proc, guess)
    }

    /// Tries the summaries of the problem at open calls, after they have become stronger ([`Session::problem_mut`]), when the search
    /// goes on. Returns how many facts they have.
    pub fn learn(&mut self) -> Result<usize, SolverError> {
        self.search.unfolding.assert_learned()
    }

    /// Leaves out the executions that the decision does not allow, for good.
    pub fn decide(&mut self, decision: Decision) -> Result<(), SolverError> {
        self.search.decide(decision)
    }

    /// Starts over with the smallest bound, under other assumptions: literals. What was inlined stays.
    pub fn restart(&mut self, literals: Vec<Ast>) {
        self.search.restart(literals);
    }

    /// The next question is asked up to this bound. A larger one than before goes on from what was completed.
    pub fn set_largest_bound(&mut self, bound: u32) {
        self.search.options.max_bound = bound.max(1);
    }

    /// Goes on under one more literal: what was excluded before is still excluded.
    pub fn assume_literal(&mut self, literal: Ast) {
        self.search.unfolding.assumed.push(literal);
    }

    /// The literal of a Boolean constant.
    pub fn literal(&mut self, var: VarId, value: bool) -> Result<Ast, SolverError> {
        let unfolding = &mut self.search.unfolding;
        let on = unfolding.context.var(&unfolding.problem.program.pool, var)?;
        if value { Ok(on) } else { unfolding.context.not(on) }
    }

    /// Whether a negative answer since the last restart rests on a literal.
    pub fn rests_on(&self, literal: Ast) -> bool {
        self.search.unfolding.used.contains(&literal)
    }

    /// Gives up after this much more of the solver's effort; `None` for no limit.
    pub fn limit_effort(&mut self, effort: Option<u64>) {
        let so_far = self.search.unfolding.effort();
        self.search.effort_limit = effort.map(|effort| so_far + effort);
    }

    /// Notes what follows from the axioms and the model of a counterexample violates, for
    /// [`Session::reconsider`]. The main solver does not get it: it has its triggers, and more terms would
    /// set off more of them.
    pub fn add_lemma(&mut self, lemma: TermId) -> Result<(), SolverError> {
        let unfolding = &mut self.search.unfolding;
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
        self.search.reconsider(counterexample)
    }

    /// Whether the last negative answer needs the inferred facts.
    pub fn needs_facts(&self) -> bool {
        self.search.unfolding.facts.are_used()
    }

    /// Goes on without the inferred facts, from the smallest bound: a proof that rests on them is no longer one.
    pub fn drop_facts(&mut self) -> Result<(), SolverError> {
        self.search.unfolding.drop_facts()?;
        let assumed = self.search.unfolding.assumed.clone();
        self.search.restart(assumed);
        Ok(())
    }

    /// Logs what [`SearchOptions`] wants to see at the end.
    pub fn log_end(&mut self) {
        self.search.observer.ended(&self.search.unfolding);
    }

    pub fn stats(&self) -> EngineStats {
        self.search.unfolding.stats
    }

    pub fn problem(&self) -> &Problem {
        &self.search.unfolding.problem
    }

    /// The problem, to add terms and to strengthen summaries; the rest must stay as it is.
    pub fn problem_mut(&mut self) -> &mut Problem {
        &mut self.search.unfolding.problem
    }

    /// The pool in which terms for the session are made.
    pub fn pool(&mut self) -> &mut TermPool {
        &mut self.search.unfolding.problem.program.pool
    }
}

/// The environment ([`crate::environment`]).
impl Session<'_> {
    /// Says which variable of the lowered program each variable of the prepared one stands for.
    pub fn note_origins(&mut self, origins: FxHashMap<VarId, VarId>) {
        self.search.unfolding.note_origins(origins);
    }

    /// Adds an assumption about the environment; returns its switch, to be assumed while it counts.
    pub fn assume(&mut self, assumption: Assumption) -> Result<Ast, SolverError> {
        self.search.unfolding.assume(assumption)
    }

    /// Asserts a formula over inputs and constants for good.
    pub fn assert_term(&mut self, term: TermId) -> Result<(), SolverError> {
        self.search.unfolding.assert_term(term)
    }

    /// Whether the assumptions with these switches contradict each other. Nothing else is taken into account;
    /// `false` as well if that is not found out with this effort.
    pub fn contradict(&mut self, switches: &[VarId], effort: u32) -> Result<bool, SolverError> {
        let unfolding = &mut self.search.unfolding;
        let mut solver = Solver::new(&mut unfolding.context, &[])?;
        for &switch in switches {
            for fact in unfolding.facts_of(switch).to_vec() {
                solver.assert(&mut unfolding.context, fact)?;
            }
        }
        let answer = solver.check_within(&mut unfolding.context, &[], effort)?;
        Ok(answer == CheckResult::Unsat)
    }

    /// Whether a model satisfies the assumption with this switch.
    pub fn satisfies(&self, model: &Model, switch: VarId) -> Result<bool, SolverError> {
        let unfolding = &self.search.unfolding;
        for &fact in unfolding.facts_of(switch) {
            if !model.is_true(&unfolding.context, fact)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Reading counterexamples.
impl Session<'_> {
    /// The entry's inputs: parameters and globals.
    pub fn inputs(&self) -> Vec<VarId> {
        self.search.unfolding.vc(Dag::root()).ins.clone()
    }

    /// The procedure that an instance is one of.
    pub fn proc_of(&self, instance: InstanceId) -> ProcId {
        self.search.unfolding.instances[instance].proc
    }

    pub fn call(&self, site: CallSiteId) -> InlinedCall {
        let unfolding = &self.search.unfolding;
        let data = &unfolding.dag.sites[site];
        InlinedCall {
            stmt: unfolding.vc(data.caller).call_sites[data.index].stmt,
            callee: data.callee,
            instance: data.instance,
        }
    }

    /// A step of a block.
    pub fn step(&self, instance: InstanceId, block: PassiveBlockId, index: usize) -> &PassiveStep {
        &self.search.unfolding.vc(instance).blocks[block].steps[index]
    }

    /// The value of a variable of an instance; `None` if the condition does not mention it.
    pub fn value_of(
        &mut self,
        model: &Model,
        instance: InstanceId,
        var: VarId,
    ) -> Result<Option<Value>, SolverError> {
        let unfolding = &mut self.search.unfolding;
        let Some(ast) = unfolding.ast_of(instance, var) else {
            return Ok(None);
        };
        let pool = &unfolding.problem.program.pool;
        let sort = pool.var_sort(var);
        model.value(&mut unfolding.context, pool, ast, sort).map(Some)
    }

    /// The value of a term over variables of an instance; `None` if the condition does not mention one.
    pub fn value_of_term(
        &mut self,
        model: &Model,
        instance: InstanceId,
        term: TermId,
    ) -> Result<Option<Value>, SolverError> {
        let unfolding = &mut self.search.unfolding;
        let Some(ast) = unfolding.ast_of_term(instance, term)? else {
            return Ok(None);
        };
        let pool = &unfolding.problem.program.pool;
        let sort = pool.sort_of(term);
        model.value(&mut unfolding.context, pool, ast, sort).map(Some)
    }

    /// The value of a constant of the program; `None` if no condition mentions it.
    pub fn value_of_constant(
        &mut self,
        model: &Model,
        constant: VarId,
    ) -> Result<Option<Value>, SolverError> {
        let unfolding = &mut self.search.unfolding;
        let Some(ast) = unfolding.context.known_var(constant) else {
            return Ok(None);
        };
        let pool = &unfolding.problem.program.pool;
        let sort = pool.var_sort(constant);
        model.value(&mut unfolding.context, pool, ast, sort).map(Some)
    }

    /// The context that models of this session belong to, and the pool of its terms.
    pub fn context(&mut self) -> (&mut Context, &mut TermPool) {
        let unfolding = &mut self.search.unfolding;
        (&mut unfolding.context, &mut unfolding.problem.program.pool)
    }

    /// For each instance of the unfolding its procedure and the number of calls that share it.
    pub fn instances(&self) -> impl Iterator<Item = (ProcId, usize)> + '_ {
        let nodes = self.search.unfolding.dag.nodes.values();
        nodes.map(|node| (node.proc, node.parents.len()))
    }

    /// Everything that was asserted in the solver, as SMT-LIB.
    pub fn to_smtlib(&self) -> String {
        self.search.unfolding.to_smtlib()
    }
}
