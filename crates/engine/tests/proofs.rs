//! Pauses at proofs: which procedures are told, what their subtrees imply, and the search with what was learned.

use lariat_base::Budget;
use lariat_engine::{ExpandPolicy, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_ir::ProcId;
use lariat_term::{TermId, TermPool, VarId};
use lariat_testkit::boogie::problem;
use lariat_vc::{Problem, Summary};

/// A loop that leaves `g` as it was, and a procedure that no proof needs.
const PROGRAM: &str = "
    var g: int;
    procedure main() {
        g := 0;
        call round(0);
        if (*) { call other(); }
        assert g == 0;
    }
    procedure round(i: int) {
        if (*) { g := g + 1; call round(i + 1); g := g - 1; }
    }
    procedure other() { var x: int; if (*) { assume x > 0; } else { assume x < 0; } }
";

fn options(expand: ExpandPolicy, pause_at_proofs: bool) -> SearchOptions {
    SearchOptions {
        expand,
        max_bound: 2,
        pause_at_proofs,
        ..SearchOptions::default()
    }
}

fn proc(problem: &Problem, name: &str) -> ProcId {
    problem.program.proc_by_name(name).expect("a procedure")
}

/// A guess about a procedure, made of its inputs and outputs.
fn guess(
    problem: &mut Problem,
    proc: ProcId,
    facts: impl Fn(&mut TermPool, &[TermId], &[TermId]) -> Vec<TermId>,
) -> Summary {
    let (ins, outs) = (problem.ins(proc).collect(), problem.outs(proc).collect());
    let (ins, outs) = {
        let pool = &mut problem.program.pool;
        let mut copy = |vars: Vec<VarId>| -> Vec<VarId> {
            vars.into_iter()
                .map(|var| {
                    let data = pool.var_data(var).clone();
                    pool.declare_var(data.name, data.sort)
                })
                .collect()
        };
        (copy(ins), copy(outs))
    };
    let pool = &mut problem.program.pool;
    let before: Vec<TermId> = ins.iter().map(|&var| pool.var(var)).collect();
    let after: Vec<TermId> = outs.iter().map(|&var| pool.var(var)).collect();
    let facts = facts(pool, &before, &after);
    Summary { ins, outs, facts }
}

/// `g` after the call is what it was, or one more. The last input and output of `round` is `g`.
fn same_or_more(pool: &mut TermPool, before: &[TermId], after: &[TermId]) -> Vec<TermId> {
    let (Some(&before), Some(&after)) = (before.last(), after.last()) else {
        panic!("`round` reads and writes `g`")
    };
    let one = pool.int(1);
    let more = pool.add(&[before, one]);
    vec![pool.eq(before, after), pool.eq(more, after)]
}

#[test]
fn a_search_pauses_once_for_each_procedure_that_its_proofs_rest_on() {
    for expand in [ExpandPolicy::OverRefine, ExpandPolicy::UnderWiden] {
        let mut ignore = |_: SearchEvent| {};
        let problem = problem(PROGRAM);
        let round = proc(&problem, "round");
        let mut session = Session::new(problem, options(expand, true), Budget::unlimited(), &mut ignore)
            .expect("a session");
        assert!(matches!(session.run(), SearchOutcome::Unknown { .. }));
        assert_eq!(session.take_proof(), Some(vec![round]), "{expand:?}");
        assert!(matches!(session.run(), SearchOutcome::Bounded { bound: 2, .. }));
        assert_eq!(session.take_proof(), None);
    }
}

#[test]
fn a_search_that_is_not_asked_does_not_pause() {
    let mut ignore = |_: SearchEvent| {};
    let options = options(ExpandPolicy::OverRefine, false);
    let mut session =
        Session::new(problem(PROGRAM), options, Budget::unlimited(), &mut ignore).expect("a session");
    assert!(matches!(session.run(), SearchOutcome::Bounded { bound: 2, .. }));
    assert_eq!(session.take_proof(), None);
}

#[test]
fn what_the_subtree_implies_is_kept_and_proves_the_program() {
    for expand in [ExpandPolicy::OverRefine, ExpandPolicy::UnderWiden] {
        let mut ignore = |_: SearchEvent| {};
        let problem = problem(PROGRAM);
        let round = proc(&problem, "round");
        let mut session = Session::new(problem, options(expand, true), Budget::unlimited(), &mut ignore)
            .expect("a session");
        session.run();
        assert!(session.take_proof().is_some());
        let mut guess = guess(session.problem_mut(), round, same_or_more);
        let implied = session.implied(round, &guess).expect("a solver");
        assert_eq!(implied, guess.facts[..1]);
        guess.facts = implied;
        session.problem_mut().summaries[round] = Some(guess);
        assert_eq!(session.learn(), Ok(1));
        assert!(matches!(session.run(), SearchOutcome::Proved));
        assert!(session.needs_facts());
    }
}

#[test]
fn after_its_facts_are_dropped_a_search_neither_learns_nor_pauses() {
    let mut ignore = |_: SearchEvent| {};
    let problem = problem(PROGRAM);
    let round = proc(&problem, "round");
    let options = options(ExpandPolicy::OverRefine, true);
    let mut session = Session::new(problem, options, Budget::unlimited(), &mut ignore).expect("a session");
    session.drop_facts().expect("a solver");
    let guess = guess(session.problem_mut(), round, same_or_more);
    session.problem_mut().summaries[round] = Some(guess);
    assert_eq!(session.learn(), Ok(0));
    assert!(matches!(session.run(), SearchOutcome::Bounded { bound: 2, .. }));
    assert_eq!(session.take_proof(), None);
}
