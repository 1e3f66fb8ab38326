//! Variable abstraction of a program: the transformation of [Corral12] Fig. 3.
//!
//! With `T` the tracked globals, statement by statement (locals and parameters are always tracked):
//!
//! ```text
//! v := e      ↦  nothing        if v is a global and v ∉ T
//!                havoc v        if GlobalVars(e) ⊄ T
//!                v := e         otherwise
//! assume e    ↦  assume true    if GlobalVars(e) ⊄ T
//! havoc v     ↦  nothing        if v is a global and v ∉ T
//! ```
//!
//! and, where the paper's language has only one assignment at a time and no arguments:
//!
//! ```text
//! call v := p(e)  ↦  call ○ := p(e)   if v is a global and v ∉ T
//!                    call v := p(○)   if GlobalVars(e) ⊄ T
//! v, w := e, f    ↦  v, w := e, ○     if GlobalVars(f) ⊄ T only
//! ```
//!
//! where each `○` is a local of its own that nothing assigns otherwise. The procedures are
//! free of loops, so a statement is executed at most once in an activation and `○` has any value
//! there: reading it is a havoc, and writing to it is nothing. `Enter` marks stay.
//!
//! **It over-approximates.** Take an execution of the concrete program. Run the abstract program
//! through the same blocks and let each havoc that was put in, and each `○` that is read, choose the
//! value that the concrete execution computes there. By induction over the steps both
//! states agree on all tracked globals and all variables of the procedures: an assignment that was kept
//! reads only what agrees; one that was replaced chooses the concrete value; one that was dropped
//! changes an untracked global only; a call passes arguments that agree and takes results that agree. An
//! assumption that was kept reads only what agrees, so it holds; one that was replaced holds anyway.
//! So the abstract execution gets as far as the concrete one, in particular to the end of the entry.
//!
//! Neither the number of statements nor any id or edge changes, so that procedures are executed in
//! place of their calls ([`lariat_vc::straight_line_procs`]) in both programs or in neither.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use lariat_ir::{Call, ProcId, Program, StmtKind};
use lariat_passes::compute_interfaces;
use lariat_term::{SortId, Substitution, TermId, VarId};
use lariat_vc::{Problem, Summary};
use smallvec::SmallVec;

use crate::global_vars::GlobalVars;

/// The problem with only `tracked` globals; the error flag is always one of them.
pub fn abstract_globals(problem: &Problem, tracked: &BTreeSet<VarId>) -> Problem {
    let mut tracked = tracked.clone();
    tracked.extend(problem.error);
    let mut program = problem.program.clone();
    let mut abstraction = Abstraction {
        global_vars: GlobalVars::new(&program.globals),
        tracked: &tracked,
        anything: Vec::new(),
    };
    for proc in program.procs.keys().collect::<Vec<_>>() {
        abstraction.procedure(&mut program, proc);
    }
    let mut initial = std::mem::take(&mut program.initial);
    initial.retain(|&condition| abstraction.is_tracked(&program, condition));
    program.initial = initial;
    let interfaces = compute_interfaces(&program);
    let mut result = Problem::new(program, problem.entry, interfaces, problem.error);
    result.summaries = summaries(problem, &mut result);
    result
}

struct Abstraction<'a> {
    global_vars: GlobalVars,
    tracked: &'a BTreeSet<VarId>,
    /// The `○` of the procedure under way.
    anything: Vec<VarId>,
}

impl Abstraction<'_> {
    fn procedure(&mut self, program: &mut Program, proc: ProcId) {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            let mut stmts = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
            for stmt in &mut stmts {
                if let Some(kind) = self.statement(program, &stmt.kind) {
                    stmt.kind = kind;
                }
            }
            program.procs[proc].blocks[block].stmts = stmts;
        }
        program.procs[proc].locals.append(&mut self.anything);
    }

    /// The abstract statement, if it differs.
    fn statement(&mut self, program: &mut Program, stmt: &StmtKind) -> Option<StmtKind> {
        match stmt {
            StmtKind::Assume(condition) if self.is_tracked(program, *condition) => None,
            StmtKind::Assume(_) => Some(nothing(program)),
            StmtKind::Assert { .. } => {
                unreachable!("assertions are gone after instrument_errors, which the validator checks")
            }
            StmtKind::Assign(assignments) => self.assignments(program, assignments),
            StmtKind::Havoc(vars) => {
                let kept: SmallVec<[VarId; 2]> =
                    vars.iter().copied().filter(|&var| self.is_kept(var)).collect();
                if kept.is_empty() {
                    return Some(nothing(program));
                }
                (kept.len() < vars.len()).then_some(StmtKind::Havoc(kept))
            }
            StmtKind::Call(call) => Some(StmtKind::Call(self.call(program, call))),
            StmtKind::Enter(_) => None,
        }
    }

    fn assignments(&mut self, program: &mut Program, assignments: &[(VarId, TermId)]) -> Option<StmtKind> {
        let mut kept: SmallVec<[(VarId, TermId); 1]> = SmallVec::new();
        let mut havocked: SmallVec<[VarId; 2]> = SmallVec::new();
        for &(var, term) in assignments {
            if !self.is_kept(var) {
                continue;
            }
            if self.is_tracked(program, term) {
                kept.push((var, term));
            } else {
                havocked.push(var);
            }
        }
        if kept.len() == assignments.len() {
            return None;
        }
        if kept.is_empty() {
            return Some(if havocked.is_empty() {
                nothing(program)
            } else {
                StmtKind::Havoc(havocked)
            });
        }
        for var in havocked {
            let any = self.any(program, program.pool.var_sort(var));
            kept.push((var, program.pool.var(any)));
        }
        Some(StmtKind::Assign(kept))
    }

    fn call(&mut self, program: &mut Program, call: &Call) -> Call {
        let mut ins = Vec::with_capacity(call.ins.len());
        for &term in &call.ins {
            ins.push(if self.is_tracked(program, term) {
                term
            } else {
                let any = self.any(program, program.pool.sort_of(term));
                program.pool.var(any)
            });
        }
        let mut outs = Vec::with_capacity(call.outs.len());
        for &var in &call.outs {
            outs.push(if self.is_kept(var) {
                var
            } else {
                self.any(program, program.pool.var_sort(var))
            });
        }
        Call {
            callee: call.callee,
            ins,
            outs,
        }
    }

    /// A new `○`.
    fn any(&mut self, program: &mut Program, sort: SortId) -> VarId {
        let var = program.pool.declare_var("any", sort);
        self.anything.push(var);
        var
    }

    fn is_kept(&self, var: VarId) -> bool {
        !self.global_vars.is_global(var) || self.tracked.contains(&var)
    }

    /// `GlobalVars(e) ⊆ T`.
    fn is_tracked(&mut self, program: &Program, term: TermId) -> bool {
        let globals = self.global_vars.of(&program.pool, term);
        globals.iter().all(|global| self.tracked.contains(global))
    }
}

fn nothing(program: &mut Program) -> StmtKind {
    StmtKind::Assume(program.pool.bool(true))
}

/// What is known of the concrete procedures, as far as it is about values that are left. A fact holds of
/// every concrete call, and so of the abstract execution that goes along with a concrete one.
fn summaries(concrete: &Problem, result: &mut Problem) -> SecondaryMap<ProcId, Option<Summary>> {
    let mut summaries = SecondaryMap::new();
    for proc in concrete.program.procs.keys() {
        let Some(summary) = &concrete.summaries[proc] else {
            continue;
        };
        let ins: Vec<VarId> = result.ins(proc).collect();
        let outs: Vec<VarId> = result.outs(proc).collect();
        let old_ins: Vec<VarId> = concrete.ins(proc).collect();
        let old_outs: Vec<VarId> = concrete.outs(proc).collect();
        let mut new = Summary::default();
        let mut renaming = Substitution::new();
        let pool = &mut result.program.pool;
        for (vars, old, own, new_own) in [
            (&ins, &old_ins, &summary.ins, &mut new.ins),
            (&outs, &old_outs, &summary.outs, &mut new.outs),
        ] {
            for &var in vars {
                // By its position, each place has a variable of its own.
                let fresh = pool.declare_var(pool.var_name(var).clone(), pool.var_sort(var));
                new_own.push(fresh);
                if let Some(position) = old.iter().position(|&other| other == var)
                    && let Some(&stands_for) = own.get(position)
                {
                    let fresh = pool.var(fresh);
                    renaming.insert(stands_for, fresh);
                }
            }
        }
        let is_own = |var: &VarId| summary.ins.contains(var) || summary.outs.contains(var);
        for &fact in &summary.facts {
            let lost = pool
                .free_vars(&[fact])
                .iter()
                .any(|var| is_own(var) && renaming.get(*var).is_none());
            if !lost {
                new.facts.push(renaming.apply(pool, fact));
            }
        }
        summaries[proc] = Some(new);
    }
    summaries
}
