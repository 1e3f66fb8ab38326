//! Statements and bodies.

use lariat_base::{Diagnostic, Span};

use super::{Parsed, Parser, Reported};
use crate::ast::{
    Access, AssignTarget, Attribute, Body, Call, Else, Expr, Guard, Ident, Invariant, InvariantKind,
    LocalDecl, Stmt, StmtKind,
};
use crate::lexer::TokenKind;

impl Parser<'_> {
    /// `{ var …; statements }`
    pub(super) fn body(&mut self) -> Parsed<Body> {
        let start = self.expect(TokenKind::LeftBrace)?;
        let locals = self.local_decls();
        let stmts = self.statements_until_brace()?;
        Ok(Body {
            locals,
            stmts,
            span: self.span_from(start),
        })
    }

    fn local_decls(&mut self) -> Vec<LocalDecl> {
        let mut locals = Vec::new();
        while self.at(TokenKind::Var) {
            match self.local_decl() {
                Ok(local) => locals.push(local),
                Err(Reported) => self.skip_statement(),
            }
        }
        locals
    }

    fn local_decl(&mut self) -> Parsed<LocalDecl> {
        let start = self.expect(TokenKind::Var)?;
        let (attributes, vars) = self.variables()?;
        Ok(LocalDecl {
            attributes,
            vars,
            span: self.span_from(start),
        })
    }

    /// `{ statements }`
    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect(TokenKind::LeftBrace)?;
        self.nested(|parser| {
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || parser.statements_until_brace())
        })
    }

    /// Statements and the brace that closes them. A bad statement is reported and left out.
    fn statements_until_brace(&mut self) -> Parsed<Vec<Stmt>> {
        let mut stmts = Vec::new();
        loop {
            if self.eat(TokenKind::RightBrace) {
                return Ok(stmts);
            }
            if self.at(TokenKind::Eof) || self.peek().ends_body() {
                return Err(
                    self.expected_with_hint("a statement or `}`", Some("a body is not closed before this"))
                );
            }
            let before = self.position;
            match self.statement() {
                Ok(stmt) => stmts.push(stmt),
                Err(Reported) => {
                    self.skip_statement();
                    if self.position == before {
                        self.bump();
                    }
                }
            }
        }
    }

    /// All statements up to the end of the text.
    pub(super) fn statements_until_end(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        while !self.at(TokenKind::Eof) {
            let before = self.position;
            match self.statement() {
                Ok(stmt) => stmts.push(stmt),
                Err(Reported) => {
                    self.skip_statement();
                    if self.position == before {
                        self.bump();
                    }
                }
            }
        }
        stmts
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.span();
        let mut attributes = Vec::new();
        let kind = match self.peek() {
            TokenKind::If => self.if_statement()?,
            TokenKind::While => self.while_statement()?,
            TokenKind::Break => {
                self.bump();
                let label = if self.peek().is_identifier() {
                    Some(self.take_identifier())
                } else {
                    None
                };
                self.statement_end()?;
                StmtKind::Break(label)
            }
            TokenKind::Goto => {
                self.bump();
                attributes = self.attributes()?;
                self.goto_targets()?
            }
            TokenKind::Return => {
                self.bump();
                attributes = self.attributes()?;
                if self.at(TokenKind::Semicolon) {
                    self.bump();
                    StmtKind::Return
                } else {
                    let hint = "a procedure returns its values through its out parameters";
                    return Err(self.expected_with_hint("`;`", Some(hint)));
                }
            }
            TokenKind::Var => {
                self.local_decl()?;
                let span = self.span_from(start);
                return Err(self.report(
                    Diagnostic::error(
                        "misplaced-var",
                        span,
                        "a local variable is declared behind a statement",
                    )
                    .label("expected a statement")
                    .hint("declare local variables at the start of the body"),
                ));
            }
            _ => self.simple_statement(&mut attributes)?,
        };
        Ok(Stmt {
            kind,
            attributes,
            span: self.span_from(start),
        })
    }

    fn goto_targets(&mut self) -> Parsed<StmtKind> {
        let targets = self.identifiers()?;
        self.statement_end()?;
        Ok(StmtKind::Goto(targets))
    }

    /// A label or a statement without control flow.
    fn simple_statement(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<StmtKind> {
        use TokenKind::*;
        let kind = match self.peek() {
            Assert => {
                let (attributes, expr) = self.proposition()?;
                StmtKind::Assert { attributes, expr }
            }
            Assume => {
                let (attributes, expr) = self.proposition()?;
                StmtKind::Assume { attributes, expr }
            }
            Havoc => {
                self.bump();
                StmtKind::Havoc(self.identifiers()?)
            }
            Call | Async | Free => self.call()?,
            Push if self.peek_ahead(1) == Semicolon => {
                self.bump();
                StmtKind::Push
            }
            Pop if self.peek_ahead(1) == Semicolon => {
                self.bump();
                StmtKind::Pop
            }
            Hide | Reveal if self.peek_ahead(1) == Star || self.peek_ahead(1).is_identifier() => {
                let hide = self.bump().kind == Hide;
                let name = if self.eat(Star) {
                    None
                } else {
                    Some(self.identifier()?)
                };
                StmtKind::HideReveal { hide, name }
            }
            kind if kind.is_identifier() => {
                let name = self.take_identifier();
                match self.peek() {
                    Colon => {
                        self.bump();
                        return Ok(StmtKind::Label(name));
                    }
                    LeftParen => self.unpack(name, attributes)?,
                    _ => self.assignment(name)?,
                }
            }
            Par => return Err(self.civl_statement("a parallel call (`par`)")),
            Yield => {
                self.bump();
                StmtKind::Yield
            }
            LeftBrace => {
                let hint = "statements are grouped only by `if` and `while`";
                return Err(self.expected_with_hint("a statement", Some(hint)));
            }
            _ => return Err(self.expected("a statement or `}`")),
        };
        self.statement_end()?;
        Ok(kind)
    }

    fn statement_end(&mut self) -> Parsed<()> {
        self.semicolon(|next| next.starts_statement() || next == TokenKind::RightBrace)
    }

    fn civl_statement(&mut self, construct: &str) -> Reported {
        let span = self.span();
        self.bump();
        self.refuse_civl(span, construct)
    }

    /// `assert {:attr} e` or `assume {:attr} e`
    fn proposition(&mut self) -> Parsed<(Vec<Attribute>, Expr)> {
        self.bump();
        Ok((self.attributes()?, self.expression()?))
    }

    /// `C(x, y) := e`
    fn unpack(&mut self, constructor: Ident, attributes: &mut Vec<Attribute>) -> Parsed<StmtKind> {
        self.bump();
        let vars = self.identifiers()?;
        self.expect(TokenKind::RightParen)?;
        if !self.at(TokenKind::Assign) {
            let hint = "a procedure is called with `call`";
            return Err(self.expected_with_hint("`:=`", Some(hint)));
        }
        let assign = self.span();
        self.bump();
        *attributes = self.attributes()?;
        let value = self.expression()?;
        Ok(StmtKind::Unpack {
            constructor,
            vars,
            value,
            assign,
        })
    }

    fn assignment(&mut self, first: Ident) -> Parsed<StmtKind> {
        let mut targets = vec![self.assign_target(first)?];
        while self.eat(TokenKind::Comma) {
            let name = self.identifier()?;
            targets.push(self.assign_target(name)?);
        }
        self.expect(TokenKind::Assign)?;
        let attributes = self.attributes()?;
        let values = self.comma_separated(Self::expression)?;
        Ok(StmtKind::Assign {
            attributes,
            targets,
            values,
        })
    }

    fn assign_target(&mut self, name: Ident) -> Parsed<AssignTarget> {
        let mut accesses = Vec::new();
        loop {
            match self.peek() {
                TokenKind::LeftBracket => {
                    self.bump();
                    let indices = self.list_until(TokenKind::RightBracket, Self::expression)?;
                    accesses.push(Access::Index(indices));
                }
                TokenKind::Arrow => {
                    self.bump();
                    accesses.push(Access::Field(self.identifier()?));
                }
                _ => break,
            }
        }
        let span = self.span_from(name.span);
        Ok(AssignTarget { name, accesses, span })
    }

    fn call(&mut self) -> Parsed<StmtKind> {
        let is_async = self.eat(TokenKind::Async);
        let is_free = self.eat(TokenKind::Free);
        self.expect(TokenKind::Call)?;
        let attributes = self.attributes()?;
        if self.eat(TokenKind::Forall) {
            let procedure = self.identifier()?;
            let args = self.call_arguments()?;
            return Ok(StmtKind::CallForall {
                attributes,
                procedure,
                args,
            });
        }
        let mut outs = self.comma_separated(|parser| {
            if parser.eat(TokenKind::Star) {
                Ok(None)
            } else {
                parser.identifier().map(Some)
            }
        })?;
        // What was read so far is the procedure if no `:=` follows.
        let procedure = match outs.pop().flatten() {
            Some(procedure) if outs.is_empty() && self.at(TokenKind::LeftParen) => procedure,
            last => {
                outs.push(last);
                if !self.eat(TokenKind::Assign) {
                    let what = if outs.len() == 1 { "`(` or `:=`" } else { "`:=`" };
                    return Err(self.expected(what));
                }
                self.identifier()?
            }
        };
        let args = self.call_arguments()?;
        Ok(StmtKind::Call(Call {
            attributes,
            is_async,
            is_free,
            outs,
            procedure,
            args,
        }))
    }

    /// `(e, *, …)`
    fn call_arguments(&mut self) -> Parsed<Vec<Option<Expr>>> {
        self.expect(TokenKind::LeftParen)?;
        self.list_until(TokenKind::RightParen, |parser| {
            if parser.eat(TokenKind::Star) {
                Ok(None)
            } else {
                parser.expression().map(Some)
            }
        })
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let attributes = self.attributes()?;
        let guard = self.guard()?;
        let start = self.span();
        let then_branch = self.block()?;
        let then_end = last_character(self.span_from(start));
        let mut else_end = None;
        let else_branch = if !self.eat(TokenKind::Else) {
            None
        } else if self.at(TokenKind::If) {
            let start = self.span();
            // Each `else if` is one level further down in the tree.
            let kind = self.nested(|parser| {
                stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || parser.if_statement())
            })?;
            Some(Else::If(Box::new(Stmt {
                kind,
                attributes: Vec::new(),
                span: self.span_from(start),
            })))
        } else if self.at(TokenKind::LeftBrace) {
            let start = self.span();
            let block = self.block()?;
            else_end = Some(last_character(self.span_from(start)));
            Some(Else::Block(block))
        } else {
            return Err(self.expected("`{` or `if`"));
        };
        Ok(StmtKind::If {
            guard,
            then_branch,
            else_branch,
            then_end,
            else_end,
            attributes,
        })
    }

    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let attributes = self.attributes()?;
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        while matches!(
            self.peek(),
            TokenKind::Free | TokenKind::Invariant | TokenKind::Measure
        ) {
            match self.invariant() {
                Ok(invariant) => invariants.push(invariant),
                Err(Reported) => self.skip_statement(),
            }
        }
        let body = self.block()?;
        Ok(StmtKind::While {
            guard,
            invariants,
            body,
            attributes,
        })
    }

    fn invariant(&mut self) -> Parsed<Invariant> {
        let start = self.span();
        let is_measure = self.at(TokenKind::Measure);
        let free = self.eat(TokenKind::Free);
        if is_measure {
            self.bump();
        } else {
            self.expect(TokenKind::Invariant)?;
        }
        let attributes = self.attributes()?;
        if matches!(self.peek(), TokenKind::Call | TokenKind::Async) {
            let span = self.span_from(start);
            return Err(self.refuse_civl(span, "an invariant that calls a yield invariant"));
        }
        let kind = if is_measure {
            InvariantKind::Measure(self.comma_separated(Self::expression)?)
        } else {
            InvariantKind::Invariant {
                free,
                expr: self.expression()?,
            }
        };
        self.clause_end()?;
        Ok(Invariant {
            kind,
            attributes,
            span: self.span_from(start),
        })
    }

    /// `(e)` or `(*)`. After an error reading goes on at the block that follows.
    fn guard(&mut self) -> Parsed<Guard> {
        let start = self.span();
        self.guard_or_error().or_else(|Reported| {
            while !matches!(
                self.peek(),
                TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::LeftBrace | TokenKind::Eof
            ) && !self.peek().ends_body()
            {
                self.bump();
            }
            if self.at(TokenKind::LeftBrace) {
                Ok(self.unread_guard(start))
            } else {
                Err(Reported)
            }
        })
    }

    /// Stands for a guard that could not be read; the program is refused anyway.
    fn unread_guard(&self, start: Span) -> Guard {
        let span = self.span_from(start);
        Guard::Expr(Expr {
            kind: crate::ast::ExprKind::Bool(true),
            span,
        })
    }

    fn guard_or_error(&mut self) -> Parsed<Guard> {
        self.expect(TokenKind::LeftParen)?;
        let guard = if self.eat(TokenKind::Star) {
            Guard::Any
        } else {
            Guard::Expr(self.expression()?)
        };
        self.expect(TokenKind::RightParen)?;
        Ok(guard)
    }

    /// `|{ var …; blocks }|`: each block is a label, simple statements and a transfer.
    pub(super) fn code_body(&mut self) -> Parsed<Body> {
        let start = self.span();
        self.bump();
        let locals = self.local_decls();
        let mut stmts = Vec::new();
        let result = loop {
            if let Err(Reported) = self.code_block(&mut stmts) {
                break Err(Reported);
            }
            if self.eat(TokenKind::RightCodeBrace) {
                break Ok(());
            }
        };
        if result.is_err() {
            self.skip_code_body();
        }
        result.map(|()| Body {
            locals,
            stmts,
            span: self.span_from(start),
        })
    }

    fn code_block(&mut self, stmts: &mut Vec<Stmt>) -> Parsed<()> {
        if !self.peek().is_identifier() || self.peek_ahead(1) != TokenKind::Colon {
            return Err(self.expected("a label"));
        }
        let mut is_first = true;
        loop {
            let start = self.span();
            let mut attributes = Vec::new();
            let keyword = self.peek();
            let kind = match keyword {
                TokenKind::Goto => {
                    self.bump();
                    attributes = self.attributes()?;
                    self.goto_targets()?
                }
                TokenKind::Return => {
                    self.bump();
                    attributes = self.attributes()?;
                    let value = self.expression()?;
                    self.expect(TokenKind::Semicolon)?;
                    StmtKind::ReturnExpr(value)
                }
                TokenKind::RightCodeBrace => {
                    return Err(self.expected("`goto` or `return` at the end of a block"));
                }
                TokenKind::If | TokenKind::While | TokenKind::Break => {
                    let hint = "a code expression has labels and `goto` only";
                    return Err(self.expected_with_hint("a simple statement", Some(hint)));
                }
                _ => self.simple_statement(&mut attributes)?,
            };
            let span = self.span_from(start);
            if matches!(kind, StmtKind::Label(_)) && !is_first {
                self.report(
                    Diagnostic::error("second-label", span, "a block of a code expression has one label")
                        .label("expected `goto` or `return` before the next label"),
                );
            }
            is_first = false;
            stmts.push(Stmt {
                kind,
                attributes,
                span,
            });
            if matches!(keyword, TokenKind::Goto | TokenKind::Return) {
                return Ok(());
            }
        }
    }

    fn skip_code_body(&mut self) {
        let mut open = 1usize;
        while !self.at(TokenKind::Eof) && !self.peek().ends_body() && open > 0 {
            match self.bump().kind {
                TokenKind::LeftCodeBrace => open += 1,
                TokenKind::RightCodeBrace => open -= 1,
                _ => {}
            }
        }
    }
}

/// The closing brace of a block.
fn last_character(span: Span) -> Span {
    Span {
        start: span.end.saturating_sub(1).max(span.start),
        ..span
    }
}
