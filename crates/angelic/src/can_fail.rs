//! Which calls can fail at all under a question's switches.
//!
//! A call that is not opened may do anything, fail included, so a question about one place would go through every call on the way
//! to it. Of each component of the call graph it is therefore said, in the program itself:
//!
//! ```text
//! after each call        assume error ==> can_fail_c
//! for good               can_fail_c ==> a switch of an assertion in c is on, or can_fail_d of a component d that c calls
//! ```
//!
//! Invariant: no execution is excluded. A call fails only where an assertion with its switch on does; then all of these Booleans may be true.

use cranelift_entity::SecondaryMap;
use lariat_ir::{AssertId, Origin, ProcId, Program, StmtId, StmtKind};
use lariat_passes::{CallGraph, Prepared};
use lariat_term::{TermId, TermPool, VarId};
use rustc_hash::FxHashMap;

use crate::instrument::Switches;

/// Adds it to a prepared program. What must be asserted for good.
pub fn limit_failures(prepared: &mut Prepared, switches: &Switches) -> Vec<TermId> {
    let (Some(error), Some(strict)) = (prepared.error, switches.strict) else {
        return Vec::new();
    };
    let seeks: FxHashMap<AssertId, VarId> = switches
        .seeks
        .iter()
        .map(|seek| (seek.assert, seek.switch))
        .collect();
    let program = &mut prepared.program;
    let calls = CallGraph::new(program);
    let mut facts = Vec::new();
    // `None`: it may fail whatever the switches are.
    let mut can_fail: SecondaryMap<ProcId, Option<TermId>> = SecondaryMap::new();
    let components: Vec<Vec<ProcId>> = calls.components().to_vec();
    for component in components {
        let bool_sort = program.pool.bool_sort();
        let mut reasons: Option<Vec<TermId>> = Some(Vec::new());
        for &proc in &component {
            for stmt in failing_stmts(program, proc, error) {
                let assert = stmt.and_then(|stmt| prepared.failures.get(&stmt));
                let reason = assert.and_then(|assert| {
                    let pool = &mut program.pool;
                    match (switches.checks.get(assert), seeks.get(assert)) {
                        (Some(&check), _) => Some(both(pool, strict, check)),
                        (None, Some(&seek)) => Some(pool.var(seek)),
                        (None, None) => None,
                    }
                });
                add(&mut reasons, reason);
            }
            for &callee in calls.callees(proc) {
                if !component.contains(&callee) && prepared.interfaces[callee].outs.contains(&error) {
                    add(&mut reasons, can_fail[callee]);
                }
            }
        }
        let Some(mut reasons) = reasons else { continue };
        reasons.sort_unstable();
        reasons.dedup();
        let var = program.pool.declare_var("can fail", bool_sort);
        program.constants.push(var);
        let pool = &mut program.pool;
        let fails = pool.var(var);
        let any = pool.or(&reasons);
        facts.push(pool.implies(fails, any));
        for &proc in &component {
            can_fail[proc] = Some(fails);
        }
    }
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            let stmts = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
            let mut limited = Vec::with_capacity(stmts.len());
            for stmt in stmts {
                let callee = match &stmt.kind {
                    StmtKind::Call(call) => Some(call.callee),
                    _ => None,
                };
                limited.push(stmt);
                let has_flag = |&callee: &ProcId| prepared.interfaces[callee].outs.contains(&error);
                if let Some(fails) = callee.filter(has_flag).and_then(|callee| can_fail[callee]) {
                    let pool = &mut program.pool;
                    let flag = pool.var(error);
                    let limit = pool.implies(flag, fails);
                    limited.push(program.stmt(StmtKind::Assume(limit), None, Origin::Internal));
                }
            }
            program.procs[proc].blocks[block].stmts = limited;
        }
    }
    facts
}

fn both(pool: &mut TermPool, one: VarId, other: VarId) -> TermId {
    let (one, other) = (pool.var(one), pool.var(other));
    pool.and(&[one, other])
}

fn add(reasons: &mut Option<Vec<TermId>>, reason: Option<TermId>) {
    match (reasons.as_mut(), reason) {
        (Some(reasons), Some(reason)) => reasons.push(reason),
        _ => *reasons = None,
    }
}

/// The statements of a procedure after which the flag may be set; `None` for one that is no plain assignment of `true`.
fn failing_stmts(program: &Program, proc: ProcId, error: VarId) -> Vec<Option<StmtId>> {
    let blocks = program.procs[proc].blocks.values();
    let mut found = Vec::new();
    for stmt in blocks.flat_map(|block| &block.stmts) {
        match &stmt.kind {
            StmtKind::Assign(assignments) => {
                let set = assignments.iter().find(|(var, _)| *var == error);
                match set.map(|&(_, value)| program.pool.as_bool(value)) {
                    Some(Some(true)) => found.push(Some(stmt.id)),
                    None | Some(Some(false)) => {}
                    Some(None) => found.push(None),
                }
            }
            StmtKind::Havoc(vars) if vars.contains(&error) => found.push(None),
            StmtKind::Call(call) if call.outs.contains(&error) => found.push(None),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_passes::{Goal, PrepareOptions, prepare};
    use lariat_testkit::boogie;

    const PROGRAM: &str = "var a: int; var b: int; procedure main() { call p(); call q(); assert a > b; } \
        procedure p() { assert a > 0; } procedure q() { assert b > 0; }";

    /// How many components are limited, and how many calls, if the first assertions have switches.
    fn limited(with_switches: usize) -> (usize, usize) {
        let mut program = boogie::program(PROGRAM);
        let bool_sort = program.pool.bool_sort();
        let asserts: Vec<AssertId> = program.asserts.keys().collect();
        assert_eq!(asserts.len(), 3);
        let mut switches = Switches {
            strict: Some(program.pool.declare_var("strict", bool_sort)),
            ..Switches::default()
        };
        for &assert in &asserts[..with_switches] {
            let check = program.pool.declare_var("check", bool_sort);
            switches.checks.insert(assert, check);
        }
        let main = program.proc_by_name("main").expect("there is a main");
        let goal = Goal::AssertionFails { checked: None };
        let mut prepared = prepare(&program, main, &goal, &PrepareOptions::default());
        let facts = limit_failures(&mut prepared, &switches);
        let pool = &prepared.program.pool;
        let blocks = prepared
            .program
            .procs
            .values()
            .flat_map(|proc| proc.blocks.values());
        let limits = blocks
            .flat_map(|block| &block.stmts)
            .filter(|stmt| match stmt.kind {
                StmtKind::Assume(condition) => pool.term_text(condition).contains("can fail"),
                _ => false,
            });
        (facts.len(), limits.count())
    }

    #[test]
    fn what_has_no_switch_may_always_fail_and_so_may_its_callers() {
        assert_eq!(limited(3), (3, 2));
        assert_eq!(limited(0), (0, 0));
        // Of the three only `main` and one that it calls, or the two that it calls, have one.
        let (facts, calls) = limited(2);
        assert!(facts < 3 && calls <= 2, "{facts} {calls}");
    }
}
