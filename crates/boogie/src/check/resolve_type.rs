//! Syntactic types to types: names, arities, synonyms, binders.

use std::sync::Arc;

use lariat_base::{Diagnostic, Span};

use super::declare::TypeName;
use super::infer::MAX_TYPE_SIZE;
use super::{Candidates, Checker, literal, types};
use crate::ast;
use crate::typed::{Type, TypeParamId};

/// `type S a b = t;`
pub(super) struct Synonym<'a> {
    pub decl: &'a ast::TypeDecl,
    pub params: Vec<TypeParamId>,
    pub definition: Definition,
}

pub(super) enum Definition {
    Unresolved,
    /// Its right side is being resolved: to meet it again is a cycle.
    InProgress,
    Resolved(Type),
}

impl<'a> Checker<'a> {
    pub(super) fn resolve_type(&mut self, ty: &ast::Type) -> Type {
        let resolved = self.resolve_type_part(ty);
        if self.infer.is_too_large(&resolved) {
            self.error(
                "type-too-large",
                ty.span,
                format!("the type has more than {MAX_TYPE_SIZE} parts when its synonyms are expanded"),
            );
            return types::error_type();
        }
        resolved
    }

    fn resolve_type_part(&mut self, ty: &ast::Type) -> Type {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match &ty.kind {
            ast::TypeKind::Bool => Type::Bool,
            ast::TypeKind::Int => Type::Int,
            ast::TypeKind::Real => Type::Real,
            ast::TypeKind::RoundingMode => Type::RoundingMode,
            ast::TypeKind::String => Type::String,
            ast::TypeKind::Regex => Type::Regex,
            ast::TypeKind::Bv(width) => Type::Bv(*width),
            &ast::TypeKind::Float {
                significand,
                exponent,
            } => {
                if let Err(message) = literal::check_float_format(significand, exponent) {
                    self.error("invalid-float-type", ty.span, message);
                }
                Type::Float {
                    significand,
                    exponent,
                }
            }
            ast::TypeKind::Named(name, args) => self.resolve_named_type(name, args, ty.span),
            ast::TypeKind::Map(map) => self.resolve_map_type(map, ty.span),
        })
    }

    fn resolve_map_type(&mut self, map: &ast::MapType, span: Span) -> Type {
        let outer = self.type_binders.len();
        let params = self.bind_type_params(&map.type_params);
        let indices: Vec<Type> = map.indices.iter().map(|ty| self.resolve_type_part(ty)).collect();
        let result = self.resolve_type_part(&map.result);
        self.type_binders.truncate(outer);
        self.demand_occurrence(&params, indices.iter().chain([&result]), span, "the map type");
        self.infer.map_type(&params, indices, result)
    }

    fn resolve_named_type(&mut self, name: &ast::Ident, args: &[ast::Type], span: Span) -> Type {
        let args: Vec<Type> = args.iter().map(|ty| self.resolve_type_part(ty)).collect();
        if let Some(&(_, param)) = self
            .type_binders
            .iter()
            .rev()
            .find(|(binder, _)| *binder == name.name)
        {
            if !args.is_empty() {
                self.error(
                    "wrong-type-arity",
                    span,
                    format!("the type parameter `{}` takes no arguments", name.name),
                );
            }
            return Type::Param(param);
        }
        let Some(&type_name) = self.types.get(&name.name) else {
            self.undeclared("undeclared-type", "type", name, Candidates::Types);
            return types::error_type();
        };
        let (arity, declared) = match type_name {
            TypeName::Con(id) => (self.program.type_cons[id].arity, self.program.type_cons[id].span),
            TypeName::Datatype(id) => (
                self.program.datatypes[id].params.len(),
                self.program.datatypes[id].span,
            ),
            TypeName::Synonym(index) => (self.synonyms[index].params.len(), self.synonyms[index].decl.span),
        };
        if args.len() != arity {
            self.report(
                Diagnostic::error(
                    "wrong-type-arity",
                    span,
                    format!(
                        "the type `{}` takes {arity} arguments, not {}",
                        name.name,
                        args.len()
                    ),
                )
                .related(declared, "declared here"),
            );
            return types::error_type();
        }
        let args_list: Arc<[Type]> = if args.is_empty() {
            self.no_types.clone()
        } else {
            args.into()
        };
        match type_name {
            TypeName::Con(id) => Type::Con(id, args_list),
            TypeName::Datatype(id) => Type::Datatype(id, args_list),
            TypeName::Synonym(index) => self.expand_synonym(index, &args_list, span),
        }
    }

    fn expand_synonym(&mut self, index: usize, args: &[Type], span: Span) -> Type {
        self.resolve_synonym(index);
        let synonym = &self.synonyms[index];
        let Definition::Resolved(definition) = &synonym.definition else {
            let name = &synonym.decl.name;
            let diagnostic = Diagnostic::error(
                "recursive-synonym",
                span,
                format!("the type synonym `{}` is defined by itself", name.name),
            )
            .related(name.span, "the synonym")
            .hint("only datatypes may be recursive");
            self.report(diagnostic);
            return types::error_type();
        };
        let substitution: types::Substitution =
            synonym.params.iter().copied().zip(args.iter().cloned()).collect();
        // Each expansion is checked, so that a chain of synonyms cannot double a type without end.
        let definition = definition.clone();
        let expanded = self.infer.substitute(&definition, &substitution);
        if self.infer.is_too_large(&expanded) {
            self.error(
                "type-too-large",
                span,
                format!("the type has more than {MAX_TYPE_SIZE} parts when its synonyms are expanded"),
            );
            return types::error_type();
        }
        expanded
    }

    pub(super) fn resolve_synonym(&mut self, index: usize) {
        let synonym = &mut self.synonyms[index];
        if !matches!(synonym.definition, Definition::Unresolved) {
            return;
        }
        synonym.definition = Definition::InProgress;
        let (decl, params) = (synonym.decl, synonym.params.clone());
        let outer = std::mem::take(&mut self.type_binders);
        for (name, param) in decl.params.iter().zip(params) {
            self.check_type_param(name);
            self.rebind_type_params(&[param]);
        }
        let definition = decl
            .synonym
            .as_ref()
            .map_or_else(types::error_type, |ty| self.resolve_type(ty));
        self.type_binders = outer;
        self.synonyms[index].definition = Definition::Resolved(definition);
    }

    /// Brings type parameters into scope; the caller takes them out of it again.
    pub(super) fn bind_type_params(&mut self, params: &[ast::Ident]) -> Vec<TypeParamId> {
        params
            .iter()
            .map(|param| {
                self.check_type_param(param);
                let id = self.infer.names.push(param.name.clone());
                self.type_binders.push((param.name.clone(), id));
                id
            })
            .collect()
    }

    /// Brings type parameters that have their ids already into scope again.
    pub(super) fn rebind_type_params(&mut self, params: &[TypeParamId]) {
        for &param in params {
            self.type_binders.push((self.infer.names[param].clone(), param));
        }
    }

    pub(super) fn check_type_param(&mut self, param: &ast::Ident) {
        if is_bv_name(&param.name) {
            self.reserved_type_name(param);
        } else if self.types.contains_key(&param.name) {
            self.error(
                "type-parameter-clash",
                param.span,
                format!(
                    "the type parameter `{}` has the name of a declared type",
                    param.name
                ),
            );
        } else if self.type_binders.iter().any(|(name, _)| *name == param.name) {
            self.error(
                "duplicate-type-parameter",
                param.span,
                format!("more than one type parameter `{}` is in scope here", param.name),
            );
        }
    }

    pub(super) fn reserved_type_name(&mut self, name: &ast::Ident) {
        self.error(
            "reserved-type-name",
            name.span,
            format!("the name `{}` is reserved for bit-vector types", name.name),
        );
    }

    /// Type parameters must occur in what they are for, or no use could determine them.
    pub(super) fn demand_occurrence<'t>(
        &mut self,
        params: &[TypeParamId],
        types: impl Iterator<Item = &'t Type>,
        span: Span,
        what: &str,
    ) {
        if params.is_empty() {
            return;
        }
        let mut found = Vec::new();
        for ty in types {
            if types::is_error(ty) {
                return;
            }
            types::free_params(ty, &mut found);
        }
        for param in params {
            let name = self.infer.names[*param].clone();
            // A name that is bound twice was reported as such.
            let is_double = params
                .iter()
                .any(|other| other != param && self.infer.names[*other] == name);
            if !found.contains(param) && !is_double {
                self.error(
                    "unused-type-parameter",
                    span,
                    format!("the type parameter `{name}` does not occur in {what}"),
                );
            }
        }
    }
}

/// Whether the name is `bv` and digits.
pub(super) fn is_bv_name(name: &str) -> bool {
    name.strip_prefix("bv")
        .is_some_and(|width| !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit()))
}
