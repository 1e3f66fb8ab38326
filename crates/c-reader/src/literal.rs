//! Floating constants, and string literals from the text in which clang prints them: pieces joined, macros expanded, escapes normalised.

use lariat_c_program::{FloatKind, InitItem, InitValue, Initializer, PlaceKind, Type};
use num_bigint::BigInt;
use num_traits::Float;

use crate::clang::{Constant, Cursor};
use crate::node::Node;
use crate::session::Session;

impl<'u> Session<'u, '_> {
    /// Each string literal is a separate global.
    pub fn string_literal(&mut self, cursor: Cursor<'u>) -> Node {
        let (ty, span) = (self.type_of(cursor), self.span(cursor));
        let Some(mut units) = code_units(&cursor.spelling()) else {
            return Node::Place(self.unsupported_place("a string literal that is not understood", ty, span));
        };
        units.push(0);
        let global = self.hidden_global("string", ty, false, span);
        let string = &mut self.program.globals[global];
        string.is_string = true;
        string.init = Some(Initializer {
            zero: true,
            items: vec![InitItem {
                path: Vec::new(),
                value: InitValue::String(units),
            }],
            span,
        });
        Node::Place(self.place_at(PlaceKind::Global(global), ty, span))
    }
}

impl<'u> Session<'u, '_> {
    /// A floating constant. That of a `long double` may be no `double`, and then it is not modelled.
    pub fn floating_literal(&mut self, cursor: Cursor<'u>) -> Node {
        let ty = self.type_of(cursor);
        let is_long = *self.program.types.get(ty) == Type::Float(FloatKind::LongDouble);
        match cursor.evaluate() {
            Some(Constant::Float(value)) if is_long && !is_exactly(&cursor.first_token(), value) => {
                self.unknown(cursor, "a constant of type `long double` that is no `double`")
            }
            _ => self.constant(cursor),
        }
    }
}

/// Is the number that is written exactly this one?
fn is_exactly(written: &str, value: f64) -> bool {
    let text = written.trim_end_matches(['l', 'L']).to_ascii_lowercase();
    let (digits, radix, exponent_mark) = match text.strip_prefix("0x") {
        Some(rest) => (rest, 16, 'p'),
        None => (text.as_str(), 10, 'e'),
    };
    let (mantissa, exponent) = digits.split_once(exponent_mark).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let number = BigInt::parse_bytes(format!("0{whole}{fraction}").as_bytes(), radix);
    let (Some(number), Ok(exponent)) = (number, exponent.parse::<i32>()) else {
        return false;
    };
    if !value.is_finite() || exponent.unsigned_abs() > 20_000 || fraction.len() > 20_000 {
        return false;
    }
    // number · base^power = significand · 2^binary, with all factors on the side where their exponent is positive.
    let (base, power) = match radix {
        16 => (2, exponent - 4 * fraction.len() as i32),
        _ => (10, exponent - fraction.len() as i32),
    };
    let (significand, binary, _) = value.integer_decode();
    let mut left = number;
    let mut right = BigInt::from(significand);
    let scale = |factor: i32, power: i32| BigInt::from(factor).pow(power.unsigned_abs());
    if power >= 0 {
        left *= scale(base, power);
    } else {
        right *= scale(base, power);
    }
    if binary >= 0 {
        right *= scale(2, i32::from(binary));
    } else {
        left *= scale(2, i32::from(binary));
    }
    left == right
}

/// The characters of a literal as clang prints it (`"a\000b"`, `L"\x1234"`), without the final zero.
pub fn code_units(printed: &str) -> Option<Vec<u32>> {
    let open = printed.find('"')?;
    let wide = matches!(&printed[..open], "L" | "U");
    let utf16 = &printed[..open] == "u";
    let mut units = Vec::new();
    let mut rest = printed[open + 1..].chars().peekable();
    loop {
        match rest.next()? {
            '"' => match rest.next() {
                None => return Some(units),
                // clang ends and reopens a literal where a hexadecimal escape would swallow the next digit.
                Some('"') => {}
                Some(_) => return None,
            },
            '\\' => {
                let escape = rest.next()?;
                let value = match escape {
                    'a' => 7,
                    'b' => 8,
                    't' => 9,
                    'n' => 10,
                    'v' => 11,
                    'f' => 12,
                    'r' => 13,
                    'x' => {
                        let mut value = 0;
                        while let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(16)) {
                            value = value * 16 + digit;
                            rest.next();
                        }
                        value
                    }
                    'u' | 'U' => {
                        let length = if escape == 'u' { 4 } else { 8 };
                        let mut value = 0;
                        for _ in 0..length {
                            value = value * 16 + rest.next()?.to_digit(16)?;
                        }
                        value
                    }
                    '0'..='7' => {
                        let mut value = escape.to_digit(8)?;
                        for _ in 0..2 {
                            if let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(8)) {
                                value = value * 8 + digit;
                                rest.next();
                            }
                        }
                        value
                    }
                    '\\' | '\'' | '"' | '?' => escape as u32,
                    _ => return None,
                };
                match char::from_u32(value).filter(|_| utf16 && value > 0xffff) {
                    Some(character) => push_utf16(&mut units, character),
                    None => units.push(value),
                }
            }
            character if wide => units.push(character as u32),
            character if utf16 => push_utf16(&mut units, character),
            character => {
                let mut buffer = [0; 4];
                units.extend(character.encode_utf8(&mut buffer).bytes().map(u32::from));
            }
        }
    }
}

fn push_utf16(units: &mut Vec<u32>, character: char) {
    let mut buffer = [0; 2];
    units.extend(
        character
            .encode_utf16(&mut buffer)
            .iter()
            .map(|&unit| u32::from(unit)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_joins() {
        let units =
            |text: &str| code_units(text).map(|units| units.into_iter().map(|unit| unit as u8).collect());
        assert_eq!(units(r#""a\000b\n""#), Some(b"a\0b\n".to_vec()));
        assert_eq!(units(r#""\"\\\377""#), Some(vec![b'"', b'\\', 0xff]));
        assert_eq!(code_units(r#"L"\x12""3""#), Some(vec![0x12, u32::from(b'3')]));
        assert_eq!(code_units(r#"u"\U0001F600""#), Some(vec![0xd83d, 0xde00]));
        assert_eq!(code_units("no string"), None);
    }

    #[test]
    fn a_written_number_is_compared_exactly() {
        assert!(is_exactly("0.5L", 0.5));
        assert!(is_exactly("1e22L", 1e22));
        assert!(is_exactly("0x1.8p-2l", 0.375));
        assert!(is_exactly("3.L", 3.0));
        assert!(is_exactly("1e-2000L", 0.0) == is_exactly("0.1L", 0.1));
        assert!(!is_exactly("0.1L", 0.1));
        assert!(!is_exactly("18446744073709551615.0L", 18446744073709551616.0));
    }
}
