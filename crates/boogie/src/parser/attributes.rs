//! Attributes `{:name …}` and triggers `{ e, … }`.

use lariat_base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::{Attribute, AttributeParam, Trigger};
use crate::lexer::TokenKind;

/// The attributes by which declarations take part in Civl.
const CIVL_ATTRIBUTES: [&str; 6] = [
    "layer",
    "linear",
    "linear_in",
    "linear_out",
    "yields",
    "yield_invariant",
];

impl Parser<'_> {
    pub(super) fn at_attribute(&self) -> bool {
        self.at(TokenKind::LeftBrace) && self.peek_ahead(1) == TokenKind::Colon
    }

    /// The attributes of a declaration, among which those of Civl are refused.
    pub(super) fn declaration_attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let attributes = self.attributes()?;
        for attribute in &attributes {
            if CIVL_ATTRIBUTES.contains(&&*attribute.name.name) {
                self.refuse_civl(
                    attribute.span,
                    &format!("the attribute `{{:{}}}`", attribute.name.name),
                );
            }
        }
        Ok(attributes)
    }

    /// Any number of attributes.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at_attribute() {
            attributes.push(self.attribute()?);
        }
        Ok(attributes)
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let start = self.expect(TokenKind::LeftBrace)?;
        self.expect(TokenKind::Colon)?;
        // `{:datatype}` was an attribute before it became a keyword.
        let name = match self.at(TokenKind::Datatype) {
            true => self.take_identifier(),
            false => self.identifier()?,
        };
        let params = self.list_until(TokenKind::RightBrace, Self::attribute_param)?;
        Ok(Attribute {
            name,
            params,
            span: self.span_from(start),
        })
    }

    fn attribute_param(&mut self) -> Parsed<AttributeParam> {
        if self.at(TokenKind::String) {
            let token = self.bump();
            let text = self.string_contents(token);
            return Ok(AttributeParam::String(text, self.span_of(token)));
        }
        self.expression().map(AttributeParam::Expr)
    }

    /// The attributes and triggers in front of the body of a quantifier.
    pub(super) fn attributes_and_triggers(&mut self) -> Parsed<(Vec<Attribute>, Vec<Trigger>)> {
        let mut attributes = Vec::new();
        let mut triggers = Vec::new();
        while self.at(TokenKind::LeftBrace) {
            if self.at_attribute() {
                let attribute = self.attribute()?;
                if &*attribute.name.name == "nopats" {
                    triggers.extend(self.negative_trigger(attribute));
                } else {
                    attributes.push(attribute);
                }
            } else {
                let start = self.span();
                self.bump();
                let exprs = self.comma_separated(Self::expression)?;
                self.expect(TokenKind::RightBrace)?;
                triggers.push(Trigger {
                    exprs,
                    negative: false,
                    span: self.span_from(start),
                });
            }
        }
        Ok((attributes, triggers))
    }

    /// `{:nopats e}`
    fn negative_trigger(&mut self, attribute: Attribute) -> Option<Trigger> {
        let span = attribute.span;
        let mut params = attribute.params.into_iter();
        match (params.next(), params.next()) {
            (Some(AttributeParam::Expr(expr)), None) => Some(Trigger {
                exprs: vec![expr],
                negative: true,
                span,
            }),
            _ => {
                self.report(
                    Diagnostic::error("bad-nopats", span, "`{:nopats}` takes exactly one expression")
                        .label("expected one expression"),
                );
                None
            }
        }
    }
}
