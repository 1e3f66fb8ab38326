//! Inferred facts: what a proof says about them, and the search without them.

use lariat_base::Budget;
use lariat_engine::{ExpandPolicy, SearchEvent, SearchOptions, SearchOutcome, Session};
use lariat_term::{BvOp, TermId, VarId};
use lariat_testkit::boogie::problem;
use lariat_vc::{Problem, Summary};

const PROGRAM: &str = "
    procedure main() { call p(); }
    procedure p() { var x: int; if (*) { assume x > 0; } else { assume x < 0; } }
";

/// The entry returns, but the summary of `p` says that no call of it does.
fn problem_with_wrong_summary() -> Problem {
    let mut problem = problem(PROGRAM);
    let p = problem.program.proc_by_name("p").expect("a procedure");
    let never = problem.program.pool.bool(false);
    problem.summaries[p] = Some(Summary {
        ins: Vec::new(),
        outs: Vec::new(),
        facts: vec![never],
    });
    problem
}

#[test]
fn a_proof_names_the_facts_it_needs_and_the_search_goes_on_without_them() {
    let options = SearchOptions {
        unavoidable: false,
        ..SearchOptions::default()
    };
    let mut ignore = |_: SearchEvent| {};
    let problem = problem_with_wrong_summary();
    let mut session = Session::new(problem, options, Budget::unlimited(), &mut ignore).expect("a session");
    assert!(matches!(session.run(), SearchOutcome::Proved));
    assert!(session.needs_facts());
    session.drop_facts().expect("a solver");
    assert!(matches!(session.run(), SearchOutcome::Reached(_)));
}

#[test]
fn a_proof_without_facts_needs_none() {
    let text = "
        procedure main() { var x: int; call p(); assume x > 0; assume x < 0; }
        procedure p() { var y: int; if (*) { assume y > 0; } else { assume y < 0; } }
    ";
    let mut problem = problem(text);
    let p = problem.program.proc_by_name("p").expect("a procedure");
    let never = problem.program.pool.bool(false);
    problem.summaries[p] = Some(Summary {
        ins: Vec::new(),
        outs: Vec::new(),
        facts: vec![never],
    });
    // Everything is inlined before the solver is asked, and `main` alone contradicts itself.
    let options = SearchOptions {
        expand: ExpandPolicy::Eager,
        solver_options: vec![("smt.core.minimize".into(), "true".into())],
        ..SearchOptions::default()
    };
    let mut ignore = |_: SearchEvent| {};
    let mut session = Session::new(problem, options, Budget::unlimited(), &mut ignore).expect("a session");
    assert!(matches!(session.run(), SearchOutcome::Proved));
    assert!(!session.needs_facts());
}

#[test]
fn a_search_without_effort_gives_no_answer() {
    let options = SearchOptions {
        effort: Some(0),
        ..SearchOptions::default()
    };
    let mut ignore = |_: SearchEvent| {};
    let mut session =
        Session::new(problem(PROGRAM), options, Budget::unlimited(), &mut ignore).expect("a session");
    match session.run() {
        SearchOutcome::Unknown { reason, .. } => {
            assert_eq!(reason, "limit on the solver's effort reached");
        }
        _ => panic!("without effort nothing is known"),
    }
}

/// Two primes of 61 bits, and a fact about `primes` that is true and useless: with it the solver would have to factor their
/// product before it knows what `primes` returns.
fn problem_with_hard_fact() -> Problem {
    const PRIMES: [u64; 2] = [2_305_843_009_213_693_951, 2_305_843_009_213_693_921];
    let [p, q] = PRIMES;
    let mut problem = problem(&format!(
        "
        function {{:bvbuiltin \"bvult\"}} less(x: bv128, y: bv128) returns (bool);
        procedure main() {{ var x, y: bv128; call x, y := primes(); assume less(x, y); }}
        procedure primes() returns (x: bv128, y: bv128)
        {{
          if (*) {{ x := {p}bv128; y := {q}bv128; }} else {{ x := {q}bv128; y := {p}bv128; }}
        }}
        "
    ));
    let primes = problem.program.proc_by_name("primes").expect("a procedure");
    let outs: Vec<VarId> = problem.outs(primes).collect();
    let pool = &mut problem.program.pool;
    let outs: Vec<VarId> = outs
        .iter()
        .map(|&out| pool.declare_var("out", pool.var_sort(out)))
        .collect();
    let terms: Vec<TermId> = outs.iter().map(|&out| pool.var(out)).collect();
    assert_eq!(terms.len(), 2, "both results are used");
    let product = pool.bv(u128::from(p) * u128::from(q), 128);
    let large = pool.bv(1u128 << 64, 128);
    let times = pool.bv_op(BvOp::Mul, &terms);
    let mut facts = vec![pool.eq(times, product)];
    facts.extend(terms.iter().map(|&term| pool.bv_op(BvOp::Ult, &[term, large])));
    problem.summaries[primes] = Some(Summary {
        ins: Vec::new(),
        outs,
        facts,
    });
    problem
}

#[test]
fn facts_that_make_a_query_too_hard_are_dropped() {
    let options = SearchOptions {
        unavoidable: false,
        in_place: false,
        // If the facts stay the search ends here, without an answer.
        effort: Some(30_000_000),
        ..SearchOptions::default()
    };
    let mut ignore = |_: SearchEvent| {};
    let problem = problem_with_hard_fact();
    let mut session = Session::new(problem, options, Budget::unlimited(), &mut ignore).expect("a session");
    assert!(matches!(session.run(), SearchOutcome::Reached(_)));
}
