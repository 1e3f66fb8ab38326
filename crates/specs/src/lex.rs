//! Text of expressions as tokens with their byte ranges.

use std::ops::Range;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::expr::CallPlace;
use crate::parse::SyntaxError;
use crate::print::{RESERVED, continues_file, continues_name, starts_name};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub range: Range<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Name(Arc<str>),
    /// One of [`RESERVED`].
    Word(&'static str),
    Int(BigInt),
    Raw(Arc<str>),
    /// What comes after `@`.
    Place(CallPlace),
    Punctuation(&'static str),
    End,
}

/// Longer ones before those that they start with.
const PUNCTUATION: [&str; 26] = [
    "<==>", "==>", "->", "::", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "!",
    "&", "(", ")", "[", "]", ".", ",", "@",
];

/// All tokens; the last is [`TokenKind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        lexer.skip_while(char::is_whitespace);
        let start = lexer.at;
        let kind = match tokens.last().map(|token| &token.kind) {
            Some(TokenKind::Punctuation("@")) => TokenKind::Place(lexer.place()?),
            Some(TokenKind::Punctuation("." | "->")) => lexer.field()?,
            _ => lexer.token()?,
        };
        let end = kind == TokenKind::End;
        tokens.push(Token {
            kind,
            range: start..lexer.at,
        });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_while(&mut self, accept: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn error(&self, range: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(range, message)
    }

    fn token(&mut self) -> Result<TokenKind, SyntaxError> {
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(TokenKind::End);
        };
        if starts_name(first) {
            let name = self.skip_while(continues_name);
            return Ok(match RESERVED.iter().find(|&&word| word == name) {
                Some(word) => TokenKind::Word(word),
                None => TokenKind::Name(name.into()),
            });
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        match first {
            '`' => return Ok(TokenKind::Name(self.quoted('`')?)),
            '"' => return Ok(TokenKind::Raw(self.quoted('"')?)),
            _ => {}
        }
        if let Some(text) = PUNCTUATION.iter().find(|&&text| self.rest().starts_with(text)) {
            self.at += text.len();
            return Ok(TokenKind::Punctuation(text));
        }
        let end = start + first.len_utf8();
        let error = self.error(
            start..end,
            format!("`{first}` is not part of the language of specifications"),
        );
        Err(match first {
            '=' => error.hint("write `==` for equality"),
            '|' => error.hint("write `||` for `or`"),
            '\'' => error.hint("write a character as its number"),
            '{' | '}' => error.hint("write `(` and `)`"),
            ':' => error.hint("write `forall x :: …`, without a type"),
            _ => error,
        })
    }

    /// After `.` and `->`: nothing is reserved, and a name may start with a digit (`$M.0`).
    fn field(&mut self) -> Result<TokenKind, SyntaxError> {
        match self.peek() {
            Some(c) if continues_name(c) => Ok(TokenKind::Name(self.skip_while(continues_name).into())),
            _ => self.token(),
        }
    }

    fn number(&mut self) -> Result<TokenKind, SyntaxError> {
        let start = self.at;
        let word = self.skip_while(|c| c.is_alphanumeric() || c == '_');
        let (digits, radix) = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None => (word, 10),
        };
        let value = if digits.chars().all(|c| c.is_digit(radix)) {
            BigInt::parse_bytes(digits.as_bytes(), radix)
        } else {
            None
        };
        value.map(TokenKind::Int).ok_or_else(|| {
            self.error(start..self.at, format!("`{word}` is not a number"))
                .hint("write digits only, such as `12` or `0x1f`")
        })
    }

    fn quoted(&mut self, quote: char) -> Result<Arc<str>, SyntaxError> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = chars.next() {
            match c {
                _ if c == quote => {
                    self.at = start + offset + c.len_utf8();
                    return Ok(text.into());
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, escaped)) => text.push(escaped),
                    None => break,
                },
                _ => text.push(c),
            }
        }
        Err(self.error(
            start..self.text.len(),
            format!("the {quote} that opens here is never closed"),
        ))
    }

    /// `12`, `12:5`, `util.c:12`, `"a file.c":12:5`.
    fn place(&mut self) -> Result<CallPlace, SyntaxError> {
        let start = self.at;
        let file: Option<Arc<str>> = if self.peek() == Some('"') {
            let file = self.quoted('"')?;
            self.colon_before_number();
            Some(file)
        } else {
            let word = self.skip_while(continues_file);
            let is_line = word.chars().all(|c| c.is_ascii_digit());
            if !is_line && self.colon_before_number() {
                Some(word.into())
            } else {
                self.at = start;
                None
            }
        };
        let line = self.line_or_column()?;
        let column = match self.colon_before_number() {
            true => Some(self.line_or_column()?),
            false => None,
        };
        Ok(CallPlace { file, line, column })
    }

    /// Skips a colon if a digit follows it.
    fn colon_before_number(&mut self) -> bool {
        let follows = self
            .rest()
            .strip_prefix(':')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        self.at += usize::from(follows);
        follows
    }

    fn line_or_column(&mut self) -> Result<u32, SyntaxError> {
        let start = self.at;
        let digits = self.skip_while(|c| c.is_ascii_digit());
        digits.parse().map_err(|_| {
            self.error(start..self.at, "expected the number of a line after `@`")
                .hint("write `f()@12` for the call in line 12, `f()@util.c:12` for one in another file")
        })
    }
}
