//! Floating point: SMT-LIB's operators, rounding to nearest even.
//!
//! Invariants:
//! - `float` and `double` operators on literals are computed here, by the same operators of the processor; `long double` is
//!   left to the solver;
//! - every operation rounds to its type. gcc's code for the x87 (its default on i386) keeps more bits in between; there, this
//!   is the meaning of `-mfpmath=sse`;
//! - not-a-number is one value: its sign and payload are not kept;
//! - a conversion to an integer that is out of range has the value that x86 instructions give.

use lariat_c_program::{BinaryOp, CompareOp, FloatKind, UnaryOp};
use lariat_term::{Op, RoundingMode, Sort, SortId, TermId, TermPool};
use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, One, ToPrimitive, Zero};

use crate::range::power_of_two;
use crate::{Arith, Shape, Value, bridge, wrapped};

/// Bits of the significand (with the hidden one) and of the exponent.
pub(crate) fn format(kind: FloatKind) -> (u32, u32) {
    match kind {
        FloatKind::Float => (24, 8),
        FloatKind::Double => (53, 11),
        FloatKind::LongDouble => (64, 15),
    }
}

pub(crate) fn sort(pool: &mut TermPool, kind: FloatKind) -> SortId {
    let (significand, exponent) = format(kind);
    pool.sort_id(lariat_term::Sort::Float {
        significand,
        exponent,
    })
}

/// The literal nearest to the value.
pub(crate) fn literal(pool: &mut TermPool, kind: FloatKind, value: f64) -> TermId {
    let (significand, exponent) = format(kind);
    let bits = match kind {
        FloatKind::Float if value.is_nan() => BigInt::from(0x7fc0_0000_u32),
        FloatKind::Float => BigInt::from((value as f32).to_bits()),
        FloatKind::Double if value.is_nan() => BigInt::from(0x7ff8_u64 << 48),
        FloatKind::Double => BigInt::from(value.to_bits()),
        FloatKind::LongDouble => extended_bits(value),
    };
    pool.float(bits, significand, exponent)
}

/// A `double` in the 79 bits of the x87 format without its integer bit. All of them are normal there.
fn extended_bits(value: f64) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let magnitude = if exponent == 0x7ff {
        let fraction = if fraction == 0 { 0 } else { 1_u64 << 62 };
        (BigInt::from(0x7fff) << 63) | BigInt::from(fraction)
    } else if value == 0.0 {
        BigInt::zero()
    } else {
        let (significand, scale) = if exponent == 0 {
            (fraction, -1074)
        } else {
            (fraction | (1 << 52), exponent as i64 - 1075)
        };
        encode(&BigInt::from(significand), scale, 64, 15)
    };
    let sign = BigInt::from(bits >> 63 & u64::from(!value.is_nan()));
    (sign << 78) | magnitude
}

/// IEEE bits of `significand * 2^scale`, rounded to nearest even, for positive numbers in the normal range or above.
fn encode(significand: &BigInt, scale: i64, precision: u32, exponent_bits: u32) -> BigInt {
    let excess = significand.bits() as i64 - i64::from(precision);
    let rounded = if excess <= 0 {
        significand << (-excess) as u32
    } else {
        let down = significand >> excess as u32;
        let rest = significand - (&down << excess as u32);
        let half = power_of_two(excess as u32 - 1);
        let up = rest > half || (rest == half && down.bit(0));
        if up { down + 1 } else { down }
    };
    let bias = (1_i64 << (exponent_bits - 1)) - 1;
    let exponent = scale + excess + i64::from(precision) - 1 + bias;
    // A carry out of the significand moves on to the exponent by itself.
    let fraction = rounded - power_of_two(precision - 1);
    let infinity = (power_of_two(exponent_bits) - 1) << (precision - 1);
    let bits = (BigInt::from(exponent) << (precision - 1)) + fraction;
    bits.min(infinity)
}

/// An integer rounded to the format.
pub(crate) fn of_integer(pool: &mut TermPool, kind: FloatKind, value: &BigInt) -> TermId {
    let (significand, exponent) = format(kind);
    let magnitude = if value.is_zero() {
        BigInt::zero()
    } else {
        encode(&BigInt::from(value.magnitude().clone()), 0, significand, exponent)
    };
    let sign = match value.sign() {
        Sign::Minus => power_of_two(significand + exponent - 1),
        _ => BigInt::zero(),
    };
    pool.float(sign + magnitude, significand, exponent)
}

/// The value of a `float` or `double` literal; every `float` is a `double`.
pub(crate) fn as_literal(pool: &TermPool, kind: FloatKind, term: TermId) -> Option<f64> {
    let Op::Float(number) = pool.op(term) else {
        return None;
    };
    let bits = pool.number(number).to_integer();
    match kind {
        FloatKind::Float => Some(f64::from(f32::from_bits(bits.to_u32()?))),
        FloatKind::Double => Some(f64::from_bits(bits.to_u64()?)),
        FloatKind::LongDouble => None,
    }
}

fn nearest_even(pool: &mut TermPool) -> TermId {
    pool.rounding_mode(RoundingMode::NearestEven)
}

pub(crate) fn truth(pool: &mut TermPool, kind: FloatKind, v: TermId) -> TermId {
    if let Some(value) = as_literal(pool, kind, v) {
        return pool.bool(value != 0.0);
    }
    let bool_sort = pool.bool_sort();
    let is_zero = pool.theory("fp.isZero", &[v], bool_sort);
    pool.not(is_zero)
}

pub(crate) fn unary(pool: &mut TermPool, kind: FloatKind, op: UnaryOp, v: TermId) -> TermId {
    match op {
        UnaryOp::Neg => {}
        UnaryOp::BitNot => unreachable!("C has no `~` on floating point"),
    }
    if let Some(value) = as_literal(pool, kind, v) {
        return literal(pool, kind, -value);
    }
    let sort = sort(pool, kind);
    pool.theory("fp.neg", &[v], sort)
}

pub(crate) fn binary(pool: &mut TermPool, kind: FloatKind, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    let name = match op {
        BinaryOp::Add => "fp.add",
        BinaryOp::Sub => "fp.sub",
        BinaryOp::Mul => "fp.mul",
        BinaryOp::Div => "fp.div",
        BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => unreachable!("C has no {op:?} on floating point"),
    };
    if let (Some(x), Some(y)) = (as_literal(pool, kind, a), as_literal(pool, kind, b)) {
        let value = match kind {
            FloatKind::Float => {
                let (x, y) = (x as f32, y as f32);
                f64::from(match op {
                    BinaryOp::Add => x + y,
                    BinaryOp::Sub => x - y,
                    BinaryOp::Mul => x * y,
                    _ => x / y,
                })
            }
            _ => match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                _ => x / y,
            },
        };
        return literal(pool, kind, value);
    }
    let (mode, sort) = (nearest_even(pool), sort(pool, kind));
    pool.theory(name, &[mode, a, b], sort)
}

pub(crate) fn compare(pool: &mut TermPool, kind: FloatKind, op: CompareOp, a: TermId, b: TermId) -> TermId {
    if let (Some(x), Some(y)) = (as_literal(pool, kind, a), as_literal(pool, kind, b)) {
        return pool.bool(match op {
            CompareOp::Eq => x == y,
            CompareOp::Ne => x != y,
            CompareOp::Lt => x < y,
            CompareOp::Le => x <= y,
            CompareOp::Gt => x > y,
            CompareOp::Ge => x >= y,
        });
    }
    let bool_sort = pool.bool_sort();
    let name = match op {
        CompareOp::Eq | CompareOp::Ne => "fp.eq",
        CompareOp::Lt => "fp.lt",
        CompareOp::Le => "fp.leq",
        CompareOp::Gt => "fp.gt",
        CompareOp::Ge => "fp.geq",
    };
    let term = pool.theory(name, &[a, b], bool_sort);
    match op {
        CompareOp::Ne => pool.not(term),
        _ => term,
    }
}

pub(crate) fn convert(pool: &mut TermPool, old: FloatKind, new: FloatKind, v: TermId) -> TermId {
    if let Some(value) = as_literal(pool, old, v) {
        return literal(pool, new, value);
    }
    let (significand, exponent) = format(new);
    let (mode, sort) = (nearest_even(pool), sort(pool, new));
    pool.theory(format!("(_ to_fp {exponent} {significand})"), &[mode, v], sort)
}

/// The float with these IEEE bits.
pub(crate) fn of_ieee_bits(pool: &mut TermPool, kind: FloatKind, bits: TermId) -> TermId {
    let (significand, exponent) = format(kind);
    if let Some(value) = pool.as_bv(bits).cloned()
        && is_number(kind, &value)
    {
        return pool.float(value, significand, exponent);
    }
    if let Op::Theory(id) = pool.op(bits)
        && pool.theory_op(id).name == TO_IEEE
    {
        return pool.args(bits)[0];
    }
    let sort = sort(pool, kind);
    pool.theory(format!("(_ to_fp {exponent} {significand})"), &[bits], sort)
}

/// Whether these are the bits of a number or of an infinity.
fn is_number(kind: FloatKind, bits: &BigInt) -> bool {
    let (significand, exponent) = format(kind);
    let magnitude = bits % power_of_two(significand + exponent - 1);
    magnitude <= (power_of_two(exponent) - 1) << (significand - 1)
}

/// An operator of Z3.
const TO_IEEE: &str = "fp.to_ieee_bv";

/// The IEEE bits that a float was made of, if they are known: a copy of it has the same, also where it is not a number.
pub fn bits_of_copy(pool: &TermPool, v: TermId) -> Option<TermId> {
    let is_made = match pool.op(v) {
        Op::Theory(id) => pool.theory_op(id).name.starts_with("(_ to_fp "),
        _ => false,
    };
    match pool.args(v) {
        [bits] if is_made && matches!(pool.sort(pool.sort_of(*bits)), Sort::Bv(_)) => Some(*bits),
        _ => None,
    }
}

/// The float of these bits, of the sort of `like`, whose bits are [`bits_of_copy`].
pub fn float_of_bits(pool: &mut TermPool, like: TermId, bits: TermId) -> TermId {
    match pool.op(like) {
        Op::Theory(id) => {
            let (name, sort) = (pool.theory_op(id).name.clone(), pool.sort_of(like));
            pool.theory(name, &[bits], sort)
        }
        _ => like,
    }
}

impl Arith {
    /// The IEEE bits of a number.
    pub fn bits_of_float(&self, pool: &mut TermPool, kind: FloatKind, v: &Value) -> TermId {
        to_ieee_bits(pool, kind, v.term)
    }

    /// The float with these IEEE bits.
    pub fn float_of_bits(&self, pool: &mut TermPool, kind: FloatKind, bits: TermId) -> Value {
        Value::unbounded(of_ieee_bits(pool, kind, bits))
    }
}

/// The IEEE bits of a float; of those of not-a-number, the ones that it was made of or else that the solver chooses.
pub(crate) fn to_ieee_bits(pool: &mut TermPool, kind: FloatKind, v: TermId) -> TermId {
    if let Some(bits) = bits_of_copy(pool, v) {
        return bits;
    }
    let (significand, exponent) = format(kind);
    let width = significand + exponent;
    if let Op::Float(number) = pool.op(v) {
        let bits = pool.number(number).to_integer();
        if is_number(kind, &bits) {
            return pool.bv(bits, width);
        }
    }
    let sort = pool.bv_sort(width);
    pool.theory(TO_IEEE, &[v], sort)
}

/// The truncated value in signed bits; the lowest one if it does not fit, as `cvttsd2si` has it.
fn truncated(pool: &mut TermPool, kind: FloatKind, v: TermId, width: u32) -> TermId {
    let half = power_of_two(width - 1);
    let above = if format(kind).0 >= width {
        let bound = of_integer(pool, kind, &(-&half - 1));
        compare(pool, kind, CompareOp::Gt, v, bound)
    } else {
        let bound = of_integer(pool, kind, &-&half);
        compare(pool, kind, CompareOp::Ge, v, bound)
    };
    let bound = of_integer(pool, kind, &half);
    let below = compare(pool, kind, CompareOp::Lt, v, bound);
    let fits = pool.and(&[above, below]);
    let exact = to_bits(pool, "fp.to_sbv", v, width);
    let lowest = pool.bv(half, width);
    pool.ite(fits, exact, lowest)
}

fn to_bits(pool: &mut TermPool, name: &str, v: TermId, width: u32) -> TermId {
    let mode = pool.rounding_mode(RoundingMode::TowardZero);
    let sort = pool.bv_sort(width);
    pool.theory(format!("(_ {name} {width})"), &[mode, v], sort)
}

/// The bits of the truncated value and how they are to be read before the last conversion to the type.
fn to_integer(pool: &mut TermPool, kind: FloatKind, v: TermId, shape: Shape) -> (TermId, Shape) {
    let signed = |bits| Shape { bits, signed: true };
    if shape.bits < 32 || (shape.bits == 32 && shape.signed) {
        (truncated(pool, kind, v, 32), signed(32))
    } else if shape.bits < 64 || (shape.bits == 64 && shape.signed) {
        (truncated(pool, kind, v, 64), signed(64))
    } else if shape.signed {
        (truncated(pool, kind, v, shape.bits), shape)
    } else {
        // The upper half has no signed number; the lower half and negative values have one.
        let (half, end) = (power_of_two(shape.bits - 1), power_of_two(shape.bits));
        let (half, end) = (of_integer(pool, kind, &half), of_integer(pool, kind, &end));
        let is_upper = compare(pool, kind, CompareOp::Ge, v, half);
        let fits = compare(pool, kind, CompareOp::Lt, v, end);
        let upper = to_bits(pool, "fp.to_ubv", v, shape.bits);
        let zero = pool.bv(0, shape.bits);
        let upper = pool.ite(fits, upper, zero);
        let lower = truncated(pool, kind, v, shape.bits);
        (pool.ite(is_upper, upper, lower), shape)
    }
}

/// The bits of an integer that was made a float without loss, as [`to_integer`] gives them.
fn back_from_float(pool: &mut TermPool, kind: FloatKind, v: TermId, shape: Shape) -> Option<(TermId, Shape)> {
    let (Op::Theory(id), &[_, bits]) = (pool.op(v), pool.args(v)) else {
        return None;
    };
    let (significand, exponent) = format(kind);
    let signed = match &pool.theory_op(id).name {
        name if *name == format!("(_ to_fp {exponent} {significand})") => true,
        name if *name == format!("(_ to_fp_unsigned {exponent} {significand})") => false,
        _ => return None,
    };
    let Sort::Bv(width) = *pool.sort(pool.sort_of(bits)) else {
        return None;
    };
    // A signed number is at most a power of two, which needs no digits.
    let is_exact = width <= significand + u32::from(signed);
    let computed = if shape.bits <= 32 && (shape.bits < 32 || shape.signed) {
        32
    } else {
        shape.bits.max(64)
    };
    let fits = width + u32::from(!signed) <= computed;
    (is_exact && fits).then(|| {
        let read_as = Shape {
            bits: computed,
            signed: true,
        };
        (bridge::resize(pool, bits, computed, signed), read_as)
    })
}

/// What [`to_integer`] computes, of a literal.
fn literal_to_integer(value: f64, shape: Shape) -> BigInt {
    let exact = BigInt::from_f64(value.trunc());
    let in_signed = |width: u32| {
        let half = power_of_two(width - 1);
        exact
            .clone()
            .filter(|exact| -&half <= *exact && *exact < half)
            .unwrap_or(-half)
    };
    let result = if shape.bits < 32 || (shape.bits == 32 && shape.signed) {
        in_signed(32)
    } else if shape.bits < 64 || (shape.bits == 64 && shape.signed) {
        in_signed(64)
    } else {
        let half = power_of_two(shape.bits - 1);
        match &exact {
            Some(exact) if !shape.signed && *exact >= half => {
                if *exact < half << 1_u32 {
                    exact.clone()
                } else {
                    BigInt::zero()
                }
            }
            None if !shape.signed && value > 0.0 => BigInt::zero(),
            _ => in_signed(shape.bits),
        }
    };
    wrapped::reduce(&result, shape)
}

impl Arith {
    pub(crate) fn float_to_int(
        &self,
        pool: &mut TermPool,
        kind: FloatKind,
        shape: Shape,
        v: &Value,
    ) -> Value {
        if let Some(value) = as_literal(pool, kind, v.term) {
            let value = literal_to_integer(value, shape);
            return if self.is_bit_vector() {
                Value::unbounded(pool.bv(value, shape.bits))
            } else {
                wrapped::literal(pool, value)
            };
        }
        let (bits, read_as) = back_from_float(pool, kind, v.term, shape)
            .unwrap_or_else(|| to_integer(pool, kind, v.term, shape));
        if self.is_bit_vector() {
            return Value::unbounded(bridge::resize(pool, bits, shape.bits, read_as.signed));
        }
        let value = bridge::of_bv(pool, bits, read_as);
        wrapped::wrap(pool, &value, shape)
    }

    pub(crate) fn int_to_float(
        &self,
        pool: &mut TermPool,
        shape: Shape,
        kind: FloatKind,
        v: &Value,
    ) -> Value {
        Value::unbounded(self.int_term_to_float(pool, shape, kind, v.term))
    }

    fn int_term_to_float(&self, pool: &mut TermPool, shape: Shape, kind: FloatKind, term: TermId) -> TermId {
        let literal_value = match pool.op(term) {
            Op::Int(_) => pool.as_int(term).cloned(),
            Op::Bv(_) => pool.as_bv(term).map(|bits| wrapped::reduce(bits, shape)),
            _ => None,
        };
        if let Some(value) = literal_value {
            return of_integer(pool, kind, &value);
        }
        if let (Op::Ite, &[condition, then, otherwise]) = (pool.op(term), pool.args(term))
            && pool.is_value(then)
            && pool.is_value(otherwise)
        {
            let then = self.int_term_to_float(pool, shape, kind, then);
            let otherwise = self.int_term_to_float(pool, shape, kind, otherwise);
            return pool.ite(condition, then, otherwise);
        }
        let bits = if self.is_bit_vector() {
            term
        } else {
            bridge::to_bv(pool, term, shape.bits)
        };
        let (significand, exponent) = format(kind);
        let (mode, sort) = (nearest_even(pool), sort(pool, kind));
        let name = if shape.signed { "to_fp" } else { "to_fp_unsigned" };
        pool.theory(
            format!("(_ {name} {exponent} {significand})"),
            &[mode, bits],
            sort,
        )
    }
}

/// The bit that x87 memory has above the fraction: set in all normal numbers.
pub(crate) fn extended_to_memory(pool: &mut TermPool, bits: TermId) -> TermId {
    use lariat_term::BvOp;
    let head = pool.bv_op(BvOp::Extract { hi: 78, lo: 63 }, &[bits]);
    let exponent = pool.bv_op(BvOp::Extract { hi: 77, lo: 63 }, &[bits]);
    let fraction = pool.bv_op(BvOp::Extract { hi: 62, lo: 0 }, &[bits]);
    let none = pool.bv(0, 15);
    let is_zero = pool.eq(exponent, none);
    let (zero, one) = (pool.bv(0, 1), pool.bv(BigInt::one(), 1));
    let integer = pool.ite(is_zero, zero, one);
    pool.bv_op(BvOp::Concat, &[head, integer, fraction])
}

/// The inverse. A set integer bit without an exponent means the lowest exponent; none with an exponent is not a number.
pub(crate) fn extended_of_memory(pool: &mut TermPool, memory: TermId) -> TermId {
    use lariat_term::BvOp;
    let sign = pool.bv_op(BvOp::Extract { hi: 79, lo: 79 }, &[memory]);
    let exponent = pool.bv_op(BvOp::Extract { hi: 78, lo: 64 }, &[memory]);
    let integer = pool.bv_op(BvOp::Extract { hi: 63, lo: 63 }, &[memory]);
    let fraction = pool.bv_op(BvOp::Extract { hi: 62, lo: 0 }, &[memory]);
    let (none, lowest, one) = (pool.bv(0, 15), pool.bv(1, 15), pool.bv(1, 1));
    let is_set = pool.eq(integer, one);
    let is_zero = pool.eq(exponent, none);
    let without_exponent = pool.ite(is_set, lowest, none);
    let effective = pool.ite(is_zero, without_exponent, exponent);
    let number = pool.bv_op(BvOp::Concat, &[sign, effective, fraction]);
    let not_a_number = pool.bv((BigInt::from(0x7fff) << 63) | (BigInt::one() << 62), 79);
    let is_number = pool.or(&[is_set, is_zero]);
    pool.ite(is_number, number, not_a_number)
}
