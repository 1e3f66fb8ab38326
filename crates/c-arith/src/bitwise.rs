//! `&`, `|`, `^` and `~` on integers as they are in two's complement with endlessly many bits.
//!
//! Invariant: operators with a literal whose bits form few runs, operands that are 0 or 1, and sums of disjoint bits stay
//! linear arithmetic; only the rest goes through bit-vectors, as narrow as the ranges allow.

use lariat_term::{BvOp, Op, TermId, TermPool};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::compare::{of_truth, truth};
use crate::range::{Range, exponent_of, power_of_two};
use crate::wrapped::{add, either, known, literal, low_bits, shift_down, shift_up, sub};
use crate::{Shape, Value, bridge};

/// Masks with more runs of ones go through bit-vectors.
const MAX_RUNS: usize = 3;

/// How deep a term is looked into for its trailing zeros.
const MAX_DEPTH: u32 = 4;

pub(crate) fn not(pool: &mut TermPool, v: &Value, shape: Shape) -> Value {
    let ones = all_ones(shape);
    let ones = literal(pool, ones);
    sub(pool, &ones, v)
}

fn all_ones(shape: Shape) -> BigInt {
    if shape.signed {
        -BigInt::one()
    } else {
        Range::of(shape).hi
    }
}

fn is_truth(v: &Value) -> bool {
    v.range.as_ref().is_some_and(Range::is_truth)
}

/// The operand and the literal, if one of the two is a literal.
fn literal_side<'v>(pool: &TermPool, a: &'v Value, b: &'v Value) -> Option<(&'v Value, BigInt)> {
    let with = |v: &'v Value, other: &Value| Some((v, pool.as_int(other.term)?.clone()));
    with(a, b).or_else(|| with(b, a))
}

pub(crate) fn and(pool: &mut TermPool, a: &Value, b: &Value, shape: Shape) -> Value {
    if a.term == b.term {
        return a.clone();
    }
    if let Some((v, mask)) = literal_side(pool, a, b)
        && let Some(masked) = masked(pool, v, &mask)
    {
        return masked;
    }
    if is_truth(a) && is_truth(b) {
        let (left, right) = (truth(pool, a), truth(pool, b));
        let both = pool.and(&[left, right]);
        return of_truth(pool, both);
    }
    for (bit, other) in [(a, b), (b, a)] {
        if is_truth(bit) {
            let (condition, lowest) = (truth(pool, bit), low_bits(pool, other, 1));
            let zero = literal(pool, BigInt::zero());
            return either(pool, condition, &lowest, &zero);
        }
    }
    let mut result = by_bit_vectors(pool, BvOp::And, a, b, shape);
    for operand in [a, b] {
        if let (Some(x), Some(range)) = (&operand.range, &result.range)
            && x.is_non_negative()
        {
            let within = Range::new(BigInt::zero(), x.hi.clone());
            result.range = range.intersection(&within);
        }
    }
    result
}

pub(crate) fn or(pool: &mut TermPool, a: &Value, b: &Value, shape: Shape) -> Value {
    if a.term == b.term {
        return a.clone();
    }
    if let Some((v, bits)) = literal_side(pool, a, b)
        && let Some(others) = without(pool, v, &bits)
    {
        let literal = literal(pool, bits.clone());
        let result = add(pool, &others, &literal);
        return within_bits(pool, result, joined(v, &literal, shape), &bits);
    }
    if is_truth(a) && is_truth(b) {
        let (left, right) = (truth(pool, a), truth(pool, b));
        let any = pool.or(&[left, right]);
        return of_truth(pool, any);
    }
    if disjoint(pool, a, b) || disjoint(pool, b, a) {
        return add(pool, a, b);
    }
    by_bit_vectors(pool, BvOp::Or, a, b, shape)
}

pub(crate) fn xor(pool: &mut TermPool, a: &Value, b: &Value, shape: Shape) -> Value {
    if a.term == b.term {
        return literal(pool, BigInt::zero());
    }
    if let Some((v, bits)) = literal_side(pool, a, b)
        && let (Some(others), Some(common)) = (without(pool, v, &bits), masked(pool, v, &bits))
    {
        let literal = literal(pool, bits);
        let flipped = sub(pool, &literal, &common);
        let result = add(pool, &others, &flipped);
        return within_bits(pool, result, joined(v, &literal, shape), &BigInt::zero());
    }
    if is_truth(a) && is_truth(b) {
        let (left, right) = (truth(pool, a), truth(pool, b));
        let same = pool.eq(left, right);
        let differ = pool.not(same);
        return of_truth(pool, differ);
    }
    if disjoint(pool, a, b) || disjoint(pool, b, a) {
        return add(pool, a, b);
    }
    by_bit_vectors(pool, BvOp::Xor, a, b, shape)
}

/// `v & ~bits`. A value that is not negative has no bits beyond its bounds.
fn without(pool: &mut TermPool, v: &Value, bits: &BigInt) -> Option<Value> {
    let mask = match &v.range {
        Some(range) if range.is_non_negative() => {
            let all: BigInt = power_of_two(range.bits()) - 1;
            &all - (&all & bits)
        }
        _ => -bits - 1,
    };
    masked(pool, v, &mask)
}

/// The narrowest two's complement that holds both operands, which also holds the results of `&`, `|` and `^`.
fn joined(a: &Value, b: &Value, shape: Shape) -> Shape {
    match (&a.range, &b.range) {
        (Some(x), Some(y)) => {
            let hull = x.clone().hull(y.clone());
            Shape {
                bits: hull.bits().max(1),
                signed: hull.lo.is_negative(),
            }
        }
        _ => shape,
    }
}

/// `|` or `^` of a value with a literal: the range follows from the bits, or is unknown like the value's.
fn within_bits(pool: &mut TermPool, result: Value, bits: Shape, lowest: &BigInt) -> Value {
    if result.range.is_none() {
        return result;
    }
    let mut range = Range::of(bits);
    if !bits.signed {
        range.lo = lowest.clone();
    }
    known(pool, result.term, range)
}

/// `v & mask` as linear arithmetic; `None` if the mask has too many runs of ones.
fn masked(pool: &mut TermPool, v: &Value, mask: &BigInt) -> Option<Value> {
    if let Some(value) = pool.as_int(v.term) {
        let value = value & mask;
        return Some(literal(pool, value));
    }
    if let Some(exponent) = exponent_of(mask) {
        return Some(single_bit(pool, v, exponent));
    }
    if let (Some(range), Some(exponent)) = (&v.range, exponent_of(&-mask)) {
        let bound = power_of_two(exponent);
        if range.lo >= -&bound && range.hi < bound && range.lo.is_negative() {
            let zero = literal(pool, BigInt::zero());
            let is_negative = pool.lt(v.term, zero.term);
            let mask = literal(pool, mask.clone());
            return Some(either(pool, is_negative, &mask, &zero));
        }
    }
    let mut result = literal(pool, BigInt::zero());
    for (start, end) in runs_of_ones(mask)? {
        let part = run(pool, v, start, end);
        result = add(pool, &result, &part);
    }
    let range = match &v.range {
        Some(range) if range.is_non_negative() && mask.is_negative() => {
            Some(Range::new(BigInt::zero(), range.hi.clone()))
        }
        Some(range) if range.is_non_negative() => {
            let hi = range.hi.clone().min(mask.clone());
            Some(Range::new(BigInt::zero(), hi))
        }
        _ if !mask.is_negative() => Some(Range::new(BigInt::zero(), mask.clone())),
        Some(range) => {
            let bits = range.bits().max(Range::point(mask.clone()).bits());
            Some(Range::new(-power_of_two(bits - 1), range.hi.clone()))
        }
        None => None,
    };
    Some(match range {
        Some(range) => known(pool, result.term, range),
        None => Value::unbounded(result.term),
    })
}

/// The bits of a run of ones at their places. Quotient and remainder, put together at other places again, are much easier
/// for the solver than the differences of remainders.
fn run(pool: &mut TermPool, v: &Value, start: u32, end: Option<u32>) -> Value {
    let upto = match end {
        Some(end) if start == 0 => return low_bits(pool, v, end),
        None if start == 0 => return v.clone(),
        Some(end) => Some(end - start),
        None => None,
    };
    let quotient = shift_down(pool, v, start);
    let digits = match upto {
        Some(width) => low_bits(pool, &quotient, width),
        None => quotient,
    };
    shift_up(pool, &digits, start)
}

/// `v & 2^exponent`.
fn single_bit(pool: &mut TermPool, v: &Value, exponent: u32) -> Value {
    let bit = literal(pool, power_of_two(exponent));
    let zero = literal(pool, BigInt::zero());
    let low = low_bits(pool, v, exponent + 1);
    match &low.range {
        Some(range) if range.hi < power_of_two(exponent) => zero,
        _ => {
            let is_set = pool.le(bit.term, low.term);
            either(pool, is_set, &bit, &zero)
        }
    }
}

/// The runs of ones in two's complement, from the lowest: first bit and the bit after the last one, or none for the endless
/// run of a negative number.
fn runs_of_ones(mask: &BigInt) -> Option<Vec<(u32, Option<u32>)>> {
    let width = mask.bits() as u32 + 1;
    let mut runs = Vec::new();
    let mut start = None;
    for index in 0..=width {
        let one = mask.bit(u64::from(index));
        match (start, one) {
            (None, true) => start = Some(index),
            (Some(first), false) => {
                runs.push((first, Some(index)));
                start = None;
            }
            _ => {}
        }
    }
    runs.extend(start.map(|first| (first, None)));
    (runs.len() <= MAX_RUNS).then_some(runs)
}

/// Whether all bits of `low` lie below all bits of `high`.
fn disjoint(pool: &TermPool, high: &Value, low: &Value) -> bool {
    low.range.as_ref().is_some_and(|range| {
        range.is_non_negative() && range.bits() <= trailing_zeros(pool, high.term, MAX_DEPTH)
    })
}

/// A number of low bits that are zero whatever the variables are.
fn trailing_zeros(pool: &TermPool, term: TermId, depth: u32) -> u32 {
    if let Some(value) = pool.as_int(term) {
        return value.trailing_zeros().map_or(u32::MAX, |zeros| zeros as u32);
    }
    let Some(depth) = depth.checked_sub(1) else {
        return 0;
    };
    let zeros = |term| trailing_zeros(pool, term, depth);
    let args = pool.args(term);
    match pool.op(term) {
        Op::Mul => zeros(args[0]).saturating_add(zeros(args[1])),
        Op::Add => args.iter().map(|&arg| zeros(arg)).min().unwrap_or(0),
        Op::Mod => zeros(args[0]).min(zeros(args[1])),
        Op::Ite => zeros(args[1]).min(zeros(args[2])),
        _ => 0,
    }
}

fn by_bit_vectors(pool: &mut TermPool, op: BvOp, a: &Value, b: &Value, shape: Shape) -> Value {
    let narrow = joined(a, b, shape);
    let left = bridge::to_bv(pool, a.term, narrow.bits);
    let right = bridge::to_bv(pool, b.term, narrow.bits);
    let result = pool.bv_op(op, &[left, right]);
    bridge::of_bv(pool, result, narrow)
}
