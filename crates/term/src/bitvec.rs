//! The meaning of bit-vector operators on literals, as SMT-LIB defines it.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::op::BvOp;
use crate::pool::{TermId, TermPool};

/// The width of the result of an operator that yields a bit-vector.
pub(crate) fn bv_result_width(op: BvOp, args: &[u32]) -> u32 {
    match op {
        BvOp::Concat => args.iter().sum(),
        BvOp::Extract { hi, lo } => hi - lo + 1,
        BvOp::ZeroExtend(n) | BvOp::SignExtend(n) => args[0] + n,
        BvOp::Repeat(n) => args[0] * n,
        BvOp::FromInt(width) => width,
        BvOp::Comp => 1,
        _ => args[0],
    }
}

fn signed(value: &BigInt, width: u32) -> BigInt {
    if width > 0 && value.bit(u64::from(width) - 1) {
        value - (BigInt::one() << width)
    } else {
        value.clone()
    }
}

/// The value of an operator on literals; `None` if an argument is not a literal.
pub fn fold_bv(pool: &mut TermPool, op: BvOp, args: &[TermId]) -> Option<TermId> {
    if let BvOp::FromInt(width) = op {
        let value = pool.as_int(args[0])?.clone();
        return Some(pool.bv(value, width));
    }
    let widths: Vec<u32> = args.iter().map(|&arg| pool.bv_width(arg)).collect();
    let values: Vec<BigInt> = args
        .iter()
        .map(|&arg| pool.as_bv(arg).cloned())
        .collect::<Option<_>>()?;
    let width = widths[0];
    let (a, b) = (&values[0], values.get(1));
    let ones = (BigInt::one() << width) - 1;
    let binary = || b.expect("a binary operator has two arguments");
    let compare = |pool: &mut TermPool, value: bool| Some(pool.bool(value));
    let value = match op {
        BvOp::Ult => return compare(pool, a < binary()),
        BvOp::Ule => return compare(pool, a <= binary()),
        BvOp::Slt => return compare(pool, signed(a, width) < signed(binary(), width)),
        BvOp::Sle => return compare(pool, signed(a, width) <= signed(binary(), width)),
        BvOp::ToNat => return Some(pool.int(a.clone())),
        BvOp::ToInt => return Some(pool.int(signed(a, width))),
        BvOp::Comp => BigInt::from(u8::from(a == binary())),
        BvOp::Concat => values
            .iter()
            .zip(&widths)
            .fold(BigInt::zero(), |high, (low, &low_width)| {
                (high << low_width) | low
            }),
        BvOp::Extract { lo, .. } => a >> lo,
        BvOp::ZeroExtend(_) => a.clone(),
        BvOp::SignExtend(_) => signed(a, width),
        BvOp::RotateLeft(n) | BvOp::RotateRight(n) => {
            let n = n % width;
            let left = if matches!(op, BvOp::RotateLeft(_)) {
                n
            } else {
                (width - n) % width
            };
            (a << left) | (a >> (width - left))
        }
        BvOp::Repeat(n) => (0..n).fold(BigInt::zero(), |high, _| (high << width) | a),
        BvOp::Not => &ones ^ a,
        BvOp::Neg => -a,
        BvOp::And => a & binary(),
        BvOp::Or => a | binary(),
        BvOp::Xor => a ^ binary(),
        BvOp::Nand => &ones ^ (a & binary()),
        BvOp::Nor => &ones ^ (a | binary()),
        BvOp::Xnor => &ones ^ (a ^ binary()),
        BvOp::Add => a + binary(),
        BvOp::Sub => a - binary(),
        BvOp::Mul => a * binary(),
        BvOp::Udiv => {
            if binary().is_zero() {
                ones
            } else {
                a / binary()
            }
        }
        BvOp::Urem => {
            if binary().is_zero() {
                a.clone()
            } else {
                a % binary()
            }
        }
        BvOp::Sdiv => {
            let (x, y) = (signed(a, width), signed(binary(), width));
            if y.is_zero() {
                if x.is_negative() { BigInt::one() } else { ones }
            } else {
                x / y
            }
        }
        BvOp::Srem => {
            let (x, y) = (signed(a, width), signed(binary(), width));
            if y.is_zero() { x } else { x % y }
        }
        BvOp::Smod => {
            let (x, y) = (signed(a, width), signed(binary(), width));
            if y.is_zero() { x } else { x.mod_floor(&y) }
        }
        BvOp::Shl => match binary().to_u32() {
            Some(n) if n < width => a << n,
            _ => BigInt::zero(),
        },
        BvOp::Lshr => match binary().to_u32() {
            Some(n) if n < width => a >> n,
            _ => BigInt::zero(),
        },
        BvOp::Ashr => {
            let x = signed(a, width);
            let n = binary().to_u32().map_or(width, |n| n.min(width));
            x >> n
        }
        BvOp::FromInt(_) => unreachable!("handled above"),
    };
    Some(pool.bv(value, bv_result_width(op, &widths)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_fold_as_in_smt_lib() {
        let mut pool = TermPool::new();
        let mut check = |op, args: &[i64], expected: i64| {
            let args: Vec<TermId> = args.iter().map(|&arg| pool.bv(arg, 8)).collect();
            let folded = fold_bv(&mut pool, op, &args).expect("literals");
            assert_eq!(pool.as_bv(folded), Some(&BigInt::from(expected)), "{op:?}");
        };
        check(BvOp::Add, &[200, 100], 44);
        check(BvOp::Sub, &[1, 2], 255);
        check(BvOp::Udiv, &[5, 0], 255);
        check(BvOp::Sdiv, &[-7, 2], 253);
        check(BvOp::Sdiv, &[-7, 0], 1);
        check(BvOp::Srem, &[-7, 2], 255);
        check(BvOp::Smod, &[-7, 2], 1);
        check(BvOp::Smod, &[7, -2], 255);
        check(BvOp::Ashr, &[-128, 3], 240);
        check(BvOp::Ashr, &[-128, 200], 255);
        check(BvOp::Lshr, &[128, 8], 0);
        check(BvOp::Shl, &[1, 7], 128);
        check(BvOp::RotateLeft(3), &[0b1010_0001], 0b0000_1101);
        check(BvOp::RotateRight(8), &[0b1010_0001], 0b1010_0001);
        check(BvOp::Extract { hi: 6, lo: 5 }, &[0b0110_0000], 3);
    }
}
