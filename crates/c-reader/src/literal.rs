//! String literals, from the text in which clang prints them: pieces joined, macros expanded, escapes normalised.

use lariat_c_program::{InitItem, InitValue, Initializer, PlaceKind};

use crate::clang::Cursor;
use crate::node::Node;
use crate::session::Session;

impl<'u> Session<'u, '_> {
    /// A string literal is a global of its own.
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
}
