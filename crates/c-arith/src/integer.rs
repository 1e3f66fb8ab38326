//! The operators on `Int` terms, wrapped or not.
//!
//! Invariant: without wrap-around, sums, products and conversions between types of 32 or more bits are the mathematical
//! ones; a result that may lie outside of its type has no range. Everything else is as with wrap-around.

use lariat_c_program::{BinaryOp, Scalar, UnaryOp};
use lariat_term::{TermId, TermPool};

use crate::range::Range;
use crate::shift::{self, Direction};
use crate::wrapped::{self, wrap};
use crate::{IntegerForm, Shape, Value, bitwise};

/// Whether values of the type are not bounded with [`IntegerForm::Math`].
pub(crate) fn is_unbounded(shape: Shape) -> bool {
    shape.bits >= 32
}

/// The values of the type.
pub(crate) fn bounds(ty: Scalar, shape: Shape) -> Range {
    match ty {
        Scalar::Bool => Range::truth(),
        _ => Range::of(shape),
    }
}

/// The result of a sum, product or negation in its type.
fn fitted(pool: &mut TermPool, integers: IntegerForm, v: Value, shape: Shape) -> Value {
    let fits = v
        .range
        .as_ref()
        .is_some_and(|range| range.is_within(&Range::of(shape)));
    if fits {
        v
    } else if integers == IntegerForm::Math && is_unbounded(shape) {
        Value::unbounded(v.term)
    } else {
        wrap(pool, &v, shape)
    }
}

pub(crate) fn unary(
    pool: &mut TermPool,
    integers: IntegerForm,
    op: UnaryOp,
    shape: Shape,
    v: &Value,
) -> Value {
    match op {
        UnaryOp::Neg => {
            let negative = wrapped::neg(pool, v);
            fitted(pool, integers, negative, shape)
        }
        UnaryOp::BitNot => bitwise::not(pool, v, shape),
    }
}

pub(crate) fn binary(
    pool: &mut TermPool,
    integers: IntegerForm,
    op: BinaryOp,
    shape: Shape,
    a: &Value,
    b: &Value,
    right: Shape,
) -> Value {
    let result = match op {
        BinaryOp::Add => wrapped::add(pool, a, b),
        BinaryOp::Sub => wrapped::sub(pool, a, b),
        BinaryOp::Mul => wrapped::mul(pool, a, b),
        BinaryOp::Div => wrapped::div(pool, a, b, shape),
        BinaryOp::Rem => return wrapped::rem(pool, a, b, shape),
        BinaryOp::Shl => return shift::shift(pool, Direction::Left, a, b, shape, right),
        BinaryOp::Shr => return shift::shift(pool, Direction::Right, a, b, shape, right),
        BinaryOp::BitAnd => return bitwise::and(pool, a, b, shape),
        BinaryOp::BitOr => return bitwise::or(pool, a, b, shape),
        BinaryOp::BitXor => return bitwise::xor(pool, a, b, shape),
    };
    fitted(pool, integers, result, shape)
}

pub(crate) fn convert(
    pool: &mut TermPool,
    integers: IntegerForm,
    old: Shape,
    new: Shape,
    v: &Value,
) -> Value {
    if integers == IntegerForm::Math && is_unbounded(old) && is_unbounded(new) {
        // A literal has its exact value in any type; other values are kept.
        return match pool.as_int(v.term) {
            Some(_) => wrap(pool, v, new),
            None => fitted(pool, integers, v.clone(), new),
        };
    }
    wrap(pool, v, new)
}

pub(crate) fn overflows(
    pool: &mut TermPool,
    op: BinaryOp,
    shape: Shape,
    a: &Value,
    b: &Value,
    right: Shape,
) -> Option<TermId> {
    let result = match op {
        BinaryOp::Add => wrapped::add(pool, a, b),
        BinaryOp::Sub => wrapped::sub(pool, a, b),
        BinaryOp::Mul => wrapped::mul(pool, a, b),
        BinaryOp::Div | BinaryOp::Rem => return wrapped::quotient_overflow(pool, a, b, shape),
        BinaryOp::Shl => return shift::left_overflow(pool, a, b, shape, right),
        BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => return None,
    };
    wrapped::outside(pool, &result, &Range::of(shape))
}

pub(crate) fn negation_overflows(pool: &mut TermPool, shape: Shape, v: &Value) -> Option<TermId> {
    let negative = wrapped::neg(pool, v);
    wrapped::outside(pool, &negative, &Range::of(shape))
}
