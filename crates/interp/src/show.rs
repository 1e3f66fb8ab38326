//! Values as text for people.

use lariat_term::{RoundingMode, Sort, TermPool, Value};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::event::{Change, ChangeKind};

/// How much of a value is shown.
#[derive(Clone, Copy, Debug)]
pub struct ShowLimits {
    /// Entries of a map.
    pub entries: usize,
    /// Levels of maps and constructors.
    pub depth: u32,
    /// Characters of a string or digits of a number.
    pub width: usize,
}

impl Default for ShowLimits {
    fn default() -> Self {
        ShowLimits {
            entries: 6,
            depth: 8,
            width: 60,
        }
    }
}

/// Bit-vectors from this value on are also shown in hexadecimal.
const HEX_FROM: u32 = 1024;

pub fn value_text(pool: &TermPool, value: &Value) -> String {
    value_text_within(pool, value, ShowLimits::default())
}

/// The value, shortened to the limits; `…` stands for what is left out.
pub fn value_text_within(pool: &TermPool, value: &Value, limits: ShowLimits) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => number_text(value, limits),
        Value::Real(value) if value.is_integer() => format!("{}.0", number_text(value.numer(), limits)),
        Value::Real(value) => {
            format!(
                "{}/{}",
                number_text(value.numer(), limits),
                number_text(value.denom(), limits)
            )
        }
        Value::Bv { value, width } => {
            let decimal = number_text(value, limits);
            if *value >= BigInt::from(HEX_FROM) {
                format!("{decimal}bv{width} (0x{value:x})")
            } else {
                format!("{decimal}bv{width}")
            }
        }
        Value::Float {
            bits,
            significand,
            exponent,
        } => float_text(bits, *significand, *exponent),
        Value::RoundingMode(mode) => match mode {
            RoundingMode::NearestEven => "RNE",
            RoundingMode::NearestAway => "RNA",
            RoundingMode::TowardPositive => "RTP",
            RoundingMode::TowardNegative => "RTN",
            RoundingMode::TowardZero => "RTZ",
        }
        .into(),
        Value::String(text) => format!("{:?}", shortened(text, limits.width)),
        Value::Map(map) => {
            let Some(inner) = deeper(limits) else {
                return "[…]".into();
            };
            let mut parts: Vec<String> = map
                .entries()
                .take(limits.entries)
                .map(|(indices, value)| {
                    let value = value_text_within(pool, value, inner);
                    format!("{} := {value}", list_text(pool, indices, inner))
                })
                .collect();
            if map.entries().nth(limits.entries).is_some() {
                parts.push("…".into());
            }
            parts.push(format!("else {}", value_text_within(pool, &map.default, inner)));
            format!("[{}]", parts.join(", "))
        }
        Value::Datatype {
            datatype,
            constructor,
            fields,
        } => {
            let constructors = &pool.datatype(*datatype).constructors;
            let name = constructors
                .get(*constructor as usize)
                .map_or("?", |data| &data.name);
            match deeper(limits) {
                Some(inner) => format!("{name}({})", list_text(pool, fields, inner)),
                None => format!("{name}(…)"),
            }
        }
        Value::Element { sort, index } => match pool.sort(*sort) {
            Sort::Uninterpreted(id) => format!("{}!{index}", pool.uninterpreted_name(*id)),
            _ => format!("{}!{index}", pool.sort_text(*sort)),
        },
    }
}

/// The value as Boogie writes it, for programs that read it: nothing is shortened, and nothing explained. Values that Boogie has
/// no literal for are as in [`value_text`].
pub fn literal_text(pool: &TermPool, value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Bv { value, width } => format!("{value}bv{width}"),
        Value::Float {
            bits,
            significand,
            exponent,
        } => float_literal(bits, *significand, *exponent),
        _ => value_text(pool, value),
    }
}

/// `x` or `m[1, 2]` with its new value, for each part that changed.
pub fn change_text(pool: &TermPool, change: &Change) -> Vec<(String, String)> {
    let name = pool.var_name(change.var);
    match &change.kind {
        ChangeKind::Whole { new, .. } => {
            let text = new
                .as_ref()
                .map_or("any value".into(), |new| value_text(pool, new));
            vec![(name.to_string(), text)]
        }
        ChangeKind::Elements(elements) => {
            let limits = ShowLimits::default();
            let mut lines: Vec<(String, String)> = elements
                .iter()
                .take(limits.entries)
                .map(|element| {
                    let indices = list_text(pool, &element.indices, limits);
                    (format!("{name}[{indices}]"), value_text(pool, &element.new))
                })
                .collect();
            if elements.len() > limits.entries {
                let rest = elements.len() - limits.entries;
                lines.push((format!("{name}[…]"), format!("{rest} more elements")));
            }
            lines
        }
    }
}

pub(crate) fn list_text(pool: &TermPool, values: &[Value], limits: ShowLimits) -> String {
    let texts: Vec<String> = values
        .iter()
        .map(|value| value_text_within(pool, value, limits))
        .collect();
    texts.join(", ")
}

fn deeper(limits: ShowLimits) -> Option<ShowLimits> {
    Some(ShowLimits {
        depth: limits.depth.checked_sub(1).filter(|&depth| depth > 0)?,
        ..limits
    })
}

fn shortened(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// A number with many digits keeps the first and the last ones.
fn number_text(value: &BigInt, limits: ShowLimits) -> String {
    let digits = value.to_string();
    if digits.len() <= limits.width {
        return digits;
    }
    let keep = limits.width / 3;
    format!(
        "{}…{} ({} digits)",
        &digits[..keep],
        &digits[digits.len() - keep..],
        digits.len() - usize::from(value.is_negative())
    )
}

/// A floating-point number in its parts.
enum FloatParts {
    NaN,
    Infinity,
    /// The number is `whole` times two to the power.
    Finite {
        whole: BigInt,
        power: BigInt,
    },
}

fn float_parts(bits: &BigInt, significand: u32, exponent: u32) -> (bool, FloatParts) {
    let mantissa_bits = significand.saturating_sub(1);
    let mantissa: BigInt = bits & ((BigInt::from(1) << mantissa_bits) - 1);
    let mask: BigInt = (BigInt::from(1) << exponent) - 1;
    let biased: BigInt = (bits >> mantissa_bits) & &mask;
    let is_negative = bits.bit(u64::from(mantissa_bits + exponent));
    if biased == mask {
        let parts = match mantissa == BigInt::ZERO {
            true => FloatParts::Infinity,
            false => FloatParts::NaN,
        };
        return (is_negative, parts);
    }
    let bias: BigInt = (BigInt::from(1) << exponent.saturating_sub(1)) - 1;
    let (whole, power) = if biased == BigInt::ZERO {
        (mantissa, BigInt::from(1) - bias - mantissa_bits)
    } else {
        (
            mantissa + (BigInt::from(1) << mantissa_bits),
            biased - bias - mantissa_bits,
        )
    };
    (is_negative, FloatParts::Finite { whole, power })
}

/// `NaN`, `-oo`, or the exact value as a decimal power: `0x1.8p3`-like for all formats.
fn float_text(bits: &BigInt, significand: u32, exponent: u32) -> String {
    let name = format!("{significand}e{exponent}");
    let (is_negative, parts) = float_parts(bits, significand, exponent);
    let sign = if is_negative { "-" } else { "" };
    let (whole, power) = match parts {
        FloatParts::NaN => return format!("NaN{name}"),
        FloatParts::Infinity => return format!("{sign}oo{name}"),
        FloatParts::Finite { whole, power } => (whole, power),
    };
    if whole == BigInt::ZERO {
        return format!("{sign}0f{name}");
    }
    let zeros = whole.trailing_zeros().unwrap_or(0);
    let (whole, power): (BigInt, BigInt) = (whole >> zeros, power + zeros);
    if power == BigInt::ZERO {
        format!("{sign}{whole}f{name}")
    } else {
        format!("{sign}{whole}*2^{power}f{name}")
    }
}

/// Boogie's literal: hexadecimal digits times a power of 16.
fn float_literal(bits: &BigInt, significand: u32, exponent: u32) -> String {
    let name = format!("{significand}e{exponent}");
    let (is_negative, parts) = float_parts(bits, significand, exponent);
    let sign = if is_negative { "-" } else { "" };
    let (whole, power) = match parts {
        FloatParts::NaN => return format!("0NaN{name}"),
        FloatParts::Infinity if is_negative => return format!("0-oo{name}"),
        FloatParts::Infinity => return format!("0+oo{name}"),
        FloatParts::Finite { whole, power } => (whole, power),
    };
    if whole == BigInt::ZERO {
        return format!("{sign}0x0.0e0f{name}");
    }
    let zeros = whole.trailing_zeros().unwrap_or(0);
    let (whole, power): (BigInt, BigInt) = (whole >> zeros, power + zeros);
    // Rounds down, also if it is negative.
    let power_of_16: BigInt = &power >> 2;
    let shift: BigInt = &power - (&power_of_16 << 2);
    let digits = whole << shift.to_u32().unwrap_or(0);
    format!("{sign}0x{digits:x}.0e{power_of_16}f{name}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lariat_term::{Constructor, Field, MapValue};
    use num_rational::BigRational;

    use super::*;

    fn int(value: i64) -> Value {
        Value::Int(value.into())
    }

    #[test]
    fn literals_are_those_of_boogie() {
        let pool = TermPool::new();
        let float = |bits: u32| {
            literal_text(
                &pool,
                &Value::Float {
                    bits: bits.into(),
                    significand: 24,
                    exponent: 8,
                },
            )
        };
        assert_eq!(float(0x3f00_0000), "0x8.0e-1f24e8");
        assert_eq!(float(0xc040_0000), "-0x3.0e0f24e8");
        assert_eq!(float(0x4380_0000), "0x1.0e2f24e8");
        assert_eq!(float(0), "0x0.0e0f24e8");
        assert_eq!(float(0x7fc0_0000), "0NaN24e8");
        assert_eq!(float(0xff80_0000), "0-oo24e8");
        let bv = Value::Bv {
            value: 65535.into(),
            width: 32,
        };
        assert_eq!(literal_text(&pool, &bv), "65535bv32");
        assert_eq!(literal_text(&pool, &int(-7)), "-7");
    }

    #[test]
    fn numbers() {
        let pool = TermPool::new();
        let text = |value| value_text(&pool, &value);
        assert_eq!(text(int(-5)), "-5");
        let bv = |value: u64, width| Value::Bv {
            value: value.into(),
            width,
        };
        assert_eq!(text(bv(7, 32)), "7bv32");
        assert_eq!(text(bv(65535, 32)), "65535bv32 (0xffff)");
        assert_eq!(text(Value::Real(BigRational::new(1.into(), 3.into()))), "1/3");
        assert_eq!(text(Value::Real(BigRational::from_integer(2.into()))), "2.0");
        let long = text(Value::Int(BigInt::from(10).pow(500)));
        assert!(long.ends_with("(501 digits)") && long.len() < 80, "{long}");
        let float = |bits: u64| {
            text(Value::Float {
                bits: bits.into(),
                significand: 24,
                exponent: 8,
            })
        };
        assert_eq!(float(0x3fc0_0000), "3*2^-1f24e8");
        assert_eq!(float(0xff80_0000), "-oo24e8");
        assert_eq!(float(0), "0f24e8");
    }

    #[test]
    fn maps_are_shortened() {
        let mut pool = TermPool::new();
        let int_sort = pool.int_sort();
        let sort = pool.array_sort(&[int_sort], int_sort);
        let mut map = MapValue::constant(sort, int(0));
        map.set(vec![int(1)], int(5));
        map.set(vec![int(7)], int(2));
        assert_eq!(
            value_text(&pool, &Value::Map(Arc::new(map.clone()))),
            "[1 := 5, 7 := 2, else 0]"
        );
        for index in 10..100 {
            map.set(vec![int(index)], int(1));
        }
        let text = value_text(&pool, &Value::Map(Arc::new(map)));
        assert!(text.ends_with("…, else 0]") && text.len() < 100, "{text}");
    }

    #[test]
    fn datatypes_and_elements() {
        let mut pool = TermPool::new();
        let int_sort = pool.int_sort();
        let list = pool.declare_datatype("List");
        let list_sort = pool.sort_id(Sort::Datatype(list));
        let field = |name: &str, sort| Field {
            name: name.into(),
            sort,
        };
        pool.define_datatype(
            list,
            vec![
                Constructor {
                    name: "Nil".into(),
                    fields: vec![],
                },
                Constructor {
                    name: "Cons".into(),
                    fields: vec![field("head", int_sort), field("tail", list_sort)],
                },
            ],
        );
        let nil = Value::Datatype {
            datatype: list,
            constructor: 0,
            fields: vec![],
        };
        let cons = |tail| Value::Datatype {
            datatype: list,
            constructor: 1,
            fields: vec![int(1), tail],
        };
        assert_eq!(value_text(&pool, &cons(nil.clone())), "Cons(1, Nil())");
        let long = (0..100).fold(nil, |tail, _| cons(tail));
        assert!(value_text(&pool, &long).contains("Cons(…)"));
        let sort = pool.uninterpreted_sort("T");
        assert_eq!(value_text(&pool, &Value::Element { sort, index: 3 }), "T!3");
    }
}
