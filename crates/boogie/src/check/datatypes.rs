//! Expressions on datatypes: construction, `e->f`, `e->(f := v)`, `e is C`.

use cranelift_entity::SecondaryMap;
use lariat_base::{Diagnostic, Span, names};

use super::Checker;
use super::types::{Substitution, is_error};
use crate::ast;
use crate::typed::{ConstructorRef, DatatypeId, Expr, ExprKind, Name, Type};

/// A field of a value: its type there and where it is in the constructors.
struct FieldAccess {
    ty: Type,
    constructors: Vec<(ConstructorRef, u32)>,
}

impl Checker<'_> {
    /// Every datatype needs a constructor whose fields have values without it, or it would have none.
    pub(super) fn check_datatypes_have_values(&mut self) {
        let datatypes = &self.program.datatypes;
        let mut has_values: SecondaryMap<DatatypeId, bool> = SecondaryMap::with_capacity(datatypes.len());
        let mut open: Vec<DatatypeId> = datatypes.keys().collect();
        loop {
            let before = open.len();
            open.retain(|&id| {
                let constructible = datatypes[id].constructors.iter().any(|constructor| {
                    constructor
                        .fields
                        .iter()
                        .all(|field| is_inhabited(&field.ty, &has_values))
                });
                has_values[id] = constructible;
                !constructible
            });
            if open.len() == before {
                break;
            }
        }
        let Some(&first) = open.first() else { return };
        let names: Vec<&str> = open.iter().map(|&id| &*datatypes[id].name).collect();
        let diagnostic = Diagnostic::error(
            "datatype-without-values",
            datatypes[first].span,
            format!(
                "datatypes without values, because each is needed to construct it: {}",
                names.join(", ")
            ),
        )
        .hint("add a constructor that does not need the datatype itself");
        self.report(diagnostic);
    }

    pub(super) fn construct(
        &mut self,
        constructor_ref: ConstructorRef,
        name: &ast::Ident,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let datatype = &self.program.datatypes[constructor_ref.datatype];
        let constructor = &datatype.constructors[constructor_ref.constructor as usize];
        if args.len() != constructor.fields.len() {
            let (expected, declared) = (constructor.fields.len(), datatype.span);
            return self.wrong_arity(name, "constructor", expected, args.len(), declared);
        }
        let params = datatype.params.clone();
        let substitution = self.fresh_type_args(&params, &name.name, span);
        let mut fits = true;
        for (index, arg) in args.iter().enumerate() {
            let formal = self.field_type(constructor_ref, index, &substitution);
            if !self.infer.unify(&formal, &arg.ty) {
                self.wrong_argument(name, index, &formal, arg);
                fits = false;
            }
        }
        if !fits && !substitution.is_empty() {
            return self.erroneous(span);
        }
        let type_args = self.type_args(substitution);
        let ty = Type::Datatype(constructor_ref.datatype, type_args.clone());
        if self.is_too_large(&ty, span) {
            return self.erroneous(span);
        }
        Expr {
            kind: ExprKind::Construct(constructor_ref, type_args, args),
            ty,
            span,
        }
    }

    /// The type of a field of a constructor when the datatype's parameters are replaced.
    pub(super) fn field_type(
        &mut self,
        constructor: ConstructorRef,
        index: usize,
        substitution: &Substitution,
    ) -> Type {
        let datatype = &self.program.datatypes[constructor.datatype];
        let ty = &datatype.constructors[constructor.constructor as usize].fields[index].ty;
        self.infer.substitute(ty, substitution)
    }

    /// `value->field`
    pub(super) fn field(&mut self, value: Expr, field: &ast::Ident, span: Span) -> Expr {
        let Some(access) = self.field_access(&value, field) else {
            return self.erroneous(span);
        };
        let kind = ExprKind::Field {
            value: Box::new(value),
            name: field.name.clone(),
            constructors: access.constructors,
        };
        Expr {
            kind,
            ty: access.ty,
            span,
        }
    }

    /// `value->(field := new)`
    pub(super) fn field_update(&mut self, value: Expr, field: &ast::Ident, new: Expr, span: Span) -> Expr {
        let Some(access) = self.field_access(&value, field) else {
            return self.erroneous(span);
        };
        if !self.expect_type(&new, &access.ty, "type-mismatch", "the new value of the field") {
            return self.erroneous(span);
        }
        let ty = value.ty.clone();
        let kind = ExprKind::FieldUpdate {
            value: Box::new(value),
            name: field.name.clone(),
            constructors: access.constructors,
            new: Box::new(new),
        };
        Expr { kind, ty, span }
    }

    fn field_access(&mut self, value: &Expr, field: &ast::Ident) -> Option<FieldAccess> {
        let (id, args) = self.datatype_of(value, "fields")?;
        let Some(constructors) = self.fields.get(&(id, field.name.clone())).cloned() else {
            let fields = self.program.datatypes[id]
                .constructors
                .iter()
                .flat_map(|constructor| constructor.fields.iter().map(|field| &field.name));
            self.unknown_member(
                "undeclared-field",
                "field",
                id,
                field,
                names::closest(&field.name, fields).cloned(),
            );
            return None;
        };
        let params = self.program.datatypes[id].params.clone();
        let substitution = params.into_iter().zip(args.iter().cloned()).collect();
        let (constructor, index) = constructors[0];
        let ty = self.field_type(constructor, index as usize, &substitution);
        Some(FieldAccess { ty, constructors })
    }

    /// `value is C`
    pub(super) fn is_constructor(&mut self, value: &ast::Expr, constructor: &ast::Ident, span: Span) -> Expr {
        let value = self.expr(value);
        let Some((id, _)) = self.datatype_of(&value, "constructors") else {
            return Expr {
                ty: Type::Bool,
                ..self.erroneous(span)
            };
        };
        let constructors = &self.program.datatypes[id].constructors;
        let Some(position) = constructors
            .iter()
            .position(|candidate| candidate.name == constructor.name)
        else {
            let names = constructors.iter().map(|constructor| &constructor.name);
            let closest = names::closest(&constructor.name, names).cloned();
            self.unknown_member("undeclared-constructor", "constructor", id, constructor, closest);
            return Expr {
                ty: Type::Bool,
                ..self.erroneous(span)
            };
        };
        let constructor = ConstructorRef {
            datatype: id,
            constructor: position as u32,
        };
        Expr {
            kind: ExprKind::Is(Box::new(value), constructor),
            ty: Type::Bool,
            span,
        }
    }

    fn datatype_of(&mut self, value: &Expr, what: &str) -> Option<(DatatypeId, std::sync::Arc<[Type]>)> {
        match self.infer.head(&value.ty) {
            Type::Datatype(id, args) => Some((id, args)),
            ty => {
                if !is_error(&ty) {
                    let found = self.show(&ty);
                    self.report(
                        Diagnostic::error(
                            "not-a-datatype",
                            value.span,
                            format!("only datatypes have {what}"),
                        )
                        .label(format!("expected a datatype, found `{found}`")),
                    );
                }
                None
            }
        }
    }

    fn unknown_member(
        &mut self,
        code: &'static str,
        what: &str,
        id: DatatypeId,
        name: &ast::Ident,
        closest: Option<Name>,
    ) {
        let datatype = &self.program.datatypes[id];
        let message = format!("the datatype `{}` has no {what} `{}`", datatype.name, name.name);
        let mut diagnostic = Diagnostic::error(code, name.span, message)
            .related(datatype.span, "the datatype is declared here");
        if let Some(closest) = closest {
            diagnostic = diagnostic.hint(format!("did you mean `{closest}`?"));
        }
        self.report(diagnostic);
    }
}

/// Whether a type has values if the marked datatypes do.
fn is_inhabited(ty: &Type, has_values: &SecondaryMap<DatatypeId, bool>) -> bool {
    match ty {
        Type::Datatype(id, _) => has_values[*id],
        Type::Map(map) => map
            .indices
            .iter()
            .chain([&map.result])
            .all(|ty| is_inhabited(ty, has_values)),
        _ => true,
    }
}
