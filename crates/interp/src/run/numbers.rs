//! Operators on closed values: small numbers first, large ones where those overflow.

use std::cmp::Ordering;

use lariat_term::TermPool;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::code::Relation;
use super::give_up;
use super::machine::Halt;
use super::value::Val;
use crate::eval::values_equal;

/// Numbers with more bits are not computed.
const MAX_BITS: u64 = 1 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) enum Arithmetic {
    Add,
    Mul,
    /// Of SMT-LIB: the remainder is never negative.
    Div,
    Mod,
}

impl Arithmetic {
    /// `None` if the result is large or none.
    #[inline]
    pub fn on_small(self, a: i128, b: i128) -> Option<i128> {
        match self {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Mul => a.checked_mul(b),
            Arithmetic::Div => a.checked_div_euclid(b),
            Arithmetic::Mod => a.checked_rem_euclid(b),
        }
    }
}

pub(super) fn arithmetic(operator: Arithmetic, a: &Val, b: &Val) -> Result<Val, Halt> {
    if let (Some(a), Some(b)) = (a.to_i128(), b.to_i128())
        && let Some(small) = operator.on_small(a, b)
    {
        return Ok(Val::of_i128(small));
    }
    let (Some(a), Some(b)) = (a.to_number(), b.to_number()) else {
        return Err(give_up("a number was expected"));
    };
    if a.bits() + b.bits() > MAX_BITS {
        return Err(give_up("a number is too large to compute with"));
    }
    Ok(Val::number(match operator {
        Arithmetic::Add => a + b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div | Arithmetic::Mod if b.is_zero() => {
            return Err(give_up("the result of a division by zero is not known"));
        }
        Arithmetic::Div => divided(&a, &b),
        Arithmetic::Mod => a.mod_floor(&b.abs()),
    }))
}

/// Divided by 2^bits, rounded down.
pub(super) fn shifted(value: &Val, bits: u8) -> Result<Val, Halt> {
    match value.to_i128() {
        Some(number) => Ok(Val::of_i128(number >> bits)),
        None => arithmetic(Arithmetic::Div, value, &Val::of_i128(1 << bits)),
    }
}

/// Modulo 2^bits.
pub(super) fn modulo_power(value: &Val, bits: u8) -> Result<Val, Halt> {
    match value.to_i128() {
        Some(number) => Ok(Val::of_i128(number & ((1 << bits) - 1))),
        None => arithmetic(Arithmetic::Mod, value, &Val::of_i128(1 << bits)),
    }
}

/// The product modulo 2^bits, for which the lower 128 bits of the product are enough.
pub(super) fn product_modulo_power(a: &Val, b: &Val, bits: u8) -> Result<Val, Halt> {
    match (a.to_i128(), b.to_i128()) {
        (Some(a), Some(b)) => Ok(Val::of_i128(a.wrapping_mul(b) & ((1 << bits) - 1))),
        _ => modulo_power(&arithmetic(Arithmetic::Mul, a, b)?, bits),
    }
}

fn divided(a: &BigInt, b: &BigInt) -> BigInt {
    (a - a.mod_floor(&b.abs())) / b
}

pub(super) fn holds(pool: &TermPool, relation: Relation, a: &Val, b: &Val) -> Result<bool, Halt> {
    let order = match (a, b) {
        (Val::Int(a), Val::Int(b)) => a.cmp(b),
        (Val::Bool(a), Val::Bool(b)) => a.cmp(b),
        (Val::Float(a), Val::Float(b)) => match a == b {
            true => Ordering::Equal,
            false => Ordering::Less,
        },
        (Val::Other(a), Val::Other(b)) => match values_equal(pool, a, b) {
            true => Ordering::Equal,
            false => Ordering::Less,
        },
        _ => match (a.to_i128(), b.to_i128()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => match (a.to_number(), b.to_number()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => return Err(give_up("two values cannot be compared")),
            },
        },
    };
    Ok(relation.holds(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small and large numbers divide alike: both sides are shifted over the end of `i128`.
    #[test]
    fn small_and_large_numbers_agree() {
        let scale = BigInt::from(1) << 140;
        for a in -9i128..=9 {
            for b in [-4i128, -3, -1, 1, 3, 4] {
                for operator in [Arithmetic::Div, Arithmetic::Mod] {
                    let small = arithmetic(operator, &Val::of_i128(a), &Val::of_i128(b))
                        .ok()
                        .and_then(|value| value.to_number());
                    let (large_a, large_b) = (Val::number(a * &scale), Val::number(b * &scale));
                    let large = arithmetic(operator, &large_a, &large_b)
                        .ok()
                        .and_then(|value| value.to_number());
                    let small = small.map(|value| match operator {
                        Arithmetic::Mod => value * &scale,
                        _ => value,
                    });
                    assert_eq!(small, large, "{a} {operator:?} {b}");
                }
            }
        }
    }

    #[test]
    fn overflow_goes_on_with_large_numbers_and_comes_back() {
        let most = Val::of_i128(i128::MAX);
        let more = arithmetic(Arithmetic::Add, &most, &Val::Int(1)).expect("a sum");
        assert!(matches!(more, Val::Big(_)));
        let back = arithmetic(Arithmetic::Add, &more, &Val::Int(-1)).expect("a sum");
        assert_eq!(back.to_i128(), Some(i128::MAX));
        let product = arithmetic(Arithmetic::Mul, &most, &most).expect("a product");
        let quotient = arithmetic(Arithmetic::Div, &product, &most).expect("a quotient");
        assert_eq!(quotient.to_i128(), Some(i128::MAX));
        let least = arithmetic(Arithmetic::Div, &Val::of_i128(i128::MIN), &Val::Int(-1)).expect("a quotient");
        assert_eq!(least.to_number(), Some(BigInt::from(i128::MAX) + 1));
    }

    #[test]
    fn division_by_zero_has_no_value() {
        for operator in [Arithmetic::Div, Arithmetic::Mod] {
            assert!(matches!(
                arithmetic(operator, &Val::Int(1), &Val::Int(0)),
                Err(Halt::GaveUp(_))
            ));
        }
    }
}
