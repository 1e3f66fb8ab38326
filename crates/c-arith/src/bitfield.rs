//! Bit-fields: parts of an unsigned number, the container.

use lariat_c_program::Scalar;
use lariat_term::{BvOp, TermPool};

use crate::bridge::resize;
use crate::wrapped::{add, known, low_bits, shift_down, shift_up, sub, wrap};
use crate::{Arith, Class, Range, Shape, Value};

impl Arith {
    /// What a bit-field holds, of which there are as many bits as the width says.
    fn field_shape(&self, ty: Scalar, width: u32) -> Shape {
        let signed = matches!(self.class(ty), Class::Integer(shape) if shape.signed);
        Shape { bits: width, signed }
    }

    fn bits_of(&self, ty: Scalar, field: Shape) -> u32 {
        match self.class(ty) {
            Class::Integer(shape) => shape.bits,
            Class::Float(_) => field.bits,
        }
    }

    /// The value of the bit-field of a declared type, from bit `shift` of the container on.
    pub fn extract_bits(
        &self,
        pool: &mut TermPool,
        ty: Scalar,
        container: &Value,
        container_bits: u32,
        shift: u32,
        width: u32,
    ) -> Value {
        debug_assert!(width > 0 && shift + width <= container_bits);
        let field = self.field_shape(ty, width);
        if self.is_bit_vector() {
            let (hi, lo) = (shift + width - 1, shift);
            let part = pool.bv_op(BvOp::Extract { hi, lo }, &[container.term]);
            let bits = self.bits_of(ty, field);
            return Value::unbounded(resize(pool, part, bits, field.signed));
        }
        let rest = shift_down(pool, container, shift);
        wrap(pool, &rest, field)
    }

    /// The container after an assignment to the bit-field.
    #[allow(clippy::too_many_arguments)]
    pub fn insert_bits(
        &self,
        pool: &mut TermPool,
        container: &Value,
        container_bits: u32,
        shift: u32,
        width: u32,
        ty: Scalar,
        v: &Value,
    ) -> Value {
        debug_assert!(width > 0 && shift + width <= container_bits);
        if self.is_bit_vector() {
            let signed = self.field_shape(ty, width).signed;
            let mut parts = Vec::new();
            if shift + width < container_bits {
                let (hi, lo) = (container_bits - 1, shift + width);
                parts.push(pool.bv_op(BvOp::Extract { hi, lo }, &[container.term]));
            }
            parts.push(resize(pool, v.term, width, signed));
            if shift > 0 {
                let (hi, lo) = (shift - 1, 0);
                parts.push(pool.bv_op(BvOp::Extract { hi, lo }, &[container.term]));
            }
            return Value::unbounded(match parts[..] {
                [only] => only,
                _ => pool.bv_op(BvOp::Concat, &parts),
            });
        }
        // Everything above the field, the field, everything below it.
        let upto = low_bits(pool, container, shift + width);
        let above = sub(pool, container, &upto);
        let below = low_bits(pool, container, shift);
        let field = low_bits(pool, v, width);
        let field = shift_up(pool, &field, shift);
        let outside = add(pool, &above, &below);
        let term = pool.add(&[outside.term, field.term]);
        let whole = Shape {
            bits: container_bits,
            signed: false,
        };
        match container.range {
            Some(_) => known(pool, term, Range::of(whole)),
            None => Value::unbounded(term),
        }
    }

    /// What a bit-field of this declared type and width holds after `v` was assigned to it.
    pub fn truncate_to_bits(&self, pool: &mut TermPool, ty: Scalar, v: &Value, width: u32) -> Value {
        if ty == Scalar::Bool {
            return v.clone();
        }
        let field = self.field_shape(ty, width);
        if self.is_bit_vector() {
            let part = resize(pool, v.term, width, field.signed);
            let bits = self.bits_of(ty, field);
            return Value::unbounded(resize(pool, part, bits, field.signed));
        }
        wrap(pool, v, field)
    }
}
