//! Integer operators against the processor's, by the interpreter's evaluator.

mod support;

use lariat_c_arith::{Arith, Value};
use lariat_c_program::{BinaryOp, CompareOp, Scalar, UnaryOp};
use lariat_interp::{Evaluator, NoOracle};
use lariat_term::{TermPool, Value as TermValue, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use support::*;

/// All pairs of 8-bit values, both operands variables.
#[test]
fn all_pairs_of_bytes() {
    for arith in EXACT {
        for ty in [int(8, true), int(8, false)] {
            for op in BINARY {
                let mut pool = TermPool::new();
                let (a, left) = operand(arith, &mut pool, "a", ty);
                let (b, right) = operand(arith, &mut pool, "b", ty);
                let result = arith.binary(&mut pool, op, ty, &left, &right, ty);
                let mut evaluator = Evaluator::new(&pool);
                let mut environment: FxHashMap<VarId, TermValue> = FxHashMap::default();
                for x in values(ty) {
                    environment.insert(a, concrete(arith, ty, &x));
                    for y in values(ty) {
                        environment.insert(b, concrete(arith, ty, &y));
                        let found = evaluator
                            .eval(result.term, &environment, &mut NoOracle)
                            .unwrap_or_else(|error| panic!("{op:?}: {}", error.text(&pool)));
                        let found = number(ty, &found);
                        let context = || format!("{x} {op:?} {y} by {arith:?}");
                        check_range(ty, &result, &found, &context);
                        if let Some(expected) = native_binary(op, ty, &x, &y) {
                            assert_eq!(found, expected, "{}", context());
                        }
                    }
                }
            }
        }
    }
}

/// All pairs of 8-bit values, one operand a literal.
#[test]
fn all_bytes_with_all_literals() {
    for arith in EXACT {
        for ty in [int(8, true), int(8, false)] {
            for op in BINARY {
                for literal_right in [true, false] {
                    let commutes = matches!(
                        op,
                        BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
                    );
                    if !literal_right && commutes {
                        continue;
                    }
                    for y in values(ty) {
                        let mut pool = TermPool::new();
                        let (a, v) = operand(arith, &mut pool, "a", ty);
                        let literal = arith.int(&mut pool, ty, &y);
                        let (left, right) = if literal_right {
                            (&v, &literal)
                        } else {
                            (&literal, &v)
                        };
                        let result = arith.binary(&mut pool, op, ty, left, right, ty);
                        let mut evaluator = Evaluator::new(&pool);
                        for x in values(ty) {
                            let environment: FxHashMap<VarId, TermValue> =
                                [(a, concrete(arith, ty, &x))].into_iter().collect();
                            let found = evaluator
                                .eval(result.term, &environment, &mut NoOracle)
                                .unwrap_or_else(|error| panic!("{op:?}: {}", error.text(&pool)));
                            let found = number(ty, &found);
                            let (x, y) = if literal_right { (&x, &y) } else { (&y, &x) };
                            let context = || format!("{x} {op:?} {y} by {}", pool.term_text(result.term));
                            check_range(ty, &result, &found, &context);
                            if let Some(expected) = native_binary(op, ty, x, y) {
                                assert_eq!(found, expected, "{}", context());
                            }
                        }
                    }
                }
            }
        }
    }
}

fn values(ty: Scalar) -> impl Iterator<Item = BigInt> {
    let range = bounds(ty);
    let (lo, hi) = (i64::try_from(range.lo), i64::try_from(range.hi));
    (lo.expect("a small type")..=hi.expect("a small type")).map(BigInt::from)
}

struct Case {
    ty: Scalar,
    right_ty: Scalar,
    left: lariat_c_arith::Range,
    right: lariat_c_arith::Range,
}

/// A variable that is known to be in the range, or the literal if the range is one number.
fn ranged(
    arith: Arith,
    pool: &mut TermPool,
    name: &str,
    ty: Scalar,
    range: &lariat_c_arith::Range,
) -> (VarId, Value) {
    let (var, mut value) = operand(arith, pool, name, ty);
    if let Some(point) = range.as_point() {
        value = arith.int(pool, ty, point);
    } else if value.range.is_some() {
        value.range = Some(range.clone());
    }
    (var, value)
}

fn cases(random: &mut Random, count: usize) -> Vec<Case> {
    let types = types();
    (0..count)
        .map(|_| {
            let ty = random.pick(&types);
            let right_ty = random.pick(&types);
            Case {
                ty,
                right_ty,
                left: random.range(ty),
                right: random.range(ty),
            }
        })
        .collect()
}

/// Random types, ranges, literals and values.
#[test]
fn operators_with_ranges() {
    let mut random = Random::new(1);
    for arith in EXACT {
        for case in cases(&mut random, 1500) {
            for op in BINARY {
                let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
                let right_ty = if shifts { case.right_ty } else { case.ty };
                let right_range = if shifts && random.below(3) > 0 {
                    let ends = [0, 1, 2, 5, layout(case.ty).0 - 1, layout(case.ty).0];
                    let (a, b) = (random.pick(&ends), random.pick(&ends));
                    lariat_c_arith::Range {
                        lo: BigInt::from(a.min(b)),
                        hi: BigInt::from(a.max(b)),
                    }
                } else if shifts {
                    random.range(right_ty)
                } else {
                    case.right.clone()
                };
                let mut pool = TermPool::new();
                let (a, left) = ranged(arith, &mut pool, "a", case.ty, &case.left);
                let (b, right) = ranged(arith, &mut pool, "b", right_ty, &right_range);
                let result = arith.binary(&mut pool, op, case.ty, &left, &right, right_ty);
                for _ in 0..6 {
                    let (x, y) = (random.within(&case.left), random.within(&right_range));
                    let inputs = [
                        (a, concrete(arith, case.ty, &x)),
                        (b, concrete(arith, right_ty, &y)),
                    ];
                    let found = number(case.ty, &evaluate(&pool, result.term, &inputs));
                    let context = || {
                        format!(
                            "{x} {op:?} {y} of {:?} by {}",
                            case.ty,
                            pool.term_text(result.term)
                        )
                    };
                    check_range(case.ty, &result, &found, &context);
                    if let Some(expected) = native_binary(op, case.ty, &x, &y) {
                        assert_eq!(found, expected, "{}", context());
                    }
                }
            }
        }
    }
}

/// Literals at the boundaries fold to literals.
#[test]
fn operators_on_literals_fold() {
    for arith in EXACT {
        for ty in types() {
            for x in boundary(ty) {
                for y in boundary(ty) {
                    for op in BINARY {
                        let mut pool = TermPool::new();
                        let (left, right) = (arith.int(&mut pool, ty, &x), arith.int(&mut pool, ty, &y));
                        let result = arith.binary(&mut pool, op, ty, &left, &right, ty);
                        assert!(pool.is_value(result.term), "{}", pool.term_text(result.term));
                        let found = number(ty, &evaluate(&pool, result.term, &[]));
                        let context = || format!("{x} {op:?} {y} of {ty:?}");
                        check_range(ty, &result, &found, &context);
                        if let Some(expected) = native_binary(op, ty, &x, &y) {
                            assert_eq!(found, expected, "{}", context());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn unary_operators() {
    let mut random = Random::new(2);
    for arith in EXACT {
        for ty in types() {
            let mut samples = boundary(ty);
            samples.extend((0..20).map(|_| random.within(&bounds(ty))));
            for op in [UnaryOp::Neg, UnaryOp::BitNot] {
                let mut pool = TermPool::new();
                let (a, v) = operand(arith, &mut pool, "a", ty);
                let result = arith.unary(&mut pool, op, ty, &v);
                for x in &samples {
                    let zero = BigInt::ZERO;
                    let expected = match op {
                        UnaryOp::Neg => native_binary(BinaryOp::Sub, ty, &zero, x),
                        UnaryOp::BitNot => {
                            let ones = native_convert(int(8, true), ty, &BigInt::from(-1));
                            native_binary(BinaryOp::BitXor, ty, &ones, x)
                        }
                    };
                    let found = number(ty, &evaluate(&pool, result.term, &[(a, concrete(arith, ty, x))]));
                    check_range(ty, &result, &found, &|| format!("{op:?} {x}"));
                    assert_eq!(Some(&found), expected.as_ref(), "{op:?} {x} of {ty:?}");
                    let mut pool = TermPool::new();
                    let literal = arith.int(&mut pool, ty, x);
                    let folded = arith.unary(&mut pool, op, ty, &literal);
                    assert!(pool.is_value(folded.term));
                    assert_eq!(number(ty, &evaluate(&pool, folded.term, &[])), found);
                }
            }
        }
    }
}

/// C leaves it open; here it is the same in both representations.
#[test]
fn shifts_by_amounts_outside_of_the_width() {
    let amounts = [-1_i64, 32, 33, 64, 1 << 32, 1 << 40].map(BigInt::from);
    let amount_ty = int(64, true);
    for arith in EXACT {
        for ty in [int(32, true), int(32, false)] {
            for (op, x, expected) in [
                (BinaryOp::Shl, 5, 0),
                (BinaryOp::Shr, 5, 0),
                (BinaryOp::Shr, -5, if layout(ty).1 { -1 } else { 0 }),
            ] {
                let x = native_convert(int(64, true), ty, &BigInt::from(x));
                let mut pool = TermPool::new();
                let (a, v) = operand(arith, &mut pool, "a", ty);
                let (b, amount) = operand(arith, &mut pool, "b", amount_ty);
                let result = arith.binary(&mut pool, op, ty, &v, &amount, amount_ty);
                for y in &amounts {
                    let inputs = [(a, concrete(arith, ty, &x)), (b, concrete(arith, amount_ty, y))];
                    let found = number(ty, &evaluate(&pool, result.term, &inputs));
                    assert_eq!(found, BigInt::from(expected), "{x} {op:?} {y}");
                }
            }
        }
    }
}

/// Operators on `_Bool` stay inside it.
#[test]
fn operators_on_bool() {
    for arith in EXACT {
        for op in BINARY {
            let mut pool = TermPool::new();
            let (a, left) = operand(arith, &mut pool, "a", Scalar::Bool);
            let (b, right) = operand(arith, &mut pool, "b", Scalar::Bool);
            let result = arith.binary(&mut pool, op, Scalar::Bool, &left, &right, Scalar::Bool);
            for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (x, y) = (BigInt::from(x), BigInt::from(y));
                let inputs =
                    [(a, &x), (b, &y)].map(|(var, value)| (var, concrete(arith, Scalar::Bool, value)));
                let found = number(Scalar::Bool, &evaluate(&pool, result.term, &inputs));
                check_range(Scalar::Bool, &result, &found, &|| format!("{x} {op:?} {y}"));
                if let Some(expected) = native_binary(op, int(8, false), &x, &y) {
                    let expected = native_convert(int(8, false), Scalar::Bool, &expected);
                    assert_eq!(found, expected, "{x} {op:?} {y}");
                }
            }
        }
    }
}

fn native_compare(op: CompareOp, a: &BigInt, b: &BigInt) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

#[test]
fn comparisons_with_ranges() {
    let mut random = Random::new(3);
    let mut scalars = types();
    scalars.push(Scalar::Pointer);
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for _ in 0..1500 {
            let ty = random.pick(&scalars);
            let ranges = [random.range(ty), random.range(ty)];
            for op in COMPARE {
                let mut pool = TermPool::new();
                let (a, left) = ranged(arith, &mut pool, "a", ty, &ranges[0]);
                let (b, right) = ranged(arith, &mut pool, "b", ty, &ranges[1]);
                let result = arith.compare(&mut pool, op, ty, &left, &right);
                for _ in 0..4 {
                    let (x, y) = (random.within(&ranges[0]), random.within(&ranges[1]));
                    let inputs = [(a, concrete(arith, ty, &x)), (b, concrete(arith, ty, &y))];
                    let found = evaluate(&pool, result, &inputs);
                    let expected = TermValue::Bool(native_compare(op, &x, &y));
                    assert_eq!(found, expected, "{x} {op:?} {y} of {ty:?}");
                }
            }
        }
    }
}

#[test]
fn a_truth_value_as_an_integer_is_the_truth_value() {
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        let ty = int(32, true);
        let mut pool = TermPool::new();
        let (_, a) = operand(arith, &mut pool, "a", ty);
        let (_, b) = operand(arith, &mut pool, "b", ty);
        let less = arith.compare(&mut pool, CompareOp::Lt, ty, &a, &b);
        let number = arith.of_truth(&mut pool, ty, less);
        assert_eq!(arith.truth(&mut pool, ty, &number), less);
        let again = arith.of_truth(&mut pool, Scalar::Bool, less);
        let promoted = arith.convert(&mut pool, Scalar::Bool, ty, &again);
        let zero = arith.int(&mut pool, ty, &BigInt::ZERO);
        let is_zero = arith.compare(&mut pool, CompareOp::Eq, ty, &number, &zero);
        assert_eq!(is_zero, pool.not(less));
        if arith.integers != lariat_c_arith::IntegerForm::BitVectors {
            assert_eq!(arith.truth(&mut pool, ty, &promoted), less);
        }
    }
}

/// What `in_type` says is what the type holds.
#[test]
fn values_are_in_their_type() {
    let mut scalars = types();
    scalars.extend([Scalar::Bool, Scalar::Pointer]);
    for arith in [WRAPPED, MATH] {
        for &ty in &scalars {
            let mut pool = TermPool::new();
            let (a, v) = operand(arith, &mut pool, "a", ty);
            let condition = arith
                .in_type(&mut pool, ty, v.term)
                .expect("integers are bounded");
            let range = bounds(ty);
            for (value, expected) in [
                (&range.lo - 1, false),
                (range.lo.clone(), true),
                (range.hi.clone(), true),
                (&range.hi + 1, false),
            ] {
                let found = evaluate(&pool, condition, &[(a, TermValue::Int(value))]);
                assert_eq!(found, TermValue::Bool(expected), "{ty:?}");
            }
        }
    }
    let mut pool = TermPool::new();
    let (a, v) = operand(BIT_VECTOR, &mut pool, "a", Scalar::Bool);
    let condition = BIT_VECTOR.in_type(&mut pool, Scalar::Bool, v.term);
    let condition = condition.expect("a byte may be no `_Bool`");
    for (value, expected) in [(0, true), (1, true), (2, false), (255, false)] {
        let found = evaluate(
            &pool,
            condition,
            &[(a, concrete(BIT_VECTOR, int(8, false), &value.into()))],
        );
        assert_eq!(found, TermValue::Bool(expected));
    }
}

/// Without wrap-around the operators on wide types are the mathematical ones, and narrow types stay exact.
#[test]
fn mathematical_integers() {
    let mut random = Random::new(4);
    for ty in [int(32, true), int(32, false), int(64, true), int(64, false)] {
        let range = bounds(ty);
        for _ in 0..300 {
            let (x, y) = (random.within(&range), random.within(&range));
            for (op, expected) in [
                (BinaryOp::Add, &x + &y),
                (BinaryOp::Sub, &x - &y),
                (BinaryOp::Mul, &x * &y),
            ] {
                let mut pool = TermPool::new();
                let (a, left) = operand(MATH, &mut pool, "a", ty);
                let (b, right) = operand(MATH, &mut pool, "b", ty);
                let result = MATH.binary(&mut pool, op, ty, &left, &right, ty);
                let inputs = [(a, TermValue::Int(x.clone())), (b, TermValue::Int(y.clone()))];
                assert_eq!(
                    evaluate(&pool, result.term, &inputs),
                    TermValue::Int(expected.clone())
                );
                assert_eq!(result.range, None);
                let narrow = int(16, true);
                let narrowed = MATH.convert(&mut pool, ty, narrow, &result);
                let found = number(narrow, &evaluate(&pool, narrowed.term, &inputs));
                let wrapped = native_binary(op, ty, &x, &y).expect("always defined");
                assert_eq!(found, native_convert(ty, narrow, &wrapped));
            }
            for op in [
                BinaryOp::Div,
                BinaryOp::Rem,
                BinaryOp::BitAnd,
                BinaryOp::BitOr,
                BinaryOp::BitXor,
            ] {
                let mut pool = TermPool::new();
                let (a, left) = operand(MATH, &mut pool, "a", ty);
                let (b, right) = operand(MATH, &mut pool, "b", ty);
                let result = MATH.binary(&mut pool, op, ty, &left, &right, ty);
                let inputs = [(a, TermValue::Int(x.clone())), (b, TermValue::Int(y.clone()))];
                if let Some(expected) = native_binary(op, ty, &x, &y) {
                    assert_eq!(evaluate(&pool, result.term, &inputs), TermValue::Int(expected));
                }
            }
        }
    }
}

/// The terms stay linear where they can.
#[test]
fn terms_for_a_linear_solver() {
    let ty = int(32, true);
    let unsigned = int(32, false);
    let mut pool = TermPool::new();
    let sort = pool.int_sort();
    let var = pool.declare_var("x", sort);
    let x = pool.var(var);
    let (signed_x, unsigned_x) = (WRAPPED.value(x, ty), WRAPPED.value(x, unsigned));
    let mut text = |op, ty, v: &Value, literal: i64| {
        let literal = WRAPPED.int(&mut pool, ty, &BigInt::from(literal));
        let result = WRAPPED.binary(&mut pool, op, ty, v, &literal, ty);
        pool.term_text(result.term)
    };
    assert_eq!(
        text(BinaryOp::Add, ty, &signed_x, 1),
        "(ite (< (+ x 1) 2147483648) (+ x 1) (- 2147483648))"
    );
    assert_eq!(
        text(BinaryOp::Sub, unsigned, &unsigned_x, 1),
        "(ite (< (+ x (- 1)) 0) 4294967295 (+ x (- 1)))"
    );
    assert_eq!(text(BinaryOp::BitAnd, ty, &signed_x, 7), "(mod x 8)");
    assert_eq!(
        text(BinaryOp::BitAnd, unsigned, &unsigned_x, 1 << 31),
        "(ite (<= 2147483648 x) 2147483648 0)"
    );
    assert_eq!(text(BinaryOp::Shr, ty, &signed_x, 4), "(div x 16)");
    assert_eq!(text(BinaryOp::Div, unsigned, &unsigned_x, 10), "(div x 10)");
    assert_eq!(text(BinaryOp::BitXor, ty, &signed_x, -1), "(+ (* (- 1) x) (- 1))");
    let byte = WRAPPED.convert(&mut pool, unsigned, int(8, false), &unsigned_x);
    let high = WRAPPED.int(&mut pool, ty, &BigInt::from(8));
    let shifted = WRAPPED.binary(&mut pool, BinaryOp::Shl, ty, &byte, &high, ty);
    let both = WRAPPED.binary(&mut pool, BinaryOp::BitOr, ty, &shifted, &byte, ty);
    assert_eq!(pool.term_text(both.term), "(+ (* 256 (mod x 256)) (mod x 256))");
}
