//! Shifts of integers.
//!
//! Invariants: an amount that is negative or not below the width gives 0, or -1 for a right shift of a negative value, as
//! the bit-vector operators do; few possible amounts, or a literal to be shifted, become a case distinction.

use lariat_term::{BvOp, TermId, TermPool};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::range::Range;
use crate::wrapped::{either, known, literal, shift_down, shift_up, wrap};
use crate::{Shape, Value, bridge};

/// A shift of a variable by more possible amounts goes through bit-vectors.
const MAX_CASES: u32 = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
}

pub(crate) fn shift(
    pool: &mut TermPool,
    direction: Direction,
    v: &Value,
    amount: &Value,
    shape: Shape,
    amount_shape: Shape,
) -> Value {
    let possible = amount.range.clone().unwrap_or_else(|| Range::of(amount_shape));
    let in_type = Range::new(BigInt::zero(), BigInt::from(shape.bits - 1));
    let cases = amounts(&possible, shape);
    let Some((first, last)) = cases else {
        return beyond(pool, direction, v, shape);
    };
    if last - first >= MAX_CASES && pool.as_int(v.term).is_none() {
        return by_bit_vectors(pool, direction, v, amount, shape, &possible);
    }
    let mut result = if possible.is_within(&in_type) {
        None
    } else {
        Some(beyond(pool, direction, v, shape))
    };
    for count in (first..=last).rev() {
        let case = by_literal(pool, direction, v, count, shape);
        result = Some(match result {
            None => case,
            Some(others) => {
                let count = pool.int(count);
                let is_count = pool.eq(amount.term, count);
                either(pool, is_count, &case, &others)
            }
        });
    }
    result.unwrap_or_else(|| beyond(pool, direction, v, shape))
}

/// The first and the last possible amount inside the width.
fn amounts(possible: &Range, shape: Shape) -> Option<(u32, u32)> {
    let in_type = Range::new(BigInt::zero(), BigInt::from(shape.bits - 1));
    let cases = possible.intersection(&in_type)?;
    Some((cases.lo.to_u32()?, cases.hi.to_u32()?))
}

fn by_literal(pool: &mut TermPool, direction: Direction, v: &Value, count: u32, shape: Shape) -> Value {
    match direction {
        Direction::Left => {
            // The bits that stay, then their new place.
            let kept = Shape {
                bits: shape.bits - count,
                signed: shape.signed,
            };
            let kept = wrap(pool, v, kept);
            shift_up(pool, &kept, count)
        }
        Direction::Right => shift_down(pool, v, count),
    }
}

/// The result for an amount outside of the width.
fn beyond(pool: &mut TermPool, direction: Direction, v: &Value, shape: Shape) -> Value {
    match direction {
        Direction::Left => literal(pool, BigInt::zero()),
        Direction::Right => {
            let v = wrap(pool, v, shape);
            shift_down(pool, &v, shape.bits)
        }
    }
}

fn by_bit_vectors(
    pool: &mut TermPool,
    direction: Direction,
    v: &Value,
    amount: &Value,
    shape: Shape,
    possible: &Range,
) -> Value {
    let width = shape.bits.max(possible.bits());
    let left = bridge::to_bv(pool, v.term, shape.bits);
    let left = bridge::resize(pool, left, width, shape.signed);
    let right = bridge::to_bv(pool, amount.term, width);
    let op = match (direction, shape.signed) {
        (Direction::Left, _) => BvOp::Shl,
        (Direction::Right, true) => BvOp::Ashr,
        (Direction::Right, false) => BvOp::Lshr,
    };
    let result = pool.bv_op(op, &[left, right]);
    let result = bridge::resize(pool, result, shape.bits, shape.signed);
    let result = bridge::of_bv(pool, result, shape);
    match (direction, &v.range) {
        (Direction::Right, Some(range)) => {
            // Toward 0 or -1.
            let lo = range.lo.clone().min(BigInt::zero());
            let hi = range.hi.clone().max(-BigInt::one());
            known(pool, result.term, Range::new(lo, hi))
        }
        _ => result,
    }
}

/// A left shift of a negative value, or one whose result the signed type cannot represent (C11 6.5.7).
pub(crate) fn left_overflow(
    pool: &mut TermPool,
    v: &Value,
    amount: &Value,
    shape: Shape,
    amount_shape: Shape,
) -> Option<TermId> {
    let highest = Range::of(shape).hi;
    let possible = amount.range.clone().unwrap_or_else(|| Range::of(amount_shape));
    let mut reasons = Vec::new();
    if v.range.as_ref().is_none_or(|range| range.lo.is_negative()) {
        let zero = pool.int(0);
        reasons.push(pool.lt(v.term, zero));
    }
    let (first, last) = amounts(&possible, shape).unwrap_or((0, 0));
    if let Some(value) = pool.as_int(v.term) {
        // A literal overflows from some amount on.
        if value.is_positive() {
            let value_bits = value.bits() as u32;
            let enough = pool.int(shape.bits - value_bits);
            reasons.push(pool.le(enough, amount.term));
        }
    } else {
        for count in first..=last {
            let limit = &highest >> count;
            if v.range.as_ref().is_some_and(|range| range.hi <= limit) {
                continue;
            }
            let (count, limit) = (pool.int(count), pool.int(limit));
            let is_count = pool.eq(amount.term, count);
            let too_large = pool.lt(limit, v.term);
            reasons.push(pool.and(&[is_count, too_large]));
        }
    }
    let overflow = pool.or(&reasons);
    (pool.as_bool(overflow) != Some(false)).then_some(overflow)
}
