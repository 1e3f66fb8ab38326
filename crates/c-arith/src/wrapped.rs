//! Arithmetic on mathematical integers that stay inside their type: sums, products, quotients and the conversions.
//!
//! Invariants:
//! - a range, where there is one, holds in every execution in which the operands' ranges hold;
//! - a result is reduced to its type by as little as its range needs: nothing, the addition of a constant, a case
//!   distinction with at most two comparisons, and only then `mod`;
//! - division by zero gives 0, so that every term has a value.

use lariat_term::{TermId, TermPool};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::range::{Range, power_of_two};
use crate::{Shape, Value};

/// A value of known range; one that can only be one number is that literal.
pub(crate) fn known(pool: &mut TermPool, term: TermId, range: Range) -> Value {
    let term = match range.as_point() {
        Some(value) => pool.int(value.clone()),
        None => term,
    };
    Value {
        term,
        range: Some(range),
    }
}

pub(crate) fn literal(pool: &mut TermPool, value: BigInt) -> Value {
    Value {
        term: pool.int(value.clone()),
        range: Some(Range::point(value)),
    }
}

/// `value` modulo 2^bits, as the type has it.
pub(crate) fn reduce(value: &BigInt, shape: Shape) -> BigInt {
    let lowest = Range::of(shape).lo;
    (value - &lowest).mod_floor(&power_of_two(shape.bits)) + lowest
}

/// How many periods of the type lie between its values and the lowest and the highest value of the range.
fn periods(range: &Range, shape: Shape) -> (BigInt, BigInt) {
    let lowest = Range::of(shape).lo;
    let period = power_of_two(shape.bits);
    (
        (&range.lo - &lowest).div_floor(&period),
        (&range.hi - &lowest).div_floor(&period),
    )
}

/// The value of the type that is equal to `v` modulo 2^bits.
pub(crate) fn wrap(pool: &mut TermPool, v: &Value, shape: Shape) -> Value {
    let bounds = Range::of(shape);
    let period = power_of_two(shape.bits);
    let Some(range) = &v.range else {
        return wrap_far(pool, v.term, shape);
    };
    let (first, last) = periods(range, shape);
    if &last - &first > BigInt::from(2) {
        return wrap_far(pool, v.term, shape);
    }
    // From the lowest period up: a value below the start of a period belongs to the ones before.
    let mut result: Option<Value> = None;
    let count = (&last - &first).to_u32().unwrap_or(0);
    for index in 0..=count {
        let offset = -(&first + index) * &period;
        let part = range.shift_by(&offset);
        let Some(part) = part.intersection(&bounds) else {
            continue;
        };
        let constant = pool.int(offset.clone());
        let term = pool.add(&[v.term, constant]);
        result = Some(match result {
            None => known(pool, term, part),
            Some(below) => {
                let start = pool.int(&bounds.lo - &offset);
                let is_below = pool.lt(v.term, start);
                let here = known(pool, term, part);
                either(pool, is_below, &below, &here)
            }
        });
    }
    result.unwrap_or_else(|| wrap_far(pool, v.term, shape))
}

fn wrap_far(pool: &mut TermPool, term: TermId, shape: Shape) -> Value {
    let bounds = Range::of(shape);
    if let Some(value) = pool.as_int(term) {
        let value = reduce(value, shape);
        return literal(pool, value);
    }
    let period = pool.int(power_of_two(shape.bits));
    let (lowest, back) = (pool.int(-&bounds.lo), pool.int(bounds.lo.clone()));
    let shifted = pool.add(&[term, lowest]);
    let remainder = pool.modulo(shifted, period);
    let term = pool.add(&[remainder, back]);
    known(pool, term, bounds)
}

/// `condition ? a : b`.
pub(crate) fn either(pool: &mut TermPool, condition: TermId, a: &Value, b: &Value) -> Value {
    let range = match (&a.range, &b.range) {
        (Some(x), Some(y)) => Some(x.clone().hull(y.clone())),
        _ => None,
    };
    Value {
        term: pool.ite(condition, a.term, b.term),
        range,
    }
}

fn combine(
    a: &Value,
    b: &Value,
    term: TermId,
    pool: &mut TermPool,
    range: fn(&Range, &Range) -> Range,
) -> Value {
    match (&a.range, &b.range) {
        (Some(x), Some(y)) => known(pool, term, range(x, y)),
        _ => Value::unbounded(term),
    }
}

/// The mathematical sum, which may leave the type; so are the next ones.
pub(crate) fn add(pool: &mut TermPool, a: &Value, b: &Value) -> Value {
    let term = pool.add(&[a.term, b.term]);
    combine(a, b, term, pool, Range::add)
}

pub(crate) fn sub(pool: &mut TermPool, a: &Value, b: &Value) -> Value {
    if a.term == b.term {
        return literal(pool, BigInt::zero());
    }
    let term = pool.sub(a.term, b.term);
    combine(a, b, term, pool, Range::sub)
}

pub(crate) fn mul(pool: &mut TermPool, a: &Value, b: &Value) -> Value {
    let term = pool.mul(a.term, b.term);
    combine(a, b, term, pool, Range::mul)
}

pub(crate) fn neg(pool: &mut TermPool, v: &Value) -> Value {
    let term = pool.neg(v.term);
    match &v.range {
        Some(range) => known(pool, term, range.neg()),
        None => Value::unbounded(term),
    }
}

/// Whether the value can be negative, as far as its range tells; a value of unknown range of an unsigned type counts
/// as not negative.
fn may_be_negative(v: &Value, shape: Shape) -> bool {
    v.range
        .as_ref()
        .map_or(shape.signed, |range| !range.is_non_negative())
}

fn may_be(v: &Value, value: &BigInt) -> bool {
    v.range.as_ref().is_none_or(|range| range.contains(value))
}

/// The quotient rounded toward zero. SMT-LIB's `div` does that whenever the dividend is not negative.
pub(crate) fn div(pool: &mut TermPool, a: &Value, b: &Value, shape: Shape) -> Value {
    let quotient = truncating(pool, a, b, shape, |pool, a, b| pool.int_div(a, b));
    combine(a, b, quotient, pool, Range::quotient)
}

/// The remainder with the sign of the dividend.
pub(crate) fn rem(pool: &mut TermPool, a: &Value, b: &Value, shape: Shape) -> Value {
    if let (Some(x), Some(y)) = (&a.range, &b.range)
        && x.is_non_negative()
        && x.hi < y.lo
    {
        return a.clone();
    }
    let remainder = truncating(pool, a, b, shape, |pool, a, b| pool.modulo(a, b));
    combine(a, b, remainder, pool, Range::remainder)
}

fn truncating(
    pool: &mut TermPool,
    a: &Value,
    b: &Value,
    shape: Shape,
    op: fn(&mut TermPool, TermId, TermId) -> TermId,
) -> TermId {
    let zero = pool.int(0);
    if b.term == zero {
        return zero;
    }
    let positive = |pool: &mut TermPool| op(pool, a.term, b.term);
    let negative = |pool: &mut TermPool| {
        let magnitude = pool.neg(a.term);
        let result = op(pool, magnitude, b.term);
        pool.neg(result)
    };
    let result = if !may_be_negative(a, shape) {
        positive(pool)
    } else if a.range.as_ref().is_some_and(Range::is_non_positive) {
        negative(pool)
    } else {
        let is_negative = pool.lt(a.term, zero);
        let (negative, positive) = (negative(pool), positive(pool));
        pool.ite(is_negative, negative, positive)
    };
    if may_be(b, &BigInt::zero()) {
        let by_zero = pool.eq(b.term, zero);
        pool.ite(by_zero, zero, result)
    } else {
        result
    }
}

/// `v mod 2^bits`, also for negative values.
pub(crate) fn low_bits(pool: &mut TermPool, v: &Value, bits: u32) -> Value {
    if bits == 0 {
        return literal(pool, BigInt::zero());
    }
    let unsigned = Shape { bits, signed: false };
    wrap(pool, v, unsigned)
}

/// `v` divided by 2^amount, rounded down.
pub(crate) fn shift_down(pool: &mut TermPool, v: &Value, amount: u32) -> Value {
    let divisor = pool.int(power_of_two(amount));
    let term = pool.int_div(v.term, divisor);
    match &v.range {
        Some(range) => known(pool, term, range.shr(amount)),
        None => Value::unbounded(term),
    }
}

pub(crate) fn shift_up(pool: &mut TermPool, v: &Value, amount: u32) -> Value {
    let factor = literal(pool, power_of_two(amount));
    mul(pool, v, &factor)
}

/// Conditions that hold for values outside of the range; `None` if there are none.
pub(crate) fn outside(pool: &mut TermPool, v: &Value, bounds: &Range) -> Option<TermId> {
    let mut sides = Vec::new();
    if v.range.as_ref().is_none_or(|range| range.lo < bounds.lo) {
        let lowest = pool.int(bounds.lo.clone());
        sides.push(pool.lt(v.term, lowest));
    }
    if v.range.as_ref().is_none_or(|range| range.hi > bounds.hi) {
        let highest = pool.int(bounds.hi.clone());
        sides.push(pool.lt(highest, v.term));
    }
    let outside = pool.or(&sides);
    (pool.as_bool(outside) != Some(false)).then_some(outside)
}

/// The two values at which a signed division overflows.
pub(crate) fn quotient_overflow(pool: &mut TermPool, a: &Value, b: &Value, shape: Shape) -> Option<TermId> {
    let lowest = Range::of(shape).lo;
    let minus_one = -BigInt::one();
    if !may_be(a, &lowest) || !may_be(b, &minus_one) {
        return None;
    }
    let (lowest, minus_one) = (pool.int(lowest), pool.int(minus_one));
    let (left, right) = (pool.eq(a.term, lowest), pool.eq(b.term, minus_one));
    let both = pool.and(&[left, right]);
    (pool.as_bool(both) != Some(false)).then_some(both)
}
