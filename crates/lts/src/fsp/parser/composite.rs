//! Composites: `||C = (a:P || {x,y}::Q || forall[i:1..N] p[i]:R) / {…} \ {…}.`

use super::{Parse, Parser};
use crate::fsp::ast::{Composite, CompositeBody, If, Instance, Label, Labelled, Modifiers, Priority};
use crate::fsp::lexer::TokenKind;

impl Parser<'_> {
    /// A composite, after its `||`.
    pub(super) fn composite(&mut self, modifiers: Modifiers) -> Parse<Composite> {
        let name = self.upper_name("the name of a composite")?;
        let parameters = self.parameters()?;
        self.expect(TokenKind::Equal, "`=` and the processes to compose")?;
        let body = self.composite_body()?;
        let priority = self.priority()?;
        // A single body has taken the relabellings; they mean the same there.
        let relabellings = self.relabellings()?;
        let visibility = self.visibility()?;
        self.final_dot()?;
        Ok(Composite {
            name,
            modifiers,
            parameters,
            body,
            priority,
            relabellings,
            visibility,
        })
    }

    /// `<< {…}` or `>> {…}`, if it is there.
    fn priority(&mut self) -> Parse<Option<Priority>> {
        let is_high = match self.kind() {
            TokenKind::ShiftLeft => true,
            TokenKind::ShiftRight => false,
            _ => return Ok(None),
        };
        self.advance();
        let actions = self.label_set()?;
        Ok(Some(Priority { is_high, actions }))
    }

    fn composite_body(&mut self) -> Parse<CompositeBody> {
        self.nested(|parser| match parser.kind() {
            TokenKind::If => {
                parser.advance();
                let condition = parser.expression()?;
                parser.expect(TokenKind::Then, "`then`")?;
                let then = parser.composite_body()?;
                let otherwise = match parser.eat(TokenKind::Else) {
                    true => Some(parser.composite_body()?),
                    false => None,
                };
                Ok(CompositeBody::If(Box::new(If {
                    condition,
                    then,
                    otherwise,
                })))
            }
            TokenKind::Forall => {
                parser.advance();
                let indices = parser.indices()?;
                if indices.is_empty() {
                    return Err(parser.expected("`[i:R]` after `forall`"));
                }
                let body = parser.composite_body()?;
                Ok(CompositeBody::Forall(indices, Box::new(body)))
            }
            _ => parser.labelled(),
        })
    }

    fn labelled(&mut self) -> Parse<CompositeBody> {
        let mut shared = None;
        let mut prefix = self.prefix()?;
        if self.eat(TokenKind::ColonColon) {
            shared = prefix;
            prefix = self.prefix()?;
        }
        if prefix.is_some() {
            self.expect(TokenKind::Colon, "`:` or `::` after the prefix")?;
        }
        let start = self.span();
        let body = match self.eat(TokenKind::LeftParen) {
            true => {
                let mut parts = vec![self.composite_body()?];
                while self.eat(TokenKind::BarBar) {
                    parts.push(self.composite_body()?);
                }
                self.expect(TokenKind::RightParen, "`||` and another process, or `)`")?;
                CompositeBody::Parallel(parts)
            }
            false => {
                let name = self.upper_name("a process")?;
                let arguments = self.arguments()?;
                CompositeBody::Instance(Instance {
                    name,
                    arguments,
                    span: self.span_from(start),
                })
            }
        };
        let relabellings = self.relabellings()?;
        if shared.is_none() && prefix.is_none() && relabellings.is_empty() {
            return Ok(body);
        }
        Ok(CompositeBody::Labelled(Box::new(Labelled {
            shared,
            prefix,
            body,
            relabellings,
        })))
    }

    /// A label before `:` or `::`, if there is one.
    fn prefix(&mut self) -> Parse<Option<Label>> {
        let starts_label = match self.kind() {
            TokenKind::LowerName | TokenKind::LeftBrace | TokenKind::LeftBracket => true,
            TokenKind::UpperName => matches!(
                self.kind_after(),
                TokenKind::Colon | TokenKind::ColonColon | TokenKind::LeftBracket
            ),
            _ => false,
        };
        match starts_label {
            true => Ok(Some(self.label()?)),
            false => Ok(None),
        }
    }
}
