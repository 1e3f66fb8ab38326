//! c-program ─ **c-arith**, c-regions, c-lower ─> IR
//!
//! C's scalar operators as terms: exactly what gcc computes on x86 (two's complement, wrap-around, conversions modulo 2^n,
//! division toward zero, rounding to nearest even). Every function is pure: operands are terms already.
//!
//! Architecture invariants:
//! - a [`Value`]'s term has the sort that [`Arith::sort`] gives its type, and stands for a value of that type. Exceptions:
//!   with [`IntegerForm::Math`] a value of an integer type of 32 or more bits is any integer; with integers of either kind the
//!   result of pointer arithmetic that leaves the address space (undefined in C) is not reduced;
//! - a range holds in every execution in which the ranges of the operands hold; only `Int` terms have one;
//! - what C leaves undefined has some value of the type here, the same one for equal operands; the conditions under which
//!   it is undefined are terms of their own ([`Arith::overflows`], [`Arith::shift_out_of_range`], [`Arith::is_zero`]).

mod bitfield;
mod bitvector;
mod bitwise;
mod bridge;
mod bytes;
mod compare;
mod float;
mod integer;
mod pointer;
mod range;
mod shift;
mod wrapped;

use lariat_c_program::{BinaryOp, CompareOp, FloatKind, Machine, Scalar, UnaryOp};
use lariat_term::{SortId, TermId, TermPool};
use num_bigint::BigInt;

pub use float::{bits_of_copy, float_of_bits};
pub use range::Range;

/// How integers and pointers are represented.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntegerForm {
    /// Sort `Int`, exact by wrap-around.
    Wrapped,
    /// Sort `Int` without wrap-around of sums, products and conversions between types of 32 or more bits: not exact.
    Math,
    /// Bit-vectors of the type's width.
    BitVectors,
}

/// A value of a scalar type.
#[derive(Clone, Debug)]
pub struct Value {
    pub term: TermId,
    /// Bounds that are known without a solver; of `Int` terms only.
    pub range: Option<Range>,
}

/// The operators of C on one machine with one representation of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arith {
    pub integers: IntegerForm,
    pub machine: Machine,
}

/// An integer type, or a pointer or `_Bool` seen as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub bits: u32,
    pub signed: bool,
}

/// What a scalar type is for arithmetic.
#[derive(Clone, Copy)]
pub(crate) enum Class {
    Integer(Shape),
    Float(FloatKind),
}

impl Value {
    /// A value of which no bounds are known.
    pub fn unbounded(term: TermId) -> Self {
        Value { term, range: None }
    }
}

impl Arith {
    pub(crate) fn class(&self, ty: Scalar) -> Class {
        Class::Integer(match ty {
            Scalar::Bool => Shape {
                bits: 8,
                signed: false,
            },
            Scalar::Int { bits, signed } => Shape { bits, signed },
            Scalar::Pointer => Shape {
                bits: self.machine.pointer_bits(),
                signed: false,
            },
            Scalar::Float(kind) => return Class::Float(kind),
        })
    }

    pub(crate) fn is_bit_vector(&self) -> bool {
        self.integers == IntegerForm::BitVectors
    }

    pub fn sort(&self, pool: &mut TermPool, ty: Scalar) -> SortId {
        match self.class(ty) {
            Class::Float(kind) => float::sort(pool, kind),
            Class::Integer(shape) if self.is_bit_vector() => pool.bv_sort(shape.bits),
            Class::Integer(_) => pool.int_sort(),
        }
    }

    /// The literal, reduced to the type.
    pub fn int(&self, pool: &mut TermPool, ty: Scalar, value: &BigInt) -> Value {
        let shape = match self.class(ty) {
            Class::Float(kind) => return Value::unbounded(float::of_integer(pool, kind, value)),
            Class::Integer(shape) => shape,
        };
        let value = match ty {
            Scalar::Bool => BigInt::from(u8::from(value != &BigInt::ZERO)),
            _ => wrapped::reduce(value, shape),
        };
        if self.is_bit_vector() {
            Value::unbounded(pool.bv(value, shape.bits))
        } else {
            wrapped::literal(pool, value)
        }
    }

    /// The literal, rounded to the format.
    pub fn float(&self, pool: &mut TermPool, kind: FloatKind, value: f64) -> Value {
        Value::unbounded(float::literal(pool, kind, value))
    }

    /// A term that is known to be a value of the type: [`Arith::in_type`] was assumed of it, or it was stored as such.
    pub fn value(&self, term: TermId, ty: Scalar) -> Value {
        let range = match (self.integers, self.class(ty)) {
            (IntegerForm::BitVectors, _) | (_, Class::Float(_)) => None,
            (IntegerForm::Math, Class::Integer(shape)) if integer::is_unbounded(shape) => None,
            (_, Class::Integer(shape)) => Some(integer::bounds(ty, shape)),
        };
        Value { term, range }
    }

    /// What must be assumed of an arbitrary term of the type's sort; `None` if all are values of the type.
    pub fn in_type(&self, pool: &mut TermPool, ty: Scalar, term: TermId) -> Option<TermId> {
        match self.class(ty) {
            Class::Float(_) => None,
            Class::Integer(shape) if self.is_bit_vector() => (ty == Scalar::Bool).then(|| {
                let one = pool.bv(1, shape.bits);
                compare::compare_bits(pool, CompareOp::Le, shape, term, one)
            }),
            Class::Integer(shape) => {
                let bounds = integer::bounds(ty, shape);
                let (lowest, highest) = (pool.int(bounds.lo), pool.int(bounds.hi));
                let (above, below) = (pool.le(lowest, term), pool.le(term, highest));
                Some(pool.and(&[above, below]))
            }
        }
    }

    /// Whether the value is not zero; a float that is not a number is not.
    pub fn truth(&self, pool: &mut TermPool, ty: Scalar, v: &Value) -> TermId {
        match self.class(ty) {
            Class::Float(kind) => float::truth(pool, kind, v.term),
            Class::Integer(shape) if self.is_bit_vector() => {
                let zero = pool.bv(0, shape.bits);
                compare::compare_bits(pool, CompareOp::Ne, shape, v.term, zero)
            }
            Class::Integer(_) => compare::truth(pool, v),
        }
    }

    pub fn is_zero(&self, pool: &mut TermPool, ty: Scalar, v: &Value) -> TermId {
        let truth = self.truth(pool, ty, v);
        pool.not(truth)
    }

    /// 1 or 0.
    pub fn of_truth(&self, pool: &mut TermPool, ty: Scalar, condition: TermId) -> Value {
        match self.class(ty) {
            Class::Integer(_) if !self.is_bit_vector() => compare::of_truth(pool, condition),
            _ => {
                let one = self.int(pool, ty, &BigInt::from(1));
                let zero = self.int(pool, ty, &BigInt::ZERO);
                Value::unbounded(pool.ite(condition, one.term, zero.term))
            }
        }
    }

    pub fn unary(&self, pool: &mut TermPool, op: UnaryOp, ty: Scalar, v: &Value) -> Value {
        let result = match self.class(ty) {
            Class::Float(kind) => return Value::unbounded(float::unary(pool, kind, op, v.term)),
            Class::Integer(_) if self.is_bit_vector() => bitvector::unary(pool, op, v),
            Class::Integer(shape) => integer::unary(pool, self.integers, op, shape, v),
        };
        self.back_to_bool(pool, ty, result)
    }

    /// An operator on two values of one type; the right operand of a shift has a type of its own.
    pub fn binary(
        &self,
        pool: &mut TermPool,
        op: BinaryOp,
        ty: Scalar,
        a: &Value,
        b: &Value,
        right_ty: Scalar,
    ) -> Value {
        let result = match (self.class(ty), self.class(right_ty)) {
            (Class::Float(kind), _) => {
                return Value::unbounded(float::binary(pool, kind, op, a.term, b.term));
            }
            (Class::Integer(shape), right) => {
                let right = match right {
                    Class::Integer(right) => right,
                    Class::Float(_) => shape,
                };
                if self.is_bit_vector() {
                    bitvector::binary(pool, op, shape, a, b, right)
                } else {
                    integer::binary(pool, self.integers, op, shape, a, b, right)
                }
            }
        };
        self.back_to_bool(pool, ty, result)
    }

    /// An operator on `_Bool` computes in 8 bits.
    fn back_to_bool(&self, pool: &mut TermPool, ty: Scalar, result: Value) -> Value {
        if ty != Scalar::Bool {
            return result;
        }
        let byte = Scalar::Int {
            bits: 8,
            signed: false,
        };
        self.convert(pool, byte, Scalar::Bool, &result)
    }

    /// A comparison as a `Bool` term; pointers compare as unsigned numbers.
    pub fn compare(&self, pool: &mut TermPool, op: CompareOp, ty: Scalar, a: &Value, b: &Value) -> TermId {
        match self.class(ty) {
            Class::Float(kind) => float::compare(pool, kind, op, a.term, b.term),
            Class::Integer(shape) if self.is_bit_vector() => {
                compare::compare_bits(pool, op, shape, a.term, b.term)
            }
            Class::Integer(_) => compare::compare(pool, op, a, b),
        }
    }

    pub fn convert(&self, pool: &mut TermPool, from: Scalar, to: Scalar, v: &Value) -> Value {
        if from == to {
            return v.clone();
        }
        if to == Scalar::Bool {
            let truth = self.truth(pool, from, v);
            return self.of_truth(pool, to, truth);
        }
        match (self.class(from), self.class(to)) {
            (Class::Integer(old), Class::Integer(new)) => {
                if self.is_bit_vector() {
                    Value::unbounded(bridge::resize(pool, v.term, new.bits, old.signed))
                } else {
                    integer::convert(pool, self.integers, old, new, v)
                }
            }
            (Class::Integer(shape), Class::Float(kind)) => self.int_to_float(pool, shape, kind, v),
            (Class::Float(kind), Class::Integer(shape)) => self.float_to_int(pool, kind, shape, v),
            (Class::Float(old), Class::Float(new)) => {
                Value::unbounded(float::convert(pool, old, new, v.term))
            }
        }
    }

    /// The condition under which a signed operation has a mathematical result outside of its type, or is a left shift of
    /// a negative value (C11 6.5p5, 6.5.7p4); `None` if it cannot be.
    pub fn overflows(
        &self,
        pool: &mut TermPool,
        op: BinaryOp,
        ty: Scalar,
        a: &Value,
        b: &Value,
        right_ty: Scalar,
    ) -> Option<TermId> {
        let shape = self.signed_shape(ty)?;
        let right = match self.class(right_ty) {
            Class::Integer(right) => right,
            Class::Float(_) => shape,
        };
        if self.is_bit_vector() {
            bitvector::overflows(pool, op, shape, a, b, right)
        } else {
            integer::overflows(pool, op, shape, a, b, right)
        }
    }

    pub fn negation_overflows(&self, pool: &mut TermPool, ty: Scalar, v: &Value) -> Option<TermId> {
        let shape = self.signed_shape(ty)?;
        if self.is_bit_vector() {
            bitvector::negation_overflows(pool, shape, v)
        } else {
            integer::negation_overflows(pool, shape, v)
        }
    }

    fn signed_shape(&self, ty: Scalar) -> Option<Shape> {
        match self.class(ty) {
            Class::Integer(shape) if shape.signed => Some(shape),
            _ => None,
        }
    }

    /// The condition under which the amount of a shift of this type is negative or not below the width.
    pub fn shift_out_of_range(
        &self,
        pool: &mut TermPool,
        ty: Scalar,
        amount: &Value,
        amount_ty: Scalar,
    ) -> Option<TermId> {
        let (Class::Integer(shape), Class::Integer(amount_shape)) = (self.class(ty), self.class(amount_ty))
        else {
            return None;
        };
        if self.is_bit_vector() {
            bitvector::shift_out_of_range(pool, shape, amount, amount_shape)
        } else {
            let in_range = Range::new(BigInt::ZERO, BigInt::from(shape.bits - 1));
            wrapped::outside(pool, amount, &in_range)
        }
    }
}
