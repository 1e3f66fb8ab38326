//! The signs and the bits of floats.
//!
//! Invariant: of a float that is not a number, sign and payload are known only where it is a copy of bits in memory.
//! Elsewhere the machine chooses them: they are any, and a failure that depends on them is not confirmed by a replay.

use lariat_base::Span;
use lariat_c_arith::{Value, bits_of_copy};
use lariat_c_program::{Expr, FloatKind, Scalar};
use lariat_ir::{Origin, StmtKind};
use lariat_term::{BvOp, Op, TermId};
use num_bigint::BigInt;
use smallvec::smallvec;

use crate::function::FunctionLowering;
use crate::names::NAN_BITS;

impl FunctionLowering<'_, '_> {
    /// `__builtin_signbit(arg)`. `None` if the argument is no float.
    pub fn sign_builtin(&mut self, arg: &Expr, expr: &Expr) -> Option<Value> {
        let Scalar::Float(kind) = self.scalar(arg.ty) else {
            return None;
        };
        let value = self.expr(arg);
        let sign = self.sign(value, kind, expr.span);
        let scalar = self.scalar(expr.ty);
        Some(self.cx.arith.of_truth(&mut self.cx.ir.pool, scalar, sign))
    }

    fn sign(&mut self, value: Value, kind: FloatKind, span: Span) -> TermId {
        let value = self.pin(value, span);
        if let Some(bits) = self.known_bits(&value, kind) {
            let pool = &mut self.cx.ir.pool;
            let top = pool.bv_width(bits) - 1;
            let sign = pool.bv_op(BvOp::Extract { hi: top, lo: top }, &[bits]);
            let one = pool.bv(BigInt::from(1), 1);
            return pool.eq(sign, one);
        }
        let pool = &mut self.cx.ir.pool;
        let bool = pool.bool_sort();
        let known = pool.theory("fp.isNegative", &[value.term], bool);
        let is_open = pool.theory("fp.isNaN", &[value.term], bool);
        match is_made_of_integer(pool, value.term) {
            true => known,
            false => self.known_unless(is_open, known, NAN_BITS, span),
        }
    }

    /// The same float, whose bits are known.
    pub fn with_known_bits(&mut self, value: &Value, kind: FloatKind, span: Span) -> Value {
        let is_number = is_made_of_integer(&self.cx.ir.pool, value.term);
        // Initial values are set in one block.
        let is_constant = self.cx.ir.pool.free_vars(&[value.term]).is_empty();
        if is_number || is_constant || self.known_bits(value, kind).is_some() {
            return value.clone();
        }
        let value = self.pin(value.clone(), span);
        let pool = &mut self.cx.ir.pool;
        let known = self.cx.arith.bits_of_float(pool, kind, &value);
        let bool = pool.bool_sort();
        let is_open = pool.theory("fp.isNaN", &[value.term], bool);
        let sort = pool.sort_of(known);
        let bits = self.temporary(sort);
        let [open, number, after] = [self.new_block(), self.new_block(), self.new_block()];
        self.guard_silently(is_open, open, number, span);
        self.at(open);
        let stmt = self.push(StmtKind::Havoc(smallvec![bits]), span, Origin::Internal);
        self.cx.names.imprecise.insert(stmt, NAN_BITS.into());
        let pool = &mut self.cx.ir.pool;
        let bits_term = pool.var(bits);
        let copy = self.cx.arith.float_of_bits(pool, kind, bits_term);
        let is_same = pool.theory("fp.isNaN", &[copy.term], bool);
        self.assume(is_same, span);
        self.jump(after);
        self.at(number);
        self.set_silently(bits, known, span);
        self.jump(after);
        self.at(after);
        copy
    }

    /// The bits of a number that is a literal, or of a copy.
    fn known_bits(&mut self, value: &Value, kind: FloatKind) -> Option<TermId> {
        let pool = &mut self.cx.ir.pool;
        match pool.op(value.term) {
            Op::Float(_) => {
                let bits = self.cx.arith.bits_of_float(pool, kind, value);
                pool.as_bv(bits).is_some().then_some(bits)
            }
            _ => bits_of_copy(pool, value.term),
        }
    }
}

/// Whether a float is an integer that was converted: a number, for certain.
fn is_made_of_integer(pool: &lariat_term::TermPool, float: TermId) -> bool {
    match (pool.op(float), pool.args(float)) {
        (Op::Theory(_), [_, integer]) => matches!(
            pool.sort(pool.sort_of(*integer)),
            lariat_term::Sort::Int | lariat_term::Sort::Bv(_) | lariat_term::Sort::Real
        ),
        _ => false,
    }
}
