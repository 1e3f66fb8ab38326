//! Bit-vector operators: narrow ones on machine numbers, all others by the folding of literals,
//! which is the definition (and what the tests compare with).

use lariat_term::{BvOp, Op, TermId, TermPool, fold_bv};

use super::code::BitVectorOperator;
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
    if let Some(value) = narrow(operator, args) {
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

/// `None` if the operator or its arguments are not for this.
fn narrow(operator: &BitVectorOperator, args: &[Val]) -> Option<Val> {
    let &width = operator.widths.first()?;
    if operator.result > NARROW || operator.widths.iter().any(|&width| width > NARROW || width == 0) {
        return None;
    }
    let number = |index: usize| match args.get(index) {
        Some(&Val::Int(value)) => Some(value),
        _ => None,
    };
    let a = number(0)?;
    let signed = |value: i128| match value >> (width - 1) {
        0 => value,
        _ => value - (1 << width),
    };
    let b = || number(1);
    let value = match operator.op {
        BvOp::Ult => return Some(Val::Bool(a < b()?)),
        BvOp::Ule => return Some(Val::Bool(a <= b()?)),
        BvOp::Slt => return Some(Val::Bool(signed(a) < signed(b()?))),
        BvOp::Sle => return Some(Val::Bool(signed(a) <= signed(b()?))),
        BvOp::ToNat => return Some(Val::Int(a)),
        BvOp::ToInt => return Some(Val::Int(signed(a))),
        BvOp::Concat if args.len() == 2 => (a << operator.widths[1]) | b()?,
        BvOp::Extract { lo, .. } => a >> lo,
        BvOp::ZeroExtend(_) => a,
        BvOp::SignExtend(_) => signed(a),
        BvOp::Not => !a,
        BvOp::Neg => -a,
        BvOp::And => a & b()?,
        BvOp::Or => a | b()?,
        BvOp::Xor => a ^ b()?,
        BvOp::Add => a + b()?,
        BvOp::Sub => a - b()?,
        // Below 2^128 only modulo 2^128, which is enough.
        BvOp::Mul => a.wrapping_mul(b()?),
        BvOp::Udiv if b()? != 0 => a / b()?,
        BvOp::Urem if b()? != 0 => a % b()?,
        BvOp::Sdiv if b()? != 0 => signed(a) / signed(b()?),
        BvOp::Srem if b()? != 0 => signed(a) % signed(b()?),
        BvOp::Shl if b()? < i128::from(width) => a << b()?,
        BvOp::Lshr if b()? < i128::from(width) => a >> b()?,
        BvOp::Ashr if b()? < i128::from(width) => signed(a) >> b()?,
        _ => return None,
    };
    Some(Val::Int(value & ((1 << operator.result) - 1)))
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
                        let args = &[Val::Int(a), Val::Int(b)][..arity];
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
                        computed += usize::from(narrow(&operator, args).is_some());
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
