//! The unfolding in the solver: instances of procedures, inlined at call sites.
//!
//! Invariants: every instance's condition is asserted in the solver; an open call site is one
//! without an instance, and its outputs are constrained by its callee's summary only. Where the
//! callee's condition is shared by several call sites it has inputs, outputs and an entry Boolean of
//! its own, and a call site is inlined there by
//!
//! ```text
//! control ⇒ entry ∧ actual ins = ins ∧ actual outs = outs        ([Dag15] Fig. 8, line 25)
//! ```
//!
//! Where it cannot be shared the call site's own values and Boolean stand in the condition.

use std::rc::Rc;
use std::time::Instant;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lariat_ir::{ProcId, StmtKind};
use lariat_passes::CallGraph;
use lariat_smt::{Ast, Context, Solver, SolverError, Template};
use lariat_term::{TermId, VarId};
use lariat_vc::{Problem, ProcVc, generate_vc, passify, straight_line_procs};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dag::{CallSiteId, Dag, InstanceId};
use crate::environment::Environment;
use crate::facts::Facts;
use crate::inlining::small_procs;
use crate::instance::InstanceTerms;
use crate::merge::{MergePolicy, Merger};
use crate::optimal::{OptimalDag, OptimalLimits};
use crate::options::SearchOptions;
use crate::outcome::EngineStats;
use crate::shape::Shape;
use crate::split::Decisions;

/// After so many calls the values of callers get names, so that terms stay shallow.
const MAX_SUBSTITUTION_DEPTH: u32 = 100;

/// The condition of an instance, as it was asserted.
pub(crate) struct Instance {
    pub proc: ProcId,
    pub clauses: Vec<Ast>,
    /// Values of the condition's variables, in the order of the template's parameters.
    arguments: Vec<Ast>,
}

/// A call site in the solver.
#[derive(Clone)]
pub(crate) struct SiteTerms {
    /// True if the execution reaches the call.
    pub control: Ast,
    /// Its negation: assumed, it blocks the call.
    pub blocked: Ast,
    pub(crate) ins: Vec<Ast>,
    pub(crate) outs: Vec<Ast>,
    /// How often values of callers have been put in place of formals on the way here.
    depth: u32,
    /// What makes it a call of its instance, if that is shared, and its callee's summary.
    pub facts: Vec<Ast>,
}

/// A verification condition and its translation.
pub(crate) struct CompiledProc {
    pub vc: ProcVc,
    shape: Rc<Shape>,
    pub(crate) template: Template,
    pub(crate) position: FxHashMap<VarId, usize>,
}

pub(crate) struct Unfolding {
    pub problem: Problem,
    pub context: Context,
    pub solver: Solver,
    pub dag: Dag,
    pub instances: PrimaryMap<InstanceId, Instance>,
    pub sites: PrimaryMap<CallSiteId, SiteTerms>,
    /// Axioms as they were asserted: those without quantifiers, with what was found to follow from the others, …
    pub ground_axioms: Vec<Ast>,
    /// … and those with quantifiers.
    pub quantified_axioms: Vec<Ast>,
    /// Whether they are known to have a model, once that was asked.
    pub axioms_have_a_model: Option<bool>,
    /// Open call sites in the order in which they came up.
    open: Vec<CallSiteId>,
    /// The call sites that were inlined, in this order; not those that were inlined with them.
    pub(crate) opened: Vec<CallSiteId>,
    pub(crate) decisions: Decisions,
    compiled: SecondaryMap<ProcId, Option<Rc<CompiledProc>>>,
    constants: FxHashSet<VarId>,
    /// Procedures that are executed in place of their calls.
    in_place: EntitySet<ProcId>,
    /// Procedures that are inlined together with their callers.
    small: EntitySet<ProcId>,
    /// Procedures that one procedure calls.
    called_by_one: EntitySet<ProcId>,
    unavoidable: bool,
    leave_summarised: bool,
    merger: Merger,
    /// Summaries as they are instantiated.
    pub(crate) summaries: SecondaryMap<ProcId, Option<Rc<Template>>>,
    /// The switch under which summaries are asserted.
    pub(crate) facts: Facts,
    pub(crate) environment: Environment,
    /// Literals that hold in all questions to the solver.
    pub(crate) assumed: Vec<Ast>,
    /// Those of them that negative answers rest on since the last restart.
    pub used: FxHashSet<Ast>,
    pub stats: EngineStats,
}

impl Unfolding {
    /// Asserts the axioms and the condition of the entry.
    ///
    /// Calls of straight-line procedures are no call sites, unless the stack has to be counted.
    pub fn new(problem: Problem, options: &SearchOptions) -> Result<Self, SolverError> {
        let count_stack = options.unfolding.stack_depth.is_some();
        let calls = Rc::new(CallGraph::new(&problem.program));
        let small = small_procs(&problem.program, &calls, options.small_size);
        let in_place = if options.in_place && !count_stack {
            straight_line_procs(&problem.program, problem.error)
        } else {
            EntitySet::new()
        };
        let mut context = Context::new()?;
        let mut solver_options = options.solver_options.clone();
        solver_options.push(("smt.random_seed".into(), options.unfolding.seed.to_string()));
        let solver = Solver::new(&mut context, &solver_options)?;
        let constants = problem.program.constants.iter().copied().collect();
        let called_by_one = called_by_one(&problem, &in_place);
        let facts = Facts::new(&mut context, problem.summaries.values().any(Option::is_some))?;
        let mut unfolding = Unfolding {
            problem,
            context,
            solver,
            dag: Dag::new(calls.clone(), count_stack),
            instances: PrimaryMap::new(),
            sites: PrimaryMap::new(),
            ground_axioms: Vec::new(),
            quantified_axioms: Vec::new(),
            axioms_have_a_model: None,
            open: Vec::new(),
            opened: Vec::new(),
            decisions: Decisions::default(),
            compiled: SecondaryMap::new(),
            constants,
            in_place,
            small,
            called_by_one,
            unavoidable: options.unavoidable,
            leave_summarised: options.leave_summarised,
            merger: Merger::new(options.merge, options.unfolding.seed, None),
            summaries: SecondaryMap::new(),
            facts,
            environment: Environment::default(),
            assumed: Vec::new(),
            used: FxHashSet::default(),
            stats: EngineStats::default(),
        };
        if options.merge == MergePolicy::Opt {
            let optimal = unfolding.optimal_dag(Dag::new(calls, count_stack), options)?;
            unfolding.merger = Merger::new(options.merge, options.unfolding.seed, optimal);
        }
        unfolding.assert_axioms()?;
        unfolding.inline_entry()?;
        Ok(unfolding)
    }

    fn optimal_dag(&mut self, dag: Dag, options: &SearchOptions) -> Result<Option<OptimalDag>, SolverError> {
        let procs: Vec<ProcId> = self.problem.program.procs.keys().collect();
        let mut shapes = SecondaryMap::<ProcId, Option<Rc<Shape>>>::new();
        for proc in procs {
            shapes[proc] = Some(self.compiled(proc)?.shape.clone());
        }
        let extra = |proc: ProcId| self.problem.program.procs[proc].extra_bound;
        Ok(OptimalDag::new(
            dag,
            self.problem.entry,
            &mut |proc| shapes[proc].clone(),
            &|proc, cost, depth| options.allows(options.max_bound, extra(proc), cost, depth),
            OptimalLimits::default(),
        ))
    }

    fn assert_axioms(&mut self) -> Result<(), SolverError> {
        let axioms: Vec<TermId> = self
            .problem
            .program
            .axioms
            .iter()
            .map(|axiom| axiom.term)
            .collect();
        for axiom in axioms {
            let pool = &self.problem.program.pool;
            let ast = self.context.term(pool, axiom)?;
            if pool.has_quantifier(&[axiom]) {
                self.quantified_axioms.push(ast);
            } else {
                self.ground_axioms.push(ast);
            }
            self.solver.assert(&mut self.context, ast)?;
        }
        Ok(())
    }

    pub fn open_sites(&self) -> &[CallSiteId] {
        &self.open
    }

    /// The condition of a procedure, generated and translated on its first use.
    pub fn compiled(&mut self, proc: ProcId) -> Result<Rc<CompiledProc>, SolverError> {
        if let Some(compiled) = &self.compiled[proc] {
            return Ok(compiled.clone());
        }
        let started = Instant::now();
        let program = &mut self.problem.program;
        let passive = passify(
            program,
            proc,
            &self.problem.interfaces,
            self.problem.error,
            &self.in_place,
        );
        let vc = generate_vc(&mut program.pool, passive, &self.constants);
        let parameters: Vec<VarId> = vc.ins.iter().chain(&vc.outs).chain(&vc.locals).copied().collect();
        let mut roots = vc.clauses.clone();
        roots.extend(vc.call_sites.iter().flat_map(|site| site.ins.iter().copied()));
        let template = Template::new(&mut self.context, &program.pool, &roots, &parameters)?;
        let position = parameters
            .iter()
            .enumerate()
            .map(|(index, &var)| (var, index))
            .collect();
        let compiled = Rc::new(CompiledProc {
            shape: Rc::new(Shape::new(&vc)),
            vc,
            template,
            position,
        });
        self.compiled[proc] = Some(compiled.clone());
        self.stats.vc_seconds += started.elapsed().as_secs_f64();
        Ok(compiled)
    }

    fn inline_entry(&mut self) -> Result<(), SolverError> {
        let entry = self.problem.entry;
        let compiled = self.compiled(entry)?;
        let mut arguments = Vec::new();
        for &var in compiled.vc.ins.iter().chain(&compiled.vc.outs) {
            // The entry's inputs stand for themselves, so that constants and inputs share names.
            arguments.push(self.context.var(&self.problem.program.pool, var)?);
        }
        let control = self.fresh(compiled.vc.entry())?;
        self.dag.add_root(entry, compiled.shape.clone());
        self.assert_instance(entry, arguments, control, 0)?;
        self.solver.assert(&mut self.context, control)
    }

    /// Inlines the callee at an open call site: at an instance that is there already, if the merging
    /// strategy finds one, or else at a new one, which is returned.
    pub fn inline(&mut self, site: CallSiteId) -> Result<Option<InstanceId>, SolverError> {
        let started = Instant::now();
        self.opened.push(site);
        let callers = self.only_callers(site);
        let shared = if callers.is_empty() {
            self.merger.pick(&mut self.dag, site)
        } else {
            None
        };
        self.stats.merge_seconds += started.elapsed().as_secs_f64();
        if let Some(instance) = shared {
            self.dag.bind(site, instance);
            self.stats.merged += 1;
            self.assert_binding(site, instance)?;
            return Ok(None);
        }
        let callee = self.dag.sites[site].callee;
        let compiled = self.compiled(callee)?;
        let instance = self.dag.add(site, compiled.shape.clone());
        self.merger.added(&self.dag, instance);
        for &other in &callers {
            if other != site {
                self.dag.bind(other, instance);
                self.stats.merged += 1;
            }
        }
        let deepest = callers
            .iter()
            .map(|&site| self.sites[site].depth)
            .max()
            .unwrap_or(0);
        let depth = if deepest > MAX_SUBSTITUTION_DEPTH {
            0
        } else {
            deepest + 1
        };
        if !callers.is_empty() {
            self.dag.keep_private(instance);
        }
        let (arguments, control) = self.formals(&compiled.vc, &callers)?;
        self.assert_instance(callee, arguments, control, depth)?;
        if callers.is_empty() {
            self.assert_binding(site, instance)?;
        }
        for site in callers {
            self.assert_binding(site, instance)?;
        }
        Ok(Some(instance))
    }

    /// The call sites that are inlined at the new instance of this one's callee and keep it to
    /// themselves: itself in a tree; or all calls of the callee in the caller's instance, if only that
    /// procedure calls it and no two of them are on one execution. (Instances of the caller that exclude
    /// each other are mostly shared themselves.) None if others may share it; `OPT` decides for itself.
    fn only_callers(&self, site: CallSiteId) -> Vec<CallSiteId> {
        match self.merger.policy() {
            MergePolicy::Tree => return vec![site],
            MergePolicy::Opt => return Vec::new(),
            _ => {}
        }
        let data = &self.dag.sites[site];
        if !self.called_by_one.contains(data.callee) {
            return Vec::new();
        }
        let caller = &self.dag.nodes[data.caller];
        let shape = caller.shape();
        let group: Vec<usize> = (0..shape.callees.len())
            .filter(|&index| shape.callees[index] == data.callee)
            .collect();
        let excluded = |&one: &usize| {
            group
                .iter()
                .all(|&other| one == other || shape.disjoint(one, other))
        };
        if group.iter().all(excluded) {
            group.into_iter().map(|index| caller.sites[index]).collect()
        } else {
            Vec::new()
        }
    }

    /// Inputs, outputs and entry Boolean of a new instance: those of its callers where they agree and
    /// no other call will share it, new ones otherwise.
    fn formals(&mut self, vc: &ProcVc, callers: &[CallSiteId]) -> Result<(Vec<Ast>, Ast), SolverError> {
        let mut formals = Vec::with_capacity(vc.ins.len() + vc.outs.len());
        let deep = callers
            .iter()
            .any(|&site| self.sites[site].depth > MAX_SUBSTITUTION_DEPTH);
        for (position, &var) in vc.ins.iter().enumerate() {
            let mut actuals = callers.iter().map(|&site| self.sites[site].ins[position]);
            let first = actuals.next().filter(|_| !deep);
            let formal = match first {
                Some(first) if actuals.all(|actual| actual == first) => first,
                _ => self.fresh(var)?,
            };
            formals.push(formal);
        }
        for (position, &var) in vc.outs.iter().enumerate() {
            let mut actuals = callers.iter().map(|&site| self.sites[site].outs[position]);
            let formal = match actuals.next() {
                Some(first) if actuals.all(|actual| actual == first) => first,
                _ => self.fresh(var)?,
            };
            formals.push(formal);
        }
        let control = match callers {
            [] => self.fresh(vc.entry())?,
            [site] => self.sites[*site].control,
            [site, ..] => {
                // If every execution of the caller takes one of them, its Boolean will do.
                let data = &self.dag.sites[*site];
                let caller = &self.dag.nodes[data.caller];
                if caller.shape().unavoidable.contains(&data.index) {
                    self.known_ast(data.caller, self.vc(data.caller).entry())?
                } else {
                    self.fresh(vc.entry())?
                }
            }
        };
        Ok((formals, control))
    }

    /// The open call sites of an instance whose callees are inlined with it: small ones, and those
    /// that no execution avoids, if that makes one instance only.
    pub fn inlined_together(&self, instance: InstanceId) -> Vec<CallSiteId> {
        let node = &self.dag.nodes[instance];
        let shape = node.shape();
        let is_tree = self.merger.policy() == MergePolicy::Tree;
        let unavoidable = |index: usize| {
            let callee = shape.callees[index];
            let alone = || shape.callees.iter().filter(|&&other| other == callee).count() == 1;
            self.unavoidable && shape.unavoidable.contains(&index) && (!is_tree || alone())
        };
        let is_together = |&(index, &site): &(usize, &CallSiteId)| {
            let site = &self.dag.sites[site];
            let is_left = self.leave_summarised && self.problem.summaries[site.callee].is_some();
            site.instance.is_none() && !is_left && (self.small.contains(site.callee) || unavoidable(index))
        };
        node.sites
            .iter()
            .enumerate()
            .filter(is_together)
            .map(|(_, &site)| site)
            .collect()
    }

    /// Forgets the inlined sites, and applies decisions to the new ones; called once after a round of inlining.
    pub fn close_inlined(&mut self) -> Result<(), SolverError> {
        let sites = &self.dag.sites;
        self.open.retain(|&site| sites[site].instance.is_none());
        self.stats.open_call_sites = self.open.len() as u64;
        self.assert_decisions()
    }

    pub(crate) fn fresh(&mut self, var: VarId) -> Result<Ast, SolverError> {
        let pool = &self.problem.program.pool;
        self.context.fresh_const(pool, pool.var_sort(var))
    }

    /// Asserts the condition of the graph's newest node.
    fn assert_instance(
        &mut self,
        proc: ProcId,
        arguments: Vec<Ast>,
        control: Ast,
        depth: u32,
    ) -> Result<(), SolverError> {
        let compiled = self.compiled(proc)?;
        let started = Instant::now();
        let InstanceTerms {
            arguments,
            clauses,
            calls,
        } = self.instance_terms(&compiled, arguments, control)?;
        for &clause in &clauses {
            self.solver.assert(&mut self.context, clause)?;
        }
        for call in calls {
            let mut terms = SiteTerms {
                blocked: self.context.not(call.control)?,
                control: call.control,
                ins: call.ins,
                outs: call.outs,
                depth,
                facts: Vec::new(),
            };
            self.assert_summary(call.callee, &mut terms)?;
            self.open.push(self.sites.push(terms));
        }
        let instance = self.instances.push(Instance {
            clauses,
            proc,
            arguments,
        });
        self.assume_in(instance)?;
        self.stats.inlined += 1;
        self.stats.vc_nodes += compiled.template.node_count() as u64;
        self.stats.inline_seconds += started.elapsed().as_secs_f64();
        Ok(())
    }

    /// `control ⇒ entry ∧ ins = ins ∧ outs = outs`.
    fn assert_binding(&mut self, site: CallSiteId, instance: InstanceId) -> Result<(), SolverError> {
        let started = Instant::now();
        let Instance { proc, arguments, .. } = &self.instances[instance];
        let compiled = match &self.compiled[*proc] {
            Some(compiled) => compiled.clone(),
            None => unreachable!("an instance has been compiled"),
        };
        let terms = &self.sites[site];
        let actuals = terms.ins.iter().chain(&terms.outs);
        let mut conclusions = Vec::new();
        let entry = arguments[compiled.position[&compiled.vc.entry()]];
        if entry != terms.control {
            conclusions.push(entry);
        }
        for (&actual, &formal) in actuals.zip(arguments) {
            if actual != formal {
                conclusions.push(self.context.eq(actual, formal)?);
            }
        }
        for conclusion in conclusions {
            let fact = self.context.implies(self.sites[site].control, conclusion)?;
            self.solver.assert(&mut self.context, fact)?;
            self.sites[site].facts.push(fact);
        }
        self.stats.inline_seconds += started.elapsed().as_secs_f64();
        Ok(())
    }

    /// The values of an instance's inputs and outputs.
    pub fn formals_of(&self, instance: InstanceId) -> &[Ast] {
        let vc = self.vc(instance);
        &self.instances[instance].arguments[..vc.ins.len() + vc.outs.len()]
    }

    /// The solver's term for a variable of an instance's condition.
    pub fn ast_of(&self, instance: InstanceId, var: VarId) -> Option<Ast> {
        let instance = &self.instances[instance];
        let compiled = self.compiled[instance.proc].as_ref()?;
        compiled
            .position
            .get(&var)
            .map(|&index| instance.arguments[index])
    }

    /// The solver's term for a term over such variables and constants; `None` if a variable is not part
    /// of the instance's condition, so that the term may have any value.
    pub fn ast_of_term(&mut self, instance: InstanceId, term: TermId) -> Result<Option<Ast>, SolverError> {
        let pool = &self.problem.program.pool;
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        for var in pool.free_vars(&[term]) {
            match self.ast_of(instance, var) {
                Some(ast) => {
                    parameters.push(var);
                    arguments.push(ast);
                }
                None if self.context.known_var(var).is_some() => {}
                None => return Ok(None),
            }
        }
        let template = Template::new(&mut self.context, pool, &[term], &parameters)?;
        let roots = template.instantiate(&mut self.context, &arguments)?;
        Ok(roots.first().copied())
    }

    /// The same for a variable that the condition must have.
    pub fn known_ast(&self, instance: InstanceId, var: VarId) -> Result<Ast, SolverError> {
        self.ast_of(instance, var)
            .ok_or_else(|| SolverError("a condition without one of its variables".into()))
    }

    /// The condition of an instance's procedure.
    pub fn vc(&self, instance: InstanceId) -> &ProcVc {
        match &self.compiled[self.instances[instance].proc] {
            Some(compiled) => &compiled.vc,
            None => unreachable!("an instance has been compiled"),
        }
    }

    /// The solver's effort so far, in its own count.
    pub(crate) fn effort(&self) -> u64 {
        self.solver.effort(&self.context) as u64
    }

    /// Everything that was asserted in the solver, as SMT-LIB.
    pub fn to_smtlib(&self) -> String {
        self.solver.to_smtlib(&self.context)
    }

    /// The graph in the language of Graphviz: instances as nodes, inlined calls as edges, open ones dashed.
    pub fn to_dot(&self) -> String {
        let name = |proc: ProcId| self.problem.program.procs[proc].name.to_string();
        self.dag.to_dot(&name)
    }

    /// A call site as the stack of unfinished calls, the entry first.
    pub fn site_text(&self, site: CallSiteId) -> String {
        let name = |&proc: &ProcId| self.problem.program.procs[proc].name.to_string();
        let names: Vec<String> = self.dag.stack(site).iter().map(name).collect();
        names.join("/")
    }
}

/// The procedures that are called by one procedure, which is not itself executed in place.
fn called_by_one(problem: &Problem, in_place: &EntitySet<ProcId>) -> EntitySet<ProcId> {
    let mut callers = SecondaryMap::<ProcId, (Option<ProcId>, bool)>::new();
    for (caller, proc) in problem.program.procs.iter() {
        for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
            if let StmtKind::Call(call) = &stmt.kind {
                let (known, several) = &mut callers[call.callee];
                *several |= in_place.contains(caller) || known.is_some_and(|known| known != caller);
                *known = Some(caller);
            }
        }
    }
    let mut by_one = EntitySet::new();
    for proc in problem.program.procs.keys() {
        if !callers[proc].1 {
            by_one.insert(proc);
        }
    }
    by_one
}
