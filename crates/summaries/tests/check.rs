//! The check of summaries says yes only to what is inductive.

mod support;

use cranelift_entity::SecondaryMap;
use lariat_base::Budget;
use lariat_ir::ProcId;
use lariat_summaries::{Inductive, check_inductive};
use lariat_term::{TermId, TermPool, VarId};
use lariat_vc::{Problem, Summary};
use support::{problem, solver_options};

/// A counter that only grows, in a procedure that calls itself.
const COUNTER: &str = "
    var g: int;
    procedure main() {
        g := 0;
        call count();
        assert g >= 0;
    }
    procedure count() { if (*) { g := g + 1; call count(); } }
";

/// A summary of the procedure with the facts made from its inputs and outputs.
fn summary(
    problem: &mut Problem,
    name: &str,
    facts: impl Fn(&mut TermPool, &[TermId], &[TermId]) -> Vec<TermId>,
) -> (ProcId, Summary) {
    let proc = problem.program.proc_by_name(name).expect("the procedure");
    let own = |pool: &mut TermPool, vars: Vec<VarId>| -> Vec<VarId> {
        vars.into_iter()
            .map(|var| {
                let data = pool.var_data(var).clone();
                pool.declare_var(data.name, data.sort)
            })
            .collect()
    };
    let (ins, outs) = (problem.ins(proc).collect(), problem.outs(proc).collect());
    let pool = &mut problem.program.pool;
    let (ins, outs) = (own(pool, ins), own(pool, outs));
    let in_terms: Vec<TermId> = ins.iter().map(|&var| pool.var(var)).collect();
    let out_terms: Vec<TermId> = outs.iter().map(|&var| pool.var(var)).collect();
    let facts = facts(pool, &in_terms, &out_terms);
    (proc, Summary { ins, outs, facts })
}

fn check(problem: &Problem, summaries: Vec<(ProcId, Summary)>, goal: bool) -> Inductive {
    let mut map: SecondaryMap<ProcId, Option<Summary>> = SecondaryMap::new();
    for (proc, summary) in summaries {
        map[proc] = Some(summary);
    }
    check_inductive(problem, &map, goal, &solver_options(), &Budget::unlimited()).expect("a solver")
}

#[test]
fn an_inductive_summary_proves_the_goal() {
    let mut problem = problem(COUNTER);
    let entry = problem.entry;
    assert_eq!(
        check(&problem, vec![], true),
        Inductive::No {
            proc: entry,
            fact: None
        }
    );
    let grows = summary(&mut problem, "count", |pool, ins, outs| {
        vec![pool.le(ins[0], outs[0])]
    });
    assert_eq!(check(&problem, vec![grows.clone()], true), Inductive::Yes);
    // It says nothing about the entry.
    assert_eq!(check(&problem, vec![grows], false), Inductive::Yes);
}

#[test]
fn what_does_not_follow_is_named() {
    let mut problem = problem(COUNTER);
    let shrinks = summary(&mut problem, "count", |pool, ins, outs| {
        vec![pool.le(ins[0], outs[0]), pool.le(outs[0], ins[0])]
    });
    let proc = shrinks.0;
    assert_eq!(
        check(&problem, vec![shrinks], false),
        Inductive::No { proc, fact: Some(1) }
    );
}

#[test]
fn a_true_fact_that_is_not_inductive_is_refused() {
    // It holds of every call, but follows only together with what is known of parity.
    let mut problem = problem(
        "var g: int;
         procedure main() { g := 0; call step(); assert g != 3; }
         procedure step() { if (*) { g := g + 2; call step(); } }",
    );
    let not_three = |pool: &mut TermPool, ins: &[TermId], outs: &[TermId]| {
        let (zero, three) = (pool.int(0), pool.int(3));
        let (pre, post) = (pool.eq(ins[0], zero), pool.eq(outs[0], three));
        let post = pool.not(post);
        pool.implies(pre, post)
    };
    let alone = summary(&mut problem, "step", |pool, ins, outs| {
        vec![not_three(pool, ins, outs)]
    });
    let proc = alone.0;
    assert_eq!(
        check(&problem, vec![alone], true),
        Inductive::No { proc, fact: Some(0) }
    );
    let together = summary(&mut problem, "step", |pool, ins, outs| {
        vec![not_three(pool, ins, outs), pool.le(ins[0], outs[0])]
    });
    assert_eq!(
        check(&problem, vec![together], true),
        Inductive::No { proc, fact: Some(0) }
    );
    let parity = summary(&mut problem, "step", |pool, ins, outs| {
        let two = pool.int(2);
        let (before, after) = (pool.modulo(ins[0], two), pool.modulo(outs[0], two));
        vec![not_three(pool, ins, outs), pool.eq(before, after)]
    });
    assert_eq!(check(&problem, vec![parity], true), Inductive::Yes);
}

#[test]
fn a_summary_over_other_variables_is_refused() {
    let mut problem = problem(COUNTER);
    let int = problem.program.pool.int_sort();
    let stray = problem.program.pool.declare_var("stray", int);
    let (proc, mut own) = summary(&mut problem, "count", |pool, ins, outs| {
        let stray = pool.var(stray);
        let le = pool.le(stray, stray);
        vec![le, pool.eq(stray, ins[0]), pool.le(ins[0], outs[0])]
    });
    let answer = check(&problem, vec![(proc, own.clone())], false);
    assert!(matches!(answer, Inductive::Unknown { .. }), "{answer:?}");
    own.facts.clear();
    own.outs.clear();
    let answer = check(&problem, vec![(proc, own)], false);
    assert!(matches!(answer, Inductive::Unknown { .. }), "{answer:?}");
}

#[test]
fn an_exhausted_budget_is_no_yes() {
    let mut problem = problem(COUNTER);
    let (proc, grows) = summary(&mut problem, "count", |pool, ins, outs| {
        vec![pool.le(ins[0], outs[0])]
    });
    let mut map: SecondaryMap<ProcId, Option<Summary>> = SecondaryMap::new();
    map[proc] = Some(grows);
    let budget = Budget::new(Some(std::time::Duration::ZERO), None);
    let answer = check_inductive(&problem, &map, true, &solver_options(), &budget).expect("a solver");
    assert!(matches!(answer, Inductive::Unknown { .. }), "{answer:?}");
}
