//! Sizes: `sizeof`, the steps of pointer arithmetic, and variable arrays.
//!
//! A variable array's size in bytes is computed where it is declared and kept in a hidden local, by its type: clang makes
//! a distinct type for each variable array.

use clang_sys::*;
use lariat_base::Span;
use lariat_c_program::{BinaryOp, Expr, ExprKind, InitItem, InitValue, Initializer, Stmt, StmtKind};

use crate::clang::{Cursor, Type};
use crate::node::Node;
use crate::session::Session;

/// Qualifiers stand in the low bits of clang's types.
fn array_key(ty: Type<'_>) -> usize {
    ty.canonical().key() & !0xf
}

fn is_array(ty: Type<'_>) -> bool {
    matches!(
        ty.kind(),
        CXType_ConstantArray | CXType_VariableArray | CXType_IncompleteArray
    )
}

impl<'u> Session<'u, '_> {
    pub fn size_or_alignment(&mut self, cursor: Cursor<'u>) -> Node {
        if cursor.evaluate().is_some() {
            return self.constant(cursor);
        }
        let span = self.span(cursor);
        let children = cursor.children();
        let operand = match children.as_slice() {
            [operand] if operand.is_expression() => operand.ty(),
            [name] if name.kind() == CXCursor_TypeRef => name.ty(),
            _ => None,
        };
        match operand {
            Some(ty) => Node::Value(self.size_of(ty, span)),
            None => self.unknown(cursor, "`sizeof` of a variable array type that has no name"),
        }
    }

    /// The size in bytes of what a pointer, or an array's element, has.
    pub fn target_size(&mut self, cursor: Cursor<'u>, span: Span) -> Expr {
        let target = cursor.ty().and_then(|ty| {
            let ty = ty.canonical();
            if is_array(ty) {
                ty.array_element()
            } else {
                ty.pointee()
            }
        });
        match target {
            Some(target) => self.size_of(target, span),
            None => {
                let ty = self.size_type();
                self.unsupported("the size of what a pointer points to", ty, span)
            }
        }
    }

    pub fn size_of(&mut self, clang_type: Type<'u>, span: Span) -> Expr {
        let ty = self.ty(clang_type);
        if let Some(bytes) = self.program.types.size(ty) {
            return self.size(bytes, span);
        }
        let key = array_key(clang_type);
        let known = self
            .body
            .as_ref()
            .and_then(|body| body.array_sizes.get(&key).copied());
        if let Some(local) = known {
            return self.load_local(local, span);
        }
        let size_type = self.size_type();
        let canonical = clang_type.canonical();
        if let (CXType_ConstantArray, Some(length), Some(element)) = (
            canonical.kind(),
            canonical.array_length(),
            canonical.array_element(),
        ) {
            let left = Box::new(self.size(length, span));
            let right = Box::new(self.size_of(element, span));
            let op = BinaryOp::Mul;
            return self.expr(ExprKind::Binary { op, left, right }, size_type, span);
        }
        let reason = format!("the size of `{}`", self.program.types.name(ty));
        self.unsupported(reason, size_type, span)
    }

    /// The size of a local that is a variable array.
    pub fn variable_size(&mut self, cursor: Cursor<'u>, span: Span) -> Option<Expr> {
        let ty = cursor.ty()?;
        let own = self.ty(ty);
        matches!(
            self.program.types.get(own),
            lariat_c_program::Type::VariableArray { .. }
        )
        .then(|| self.size_of(ty, span))
    }

    /// Computes the sizes of the variable arrays in the type that a declaration writes.
    pub fn declare_array_sizes(&mut self, cursor: Cursor<'u>, list: &mut Vec<Stmt>) {
        let written = if cursor.kind() == CXCursor_TypedefDecl {
            cursor.typedef_type()
        } else {
            cursor.ty()
        };
        // The arrays of the declarator, outermost first.
        let mut layers = Vec::new();
        let mut rest = written;
        while let Some(ty) = rest {
            rest = match ty.kind() {
                CXType_Pointer => ty.pointee(),
                _ if is_array(ty) => {
                    if ty.kind() != CXType_IncompleteArray {
                        layers.push(ty);
                    }
                    ty.array_element()
                }
                CXType_Unexposed if ty.canonical().key() != ty.key() => Some(ty.canonical()),
                _ => None,
            };
        }
        if layers.iter().all(|layer| layer.kind() != CXType_VariableArray) {
            return;
        }
        // libclang gives the lengths innermost first, then the initialiser.
        let initializer = cursor.initializer().map(|value| value.statement_key());
        let mut lengths: Vec<Cursor<'u>> = cursor.operands();
        lengths.retain(|length| Some(length.statement_key()) != initializer);
        let pairs: Vec<(Type<'u>, Cursor<'u>)> = layers.into_iter().zip(lengths.into_iter().rev()).collect();
        let span = self.span(cursor);
        let size_type = self.size_type();
        for (layer, length) in pairs.into_iter().rev() {
            if layer.kind() != CXType_VariableArray {
                continue;
            }
            let Some(element) = layer.array_element() else {
                continue;
            };
            let length = self.value(length);
            let left = Box::new(self.convert(length, size_type));
            let right = Box::new(self.size_of(element, span));
            let op = BinaryOp::Mul;
            let bytes = self.expr(ExprKind::Binary { op, left, right }, size_type, span);
            let local = self.new_local("", size_type, span);
            if let Some(body) = &mut self.body {
                body.array_sizes.insert(array_key(layer), local);
            }
            let init = Initializer {
                zero: false,
                items: vec![InitItem {
                    path: Vec::new(),
                    value: InitValue::Expr(bytes),
                }],
                span,
            };
            list.push(Stmt {
                kind: StmtKind::Declare {
                    local,
                    init: Some(init),
                    size: None,
                },
                span,
            });
        }
    }
}
