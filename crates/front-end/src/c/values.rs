//! Values as C writes them.

use lariat_c_program::{IntKind, Scalar, Type, TypeId, Types};
use lariat_term::Value;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// For people: `-3`, `'a' (97)`, `0x1004`, `NULL`, `RED (2)`, `0.5`.
pub fn shown(types: &Types, ty: TypeId, value: &Value) -> String {
    let Some(number) = number_of(types, ty, value) else {
        return float_of(value).map_or_else(|| "?".into(), |float| format!("{float:?}"));
    };
    match types.get(ty) {
        Type::Pointer(_) | Type::VaList if number == BigInt::from(0) => "NULL".into(),
        Type::Pointer(_) | Type::VaList => format!("{number:#x}"),
        Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar) => match number.to_u8().map(char::from) {
            Some(character) if (' '..='~').contains(&character) => format!("{character:?} ({number})"),
            _ => number.to_string(),
        },
        Type::Enum(id) => {
            let constants = &types.enums[*id].constants;
            match constants.iter().find(|(_, value)| BigInt::from(*value) == number) {
                Some((name, _)) => format!("{name} ({number})"),
                None => number.to_string(),
            }
        }
        _ => number.to_string(),
    }
}

/// A constant expression of the type.
pub fn literal(types: &Types, ty: TypeId, value: &Value) -> String {
    let Some(number) = number_of(types, ty, value) else {
        return match float_of(value) {
            Some(float) if float.is_nan() => "__builtin_nan(\"\")".into(),
            Some(float) if float.is_infinite() && float < 0.0 => "-__builtin_inf()".into(),
            Some(float) if float.is_infinite() => "__builtin_inf()".into(),
            Some(float) => format!("{float:?}"),
            None => "0".into(),
        };
    };
    match types.scalar(ty) {
        Some(Scalar::Pointer) => format!("(void *){number}"),
        Some(Scalar::Int { bits, signed: true }) if number == -(BigInt::from(1) << (bits - 1)) => {
            // The smallest number of a type is no literal.
            let suffix = if bits > 32 { "LL" } else { "" };
            format!("({}{suffix} - 1)", number + 1)
        }
        Some(Scalar::Int { bits, signed }) => {
            let suffix = match (bits > 32, signed) {
                (true, true) => "LL",
                (true, false) => "ULL",
                (false, true) => "",
                (false, false) => "U",
            };
            format!("{number}{suffix}")
        }
        _ => number.to_string(),
    }
}

/// The number that an integer, pointer or truth value is.
fn number_of(types: &Types, ty: TypeId, value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some(number.clone()),
        Value::Bool(value) => Some(BigInt::from(u8::from(*value))),
        Value::Bv { value, width } => match types.scalar(ty) {
            Some(Scalar::Int { signed: true, .. }) if value.bit(u64::from(width - 1)) => {
                Some(value - (BigInt::from(1) << width))
            }
            _ => Some(value.clone()),
        },
        _ => None,
    }
}

/// The nearest `double`; exact for `float` and `double`.
fn float_of(value: &Value) -> Option<f64> {
    let Value::Float {
        bits,
        significand,
        exponent,
    } = value
    else {
        return None;
    };
    match (*significand, *exponent) {
        (24, 8) => Some(f64::from(f32::from_bits(bits.to_u32()?))),
        (53, 11) => Some(f64::from_bits(bits.to_u64()?)),
        (significand, exponent) => {
            let fraction_bits = significand - 1;
            let fraction: BigInt = bits & ((BigInt::from(1) << fraction_bits) - 1);
            let biased: BigInt = (bits >> fraction_bits) & ((BigInt::from(1) << exponent) - 1);
            let is_negative = bits.bit(u64::from(fraction_bits + exponent));
            let top = (1i64 << exponent) - 1;
            let biased = biased.to_i64()?;
            let size = if biased == top {
                if fraction.is_positive() {
                    f64::NAN
                } else {
                    f64::INFINITY
                }
            } else {
                let bias = (1i64 << (exponent - 1)) - 1;
                let (whole, power) = match biased {
                    0 => (fraction, 1 - bias),
                    _ => (fraction + (BigInt::from(1) << fraction_bits), biased - bias),
                };
                whole.to_f64()? * 2f64.powi(i32::try_from(power - i64::from(fraction_bits)).ok()?)
            };
            Some(if is_negative { -size } else { size })
        }
    }
}
