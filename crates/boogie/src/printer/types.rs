//! Types.

use super::Printer;
use crate::ast::{Type, TypeKind};

impl Printer {
    pub(super) fn type_(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Bool => self.text("bool"),
            TypeKind::Int => self.text("int"),
            TypeKind::Real => self.text("real"),
            TypeKind::RoundingMode => self.text("rmode"),
            TypeKind::String => self.text("string"),
            TypeKind::Regex => self.text("regex"),
            TypeKind::Bv(width) => self.text(&format!("bv{width}")),
            TypeKind::Float {
                significand,
                exponent,
            } => {
                self.text(&format!("float{significand}e{exponent}"));
            }
            TypeKind::Named(name, arguments) => {
                self.name(name);
                for argument in arguments {
                    self.text(" ");
                    self.type_argument(argument);
                }
            }
            TypeKind::Map(map) => {
                self.type_params(&map.type_params);
                self.text("[");
                self.separated(&map.indices, Self::nested_type);
                self.text("]");
                self.nested_type(&map.result);
            }
        }
    }

    fn nested_type(&mut self, ty: &Type) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.type_(ty));
    }

    fn type_argument(&mut self, argument: &Type) {
        let needs_parentheses = match &argument.kind {
            TypeKind::Named(_, arguments) => !arguments.is_empty(),
            TypeKind::Map(_) => true,
            _ => false,
        };
        if needs_parentheses {
            self.text("(");
        }
        self.nested_type(argument);
        if needs_parentheses {
            self.text(")");
        }
    }
}

/// Whether nothing that follows the printed type can be read as a part of it. Behind a name
/// every `<`, `[` and `(` starts a type argument.
pub(super) fn is_closed(ty: &Type) -> bool {
    let mut ty = ty;
    loop {
        match &ty.kind {
            TypeKind::Bool | TypeKind::Int | TypeKind::Real => return true,
            TypeKind::Map(map) => ty = &map.result,
            _ => return false,
        }
    }
}
