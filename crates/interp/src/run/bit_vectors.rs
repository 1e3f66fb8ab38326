//! Bit-vector operators: narrow ones on machine numbers, all others by the folding of literals,
//! which is the definition (and what the tests compare with).

use lariat_term::{BvOp, Op, TermId, TermPool, fold_bv};

use super::code::{BitVectorOperator, NarrowOperator};
use super::give_up;
use super::machine::Halt;
use super::value::Val;

/// Arguments of at most this many bits are computed with directly.
const NARROW: u32 = 64;

/// Literals kept before the pool is emptied.
const MAX_LITERALS: usize = 1 << 16;

pub(super) fn bit_vector(
    literals: &mut TermPool,
    operator: &BitVectorOperator,
    args: &[Val],
) -> Result<Val, Halt> {
    if let Some(value) = direct(operator, args) {
        return Ok(value);
    }
    if literals.term_count() > MAX_LITERALS {
        *literals = TermPool::new();
    }
    let terms: Option<Vec<TermId>> = args
        .iter()
        .enumerate()
        .map(|(index, arg)| {
            let number = arg.to_number()?;
            Some(match operator.widths.get(index) {
                Some(&width) => literals.bv(number, width),
                None => literals.int(number),
            })
        })
        .collect();
    let folded = terms.and_then(|terms| fold_bv(literals, operator.op, &terms));
    match folded.map(|term| literals.op(term)) {
        Some(Op::Bool(value)) => Ok(Val::Bool(value)),
        Some(Op::Int(number) | Op::Bv(number)) => Ok(Val::number(literals.number(number).to_integer())),
        _ => Err(give_up("a bit-vector was expected")),
    }
}

/// The operator for two arguments of one width.
pub(super) fn narrow_operator(op: BvOp) -> Option<NarrowOperator> {
    Some(match op {
        BvOp::And => NarrowOperator::And,
        BvOp::Or => NarrowOperator::Or,
        BvOp::Xor => NarrowOperator::Xor,
        BvOp::Add => NarrowOperator::Add,
        BvOp::Sub => NarrowOperator::Sub,
        BvOp::Mul => NarrowOperator::Mul,
        BvOp::Shl => NarrowOperator::Shl,
        BvOp::Lshr => NarrowOperator::Lshr,
        BvOp::Ashr => NarrowOperator::Ashr,
        BvOp::Ult => NarrowOperator::Ult,
        BvOp::Ule => NarrowOperator::Ule,
        BvOp::Slt => NarrowOperator::Slt,
        BvOp::Sle => NarrowOperator::Sle,
        _ => return None,
    })
}

/// On two unsigned numbers of this width, which is 1 to 64.
#[inline]
pub(super) fn narrow(operator: NarrowOperator, a: i128, b: i128, width: u32) -> Val {
    let signed = |value: i128| match value >> (width - 1) {
        0 => value,
        _ => value - (1 << width),
    };
    let by = b.min(127) as u32;
    let value = match operator {
        NarrowOperator::Ult => return Val::Bool(a < b),
        NarrowOperator::Ule => return Val::Bool(a <= b),
        NarrowOperator::Slt => return Val::Bool(signed(a) < signed(b)),
        NarrowOperator::Sle => return Val::Bool(signed(a) <= signed(b)),
        NarrowOperator::And => a & b,
        NarrowOperator::Or => a | b,
        NarrowOperator::Xor => a ^ b,
        NarrowOperator::Add => a + b,
        NarrowOperator::Sub => a - b,
        // Below 2^128 only modulo 2^128, which is enough.
        NarrowOperator::Mul => a.wrapping_mul(b),
        NarrowOperator::Shl if by >= width => 0,
        NarrowOperator::Shl => a << by,
        NarrowOperator::Lshr => a >> by,
        NarrowOperator::Ashr => signed(a) >> by,
    };
    Val::of_i128(value & ((1 << width) - 1))
}

/// `None` if the operator or its arguments are not for this.
fn direct(operator: &BitVectorOperator, args: &[Val]) -> Option<Val> {
    if let (BvOp::FromInt(width @ 1..=NARROW), Some(number)) =
        (operator.op, args.first().and_then(Val::to_i128))
    {
        return Some(Val::of_i128(number & ((1 << width) - 1)));
    }
    let &width = operator.widths.first()?;
    if operator.result > NARROW || operator.widths.iter().any(|&width| width > NARROW || width == 0) {
        return None;
    }
    let number = |index: usize| args.get(index).and_then(Val::to_i128);
    let a = number(0)?;
    if let (Some(narrow_operator), Some(b)) = (narrow_operator(operator.op), number(1)) {
        return Some(narrow(narrow_operator, a, b, width));
    }
    let signed = |value: i128| match value >> (width - 1) {
        0 => value,
        _ => value - (1 << width),
    };
    let b = || number(1);
    let value = match operator.op {
        BvOp::ToNat => return Some(Val::of_i128(a)),
        BvOp::ToInt => return Some(Val::of_i128(signed(a))),
        BvOp::Concat if args.len() == 2 => (a << operator.widths[1]) | b()?,
        BvOp::Extract { lo, .. } => a >> lo,
        BvOp::ZeroExtend(_) => a,
        BvOp::SignExtend(_) => signed(a),
        BvOp::Not => !a,
        BvOp::Neg => -a,
        BvOp::Udiv if b()? != 0 => a / b()?,
        BvOp::Urem if b()? != 0 => a % b()?,
        BvOp::Sdiv if b()? != 0 => signed(a) / signed(b()?),
        BvOp::Srem if b()? != 0 => signed(a) % signed(b()?),
        _ => return None,
    };
    Some(Val::of_i128(value & ((1 << operator.result) - 1)))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use smallvec::SmallVec;

    use super::*;

    fn patterns(width: u32) -> Vec<i128> {
        let ones = (1i128 << width) - 1;
        let mut patterns = vec![
            0,
            1,
            2,
            3,
            5,
            ones,
            ones - 1,
            ones >> 1,
            (ones >> 1) + 1,
            ones / 3,
        ];
        patterns.iter_mut().for_each(|pattern| *pattern &= ones);
        patterns
    }

    /// Each operator on narrow arguments against the folding of literals.
    #[test]
    fn narrow_operators_are_those_of_smt_lib() {
        let mut pool = TermPool::new();
        let mut computed = 0;
        for width in [1, 3, 8, 32, 64] {
            let unary = [
                BvOp::Not,
                BvOp::Neg,
                BvOp::ToNat,
                BvOp::ToInt,
                BvOp::ZeroExtend(64 - width),
                BvOp::SignExtend(64 - width),
                BvOp::Extract {
                    hi: width - 1,
                    lo: width / 2,
                },
                BvOp::RotateLeft(1),
            ];
            let binary = [
                BvOp::Concat,
                BvOp::And,
                BvOp::Or,
                BvOp::Xor,
                BvOp::Nand,
                BvOp::Add,
                BvOp::Sub,
                BvOp::Mul,
                BvOp::Udiv,
                BvOp::Urem,
                BvOp::Sdiv,
                BvOp::Srem,
                BvOp::Smod,
                BvOp::Shl,
                BvOp::Lshr,
                BvOp::Ashr,
                BvOp::Ult,
                BvOp::Ule,
                BvOp::Slt,
                BvOp::Sle,
                BvOp::Comp,
            ];
            let calls = unary
                .map(|op| (op, 1))
                .into_iter()
                .chain(binary.map(|op| (op, 2)));
            for (op, arity) in calls {
                for a in patterns(width) {
                    for b in patterns(width) {
                        let args = &[Val::of_i128(a), Val::of_i128(b)][..arity];
                        let terms: Vec<TermId> =
                            [a, b][..arity].iter().map(|&arg| pool.bv(arg, width)).collect();
                        let folded = fold_bv(&mut pool, op, &terms).expect("literals");
                        let result = match pool.op(folded) {
                            Op::Bv(_) => pool.bv_width(folded),
                            _ => 0,
                        };
                        let operator = BitVectorOperator {
                            op,
                            widths: SmallVec::from_elem(width, arity),
                            result,
                        };
                        let found = bit_vector(&mut TermPool::new(), &operator, args).expect("a value");
                        computed += usize::from(direct(&operator, args).is_some());
                        let expected: Option<BigInt> = pool
                            .as_bv(folded)
                            .or(pool.as_int(folded))
                            .cloned()
                            .or(pool.as_bool(folded).map(BigInt::from));
                        let found = match found {
                            Val::Bool(value) => Some(BigInt::from(value)),
                            other => other.to_number(),
                        };
                        assert_eq!(found, expected, "{op:?} of {width} bits: {a} {b}");
                    }
                }
            }
        }
        assert!(computed > 8_000, "{computed} were computed directly");
    }
}
