//! Changing all expressions and places below a statement, those inside others first.

use crate::expr::{AssignOp, Callee, Expr, ExprKind, Place, PlaceKind};
use crate::stmt::{InitValue, Initializer, Stmt, StmtKind};

/// What an editor is given, after everything below it.
pub enum Edited<'a> {
    Expr(&'a mut Expr),
    Place(&'a mut Place),
    Stmt(&'a mut Stmt),
}

type Edit<'e> = dyn FnMut(Edited<'_>) + 'e;

/// Room for one more level of nesting.
fn deeper(walk: impl FnOnce()) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, walk);
}

pub fn edit_stmt(stmt: &mut Stmt, edit: &mut Edit<'_>) {
    deeper(|| {
        match &mut stmt.kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Unsupported(_) => {}
            StmtKind::Expr(expr) | StmtKind::GotoComputed(expr) | StmtKind::Return(Some(expr)) => {
                edit_expr(expr, edit);
            }
            StmtKind::Declare { init, size, .. } => {
                size.iter_mut().for_each(|size| edit_expr(size, edit));
                init.iter_mut().for_each(|init| edit_initializer(init, edit));
            }
            StmtKind::Block(stmts) => stmts.iter_mut().for_each(|stmt| edit_stmt(stmt, edit)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                edit_expr(condition, edit);
                edit_stmt(then, edit);
                otherwise.iter_mut().for_each(|stmt| edit_stmt(stmt, edit));
            }
            StmtKind::While { condition, body }
            | StmtKind::Switch {
                value: condition,
                body,
            }
            | StmtKind::DoWhile { body, condition } => {
                edit_expr(condition, edit);
                edit_stmt(body, edit);
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                init.iter_mut().for_each(|stmt| edit_stmt(stmt, edit));
                condition.iter_mut().for_each(|expr| edit_expr(expr, edit));
                step.iter_mut().for_each(|expr| edit_expr(expr, edit));
                edit_stmt(body, edit);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label { body, .. } => {
                edit_stmt(body, edit);
            }
            StmtKind::Asm(asm) => {
                asm.inputs.iter_mut().for_each(|expr| edit_expr(expr, edit));
                asm.outputs.iter_mut().for_each(|place| edit_place(place, edit));
            }
        }
        edit(Edited::Stmt(stmt));
    });
}

pub fn edit_expr(expr: &mut Expr, edit: &mut Edit<'_>) {
    deeper(|| {
        match &mut expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeOfLocal(_)
            | ExprKind::Unsupported(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Step { place, .. } => {
                edit_place(place, edit);
            }
            ExprKind::Unary { operand, .. }
            | ExprKind::Not(operand)
            | ExprKind::Convert(operand)
            | ExprKind::VaArg(operand) => edit_expr(operand, edit),
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Comma(left, right) => {
                edit_expr(left, edit);
                edit_expr(right, edit);
            }
            ExprKind::PointerAdd {
                pointer: first,
                index: second,
                element,
                ..
            }
            | ExprKind::PointerDifference {
                left: first,
                right: second,
                element,
            } => {
                edit_expr(first, edit);
                edit_expr(second, edit);
                edit_expr(element, edit);
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                edit_expr(condition, edit);
                then.iter_mut().for_each(|expr| edit_expr(expr, edit));
                edit_expr(otherwise, edit);
            }
            ExprKind::Assign { place, value } => {
                edit_place(place, edit);
                edit_expr(value, edit);
            }
            ExprKind::CompoundAssign {
                place, op, operand, ..
            } => {
                edit_place(place, edit);
                edit_expr(operand, edit);
                if let AssignOp::Pointer { element, .. } = op {
                    edit_expr(element, edit);
                }
            }
            ExprKind::Call { callee, args } => {
                if let Callee::Pointer(pointer) = callee {
                    edit_expr(pointer, edit);
                }
                args.iter_mut().for_each(|arg| edit_expr(arg, edit));
            }
            ExprKind::Statements(stmts) => stmts.iter_mut().for_each(|stmt| edit_stmt(stmt, edit)),
        }
        edit(Edited::Expr(expr));
    });
}

fn edit_place(place: &mut Place, edit: &mut Edit<'_>) {
    deeper(|| {
        match &mut place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(expr) | PlaceKind::Temporary(expr) => edit_expr(expr, edit),
            PlaceKind::Member { base, .. } => edit_place(base, edit),
            PlaceKind::Index { base, index } => {
                edit_place(base, edit);
                edit_expr(index, edit);
            }
            PlaceKind::CompoundLiteral { init, .. } => edit_initializer(init, edit),
        }
        edit(Edited::Place(place));
    });
}

fn edit_initializer(init: &mut Initializer, edit: &mut Edit<'_>) {
    for item in &mut init.items {
        if let InitValue::Expr(expr) = &mut item.value {
            edit_expr(expr, edit);
        }
    }
}
