//! text ─> **tokens ─> ast** ─> typed
//!
//! A recursive-descent parser for the sequential language of Boogie 3. Constructs of Civl
//! are recognised and refused by name.
//!
//! Invariants:
//! - A function that returns [`Parsed`] has reported a diagnostic whenever it returns `Err`;
//!   its caller recovers at the next statement or declaration, or passes the error on.
//! - No tree is built deeper than [`MAX_DEPTH`]. `depth` is the nesting of the construct that
//!   is being read, `deepest` the greatest depth inside the tree that is being built: wrapping
//!   a finished tree into a new node moves all of it one level down.
//! - Every loop consumes a token or ends, so parsing takes time linear in the text.

mod attributes;
mod decls;
mod exprs;
mod functions;
mod literals;
mod old_datatypes;
mod stmts;
mod types;

use lariat_base::{Diagnostic, Diagnostics, SourceId, SourceMap, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Ident, MAX_DEPTH, Name, Program, Stmt};
use crate::lexer::{MAX_ERRORS, Token, TokenKind, tokenize};
use crate::preprocess::apply_conditionals;

/// Reads one file. What could be read is returned even where there are errors.
pub fn parse(sources: &SourceMap, id: SourceId) -> (Program, Diagnostics) {
    parse_text(sources, id, None)
}

/// Parses one file of several. In the file with number `n`, from 0, the symbol `FILE_n` is defined.
pub fn parse_file(sources: &SourceMap, id: SourceId, number: usize) -> (Program, Diagnostics) {
    parse_text(sources, id, Some(&format!("FILE_{number}")))
}

/// The declarations of a file in which Boogie is embedded. `text` is that file with everything else blanked out.
pub fn parse_declarations(text: &str, id: SourceId) -> (Program, Diagnostics) {
    let mut parser = Parser::new(text, id);
    let program = parser.program();
    (program, parser.diagnostics)
}

/// Statements of such a file.
pub fn parse_statements(text: &str, id: SourceId) -> (Vec<Stmt>, Diagnostics) {
    let mut parser = Parser::new(text, id);
    let stmts = parser.statements_until_end();
    (stmts, parser.diagnostics)
}

fn parse_text(sources: &SourceMap, id: SourceId, defined: Option<&str>) -> (Program, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let text = sources.file(id).text.as_str();
    if let Some(refusal) = refuse_text(text, id) {
        diagnostics.push(refusal);
        return (Program::default(), diagnostics);
    }
    let text = apply_conditionals(text, id, defined, &mut diagnostics);
    let mut parser = Parser::new(&text, id);
    diagnostics.extend(std::mem::replace(&mut parser.diagnostics, Diagnostics::new()));
    parser.diagnostics = diagnostics;
    if let [eof] = parser.tokens[..] {
        if parser.diagnostics.is_empty() {
            let span = Span::new(id, eof.start as usize, eof.end as usize);
            parser.diagnostics.push(Diagnostic::warning(
                "empty-file",
                span,
                "the file declares nothing",
            ));
        }
        return (Program::default(), parser.diagnostics);
    }
    let mut program = parser.program();
    parser.replace_old_datatypes(&mut program);
    (program, parser.diagnostics)
}

/// What cannot be a program at all: refused with one message rather than thousands.
fn refuse_text(text: &str, id: SourceId) -> Option<Diagnostic> {
    if text.len() >= u32::MAX as usize {
        let span = Span::new(id, 0, 0);
        return Some(Diagnostic::error(
            "file-too-large",
            span,
            "the file is larger than 4 GiB",
        ));
    }
    let binary_at = text.find(['\0', char::REPLACEMENT_CHARACTER])?;
    let span = Span::new(id, binary_at, binary_at + 1);
    Some(
        Diagnostic::error("binary-file", span, "this is not a text file")
            .label("a byte that no Boogie program has")
            .hint("the input must be Boogie source in UTF-8"),
    )
}

/// The marker of a failure that has already been reported.
#[derive(Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'t> {
    text: &'t str,
    source: SourceId,
    tokens: Vec<Token>,
    position: usize,
    depth: usize,
    deepest: usize,
    names: FxHashMap<&'t str, Name>,
    diagnostics: Diagnostics,
    /// The token at which the last syntax error was reported: one message a place.
    last_error: Option<usize>,
}

/// Looking at and consuming tokens.
impl<'t> Parser<'t> {
    fn new(text: &'t str, source: SourceId) -> Self {
        let mut diagnostics = Diagnostics::new();
        let tokens = tokenize(text, source, &mut diagnostics);
        Parser {
            text,
            source,
            tokens,
            position: 0,
            depth: 0,
            deepest: 0,
            names: FxHashMap::default(),
            diagnostics,
            last_error: None,
        }
    }

    fn peek(&self) -> TokenKind {
        self.tokens[self.position].kind
    }

    /// The token `distance` tokens ahead; the end of the file stays the end.
    fn peek_ahead(&self, distance: usize) -> TokenKind {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + distance).min(last)].kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    fn span_of(&self, token: Token) -> Span {
        Span {
            source: self.source,
            start: token.start,
            end: token.end,
        }
    }

    /// The span of the next token.
    fn span(&self) -> Span {
        self.span_of(self.tokens[self.position])
    }

    /// The span from `start` to the last token that was consumed.
    fn span_from(&self, start: Span) -> Span {
        let end = self.tokens[self.position.saturating_sub(1)].end;
        Span {
            end: end.max(start.end),
            ..start
        }
    }

    fn bump(&mut self) -> Token {
        let token = self.tokens[self.position];
        if token.kind != TokenKind::Eof {
            self.position += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind) -> Parsed<Span> {
        if self.at(kind) {
            let token = self.bump();
            Ok(self.span_of(token))
        } else {
            Err(self.expected(kind.describe()))
        }
    }

    /// The semicolon behind something that is complete without it: if what comes next may
    /// follow, only the semicolon is reported as missing and reading goes on.
    fn semicolon(&mut self, may_follow: impl Fn(TokenKind) -> bool) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let next = self.peek();
        let is_complete = may_follow(next) && (!next.is_identifier() || self.next_is_on_new_line());
        let reported = self.expected(TokenKind::Semicolon.describe());
        if is_complete { Ok(()) } else { Err(reported) }
    }

    fn token_text(&self, token: Token) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn name(&mut self, text: &'t str) -> Name {
        self.names.entry(text).or_insert_with(|| Name::from(text)).clone()
    }

    fn identifier(&mut self) -> Parsed<Ident> {
        if !self.peek().is_identifier() {
            return Err(self.expected("a name"));
        }
        Ok(self.take_identifier())
    }

    /// The next token, which is an identifier.
    fn take_identifier(&mut self) -> Ident {
        let token = self.bump();
        let text = self.token_text(token);
        let name = self.name(text.strip_prefix('\\').unwrap_or(text));
        Ident {
            name,
            span: self.span_of(token),
        }
    }

    fn identifiers(&mut self) -> Parsed<Vec<Ident>> {
        self.comma_separated(Self::identifier)
    }

    fn comma_separated<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A possibly empty list up to, and with, the closing token.
    fn list_until<T>(
        &mut self,
        close: TokenKind,
        item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        if self.eat(close) {
            return Ok(Vec::new());
        }
        let items = self.comma_separated(item)?;
        if !self.eat(close) {
            return Err(self.expected(&format!("`,` or {}", close.describe())));
        }
        Ok(items)
    }
}

/// Errors and recovery.
impl Parser<'_> {
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        if self.diagnostics.error_count() >= MAX_ERRORS {
            let span = self.span();
            self.stop(Diagnostic::error(
                "too-many-errors",
                span,
                "too many errors: the rest is not read",
            ));
        }
        Reported
    }

    /// Reports an error after which the rest of the file is not looked at.
    fn stop(&mut self, diagnostic: Diagnostic) -> Reported {
        // Stopping twice would only repeat the message.
        if self.at(TokenKind::Eof) && self.last_error == Some(self.position) {
            return Reported;
        }
        self.diagnostics.push(diagnostic);
        self.position = self.tokens.len() - 1;
        self.last_error = Some(self.position);
        Reported
    }

    /// A syntax error at the next token.
    fn expected(&mut self, what: &str) -> Reported {
        self.expected_with_hint(what, None)
    }

    fn expected_with_hint(&mut self, what: &str, hint: Option<&str>) -> Reported {
        if self.last_error == Some(self.position) {
            return Reported;
        }
        self.last_error = Some(self.position);
        let found = self.describe_next();
        let mut diagnostic = Diagnostic::error(
            "syntax",
            self.expectation_span(what),
            format!("expected {what}, found {found}"),
        )
        .label(format!("expected {what}"));
        let hint = hint.map(str::to_owned).or_else(|| self.guess_hint(what));
        if let Some(hint) = hint {
            diagnostic = diagnostic.hint(hint);
        }
        self.report(diagnostic)
    }

    /// A missing semicolon is shown where it belongs: behind the last token, if the next one
    /// stands on another line.
    fn expectation_span(&self, what: &str) -> Span {
        let next = self.span();
        if what == TokenKind::Semicolon.describe() && self.next_is_on_new_line() {
            let end = self.tokens[self.position - 1].end;
            return Span {
                start: end,
                end,
                ..next
            };
        }
        next
    }

    /// Whether there is a line end between the last token and the next.
    fn next_is_on_new_line(&self) -> bool {
        let Some(previous) = self.position.checked_sub(1) else {
            return false;
        };
        let between = self.tokens[previous].end as usize..self.tokens[self.position].start as usize;
        self.text[between].contains('\n')
    }

    fn describe_next(&self) -> String {
        let token = self.tokens[self.position];
        let text = self.token_text(token);
        match token.kind {
            TokenKind::Eof => "the end of the file".to_owned(),
            TokenKind::String => "a string".to_owned(),
            _ if text.chars().count() > 40 => {
                format!("`{}…`", text.chars().take(40).collect::<String>())
            }
            kind if kind.is_word() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    fn guess_hint(&self, what: &str) -> Option<String> {
        let text = self.token_text(self.tokens[self.position]);
        match self.peek() {
            TokenKind::SingleEqual => Some("equality is `==` and assignment is `:=`".to_owned()),
            TokenKind::Bar => Some("disjunction is `||`".to_owned()),
            kind if kind.is_word() && what == "a name" => {
                Some(format!("as a name this keyword is written `\\{text}`"))
            }
            _ => None,
        }
    }

    /// Refuses a construct of Civl by name.
    fn refuse_civl(&mut self, span: Span, construct: &str) -> Reported {
        self.last_error = Some(self.position);
        self.report(
            Diagnostic::error(
                "civl-construct",
                span,
                format!("{construct} belongs to Civl, which is not supported"),
            )
            .label("a construct of Civl")
            .hint("threads are started by `async call`; Civl is another way to verify them"),
        )
    }

    /// Skips tokens up to one where a declaration starts.
    fn skip_to_declaration(&mut self) {
        let mut open_braces = 0usize;
        loop {
            match self.peek() {
                TokenKind::Eof => return,
                TokenKind::LeftBrace => open_braces += 1,
                TokenKind::RightBrace => open_braces = open_braces.saturating_sub(1),
                // In a body `var` declares a local variable, in a `uses` clause stand axioms.
                TokenKind::Var | TokenKind::Axiom if open_braces > 0 => {}
                kind if kind.starts_declaration() => return,
                TokenKind::Action if open_braces == 0 && self.peek_ahead(1).is_identifier() => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips the rest of a statement: behind the next semicolon or block, or before the end
    /// of the surrounding block.
    fn skip_statement(&mut self) {
        loop {
            match self.peek() {
                TokenKind::Eof | TokenKind::RightBrace | TokenKind::RightCodeBrace => return,
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::LeftBrace => {
                    let is_attribute = self.peek_ahead(1) == TokenKind::Colon;
                    self.skip_braces();
                    if !is_attribute {
                        return;
                    }
                }
                kind if kind.ends_body() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Skips from an opening brace behind the one that closes it.
    fn skip_braces(&mut self) {
        let mut open_braces = 0usize;
        loop {
            match self.peek() {
                TokenKind::LeftBrace => open_braces += 1,
                TokenKind::RightBrace => open_braces = open_braces.saturating_sub(1),
                TokenKind::Eof => return,
                kind if kind.ends_body() => return,
                _ => {}
            }
            self.bump();
            if open_braces == 0 {
                return;
            }
        }
    }
}

/// The bound on the depth of the tree.
impl Parser<'_> {
    /// Reads something that is one level further down.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let result = if self.depth > MAX_DEPTH {
            Err(self.too_deep())
        } else {
            read(self)
        };
        self.depth -= 1;
        result
    }

    /// Reads a tree that may be wrapped into further nodes with [`Self::moved_down`].
    fn measured<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer_deepest = std::mem::replace(&mut self.deepest, self.depth);
        let result = read(self);
        self.deepest = self.deepest.max(outer_deepest);
        result
    }

    /// Says that the tree of the innermost [`Self::measured`] has got `levels` more nodes above it.
    fn moved_down(&mut self, levels: usize) -> Parsed<()> {
        self.deepest += levels;
        if self.deepest > MAX_DEPTH {
            Err(self.too_deep())
        } else {
            Ok(())
        }
    }

    /// A copy of a tree that was just read. Copying needs more stack for a level than anything
    /// else that is done to a tree, so deep ones are copied on a stack of their own.
    fn copy<T: Clone>(&self, tree: &T) -> T {
        const SHALLOW: usize = 200;
        if self.deepest - self.depth <= SHALLOW {
            tree.clone()
        } else {
            stacker::grow(MAX_DEPTH * 2 * 1024, || tree.clone())
        }
    }

    fn too_deep(&mut self) -> Reported {
        let span = self.span();
        self.stop(
            Diagnostic::error("nesting-too-deep", span, "the program is nested too deeply")
                .label(format!("more than {MAX_DEPTH} levels here"))
                .hint("introduce variables or functions for parts of the expression"),
        )
    }
}
