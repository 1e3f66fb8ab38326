//! Expressions, by precedence climbing.
//!
//! Constants and ends of ranges are sums at most, so that `const N = 2` may be followed by a
//! composite, which starts with `||`.

use super::{Parse, Parser};
use crate::fsp::ast::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use crate::fsp::lexer::TokenKind;

const SUM: u8 = 8;

/// Operators in a row make a tree as deep, over which evaluation recurses.
const MAX_OPERATORS: usize = 200;

fn binary(kind: TokenKind) -> Option<(u8, BinaryOperator)> {
    Some(match kind {
        TokenKind::BarBar => (1, BinaryOperator::Or),
        TokenKind::AndAnd => (2, BinaryOperator::And),
        TokenKind::Bar => (3, BinaryOperator::BitOr),
        TokenKind::Caret => (4, BinaryOperator::BitXor),
        TokenKind::And => (5, BinaryOperator::BitAnd),
        TokenKind::EqualEqual => (6, BinaryOperator::Equal),
        TokenKind::NotEqual => (6, BinaryOperator::NotEqual),
        TokenKind::Less => (7, BinaryOperator::Less),
        TokenKind::LessEqual => (7, BinaryOperator::LessEqual),
        TokenKind::Greater => (7, BinaryOperator::Greater),
        TokenKind::GreaterEqual => (7, BinaryOperator::GreaterEqual),
        TokenKind::ShiftLeft => (SUM, BinaryOperator::ShiftLeft),
        TokenKind::ShiftRight => (SUM, BinaryOperator::ShiftRight),
        TokenKind::Plus => (9, BinaryOperator::Add),
        TokenKind::Minus => (9, BinaryOperator::Subtract),
        TokenKind::Star => (10, BinaryOperator::Multiply),
        TokenKind::Slash => (10, BinaryOperator::Divide),
        TokenKind::Percent => (10, BinaryOperator::Remainder),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse<Expression> {
        self.expression_above(0)
    }

    /// The value of a constant or one end of a range.
    pub(super) fn bound(&mut self) -> Parse<Expression> {
        self.expression_above(SUM)
    }

    /// An expression whose operators outside parentheses bind tighter than this.
    fn expression_above(&mut self, limit: u8) -> Parse<Expression> {
        self.nested(|parser| {
            let mut left = parser.unary()?;
            let mut operators = 0;
            while let Some((precedence, operator)) = binary(parser.kind()) {
                if precedence <= limit {
                    break;
                }
                operators += 1;
                if operators > MAX_OPERATORS {
                    return Err(parser.error(
                        "this expression is too long",
                        "give a part of it a name of its own",
                    ));
                }
                parser.advance();
                let right = parser.expression_above(precedence)?;
                let span = left.span.to(right.span);
                left = Expression {
                    kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                    span,
                };
            }
            Ok(left)
        })
    }

    fn unary(&mut self) -> Parse<Expression> {
        let start = self.span();
        let operator = match self.kind() {
            TokenKind::Minus => UnaryOperator::Minus,
            TokenKind::Not => UnaryOperator::Not,
            TokenKind::Plus => {
                self.advance();
                return self.nested(Self::unary);
            }
            _ => return self.primary(),
        };
        self.advance();
        let operand = self.nested(Self::unary)?;
        Ok(Expression {
            kind: ExpressionKind::Unary(operator, Box::new(operand)),
            span: self.span_from(start),
        })
    }

    pub(super) fn primary(&mut self) -> Parse<Expression> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Number => {
                let Ok(value) = self.token_text().parse() else {
                    return Err(self.error("this number is too large", "numbers have 64 bits"));
                };
                self.advance();
                ExpressionKind::Number(value)
            }
            TokenKind::LowerName | TokenKind::UpperName => ExpressionKind::Name(self.name().text),
            TokenKind::LeftParen => {
                self.advance();
                let inner = self.expression()?;
                self.expect(TokenKind::RightParen, "`)`")?;
                inner.kind
            }
            TokenKind::Quote => {
                self.advance();
                ExpressionKind::Label(self.label()?)
            }
            TokenKind::Hash => {
                self.advance();
                ExpressionKind::Cardinality(self.label_set()?)
            }
            _ => return Err(self.expected("a number, a name or `(`")),
        };
        Ok(Expression {
            kind,
            span: self.span_from(start),
        })
    }
}
