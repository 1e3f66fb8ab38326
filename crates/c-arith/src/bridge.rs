//! Between integers and bit-vectors.
//!
//! Invariant: a bit-vector that became an integer only to become a bit-vector again stays one.

use lariat_term::{BvOp, Op, TermId, TermPool};

use crate::range::Range;
use crate::wrapped::known;
use crate::{Shape, Value};

/// The low bits of an integer.
pub(crate) fn to_bv(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    match pool.op(term) {
        Op::Bv2(BvOp::ToNat) => {
            let inner = pool.args(term)[0];
            resize(pool, inner, width, false)
        }
        Op::Bv2(BvOp::ToInt) => {
            let inner = pool.args(term)[0];
            resize(pool, inner, width, true)
        }
        _ => pool.bv_op(BvOp::FromInt(width), &[term]),
    }
}

/// The integer that a bit-vector is in a type.
pub(crate) fn of_bv(pool: &mut TermPool, term: TermId, shape: Shape) -> Value {
    let op = if shape.signed { BvOp::ToInt } else { BvOp::ToNat };
    let term = pool.bv_op(op, &[term]);
    let range = match pool.as_int(term) {
        Some(value) => Range::point(value.clone()),
        None => Range::of(shape),
    };
    known(pool, term, range)
}

/// A bit-vector in another width; `signed` says how it is extended.
pub(crate) fn resize(pool: &mut TermPool, term: TermId, width: u32, signed: bool) -> TermId {
    let old = pool.bv_width(term);
    if width == old {
        term
    } else if width < old {
        pool.bv_op(BvOp::Extract { hi: width - 1, lo: 0 }, &[term])
    } else if signed {
        pool.bv_op(BvOp::SignExtend(width - old), &[term])
    } else {
        pool.bv_op(BvOp::ZeroExtend(width - old), &[term])
    }
}
