//! Fluents, assertions and progress properties.

use super::{Parse, Parser};
use crate::fsp::ast::{
    Assertion, Fluent, LabelSet, Progress, Reference, Temporal, TemporalBinary, TemporalUnary,
};
use crate::fsp::lexer::TokenKind;

/// The most operators of one kind in a row.
const MAX_OPERATORS: usize = 1000;

impl Parser<'_> {
    /// `fluent F[i:R] = <{a,b}, c[i]> initially True`
    pub(super) fn fluent(&mut self) -> Parse<Fluent> {
        self.advance();
        let name = self.upper_name("a name for the fluent")?;
        let indices = self.indices()?;
        self.expect(TokenKind::Equal, "`=`")?;
        self.expect(TokenKind::Less, "`<` and the actions that start it")?;
        let initiating = self.label()?;
        self.expect(TokenKind::Comma, "`,` and the actions that end it")?;
        let terminating = self.label()?;
        self.expect(TokenKind::Greater, "`>`")?;
        let initially = match self.kind() == TokenKind::LowerName && self.token_text() == "initially" {
            true => {
                self.advance();
                Some(self.bound()?)
            }
            false => None,
        };
        self.eat(TokenKind::Dot);
        Ok(Fluent {
            name,
            indices,
            initiating,
            terminating,
            initially,
        })
    }

    /// `assert A[i:R] = [] (a -> <> b)`
    pub(super) fn assertion(&mut self) -> Parse<Assertion> {
        self.advance();
        let name = self.upper_name("a name for the assertion")?;
        let indices = self.indices()?;
        self.expect(TokenKind::Equal, "`=` and a formula")?;
        let formula = self.temporal()?;
        self.eat(TokenKind::Dot);
        Ok(Assertion {
            name,
            indices,
            formula,
        })
    }

    /// `progress P = {a}` or `progress P = if {a} then {b}`
    pub(super) fn progress(&mut self) -> Parse<Progress> {
        self.advance();
        let name = self.upper_name("a name for the progress property")?;
        let indices = self.indices()?;
        self.expect(TokenKind::Equal, "`=`")?;
        let condition: Option<LabelSet> = match self.eat(TokenKind::If) {
            true => {
                let condition = self.label_set()?;
                self.expect(TokenKind::Then, "`then` and a set of actions")?;
                Some(condition)
            }
            false => None,
        };
        let actions = self.label_set()?;
        self.eat(TokenKind::Dot);
        Ok(Progress {
            name,
            indices,
            condition,
            actions,
        })
    }

    fn temporal(&mut self) -> Parse<Temporal> {
        self.nested(|parser| parser.temporal_operators(TemporalBinary::Equivalent))
    }

    /// Operators that bind at least as tightly as this one. Implication and the untils are right-associative.
    fn temporal_operators(&mut self, least: TemporalBinary) -> Parse<Temporal> {
        let mut left = self.temporal_operand()?;
        let mut length = 0;
        while let Some(operator) = self.temporal_operator().filter(|&operator| operator >= least) {
            length += 1;
            if length > MAX_OPERATORS {
                let hint = "give parts of it names of their own";
                return Err(self.error("this formula is too long", hint));
            }
            self.advance();
            if operator == TemporalBinary::Equivalent {
                self.advance();
            }
            let tighter = match operator {
                TemporalBinary::Equivalent => TemporalBinary::Implies,
                TemporalBinary::Or => TemporalBinary::And,
                TemporalBinary::And => TemporalBinary::Until,
                TemporalBinary::Implies => TemporalBinary::Implies,
                TemporalBinary::Until | TemporalBinary::WeakUntil => TemporalBinary::Until,
            };
            let right = self.nested(|parser| parser.temporal_operators(tighter))?;
            left = Temporal::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn temporal_operator(&self) -> Option<TemporalBinary> {
        if self.starts_process() {
            return None;
        }
        Some(match (self.kind(), self.kind_after()) {
            (TokenKind::Less, TokenKind::Arrow) => TemporalBinary::Equivalent,
            (TokenKind::Arrow, _) => TemporalBinary::Implies,
            (TokenKind::BarBar, _) => TemporalBinary::Or,
            (TokenKind::AndAnd, _) => TemporalBinary::And,
            (TokenKind::UpperName, _) if self.token_text() == "U" => TemporalBinary::Until,
            (TokenKind::UpperName, _) if self.token_text() == "W" => TemporalBinary::WeakUntil,
            _ => return None,
        })
    }

    /// Nothing ends a formula but the next definition: `||SYSTEM = …`, `||SYSTEM(N = 2) = …`, or a process with the name of an
    /// operator, `U = …`.
    fn starts_process(&self) -> bool {
        let name = usize::from(self.kind() == TokenKind::BarBar);
        self.kind_at(name) == TokenKind::UpperName
            && match self.kind_at(name + 1) {
                TokenKind::Equal => true,
                TokenKind::LeftParen => self.kind_at(name + 3) == TokenKind::Equal,
                _ => false,
            }
    }

    fn temporal_operand(&mut self) -> Parse<Temporal> {
        let unary = match (self.kind(), self.kind_after()) {
            (TokenKind::Not, _) => Some((TemporalUnary::Not, 1)),
            (TokenKind::LeftBracket, TokenKind::RightBracket) => Some((TemporalUnary::Always, 2)),
            (TokenKind::Less, TokenKind::Greater) => Some((TemporalUnary::Eventually, 2)),
            (TokenKind::UpperName, _) if self.token_text() == "X" => Some((TemporalUnary::Next, 1)),
            _ => None,
        };
        if let Some((operator, tokens)) = unary {
            for _ in 0..tokens {
                self.advance();
            }
            let operand = self.nested(Self::temporal_operand)?;
            return Ok(Temporal::Unary(operator, Box::new(operand)));
        }
        let start = self.span();
        let is_exists = self.kind() == TokenKind::LowerName
            && self.token_text() == "exists"
            && self.kind_after() == TokenKind::LeftBracket;
        if is_exists || self.kind() == TokenKind::Forall {
            self.advance();
            let mut indices = Vec::new();
            // `[]` is the start of the formula.
            while self.kind() == TokenKind::LeftBracket && self.kind_after() != TokenKind::RightBracket {
                self.advance();
                indices.push(self.index()?);
                self.expect(TokenKind::RightBracket, "`]`")?;
            }
            if indices.is_empty() {
                return Err(self.expected("`[i:R]` and a formula"));
            }
            let body = Box::new(self.nested(Self::temporal_operand)?);
            return Ok(Temporal::Quantified {
                is_universal: !is_exists,
                indices,
                body,
                span: self.span_from(start),
            });
        }
        match self.kind() {
            TokenKind::LeftParen => {
                self.advance();
                let formula = self.temporal()?;
                self.expect(TokenKind::RightParen, "an operator or `)`")?;
                Ok(formula)
            }
            TokenKind::UpperName => {
                let name = self.name();
                let mut indices = Vec::new();
                while self.kind() == TokenKind::LeftBracket && self.kind_after() != TokenKind::RightBracket {
                    self.advance();
                    indices.push(self.expression()?);
                    self.expect(TokenKind::RightBracket, "`]`")?;
                }
                Ok(Temporal::Named(Reference {
                    name,
                    indices,
                    span: self.span_from(start),
                }))
            }
            // As people write `True` and `False`; an action of that name can be written as a set.
            TokenKind::LowerName if matches!(self.token_text(), "true" | "false") => {
                let mut name = self.name();
                name.text = match name.text.as_str() {
                    "true" => "True".to_owned(),
                    _ => "False".to_owned(),
                };
                Ok(Temporal::Named(Reference {
                    name,
                    indices: Vec::new(),
                    span: self.span_from(start),
                }))
            }
            TokenKind::LowerName | TokenKind::LeftBrace | TokenKind::Return => {
                Ok(Temporal::Actions(self.label()?))
            }
            _ => Err(self.expected("a formula such as `[] (a -> <> b)`")),
        }
    }
}
