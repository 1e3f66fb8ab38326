//! Truth values and comparisons of integers, of either representation.
//!
//! Invariant: what a range or the two branches of a case distinction between literals decide is decided here, so that
//! `(a < b) != 0` is `a < b` again.

use lariat_c_program::CompareOp;
use lariat_term::{BvOp, Op, TermId, TermPool};
use num_bigint::BigInt;
use num_traits::Zero;

use crate::range::Range;
use crate::wrapped::{known, literal};
use crate::{Shape, Value};

pub(crate) fn truth(pool: &mut TermPool, v: &Value) -> TermId {
    let zero = literal(pool, BigInt::zero());
    compare(pool, CompareOp::Ne, v, &zero)
}

pub(crate) fn of_truth(pool: &mut TermPool, condition: TermId) -> Value {
    let (one, zero) = (pool.int(1), pool.int(0));
    let term = pool.ite(condition, one, zero);
    let range = match pool.as_int(term) {
        Some(value) => Range::point(value.clone()),
        None => Range::truth(),
    };
    known(pool, term, range)
}

pub(crate) fn compare(pool: &mut TermPool, op: CompareOp, a: &Value, b: &Value) -> TermId {
    if let (Some(x), Some(y)) = (&a.range, &b.range)
        && let Some(decided) = by_ranges(op, x, y)
    {
        return pool.bool(decided);
    }
    by_branches(pool, a.term, b.term, |pool, a, b| match op {
        CompareOp::Eq => pool.eq(a, b),
        CompareOp::Ne => {
            let eq = pool.eq(a, b);
            pool.not(eq)
        }
        CompareOp::Lt => pool.lt(a, b),
        CompareOp::Le => pool.le(a, b),
        CompareOp::Gt => pool.lt(b, a),
        CompareOp::Ge => pool.le(b, a),
    })
}

fn by_ranges(op: CompareOp, a: &Range, b: &Range) -> Option<bool> {
    let less = a.hi < b.lo;
    let less_or_equal = a.hi <= b.lo;
    let greater = b.hi < a.lo;
    let greater_or_equal = b.hi <= a.lo;
    let apart = less || greater;
    match op {
        CompareOp::Eq => apart.then_some(false),
        CompareOp::Ne => apart.then_some(true),
        CompareOp::Lt => decided(less, greater_or_equal),
        CompareOp::Le => decided(less_or_equal, greater),
        CompareOp::Gt => decided(greater, less_or_equal),
        CompareOp::Ge => decided(greater_or_equal, less),
    }
}

fn decided(holds: bool, fails: bool) -> Option<bool> {
    (holds || fails).then_some(holds)
}

pub(crate) fn compare_bits(pool: &mut TermPool, op: CompareOp, shape: Shape, a: TermId, b: TermId) -> TermId {
    let (less, less_or_equal) = if shape.signed {
        (BvOp::Slt, BvOp::Sle)
    } else {
        (BvOp::Ult, BvOp::Ule)
    };
    by_branches(pool, a, b, |pool, a, b| match op {
        CompareOp::Eq => pool.eq(a, b),
        CompareOp::Ne => {
            let eq = pool.eq(a, b);
            pool.not(eq)
        }
        CompareOp::Lt => pool.bv_op(less, &[a, b]),
        CompareOp::Le => pool.bv_op(less_or_equal, &[a, b]),
        CompareOp::Gt => pool.bv_op(less, &[b, a]),
        CompareOp::Ge => pool.bv_op(less_or_equal, &[b, a]),
    })
}

/// The condition and the two literals of a case distinction.
fn literal_branches(pool: &TermPool, term: TermId) -> Option<[TermId; 3]> {
    match (pool.op(term), pool.args(term)) {
        (Op::Ite, &[condition, then, otherwise]) if pool.is_value(then) && pool.is_value(otherwise) => {
            Some([condition, then, otherwise])
        }
        _ => None,
    }
}

/// Compares the branches where one side is a choice between literals and the other one a literal.
fn by_branches(
    pool: &mut TermPool,
    a: TermId,
    b: TermId,
    compare: impl Fn(&mut TermPool, TermId, TermId) -> TermId,
) -> TermId {
    if let Some([condition, then, otherwise]) = literal_branches(pool, a)
        && pool.is_value(b)
    {
        let (then, otherwise) = (compare(pool, then, b), compare(pool, otherwise, b));
        return pool.ite(condition, then, otherwise);
    }
    if let Some([condition, then, otherwise]) = literal_branches(pool, b)
        && pool.is_value(a)
    {
        let (then, otherwise) = (compare(pool, a, then), compare(pool, a, otherwise));
        return pool.ite(condition, then, otherwise);
    }
    compare(pool, a, b)
}
