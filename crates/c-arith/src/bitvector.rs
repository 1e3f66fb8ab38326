//! The operators on bit-vectors of the type's width.

use lariat_c_program::{BinaryOp, CompareOp, UnaryOp};
use lariat_term::{BvOp, TermId, TermPool};
use num_bigint::BigInt;

use crate::bridge::resize;
use crate::compare::compare_bits;
use crate::range::{Range, power_of_two};
use crate::{Shape, Value};

pub(crate) fn unary(pool: &mut TermPool, op: UnaryOp, v: &Value) -> Value {
    let op = match op {
        UnaryOp::Neg => BvOp::Neg,
        UnaryOp::BitNot => BvOp::Not,
    };
    Value::unbounded(pool.bv_op(op, &[v.term]))
}

pub(crate) fn binary(
    pool: &mut TermPool,
    op: BinaryOp,
    shape: Shape,
    a: &Value,
    b: &Value,
    right: Shape,
) -> Value {
    let op = match (op, shape.signed) {
        (BinaryOp::Add, _) => BvOp::Add,
        (BinaryOp::Sub, _) => BvOp::Sub,
        (BinaryOp::Mul, _) => BvOp::Mul,
        (BinaryOp::Div, true) => BvOp::Sdiv,
        (BinaryOp::Div, false) => BvOp::Udiv,
        (BinaryOp::Rem, true) => BvOp::Srem,
        (BinaryOp::Rem, false) => BvOp::Urem,
        (BinaryOp::BitAnd, _) => BvOp::And,
        (BinaryOp::BitOr, _) => BvOp::Or,
        (BinaryOp::BitXor, _) => BvOp::Xor,
        (BinaryOp::Shl, _) => return shift(pool, BvOp::Shl, shape, a, b, right),
        (BinaryOp::Shr, true) => return shift(pool, BvOp::Ashr, shape, a, b, right),
        (BinaryOp::Shr, false) => return shift(pool, BvOp::Lshr, shape, a, b, right),
    };
    Value::unbounded(pool.bv_op(op, &[a.term, b.term]))
}

/// In the wider of the two widths, so that no bit of the amount is lost; a negative amount is a large one.
fn shift(pool: &mut TermPool, op: BvOp, shape: Shape, v: &Value, amount: &Value, right: Shape) -> Value {
    let width = shape.bits.max(right.bits);
    let v = resize(pool, v.term, width, shape.signed);
    let amount = resize(pool, amount.term, width, right.signed);
    let result = pool.bv_op(op, &[v, amount]);
    Value::unbounded(resize(pool, result, shape.bits, shape.signed))
}

fn unless_false(pool: &TermPool, condition: TermId) -> Option<TermId> {
    (pool.as_bool(condition) != Some(false)).then_some(condition)
}

pub(crate) fn overflows(
    pool: &mut TermPool,
    op: BinaryOp,
    shape: Shape,
    a: &Value,
    b: &Value,
    right: Shape,
) -> Option<TermId> {
    let condition = match op {
        BinaryOp::Add => leaves(pool, BvOp::Add, shape.bits + 1, a.term, b.term),
        BinaryOp::Sub => leaves(pool, BvOp::Sub, shape.bits + 1, a.term, b.term),
        BinaryOp::Mul => leaves(pool, BvOp::Mul, 2 * shape.bits, a.term, b.term),
        BinaryOp::Div | BinaryOp::Rem => {
            let lowest = pool.bv(Range::of(shape).lo, shape.bits);
            let minus_one = pool.bv(-1, shape.bits);
            let (left, right) = (pool.eq(a.term, lowest), pool.eq(b.term, minus_one));
            pool.and(&[left, right])
        }
        BinaryOp::Shl => {
            // Not negative, and shifting back gives the same.
            let shifted = shift(pool, BvOp::Shl, shape, a, b, right);
            let back = shift(pool, BvOp::Ashr, shape, &shifted, b, right);
            let zero = pool.bv(0, shape.bits);
            let is_negative = compare_bits(pool, CompareOp::Lt, shape, a.term, zero);
            let same = pool.eq(back.term, a.term);
            let differs = pool.not(same);
            pool.or(&[is_negative, differs])
        }
        BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => return None,
    };
    unless_false(pool, condition)
}

/// Whether the exact result, computed in enough bits, differs from its low bits.
fn leaves(pool: &mut TermPool, op: BvOp, wide: u32, a: TermId, b: TermId) -> TermId {
    let bits = pool.bv_width(a);
    let (a, b) = (resize(pool, a, wide, true), resize(pool, b, wide, true));
    let exact = pool.bv_op(op, &[a, b]);
    let low = resize(pool, exact, bits, true);
    let again = resize(pool, low, wide, true);
    let same = pool.eq(exact, again);
    pool.not(same)
}

pub(crate) fn negation_overflows(pool: &mut TermPool, shape: Shape, v: &Value) -> Option<TermId> {
    let lowest = pool.bv(Range::of(shape).lo, shape.bits);
    let is_lowest = pool.eq(v.term, lowest);
    unless_false(pool, is_lowest)
}

pub(crate) fn shift_out_of_range(
    pool: &mut TermPool,
    shape: Shape,
    amount: &Value,
    amount_shape: Shape,
) -> Option<TermId> {
    let width = BigInt::from(shape.bits);
    if width >= power_of_two(amount_shape.bits) {
        return None;
    }
    let width = pool.bv(width, amount_shape.bits);
    let unsigned = Shape {
        signed: false,
        ..amount_shape
    };
    let beyond = compare_bits(pool, CompareOp::Ge, unsigned, amount.term, width);
    unless_false(pool, beyond)
}
