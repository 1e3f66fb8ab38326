//! Function declarations, whose parameters may be without names.

use lariat_base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::{Attribute, AttributeParam, ExprKind, FunctionDecl, FunctionParam, Ident, Type};
use crate::lexer::TokenKind;

/// A parameter before it is known whether a lone name is its name or its type.
struct RawParam {
    attributes: Vec<Attribute>,
    name: Option<Ident>,
    ty: Type,
    /// The type as a name, if it is nothing but a name.
    lone_name: Option<Ident>,
}

impl Parser<'_> {
    pub(super) fn function_decl(&mut self) -> Parsed<FunctionDecl> {
        let start = self.span();
        let revealed = self.eat(TokenKind::Revealed);
        self.expect(TokenKind::Function)?;
        let attributes = self.declaration_attributes()?;
        let name = self.identifier()?;
        let type_params = self.type_params()?;
        self.expect(TokenKind::LeftParen)?;
        let raw_params = self.list_until(TokenKind::RightParen, Self::raw_param)?;
        let params = self.name_params(raw_params);
        let result = self.function_result()?;
        let body = if self.eat(TokenKind::LeftBrace) {
            let body = self.expression()?;
            self.expect(TokenKind::RightBrace)?;
            Some(body)
        } else {
            None
        };
        let uses = if self.at(TokenKind::Uses) {
            self.uses_clause()?
        } else {
            if body.is_none() && !self.eat(TokenKind::Semicolon) {
                return Err(self.expected("`;`, a body or `uses`"));
            }
            Vec::new()
        };
        let span = self.span_from(start);
        let function = FunctionDecl {
            attributes,
            revealed,
            name,
            type_params,
            params,
            result,
            body,
            uses,
            span,
        };
        self.check_definition(&function);
        Ok(function)
    }

    fn function_result(&mut self) -> Parsed<FunctionParam> {
        if self.eat(TokenKind::Colon) {
            return Ok(FunctionParam {
                attributes: Vec::new(),
                name: None,
                ty: self.type_()?,
            });
        }
        if !self.eat(TokenKind::Returns) {
            return Err(self.expected("`returns` or `:` with the result type"));
        }
        self.expect(TokenKind::LeftParen)?;
        let RawParam {
            attributes, name, ty, ..
        } = self.raw_param()?;
        self.expect(TokenKind::RightParen)?;
        Ok(FunctionParam { attributes, name, ty })
    }

    fn raw_param(&mut self) -> Parsed<RawParam> {
        let attributes = self.declaration_attributes()?;
        let is_name = self.peek().is_identifier();
        if is_name && self.peek_ahead(1) == TokenKind::Colon {
            let name = self.take_identifier();
            self.bump();
            let ty = self.type_()?;
            return Ok(RawParam {
                attributes,
                name: Some(name),
                ty,
                lone_name: None,
            });
        }
        let first = self.position;
        let ty = self.type_()?;
        let lone_name = (is_name && self.position == first + 1).then(|| {
            let after = std::mem::replace(&mut self.position, first);
            let name = self.take_identifier();
            self.position = after;
            name
        });
        Ok(RawParam {
            attributes,
            name: None,
            ty,
            lone_name,
        })
    }

    /// In `(a, b: t)` the lone `a` is a name and has the type of the next parameter; if no
    /// parameter has a name, all are types.
    fn name_params(&mut self, raw_params: Vec<RawParam>) -> Vec<FunctionParam> {
        let all_unnamed = raw_params.iter().all(|param| param.name.is_none());
        let mut next_type: Option<Type> = None;
        let mut params: Vec<FunctionParam> = Vec::with_capacity(raw_params.len());
        for raw in raw_params.into_iter().rev() {
            let RawParam {
                attributes,
                name,
                ty,
                lone_name,
            } = raw;
            if all_unnamed || name.is_some() {
                next_type = Some(self.copy(&ty));
                params.push(FunctionParam { attributes, name, ty });
                continue;
            }
            let Some(next_type) = &next_type else {
                self.report(
                    Diagnostic::error(
                        "missing-type",
                        ty.span,
                        "the type of the last parameter is missing",
                    )
                    .label("expected `: type` behind the name"),
                );
                break;
            };
            if lone_name.is_none() {
                self.report(
                    Diagnostic::error("missing-name", ty.span, "this parameter has a type and no name")
                        .label("expected a name: other parameters have one"),
                );
            }
            params.push(FunctionParam {
                attributes,
                name: lone_name,
                ty: self.copy(next_type),
            });
        }
        params.reverse();
        params
    }

    /// What Boogie demands of a function with a body while it reads it.
    fn check_definition(&mut self, function: &FunctionDecl) {
        if function.body.is_none() {
            return;
        }
        let Some(define) = find_true_attribute(&function.attributes, "define") else {
            return;
        };
        let span = define.span;
        let name = &function.name.name;
        if let Some(inline) = find_true_attribute(&function.attributes, "inline") {
            self.report(
                Diagnostic::error(
                    "inline-and-define",
                    span,
                    format!("the function `{name}` has both `{{:inline}}` and `{{:define}}`"),
                )
                .label("expected one of the two")
                .related(inline.span, "the other one is here"),
            );
        } else if !function.type_params.is_empty() {
            self.report(
                Diagnostic::error(
                    "polymorphic-define",
                    span,
                    format!("the function `{name}` is polymorphic and cannot have `{{:define}}`"),
                )
                .label("allowed only on functions without type parameters")
                .hint("use `{:inline}` instead"),
            );
        }
    }
}

/// The attribute of that name if it is given as `{:name}` or `{:name true}`.
fn find_true_attribute<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| {
        let is_true = match attribute.params.first() {
            None => true,
            Some(AttributeParam::Expr(value)) => matches!(value.kind, ExprKind::Bool(true)),
            Some(AttributeParam::String(..)) => false,
        };
        &*attribute.name.name == name && is_true
    })
}
