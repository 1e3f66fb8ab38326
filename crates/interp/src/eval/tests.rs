use std::sync::Arc;

use lariat_term::{BvOp, Constructor, Field, Quantifier, Sort, TermPool};
use num_bigint::BigInt;

use super::*;
use crate::oracle::{NoOracle, Points, Recorder, TableOracle};

fn bv(value: i64, width: u32) -> Value {
    Value::Bv {
        value: value.into(),
        width,
    }
}

fn evaluate(pool: &TermPool, term: TermId, environment: &FxHashMap<VarId, Value>) -> EvalResult {
    Evaluator::new(pool).eval(term, environment, &mut NoOracle)
}

struct Ints {
    pool: TermPool,
    vars: [VarId; 2],
    terms: [TermId; 2],
}

fn two_ints() -> Ints {
    let mut pool = TermPool::new();
    let sort = pool.int_sort();
    let vars = [pool.declare_var("x", sort), pool.declare_var("y", sort)];
    let terms = vars.map(|var| pool.var(var));
    Ints { pool, vars, terms }
}

fn environment(ints: &Ints, x: i64, y: i64) -> FxHashMap<VarId, Value> {
    [(ints.vars[0], int(x)), (ints.vars[1], int(y))]
        .into_iter()
        .collect()
}

#[test]
fn division_agrees_with_the_folding_of_literals() {
    let mut ints = two_ints();
    let [x, y] = ints.terms;
    let (div, modulo) = (ints.pool.int_div(x, y), ints.pool.modulo(x, y));
    for a in -7..=7 {
        for b in [-3, -2, -1, 1, 2, 3] {
            let (la, lb) = (ints.pool.int(a), ints.pool.int(b));
            let (folded_div, folded_mod) = (ints.pool.int_div(la, lb), ints.pool.modulo(la, lb));
            let environment = environment(&ints, a, b);
            for (term, folded) in [(div, folded_div), (modulo, folded_mod)] {
                let expected = ints.pool.as_int(folded).cloned().expect("a literal");
                assert_eq!(
                    evaluate(&ints.pool, term, &environment),
                    Ok(int(expected)),
                    "{a} by {b}"
                );
            }
        }
    }
    let environment = environment(&ints, 1, 0);
    assert!(matches!(
        evaluate(&ints.pool, div, &environment),
        Err(EvalError::Oracle(_))
    ));
}

#[test]
fn a_junction_is_decided_by_what_has_a_value() {
    let mut ints = two_ints();
    let [x, y] = ints.terms;
    let zero = ints.pool.int(0);
    let by_zero = ints.pool.int_div(x, y);
    let is_positive = ints.pool.lt(zero, by_zero);
    let y_is_positive = ints.pool.lt(zero, y);
    let both = ints.pool.and(&[is_positive, y_is_positive]);
    assert_eq!(
        evaluate(&ints.pool, both, &environment(&ints, 1, 0)),
        Ok(Value::Bool(false))
    );
    let either = ints.pool.or(&[is_positive, y_is_positive]);
    assert!(evaluate(&ints.pool, either, &environment(&ints, 1, 0)).is_err());
    assert_eq!(
        evaluate(&ints.pool, either, &environment(&ints, 1, 1)),
        Ok(Value::Bool(true))
    );
    let unset = evaluate(&ints.pool, y_is_positive, &FxHashMap::default());
    assert_eq!(unset, Err(EvalError::Unset(ints.vars[1])));
}

#[test]
fn ite_evaluates_only_the_chosen_side() {
    let mut ints = two_ints();
    let [x, y] = ints.terms;
    let zero = ints.pool.int(0);
    let by_zero = ints.pool.int_div(x, y);
    let is_zero = ints.pool.eq(y, zero);
    let ite = ints.pool.ite(is_zero, x, by_zero);
    assert_eq!(evaluate(&ints.pool, ite, &environment(&ints, 6, 0)), Ok(int(6)));
    assert_eq!(evaluate(&ints.pool, ite, &environment(&ints, 6, 2)), Ok(int(3)));
}

#[test]
fn bit_vectors_wrap_and_compare() {
    let mut pool = TermPool::new();
    let sort = pool.bv_sort(8);
    let vars = [pool.declare_var("a", sort), pool.declare_var("b", sort)];
    let [a, b] = vars.map(|var| pool.var(var));
    let environment: FxHashMap<VarId, Value> = [(vars[0], bv(200, 8)), (vars[1], bv(100, 8))]
        .into_iter()
        .collect();
    let cases = [
        (BvOp::Add, bv(44, 8)),
        (BvOp::Concat, bv(200 * 256 + 100, 16)),
        (BvOp::Ult, Value::Bool(false)),
        (BvOp::Slt, Value::Bool(true)),
    ];
    for (op, expected) in cases {
        let term = pool.bv_op(op, &[a, b]);
        assert_eq!(evaluate(&pool, term, &environment), Ok(expected), "{op:?}");
    }
    let signed = pool.bv_op(BvOp::ToInt, &[a]);
    assert_eq!(evaluate(&pool, signed, &environment), Ok(int(-56)));
    let back = pool.bv_op(BvOp::FromInt(4), &[signed]);
    assert_eq!(evaluate(&pool, back, &environment), Ok(bv(8, 4)));
}

#[test]
fn maps_are_read_written_and_compared() {
    let mut ints = two_ints();
    let [x, y] = ints.terms;
    let int_sort = ints.pool.int_sort();
    let sort = ints.pool.array_sort(&[int_sort], int_sort);
    let zero = ints.pool.int(0);
    let empty = ints.pool.const_array(sort, zero);
    let written = ints.pool.store(empty, &[x], y);
    let read = ints.pool.select(written, &[y]);
    assert_eq!(evaluate(&ints.pool, read, &environment(&ints, 3, 3)), Ok(int(3)));
    assert_eq!(evaluate(&ints.pool, read, &environment(&ints, 3, 4)), Ok(int(0)));
    let unchanged = ints.pool.eq(written, empty);
    assert_eq!(
        evaluate(&ints.pool, unchanged, &environment(&ints, 3, 0)),
        Ok(Value::Bool(true))
    );
    assert_eq!(
        evaluate(&ints.pool, unchanged, &environment(&ints, 3, 1)),
        Ok(Value::Bool(false))
    );
}

#[test]
fn maps_over_booleans_are_equal_by_their_elements() {
    let mut pool = TermPool::new();
    let (bool_sort, int_sort) = (pool.bool_sort(), pool.int_sort());
    let sort = pool.array_sort(&[bool_sort], int_sort);
    let mut listed = MapValue::constant(sort, int(0));
    listed.set(vec![Value::Bool(false)], int(1));
    let half = Value::Map(Arc::new(listed.clone()));
    listed.set(vec![Value::Bool(true)], int(1));
    let listed = Value::Map(Arc::new(listed));
    let constant = Value::Map(Arc::new(MapValue::constant(sort, int(1))));
    assert!(values_equal(&pool, &listed, &constant));
    assert!(!values_equal(&pool, &half, &constant));
}

#[test]
fn selectors_and_testers() {
    let mut pool = TermPool::new();
    let int_sort = pool.int_sort();
    let option = pool.declare_datatype("Option");
    let sort = pool.sort_id(Sort::Datatype(option));
    let constructors = vec![
        Constructor {
            name: "None".into(),
            fields: vec![],
        },
        Constructor {
            name: "Some".into(),
            fields: vec![Field {
                name: "value".into(),
                sort: int_sort,
            }],
        },
    ];
    pool.define_datatype(option, constructors);
    let var = pool.declare_var("o", sort);
    let o = pool.var(var);
    let field = pool.field(option, 1, 0, o);
    let is_some = pool.is_constructor(option, 1, o);
    let none = Value::Datatype {
        datatype: option,
        constructor: 0,
        fields: vec![],
    };
    let some = Value::Datatype {
        datatype: option,
        constructor: 1,
        fields: vec![int(4)],
    };
    let with = |value: &Value| [(var, value.clone())].into_iter().collect::<FxHashMap<_, _>>();
    assert_eq!(evaluate(&pool, field, &with(&some)), Ok(int(4)));
    assert_eq!(evaluate(&pool, is_some, &with(&some)), Ok(Value::Bool(true)));
    assert_eq!(evaluate(&pool, is_some, &with(&none)), Ok(Value::Bool(false)));
    assert!(matches!(
        evaluate(&pool, field, &with(&none)),
        Err(EvalError::Oracle(_))
    ));
    let mut oracle = TableOracle::default();
    oracle
        .partials
        .insert((pool.op(field), vec![none.clone()]), int(9));
    let value = Evaluator::new(&pool).eval(field, &with(&none), &mut oracle);
    assert_eq!(value, Ok(int(9)));
}

#[test]
fn functions_come_from_the_oracle_and_are_recorded() {
    let mut ints = two_ints();
    let [x, y] = ints.terms;
    let sort = ints.pool.int_sort();
    let function = ints.pool.declare_function("f", vec![sort], sort);
    let (fx, fy) = (ints.pool.apply(function, &[x]), ints.pool.apply(function, &[y]));
    let sum = ints.pool.add(&[fx, fy]);
    let mut table = TableOracle::default();
    table.functions.insert((function, vec![int(1)]), int(10));
    table.function_defaults.insert(function, int(7));
    let mut recorder = Recorder::new(&ints.pool, &mut table);
    let mut evaluator = Evaluator::new(&ints.pool);
    assert_eq!(
        evaluator.eval(sum, &environment(&ints, 1, 2), &mut recorder),
        Ok(int(17))
    );
    assert_eq!(
        evaluator.eval(sum, &environment(&ints, 1, 1), &mut recorder),
        Ok(int(20))
    );
    let Points { applications, .. } = recorder.into_points();
    let recorded: Vec<_> = applications.into_iter().collect();
    assert_eq!(
        recorded,
        vec![
            ((function, vec![int(1)]), int(10)),
            ((function, vec![int(2)]), int(7))
        ]
    );
}

#[test]
fn small_quantifiers_are_decided_by_their_instances() {
    let mut pool = TermPool::new();
    let sort = pool.bv_sort(3);
    let (bound, free) = (pool.declare_var("q", sort), pool.declare_var("x", sort));
    let (q, x) = (pool.var(bound), pool.var(free));
    let body = pool.bv_op(BvOp::Ule, &[q, x]);
    let mut quantifier = |kind, body| {
        pool.quantifier_term(Quantifier {
            kind,
            bound: [bound].into(),
            triggers: [].into(),
            no_patterns: [].into(),
            body,
            weight: None,
        })
    };
    let forall = quantifier(QuantifierKind::Forall, body);
    let exists = quantifier(QuantifierKind::Exists, body);
    let with = |value| [(free, bv(value, 3))].into_iter().collect::<FxHashMap<_, _>>();
    assert_eq!(evaluate(&pool, forall, &with(7)), Ok(Value::Bool(true)));
    assert_eq!(evaluate(&pool, forall, &with(6)), Ok(Value::Bool(false)));
    assert_eq!(evaluate(&pool, exists, &with(0)), Ok(Value::Bool(true)));
}

#[test]
fn powers() {
    let mut pool = TermPool::new();
    let sort = pool.sort_id(Sort::Real);
    let vars = [pool.declare_var("a", sort), pool.declare_var("b", sort)];
    let [a, b] = vars.map(|var| pool.var(var));
    let term = pool.pow(a, b);
    let number = |n: i64, d: i64| BigRational::new(n.into(), d.into());
    let power = |a: BigRational, b: BigRational| {
        let environment = [(vars[0], real(a)), (vars[1], real(b))].into_iter().collect();
        evaluate(&pool, term, &environment)
    };
    assert_eq!(power(number(2, 3), number(3, 1)), Ok(real(number(8, 27))));
    assert_eq!(power(number(2, 1), number(-2, 1)), Ok(real(number(1, 4))));
    assert_eq!(
        power(number(-1, 1), number(1_000_000_000_001, 1)),
        Ok(real(number(-1, 1)))
    );
    assert_eq!(power(number(-1, 1), number(0, 1)), Ok(real(number(1, 1))));
    assert!(matches!(
        power(number(2, 1), number(1, 2)),
        Err(EvalError::Oracle(_))
    ));
    assert!(matches!(
        power(number(0, 1), number(0, 1)),
        Err(EvalError::Oracle(_))
    ));
    assert!(matches!(
        power(number(3, 1), number(1 << 40, 1)),
        Err(EvalError::Impossible(_))
    ));
}

#[test]
fn deep_terms_and_deep_values_do_not_overflow_the_stack() {
    let mut ints = two_ints();
    let sort = ints.pool.int_sort();
    let function = ints.pool.declare_function("f", vec![sort], sort);
    let mut term = ints.terms[0];
    for _ in 0..200_000 {
        term = ints.pool.apply(function, &[term]);
    }
    let mut oracle = TableOracle::default();
    oracle.function_defaults.insert(function, int(3));
    let value = Evaluator::new(&ints.pool).eval(term, &environment(&ints, 0, 0), &mut oracle);
    assert_eq!(value, Ok(int(3)));

    let nat = ints.pool.declare_datatype("Nat");
    let sort = ints.pool.sort_id(Sort::Datatype(nat));
    let constructors = vec![
        Constructor {
            name: "Zero".into(),
            fields: vec![],
        },
        Constructor {
            name: "Succ".into(),
            fields: vec![Field {
                name: "pred".into(),
                sort,
            }],
        },
    ];
    ints.pool.define_datatype(nat, constructors);
    let mut term = ints.pool.construct(nat, 0, &[]);
    for _ in 0..100_000 {
        term = ints.pool.construct(nat, 1, &[term]);
    }
    assert!(matches!(
        evaluate(&ints.pool, term, &FxHashMap::default()),
        Err(EvalError::Impossible(_))
    ));
}

#[test]
fn all_patterns_of_not_a_number_are_one_value() {
    let float = |bits: i64| {
        canonical(Value::Float {
            bits: BigInt::from(bits),
            significand: 24,
            exponent: 8,
        })
    };
    assert_eq!(float(0x7fc0_0000), float(0xffff_ffff));
    assert_ne!(float(0x7f80_0000), float(0xff80_0000));
    assert_ne!(float(0x3f80_0000), float(0x3f80_0001));
}
