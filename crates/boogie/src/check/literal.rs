//! Exact values of real and floating-point literals.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::typed::Type;

/// Larger exponents would need the memory of the whole machine.
const MAX_DECIMAL_EXPONENT: u32 = 100_000;
/// Larger formats have no use and no solver support.
const MAX_FLOAT_SIZE: u32 = 65_536;

/// The value of `12.34e-5`; the message says what is wrong with it.
pub(super) fn real(text: &str) -> Result<BigRational, String> {
    let malformed = || format!("malformed real literal `{text}`");
    let (negative, digits) = strip_sign(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (digits, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits: String = whole.chars().chain(fraction.chars()).collect();
    let value = BigInt::parse_bytes(all_digits.as_bytes(), 10).ok_or_else(malformed)?;
    let exponent: BigInt = exponent.parse().map_err(|_| malformed())?;
    let scale = exponent - BigInt::from(fraction.len());
    let magnitude = u32::try_from(scale.magnitude())
        .ok()
        .filter(|magnitude| *magnitude <= MAX_DECIMAL_EXPONENT)
        .ok_or_else(|| format!("the exponent of the real literal is beyond {MAX_DECIMAL_EXPONENT}"))?;
    let power = BigInt::from(10u32).pow(magnitude);
    let value = if negative { -value } else { value };
    Ok(match scale.sign() {
        num_bigint::Sign::Minus => BigRational::new(value, power),
        _ => BigRational::from_integer(value * power),
    })
}

/// The type and the IEEE bits of `0x1.8e3f24e8` (hexadecimal mantissa, decimal exponent of
/// 16, then the sizes of the format), `0NaN24e8`, `0+oo24e8` or `0-oo24e8`.
pub(super) fn float(text: &str) -> Result<(Type, BigUint), String> {
    let malformed = || format!("malformed floating-point literal `{text}`");
    let (negative, rest) = strip_sign(text);
    if let Some(number) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        // The sizes follow the last `f`, the exponent the `e` before it: both letters are digits too.
        let format_start = number.rfind('f').ok_or_else(malformed)?;
        let (number, format) = (&number[..format_start], &number[format_start + 1..]);
        let exponent_start = number.rfind('e').ok_or_else(malformed)?;
        let (mantissa, exponent) = (&number[..exponent_start], &number[exponent_start + 1..]);
        let format = Format::parse(format).ok_or_else(malformed)??;
        let (whole, fraction) = mantissa.split_once('.').ok_or_else(malformed)?;
        let digits: String = whole.chars().chain(fraction.chars()).collect();
        let digits = BigUint::parse_bytes(digits.as_bytes(), 16).ok_or_else(malformed)?;
        let exponent: BigInt = exponent.parse().map_err(|_| malformed())?;
        let scale = (exponent - BigInt::from(fraction.len())) * 4;
        let bits = format.encode(negative, digits, scale).ok_or_else(|| {
            format!(
                "`{text}` is not a value of {}: it is too large, too small or too precise",
                format.name()
            )
        })?;
        return Ok((format.ty(), bits));
    }
    let special = rest.strip_prefix('0').ok_or_else(malformed)?;
    let size_start = special.find(|c: char| c.is_ascii_digit()).ok_or_else(malformed)?;
    let (kind, format) = special.split_at(size_start);
    let format = Format::parse(format).ok_or_else(malformed)??;
    let bits = match kind {
        "NaN" | "nan" => format.nan(),
        "+oo" => format.infinity(false),
        "-oo" => format.infinity(true),
        _ => return Err(malformed()),
    };
    Ok((format.ty(), bits))
}

/// Whether a floating-point format can exist; the message says why not.
pub(super) fn check_float_format(significand: u32, exponent: u32) -> Result<(), String> {
    if significand < 2 || exponent < 2 {
        Err("the significand and the exponent of a floating-point type need at least 2 bits each".to_owned())
    } else if significand > MAX_FLOAT_SIZE || exponent > MAX_FLOAT_SIZE {
        Err(format!(
            "floating-point types with more than {MAX_FLOAT_SIZE} bits are not supported"
        ))
    } else {
        Ok(())
    }
}

fn strip_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// Sizes in bits; the significand counts the hidden bit.
struct Format {
    significand: u32,
    exponent: u32,
}

impl Format {
    fn parse(text: &str) -> Option<Result<Format, String>> {
        let (significand, exponent) = text.split_once('e')?;
        let format = Format {
            significand: significand.parse().ok()?,
            exponent: exponent.parse().ok()?,
        };
        Some(check_float_format(format.significand, format.exponent).map(|()| format))
    }

    fn ty(&self) -> Type {
        Type::Float {
            significand: self.significand,
            exponent: self.exponent,
        }
    }

    fn name(&self) -> String {
        format!("float{}e{}", self.significand, self.exponent)
    }

    fn assemble(&self, negative: bool, exponent: BigUint, fraction: BigUint) -> BigUint {
        let sign = if negative {
            BigUint::one() << self.exponent
        } else {
            BigUint::zero()
        };
        ((sign | exponent) << (self.significand - 1)) | fraction
    }

    fn all_ones_exponent(&self) -> BigUint {
        (BigUint::one() << self.exponent) - 1u32
    }

    fn infinity(&self, negative: bool) -> BigUint {
        self.assemble(negative, self.all_ones_exponent(), BigUint::zero())
    }

    fn nan(&self) -> BigUint {
        self.assemble(
            false,
            self.all_ones_exponent(),
            BigUint::one() << (self.significand - 2),
        )
    }

    /// The bits of `digits * 2^scale` if that is exactly a value of the format.
    fn encode(&self, negative: bool, digits: BigUint, scale: BigInt) -> Option<BigUint> {
        if digits.is_zero() {
            return Some(self.assemble(negative, BigUint::zero(), BigUint::zero()));
        }
        let trailing_zeros = digits.trailing_zeros().unwrap_or(0);
        let digits = digits >> trailing_zeros;
        let scale = scale + trailing_zeros;
        // The value is `digits * 2^scale` with odd digits, and lies in [2^top, 2^(top+1)).
        let top = &scale + BigInt::from(digits.bits()) - 1;
        let bias = (BigInt::one() << (self.exponent - 1)) - 1;
        if top > bias || digits.bits() > u64::from(self.significand) {
            return None;
        }
        let least_exponent = BigInt::one() - &bias;
        let fraction_bits = self.significand - 1;
        let (biased, unit) = if top >= least_exponent {
            (&top + &bias, &top - BigInt::from(fraction_bits))
        } else {
            (BigInt::zero(), least_exponent - BigInt::from(fraction_bits))
        };
        // Exactness: the lowest digit is not below the unit in the last place.
        let shift = u32::try_from(scale - unit).ok()?;
        let hidden = if biased.is_zero() {
            BigUint::zero()
        } else {
            BigUint::one() << fraction_bits
        };
        let fraction = (digits << shift) - hidden;
        Some(self.assemble(negative, biased.to_biguint()?, fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> Option<u64> {
        float(text).ok().map(|(_, bits)| u64::try_from(bits).unwrap())
    }

    #[test]
    fn float_literals_have_ieee_bits() {
        assert_eq!(bits("0x1.0e0f24e8"), Some(u64::from(1.0f32.to_bits())));
        assert_eq!(bits("-0x2.8e1f24e8"), Some(u64::from((-40.0f32).to_bits())));
        assert_eq!(bits("0x0.ffffffe0f24e8"), Some(u64::from(0x3f7f_ffffu32)));
        assert_eq!(bits("0x3.2e1f53e11"), Some(50.0f64.to_bits()));
        assert_eq!(bits("0x0.000008e-32f24e8"), Some(1));
        assert_eq!(bits("-0x0.0e0f24e8"), Some(0x8000_0000));
        assert_eq!(bits("0+oo24e8"), Some(u64::from(f32::INFINITY.to_bits())));
        assert_eq!(bits("0-oo53e11"), Some(f64::NEG_INFINITY.to_bits()));
        assert_eq!(bits("0NaN24e8"), Some(0x7fc0_0000));
        assert!(float("0x1.0e536870911f24e32").is_ok());
    }

    #[test]
    fn float_literals_must_be_exact() {
        for text in [
            "0x0.000004e-32f24e8", // below the least subnormal
            "0x1.0e32f24e8",       // beyond the greatest
            "0x1.ffffffe0f24e8",   // 25 bits
            "0x0.0e0f2e1",
            "0x0.0e0f1e2",
            "0x1.0e99999999999999999999f24e8",
            "0+zero24e8",
        ] {
            assert!(float(text).is_err(), "{text}");
        }
    }

    #[test]
    fn real_literals_are_exact() {
        assert_eq!(real("1.50").unwrap(), BigRational::new(3.into(), 2.into()));
        assert_eq!(real("2e3").unwrap(), BigRational::from_integer(2000.into()));
        assert_eq!(real("12.5e-1").unwrap(), BigRational::new(5.into(), 4.into()));
        assert!(real("1e999999999").is_err());
    }
}
