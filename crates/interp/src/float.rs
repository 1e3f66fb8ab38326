//! Floating-point operators on `float` and `double`, computed by the machine.
//!
//! Only what SMT-LIB and IEEE 754 determine has a value here: no operator in a rounding mode that the
//! machine does not offer, no bits of a float that is not a number, no conversion out of range.

use lariat_term::{FunId, LIBRARY_FUNCTION, LibraryFunction, RoundingMode, Sort, TermPool, TheoryId, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A float by its bits. One that is not a number always has the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Float {
    Single(u32),
    Double(u64),
}

/// Significand and exponent, as in the sort.
const SINGLE: (u32, u32) = (24, 8);
const DOUBLE: (u32, u32) = (53, 11);
const SINGLE_NAN: u32 = 0x7fc0_0000;
const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;

impl Float {
    /// `None` for other formats and other values.
    pub fn of(value: &Value) -> Option<Float> {
        let Value::Float {
            bits,
            significand,
            exponent,
        } = value
        else {
            return None;
        };
        match (*significand, *exponent) {
            SINGLE => Some(Float::single(f32::from_bits(bits.to_u32()?))),
            DOUBLE => Some(Float::double(f64::from_bits(bits.to_u64()?))),
            _ => None,
        }
    }

    pub fn to_value(self) -> Value {
        let (bits, (significand, exponent)) = match self {
            Float::Single(bits) => (BigInt::from(bits), SINGLE),
            Float::Double(bits) => (BigInt::from(bits), DOUBLE),
        };
        Value::Float {
            bits,
            significand,
            exponent,
        }
    }

    pub fn single(value: f32) -> Float {
        Float::Single(match value.is_nan() {
            true => SINGLE_NAN,
            false => value.to_bits(),
        })
    }

    pub fn double(value: f64) -> Float {
        Float::Double(match value.is_nan() {
            true => DOUBLE_NAN,
            false => value.to_bits(),
        })
    }

    /// Every float is a double.
    fn widened(self) -> f64 {
        match self {
            Float::Single(bits) => f64::from(f32::from_bits(bits)),
            Float::Double(bits) => f64::from_bits(bits),
        }
    }

    /// A result that was computed as a double and is exact in the own format.
    fn like(self, value: f64) -> Float {
        match self {
            Float::Single(_) => Float::single(value as f32),
            Float::Double(_) => Float::double(value),
        }
    }
}

/// An operator with what its name and sorts say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatOperator {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    RoundToIntegral,
    Abs,
    Neg,
    Min,
    Max,
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    IsNan,
    IsInfinite,
    IsZero,
    IsNormal,
    IsSubnormal,
    IsNegative,
    IsPositive,
    /// Of bits, a signed number or another float.
    ToFloat(Format),
    OfUnsigned(Format),
    /// In so many bits.
    ToSigned(u32),
    ToUnsigned(u32),
    ToBits,
    /// A function of `math.h`.
    Library(LibraryFunction),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Single,
    Double,
}

impl Format {
    fn of(pool: &TermPool, sort: lariat_term::SortId) -> Option<Format> {
        match pool.sort(sort) {
            &Sort::Float {
                significand,
                exponent,
            } => match (significand, exponent) {
                SINGLE => Some(Format::Single),
                DOUBLE => Some(Format::Double),
                _ => None,
            },
            _ => None,
        }
    }

    /// To the nearest float, ties to even.
    fn of_integer(self, number: i128) -> Float {
        match self {
            Format::Single => Float::single(number as f32),
            Format::Double => Float::double(number as f64),
        }
    }
}

/// An argument of an operator.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FloatArgument {
    Float(Float),
    Mode(RoundingMode),
    /// A bit-vector of at most 64 bits as an unsigned number.
    Bits {
        number: i128,
        width: u32,
    },
}

impl FloatArgument {
    pub fn of(value: &Value) -> Option<FloatArgument> {
        match value {
            Value::Float { .. } => Float::of(value).map(FloatArgument::Float),
            Value::RoundingMode(mode) => Some(FloatArgument::Mode(*mode)),
            &Value::Bv { ref value, width } if width <= 64 => Some(FloatArgument::Bits {
                number: value.to_i128()?,
                width,
            }),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum FloatResult {
    Float(Float),
    Bool(bool),
    /// A bit-vector as an unsigned number.
    Bits {
        number: i128,
        width: u32,
    },
}

impl FloatResult {
    pub fn to_value(self) -> Value {
        match self {
            FloatResult::Float(float) => float.to_value(),
            FloatResult::Bool(value) => Value::Bool(value),
            FloatResult::Bits { number, width } => Value::Bv {
                value: number.into(),
                width,
            },
        }
    }
}

impl FloatOperator {
    /// `None` for operators of other theories and of other formats.
    pub fn of(pool: &TermPool, id: TheoryId) -> Option<FloatOperator> {
        use FloatOperator as Op;
        let theory = pool.theory_op(id);
        let format = || Format::of(pool, theory.result);
        let width = || match pool.sort(theory.result) {
            Sort::Bv(width) if *width <= 64 => Some(*width),
            _ => None,
        };
        let name = theory.name.trim_start_matches("(_ ");
        let name = name.split(' ').next().unwrap_or(name);
        Some(match name {
            "fp.add" => Op::Add,
            "fp.sub" => Op::Sub,
            "fp.mul" => Op::Mul,
            "fp.div" => Op::Div,
            "fp.fma" => Op::Fma,
            "fp.sqrt" => Op::Sqrt,
            "fp.roundToIntegral" => Op::RoundToIntegral,
            "fp.abs" => Op::Abs,
            "fp.neg" => Op::Neg,
            "fp.min" => Op::Min,
            "fp.max" => Op::Max,
            "fp.eq" => Op::Equal,
            "fp.lt" => Op::Less,
            "fp.leq" => Op::LessOrEqual,
            "fp.gt" => Op::Greater,
            "fp.geq" => Op::GreaterOrEqual,
            "fp.isNaN" => Op::IsNan,
            "fp.isInfinite" => Op::IsInfinite,
            "fp.isZero" => Op::IsZero,
            "fp.isNormal" => Op::IsNormal,
            "fp.isSubnormal" => Op::IsSubnormal,
            "fp.isNegative" => Op::IsNegative,
            "fp.isPositive" => Op::IsPositive,
            "to_fp" => Op::ToFloat(format()?),
            "to_fp_unsigned" => Op::OfUnsigned(format()?),
            "fp.to_sbv" => Op::ToSigned(width()?),
            "fp.to_ubv" => Op::ToUnsigned(width()?),
            "fp.to_ieee_bv" => Op::ToBits,
            _ => return None,
        })
    }

    /// An uninterpreted function that stands for one of the C library.
    pub fn of_function(pool: &TermPool, id: FunId) -> Option<FloatOperator> {
        let function = pool.function(id);
        let name = function.name.strip_prefix(LIBRARY_FUNCTION)?;
        let name = match Format::of(pool, function.result)? {
            Format::Single => name.strip_suffix('f')?,
            Format::Double => name,
        };
        LibraryFunction::of(name).map(FloatOperator::Library)
    }

    /// `None` if the result is not determined, or not by what the machine computes.
    pub fn apply(self, args: &[FloatArgument]) -> Option<FloatResult> {
        use FloatArgument::{Bits, Float as F, Mode};
        use FloatOperator as Op;
        let near = RoundingMode::NearestEven;
        let float = |float| Some(FloatResult::Float(float));
        let truth = |truth| Some(FloatResult::Bool(truth));
        match (self, args) {
            (Op::Add | Op::Sub | Op::Mul | Op::Div, &[Mode(mode), F(a), F(b)]) if mode == near => {
                float(self.arithmetic(a, b)?)
            }
            (Op::Fma, &[Mode(mode), F(a), F(b), F(c)]) if mode == near => float(match (a, b, c) {
                (Float::Single(a), Float::Single(b), Float::Single(c)) => {
                    Float::single(f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c)))
                }
                (Float::Double(a), Float::Double(b), Float::Double(c)) => {
                    Float::double(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)))
                }
                _ => return None,
            }),
            (Op::Library(function), &[F(Float::Single(x)), F(Float::Single(y))]) => float(Float::single(
                function.of_float(f32::from_bits(x), f32::from_bits(y)),
            )),
            (Op::Library(function), &[F(Float::Double(x)), F(Float::Double(y))]) => float(Float::double(
                function.of_double(f64::from_bits(x), f64::from_bits(y)),
            )),
            (Op::Sqrt, &[Mode(mode), F(a)]) if mode == near => float(match a {
                Float::Single(bits) => Float::single(f32::from_bits(bits).sqrt()),
                Float::Double(bits) => Float::double(f64::from_bits(bits).sqrt()),
            }),
            (Op::RoundToIntegral, &[Mode(mode), F(a)]) => float(a.like(integral(mode, a.widened()))),
            (Op::Abs, &[F(a)]) => float(a.like(a.widened().abs())),
            (Op::Neg, &[F(a)]) => float(a.like(-a.widened())),
            (Op::Min | Op::Max, &[F(a), F(b)]) => {
                let (x, y) = (a.widened(), b.widened());
                if x == 0.0 && y == 0.0 && a != b {
                    return None;
                }
                float(a.like(match self {
                    Op::Min => x.min(y),
                    _ => x.max(y),
                }))
            }
            (Op::Equal, &[F(a), F(b)]) => truth(a.widened() == b.widened()),
            (Op::Less, &[F(a), F(b)]) => truth(a.widened() < b.widened()),
            (Op::LessOrEqual, &[F(a), F(b)]) => truth(a.widened() <= b.widened()),
            (Op::Greater, &[F(a), F(b)]) => truth(a.widened() > b.widened()),
            (Op::GreaterOrEqual, &[F(a), F(b)]) => truth(a.widened() >= b.widened()),
            (Op::IsNan, &[F(a)]) => truth(a.widened().is_nan()),
            (Op::IsInfinite, &[F(a)]) => truth(a.widened().is_infinite()),
            (Op::IsZero, &[F(a)]) => truth(a.widened() == 0.0),
            (Op::IsNegative, &[F(a)]) => truth(!a.widened().is_nan() && a.widened().is_sign_negative()),
            (Op::IsPositive, &[F(a)]) => truth(!a.widened().is_nan() && a.widened().is_sign_positive()),
            (Op::IsNormal, &[F(a)]) => truth(match a {
                Float::Single(bits) => f32::from_bits(bits).is_normal(),
                Float::Double(bits) => f64::from_bits(bits).is_normal(),
            }),
            (Op::IsSubnormal, &[F(a)]) => truth(match a {
                Float::Single(bits) => f32::from_bits(bits).is_subnormal(),
                Float::Double(bits) => f64::from_bits(bits).is_subnormal(),
            }),
            (Op::ToFloat(Format::Single), &[Bits { number, .. }]) => {
                float(Float::single(f32::from_bits(u32::try_from(number).ok()?)))
            }
            (Op::ToFloat(Format::Double), &[Bits { number, .. }]) => {
                float(Float::double(f64::from_bits(u64::try_from(number).ok()?)))
            }
            (Op::ToFloat(format), &[Mode(mode), Bits { number, width }]) if mode == near => {
                let is_negative = width > 0 && number >> (width - 1) != 0;
                let signed = if is_negative {
                    number - (1 << width)
                } else {
                    number
                };
                float(format.of_integer(signed))
            }
            (Op::ToFloat(Format::Double), &[Mode(_), F(a)]) => float(Float::double(a.widened())),
            (Op::ToFloat(Format::Single), &[Mode(mode), F(a)]) if mode == near => {
                float(Float::single(a.widened() as f32))
            }
            (Op::OfUnsigned(format), &[Mode(mode), Bits { number, .. }]) if mode == near => {
                float(format.of_integer(number))
            }
            (Op::ToSigned(width), &[Mode(mode), F(a)]) => {
                let half = 1i128 << (width - 1);
                bits(integral(mode, a.widened()), -half..half, width)
            }
            (Op::ToUnsigned(width), &[Mode(mode), F(a)]) => {
                bits(integral(mode, a.widened()), 0..1 << width, width)
            }
            (Op::ToBits, &[F(a)]) if !a.widened().is_nan() => Some(match a {
                Float::Single(bits) => FloatResult::Bits {
                    number: bits.into(),
                    width: 32,
                },
                Float::Double(bits) => FloatResult::Bits {
                    number: bits.into(),
                    width: 64,
                },
            }),
            _ => None,
        }
    }

    fn arithmetic(self, a: Float, b: Float) -> Option<Float> {
        use FloatOperator as Op;
        macro_rules! compute {
            ($a:expr, $b:expr) => {
                match self {
                    Op::Add => $a + $b,
                    Op::Sub => $a - $b,
                    Op::Mul => $a * $b,
                    _ => $a / $b,
                }
            };
        }
        match (a, b) {
            (Float::Single(a), Float::Single(b)) => {
                Some(Float::single(compute!(f32::from_bits(a), f32::from_bits(b))))
            }
            (Float::Double(a), Float::Double(b)) => {
                Some(Float::double(compute!(f64::from_bits(a), f64::from_bits(b))))
            }
            _ => None,
        }
    }
}

fn integral(mode: RoundingMode, value: f64) -> f64 {
    match mode {
        RoundingMode::NearestEven => value.round_ties_even(),
        RoundingMode::NearestAway => value.round(),
        RoundingMode::TowardPositive => value.ceil(),
        RoundingMode::TowardNegative => value.floor(),
        RoundingMode::TowardZero => value.trunc(),
    }
}

/// A whole number as bits, if it is in the range.
fn bits(value: f64, range: std::ops::Range<i128>, width: u32) -> Option<FloatResult> {
    // The ends are far below those of `i128`, where the conversion saturates.
    let number = value as i128;
    (!value.is_nan() && range.contains(&number)).then(|| FloatResult::Bits {
        number: number & ((1 << width) - 1),
        width,
    })
}

#[cfg(test)]
mod tests {
    use super::FloatArgument as Arg;
    use super::*;

    fn number(value: f64) -> Arg {
        Arg::Float(Float::double(value))
    }

    fn near() -> Arg {
        Arg::Mode(RoundingMode::NearestEven)
    }

    fn computed(operator: FloatOperator, args: &[Arg]) -> Option<f64> {
        match operator.apply(args)? {
            FloatResult::Float(float) => Some(float.widened()),
            FloatResult::Bool(value) => Some(f64::from(u8::from(value))),
            FloatResult::Bits { number, .. } => Some(number as f64),
        }
    }

    #[test]
    fn a_sum_of_singles_is_rounded_once() {
        let big = Arg::Float(Float::single(16_777_216.0));
        let one = Arg::Float(Float::single(1.0));
        let sum = computed(FloatOperator::Add, &[near(), big, one]);
        assert_eq!(sum, Some(16_777_216.0));
        assert_eq!(
            computed(FloatOperator::Add, &[near(), number(16_777_216.0), number(1.0)]),
            Some(16_777_217.0)
        );
    }

    #[test]
    fn what_is_not_determined_has_no_value() {
        let up = Arg::Mode(RoundingMode::TowardPositive);
        let (zero, below) = (number(0.0), number(-0.0));
        assert_eq!(FloatOperator::Add.apply(&[up, number(1.0), zero]), None);
        assert_eq!(FloatOperator::Min.apply(&[zero, below]), None);
        assert_eq!(FloatOperator::ToBits.apply(&[number(f64::NAN)]), None);
        assert_eq!(FloatOperator::ToSigned(32).apply(&[near(), number(3e9)]), None);
        assert_eq!(
            FloatOperator::ToSigned(32).apply(&[near(), number(f64::NAN)]),
            None
        );
        assert_eq!(FloatOperator::ToUnsigned(32).apply(&[near(), number(-1.0)]), None);
    }

    #[test]
    fn conversions_keep_the_sign() {
        let minus_two = Arg::Bits {
            number: 0xffff_fffe,
            width: 32,
        };
        let to_double = FloatOperator::ToFloat(Format::Double);
        assert_eq!(computed(to_double, &[near(), minus_two]), Some(-2.0));
        let unsigned = FloatOperator::OfUnsigned(Format::Double);
        assert_eq!(computed(unsigned, &[near(), minus_two]), Some(4_294_967_294.0));
        let zero = Arg::Mode(RoundingMode::TowardZero);
        let bits = FloatOperator::ToSigned(32).apply(&[zero, number(-2.9)]);
        assert_eq!(
            bits,
            Some(FloatResult::Bits {
                number: 0xffff_fffe,
                width: 32
            })
        );
    }

    #[test]
    fn not_a_number_is_one_value_and_equals_nothing() {
        let first = Float::double(f64::from_bits(0x7ff0_0000_0000_0001));
        assert_eq!(first, Float::double(f64::NAN));
        let nan = number(f64::NAN);
        assert_eq!(computed(FloatOperator::Equal, &[nan, nan]), Some(0.0));
        assert_eq!(computed(FloatOperator::IsNegative, &[nan]), Some(0.0));
        assert_eq!(computed(FloatOperator::Max, &[nan, number(1.0)]), Some(1.0));
    }

    #[test]
    fn functions_of_the_library_are_computed() {
        let mut pool = TermPool::new();
        let double = pool.sort_id(Sort::Float {
            exponent: 11,
            significand: 53,
        });
        let log = pool.declare_function(format!("{LIBRARY_FUNCTION}log"), vec![double, double], double);
        let other = pool.declare_function("log", vec![double, double], double);
        assert_eq!(FloatOperator::of_function(&pool, other), None);
        let log = FloatOperator::of_function(&pool, log).expect("it is known");
        assert_eq!(computed(log, &[number(10.0), number(0.0)]), Some(10.0_f64.ln()));
    }
}
