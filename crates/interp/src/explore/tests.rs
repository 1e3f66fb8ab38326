use lariat_base::Budget;
use lariat_ir::{AssertKind, StmtKind};
use lariat_term::{BvOp, FunId, Quantifier, QuantifierKind, TermId, VarId};
use smallvec::smallvec;

use super::*;
use crate::testing::{Builder, assign, call};

fn run(builder: &Builder, entry: ProcId) -> Exploration {
    builder.check();
    explore(
        &builder.program,
        entry,
        &Domains::default(),
        &ExploreLimits::default(),
        &Budget::unlimited(),
    )
}

/// A procedure of one block.
fn straight(builder: &mut Builder, locals: Vec<VarId>, kinds: Vec<StmtKind>) -> ProcId {
    builder.proc("main", vec![], vec![], locals, vec![(kinds, vec![])])
}

#[test]
fn a_failure_among_the_values_is_found() {
    let mut b = Builder::new();
    let x = b.var("x");
    let is_two = b.equals(x, 2);
    let condition = b.program.pool.not(is_two);
    let check = b.assert(condition);
    let main = straight(&mut b, vec![x], vec![check]);
    assert!(matches!(run(&b, main).verdict, ExploreVerdict::Fails(_)));
}

#[test]
fn integers_are_sampled_and_booleans_are_not() {
    let mut b = Builder::new();
    let x = b.var("x");
    let is_fifty = b.equals(x, 50);
    let condition = b.program.pool.not(is_fifty);
    let check = b.assert(condition);
    let main = straight(&mut b, vec![x], vec![check]);
    let exploration = run(&b, main);
    assert_eq!(exploration.verdict, ExploreVerdict::NoFailure { complete: false });
    assert!(exploration.sampled && !exploration.cut_by_bound);

    let mut b = Builder::new();
    let sort = b.program.pool.bool_sort();
    let flag = b.program.pool.declare_var("flag", sort);
    let term = b.term(flag);
    let function = b.program.pool.declare_function("f", vec![sort], sort);
    let applied = b.program.pool.apply(function, &[term]);
    let same = b.program.pool.eq(applied, applied);
    assert_eq!(b.program.pool.as_bool(same), Some(true));
    let denied = b.program.pool.not(applied);
    let either = b.program.pool.or(&[applied, denied, term]);
    let check = b.assert(either);
    let main = straight(&mut b, vec![flag], vec![check]);
    assert_eq!(
        run(&b, main).verdict,
        ExploreVerdict::NoFailure { complete: true }
    );
}

#[test]
fn narrow_bit_vectors_are_enumerated() {
    let mut b = Builder::new();
    let sort = b.program.pool.bv_sort(3);
    let x = b.program.pool.declare_var("x", sort);
    let tx = b.term(x);
    let twice = b.program.pool.bv_op(BvOp::Add, &[tx, tx]);
    let check_no = |b: &mut Builder, value: i64| {
        let value = b.program.pool.bv(value, 3);
        let equal = b.program.pool.eq(twice, value);
        let condition = b.program.pool.not(equal);
        let check = b.assert(condition);
        straight(b, vec![], vec![check])
    };
    b.program.globals.push(x);
    let odd = check_no(&mut b, 5);
    let even = check_no(&mut b, 6);
    assert_eq!(run(&b, odd).verdict, ExploreVerdict::NoFailure { complete: true });
    assert!(matches!(run(&b, even).verdict, ExploreVerdict::Fails(_)));
}

#[test]
fn functions_are_functions() {
    let mut b = Builder::new();
    let (x, y) = (b.global("x"), b.global("y"));
    let sort = b.int_sort;
    let function = b.program.pool.declare_function("f", vec![sort], sort);
    let (tx, ty) = (b.term(x), b.term(y));
    let [fx, fy] = [tx, ty].map(|arg| b.program.pool.apply(function, &[arg]));
    let arguments = b.program.pool.eq(tx, ty);
    let results = b.program.pool.eq(fx, fy);
    let congruent = b.program.pool.implies(arguments, results);
    let injective = b.program.pool.implies(results, arguments);
    let (holds, fails) = (b.assert(congruent), b.assert(injective));
    let good = straight(&mut b, vec![], vec![holds]);
    let bad = straight(&mut b, vec![], vec![fails]);
    assert!(matches!(run(&b, good).verdict, ExploreVerdict::NoFailure { .. }));
    assert!(matches!(run(&b, bad).verdict, ExploreVerdict::Fails(_)));
}

/// `i := 0; while (i < limit) { i := i + 1; } assert false;`
fn counting(limit: i64) -> (Builder, ProcId) {
    let mut b = Builder::new();
    let i = b.var("i");
    let (zero, limit) = (b.program.pool.int(0), b.program.pool.int(limit));
    let ti = b.term(i);
    let inside = b.program.pool.lt(ti, limit);
    let outside = b.program.pool.not(inside);
    let next = b.plus(i, 1);
    let never = b.program.pool.bool(false);
    let check = b.assert(never);
    let main = b.proc(
        "main",
        vec![],
        vec![],
        vec![i],
        vec![
            (vec![assign(i, zero)], vec![1]),
            (vec![], vec![2, 3]),
            (vec![StmtKind::Assume(inside), assign(i, next)], vec![1]),
            (vec![StmtKind::Assume(outside), check], vec![]),
        ],
    );
    (b, main)
}

#[test]
fn loops_are_cut_after_their_visits() {
    let (b, main) = counting(3);
    assert!(matches!(run(&b, main).verdict, ExploreVerdict::Fails(_)));
    let (b, main) = counting(4);
    let exploration = run(&b, main);
    assert_eq!(exploration.verdict, ExploreVerdict::NoFailure { complete: false });
    assert!(exploration.cut_by_bound);
}

#[test]
fn recursion_is_cut_after_its_activations() {
    // proc down(n) { if (n == 0) { assert false; } else { call down(n - 1); } }
    let down_from = |start: i64| {
        let mut b = Builder::new();
        let n = b.var("n");
        let is_zero = b.equals(n, 0);
        let is_other = b.program.pool.not(is_zero);
        let less = b.plus(n, -1);
        let never = b.program.pool.bool(false);
        let check = b.assert(never);
        let itself = ProcId::from_u32(0);
        let down = b.proc(
            "down",
            vec![n],
            vec![],
            vec![],
            vec![
                (vec![], vec![1, 2]),
                (vec![StmtKind::Assume(is_zero), check], vec![]),
                (
                    vec![StmtKind::Assume(is_other), call(itself, vec![less], vec![])],
                    vec![],
                ),
            ],
        );
        let start = b.program.pool.int(start);
        let main = straight(&mut b, vec![], vec![call(down, vec![start], vec![])]);
        run(&b, main)
    };
    assert!(matches!(down_from(2).verdict, ExploreVerdict::Fails(_)));
    let cut = down_from(3);
    assert_eq!(cut.verdict, ExploreVerdict::NoFailure { complete: false });
    assert!(cut.cut_by_bound && !cut.entry_returns);
}

#[test]
fn axioms_and_where_clauses_hold() {
    let mut b = Builder::new();
    let g = b.global("g");
    let is_one = b.equals(g, 1);
    b.program.initial.push(is_one);
    let check = b.assert(is_one);
    let main = straight(&mut b, vec![], vec![check]);
    let exploration = run(&b, main);
    assert!(matches!(exploration.verdict, ExploreVerdict::NoFailure { .. }));
    assert!(exploration.entry_returns);
}

/// Adds `axiom (forall q :: f(q) == body(q))`.
fn define(b: &mut Builder, body: impl Fn(&mut Builder, FunId, TermId) -> TermId) -> FunId {
    let (sort, bound) = (b.int_sort, b.var("q"));
    let function = b.program.pool.declare_function("f", vec![sort], sort);
    let q = b.term(bound);
    let applied = b.program.pool.apply(function, &[q]);
    let body = body(b, function, q);
    let body = b.program.pool.eq(applied, body);
    let term = b.program.pool.quantifier_term(Quantifier {
        kind: QuantifierKind::Forall,
        bound: [bound].into(),
        triggers: [].into(),
        no_patterns: [].into(),
        body,
        weight: None,
    });
    b.program.axioms.push(lariat_ir::Axiom { term, span: None });
    function
}

#[test]
fn a_defined_function_has_its_value() {
    let mut b = Builder::new();
    let function = define(&mut b, |b, _, q| {
        let two = b.program.pool.int(2);
        b.program.pool.mul(two, q)
    });
    let [three, six] = [3, 6].map(|value| b.program.pool.int(value));
    let twice_three = b.program.pool.apply(function, &[three]);
    let right = b.program.pool.eq(twice_three, six);
    let wrong = b.program.pool.not(right);
    let (right, wrong) = (b.assert(right), b.assert(wrong));
    let good = straight(&mut b, vec![], vec![right]);
    let bad = straight(&mut b, vec![], vec![wrong]);
    assert_eq!(
        run(&b, good).verdict,
        ExploreVerdict::NoFailure { complete: true }
    );
    assert!(matches!(run(&b, bad).verdict, ExploreVerdict::Fails(_)));
}

#[test]
fn a_definition_without_end_is_given_up() {
    let mut b = Builder::new();
    let function = define(&mut b, |b, function, q| {
        let calls = [1, 2].map(|offset| {
            let offset = b.program.pool.int(offset);
            let argument = b.program.pool.add(&[q, offset]);
            b.program.pool.apply(function, &[argument])
        });
        b.program.pool.add(&calls)
    });
    let zero = b.program.pool.int(0);
    let applied = b.program.pool.apply(function, &[zero]);
    let condition = b.program.pool.eq(applied, zero);
    let check = b.assert(condition);
    let main = straight(&mut b, vec![], vec![check]);
    let exploration = run(&b, main);
    assert_eq!(exploration.verdict, ExploreVerdict::NoFailure { complete: false });
    assert!(exploration.given_up.is_some());
}

#[test]
fn what_cannot_be_executed_is_given_up_and_never_a_failure() {
    let mut b = Builder::new();
    let never = b.program.pool.bool(false);
    let check = b.assert(never);
    let StmtKind::Assert { assert, .. } = check else {
        unreachable!("an assert was built")
    };
    b.program.asserts[assert].kind = AssertKind::Unsupported("async call".into());
    let main = straight(&mut b, vec![], vec![check]);
    let exploration = run(&b, main);
    assert_eq!(exploration.verdict, ExploreVerdict::NoFailure { complete: false });
    assert_eq!(exploration.given_up.as_deref(), Some("async call"));
}

#[test]
fn a_havoc_forgets_the_value() {
    let mut b = Builder::new();
    let x = b.var("x");
    let one = b.program.pool.int(1);
    let is_one = b.equals(x, 1);
    let check = b.assert(is_one);
    let kinds = vec![
        assign(x, one),
        check.clone(),
        StmtKind::Havoc(smallvec![x]),
        check,
    ];
    let main = straight(&mut b, vec![x], kinds);
    assert!(matches!(run(&b, main).verdict, ExploreVerdict::Fails(_)));
}

#[test]
fn the_step_limit_is_kept() {
    let (b, main) = counting(1_000_000);
    let limits = ExploreLimits {
        loop_visits: u32::MAX,
        steps: 1_000,
        ..ExploreLimits::default()
    };
    let exploration = explore(
        &b.program,
        main,
        &Domains::default(),
        &limits,
        &Budget::unlimited(),
    );
    assert_eq!(exploration.verdict, ExploreVerdict::NoFailure { complete: false });
    assert!(exploration.given_up.is_some());
}
