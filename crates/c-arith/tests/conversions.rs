//! Integer conversions, overflow conditions and pointer arithmetic against the processor's.

mod support;

use lariat_c_arith::{Range, Value};
use lariat_c_program::{BinaryOp, Scalar};
use lariat_term::{TermPool, Value as TermValue};
use num_bigint::BigInt;
use num_traits::One;
use support::*;

fn scalars() -> Vec<Scalar> {
    let mut scalars = types();
    scalars.extend([Scalar::Bool, Scalar::Pointer]);
    scalars
}

#[test]
fn all_pairs_of_types() {
    let mut random = Random::new(10);
    for arith in EXACT {
        for from in scalars() {
            for to in scalars() {
                let mut pool = TermPool::new();
                let (a, v) = operand(arith, &mut pool, "a", from);
                let result = arith.convert(&mut pool, from, to, &v);
                let mut samples = boundary(from);
                samples.extend((0..20).map(|_| random.within(&bounds(from))));
                for x in samples {
                    let expected = native_convert(from, to, &x);
                    let inputs = [(a, concrete(arith, from, &x))];
                    let found = number(to, &evaluate(&pool, result.term, &inputs));
                    check_range(to, &result, &found, &|| format!("{x} from {from:?} to {to:?}"));
                    assert_eq!(found, expected, "{x} from {from:?} to {to:?}");
                    let mut pool = TermPool::new();
                    let literal = arith.int(&mut pool, from, &x);
                    let folded = arith.convert(&mut pool, from, to, &literal);
                    assert!(pool.is_value(folded.term), "{}", pool.term_text(folded.term));
                    assert_eq!(number(to, &evaluate(&pool, folded.term, &[])), expected);
                    let mut pool = TermPool::new();
                    let direct = arith.int(&mut pool, to, &x);
                    assert_eq!(number(to, &evaluate(&pool, direct.term, &[])), expected);
                }
            }
        }
    }
}

#[test]
fn with_ranges() {
    let mut random = Random::new(11);
    for _ in 0..6000 {
        let (from, to) = (random.pick(&scalars()), random.pick(&scalars()));
        let range = random.range(from);
        let range = range.is_within(&bounds(from)).then_some(range);
        let range = range.unwrap_or_else(|| bounds(from));
        let mut pool = TermPool::new();
        let (a, v) = operand(WRAPPED, &mut pool, "a", from);
        let v = Value {
            range: Some(range.clone()),
            ..v
        };
        let result = WRAPPED.convert(&mut pool, from, to, &v);
        for _ in 0..6 {
            let x = random.within(&range);
            let found = evaluate(&pool, result.term, &[(a, TermValue::Int(x.clone()))]);
            let found = number(to, &found);
            let context = || format!("{x} from {from:?} to {to:?} by {}", pool.term_text(result.term));
            check_range(to, &result, &found, &context);
            assert_eq!(found, native_convert(from, to, &x), "{}", context());
        }
    }
}

/// With mathematical integers wide types keep their value, literals and narrow types are exact.
#[test]
fn of_mathematical_integers() {
    let (wide, unsigned) = (int(32, true), int(64, false));
    let mut pool = TermPool::new();
    let (a, v) = operand(MATH, &mut pool, "a", wide);
    assert_eq!(MATH.convert(&mut pool, wide, unsigned, &v).term, v.term);
    let minus_one = MATH.int(&mut pool, wide, &BigInt::from(-1));
    let converted = MATH.convert(&mut pool, wide, unsigned, &minus_one);
    assert_eq!(pool.as_int(converted.term), Some(&BigInt::from(u64::MAX)));
    let byte = MATH.convert(&mut pool, wide, int(8, true), &v);
    let found = evaluate(&pool, byte.term, &[(a, TermValue::Int(BigInt::from(1_000_200)))]);
    assert_eq!(found, TermValue::Int(BigInt::from(1_000_200_i32 as i8)));
}

/// A condition at concrete operands; none means that it cannot hold.
fn holds(
    pool: &TermPool,
    condition: Option<lariat_term::TermId>,
    inputs: &[(lariat_term::VarId, TermValue)],
) -> bool {
    condition.is_some_and(|condition| evaluate(pool, condition, inputs) == TermValue::Bool(true))
}

#[test]
fn overflow() {
    let mut random = Random::new(12);
    let signed: Vec<Scalar> = types().into_iter().filter(|&ty| layout(ty).1).collect();
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for _ in 0..1500 {
            let ty = random.pick(&signed);
            let (left_range, mut right_range) = (random.range(ty), random.range(ty));
            for op in BINARY {
                if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                    let last = random.below(layout(ty).0 as usize);
                    let first = random.below(last + 1);
                    right_range = Range {
                        lo: BigInt::from(first),
                        hi: BigInt::from(last),
                    };
                }
                let mut pool = TermPool::new();
                let (a, mut left) = operand(arith, &mut pool, "a", ty);
                let (b, mut right) = operand(arith, &mut pool, "b", ty);
                for (value, range) in [(&mut left, &left_range), (&mut right, &right_range)] {
                    if let Some(point) = range.as_point() {
                        *value = arith.int(&mut pool, ty, point);
                    } else if value.range.is_some() {
                        value.range = Some(range.clone());
                    }
                }
                let condition = arith.overflows(&mut pool, op, ty, &left, &right, ty);
                for _ in 0..5 {
                    let (x, y) = (random.within(&left_range), random.within(&right_range));
                    let inputs = [(a, concrete(arith, ty, &x)), (b, concrete(arith, ty, &y))];
                    let expected = native_overflow(op, ty, &x, &y);
                    let found = holds(&pool, condition, &inputs);
                    assert_eq!(found, expected, "{x} {op:?} {y} of {ty:?} by {arith:?}");
                }
            }
        }
    }
}

/// All pairs of bytes, so that no corner is missed.
#[test]
fn overflow_of_bytes() {
    let ty = int(8, true);
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for op in BINARY {
            let mut pool = TermPool::new();
            let (a, left) = operand(arith, &mut pool, "a", ty);
            let (b, right) = operand(arith, &mut pool, "b", ty);
            let condition = arith.overflows(&mut pool, op, ty, &left, &right, ty);
            let amounts = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                0..8
            } else {
                -128..128
            };
            for x in (-128..128).map(BigInt::from) {
                for y in amounts.clone().map(BigInt::from) {
                    let inputs = [(a, concrete(arith, ty, &x)), (b, concrete(arith, ty, &y))];
                    let found = holds(&pool, condition, &inputs);
                    assert_eq!(
                        found,
                        native_overflow(op, ty, &x, &y),
                        "{x} {op:?} {y} by {arith:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn negation_and_shift_amounts() {
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for ty in types() {
            let mut pool = TermPool::new();
            let (a, v) = operand(arith, &mut pool, "a", ty);
            let negation = arith.negation_overflows(&mut pool, ty, &v);
            let left = int(32, true);
            let amount = arith.shift_out_of_range(&mut pool, left, &v, ty);
            for x in boundary(ty) {
                let inputs = [(a, concrete(arith, ty, &x))];
                let lowest = layout(ty).1 && x == bounds(ty).lo;
                assert_eq!(holds(&pool, negation, &inputs), lowest, "-{x} of {ty:?}");
                let outside = x < BigInt::ZERO || x >= BigInt::from(32);
                assert_eq!(holds(&pool, amount, &inputs), outside, "<< {x} of {ty:?}");
            }
        }
        let mut pool = TermPool::new();
        let three = arith.int(&mut pool, int(32, true), &BigInt::from(3));
        assert_eq!(
            arith.shift_out_of_range(&mut pool, int(32, true), &three, int(32, true)),
            None
        );
        let unsigned = int(32, false);
        let (_, v) = operand(arith, &mut pool, "a", unsigned);
        assert_eq!(
            arith.overflows(&mut pool, BinaryOp::Add, unsigned, &v, &v, unsigned),
            None
        );
        assert_eq!(arith.negation_overflows(&mut pool, unsigned, &v), None);
    }
}

#[test]
fn pointers_inside_an_object() {
    let mut random = Random::new(13);
    let index_types = [
        int(32, true),
        int(32, false),
        int(64, true),
        int(64, false),
        int(8, true),
    ];
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for _ in 0..400 {
            let index_ty = random.pick(&index_types);
            let size = BigInt::from(random.pick(&[1_u32, 2, 3, 4, 8, 12, 40]));
            let subtract = random.below(2) == 0;
            let mut pool = TermPool::new();
            let (p, pointer) = operand(arith, &mut pool, "p", Scalar::Pointer);
            let (i, index) = operand(arith, &mut pool, "i", index_ty);
            let moved = arith.pointer_add(&mut pool, &pointer, &index, index_ty, &size, subtract);
            let difference = int(64, true);
            let back = arith.pointer_difference(&mut pool, &moved, &pointer, &size, difference);
            for _ in 0..5 {
                let base = BigInt::from(random.below(1 << 40)) + (BigInt::one() << 41);
                let small = Range {
                    lo: BigInt::from(-100),
                    hi: BigInt::from(100),
                };
                let count = random.within(&small);
                let count = if bounds(index_ty).contains(&count) {
                    count
                } else {
                    -count
                };
                let inputs = [
                    (p, concrete(arith, Scalar::Pointer, &base)),
                    (i, concrete(arith, index_ty, &count)),
                ];
                let offset = if subtract { -&count } else { count.clone() };
                let found = number(Scalar::Pointer, &evaluate(&pool, moved.term, &inputs));
                assert_eq!(found, &base + &offset * &size);
                let found = number(difference, &evaluate(&pool, back.term, &inputs));
                assert_eq!(found, offset, "by {size} with {arith:?}");
            }
        }
    }
}
