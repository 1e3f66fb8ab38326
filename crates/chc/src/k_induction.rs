//! k-induction for programs whose only recursion is loops.
//!
//! A loop `L` is a procedure that calls itself in tail position only: what the last activation returns, all
//! of them return, the error flag included. So an execution that returns from a call of `L` after
//! `n` activations depends on the last ones only. For a given `k` the condition of the
//! entry is taken with every other call inlined and every call `L(args)` from outside replaced by a chain of
//! `k + 1` activations with a Boolean `far` of its own:
//!
//! ```text
//! base  ¬far ⇒ the first activation of the chain starts with args
//! step   far ⇒ the first k activations of the chain each go on to the next
//! both         the last activation of the chain does not go on
//! ```
//!
//! Under `far` the chain starts anywhere, except that inputs which every round passes on are those of `args`.
//!
//! **Soundness.** Take an execution in which the entry returns. For each call of a loop in it with
//! `n ≤ k + 1` activations set `far` to false: the chain holds all of them. For each with `n > k + 1` set it to true:
//! the chain holds the last `k + 1`, of which the first `k` went on. Where activations contain calls of other
//! loops the same is done there. All of this satisfies the condition. So if the condition has no model (base and
//! step are one query, over all ways to mix them for different calls), the entry cannot return. Only
//! `unsat` counts, and axioms with quantifiers are left out, which only adds models.
//!
//! The condition has `(k + 1)^d` copies of a loop that is nested `d` deep; too many are declined.

use std::rc::Rc;

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::Budget;
use lariat_ir::ProcId;
use lariat_passes::CallGraph;
use lariat_smt::{CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{Substitution, TermId, VarId};
use lariat_vc::{Problem, ProcVc, generate_vc, passify, straight_line_procs};
use rustc_hash::FxHashSet;

use crate::loosen::has_quantifier;
use crate::tail_calls::is_tail_call;

#[derive(Clone, Debug)]
pub struct KInductionOptions {
    pub most_k: u32,
    /// Copies of procedures in one condition.
    pub most_instances: usize,
    /// The solver's effort for each `k`.
    pub effort: u32,
    pub solver_options: Vec<(String, String)>,
}

impl Default for KInductionOptions {
    fn default() -> Self {
        KInductionOptions {
            most_k: 3,
            most_instances: 2_000,
            effort: u32::MAX,
            solver_options: Vec::new(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KInductionOutcome {
    /// The entry cannot return.
    Proved { k: u32 },
    /// No `k` within the limits does it, or the solver has no answer.
    Unknown(String),
    /// The problem is none for this method.
    Declined(String),
}

/// Tries `k = 0, 1, …` in turn.
pub fn prove_by_k_induction(
    problem: &Problem,
    options: &KInductionOptions,
    budget: &Budget,
) -> KInductionOutcome {
    let mut reason = String::from("no k was asked for");
    for k in 0..=options.most_k {
        match one_step(problem.clone(), k, options, budget) {
            Ok(InductionStep::Proved) => return KInductionOutcome::Proved { k },
            Ok(InductionStep::Declined(why)) if k == 0 => return KInductionOutcome::Declined(why),
            Ok(InductionStep::Declined(why) | InductionStep::Unknown(why)) => {
                return KInductionOutcome::Unknown(why);
            }
            Ok(InductionStep::NotInductive) => reason = format!("not inductive up to k = {k}"),
            Err(error) => return KInductionOutcome::Unknown(error.to_string()),
        }
    }
    KInductionOutcome::Unknown(reason)
}

enum InductionStep {
    Proved,
    NotInductive,
    Unknown(String),
    Declined(String),
}

fn one_step(
    problem: Problem,
    k: u32,
    options: &KInductionOptions,
    budget: &Budget,
) -> Result<InductionStep, SolverError> {
    let mut unfolding = Chains {
        graph: CallGraph::new(&problem.program),
        in_place: straight_line_procs(&problem.program, problem.error),
        constants: problem.program.constants.iter().copied().collect(),
        conditions: SecondaryMap::new(),
        formulas: Vec::new(),
        work: Vec::new(),
        problem,
        k,
    };
    if let Err(why) = unfolding.unfold(options, budget) {
        return Ok(why);
    }
    let program = &unfolding.problem.program;
    let axioms = program.axioms.iter().map(|axiom| axiom.term);
    let axioms = axioms.filter(|&axiom| !has_quantifier(&program.pool, axiom));
    let mut context = Context::new()?;
    let _watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
    let mut solver = Solver::new(&mut context, &options.solver_options)?;
    for formula in axioms.chain(unfolding.formulas.iter().copied()) {
        let formula = context.term(&program.pool, formula)?;
        solver.assert(&mut context, formula)?;
    }
    if let Err(exhausted) = budget.check_memory() {
        return Ok(InductionStep::Unknown(exhausted.to_string()));
    }
    Ok(match solver.check_within(&mut context, &[], options.effort)? {
        CheckResult::Unsat => InductionStep::Proved,
        CheckResult::Sat => InductionStep::NotInductive,
        CheckResult::Unknown(reason) => InductionStep::Unknown(match budget.check_memory() {
            Err(exhausted) => exhausted.to_string(),
            Ok(()) => reason,
        }),
    })
}

/// A procedure's condition, and which of its calls are those of a loop by itself.
struct Condition {
    vc: ProcVc,
    self_calls: Vec<usize>,
    /// For each input whether every round passes it on as it is.
    stable: Vec<bool>,
}

/// An activation that is still to be added.
struct Instance {
    proc: ProcId,
    control: TermId,
    ins: Vec<TermId>,
    outs: Vec<TermId>,
    /// Its place in its chain.
    link: Option<Link>,
}

#[derive(Clone, Copy)]
struct Link {
    /// How many activations of the chain are before it.
    index: u32,
    far: TermId,
}

struct Chains {
    problem: Problem,
    graph: CallGraph,
    in_place: EntitySet<ProcId>,
    constants: FxHashSet<VarId>,
    conditions: SecondaryMap<ProcId, Option<Rc<Condition>>>,
    formulas: Vec<TermId>,
    work: Vec<Instance>,
    k: u32,
}

impl Chains {
    /// Writes the whole condition into `formulas`.
    fn unfold(&mut self, options: &KInductionOptions, budget: &Budget) -> Result<(), InductionStep> {
        let entry = self.problem.entry;
        let condition = self.condition(entry)?;
        if !condition.self_calls.is_empty() {
            return Err(InductionStep::Declined("the entry is recursive".into()));
        }
        let pool = &mut self.problem.program.pool;
        let control = pool.bool(true);
        let ins = condition.vc.ins.iter().map(|&var| pool.var(var)).collect();
        let outs = condition.vc.outs.iter().map(|&var| pool.var(var)).collect();
        self.work.push(Instance {
            proc: entry,
            control,
            ins,
            outs,
            link: None,
        });
        let mut instances = 0;
        while let Some(instance) = self.work.pop() {
            instances += 1;
            if instances > options.most_instances {
                return Err(InductionStep::Declined(format!(
                    "more than {} activations for k = {}",
                    options.most_instances, self.k
                )));
            }
            if let Err(exhausted) = budget.check_memory() {
                return Err(InductionStep::Unknown(exhausted.to_string()));
            }
            self.add(instance)?;
        }
        Ok(())
    }

    fn condition(&mut self, proc: ProcId) -> Result<Rc<Condition>, InductionStep> {
        if let Some(condition) = &self.conditions[proc] {
            return Ok(condition.clone());
        }
        let name = &self.problem.program.procs[proc].name;
        if self.graph.component(proc).len() > 1 {
            return Err(InductionStep::Declined(format!(
                "{name} is recursive with others"
            )));
        }
        let name = name.clone();
        let problem = &mut self.problem;
        let passive = passify(
            &mut problem.program,
            proc,
            &problem.interfaces,
            problem.error,
            &self.in_place,
        );
        let pool = &mut problem.program.pool;
        let sites = passive.call_sites.iter().enumerate();
        let self_calls: Vec<usize> = sites
            .filter(|(_, site)| site.callee == proc)
            .map(|(index, _)| index)
            .collect();
        if !self_calls.iter().all(|&site| is_tail_call(pool, &passive, site)) {
            return Err(InductionStep::Declined(format!(
                "{name} is recursive and no loop"
            )));
        }
        let stable = passive.ins.iter().enumerate().map(|(position, &var)| {
            let mut sites = self_calls.iter().map(|&site| &passive.call_sites[site]);
            sites.all(|site| pool.as_var(site.ins[position]) == Some(var))
        });
        let stable = stable.collect();
        let condition = Rc::new(Condition {
            vc: generate_vc(pool, passive, &self.constants),
            self_calls,
            stable,
        });
        self.conditions[proc] = Some(condition.clone());
        Ok(condition)
    }

    /// Adds the condition of one activation and notes those that it calls.
    fn add(&mut self, instance: Instance) -> Result<(), InductionStep> {
        let condition = self.condition(instance.proc)?;
        let vc = &condition.vc;
        let pool = &mut self.problem.program.pool;
        let mut own = Substitution::new();
        for &local in &vc.locals {
            let data = pool.var_data(local).clone();
            let fresh = pool.declare_var(data.name, data.sort);
            own.insert(local, pool.var(fresh));
        }
        own.insert(vc.entry(), instance.control);
        let parameters = vc.ins.iter().chain(&vc.outs);
        for (&var, &value) in parameters.zip(instance.ins.iter().chain(&instance.outs)) {
            own.insert(var, value);
        }
        for &clause in &vc.clauses {
            let clause = own.apply(pool, clause);
            self.formulas.push(clause);
        }
        self.add_known_facts(&instance);
        let pool = &mut self.problem.program.pool;
        let mut calls = Vec::with_capacity(vc.call_sites.len());
        for site in &vc.call_sites {
            let control = pool.var(site.control);
            let control = own.apply(pool, control);
            let ins: Vec<TermId> = site.ins.iter().map(|&term| own.apply(pool, term)).collect();
            let mut outs = Vec::with_capacity(site.outs.len());
            for &out in &site.outs {
                let out = pool.var(out);
                outs.push(own.apply(pool, out));
            }
            calls.push((site.callee, control, ins, outs));
        }
        for (index, (callee, control, ins, outs)) in calls.iter().cloned().enumerate() {
            if condition.self_calls.contains(&index) {
                continue;
            }
            let callee_condition = self.condition(callee)?;
            if callee_condition.self_calls.is_empty() {
                self.work.push(Instance {
                    proc: callee,
                    control,
                    ins,
                    outs,
                    link: None,
                });
            } else {
                self.start_chain(callee, &callee_condition, control, ins, outs);
            }
        }
        if let Some(link) = instance.link {
            let pool = &mut self.problem.program.pool;
            let self_calls = condition
                .self_calls
                .iter()
                .map(|&site| vc.call_sites[site].control);
            let self_calls: FxHashSet<VarId> = self_calls.collect();
            let returns = vc.blocks.values().filter(|block| block.successors.is_empty());
            let mut ends = Vec::new();
            for block in returns.filter(|block| !self_calls.contains(&block.control)) {
                let end = pool.var(block.control);
                ends.push(own.apply(pool, end));
            }
            let next = condition.self_calls.iter().map(|&site| &calls[site]);
            let next: Vec<(TermId, Vec<TermId>)> =
                next.map(|(_, control, ins, _)| (*control, ins.clone())).collect();
            self.continue_chain(&condition, &instance, link, &ends, &next);
        }
        Ok(())
    }

    /// What is known of every call of the procedure that returns.
    fn add_known_facts(&mut self, instance: &Instance) {
        let Some(summary) = &self.problem.summaries[instance.proc] else {
            return;
        };
        let pool = &mut self.problem.program.pool;
        let vars = summary.ins.iter().chain(&summary.outs).copied();
        let values = instance.ins.iter().chain(&instance.outs).copied();
        let mut own: Substitution = vars.zip(values).collect();
        for &fact in &summary.facts {
            let fact = own.apply(pool, fact);
            self.formulas.push(pool.implies(instance.control, fact));
        }
    }

    /// The first activation of a chain: with the arguments of the call, or anywhere.
    fn start_chain(
        &mut self,
        callee: ProcId,
        condition: &Condition,
        control: TermId,
        args: Vec<TermId>,
        outs: Vec<TermId>,
    ) {
        let pool = &mut self.problem.program.pool;
        let bool_sort = pool.bool_sort();
        let far = pool.declare_var("far", bool_sort);
        let far = pool.var(far);
        let mut ins = Vec::with_capacity(args.len());
        for ((&var, &stable), arg) in condition.vc.ins.iter().zip(&condition.stable).zip(args) {
            if stable {
                ins.push(arg);
                continue;
            }
            let data = pool.var_data(var).clone();
            let start = pool.declare_var(data.name, data.sort);
            let start = pool.var(start);
            let near = pool.eq(start, arg);
            let either = pool.or(&[far, near]);
            self.formulas.push(pool.implies(control, either));
            ins.push(start);
        }
        self.work.push(Instance {
            proc: callee,
            control,
            ins,
            outs,
            link: Some(Link { index: 0, far }),
        });
    }

    /// What an activation's calls of itself lead to: the next activation, one for all of them, as an
    /// execution makes only one; nothing after the last. An activation that must go on does not end in a block
    /// of `ends`: the calls of itself are the only other ends of its paths.
    fn continue_chain(
        &mut self,
        condition: &Condition,
        instance: &Instance,
        link: Link,
        ends: &[TermId],
        next: &[(TermId, Vec<TermId>)],
    ) {
        let pool = &mut self.problem.program.pool;
        let controls: Vec<TermId> = next.iter().map(|&(control, _)| control).collect();
        let goes_on = pool.or(&controls);
        if link.index == self.k {
            self.formulas.push(pool.not(goes_on));
            return;
        }
        let forced = pool.and(&[instance.control, link.far]);
        let ends_otherwise = pool.or(ends);
        let stays = pool.not(ends_otherwise);
        let goes_on_only = pool.and(&[goes_on, stays]);
        self.formulas.push(pool.implies(forced, goes_on_only));
        let mut ins = Vec::with_capacity(instance.ins.len());
        for (position, &var) in condition.vc.ins.iter().enumerate() {
            if condition.stable[position] {
                ins.push(instance.ins[position]);
                continue;
            }
            let data = pool.var_data(var).clone();
            let value = pool.declare_var(data.name, data.sort);
            let value = pool.var(value);
            for (control, args) in next {
                let passed = pool.eq(value, args[position]);
                self.formulas.push(pool.implies(*control, passed));
            }
            ins.push(value);
        }
        self.work.push(Instance {
            proc: instance.proc,
            control: goes_on,
            ins,
            outs: instance.outs.clone(),
            link: Some(Link {
                index: link.index + 1,
                ..link
            }),
        });
    }
}
