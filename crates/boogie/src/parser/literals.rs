//! Literals, with the limits that keep later stages from unbounded work.

use std::sync::Arc;

use lariat_base::{Diagnostic, Span};
use num_bigint::{BigInt, BigUint};
use num_traits::{Num, Zero};

use super::{Parsed, Parser};
use crate::ast::ExprKind;
use crate::lexer::{Token, TokenKind};

/// The longest number in digits. Reading a decimal number takes quadratic time.
const MAX_DIGITS: usize = 20_000;

/// The greatest exponent of a real literal: its value is written out later.
const MAX_REAL_EXPONENT: i64 = 20_000;

/// The greatest exponent of a float literal, whose value stays in two parts. It leaves room for
/// computing with exponents.
const MAX_FLOAT_EXPONENT: i64 = 1 << 56;

impl Parser<'_> {
    /// The next token, which is a literal.
    pub(super) fn literal(&mut self) -> Parsed<ExprKind> {
        let token = self.bump();
        let text = self.token_text(token);
        let span = self.span_of(token);
        match token.kind {
            TokenKind::Digits => Ok(ExprKind::Int(BigInt::from(self.natural(text, span)?))),
            TokenKind::BitVector => {
                let (value, width) = text.split_once("bv").unwrap_or((text, ""));
                let value = self.natural(value, span)?;
                match width.parse::<u32>() {
                    Ok(width) if width <= i32::MAX as u32 => Ok(ExprKind::Bv { value, width }),
                    _ => Err(self.too_large(span, "the width of the bit-vector")),
                }
            }
            TokenKind::Decimal => {
                let exponent = text.split_once('e').map_or("0", |(_, exponent)| exponent);
                if !fits(exponent, MAX_REAL_EXPONENT) {
                    return Err(self.too_large(span, "the exponent"));
                }
                if text.len() > MAX_DIGITS {
                    return Err(self.too_large(span, "the number"));
                }
                Ok(ExprKind::Real(Arc::from(text)))
            }
            TokenKind::Float => {
                if let Err(problem) = check_float(text) {
                    let message = format!("`{text}` is no valid floating-point literal: {problem}");
                    self.report(
                        Diagnostic::error("bad-float", span, message)
                            .label(problem)
                            .hint("a literal must be exact; its exponent is a power of 16"),
                    );
                }
                Ok(ExprKind::Float(Arc::from(text)))
            }
            _ => Ok(ExprKind::String(self.string_contents(token))),
        }
    }

    /// The text between the quotes.
    pub(super) fn string_contents(&self, token: Token) -> Arc<str> {
        let text = self.token_text(token);
        Arc::from(text.get(1..text.len() - 1).unwrap_or(""))
    }

    fn natural(&mut self, digits: &str, span: Span) -> Parsed<BigUint> {
        if let Ok(small) = digits.parse::<u64>() {
            return Ok(BigUint::from(small));
        }
        if digits.len() > MAX_DIGITS {
            return Err(self.too_large(span, "the number"));
        }
        BigUint::from_str_radix(digits, 10).map_err(|_| self.too_large(span, "the number"))
    }

    /// The next token, a number of digits, as the position of a bit.
    pub(super) fn bit_position(&mut self) -> u32 {
        let token = self.bump();
        match self.token_text(token).parse::<u32>() {
            Ok(position) if position <= i32::MAX as u32 => position,
            _ => {
                self.too_large(self.span_of(token), "the position of the bit");
                0
            }
        }
    }

    fn too_large(&mut self, span: Span, what: &str) -> super::Reported {
        self.report(
            Diagnostic::error("number-too-large", span, format!("{what} is too large"))
                .label("more than can be handled"),
        )
    }
}

fn fits(exponent: &str, limit: i64) -> bool {
    exponent
        .parse::<i64>()
        .is_ok_and(|exponent| (-limit..=limit).contains(&exponent))
}

/// Checks a literal such as `-0x1.8e2f24e8`: `(-1.5) * 16^2` with a significand of 24 bits, the
/// hidden one included, and an exponent of 8 bits. Its value must be a number of the format,
/// except that it may be rounded to a subnormal one. `0NaN24e8` and `0+oo24e8` have only sizes.
fn check_float(text: &str) -> Result<(), &'static str> {
    let (value, sizes) = match text.strip_prefix('-').unwrap_or(text).strip_prefix("0x") {
        Some(hexadecimal) => match hexadecimal.rsplit_once('f') {
            Some((value, sizes)) => (Some(value), sizes),
            None => return Err("the sizes are missing"),
        },
        None => (None, text.get(4..).unwrap_or("")),
    };
    let (significand, exponent) = sizes.split_once('e').ok_or("the sizes are missing")?;
    let significand = significand
        .parse::<u32>()
        .map_err(|_| "the significand is too large")?;
    let exponent = exponent.parse::<u32>().map_err(|_| "the exponent is too large")?;
    if significand < 2 || exponent < 2 {
        return Err("significand and exponent need at least two bits");
    }
    if significand > i32::MAX as u32 || exponent > i32::MAX as u32 {
        return Err("the format is too wide");
    }
    match value {
        Some(value) => check_float_value(value, i64::from(significand), exponent),
        None => Ok(()),
    }
}

/// `value` is `h.he±d` with hexadecimal digits before the exponent, which is the last `e`.
fn check_float_value(value: &str, significand_bits: i64, exponent_bits: u32) -> Result<(), &'static str> {
    let (digits, power) = value.rsplit_once('e').ok_or("the exponent is missing")?;
    if digits.len() > MAX_DIGITS || !fits(power, MAX_FLOAT_EXPONENT) {
        return Err("the number is too large");
    }
    let (whole, fraction) = digits.split_once('.').ok_or("the fraction is missing")?;
    let integer = BigUint::from_str_radix(&format!("{whole}{fraction}"), 16)
        .map_err(|_| "the digits are not hexadecimal")?;
    if integer.is_zero() {
        return Ok(());
    }
    let power: i64 = power.parse().map_err(|_| "the exponent is too large")?;
    // The value is `integer * 2^scale`; its leading bit has the weight `2^leading`.
    let scale = 4 * (power - fraction.len() as i64);
    let leading = scale + integer.bits() as i64 - 1;
    let lowest = scale + integer.trailing_zeros().unwrap_or(0) as i64;
    // An exponent of 62 bits or more holds every power that fits the limits above.
    let bias = (1i64 << (exponent_bits - 1).min(61)) - 1;
    if leading > bias {
        return Err("it is too large for the format");
    }
    if leading >= 1 - bias {
        return match leading - lowest < significand_bits {
            true => Ok(()),
            false => Err("it has more digits than the significand"),
        };
    }
    // The smallest subnormal number is `2^least`; from the middle below it on, a value is zero.
    let least = 1 - bias - (significand_bits - 1);
    let is_power_of_two = leading == lowest;
    if leading < least - 1 || (leading == least - 1 && is_power_of_two) {
        return Err("it is too small for the format");
    }
    // Rounding up must not leave the subnormal range: all bits above `least` and the next are ones.
    let tail_bits = u64::try_from(least - scale).unwrap_or(0);
    let has_tail = lowest < least;
    if has_tail && leading == -bias {
        let rounded_up = ((integer >> (tail_bits - 1)) + 1u32) >> 1u32;
        if rounded_up.bits() as i64 >= significand_bits {
            return Err("it has more digits than the significand");
        }
    }
    Ok(())
}
