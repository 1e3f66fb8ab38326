//! Are these summaries inductive? The last word before anything is called proved.
//!
//! A procedure's summary follows from its body if the body's condition, with each call over-approximated
//! by the summary of its callee, implies it. If that holds for every procedure, every summary holds for
//! every terminating call, by induction on the length of the execution: the calls in it are shorter.
//!
//! Invariants: one solver for each procedure, with the axioms and nothing else; a procedure without a
//! summary may do anything; only `unsat` counts as a yes; a summary that is not over its own variables
//! and the program's constants is not looked at and gives [`Inductive::Unknown`].

use cranelift_entity::SecondaryMap;
use lariat_base::Budget;
use lariat_ir::ProcId;
use lariat_smt::{Ast, CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{TermId, VarId};
use lariat_vc::{Problem, ProcVc, Summary};
use rustc_hash::FxHashSet;

use crate::condition::{ConditionMaker, at_body, at_call_site};

/// The answer of [`check_inductive`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inductive {
    Yes,
    /// A fact of the procedure's summary (by its position) does not follow, or, if it is `None`, the entry
    /// may return. Where there are quantifiers the solver cannot tell this from [`Inductive::Unknown`].
    No {
        proc: ProcId,
        fact: Option<usize>,
    },
    Unknown {
        proc: Option<ProcId>,
        reason: String,
    },
}

/// Checks every summary against the body of its procedure and, with `goal`, that the entry cannot return
/// if calls do no more than their summaries say.
pub fn check_inductive(
    problem: &Problem,
    summaries: &SecondaryMap<ProcId, Option<Summary>>,
    goal: bool,
    solver_options: &[(String, String)],
    budget: &Budget,
) -> Result<Inductive, SolverError> {
    check_inductive_within(problem, summaries, goal, solver_options, u64::MAX, budget)
}

/// Like [`check_inductive`], but gives up after this much effort of the solver, in its own count.
pub fn check_inductive_within(
    problem: &Problem,
    summaries: &SecondaryMap<ProcId, Option<Summary>>,
    goal: bool,
    solver_options: &[(String, String)],
    effort: u64,
    budget: &Budget,
) -> Result<Inductive, SolverError> {
    for proc in problem.program.procs.keys() {
        if let Some(summary) = &summaries[proc]
            && let Some(reason) = malformed(problem, proc, summary)
        {
            return Ok(unknown(proc, reason));
        }
    }
    let mut checker = Checker::new(problem.clone(), summaries, solver_options, effort, budget)?;
    for proc in problem.program.procs.keys() {
        let facts = summaries[proc].as_ref().map_or(0, |summary| summary.facts.len());
        let is_goal = goal && proc == problem.entry;
        if facts == 0 && !is_goal {
            continue;
        }
        if let Err(exhausted) = budget.check_memory() {
            return Ok(unknown(proc, exhausted.to_string()));
        }
        match checker.procedure(proc, is_goal) {
            Ok(Inductive::Yes) => {}
            // The interruption makes Z3 refuse everything, not only checks.
            Err(error) => match budget.check_memory() {
                Ok(()) => return Err(error),
                Err(exhausted) => return Ok(unknown(proc, exhausted.to_string())),
            },
            other => return other,
        }
    }
    Ok(Inductive::Yes)
}

/// What keeps a summary from being one, if anything.
fn malformed(problem: &Problem, proc: ProcId, summary: &Summary) -> Option<String> {
    let pool = &problem.program.pool;
    let fits = |own: &[VarId], vars: Vec<VarId>| {
        own.len() == vars.len()
            && own
                .iter()
                .zip(&vars)
                .all(|(&a, &b)| pool.var_sort(a) == pool.var_sort(b))
    };
    if !fits(&summary.ins, problem.ins(proc).collect()) || !fits(&summary.outs, problem.outs(proc).collect())
    {
        return Some("a summary does not fit its procedure".into());
    }
    let mut known: FxHashSet<VarId> = FxHashSet::default();
    if !summary
        .ins
        .iter()
        .chain(&summary.outs)
        .all(|&var| known.insert(var))
    {
        return Some("a summary uses one variable twice".into());
    }
    known.extend(&problem.program.constants);
    let free = pool.free_vars(&summary.facts);
    (!free.iter().all(|var| known.contains(var)))
        .then(|| "a summary mentions a variable that is not its own".into())
}

struct Checker<'a> {
    problem: Problem,
    summaries: &'a SecondaryMap<ProcId, Option<Summary>>,
    solver_options: &'a [(String, String)],
    conditions: ConditionMaker,
    axioms: Vec<Ast>,
    context: Context,
    /// How much effort the solvers may take together.
    effort: u64,
    budget: &'a Budget,
    _watchdog: Watchdog,
}

impl<'a> Checker<'a> {
    fn new(
        problem: Problem,
        summaries: &'a SecondaryMap<ProcId, Option<Summary>>,
        solver_options: &'a [(String, String)],
        effort: u64,
        budget: &'a Budget,
    ) -> Result<Self, SolverError> {
        let mut context = Context::new()?;
        let axioms = problem
            .program
            .axioms
            .iter()
            .map(|axiom| context.term(&problem.program.pool, axiom.term))
            .collect::<Result<Vec<Ast>, SolverError>>()?;
        let watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        Ok(Checker {
            conditions: ConditionMaker::new(&problem),
            problem,
            summaries,
            solver_options,
            axioms,
            context,
            effort,
            budget,
            _watchdog: watchdog,
        })
    }

    fn procedure(&mut self, proc: ProcId, is_goal: bool) -> Result<Inductive, SolverError> {
        let vc = self.conditions.condition(&mut self.problem, proc);
        let mut solver = self.body(&vc)?;
        if is_goal {
            match self.ask(&mut solver, &[])? {
                CheckResult::Unsat => {}
                CheckResult::Sat => return Ok(Inductive::No { proc, fact: None }),
                CheckResult::Unknown(reason) => return Ok(unknown(proc, reason)),
            }
        }
        let facts = self.own_facts(&vc)?;
        if facts.is_empty() {
            return Ok(Inductive::Yes);
        }
        // All at once is fast if the answer is yes; otherwise it is found out which one.
        let some_fails = self.context.not_all(&facts)?;
        let guard = solver.assert_tracked(&mut self.context, some_fails)?;
        if self.ask(&mut solver, &[guard])? == CheckResult::Unsat {
            return Ok(Inductive::Yes);
        }
        for (index, &fact) in facts.iter().enumerate() {
            let fails = self.context.not(fact)?;
            let guard = solver.assert_tracked(&mut self.context, fails)?;
            match self.ask(&mut solver, &[guard])? {
                CheckResult::Unsat => {}
                CheckResult::Sat => {
                    return Ok(Inductive::No {
                        proc,
                        fact: Some(index),
                    });
                }
                CheckResult::Unknown(reason) => return Ok(unknown(proc, reason)),
            }
        }
        Ok(Inductive::Yes)
    }

    /// A solver that knows the axioms, that the body returns, and what the calls in it do at most.
    fn body(&mut self, vc: &ProcVc) -> Result<Solver, SolverError> {
        let mut solver = Solver::new(&mut self.context, self.solver_options)?;
        for &axiom in &self.axioms {
            solver.assert(&mut self.context, axiom)?;
        }
        let pool = &mut self.problem.program.pool;
        let mut formulas: Vec<TermId> = vc.clauses.clone();
        formulas.push(pool.var(vc.entry()));
        for site in &vc.call_sites {
            let Some(summary) = &self.summaries[site.callee] else {
                continue;
            };
            let control = pool.var(site.control);
            let mut values = at_call_site(pool, &summary.ins, &summary.outs, site);
            for &fact in &summary.facts {
                let fact = values.apply(pool, fact);
                formulas.push(pool.implies(control, fact));
            }
        }
        for formula in formulas {
            let formula = self.context.term(&self.problem.program.pool, formula)?;
            solver.assert(&mut self.context, formula)?;
        }
        Ok(solver)
    }

    /// The procedure's own summary, over the variables of its condition.
    fn own_facts(&mut self, vc: &ProcVc) -> Result<Vec<Ast>, SolverError> {
        let Some(summary) = &self.summaries[vc.proc] else {
            return Ok(Vec::new());
        };
        let pool = &mut self.problem.program.pool;
        let mut values = at_body(pool, &summary.ins, &summary.outs, vc);
        let facts: Vec<TermId> = summary
            .facts
            .iter()
            .map(|&fact| values.apply(pool, fact))
            .collect();
        let pool = &self.problem.program.pool;
        facts
            .into_iter()
            .map(|fact| self.context.term(pool, fact))
            .collect()
    }

    fn ask(&mut self, solver: &mut Solver, assumptions: &[Ast]) -> Result<CheckResult, SolverError> {
        if let Err(exhausted) = self.budget.check_memory() {
            return Ok(CheckResult::Unknown(exhausted.to_string()));
        }
        if self.effort == u64::MAX {
            return solver.check(&mut self.context, assumptions);
        }
        let left = self.effort.saturating_sub(solver.effort(&self.context) as u64);
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        solver.check_within(&mut self.context, assumptions, left)
    }
}

fn unknown(proc: ProcId, reason: String) -> Inductive {
    Inductive::Unknown {
        proc: Some(proc),
        reason,
    }
}
