//! text ─> tokens **─>** ast ─> systems
//!
//! A recursive-descent parser. Nesting is limited, so nothing recurses deeply. After an error the
//! rest of the definition is passed over: a definition ends before a word that starts one, or
//! after a dot that is followed by the start of one.

mod composite;
mod expression;
mod label;
mod process;
mod temporal;

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};

use super::ast::{Model, Modifiers, Name, Parameter};
use super::lexer::{MAX_ERRORS, Token, TokenKind};

/// How deeply parentheses, sets and conditions may nest.
const MAX_DEPTH: usize = 200;

/// The error has been reported; the rest of the definition is not read.
pub(super) struct Reported;

type Parse<T> = Result<T, Reported>;

pub(super) struct Parser<'a> {
    source: SourceId,
    text: &'a str,
    tokens: &'a [Token],
    next: usize,
    depth: usize,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    pub fn new(
        source: SourceId,
        text: &'a str,
        tokens: &'a [Token],
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Parser {
            source,
            text,
            tokens,
            next: 0,
            depth: 0,
            diagnostics,
        }
    }

    pub fn model(mut self) -> Model {
        let mut model = Model::default();
        while self.kind() != TokenKind::Eof && self.diagnostics.error_count() < MAX_ERRORS {
            let start = self.next;
            if self.definition(&mut model).is_err() {
                self.depth = 0;
                self.recover(start);
            }
        }
        model
    }

    fn definition(&mut self, model: &mut Model) -> Parse<()> {
        match self.kind() {
            TokenKind::Const => {
                self.advance();
                let name = self.upper_name("a name for the constant")?;
                self.expect(TokenKind::Equal, "`=`")?;
                let value = self.bound()?;
                model.constants.push((name, value));
            }
            TokenKind::Range => {
                self.advance();
                let name = self.upper_name("a name for the range")?;
                self.expect(TokenKind::Equal, "`=`")?;
                let low = self.bound()?;
                self.expect(TokenKind::DotDot, "`..` and the upper end of the range")?;
                let high = self.bound()?;
                model.ranges.push((name, low, high));
            }
            TokenKind::Set => {
                self.advance();
                let name = self.upper_name("a name for the set")?;
                self.expect(TokenKind::Equal, "`=`")?;
                let set = self.label_set()?;
                model.sets.push((name, set));
            }
            TokenKind::Fluent => {
                let fluent = self.fluent()?;
                model.fluents.push(fluent);
            }
            TokenKind::Assert => {
                let assertion = self.assertion()?;
                model.assertions.push(assertion);
            }
            TokenKind::Progress => {
                let progress = self.progress()?;
                model.progress.push(progress);
            }
            TokenKind::OtherDeclaration => {
                let span = self.span();
                let word = &self.text[span.start as usize..span.end as usize];
                let message = format!("`{word}` is ignored: it is not part of a transition system");
                self.diagnostics
                    .push(Diagnostic::warning("fsp-ignored", span, message));
                self.skip_other_declaration();
            }
            _ => self.process_or_composite(model)?,
        }
        Ok(())
    }

    fn process_or_composite(&mut self, model: &mut Model) -> Parse<()> {
        let mut modifiers = Modifiers::default();
        loop {
            match self.kind() {
                TokenKind::Property => modifiers.property = true,
                TokenKind::Minimal => modifiers.minimal = true,
                TokenKind::Deterministic => modifiers.deterministic = true,
                TokenKind::Compose => {}
                TokenKind::BarBar => {
                    self.advance();
                    let composite = self.composite(modifiers)?;
                    model.composites.push(composite);
                    return Ok(());
                }
                TokenKind::UpperName => {
                    let process = self.process(modifiers)?;
                    model.processes.push(process);
                    return Ok(());
                }
                TokenKind::LowerName => {
                    let message = "a definition was expected here";
                    return Err(self.error(message, "names of processes start with a capital letter"));
                }
                _ => {
                    let hint = "write `P = (…).` for a process, `||C = (…).` for a composite";
                    return Err(self.error("a definition was expected here", hint));
                }
            }
            self.advance();
        }
    }

    /// `(N = 2, M = 3)`, or nothing.
    fn parameters(&mut self) -> Parse<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if !self.eat(TokenKind::LeftParen) {
            return Ok(parameters);
        }
        loop {
            let name = self.upper_name("the name of a parameter")?;
            self.expect(TokenKind::Equal, "`=` and the default value of the parameter")?;
            let default = self.expression()?;
            parameters.push(Parameter { name, default });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`)` after the parameters")?;
        Ok(parameters)
    }

    /// The dot at the end of a definition.
    fn final_dot(&mut self) -> Parse<()> {
        self.expect(TokenKind::Dot, "`.` at the end of the definition")
    }

    /// Goes to the start of the next definition, at least one token further than `start`.
    fn recover(&mut self, start: usize) {
        if self.next == start {
            self.advance();
        }
        while self.kind() != TokenKind::Eof {
            if starts_declaration(self.kind()) {
                return;
            }
            let dot = self.kind() == TokenKind::Dot;
            self.advance();
            if dot
                && matches!(
                    self.kind(),
                    TokenKind::UpperName | TokenKind::BarBar | TokenKind::Compose
                )
            {
                return;
            }
        }
    }

    /// `progress` and its like end without a dot: before what can only be the next definition.
    fn skip_other_declaration(&mut self) {
        self.advance();
        while self.kind() != TokenKind::Equal && self.kind() != TokenKind::Eof {
            self.advance();
        }
        self.advance();
        while self.kind() != TokenKind::Eof && !starts_declaration(self.kind()) {
            let name = self.next + usize::from(self.kind() == TokenKind::BarBar);
            let kinds: Vec<TokenKind> = self.tokens[name..]
                .iter()
                .take(4)
                .map(|token| token.kind)
                .collect();
            if matches!(
                kinds[..],
                [TokenKind::UpperName, TokenKind::Equal, ..]
                    | [
                        TokenKind::UpperName,
                        TokenKind::LeftParen,
                        TokenKind::UpperName,
                        TokenKind::Equal
                    ]
            ) {
                return;
            }
            self.advance();
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.next]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token after the next.
    fn kind_after(&self) -> TokenKind {
        self.kind_at(1)
    }

    /// The kind of the token that comes after so many others.
    fn kind_at(&self, ahead: usize) -> TokenKind {
        self.tokens
            .get(self.next + ahead)
            .map_or(TokenKind::Eof, |token| token.kind)
    }

    fn advance(&mut self) {
        if self.kind() != TokenKind::Eof {
            self.next += 1;
        }
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.expected(what))
    }

    fn span(&self) -> Span {
        let token = self.token();
        Span::new(self.source, token.start, token.end)
    }

    /// From a span to the end of the last token that was read.
    fn span_from(&self, start: Span) -> Span {
        let end = self
            .next
            .checked_sub(1)
            .map_or(start.end as usize, |last| self.tokens[last].end);
        Span::new(self.source, start.start as usize, end.max(start.end as usize))
    }

    fn token_text(&self) -> &'a str {
        let token = self.token();
        &self.text[token.start..token.end]
    }

    fn found(&self) -> String {
        match self.kind() {
            TokenKind::Eof => "the end of the file".to_owned(),
            _ => format!("`{}`", self.token_text()),
        }
    }

    fn expected(&mut self, what: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.found());
        let diagnostic = Diagnostic::error("fsp-syntax", self.span(), message);
        self.diagnostics.push(diagnostic);
        Reported
    }

    fn error(&mut self, message: &str, hint: &str) -> Reported {
        let diagnostic = Diagnostic::error("fsp-syntax", self.span(), message).hint(hint);
        self.diagnostics.push(diagnostic);
        Reported
    }

    fn name(&mut self) -> Name {
        let name = Name {
            text: self.token_text().to_owned(),
            span: self.span(),
        };
        self.advance();
        name
    }

    fn upper_name(&mut self, what: &str) -> Parse<Name> {
        match self.kind() {
            TokenKind::UpperName => Ok(self.name()),
            TokenKind::LowerName => {
                let message = format!("expected {what}, found {}", self.found());
                Err(self.error(&message, "such names start with a capital letter"))
            }
            TokenKind::Stop | TokenKind::End | TokenKind::Error => {
                let message = format!("{} is a word of FSP and cannot be {what}", self.found());
                Err(self.error(&message, "choose another name"))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Parses something that nests.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("this is nested too deeply", "give a part of it a name of its own"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}

/// Words that can only start a declaration.
fn starts_declaration(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Const
            | TokenKind::Range
            | TokenKind::Set
            | TokenKind::Property
            | TokenKind::Minimal
            | TokenKind::Deterministic
            | TokenKind::Fluent
            | TokenKind::Assert
            | TokenKind::Progress
            | TokenKind::OtherDeclaration
    )
}
