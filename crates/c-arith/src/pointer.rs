//! Pointer arithmetic. In `Int` terms it is not reduced to the address space: leaving an object is undefined in C.

use lariat_c_program::Scalar;
use lariat_term::{BvOp, TermPool};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use crate::bridge::resize;
use crate::range::{Range, exponent_of};
use crate::wrapped::{self, known};
use crate::{Arith, Class, Value};

impl Arith {
    /// `p + index * size`, or `p - index * size`; `size` in bytes.
    pub fn pointer_add(
        &self,
        pool: &mut TermPool,
        p: &Value,
        index: &Value,
        index_ty: Scalar,
        size: &BigInt,
        subtract: bool,
    ) -> Value {
        let bits = self.machine.pointer_bits();
        if self.is_bit_vector() {
            let signed = matches!(self.class(index_ty), Class::Integer(shape) if shape.signed);
            let index = resize(pool, index.term, bits, signed);
            let size = pool.bv(size.clone(), bits);
            let offset = pool.bv_op(BvOp::Mul, &[index, size]);
            let op = if subtract { BvOp::Sub } else { BvOp::Add };
            return Value::unbounded(pool.bv_op(op, &[p.term, offset]));
        }
        let size = wrapped::literal(pool, size.clone());
        let offset = wrapped::mul(pool, index, &size);
        if subtract {
            wrapped::sub(pool, p, &offset)
        } else {
            wrapped::add(pool, p, &offset)
        }
    }

    /// `(a - b) / size`; undefined in C if it is not exact. A size of 0 (GNU C's empty records) gives 0.
    pub fn pointer_difference(
        &self,
        pool: &mut TermPool,
        a: &Value,
        b: &Value,
        size: &BigInt,
        result: Scalar,
    ) -> Value {
        if size.is_zero() {
            return self.int(pool, result, size);
        }
        if self.is_bit_vector() {
            let bits = self.machine.pointer_bits();
            let bytes = pool.bv_op(BvOp::Sub, &[a.term, b.term]);
            let count = match exponent_of(size) {
                Some(0) => bytes,
                Some(exponent) => {
                    let exponent = pool.bv(exponent, bits);
                    pool.bv_op(BvOp::Ashr, &[bytes, exponent])
                }
                None => {
                    let size = pool.bv(size.clone(), bits);
                    pool.bv_op(BvOp::Sdiv, &[bytes, size])
                }
            };
            let width = match self.class(result) {
                Class::Integer(shape) => shape.bits,
                Class::Float(_) => bits,
            };
            return Value::unbounded(resize(pool, count, width, true));
        }
        let bytes = wrapped::sub(pool, a, b);
        let divisor = pool.int(size.clone());
        let term = pool.int_div(bytes.term, divisor);
        let range = match (&bytes.range, self.class(result)) {
            (Some(range), Class::Integer(shape)) => {
                let quotients = Range::new(range.lo.div_floor(size), range.hi.div_floor(size));
                quotients.intersection(&Range::of(shape))
            }
            _ => None,
        };
        match range {
            Some(range) => known(pool, term, range),
            None => Value::unbounded(term),
        }
    }
}
