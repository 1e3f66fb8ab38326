//! Datatypes as Boogie had them before `datatype`: `type {:datatype} T;`, a function `{:constructor} C(f: t) returns (T);` for each
//! constructor, and functions that nobody declares: the selector `f#C` and the test `is#C`. They become a `datatype` and functions
//! with a body.

use std::sync::Arc;

use lariat_base::{Diagnostic, Span};

use super::Parser;
use crate::ast::{
    Attribute, ConstructorDecl, DatatypeDecl, Decl, Expr, ExprKind, FunctionDecl, FunctionParam, Ident,
    Program, Type, TypeKind, TypedIdent,
};

impl Parser<'_> {
    pub(super) fn replace_old_datatypes(&mut self, program: &mut Program) {
        let is_datatype = |decl: &Decl| matches!(decl, Decl::Type(ty) if has(&ty.attributes, "datatype") && ty.synonym.is_none());
        if !program.decls.iter().any(is_datatype) {
            return;
        }
        let is_constructor = |decl: &Decl| matches!(decl, Decl::Function(function) if has(&function.attributes, "constructor"));
        let (constructors, others): (Vec<Decl>, Vec<Decl>) =
            program.decls.drain(..).partition(is_constructor);
        let mut constructors: Vec<FunctionDecl> = constructors
            .into_iter()
            .filter_map(|decl| match decl {
                Decl::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        for decl in others {
            match decl {
                Decl::Type(ty) if has(&ty.attributes, "datatype") && ty.synonym.is_none() => {
                    let makes = |function: &FunctionDecl| matches!(&function.result.ty.kind, TypeKind::Named(name, _) if name.name == ty.name.name);
                    let (own, rest) = constructors.into_iter().partition(makes);
                    constructors = rest;
                    let own: Vec<FunctionDecl> = own;
                    let params = own.first().map_or(ty.params, |first| first.type_params.clone());
                    self.check_type_params(&own, &params);
                    for constructor in &own {
                        program
                            .decls
                            .extend(functions_of(constructor).map(Decl::Function));
                    }
                    program.decls.push(Decl::Datatype(DatatypeDecl {
                        attributes: Vec::new(),
                        name: ty.name,
                        params,
                        constructors: own.into_iter().map(constructor_of).collect(),
                        span: ty.span,
                    }));
                }
                other => program.decls.push(other),
            }
        }
        for stray in constructors {
            self.diagnostics.push(Diagnostic::error(
                "constructor-without-datatype",
                stray.span,
                format!(
                    "`{}` constructs no type that is marked `{{:datatype}}`",
                    stray.name.name
                ),
            ));
        }
    }

    /// The parameters of the type have the names that its constructors give them.
    fn check_type_params(&mut self, constructors: &[FunctionDecl], params: &[Ident]) {
        for constructor in constructors {
            let names = constructor.type_params.iter().map(|param| &param.name);
            if !names.eq(params.iter().map(|param| &param.name)) {
                self.diagnostics.push(
                    Diagnostic::error(
                        "unsupported-datatype",
                        constructor.span,
                        "the constructors of this datatype call its type parameters by different names",
                    )
                    .hint("use the same names in the same order, or the new form `datatype`"),
                );
            }
        }
    }
}

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| &*attribute.name.name == name)
}

/// Fields that have no name get one.
fn field_name(function: &FunctionDecl, index: usize) -> Ident {
    match &function.params[index].name {
        Some(name) => name.clone(),
        None => named(&format!("_{index}"), function.params[index].ty.span),
    }
}

fn constructor_of(function: FunctionDecl) -> ConstructorDecl {
    let fields = (0..function.params.len()).map(|index| TypedIdent {
        attributes: Vec::new(),
        name: field_name(&function, index),
        ty: function.params[index].ty.clone(),
        where_clause: None,
    });
    ConstructorDecl {
        fields: fields.collect(),
        span: function.span,
        name: function.name,
    }
}

/// `f#C` for each field, and `is#C`.
fn functions_of(constructor: &FunctionDecl) -> impl Iterator<Item = FunctionDecl> {
    let span = constructor.span;
    let name = &constructor.name.name;
    let value = || Box::new(expr(ExprKind::Var(named("value", span)), span));
    let function = |name: String, result: Type, body: ExprKind| FunctionDecl {
        attributes: vec![Attribute {
            name: named("inline", span),
            params: Vec::new(),
            span,
        }],
        revealed: false,
        name: named(&name, span),
        type_params: constructor.type_params.clone(),
        params: vec![FunctionParam {
            attributes: Vec::new(),
            name: Some(named("value", span)),
            ty: constructor.result.ty.clone(),
        }],
        result: FunctionParam {
            attributes: Vec::new(),
            name: None,
            ty: result,
        },
        body: Some(expr(body, span)),
        uses: Vec::new(),
        span,
    };
    let boolean = Type {
        kind: TypeKind::Bool,
        span,
    };
    let mut functions = vec![function(
        format!("is#{name}"),
        boolean,
        ExprKind::Is(value(), constructor.name.clone()),
    )];
    for (index, param) in constructor.params.iter().enumerate() {
        let field = field_name(constructor, index);
        let selector = format!("{}#{name}", field.name);
        let body = ExprKind::Field(value(), field);
        functions.push(function(selector, param.ty.clone(), body));
    }
    functions.into_iter()
}

fn named(text: &str, span: Span) -> Ident {
    Ident {
        name: Arc::from(text),
        span,
    }
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}
