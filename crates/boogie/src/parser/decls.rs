//! Declarations.

use lariat_base::{Diagnostic, Span};

use super::{Parsed, Parser, Reported};
use crate::ast::{
    AxiomDecl, ConstDecl, ConstructorDecl, Contract, DatatypeDecl, Decl, Ident, ImplementationDecl,
    ProcedureDecl, Program, Signature, Spec, Type, TypeDecl, TypeKind, TypedIdent, VarDecl,
};
use crate::lexer::TokenKind;

/// Whether a list of typed names may have `where` clauses, and what the list is called if not.
#[derive(Clone, Copy)]
pub(super) enum WhereClauses {
    Allowed,
    NotOn(&'static str),
}

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let mut decls = Vec::new();
        while !self.at(TokenKind::Eof) {
            let before = self.position;
            if self.declaration(&mut decls).is_err() {
                if self.position == before {
                    self.bump();
                }
                self.skip_to_declaration();
            }
        }
        Program { decls }
    }

    fn declaration(&mut self, decls: &mut Vec<Decl>) -> Parsed<()> {
        use TokenKind::*;
        let decl = match self.peek() {
            Type => return self.type_decls(decls),
            Datatype => Decl::Datatype(self.datatype_decl()?),
            Const => Decl::Const(self.const_decl()?),
            Function | Revealed => Decl::Function(self.function_decl()?),
            Axiom | Hideable => Decl::Axiom(self.axiom_decl()?),
            Var => Decl::Var(self.var_decl()?),
            Pure if self.peek_ahead(1) == Procedure => Decl::Procedure(self.procedure_decl()?),
            Procedure => Decl::Procedure(self.procedure_decl()?),
            Implementation => Decl::Implementation(self.implementation_decl()?),
            _ => return Err(self.civl_declaration()),
        };
        decls.push(decl);
        Ok(())
    }

    /// Refuses what is not a declaration of the sequential language, by name if it is one of Civl.
    fn civl_declaration(&mut self) -> Reported {
        use TokenKind::*;
        let is_mover = |kind| matches!(kind, Left | Right | Both | Atomic);
        let mut words = 0;
        while matches!(self.peek_ahead(words), Async | Pure | Yield) || is_mover(self.peek_ahead(words)) {
            words += 1;
        }
        let construct = match (self.peek(), self.peek_ahead(words)) {
            (_, Action) => "an action",
            (Yield, Invariant) => "a yield invariant",
            (Yield, Procedure) => "a yield procedure",
            (first, Procedure) if is_mover(first) => "a mover procedure",
            (Yield, _) => "`yield`",
            _ => {
                let hint = match self.peek() {
                    RightBrace => Some("there is a `}` too much before this"),
                    _ => None,
                };
                return self.expected_with_hint("a declaration", hint);
            }
        };
        let start = self.span();
        for _ in 0..=words {
            self.bump();
        }
        let span = self.span_from(start);
        self.refuse_civl(span, construct)
    }

    /// `type A a b, B = t;`
    fn type_decls(&mut self, decls: &mut Vec<Decl>) -> Parsed<()> {
        self.expect(TokenKind::Type)?;
        let attributes = self.declaration_attributes()?;
        let types = self.comma_separated(|parser| {
            let name = parser.identifier()?;
            let mut params = Vec::new();
            while parser.peek().is_identifier() {
                params.push(parser.take_identifier());
            }
            let synonym = if parser.eat(TokenKind::SingleEqual) {
                Some(parser.type_()?)
            } else {
                None
            };
            let span = parser.span_from(name.span);
            Ok(TypeDecl {
                attributes: parser.copy(&attributes),
                name,
                params,
                synonym,
                span,
            })
        })?;
        decls.extend(types.into_iter().map(Decl::Type));
        self.semicolon(TokenKind::starts_declaration)
    }

    fn datatype_decl(&mut self) -> Parsed<DatatypeDecl> {
        let start = self.expect(TokenKind::Datatype)?;
        let attributes = self.declaration_attributes()?;
        let name = self.identifier()?;
        let params = self.type_params()?;
        self.expect(TokenKind::LeftBrace)?;
        let constructors = self.comma_separated(|parser| {
            let name = parser.identifier()?;
            let fields = parser.formals(WhereClauses::NotOn("the fields of a datatype"))?;
            let span = parser.span_from(name.span);
            Ok(ConstructorDecl { name, fields, span })
        })?;
        self.expect(TokenKind::RightBrace)?;
        Ok(DatatypeDecl {
            attributes,
            name,
            params,
            constructors,
            span: self.span_from(start),
        })
    }

    fn const_decl(&mut self) -> Parsed<ConstDecl> {
        let start = self.expect(TokenKind::Const)?;
        let attributes = self.declaration_attributes()?;
        let unique = self.eat(TokenKind::Unique);
        let names = self.identifiers()?;
        self.expect(TokenKind::Colon)?;
        let ty = self.type_()?;
        self.refuse_order_specification(&ty)?;
        let uses = if self.at(TokenKind::Uses) {
            self.uses_clause()?
        } else {
            self.semicolon(TokenKind::starts_declaration)?;
            Vec::new()
        };
        Ok(ConstDecl {
            attributes,
            unique,
            names,
            ty,
            uses,
            span: self.span_from(start),
        })
    }

    /// `const a: t extends b;` of Boogie 2. Behind a type name it reads as type arguments.
    fn refuse_order_specification(&mut self, ty: &Type) -> Parsed<()> {
        let is_extends = |name: &Ident| &*name.name == "extends";
        let as_argument = match &ty.kind {
            TypeKind::Named(_, arguments) => arguments.iter().find_map(|argument| match &argument.kind {
                TypeKind::Named(name, _) if is_extends(name) => Some(name.span),
                _ => None,
            }),
            _ => None,
        };
        let next_is_extends =
            self.at(TokenKind::Identifier) && self.token_text(self.tokens[self.position]) == "extends";
        let Some(span) = as_argument.or_else(|| next_is_extends.then(|| self.span())) else {
            return Ok(());
        };
        Err(self.report(
            Diagnostic::error("order-specification", span, "`extends` is not part of Boogie 3")
                .label("the partial order on constants was removed from the language")
                .hint("state the order with a function and axioms"),
        ))
    }

    /// `uses { axiom …; }`
    pub(super) fn uses_clause(&mut self) -> Parsed<Vec<AxiomDecl>> {
        self.bump();
        self.expect(TokenKind::LeftBrace)?;
        let mut axioms = Vec::new();
        while matches!(self.peek(), TokenKind::Axiom | TokenKind::Hideable) {
            axioms.push(self.axiom_decl()?);
        }
        if !self.eat(TokenKind::RightBrace) {
            return Err(self.expected("an axiom or `}`"));
        }
        Ok(axioms)
    }

    fn axiom_decl(&mut self) -> Parsed<AxiomDecl> {
        let start = self.span();
        let hideable = self.eat(TokenKind::Hideable);
        self.expect(TokenKind::Axiom)?;
        let attributes = self.attributes()?;
        let body = self.expression()?;
        self.semicolon(TokenKind::starts_declaration)?;
        Ok(AxiomDecl {
            hideable,
            attributes,
            body,
            span: self.span_from(start),
        })
    }

    fn var_decl(&mut self) -> Parsed<VarDecl> {
        let start = self.expect(TokenKind::Var)?;
        let (attributes, vars) = self.variables()?;
        Ok(VarDecl {
            attributes,
            vars,
            span: self.span_from(start),
        })
    }

    /// What stands behind `var`, with the semicolon.
    pub(super) fn variables(&mut self) -> Parsed<(Vec<crate::ast::Attribute>, Vec<TypedIdent>)> {
        let attributes = self.declaration_attributes()?;
        let mut vars = Vec::new();
        loop {
            self.typed_identifiers(WhereClauses::Allowed, Vec::new(), &mut vars)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        // Also a local variable, which a statement may follow.
        self.semicolon(|next| next.starts_declaration() || next.starts_statement())?;
        Ok((attributes, vars))
    }

    /// `a, b: t where e`
    fn typed_identifiers(
        &mut self,
        where_clauses: WhereClauses,
        attributes: Vec<crate::ast::Attribute>,
        into: &mut Vec<TypedIdent>,
    ) -> Parsed<()> {
        let names = self.identifiers()?;
        self.expect(TokenKind::Colon)?;
        let ty = self.type_()?;
        let where_clause = self.where_clause(where_clauses)?;
        for name in names {
            into.push(TypedIdent {
                attributes: self.copy(&attributes),
                name,
                ty: self.copy(&ty),
                where_clause: self.copy(&where_clause),
            });
        }
        Ok(())
    }

    fn where_clause(&mut self, where_clauses: WhereClauses) -> Parsed<Option<crate::ast::Expr>> {
        let keyword = self.span();
        if !self.eat(TokenKind::Where) {
            return Ok(None);
        }
        let condition = self.expression()?;
        let WhereClauses::NotOn(list) = where_clauses else {
            return Ok(Some(condition));
        };
        let span = self.span_from(keyword);
        self.report(
            Diagnostic::error(
                "where-not-allowed",
                span,
                format!("a `where` clause is not allowed on {list}"),
            )
            .label("expected no `where` clause here"),
        );
        Ok(None)
    }

    /// Typed names with attributes, separated by commas.
    pub(super) fn attributed_identifiers(&mut self, where_clauses: WhereClauses) -> Parsed<Vec<TypedIdent>> {
        let mut variables = Vec::new();
        loop {
            let attributes = self.declaration_attributes()?;
            self.typed_identifiers(where_clauses, attributes, &mut variables)?;
            if !self.eat(TokenKind::Comma) {
                return Ok(variables);
            }
        }
    }

    /// `(a, b: t, …)`
    fn formals(&mut self, where_clauses: WhereClauses) -> Parsed<Vec<TypedIdent>> {
        self.expect(TokenKind::LeftParen)?;
        if self.eat(TokenKind::RightParen) {
            return Ok(Vec::new());
        }
        let formals = self.attributed_identifiers(where_clauses)?;
        self.expect(TokenKind::RightParen)?;
        Ok(formals)
    }

    fn signature(&mut self, where_clauses: WhereClauses) -> Parsed<Signature> {
        let type_params = self.type_params()?;
        let ins = self.formals(where_clauses)?;
        let outs = if self.eat(TokenKind::Returns) {
            self.formals(where_clauses)?
        } else {
            Vec::new()
        };
        Ok(Signature {
            type_params,
            ins,
            outs,
        })
    }

    fn procedure_decl(&mut self) -> Parsed<ProcedureDecl> {
        let start = self.span();
        let pure = self.eat(TokenKind::Pure);
        self.expect(TokenKind::Procedure)?;
        let attributes = self.declaration_attributes()?;
        let name = self.identifier()?;
        let signature = self.signature(WhereClauses::Allowed)?;
        let is_without_body = self.eat(TokenKind::Semicolon);
        let mut specs = Vec::new();
        while self.at_spec() {
            match self.spec() {
                Ok(spec) => specs.push(spec),
                Err(Reported) => self.skip_statement(),
            }
        }
        let body = if is_without_body {
            None
        } else if self.at(TokenKind::LeftBrace) {
            Some(self.body()?)
        } else {
            return Err(self.expected(if specs.is_empty() {
                "`;`, a specification or a body"
            } else {
                "a specification or a body"
            }));
        };
        Ok(ProcedureDecl {
            attributes,
            pure,
            name,
            signature,
            specs,
            body,
            span: self.span_from(start),
        })
    }

    fn implementation_decl(&mut self) -> Parsed<ImplementationDecl> {
        let start = self.expect(TokenKind::Implementation)?;
        let attributes = self.declaration_attributes()?;
        let name = self.identifier()?;
        let signature = self.signature(WhereClauses::NotOn("the parameters of an implementation"))?;
        let body = self.body()?;
        Ok(ImplementationDecl {
            attributes,
            name,
            signature,
            body,
            span: self.span_from(start),
        })
    }

    fn at_spec(&self) -> bool {
        use TokenKind::*;
        matches!(
            self.peek(),
            Requires | Ensures | Modifies | Free | Measure | Refines | Creates | Preserves | Asserts | Using
        )
    }

    fn spec(&mut self) -> Parsed<Spec> {
        let start = self.span();
        let free = self.eat(TokenKind::Free);
        let keyword = self.peek();
        let is_civl = matches!(keyword, TokenKind::Requires | TokenKind::Ensures)
            && matches!(self.peek_ahead(1), TokenKind::Call | TokenKind::Async);
        match keyword {
            _ if is_civl => Err(self.civl_clause("a specification that calls a yield invariant", start)),
            TokenKind::Requires => Ok(Spec::Requires(self.contract(free, start)?)),
            TokenKind::Ensures => Ok(Spec::Ensures(self.contract(free, start)?)),
            TokenKind::Modifies => {
                self.bump();
                let names = if self.at(TokenKind::Semicolon) {
                    Vec::new()
                } else {
                    self.identifiers()?
                };
                self.clause_end()?;
                Ok(Spec::Modifies {
                    names,
                    free,
                    span: self.span_from(start),
                })
            }
            TokenKind::Measure if !free => {
                self.bump();
                let attributes = self.attributes()?;
                let exprs = self.comma_separated(Self::expression)?;
                self.clause_end()?;
                Ok(Spec::Measure {
                    attributes,
                    exprs,
                    span: self.span_from(start),
                })
            }
            TokenKind::Refines => Err(self.civl_clause("a `refines` clause", start)),
            TokenKind::Creates => Err(self.civl_clause("a `creates` clause", start)),
            TokenKind::Preserves => Err(self.civl_clause("a `preserves` clause", start)),
            TokenKind::Asserts => Err(self.civl_clause("an `asserts` clause", start)),
            TokenKind::Using => Err(self.civl_clause("a `using` clause", start)),
            _ => Err(self.expected("`requires`, `ensures` or `modifies`")),
        }
    }

    /// The semicolon behind a clause of a procedure or a loop.
    pub(super) fn clause_end(&mut self) -> Parsed<()> {
        use TokenKind::*;
        self.semicolon(|next| matches!(next, LeftBrace | Requires | Ensures | Modifies | Free | Invariant))
    }

    fn civl_clause(&mut self, construct: &str, start: Span) -> Reported {
        self.bump();
        let span = self.span_from(start);
        self.refuse_civl(span, construct)
    }

    fn contract(&mut self, free: bool, start: Span) -> Parsed<Contract> {
        self.bump();
        let attributes = self.attributes()?;
        let expr = self.expression()?;
        self.clause_end()?;
        Ok(Contract {
            free,
            attributes,
            expr,
            span: self.span_from(start),
        })
    }
}
