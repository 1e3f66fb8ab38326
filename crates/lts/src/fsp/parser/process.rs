//! Processes: `P = Q, Q[i:R] = (a -> Q[i+1] | …).`

use super::{Parse, Parser};
use crate::fsp::ast::{
    Alternative, Body, Ending, If, Instance, Local, Modifiers, Process, Reference, Sequence,
};
use crate::fsp::lexer::TokenKind;

impl Parser<'_> {
    pub(super) fn process(&mut self, modifiers: Modifiers) -> Parse<Process> {
        let name = self.upper_name("the name of a process")?;
        let parameters = self.parameters()?;
        let mut locals = vec![Local {
            name: name.clone(),
            indices: self.indices()?,
            body: self.definition_body()?,
        }];
        while self.eat(TokenKind::Comma) {
            locals.push(Local {
                name: self.upper_name("the name of a local process")?,
                indices: self.indices()?,
                body: self.definition_body()?,
            });
        }
        let extension = match self.eat(TokenKind::Plus) {
            true => Some(self.label_set()?),
            false => None,
        };
        let relabellings = self.relabellings()?;
        let visibility = self.visibility()?;
        self.final_dot()?;
        Ok(Process {
            name,
            modifiers,
            parameters,
            locals,
            extension,
            relabellings,
            visibility,
        })
    }

    fn definition_body(&mut self) -> Parse<Body> {
        self.expect(TokenKind::Equal, "`=` and the behaviour of the process")?;
        self.body()
    }

    fn body(&mut self) -> Parse<Body> {
        self.nested(|parser| match parser.kind() {
            TokenKind::Stop => Ok(parser.ending(Ending::Stop)),
            TokenKind::End => Ok(parser.ending(Ending::End)),
            TokenKind::Error => Ok(parser.ending(Ending::Error)),
            TokenKind::LeftParen => {
                parser.advance();
                let choice = parser.choice()?;
                parser.expect(TokenKind::RightParen, "`|` and another choice, or `)`")?;
                Ok(choice)
            }
            TokenKind::If => {
                parser.advance();
                let condition = parser.expression()?;
                parser.expect(TokenKind::Then, "`then`")?;
                let then = parser.body()?;
                let otherwise = match parser.eat(TokenKind::Else) {
                    true => Some(parser.body()?),
                    false => None,
                };
                Ok(Body::If(Box::new(If {
                    condition,
                    then,
                    otherwise,
                })))
            }
            TokenKind::UpperName => parser.reference_or_sequence(),
            TokenKind::LowerName | TokenKind::LeftBrace | TokenKind::LeftBracket | TokenKind::When => {
                Err(parser.error(
                    "an action cannot stand here",
                    "put parentheses round the choice, `(a -> P)`, and a process after every `->`",
                ))
            }
            _ => Err(parser.expected("a process: `(a -> P)`, a name, `STOP`, `END` or `ERROR`")),
        })
    }

    fn ending(&mut self, ending: Ending) -> Body {
        self.advance();
        Body::Ending(ending)
    }

    /// The alternatives between parentheses; a process alone in parentheses is itself.
    fn choice(&mut self) -> Parse<Body> {
        if matches!(
            self.kind(),
            TokenKind::LeftParen | TokenKind::Stop | TokenKind::End | TokenKind::Error | TokenKind::If
        ) || (self.kind() == TokenKind::UpperName && !self.upper_name_starts_label())
        {
            return self.body();
        }
        let mut alternatives = vec![self.alternative()?];
        while self.eat(TokenKind::Bar) {
            alternatives.push(self.alternative()?);
        }
        Ok(Body::Choice(alternatives))
    }

    /// Whether a name such as `S` is a set of actions in front of `->`.
    fn upper_name_starts_label(&self) -> bool {
        matches!(self.kind_after(), TokenKind::Arrow | TokenKind::Dot)
    }

    fn alternative(&mut self) -> Parse<Alternative> {
        let guard = match self.eat(TokenKind::When) {
            true => Some(self.expression()?),
            false => None,
        };
        let mut actions = vec![self.label()?];
        self.expect(TokenKind::Arrow, "`->` after the action")?;
        while self.starts_action() {
            actions.push(self.label()?);
            self.expect(TokenKind::Arrow, "`->` and a process after the action")?;
        }
        Ok(Alternative {
            guard,
            actions,
            target: self.body()?,
        })
    }

    fn starts_action(&self) -> bool {
        match self.kind() {
            TokenKind::LowerName | TokenKind::LeftBrace | TokenKind::LeftBracket | TokenKind::Return => true,
            TokenKind::UpperName => self.upper_name_starts_label() && self.set_is_prefix(),
            _ => false,
        }
    }

    /// A dot after a capital name ends the definition unless a label goes on after it.
    fn set_is_prefix(&self) -> bool {
        self.kind_after() == TokenKind::Arrow
            || self
                .tokens
                .get(self.next + 2)
                .is_some_and(|token| matches!(token.kind, TokenKind::LowerName | TokenKind::LeftBrace))
    }

    /// `Q[i]`, or `P(1);Q` where all but the last are processes of their own.
    fn reference_or_sequence(&mut self) -> Parse<Body> {
        let mut processes = Vec::new();
        loop {
            let start = self.span();
            if matches!(
                self.kind(),
                TokenKind::Stop | TokenKind::End | TokenKind::Error | TokenKind::If | TokenKind::LeftParen
            ) {
                let rest = self.body()?;
                return Ok(Body::Sequence(Box::new(Sequence { processes, rest })));
            }
            let name = self.upper_name("a process")?;
            let arguments = self.arguments()?;
            let indices_start = self.next;
            let indices = self.reference_indices()?;
            let span = self.span_from(start);
            if self.eat(TokenKind::Semicolon) {
                if self.tokens[indices_start].kind == TokenKind::LeftBracket {
                    let hint = "in `P;Q` only the last process may be a local one";
                    return Err(self.error("a local process cannot stand before `;`", hint));
                }
                processes.push(Instance {
                    name,
                    arguments,
                    span,
                });
                continue;
            }
            if !arguments.is_empty() {
                let hint = "local processes have indices, `Q[1]`; a process with parameters is entered by `P(1);END`";
                return Err(self.error("only processes before `;` have parameters here", hint));
            }
            let rest = Body::Reference(Reference { name, indices, span });
            return Ok(match processes.is_empty() {
                true => rest,
                false => Body::Sequence(Box::new(Sequence { processes, rest })),
            });
        }
    }

    fn reference_indices(&mut self) -> Parse<Vec<crate::fsp::ast::Expression>> {
        let mut indices = Vec::new();
        while self.eat(TokenKind::LeftBracket) {
            indices.push(self.expression()?);
            self.expect(TokenKind::RightBracket, "`]`")?;
        }
        Ok(indices)
    }

    /// `(1, N)`, or nothing.
    pub(super) fn arguments(&mut self) -> Parse<Vec<crate::fsp::ast::Expression>> {
        let mut arguments = Vec::new();
        if self.eat(TokenKind::LeftParen) {
            loop {
                arguments.push(self.expression()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "`)` after the arguments")?;
        }
        Ok(arguments)
    }
}
