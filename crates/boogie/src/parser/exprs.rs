//! Expressions.
//!
//! Binding strength, loosest first, as in Boogie:
//!
//! | level | operators | |
//! |---|---|---|
//! | 1 | `<==>` | to the left |
//! | 2 | `==>` to the right, `<==` to the left | not mixed |
//! | 3 | `&&`, `\|\|` | to the left, not mixed |
//! | 4 | `==` `!=` `<` `<=` `>` `>=` | not chained |
//! | 5 | `++` | to the left |
//! | 6 | `+` `-` | to the left |
//! | 7 | `*` `/` `div` `mod` | to the left |
//! | 8 | `**` | to the right |
//! | 9 | `is` | once |
//! | 10 | unary `-` `!` | |
//! | 11 | `: type` | |
//! | 12 | `[…]`, `->` | |

use lariat_base::{Diagnostic, Span};

use super::decls::WhereClauses;
use super::{Parsed, Parser};
use crate::ast::{
    BinaryOp, Conversion, Expr, ExprKind, LetVar, Quantifier, QuantifierKind, RoundingMode, UnaryOp,
};
use crate::lexer::TokenKind;

/// The operator that a token is between two operands, and its binding strength.
fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::Iff => (BinaryOp::Iff, 1),
        TokenKind::Implies => (BinaryOp::Implies, 2),
        TokenKind::ImpliedBy => (BinaryOp::ImpliedBy, 2),
        TokenKind::And => (BinaryOp::And, 3),
        TokenKind::Or => (BinaryOp::Or, 3),
        TokenKind::Equal => (BinaryOp::Eq, 4),
        TokenKind::NotEqual => (BinaryOp::Neq, 4),
        TokenKind::Less => (BinaryOp::Lt, 4),
        TokenKind::LessEqual => (BinaryOp::Le, 4),
        TokenKind::Greater => (BinaryOp::Gt, 4),
        TokenKind::GreaterEqual => (BinaryOp::Ge, 4),
        TokenKind::Concat => (BinaryOp::Concat, 5),
        TokenKind::Plus => (BinaryOp::Add, 6),
        TokenKind::Minus => (BinaryOp::Sub, 6),
        TokenKind::Star => (BinaryOp::Mul, 7),
        TokenKind::Div => (BinaryOp::IntDiv, 7),
        TokenKind::Mod => (BinaryOp::Mod, 7),
        TokenKind::Slash => (BinaryOp::RealDiv, 7),
        TokenKind::Power => (BinaryOp::Pow, 8),
        _ => return None,
    })
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr {
        kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
        span,
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || parser.operators(1)))
    }

    /// An expression of operators that bind at least as tightly as `loosest`.
    fn operators(&mut self, loosest: u8) -> Parsed<Expr> {
        self.measured(|parser| {
            let mut left = parser.tester()?;
            let mut previous: Option<(BinaryOp, u8)> = None;
            while let Some((op, level)) = binary_operator(parser.peek()) {
                if level < loosest {
                    break;
                }
                if let Some((previous_op, previous_level)) = previous
                    && previous_level == level
                {
                    parser.check_neighbours(previous_op, op);
                }
                previous = Some((op, level));
                if matches!(op, BinaryOp::Implies | BinaryOp::Pow) {
                    left = parser.right_associative(left, op, level)?;
                } else {
                    parser.bump();
                    let right = parser.operators(level + 1)?;
                    left = binary(op, left, right);
                    parser.moved_down(1)?;
                }
            }
            Ok(left)
        })
    }

    /// `a op b op c` as `a op (b op c)`.
    fn right_associative(&mut self, first: Expr, op: BinaryOp, level: u8) -> Parsed<Expr> {
        let mut operands = vec![first];
        while binary_operator(self.peek()) == Some((op, level)) {
            self.bump();
            operands.push(self.operators(level + 1)?);
        }
        self.moved_down(operands.len() - 1)?;
        let mut operands = operands.into_iter().rev();
        let last = operands.next().expect("the first operand is there");
        Ok(operands.fold(last, |right, left| binary(op, left, right)))
    }

    /// Reports two operators of one level that must not be neighbours. Reading goes on.
    fn check_neighbours(&mut self, left: BinaryOp, right: BinaryOp) {
        let span = self.span();
        let diagnostic = match (left, right) {
            (BinaryOp::And, BinaryOp::Or) | (BinaryOp::Or, BinaryOp::And) => Diagnostic::error(
                "mixed-operators",
                span,
                "`&&` and `||` are mixed without parentheses",
            )
            .label("expected parentheses around one of the operands"),
            (BinaryOp::Implies, BinaryOp::ImpliedBy) | (BinaryOp::ImpliedBy, BinaryOp::Implies) => {
                Diagnostic::error(
                    "mixed-operators",
                    span,
                    "`==>` and `<==` are mixed without parentheses",
                )
                .label("expected parentheses around one of the operands")
            }
            (BinaryOp::Eq | BinaryOp::Neq | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, _) => {
                Diagnostic::error("chained-comparison", span, "comparisons cannot be chained")
                    .label("expected a logical operator or the end of the expression")
                    .hint("write `a < b && b < c` for `a < b < c`, or use parentheses")
            }
            _ => return,
        };
        self.report(diagnostic);
    }

    /// `e is C`
    fn tester(&mut self) -> Parsed<Expr> {
        let operand = self.unary()?;
        if !self.eat(TokenKind::Is) {
            return Ok(operand);
        }
        let constructor = self.identifier()?;
        self.moved_down(1)?;
        let span = operand.span.to(constructor.span);
        Ok(Expr {
            kind: ExprKind::Is(Box::new(operand), constructor),
            span,
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let operator = |kind| match kind {
            TokenKind::Minus => Some(UnaryOp::Neg),
            TokenKind::Not => Some(UnaryOp::Not),
            _ => None,
        };
        if operator(self.peek()).is_none() {
            return self.coercion();
        }
        let mut operators: Vec<(UnaryOp, Span)> = Vec::new();
        while let Some(op) = operator(self.peek()) {
            operators.push((op, self.span()));
            self.bump();
        }
        let operand = self.coercion()?;
        self.moved_down(operators.len())?;
        Ok(operators.into_iter().rev().fold(operand, |operand, (op, start)| {
            let span = start.to(operand.span);
            Expr {
                kind: ExprKind::Unary(op, Box::new(operand)),
                span,
            }
        }))
    }

    /// `e: t`
    fn coercion(&mut self) -> Parsed<Expr> {
        let mut expr = self.postfix()?;
        while self.at(TokenKind::Colon) {
            let colon = self.span();
            self.bump();
            if self.at(TokenKind::Digits) {
                self.bump();
                return Err(self.report(
                    Diagnostic::error("bad-extract", expr.span.to(colon), "misplaced bit-vector bounds")
                        .label("bounds are two numbers directly between brackets")
                        .hint("bits are extracted with `e[hi:lo]`, where `hi` and `lo` are literals"),
                ));
            }
            let ty = self.type_()?;
            self.moved_down(1)?;
            let span = expr.span.to(ty.span);
            expr = Expr {
                kind: ExprKind::Coerce(Box::new(expr), ty),
                span,
            };
        }
        Ok(expr)
    }

    /// `e[…]`, `e->f`, `e->(f := v)`
    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.atom()?;
        loop {
            match self.peek() {
                TokenKind::LeftBracket => expr = self.brackets(expr)?,
                TokenKind::Arrow => expr = self.field(expr)?,
                _ => return Ok(expr),
            }
            self.moved_down(1)?;
        }
    }

    fn brackets(&mut self, base: Expr) -> Parsed<Expr> {
        use TokenKind::*;
        self.bump();
        let start = base.span;
        let is_extract = self.at(Digits)
            && self.peek_ahead(1) == Colon
            && self.peek_ahead(2) == Digits
            && self.peek_ahead(3) == RightBracket;
        let kind = if is_extract {
            let hi = self.bit_position();
            self.bump();
            let lo = self.bit_position();
            ExprKind::Extract {
                value: Box::new(base),
                hi,
                lo,
            }
        } else {
            let indices = if matches!(self.peek(), RightBracket | Assign) {
                Vec::new()
            } else {
                self.comma_separated(Self::expression)?
            };
            if self.eat(Assign) {
                let value = self.expression()?;
                ExprKind::Store(Box::new(base), indices, Box::new(value))
            } else {
                ExprKind::Select(Box::new(base), indices)
            }
        };
        self.expect(RightBracket)?;
        Ok(Expr {
            kind,
            span: self.span_from(start),
        })
    }

    fn field(&mut self, base: Expr) -> Parsed<Expr> {
        self.bump();
        let start = base.span;
        let kind = if self.eat(TokenKind::LeftParen) {
            let field = self.identifier()?;
            self.expect(TokenKind::Assign)?;
            let value = self.expression()?;
            self.expect(TokenKind::RightParen)?;
            ExprKind::FieldUpdate(Box::new(base), field, Box::new(value))
        } else {
            ExprKind::Field(Box::new(base), self.identifier()?)
        };
        Ok(Expr {
            kind,
            span: self.span_from(start),
        })
    }

    fn atom(&mut self) -> Parsed<Expr> {
        use TokenKind::*;
        let start = self.span();
        let kind = match self.peek() {
            kind if kind.is_identifier() => {
                let name = self.take_identifier();
                if self.eat(LeftParen) {
                    ExprKind::Call(name, self.list_until(RightParen, Self::expression)?)
                } else {
                    ExprKind::Var(name)
                }
            }
            Digits | BitVector | Decimal | Float | String => self.literal()?,
            True => self.word(ExprKind::Bool(true)),
            False => self.word(ExprKind::Bool(false)),
            RoundNearestEven => self.word(ExprKind::RoundingMode(RoundingMode::NearestEven)),
            RoundNearestAway => self.word(ExprKind::RoundingMode(RoundingMode::NearestAway)),
            RoundTowardPositive => self.word(ExprKind::RoundingMode(RoundingMode::TowardPositive)),
            RoundTowardNegative => self.word(ExprKind::RoundingMode(RoundingMode::TowardNegative)),
            RoundTowardZero => self.word(ExprKind::RoundingMode(RoundingMode::TowardZero)),
            Old => ExprKind::Old(self.only_argument()?),
            Int => ExprKind::Convert(Conversion::ToInt, self.only_argument()?),
            Real => ExprKind::Convert(Conversion::ToReal, self.only_argument()?),
            If => self.if_then_else()?,
            LeftCodeBrace => ExprKind::Code(Box::new(self.nested(Self::code_body)?)),
            LeftParen => return self.parenthesized(),
            Forall | Exists | Lambda => {
                return Err(
                    self.expected_with_hint("an expression", Some("put the quantifier into parentheses"))
                );
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr {
            kind,
            span: self.span_from(start),
        })
    }

    fn word(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    /// `(e)` behind a word that acts like a function.
    fn only_argument(&mut self) -> Parsed<Box<Expr>> {
        self.bump();
        self.expect(TokenKind::LeftParen)?;
        let argument = self.expression()?;
        self.expect(TokenKind::RightParen)?;
        Ok(Box::new(argument))
    }

    fn if_then_else(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let condition = self.expression()?;
        self.expect(TokenKind::Then)?;
        let then_value = self.expression()?;
        self.expect(TokenKind::Else)?;
        let else_value = self.expression()?;
        Ok(ExprKind::IfThenElse(
            Box::new(condition),
            Box::new(then_value),
            Box::new(else_value),
        ))
    }

    /// What starts with a parenthesis: an expression, a quantifier or a `let`.
    fn parenthesized(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.bump();
        let mut expr = match self.peek() {
            TokenKind::Forall => self.quantifier(QuantifierKind::Forall)?,
            TokenKind::Exists => self.quantifier(QuantifierKind::Exists)?,
            TokenKind::Lambda => self.quantifier(QuantifierKind::Lambda)?,
            TokenKind::Var => self.let_()?,
            _ => self.expression()?,
        };
        self.expect(TokenKind::RightParen)?;
        expr.span = self.span_from(start);
        Ok(expr)
    }

    fn quantifier(&mut self, kind: QuantifierKind) -> Parsed<Expr> {
        let start = self.span();
        self.bump();
        let type_params = self.type_params()?;
        let bound = if !type_params.is_empty() && self.at(TokenKind::DoubleColon) {
            Vec::new()
        } else {
            self.attributed_identifiers(WhereClauses::NotOn("bound variables"))?
        };
        self.expect(TokenKind::DoubleColon)?;
        let (attributes, triggers) = self.attributes_and_triggers()?;
        if kind == QuantifierKind::Lambda
            && let Some(trigger) = triggers.first()
        {
            self.report(
                Diagnostic::error(
                    "lambda-trigger",
                    trigger.span,
                    "a lambda expression cannot have triggers",
                )
                .label("expected an attribute or the body"),
            );
        }
        let body = self.expression()?;
        let quantifier = Quantifier {
            kind,
            type_params,
            bound,
            attributes,
            triggers,
            body,
        };
        let span = self.span_from(start);
        Ok(Expr {
            kind: ExprKind::Quantifier(Box::new(quantifier)),
            span,
        })
    }

    /// `var x, y := e, f; body`
    fn let_(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.bump();
        let vars = self.comma_separated(|parser| {
            let attributes = parser.attributes()?;
            Ok(LetVar {
                attributes,
                name: parser.identifier()?,
            })
        })?;
        self.expect(TokenKind::Assign)?;
        let values = self.comma_separated(Self::expression)?;
        self.expect(TokenKind::Semicolon)?;
        let attributes = self.attributes()?;
        let body = Box::new(self.expression()?);
        let span = self.span_from(start);
        Ok(Expr {
            kind: ExprKind::Let {
                vars,
                values,
                attributes,
                body,
            },
            span,
        })
    }
}
