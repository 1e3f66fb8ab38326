//! Scalars as little-endian bytes and back.
//!
//! Invariants: a byte is a value of the unsigned 8-bit type. The bytes of a value, put together again, are that value (of an
//! integer, up to a reduction that its bounds make trivial; of a float that is not a number, up to its payload).

use lariat_c_program::{FloatKind, Machine, Scalar};
use lariat_term::{BvOp, Op, TermId, TermPool};
use num_bigint::BigInt;

use crate::range::{Range, power_of_two};
use crate::wrapped::{add, literal, low_bits, shift_down, shift_up, wrap};
use crate::{Arith, Class, Shape, Value, bridge, float};

const BYTE: Shape = Shape {
    bits: 8,
    signed: false,
};

const BYTE_TYPE: Scalar = Scalar::Int {
    bits: 8,
    signed: false,
};

impl Arith {
    /// The bytes of the value in memory. The padding of a `long double` is 0.
    pub fn to_bytes(&self, pool: &mut TermPool, ty: Scalar, v: &Value) -> Vec<Value> {
        match self.class(ty) {
            Class::Integer(_) if self.is_bit_vector() => self.split_bits(pool, v.term),
            Class::Integer(shape) => split(pool, v, shape.bits / 8),
            Class::Float(kind) => {
                let bits = float::to_ieee_bits(pool, kind, v.term);
                let bits = match kind {
                    FloatKind::LongDouble => float::extended_to_memory(pool, bits),
                    _ => bits,
                };
                let mut bytes = self.split_bits(pool, bits);
                if kind == FloatKind::LongDouble {
                    let zero = self.int(pool, BYTE_TYPE, &BigInt::ZERO);
                    bytes.resize(self.long_double_bytes(), zero);
                }
                bytes
            }
        }
    }

    /// The value whose bytes in memory these are; bytes beyond the size of the type do not matter.
    pub fn from_bytes(&self, pool: &mut TermPool, ty: Scalar, bytes: &[Value]) -> Value {
        match self.class(ty) {
            Class::Integer(shape) => {
                let bytes = first(bytes, shape.bits / 8);
                let unsigned = Shape {
                    signed: false,
                    ..shape
                };
                let whole = if self.is_bit_vector() {
                    Value::unbounded(self.join_bits(pool, bytes))
                } else {
                    join(pool, bytes, unsigned)
                };
                match ty {
                    Scalar::Bool => {
                        let truth = self.truth(pool, BYTE_TYPE, &whole);
                        self.of_truth(pool, ty, truth)
                    }
                    _ if self.is_bit_vector() => whole,
                    _ => wrap(pool, &whole, shape),
                }
            }
            Class::Float(FloatKind::LongDouble) => {
                let memory = self.join_bits(pool, first(bytes, 10));
                let bits = float::extended_of_memory(pool, memory);
                Value::unbounded(float::of_ieee_bits(pool, FloatKind::LongDouble, bits))
            }
            Class::Float(kind) => {
                let size = if kind == FloatKind::Float { 4 } else { 8 };
                let bits = self.join_bits(pool, first(bytes, size));
                Value::unbounded(float::of_ieee_bits(pool, kind, bits))
            }
        }
    }

    fn long_double_bytes(&self) -> usize {
        match self.machine {
            Machine::Lp64 => 16,
            Machine::Ilp32 => 12,
        }
    }

    /// A bit-vector as bytes of this representation.
    fn split_bits(&self, pool: &mut TermPool, bits: TermId) -> Vec<Value> {
        let count = pool.bv_width(bits) / 8;
        (0..count)
            .map(|index| {
                let byte = if count == 1 {
                    bits
                } else {
                    let (hi, lo) = (8 * index + 7, 8 * index);
                    pool.bv_op(BvOp::Extract { hi, lo }, &[bits])
                };
                if self.is_bit_vector() {
                    Value::unbounded(byte)
                } else {
                    bridge::of_bv(pool, byte, BYTE)
                }
            })
            .collect()
    }

    /// Bytes of this representation as one bit-vector.
    fn join_bits(&self, pool: &mut TermPool, bytes: &[Value]) -> TermId {
        let parts: Vec<TermId> = bytes
            .iter()
            .map(|byte| {
                if self.is_bit_vector() {
                    byte.term
                } else {
                    bridge::to_bv(pool, byte.term, 8)
                }
            })
            .collect();
        if let [only] = parts[..] {
            return only;
        }
        if let Some(whole) = split_before(pool, &parts) {
            return whole;
        }
        let from_the_top: Vec<TermId> = parts.into_iter().rev().collect();
        pool.bv_op(BvOp::Concat, &from_the_top)
    }
}

fn first(bytes: &[Value], count: u32) -> &[Value] {
    &bytes[..bytes.len().min(count as usize)]
}

/// The bit-vector whose bytes these are, all of them and in order.
fn split_before(pool: &TermPool, parts: &[TermId]) -> Option<TermId> {
    let whole = *pool.args(*parts.first()?).first()?;
    let all = parts.iter().enumerate().all(|(index, &part)| {
        let lo = 8 * index as u32;
        pool.op(part) == Op::Bv2(BvOp::Extract { hi: lo + 7, lo }) && pool.args(part) == [whole]
    });
    (all && pool.bv_width(whole) == 8 * parts.len() as u32).then_some(whole)
}

/// The low bytes of an integer. Division that rounds down keeps the bits of negative values, too.
fn split(pool: &mut TermPool, v: &Value, count: u32) -> Vec<Value> {
    (0..count)
        .map(|index| {
            let rest = shift_down(pool, v, 8 * index);
            low_bits(pool, &rest, 8)
        })
        .collect()
}

/// An integer with these low bytes, whose bounds are at most one period of the type away from it.
fn join(pool: &mut TermPool, bytes: &[Value], shape: Shape) -> Value {
    if let Some(whole) = joined_before(pool, bytes, shape) {
        return whole;
    }
    let zero = literal(pool, BigInt::ZERO);
    bytes.iter().enumerate().fold(zero, |sum, (index, byte)| {
        let part = shift_up(pool, byte, 8 * index as u32);
        add(pool, &sum, &part)
    })
}

/// The integer that was split into just these bytes. Which bounds it had is seen in its highest byte: `split` makes
/// different terms for values that cannot be negative and for those that can.
fn joined_before(pool: &mut TermPool, bytes: &[Value], shape: Shape) -> Option<Value> {
    let (Op::Mod, &[term, _]) = (pool.op(bytes.first()?.term), pool.args(bytes.first()?.term)) else {
        return None;
    };
    let unsigned = Range::of(shape);
    let period = power_of_two(shape.bits);
    let either_sign = Range::new(-period, unsigned.hi.clone());
    [unsigned, either_sign].into_iter().find_map(|range| {
        let whole = Value {
            term,
            range: Some(range),
        };
        let again = split(pool, &whole, shape.bits / 8);
        let same = again.len() == bytes.len() && again.iter().zip(bytes).all(|(a, b)| a.term == b.term);
        same.then_some(whole)
    })
}
