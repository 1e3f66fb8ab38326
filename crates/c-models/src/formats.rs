//! Reading the formats of printf and scanf.

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    Text(Vec<u8>),
    Conversion(Conversion),
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Conversion {
    /// As `format.c` has them.
    pub flags: u8,
    pub width: Amount,
    pub precision: Amount,
    pub length: Length,
    /// The letter: `d`, `s`, `[` …
    pub letter: u8,
    /// scanf: `%*d` stores nothing.
    pub suppressed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Amount {
    #[default]
    None,
    Constant(u32),
    /// `*`: an argument.
    Argument,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Length {
    #[default]
    None,
    /// `hh`, `h`, `l`, `ll`, `j`, `z`, `t`, `L`.
    Char,
    Short,
    Long,
    LongLong,
    Max,
    Size,
    Difference,
    LongDouble,
}

const FLAGS: &[(u8, u8)] = &[(b'-', 1), (b'+', 2), (b' ', 4), (b'#', 8), (b'0', 16)];

/// The parts of a format for printf; `None` if it is not one that is known.
pub(crate) fn parse_output(format: &[u8]) -> Option<Vec<Piece>> {
    parse(format, |cursor| {
        let mut conversion = Conversion::default();
        while let Some(&(_, flag)) = FLAGS.iter().find(|(letter, _)| cursor.first() == Some(letter)) {
            conversion.flags |= flag;
            *cursor = &cursor[1..];
        }
        conversion.width = amount(cursor)?;
        if skip(cursor, b".") {
            conversion.precision = match amount(cursor)? {
                Amount::None => Amount::Constant(0),
                amount => amount,
            };
        }
        conversion.length = length(cursor);
        conversion.letter = take(cursor)?;
        b"diouxXcspneEfFgGaA"
            .contains(&conversion.letter)
            .then_some(conversion)
    })
}

/// The parts of a format for scanf; `None` if it is not one that is known.
pub(crate) fn parse_input(format: &[u8]) -> Option<Vec<Piece>> {
    parse(format, |cursor| {
        let suppressed = skip(cursor, b"*");
        let width = amount(cursor)?;
        let length = length(cursor);
        let letter = take(cursor)?;
        if letter == b'[' {
            skip(cursor, b"^");
            skip(cursor, b"]");
            let end = cursor.iter().position(|&c| c == b']')?;
            *cursor = &cursor[end + 1..];
        }
        let is_known = b"diouxXcspneEfFgGaA[".contains(&letter) && width != Amount::Argument;
        is_known.then_some(Conversion {
            width,
            length,
            letter,
            suppressed,
            ..Conversion::default()
        })
    })
}

fn parse(format: &[u8], conversion: impl Fn(&mut &[u8]) -> Option<Conversion>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut cursor = format;
    while let Some(c) = take(&mut cursor) {
        if c != b'%' || skip(&mut cursor, b"%") {
            text.push(c);
            continue;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Conversion(conversion(&mut cursor)?));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

fn take(cursor: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = cursor.split_first()?;
    *cursor = rest;
    Some(first)
}

fn skip(cursor: &mut &[u8], expected: &[u8]) -> bool {
    match cursor.strip_prefix(expected) {
        Some(rest) => {
            *cursor = rest;
            true
        }
        None => false,
    }
}

/// `None` for a number that no format has.
fn amount(cursor: &mut &[u8]) -> Option<Amount> {
    if skip(cursor, b"*") {
        return Some(Amount::Argument);
    }
    let digits = cursor.iter().take_while(|c| c.is_ascii_digit()).count();
    if digits == 0 {
        return Some(Amount::None);
    }
    let number = std::str::from_utf8(&cursor[..digits]).ok()?.parse().ok()?;
    *cursor = &cursor[digits..];
    Some(Amount::Constant(number))
}

fn length(cursor: &mut &[u8]) -> Length {
    const LENGTHS: &[(&[u8], Length)] = &[
        (b"hh", Length::Char),
        (b"h", Length::Short),
        (b"ll", Length::LongLong),
        (b"l", Length::Long),
        (b"q", Length::LongLong),
        (b"j", Length::Max),
        (b"z", Length::Size),
        (b"t", Length::Difference),
        (b"L", Length::LongDouble),
    ];
    let found = LENGTHS.iter().find(|(text, _)| skip(cursor, text));
    found.map_or(Length::None, |&(_, length)| length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_for_output_is_taken_apart() {
        let pieces = parse_output(b"a%%b%-08.3lldc%*s%.*f").unwrap();
        let Piece::Text(text) = &pieces[0] else { panic!() };
        assert_eq!(text, b"a%b");
        let Piece::Conversion(number) = &pieces[1] else {
            panic!()
        };
        assert_eq!(number.flags, 17);
        assert_eq!(number.width, Amount::Constant(8));
        assert_eq!(number.precision, Amount::Constant(3));
        assert_eq!(number.length, Length::LongLong);
        assert_eq!(number.letter, b'd');
        let Piece::Conversion(string) = &pieces[3] else {
            panic!()
        };
        assert_eq!((string.width, string.letter), (Amount::Argument, b's'));
        assert_eq!(pieces.len(), 5);
    }

    #[test]
    fn a_format_for_input_is_taken_apart() {
        let pieces = parse_input(b"%*d %10[^]a-z]x%c").unwrap();
        let conversions: Vec<_> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Conversion(conversion) => Some((conversion.letter, conversion.suppressed)),
                Piece::Text(_) => None,
            })
            .collect();
        assert_eq!(conversions, [(b'd', true), (b'[', false), (b'c', false)]);
    }

    #[test]
    fn what_is_no_format_is_refused() {
        assert_eq!(parse_output(b"%"), None);
        assert_eq!(parse_output(b"%y"), None);
        assert_eq!(parse_input(b"%[abc"), None);
        assert_eq!(parse_output(b"%99999999999d"), None);
    }
}
