//! Types.

use lariat_base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::{Ident, MapType, Type, TypeKind};
use crate::lexer::TokenKind;

/// The widest bit-vector and the largest float component that Boogie can name.
const MAX_WIDTH: u32 = i32::MAX as u32;

impl Parser<'_> {
    /// A type with its arguments, which may stand without parentheses: `Map int (List T)`.
    pub(super) fn type_(&mut self) -> Parsed<Type> {
        self.nested(|parser| stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || parser.type_unguarded()))
    }

    fn type_unguarded(&mut self) -> Parsed<Type> {
        match self.peek() {
            kind if kind.is_identifier() => {
                let name = self.take_identifier();
                let mut arguments = Vec::new();
                while self.at_type() {
                    let is_last = matches!(self.peek(), TokenKind::LeftBracket | TokenKind::Less);
                    arguments.push(self.type_argument()?);
                    // A map type as an argument takes up everything behind it.
                    if is_last {
                        break;
                    }
                }
                self.named_type(name, arguments)
            }
            _ => self.type_without_arguments(),
        }
    }

    fn at_type(&self) -> bool {
        use TokenKind::*;
        matches!(self.peek(), Int | Real | Bool | LeftParen | LeftBracket | Less)
            || self.peek().is_identifier()
    }

    fn type_argument(&mut self) -> Parsed<Type> {
        self.nested(|parser| {
            if parser.peek().is_identifier() {
                let name = parser.take_identifier();
                parser.named_type(name, Vec::new())
            } else {
                parser.type_without_arguments()
            }
        })
    }

    fn type_without_arguments(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Int => TypeKind::Int,
            TokenKind::Real => TypeKind::Real,
            TokenKind::Bool => TypeKind::Bool,
            TokenKind::LeftParen => {
                self.bump();
                let inner = self.type_()?;
                self.expect(TokenKind::RightParen)?;
                return Ok(Type {
                    span: self.span_from(start),
                    ..inner
                });
            }
            TokenKind::LeftBracket | TokenKind::Less => return self.map_type(),
            _ => return Err(self.expected("a type")),
        };
        self.bump();
        Ok(Type { kind, span: start })
    }

    fn map_type(&mut self) -> Parsed<Type> {
        let start = self.span();
        let type_params = self.type_params()?;
        self.expect(TokenKind::LeftBracket)?;
        let indices = self.list_until(TokenKind::RightBracket, Self::type_)?;
        let result = self.type_()?;
        let map = MapType {
            type_params,
            indices,
            result,
        };
        Ok(Type {
            kind: TypeKind::Map(Box::new(map)),
            span: self.span_from(start),
        })
    }

    /// `<a, b>`, or nothing.
    pub(super) fn type_params(&mut self) -> Parsed<Vec<Ident>> {
        if !self.eat(TokenKind::Less) {
            return Ok(Vec::new());
        }
        let params = self.identifiers()?;
        self.expect(TokenKind::Greater)?;
        Ok(params)
    }

    /// A type that starts with a name. As in Boogie the names of the built-in types come first.
    fn named_type(&mut self, name: Ident, arguments: Vec<Type>) -> Parsed<Type> {
        let span = self.span_from(name.span);
        let builtin = match built_in_type(&name.name) {
            None => {
                return Ok(Type {
                    kind: TypeKind::Named(name, arguments),
                    span,
                });
            }
            Some(builtin) => builtin,
        };
        if !arguments.is_empty() {
            let message = format!("the type `{}` takes no arguments", name.name);
            self.report(Diagnostic::error("type-arguments", span, message).label("expected no arguments"));
        }
        let widest = match builtin {
            TypeKind::Bv(width) => width,
            TypeKind::Float {
                significand,
                exponent,
            } => significand.max(exponent),
            _ => 0,
        };
        if widest > MAX_WIDTH {
            let message = format!("the type `{}` is too wide", name.name);
            self.report(
                Diagnostic::error("number-too-large", name.span, message)
                    .label(format!("at most {MAX_WIDTH} bits")),
            );
        }
        Ok(Type { kind: builtin, span })
    }
}

/// The type that a name means unless it is the name of a declared one. Numbers that do not fit
/// are given as the largest.
fn built_in_type(name: &str) -> Option<TypeKind> {
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    match name {
        "rmode" => Some(TypeKind::RoundingMode),
        "string" => Some(TypeKind::String),
        "regex" => Some(TypeKind::Regex),
        _ => {
            if let Some(width) = name.strip_prefix("bv") {
                return number(width).map(TypeKind::Bv);
            }
            let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
            Some(TypeKind::Float {
                significand: number(significand)?,
                exponent: number(exponent)?,
            })
        }
    }
}
