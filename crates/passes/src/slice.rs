//! Cone of influence: what cannot influence whether the entry returns is cut away.
//!
//! Over the variables and procedures of the whole program, without regard to order:
//! - a procedure matters if it may fail to return, if it assigns a variable that matters or has
//!   an out parameter that does, or if it calls a procedure that matters; the entry matters;
//! - a variable matters if a procedure that matters assumes something about it, or if a
//!   variable that matters is computed from it;
//! - that a value is of its type ([`Origin::Type`]) is of interest only where the value itself matters.
//!
//! What else is assumed in a procedure that matters stays; only assignments and calls go, and
//! parameters that no longer matter. Errors are a matter of assumptions too: the flag of
//! `instrument_errors` is assumed at the end of the entry.

use cranelift_entity::{EntityRef, EntitySet};
use lariat_ir::{Block, Origin, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Op, TermId, TermPool, VarId, VarSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::CallGraph;
use crate::free_vars::occurring_vars;
use crate::total_procedures::total_procedures;

/// Drops assignments, calls, parameters and variables that cannot influence whether `entry`
/// returns. The program is at [`lariat_ir::Stage::Instrumented`].
pub fn slice(program: &mut Program, entry: ProcId) {
    let calls = CallGraph::new(program);
    let total = total_procedures(program, &calls);
    let mut relevance = Relevance::new(program, &calls);
    let blocking = program
        .procs
        .keys()
        .filter(|&proc| proc == entry || !total.contains(proc));
    relevance.solve(program, blocking.collect());
    let Relevance {
        vars, procs, terms, ..
    } = relevance;
    let is_idle = |pool: &TermPool, stmt: &Stmt| {
        typed_value(pool, stmt).is_some_and(|value| match pool.op(value) {
            Op::Var(var) => !vars.contains(&var),
            _ => !terms.contains(&value),
        })
    };
    for proc in program.procs.values_mut() {
        for block in proc.blocks.values_mut() {
            block.stmts.retain(|stmt| !is_idle(&program.pool, stmt));
        }
    }
    cut(program, &vars, &procs);
}

/// The variable, or the place in a map, that the statement says to hold a value of its type, if that is all it says. What a
/// pass has made something else of is an assumption like others.
fn typed_value(pool: &TermPool, stmt: &Stmt) -> Option<TermId> {
    let StmtKind::Assume(condition) = stmt.kind else {
        return None;
    };
    if stmt.origin != Origin::Type {
        return None;
    }
    let bounds = match pool.op(condition) {
        Op::And => pool.args(condition),
        _ => &[condition],
    };
    let mut values = bounds.iter().map(|&bound| {
        let mut unknown = match pool.op(bound) {
            Op::Le | Op::Lt => pool.args(bound).iter().filter(|&&arg| !pool.is_closed(arg)),
            _ => return None,
        };
        let value = unknown.next().copied();
        value.filter(|&value| unknown.next().is_none() && matches!(pool.op(value), Op::Var(_) | Op::Select))
    });
    let value = values.next()??;
    values.all(|other| other == Some(value)).then_some(value)
}

struct Relevance<'a> {
    calls: &'a CallGraph,
    vars: VarSet,
    procs: EntitySet<ProcId>,
    /// The terms that matter, with their parts.
    terms: FxHashSet<TermId>,
    /// Values and what says that they are of their types.
    types: FxHashMap<TermId, Vec<TermId>>,
    types_of_vars: FxHashMap<VarId, Vec<TermId>>,
    /// What a variable is computed from.
    computed_from: FxHashMap<VarId, Vec<TermId>>,
    /// The out parameters that a variable is given by calls.
    given_by: FxHashMap<VarId, Vec<VarId>>,
    assigned_in: FxHashMap<VarId, Vec<ProcId>>,
}

impl<'a> Relevance<'a> {
    fn new(program: &Program, calls: &'a CallGraph) -> Self {
        let mut relevance = Relevance {
            calls,
            vars: VarSet::default(),
            procs: EntitySet::new(),
            terms: FxHashSet::default(),
            types: FxHashMap::default(),
            types_of_vars: FxHashMap::default(),
            computed_from: FxHashMap::default(),
            given_by: FxHashMap::default(),
            assigned_in: FxHashMap::default(),
        };
        for (id, proc) in program.procs.iter() {
            // An out parameter that the body leaves alone has any value after a call.
            for &out in &proc.outs {
                relevance.assigned_in.entry(out).or_default().push(id);
            }
            for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
                match &stmt.kind {
                    StmtKind::Assume(condition) => {
                        if let Some(value) = typed_value(&program.pool, stmt) {
                            let list = match program.pool.op(value) {
                                Op::Var(var) => relevance.types_of_vars.entry(var).or_default(),
                                _ => relevance.types.entry(value).or_default(),
                            };
                            list.push(*condition);
                        }
                    }
                    StmtKind::Assign(assignments) => {
                        for &(var, term) in assignments {
                            relevance.computed_from.entry(var).or_default().push(term);
                        }
                    }
                    StmtKind::Call(call) => {
                        let callee = &program.procs[call.callee];
                        for (&param, &arg) in callee.params.iter().zip(&call.ins) {
                            relevance.computed_from.entry(param).or_default().push(arg);
                        }
                        for (&formal, &actual) in callee.outs.iter().zip(&call.outs) {
                            relevance.given_by.entry(actual).or_default().push(formal);
                        }
                    }
                    _ => {}
                }
                for var in stmt.assigned() {
                    let procs = relevance.assigned_in.entry(var).or_default();
                    if procs.last() != Some(&id) {
                        procs.push(id);
                    }
                }
            }
        }
        relevance
    }

    fn solve(&mut self, program: &Program, mut procs: Vec<ProcId>) {
        let mut vars: Vec<VarId> = Vec::new();
        let mut terms: Vec<TermId> = Vec::new();
        loop {
            if let Some(proc) = procs.pop() {
                if self.procs.insert(proc) {
                    procs.extend(self.calls.callers(proc));
                    for stmt in program.procs[proc].blocks.values().flat_map(|block| &block.stmts) {
                        if let StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } = stmt.kind
                            && typed_value(&program.pool, stmt).is_none()
                        {
                            terms.push(condition);
                        }
                    }
                }
            } else if let Some(term) = terms.pop() {
                if self.terms.insert(term) {
                    match program.pool.op(term) {
                        Op::Var(var) => vars.push(var),
                        Op::Quantifier(id) => terms.push(program.pool.quantifier(id).body),
                        _ => terms.extend(program.pool.args(term)),
                    }
                    terms.extend(self.types.get(&term).into_iter().flatten());
                }
            } else if let Some(var) = vars.pop() {
                if self.vars.insert(var) {
                    terms.extend(self.computed_from.get(&var).into_iter().flatten());
                    terms.extend(self.types_of_vars.get(&var).into_iter().flatten());
                    vars.extend(self.given_by.get(&var).into_iter().flatten());
                    procs.extend(self.assigned_in.get(&var).into_iter().flatten());
                }
            } else {
                return;
            }
        }
    }
}

fn cut(program: &mut Program, vars: &VarSet, procs: &EntitySet<ProcId>) {
    // Which parameters of each procedure stay, before any signature changes.
    let stays = |list: &[VarId]| list.iter().map(|var| vars.contains(var)).collect::<Vec<bool>>();
    let signatures: Vec<(Vec<bool>, Vec<bool>)> = program
        .procs
        .values()
        .map(|proc| (stays(&proc.params), stays(&proc.outs)))
        .collect();
    for id in program.procs.keys().collect::<Vec<_>>() {
        let proc = &mut program.procs[id];
        if !procs.contains(id) {
            // No call of it is left.
            proc.blocks.clear();
            proc.entry = proc.blocks.push(Block::new(Terminator::Return));
            proc.locals.clear();
            continue;
        }
        for block in proc.blocks.values_mut() {
            block.stmts.retain_mut(|stmt| match &mut stmt.kind {
                StmtKind::Assign(assignments) => {
                    assignments.retain(|(var, _)| vars.contains(var));
                    !assignments.is_empty()
                }
                StmtKind::Havoc(havocked) => {
                    havocked.retain(|var| vars.contains(var));
                    !havocked.is_empty()
                }
                StmtKind::Call(call) => {
                    let (params, outs) = &signatures[call.callee.index()];
                    keep(&mut call.ins, params);
                    keep(&mut call.outs, outs);
                    procs.contains(call.callee)
                }
                StmtKind::Assume(_) | StmtKind::Assert { .. } | StmtKind::Enter(_) => true,
            });
        }
        proc.params.retain(|var| vars.contains(var));
        // An out that no caller needs may still receive what a call gives.
        proc.locals
            .extend(proc.outs.extract_if(.., |var| !vars.contains(var)));
        let occurring = occurring_vars(&program.pool, proc.blocks.values().flat_map(|block| &block.stmts));
        proc.locals.retain(|var| occurring.contains(var));
    }
    let all = program
        .procs
        .values()
        .flat_map(|proc| proc.blocks.values())
        .flat_map(|block| &block.stmts);
    let occurring = occurring_vars(&program.pool, all);
    program.globals.retain(|var| occurring.contains(var));
}

/// Keeps the items whose flag is set.
fn keep<T>(items: &mut Vec<T>, flags: &[bool]) {
    let mut flags = flags.iter();
    items.retain(|_| flags.next().copied().unwrap_or(true));
}
