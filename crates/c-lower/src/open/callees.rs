//! Which functions the program itself may call through a pointer of another type.
//!
//! A pointer that the environment has made is a function of the pointer's type, or no function of the program: memory is accessed with the types
//! that it has. So a function can be met through a pointer of another type only if the program makes such a pointer: it converts a
//! pointer to functions of that type, or puts it into a union with other pointers.

use lariat_c_program::{CProgram, ExprKind, Node, Type, TypeId, visit_initializer, visit_stmt};
use rustc_hash::FxHashSet;

/// The types of functions to which the program makes pointers of another type.
pub fn converted_functions(c: &CProgram) -> FxHashSet<TypeId> {
    let mut found = FxHashSet::default();
    let mut look = |node: Node<'_>| {
        if let Node::Expr(expr) = node
            && let ExprKind::Convert(operand) = &expr.kind
            && expr.ty != operand.ty
        {
            found.extend(pointed_function(c, operand.ty));
        }
    };
    for function in c.functions.values() {
        if let Some(body) = &function.body {
            visit_stmt(body, &mut look);
        }
    }
    for global in c.globals.values() {
        if let Some(init) = &global.init {
            visit_initializer(init, &mut look);
        }
    }
    for record in c.types.records.values().filter(|record| record.is_union) {
        found.extend(
            record
                .fields
                .iter()
                .filter_map(|field| pointed_function(c, field.ty)),
        );
    }
    found
}

fn pointed_function(c: &CProgram, ty: TypeId) -> Option<TypeId> {
    let Type::Pointer(target) = c.types.get(ty) else {
        return None;
    };
    matches!(c.types.get(*target), Type::Function(_)).then_some(*target)
}
