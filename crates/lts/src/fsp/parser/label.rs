//! Labels, sets of labels, indices, relabelling, hiding.

use super::{Parse, Parser};
use crate::fsp::ast::{Index, Label, LabelPart, LabelSet, Relabelling, Values, Visibility};
use crate::fsp::lexer::TokenKind;

impl Parser<'_> {
    /// `a.b[i:R].{x,y}`
    pub(super) fn label(&mut self) -> Parse<Label> {
        self.nested(|parser| {
            let start = parser.span();
            let mut parts = vec![parser.first_part()?];
            loop {
                match parser.kind() {
                    TokenKind::LeftBracket => parts.push(parser.index_part()?),
                    TokenKind::Dot if parser.dot_continues() => {
                        parser.advance();
                        parts.push(parser.first_part()?);
                    }
                    _ => break,
                }
            }
            Ok(Label {
                parts,
                span: parser.span_from(start),
            })
        })
    }

    /// Whether the dot belongs to a label and does not end the definition.
    fn dot_continues(&self) -> bool {
        matches!(
            self.kind_after(),
            TokenKind::LowerName
                | TokenKind::LeftBrace
                | TokenKind::LeftBracket
                | TokenKind::Number
                | TokenKind::Return
        )
    }

    fn first_part(&mut self) -> Parse<LabelPart> {
        match self.kind() {
            TokenKind::LowerName => Ok(LabelPart::Name(self.name())),
            TokenKind::UpperName => Ok(LabelPart::Set(LabelSet::Named(self.name()))),
            TokenKind::LeftBrace => Ok(LabelPart::Set(self.label_set()?)),
            TokenKind::LeftBracket => self.index_part(),
            TokenKind::Number => {
                let value = self.primary()?;
                Ok(LabelPart::Index(Index {
                    variable: None,
                    values: Values::Expression(value),
                }))
            }
            TokenKind::Return => self.return_part(),
            _ => Err(self.expected("an action")),
        }
    }

    /// `return{v}`, `return{}`, or an action that is called `return`.
    fn return_part(&mut self) -> Parse<LabelPart> {
        if self.kind_after() != TokenKind::LeftBrace {
            return Ok(LabelPart::Name(self.name()));
        }
        self.advance();
        self.advance();
        let value = match self.kind() {
            TokenKind::RightBrace => None,
            _ => Some(self.index()?),
        };
        self.expect(TokenKind::RightBrace, "`}` after the returned value")?;
        Ok(LabelPart::Return(value))
    }

    fn index_part(&mut self) -> Parse<LabelPart> {
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let index = self.index()?;
        self.expect(TokenKind::RightBracket, "`]`")?;
        Ok(LabelPart::Index(index))
    }

    /// What stands between `[` and `]`.
    pub(super) fn index(&mut self) -> Parse<Index> {
        let variable = match (self.kind(), self.kind_after()) {
            (TokenKind::LowerName, TokenKind::Colon) => {
                let name = self.name();
                self.advance();
                Some(name)
            }
            _ => None,
        };
        if self.kind() == TokenKind::LeftBrace {
            let values = Values::Set(self.label_set()?);
            return Ok(Index { variable, values });
        }
        let first = self.expression()?;
        let values = match self.eat(TokenKind::DotDot) {
            true => Values::Range(first, self.expression()?),
            false => Values::Expression(first),
        };
        Ok(Index { variable, values })
    }

    /// `[i:R][j:S]…`, maybe none.
    pub(super) fn indices(&mut self) -> Parse<Vec<Index>> {
        let mut indices = Vec::new();
        while self.eat(TokenKind::LeftBracket) {
            indices.push(self.index()?);
            self.expect(TokenKind::RightBracket, "`]`")?;
        }
        Ok(indices)
    }

    /// `{a, b[0..2]}` or the name of a set.
    pub(super) fn label_set(&mut self) -> Parse<LabelSet> {
        if self.kind() == TokenKind::UpperName {
            return Ok(LabelSet::Named(self.name()));
        }
        self.expect(TokenKind::LeftBrace, "a set of actions such as `{a, b}`")?;
        let mut labels = Vec::new();
        while self.kind() != TokenKind::RightBrace {
            labels.push(self.label()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "`,` or `}`")?;
        Ok(LabelSet::Labels(labels))
    }

    /// `/ {new/old, forall[i:R] {…}}`, if it is there.
    pub(super) fn relabellings(&mut self) -> Parse<Vec<Relabelling>> {
        let mut relabellings = Vec::new();
        if self.eat(TokenKind::Slash) {
            self.relabelling_set(&[], &mut relabellings)?;
        }
        Ok(relabellings)
    }

    fn relabelling_set(&mut self, indices: &[Index], into: &mut Vec<Relabelling>) -> Parse<()> {
        self.nested(|parser| {
            parser.expect(TokenKind::LeftBrace, "relabellings such as `{new/old}`")?;
            while parser.kind() != TokenKind::RightBrace {
                if parser.eat(TokenKind::Forall) {
                    let mut inner = indices.to_vec();
                    inner.extend(parser.indices()?);
                    parser.relabelling_set(&inner, into)?;
                } else {
                    let new = parser.label()?;
                    parser.expect(TokenKind::Slash, "`/` and the old label")?;
                    let old = parser.label()?;
                    into.push(Relabelling {
                        indices: indices.to_vec(),
                        new,
                        old,
                    });
                }
                if !parser.eat(TokenKind::Comma) {
                    break;
                }
            }
            parser.expect(TokenKind::RightBrace, "`,` or `}`")
        })
    }

    /// `\ {…}` or `@ {…}`, if it is there.
    pub(super) fn visibility(&mut self) -> Parse<Option<Visibility>> {
        if self.eat(TokenKind::Backslash) {
            return Ok(Some(Visibility::Hide(self.label_set()?)));
        }
        if self.eat(TokenKind::At) {
            return Ok(Some(Visibility::Expose(self.label_set()?)));
        }
        Ok(None)
    }
}
