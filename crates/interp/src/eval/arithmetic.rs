//! Operators on numbers and bit-vectors.

use lariat_term::{BvOp, Op, TermId, TermPool, Value, fold_bv};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{EvalError, EvalResult, int, real};

/// Powers with more bits than this are refused.
const MAX_POWER_BITS: u64 = 1 << 20;

/// Literals kept in the scratch pool before it is emptied.
const MAX_LITERALS: usize = 1 << 16;

/// The value of an operator on integers or reals; `None` where SMT-LIB leaves it open.
pub(super) fn number_operator(op: Op, args: &[Value]) -> Result<Option<Value>, EvalError> {
    let ill_sorted = || EvalError::ill_sorted(op);
    Ok(Some(match (op, args) {
        (Op::Add, [Value::Int(first), rest @ ..]) => {
            int(sum_or_product(first, rest, as_int, |a, b| a + b).ok_or_else(ill_sorted)?)
        }
        (Op::Add, [Value::Real(first), rest @ ..]) => {
            real(sum_or_product(first, rest, as_real, |a, b| a + b).ok_or_else(ill_sorted)?)
        }
        (Op::Mul, [Value::Int(first), rest @ ..]) => {
            int(sum_or_product(first, rest, as_int, |a, b| a * b).ok_or_else(ill_sorted)?)
        }
        (Op::Mul, [Value::Real(first), rest @ ..]) => {
            real(sum_or_product(first, rest, as_real, |a, b| a * b).ok_or_else(ill_sorted)?)
        }
        (Op::IntDiv | Op::Mod, [Value::Int(_), Value::Int(b)]) if b.is_zero() => return Ok(None),
        (Op::IntDiv, [Value::Int(a), Value::Int(b)]) => int((a - a.mod_floor(&b.abs())) / b),
        (Op::Mod, [Value::Int(a), Value::Int(b)]) => int(a.mod_floor(&b.abs())),
        (Op::RealDiv, [a, b]) => {
            let (a, b) = (
                rational(a).ok_or_else(ill_sorted)?,
                rational(b).ok_or_else(ill_sorted)?,
            );
            if b.is_zero() {
                return Ok(None);
            }
            real(a / b)
        }
        (Op::Pow, [base, exponent]) => return power(base, exponent).transpose(),
        (Op::Le, [Value::Int(a), Value::Int(b)]) => Value::Bool(a <= b),
        (Op::Le, [Value::Real(a), Value::Real(b)]) => Value::Bool(a <= b),
        (Op::Lt, [Value::Int(a), Value::Int(b)]) => Value::Bool(a < b),
        (Op::Lt, [Value::Real(a), Value::Real(b)]) => Value::Bool(a < b),
        (Op::ToReal, [Value::Int(a)]) => real(BigRational::from_integer(a.clone())),
        (Op::ToInt, [Value::Real(a)]) => int(a.floor().to_integer()),
        _ => return Err(ill_sorted()),
    }))
}

fn sum_or_product<T: Clone>(
    first: &T,
    rest: &[Value],
    part: fn(&Value) -> Option<&T>,
    combine: fn(T, &T) -> T,
) -> Option<T> {
    rest.iter()
        .try_fold(first.clone(), |total, value| Some(combine(total, part(value)?)))
}

fn as_int(value: &Value) -> Option<&BigInt> {
    match value {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

fn as_real(value: &Value) -> Option<&BigRational> {
    match value {
        Value::Real(value) => Some(value),
        _ => None,
    }
}

fn rational(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(value) => Some(BigRational::from_integer(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}

/// `None` where the power is not a rational number (of the base's sort) or SMT-LIB leaves it open.
fn power(base: &Value, exponent: &Value) -> Option<EvalResult> {
    let whole = matches!(base, Value::Int(_));
    let (Some(base), Some(exponent)) = (rational(base), rational(exponent)) else {
        return Some(Err(EvalError::ill_sorted(Op::Pow)));
    };
    if !exponent.is_integer() || (base.is_zero() && !exponent.is_positive()) {
        return None;
    }
    if whole && exponent.is_negative() {
        return None;
    }
    let unit = base.abs().is_one() || base.is_zero();
    let exponent = exponent.to_integer();
    let magnitude = exponent.abs().to_u64().unwrap_or(u64::MAX);
    let bits = base.numer().bits().max(base.denom().bits());
    let result = if unit {
        // The sign of -1 depends on the parity only.
        if exponent.is_even() { base.abs() } else { base }
    } else if bits.saturating_mul(magnitude) > MAX_POWER_BITS {
        return Some(Err(EvalError::Impossible(
            "a power is too large to compute".into(),
        )));
    } else {
        let power = num_traits::pow(base, magnitude as usize);
        if exponent.is_negative() {
            power.recip()
        } else {
            power
        }
    };
    Some(Ok(if whole {
        int(result.to_integer())
    } else {
        real(result)
    }))
}

/// A bit-vector operator, by the folding of literals in `literals`.
pub(super) fn bv_operator(literals: &mut TermPool, op: BvOp, args: &[Value]) -> Option<Value> {
    if literals.term_count() > MAX_LITERALS {
        *literals = TermPool::new();
    }
    let args: Vec<TermId> = args
        .iter()
        .map(|arg| match (op, arg) {
            (BvOp::FromInt(_), Value::Int(_)) => arg.to_term(literals),
            (_, Value::Bv { .. }) => arg.to_term(literals),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let folded = fold_bv(literals, op, &args)?;
    Some(match literals.op(folded) {
        Op::Bool(value) => Value::Bool(value),
        Op::Int(number) => int(literals.number(number).to_integer()),
        Op::Bv(number) => Value::Bv {
            value: literals.number(number).to_integer(),
            width: literals.bv_width(folded),
        },
        _ => return None,
    })
}
