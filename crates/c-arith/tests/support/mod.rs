//! Values in and out of both representations, the processor's own arithmetic as the oracle, and random operands.

#![allow(dead_code)]

use lariat_c_arith::{Arith, IntegerForm, Range, Value};
use lariat_c_program::{BinaryOp, CompareOp, Machine, Scalar};
use lariat_interp::{Evaluator, NoOracle};
use lariat_term::{TermId, TermPool, Value as TermValue, VarId};
use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;

pub const EXACT: [Arith; 2] = [WRAPPED, BIT_VECTOR];

pub const WRAPPED: Arith = Arith {
    integers: IntegerForm::Wrapped,
    machine: Machine::Lp64,
};

pub const BIT_VECTOR: Arith = Arith {
    integers: IntegerForm::BitVectors,
    machine: Machine::Lp64,
};

pub const MATH: Arith = Arith {
    integers: IntegerForm::Math,
    machine: Machine::Lp64,
};

pub const BINARY: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
];

pub const COMPARE: [CompareOp; 6] = [
    CompareOp::Eq,
    CompareOp::Ne,
    CompareOp::Lt,
    CompareOp::Le,
    CompareOp::Gt,
    CompareOp::Ge,
];

pub const fn int(bits: u32, signed: bool) -> Scalar {
    Scalar::Int { bits, signed }
}

/// All integer types.
pub fn types() -> Vec<Scalar> {
    [8, 16, 32, 64, 128]
        .into_iter()
        .flat_map(|bits| [int(bits, true), int(bits, false)])
        .collect()
}

/// Width and sign of an integer, pointer or `_Bool`.
pub fn layout(ty: Scalar) -> (u32, bool) {
    match ty {
        Scalar::Int { bits, signed } => (bits, signed),
        Scalar::Pointer => (64, false),
        Scalar::Bool => (8, false),
        Scalar::Float(_) => panic!("not an integer"),
    }
}

pub fn bounds(ty: Scalar) -> Range {
    let (bits, signed) = layout(ty);
    let period = BigInt::one() << bits;
    match ty {
        Scalar::Bool => Range {
            lo: BigInt::ZERO,
            hi: BigInt::one(),
        },
        _ if signed => Range {
            lo: -(&period >> 1_u32),
            hi: (period >> 1_u32) - 1,
        },
        _ => Range {
            lo: BigInt::ZERO,
            hi: period - 1,
        },
    }
}

macro_rules! with_native {
    ($ty:expr, $macro:ident ! ($($args:tt)*)) => {
        match layout($ty) {
            (8, true) => $macro!(i8, $($args)*),
            (8, false) => $macro!(u8, $($args)*),
            (16, true) => $macro!(i16, $($args)*),
            (16, false) => $macro!(u16, $($args)*),
            (32, true) => $macro!(i32, $($args)*),
            (32, false) => $macro!(u32, $($args)*),
            (64, true) => $macro!(i64, $($args)*),
            (64, false) => $macro!(u64, $($args)*),
            (128, true) => $macro!(i128, $($args)*),
            (128, false) => $macro!(u128, $($args)*),
            other => panic!("no native type for {other:?}"),
        }
    };
}

/// The processor's result; `None` where C has none.
pub fn native_binary(op: BinaryOp, ty: Scalar, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    macro_rules! compute {
        ($native:ty, $op:expr, $a:expr, $b:expr) => {{
            let a = <$native>::try_from($a).expect("a value of the type");
            let amount = u32::try_from($b).ok().filter(|&amount| amount < <$native>::BITS);
            let shifts = matches!($op, BinaryOp::Shl | BinaryOp::Shr);
            // The amount of a shift may have another type.
            let b = if shifts {
                1
            } else {
                <$native>::try_from($b).expect("a value of the type")
            };
            let result: $native = match $op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::Div if b == 0 => return None,
                BinaryOp::Rem if b == 0 => return None,
                BinaryOp::Div => a.wrapping_div(b),
                BinaryOp::Rem => a.wrapping_rem(b),
                BinaryOp::Shl => a.wrapping_shl(amount?),
                BinaryOp::Shr => a.wrapping_shr(amount?),
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                BinaryOp::BitXor => a ^ b,
            };
            Some(BigInt::from(result))
        }};
    }
    with_native!(ty, compute!(op, a, b))
}

/// Whether the mathematical result leaves a signed type, by the checked operators of Rust; left shifts by C11 6.5.7.
pub fn native_overflow(op: BinaryOp, ty: Scalar, a: &BigInt, b: &BigInt) -> bool {
    macro_rules! compute {
        ($native:ty, $op:expr, $a:expr, $b:expr) => {{
            let a = <$native>::try_from($a).expect("a value of the type");
            let b = <$native>::try_from($b).expect("a value of the type");
            match $op {
                BinaryOp::Add => a.checked_add(b).is_none(),
                BinaryOp::Sub => a.checked_sub(b).is_none(),
                BinaryOp::Mul => a.checked_mul(b).is_none(),
                BinaryOp::Div => b != 0 && a.checked_div(b).is_none(),
                BinaryOp::Rem => b != 0 && a.checked_rem(b).is_none(),
                _ => false,
            }
        }};
    }
    if op == BinaryOp::Shl {
        let amount = u32::try_from(b).expect("an amount inside the width");
        return a < &BigInt::ZERO || a.clone() << amount > bounds(ty).hi;
    }
    with_native!(ty, compute!(op, a, b))
}

/// `as` between the native types.
pub fn native_convert(from: Scalar, to: Scalar, value: &BigInt) -> BigInt {
    macro_rules! widen {
        ($native:ty, $value:expr) => {
            <$native>::try_from($value).expect("a value of the type") as u128
        };
    }
    macro_rules! narrow {
        ($native:ty, $wide:expr) => {
            BigInt::from($wide as $native)
        };
    }
    if to == Scalar::Bool {
        return BigInt::from(u8::from(value != &BigInt::ZERO));
    }
    let wide = with_native!(from, widen!(value));
    with_native!(to, narrow!(wide))
}

/// The value as the evaluator has it.
pub fn concrete(arith: Arith, ty: Scalar, value: &BigInt) -> TermValue {
    let (bits, _) = layout(ty);
    match arith.integers {
        IntegerForm::BitVectors => TermValue::Bv {
            value: if value < &BigInt::ZERO {
                value + (BigInt::one() << bits)
            } else {
                value.clone()
            },
            width: bits,
        },
        _ => TermValue::Int(value.clone()),
    }
}

/// The integer that the evaluator or solver found.
pub fn number(ty: Scalar, value: &TermValue) -> BigInt {
    match value {
        TermValue::Int(value) => value.clone(),
        TermValue::Bv { value, width } => {
            let (bits, signed) = layout(ty);
            assert_eq!(bits, *width, "the width of {ty:?}");
            if signed && value.bit(u64::from(bits) - 1) {
                value - (BigInt::one() << bits)
            } else {
                value.clone()
            }
        }
        other => panic!("not an integer: {other:?}"),
    }
}

/// A variable as an operand, within bounds if they are given.
pub fn operand(arith: Arith, pool: &mut TermPool, name: &str, ty: Scalar) -> (VarId, Value) {
    let sort = arith.sort(pool, ty);
    let var = pool.declare_var(name, sort);
    let term = pool.var(var);
    (var, arith.value(term, ty))
}

pub fn evaluate(pool: &TermPool, term: TermId, values: &[(VarId, TermValue)]) -> TermValue {
    let environment: FxHashMap<VarId, TermValue> = values.iter().cloned().collect();
    Evaluator::new(pool)
        .eval(term, &environment, &mut NoOracle)
        .unwrap_or_else(|error| panic!("{}: {}", pool.term_text(term), error.text(pool)))
}

/// The result lies in its type and in its range.
pub fn check_range(ty: Scalar, result: &Value, found: &BigInt, context: &dyn Fn() -> String) {
    assert!(
        bounds(ty).contains(found),
        "{found} is no value of {ty:?}: {}",
        context()
    );
    if let Some(range) = &result.range {
        assert!(
            range.contains(found),
            "{found} is not in {range:?}: {}",
            context()
        );
    }
}

/// Values at which something changes.
pub fn boundary(ty: Scalar) -> Vec<BigInt> {
    let range = bounds(ty);
    let mut values: Vec<BigInt> = Vec::new();
    for offset in 0..3 {
        values.push(&range.lo + offset);
        values.push(&range.hi - offset);
        values.push(BigInt::from(offset));
        values.push(BigInt::from(-offset));
    }
    let (bits, _) = layout(ty);
    for exponent in [3, 7, 8, 15, 16, 31, 32, 63] {
        if exponent < bits {
            let power = BigInt::one() << exponent;
            values.extend([&power - 1, power.clone(), -&power, -&power - 1, power + 1]);
        }
    }
    values.retain(|value| range.contains(value));
    values.sort();
    values.dedup();
    values
}

pub use lariat_testkit::Random;

/// Values and ranges of C types.
pub trait RandomValues {
    fn within(&mut self, range: &Range) -> BigInt;
    /// A part of the type's values; often a small one near zero, the ends, or all.
    fn range(&mut self, ty: Scalar) -> Range;
}

impl RandomValues for Random {
    fn within(&mut self, range: &Range) -> BigInt {
        let wide = BigInt::from(self.bits()) << 64 | BigInt::from(self.bits());
        let wide = wide >> self.below(128) as u32;
        let size = &range.hi - &range.lo + 1;
        let from_below = self.below(2) == 0;
        let offset = wide % size;
        if from_below {
            &range.lo + offset
        } else {
            &range.hi - offset
        }
    }

    fn range(&mut self, ty: Scalar) -> Range {
        let all = bounds(ty);
        let special = boundary(ty);
        let (mut a, mut b) = match self.below(5) {
            0 => return all,
            1 => (BigInt::ZERO, BigInt::one()),
            2 => (self.choose(&special).clone(), self.choose(&special).clone()),
            3 => {
                let value = self.within(&all);
                (value.clone(), value)
            }
            _ => (self.within(&all), self.within(&all)),
        };
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        Range { lo: a, hi: b }
    }
}
