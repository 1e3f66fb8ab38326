//! The lock of [Corral12] §4.2 with exactly its six candidates.

mod support;

use lariat_base::Budget;
use lariat_summaries::{
    CandidateLimits, Inductive, Preconditions, SummaryOptions, UserCandidate, UserCandidateKind,
    UserCandidates, check_inductive, infer,
};
use lariat_term::VarId;
use lariat_vc::Problem;
use support::{problem, solver_options};

const LOCK: &str = "
    var s: int;
    procedure acquire() { assert s == 0; s := 1; }
    procedure release() { assert s == 1; s := 0; }
    procedure both() { call acquire(); call release(); }
    procedure twice() { call acquire(); call acquire(); }
    procedure main() {
        var b: bool;
        if (b) { call acquire(); }
        call both();
        call twice();
        call release();
    }
";

/// No generated candidates: only what the user wrote.
const NONE_GENERATED: CandidateLimits = CandidateLimits {
    pres: 0,
    posts: 6,
    constants: 0,
    related: 0,
};

fn global(problem: &Problem, name: &str) -> VarId {
    let pool = &problem.program.pool;
    let mut globals = problem.program.globals.iter().copied();
    globals
        .find(|&var| &**pool.var_name(var) == name)
        .expect("the global")
}

/// The six candidates, in the order of the paper, row by row.
fn six(problem: &mut Problem) -> UserCandidates {
    let s = global(problem, "s");
    let error = problem.error.expect("something can fail");
    let pool = &mut problem.program.pool;
    let old = pool.declare_var("old(s)", pool.var_sort(s));
    let (old_s, new_s, error) = (pool.var(old), pool.var(s), pool.var(error));
    let (zero, one) = (pool.int(0), pool.int(1));
    let no_error = pool.not(error);
    let mut terms = Vec::new();
    for row in 0..3 {
        for from in [zero, one] {
            let was = pool.eq(old_s, from);
            let is = match row {
                0 => pool.eq(new_s, zero),
                1 => pool.eq(new_s, one),
                _ => no_error,
            };
            terms.push(pool.implies(was, is));
        }
    }
    UserCandidates {
        candidates: terms
            .into_iter()
            .map(|term| UserCandidate {
                proc: None,
                kind: UserCandidateKind::Ensures,
                term,
                old: vec![(old, s)],
            })
            .collect(),
    }
}

/// Which of the six hold of a procedure, by their positions.
fn valid(problem: &Problem, user: &UserCandidates, name: &str) -> Vec<usize> {
    let proc = problem.program.proc_by_name(name).expect("the procedure");
    let Some(summary) = &problem.summaries[proc] else {
        return Vec::new();
    };
    let mut pool = problem.program.pool.clone();
    let ins: Vec<VarId> = problem.ins(proc).collect();
    let outs: Vec<VarId> = problem.outs(proc).collect();
    let s = global(problem, "s");
    let failed = outs
        .iter()
        .position(|&out| Some(out) == problem.error)
        .expect("it may fail");
    let failed = pool.var(summary.outs[failed]);
    let mut found = Vec::new();
    for (index, candidate) in user.candidates.iter().enumerate() {
        let mut pairs = vec![(
            candidate.old[0].0,
            summary.ins[ins.iter().position(|&var| var == s).unwrap()],
        )];
        pairs.extend(outs.iter().copied().zip(summary.outs.iter().copied()));
        let mut values: lariat_term::Substitution =
            pairs.into_iter().map(|(var, own)| (var, pool.var(own))).collect();
        let fact = values.apply(&mut pool, candidate.term);
        // A call that fails gives no state.
        let weaker = pool.or(&[fact, failed]);
        if summary.facts.contains(&fact) || summary.facts.contains(&weaker) {
            found.push(index);
        }
    }
    found
}

fn options(user: UserCandidates) -> SummaryOptions {
    let mut options = SummaryOptions::new(solver_options());
    options.limits = Some(NONE_GENERATED);
    options.intervals = false;
    options.preconditions = Preconditions::None;
    options.minimise = false;
    options.user = user;
    options
}

#[test]
fn the_six_candidates() {
    let mut problem = problem(LOCK);
    let user = six(&mut problem);
    let stats = infer(&mut problem, &options(user.clone()), &Budget::unlimited());
    assert!(stats.fixpoint && stats.failure.is_none(), "{stats:?}");
    // 0: old(s) == 0 ⇒ s == 0      1: old(s) == 1 ⇒ s == 0
    // 2: old(s) == 0 ⇒ s == 1      3: old(s) == 1 ⇒ s == 1
    // 4: old(s) == 0 ⇒ ¬error      5: old(s) == 1 ⇒ ¬error
    //
    // Where a call fails, every statement about the state holds: nobody looks at it. So `acquire` called in
    // state 1 has both 1 and 3.
    assert_eq!(valid(&problem, &user, "acquire"), [1, 2, 3, 4]);
    assert_eq!(valid(&problem, &user, "release"), [0, 1, 2, 5]);
    // Taken and released: from 0 back to 0 without an error; from 1 the first call fails.
    assert_eq!(valid(&problem, &user, "both"), [0, 1, 3, 4]);
    // It fails from 0 (in its second call) and from 1 (in its first).
    assert_eq!(valid(&problem, &user, "twice"), [0, 1, 2, 3]);
    let answer = check_inductive(
        &problem,
        &problem.summaries,
        false,
        &solver_options(),
        &Budget::unlimited(),
    );
    assert_eq!(answer, Ok(Inductive::Yes));
}

/// A correct driver, which the six candidates prove without looking into any call.
#[test]
fn the_six_candidates_prove_a_loop() {
    let mut problem = problem(
        "var s: int;
         procedure acquire() { assert s == 0; s := 1; }
         procedure release() { assert s == 1; s := 0; }
         procedure work() { call acquire(); call release(); if (*) { call work(); } }
         procedure main() { s := 0; call work(); call acquire(); call release(); }",
    );
    let user = six(&mut problem);
    let stats = infer(&mut problem, &options(user), &Budget::unlimited());
    assert!(stats.fixpoint, "{stats:?}");
    let answer = check_inductive(
        &problem,
        &problem.summaries,
        true,
        &solver_options(),
        &Budget::unlimited(),
    );
    assert_eq!(answer, Ok(Inductive::Yes));
}

/// Only what the user wrote for a loop and a procedure: an invariant and a precondition.
#[test]
fn invariants_and_preconditions_of_the_user() {
    let mut problem = problem(
        "var g: int;
         procedure main(n: int) {
             var i: int;
             i := 3; g := 9;
             while (*) { i := i + g; call p(n); }
             assert i != 0;
         }
         procedure p(n: int) { assert 5 < g; havoc g; assume 7 < g; if (*) { call p(n); } }",
    );
    let main = problem.entry;
    let i = problem.program.procs[main].locals.iter().copied();
    let i = i
        .clone()
        .find(|&var| &**problem.program.pool.var_name(var) == "i")
        .expect("a local");
    let p = problem.program.proc_by_name("p").expect("a procedure");
    let g = global(&problem, "g");
    let pool = &mut problem.program.pool;
    let (two, seven) = (pool.int(2), pool.int(7));
    let (i, g) = (pool.var(i), pool.var(g));
    let (invariant, invariant_of_g) = (pool.lt(two, i), pool.lt(seven, g));
    let clause = |proc, kind, term| UserCandidate {
        proc: Some(proc),
        kind,
        term,
        old: Vec::new(),
    };
    let mut options = options(UserCandidates {
        candidates: vec![
            clause(main, UserCandidateKind::Invariant, invariant),
            clause(main, UserCandidateKind::Invariant, invariant_of_g),
            clause(p, UserCandidateKind::Requires, invariant_of_g),
            clause(p, UserCandidateKind::Ensures, invariant_of_g),
        ],
    });
    options.preconditions = Preconditions::All;
    let all = Some(CandidateLimits {
        pres: 4,
        ..NONE_GENERATED
    });
    // Without preconditions there is nothing to build on.
    for (limits, expected) in [(all, true), (Some(NONE_GENERATED), false)] {
        options.limits = limits;
        let mut problem = problem.clone();
        let stats = infer(&mut problem, &options, &Budget::unlimited());
        assert!(stats.fixpoint, "{stats:?}");
        let answer = check_inductive(
            &problem,
            &problem.summaries,
            true,
            &solver_options(),
            &Budget::unlimited(),
        );
        assert_eq!(answer == Ok(Inductive::Yes), expected, "{answer:?}");
    }
}
