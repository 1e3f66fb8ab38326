//! The unfolding in the solver: instances of procedures, inlined at call sites.
//!
//! Invariants: every instance's condition is asserted in the solver; an open call site is one
//! without an instance, and its outputs are constrained by its callee's summary only. Where the
//! callee's condition is shared by several call sites it has inputs, outputs and an entry Boolean of
//! its own, and a call site is inlined there by
//!
//! ```text
//! control ⇒ entry ∧ actual ins = ins ∧ actual outs = outs        (seed 001 Fig. 8, line 25)
//! ```
//!
//! Where it cannot be shared the call site's own values and Boolean stand in the condition.

use std::rc::Rc;
use std::time::Instant;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use lariat_ir::{ProcId, StmtKind};
use lariat_passes::CallGraph;
use lariat_smt::{Ast, Context, Solver, SolverError, Template};
use lariat_term::{Op, TermId, VarId};
use lariat_vc::{Problem, ProcVc, generate_vc, passify, straight_line_procs};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dag::{CallSiteId, Dag, InstanceId};
use crate::inlining::small_procs;
use crate::merge::{MergePolicy, Merger};
use crate::optimal::{OptimalDag, OptimalLimits};
use crate::options::SearchOptions;
use crate::outcome::EngineStats;
use crate::shape::Shape;

/// The condition of an instance, as it was asserted.
pub struct Instance {
    pub proc: ProcId,
    pub clauses: Vec<Ast>,
    /// Values of the condition's variables, in the order of the template's parameters.
    arguments: Vec<Ast>,
}

/// A call site in the solver.
pub struct SiteTerms {
    /// True if the execution reaches the call.
    pub control: Ast,
    /// Its negation: assumed, it blocks the call.
    pub blocked: Ast,
    ins: Vec<Ast>,
    outs: Vec<Ast>,
    /// What makes it a call of its instance, if that is shared, and its callee's summary.
    pub facts: Vec<Ast>,
}

/// A verification condition and its translation.
pub struct CompiledProc {
    pub vc: ProcVc,
    shape: Rc<Shape>,
    template: Template,
    position: FxHashMap<VarId, usize>,
}

pub struct Unfolding {
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
    /// Whether they are known to have a model, once somebody has asked.
    pub axioms_have_a_model: Option<bool>,
    /// Open call sites in the order in which they came up.
    open: Vec<CallSiteId>,
    compiled: SecondaryMap<ProcId, Option<Rc<CompiledProc>>>,
    constants: FxHashSet<VarId>,
    /// Procedures that are executed in place of their calls.
    in_place: EntitySet<ProcId>,
    /// Procedures that are inlined together with their callers.
    small: EntitySet<ProcId>,
    /// Procedures that are called in one place only: nothing can share them but through their caller.
    called_once: EntitySet<ProcId>,
    merger: Merger,
    summaries: SecondaryMap<ProcId, Option<Rc<Template>>>,
    pub stats: EngineStats,
}

impl Unfolding {
    /// Asserts the axioms and the condition of the entry.
    ///
    /// Calls of straight-line procedures are no call sites, unless the stack has to be counted.
    pub fn new(problem: Problem, options: &SearchOptions) -> Result<Self, SolverError> {
        let count_stack = options.stack_depth.is_some();
        let calls = Rc::new(CallGraph::new(&problem.program));
        let small = small_procs(&problem.program, &calls, options.small_size);
        let in_place = if count_stack {
            EntitySet::new()
        } else {
            straight_line_procs(&problem.program)
        };
        let mut context = Context::new()?;
        let mut solver_options = options.solver_options.clone();
        solver_options.push(("smt.random_seed".into(), options.seed.to_string()));
        let solver = Solver::new(&mut context, &solver_options)?;
        let constants = problem.program.constants.iter().copied().collect();
        let called_once = called_once(&problem, &in_place);
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
            compiled: SecondaryMap::new(),
            constants,
            in_place,
            small,
            called_once,
            merger: Merger::new(options.merge, options.seed, None),
            summaries: SecondaryMap::new(),
            stats: EngineStats::default(),
        };
        if options.merge == MergePolicy::Opt {
            let optimal = unfolding.optimal_dag(Dag::new(calls, count_stack), options)?;
            unfolding.merger = Merger::new(options.merge, options.seed, optimal);
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
            let mut quantified = false;
            pool.visit_subterms(&[axiom], |term| {
                quantified |= matches!(pool.op(term), Op::Quantifier(_))
            });
            if quantified {
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
        self.assert_instance(entry, arguments, control)?;
        self.solver.assert(&mut self.context, control)
    }

    /// Inlines the callee at an open call site: at an instance that is there already, if the merging
    /// strategy finds one, or else at a new one, which is returned.
    pub fn inline(&mut self, site: CallSiteId) -> Result<Option<InstanceId>, SolverError> {
        let started = Instant::now();
        let shared = self.merger.pick(&mut self.dag, site);
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
        if self.merger.policy() == MergePolicy::Tree || self.called_once.contains(callee) {
            let terms = &self.sites[site];
            let arguments: Vec<Ast> = terms.ins.iter().chain(&terms.outs).copied().collect();
            self.assert_instance(callee, arguments, terms.control)?;
        } else {
            let mut arguments = Vec::with_capacity(compiled.vc.ins.len() + compiled.vc.outs.len());
            for &var in compiled.vc.ins.iter().chain(&compiled.vc.outs) {
                arguments.push(self.fresh(var)?);
            }
            let control = self.fresh(compiled.vc.entry())?;
            self.assert_instance(callee, arguments, control)?;
            self.assert_binding(site, instance)?;
        }
        Ok(Some(instance))
    }

    /// Inlines the callee and then, for as long as there are any, callees in it that are small.
    pub fn inline_with_small_callees(&mut self, site: CallSiteId) -> Result<(), SolverError> {
        let mut work = vec![site];
        while let Some(site) = work.pop() {
            if let Some(instance) = self.inline(site)? {
                let sites = &self.dag.sites;
                let is_small = |&&site: &&CallSiteId| self.small.contains(sites[site].callee);
                work.extend(self.dag.nodes[instance].sites.iter().filter(is_small));
            }
        }
        Ok(())
    }

    /// Forgets the inlined sites; called once after a round of inlining.
    pub fn close_inlined(&mut self) {
        let sites = &self.dag.sites;
        self.open.retain(|&site| sites[site].instance.is_none());
        self.stats.open_call_sites = self.open.len() as u64;
    }

    fn fresh(&mut self, var: VarId) -> Result<Ast, SolverError> {
        let pool = &self.problem.program.pool;
        self.context.fresh_const(pool, pool.var_sort(var))
    }

    /// Asserts the condition of the graph's newest node.
    fn assert_instance(
        &mut self,
        proc: ProcId,
        mut arguments: Vec<Ast>,
        control: Ast,
    ) -> Result<(), SolverError> {
        let compiled = self.compiled(proc)?;
        let started = Instant::now();
        let entry = compiled.vc.entry();
        for &local in &compiled.vc.locals {
            let ast = if local == entry {
                control
            } else {
                self.fresh(local)?
            };
            arguments.push(ast);
        }
        let roots = compiled.template.instantiate(&mut self.context, &arguments)?;
        let (clauses, mut ins) = roots.split_at(compiled.vc.clauses.len());
        for &clause in clauses {
            self.solver.assert(&mut self.context, clause)?;
        }
        for site_vc in &compiled.vc.call_sites {
            let (own, rest) = ins.split_at(site_vc.ins.len());
            ins = rest;
            let control = arguments[compiled.position[&site_vc.control]];
            let mut terms = SiteTerms {
                control,
                blocked: self.context.not(control)?,
                ins: own.to_vec(),
                outs: site_vc
                    .outs
                    .iter()
                    .map(|out| arguments[compiled.position[out]])
                    .collect(),
                facts: Vec::new(),
            };
            self.assert_summary(site_vc.callee, &mut terms)?;
            self.open.push(self.sites.push(terms));
        }
        self.instances.push(Instance {
            clauses: clauses.to_vec(),
            proc,
            arguments,
        });
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
        let mut conclusions = vec![arguments[compiled.position[&compiled.vc.entry()]]];
        for (&actual, &formal) in actuals.zip(arguments) {
            conclusions.push(self.context.eq(actual, formal)?);
        }
        for conclusion in conclusions {
            let fact = self.context.implies(self.sites[site].control, conclusion)?;
            self.solver.assert(&mut self.context, fact)?;
            self.sites[site].facts.push(fact);
        }
        self.stats.inline_seconds += started.elapsed().as_secs_f64();
        Ok(())
    }

    /// `control ⇒ summary`, for a call site that is about to be open.
    fn assert_summary(&mut self, callee: ProcId, terms: &mut SiteTerms) -> Result<(), SolverError> {
        let Some(summary) = &self.problem.summaries[callee] else {
            return Ok(());
        };
        if self.summaries[callee].is_none() {
            let parameters: Vec<VarId> = summary.ins.iter().chain(&summary.outs).copied().collect();
            let pool = &self.problem.program.pool;
            let template = Template::new(&mut self.context, pool, &summary.facts, &parameters)?;
            self.summaries[callee] = Some(Rc::new(template));
        }
        let Some(template) = self.summaries[callee].clone() else {
            return Ok(());
        };
        let arguments: Vec<Ast> = terms.ins.iter().chain(&terms.outs).copied().collect();
        for fact in template.instantiate(&mut self.context, &arguments)? {
            let guarded = self.context.implies(terms.control, fact)?;
            self.solver.assert(&mut self.context, guarded)?;
            terms.facts.push(guarded);
        }
        Ok(())
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

    /// Everything that the solver was told, as SMT-LIB.
    pub fn to_smtlib(&self) -> String {
        self.solver.to_smtlib(&self.context)
    }

    /// A call site as the stack of unfinished calls, the entry first.
    pub fn site_text(&self, site: CallSiteId) -> String {
        let name = |&proc: &ProcId| self.problem.program.procs[proc].name.to_string();
        let names: Vec<String> = self.dag.stack(site).iter().map(name).collect();
        names.join("/")
    }
}

/// The procedures with one call site, in a procedure that is not itself executed in place.
fn called_once(problem: &Problem, in_place: &EntitySet<ProcId>) -> EntitySet<ProcId> {
    let mut counts = SecondaryMap::<ProcId, usize>::new();
    for (caller, proc) in problem.program.procs.iter() {
        for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
            if let StmtKind::Call(call) = &stmt.kind {
                counts[call.callee] += if in_place.contains(caller) { 2 } else { 1 };
            }
        }
    }
    let mut once = EntitySet::new();
    for proc in problem.program.procs.keys() {
        if counts[proc] <= 1 {
            once.insert(proc);
        }
    }
    once
}
