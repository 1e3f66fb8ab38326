//! The unfolding: instances of procedures, inlined at call sites, in the solver.
//!
//! Invariants: every instance's condition is asserted in the solver; an open call site is one
//! without an instance, and its outputs are unconstrained; a tree: every instance but the root
//! has one parent, and its entry Boolean *is* the Boolean of the block that calls it.

use std::collections::hash_map::Entry;
use std::time::Instant;

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entity_impl};
use lariat_ir::{ProcId, Program, StmtKind};
use lariat_smt::{Ast, Context, Solver, SolverError, Template};
use lariat_term::{Op, TermId, VarId};
use lariat_vc::{Problem, ProcVc, generate_vc, passify, straight_line_procs};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::outcome::EngineStats;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);
entity_impl!(InstanceId, "instance");

/// A dynamic call site: a call in an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSiteId(u32);
entity_impl!(CallSiteId, "site");

/// A procedure inlined at one call site.
pub struct Instance {
    pub proc: ProcId,
    /// The call site at which it is inlined; `None` for the root.
    pub site: Option<CallSiteId>,
    /// In the order of [`ProcVc::call_sites`].
    pub call_sites: Vec<CallSiteId>,
    /// Its condition, as it was asserted.
    pub clauses: Vec<Ast>,
    /// Values of the condition's variables, in the order of the template's parameters.
    arguments: Vec<Ast>,
}

/// A dynamic call site.
pub struct SiteData {
    pub caller: InstanceId,
    /// Its position in [`ProcVc::call_sites`] of the caller.
    pub index: usize,
    pub callee: ProcId,
    /// True if the execution reaches the call.
    pub control: Ast,
    /// Its negation: assumed, it blocks the call.
    pub blocked: Ast,
    ins: Vec<Ast>,
    outs: Vec<Ast>,
    pub instance: Option<InstanceId>,
    /// Occurrences of the callee on the stack of unfinished calls, this one included.
    pub cost: u32,
    /// Length of that stack.
    pub depth: u32,
}

/// A verification condition and its translation.
pub struct CompiledProc {
    pub vc: ProcVc,
    template: Template,
    position: FxHashMap<VarId, usize>,
}

pub struct Unfolding {
    pub problem: Problem,
    pub context: Context,
    pub solver: Solver,
    pub instances: PrimaryMap<InstanceId, Instance>,
    pub sites: PrimaryMap<CallSiteId, SiteData>,
    /// Axioms as they were asserted: those without quantifiers, with what was found to follow from the others, …
    pub ground_axioms: Vec<Ast>,
    /// … and those with quantifiers.
    pub quantified_axioms: Vec<Ast>,
    /// Whether they are known to have a model, once somebody has asked.
    pub axioms_have_a_model: Option<bool>,
    /// Open call sites in the order in which they came up.
    open: Vec<CallSiteId>,
    compiled: SecondaryMap<ProcId, Option<std::rc::Rc<CompiledProc>>>,
    constants: FxHashSet<VarId>,
    /// Procedures that are executed in place of their calls.
    in_place: EntitySet<ProcId>,
    /// Procedures that are inlined together with their callers.
    small: EntitySet<ProcId>,
    pub stats: EngineStats,
}

/// The procedures whose whole tree of calls has at most `limit` statements; none that is recursive.
fn small_procs(program: &Program, limit: usize) -> EntitySet<ProcId> {
    let mut sizes: FxHashMap<ProcId, usize> = FxHashMap::default();
    for root in program.procs.keys() {
        let mut stack = vec![(root, false)];
        while let Some((proc, expanded)) = stack.pop() {
            let stmts = || program.procs[proc].blocks.values().flat_map(|block| &block.stmts);
            let callees = || {
                stmts().filter_map(|stmt| match &stmt.kind {
                    StmtKind::Call(call) => Some(call.callee),
                    _ => None,
                })
            };
            if expanded {
                let calls: usize = callees()
                    .map(|callee| sizes[&callee])
                    .fold(0, usize::saturating_add);
                sizes.insert(proc, stmts().count().saturating_add(calls));
            } else if let Entry::Vacant(entry) = sizes.entry(proc) {
                // Whoever meets itself on the way is recursive, and so is not small.
                entry.insert(usize::MAX);
                stack.push((proc, true));
                stack.extend(callees().map(|callee| (callee, false)));
            }
        }
    }
    let mut small = EntitySet::new();
    for (&proc, &size) in &sizes {
        if size <= limit {
            small.insert(proc);
        }
    }
    small
}

impl Unfolding {
    /// Asserts the axioms and the condition of the entry.
    ///
    /// Calls of straight-line procedures are no call sites, unless the stack has to be counted.
    pub fn new(
        problem: Problem,
        solver_options: &[(String, String)],
        count_stack: bool,
        small_size: usize,
    ) -> Result<Self, SolverError> {
        let small = small_procs(&problem.program, small_size);
        let in_place = if count_stack {
            EntitySet::new()
        } else {
            straight_line_procs(&problem.program)
        };
        let mut context = Context::new()?;
        let solver = Solver::new(&mut context, solver_options)?;
        let constants = problem.program.constants.iter().copied().collect();
        let mut unfolding = Unfolding {
            problem,
            context,
            solver,
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
            stats: EngineStats::default(),
        };
        let axioms: Vec<TermId> = unfolding
            .problem
            .program
            .axioms
            .iter()
            .map(|axiom| axiom.term)
            .collect();
        for axiom in axioms {
            let ast = unfolding.context.term(&unfolding.problem.program.pool, axiom)?;
            let mut quantified = false;
            let pool = &unfolding.problem.program.pool;
            pool.visit_subterms(&[axiom], |term| {
                quantified |= matches!(pool.op(term), Op::Quantifier(_))
            });
            if quantified {
                unfolding.quantified_axioms.push(ast);
            } else {
                unfolding.ground_axioms.push(ast);
            }
            unfolding.solver.assert(&mut unfolding.context, ast)?;
        }
        unfolding.inline_entry()?;
        Ok(unfolding)
    }

    pub fn open_sites(&self) -> &[CallSiteId] {
        &self.open
    }

    /// The condition of a procedure, generated and translated on its first use.
    pub fn compiled(&mut self, proc: ProcId) -> Result<std::rc::Rc<CompiledProc>, SolverError> {
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
        let compiled = std::rc::Rc::new(CompiledProc {
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
        self.add_instance(entry, None, arguments, control)?;
        self.solver.assert(&mut self.context, control)
    }

    /// Inlines the callee at an open call site.
    pub fn inline(&mut self, site: CallSiteId) -> Result<InstanceId, SolverError> {
        debug_assert!(self.sites[site].instance.is_none());
        let data = &self.sites[site];
        let (callee, control) = (data.callee, data.control);
        let arguments: Vec<Ast> = data.ins.iter().chain(&data.outs).copied().collect();
        let instance = self.add_instance(callee, Some(site), arguments, control)?;
        self.sites[site].instance = Some(instance);
        Ok(instance)
    }

    /// Inlines the callee and then, for as long as there are any, callees in it that are small.
    pub fn inline_with_small_callees(&mut self, site: CallSiteId) -> Result<(), SolverError> {
        let mut work = vec![site];
        while let Some(site) = work.pop() {
            let instance = self.inline(site)?;
            let sites = &self.sites;
            let small = &self.small;
            work.extend(
                self.instances[instance]
                    .call_sites
                    .iter()
                    .filter(|&&site| small.contains(sites[site].callee)),
            );
        }
        Ok(())
    }

    /// Forgets the inlined sites; called once after a round of inlining.
    pub fn close_inlined(&mut self) {
        let sites = &self.sites;
        self.open.retain(|&site| sites[site].instance.is_none());
        self.stats.open_call_sites = self.open.len() as u64;
    }

    fn fresh(&mut self, var: VarId) -> Result<Ast, SolverError> {
        let pool = &self.problem.program.pool;
        self.context.fresh_const(pool, pool.var_sort(var))
    }

    fn add_instance(
        &mut self,
        proc: ProcId,
        site: Option<CallSiteId>,
        mut arguments: Vec<Ast>,
        control: Ast,
    ) -> Result<InstanceId, SolverError> {
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
        let (clauses, ins) = roots.split_at(compiled.vc.clauses.len());
        for &clause in clauses {
            self.solver.assert(&mut self.context, clause)?;
        }
        let id = self.instances.next_key();
        let mut ins = ins;
        let mut call_sites = Vec::with_capacity(compiled.vc.call_sites.len());
        for (index, site_vc) in compiled.vc.call_sites.iter().enumerate() {
            let (own, rest) = ins.split_at(site_vc.ins.len());
            ins = rest;
            let (cost, depth) = self.cost(site, proc, site_vc.callee);
            let control = arguments[compiled.position[&site_vc.control]];
            let new = self.sites.push(SiteData {
                caller: id,
                index,
                callee: site_vc.callee,
                control,
                blocked: self.context.not(control)?,
                ins: own.to_vec(),
                outs: site_vc
                    .outs
                    .iter()
                    .map(|out| arguments[compiled.position[out]])
                    .collect(),
                instance: None,
                cost,
                depth,
            });
            call_sites.push(new);
            self.open.push(new);
        }
        self.instances.push(Instance {
            clauses: clauses.to_vec(),
            proc,
            site,
            call_sites,
            arguments,
        });
        self.stats.inlined += 1;
        self.stats.vc_nodes += compiled.template.node_count() as u64;
        self.stats.inline_seconds += started.elapsed().as_secs_f64();
        Ok(id)
    }

    /// Occurrences of `callee` on the stack that ends in a call of it from an instance of `caller`
    /// at `site`, and the length of that stack.
    fn cost(&self, site: Option<CallSiteId>, caller: ProcId, callee: ProcId) -> (u32, u32) {
        let mut cost = 1 + u32::from(caller == callee);
        let mut depth = 2;
        let mut current = site;
        while let Some(site) = current {
            let caller = &self.instances[self.sites[site].caller];
            cost += u32::from(caller.proc == callee);
            depth += 1;
            current = caller.site;
        }
        (cost, depth)
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
        let procs = &self.problem.program.procs;
        let mut names = vec![procs[self.sites[site].callee].name.to_string()];
        let mut current = Some(site);
        while let Some(site) = current {
            let caller = &self.instances[self.sites[site].caller];
            names.push(procs[caller.proc].name.to_string());
            current = caller.site;
        }
        names.reverse();
        names.join("/")
    }

    pub fn root() -> InstanceId {
        InstanceId::new(0)
    }
}
