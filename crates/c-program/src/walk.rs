//! Visiting all expressions and places below a node, in the order in which they stand in the source.
//!
//! The depth of the recursion is that of the source's nesting, which the reader limits.

use crate::expr::{AssignOp, Callee, Expr, ExprKind, Place, PlaceKind};
use crate::stmt::{InitValue, Initializer, Stmt, StmtKind};

/// What a visitor is shown: a node before the nodes below it.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    Expr(&'a Expr),
    Place(&'a Place),
    Stmt(&'a Stmt),
}

pub fn visit_stmt<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Stmt(stmt));
    match &stmt.kind {
        StmtKind::Empty
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Unsupported(_) => {}
        StmtKind::Expr(expr) | StmtKind::GotoComputed(expr) | StmtKind::Return(Some(expr)) => {
            visit_expr(expr, visit);
        }
        StmtKind::Declare { init, size, .. } => {
            size.iter().for_each(|size| visit_expr(size, visit));
            init.iter().for_each(|init| visit_initializer(init, visit));
        }
        StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| visit_stmt(stmt, visit)),
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            visit_expr(condition, visit);
            visit_stmt(then, visit);
            otherwise.iter().for_each(|stmt| visit_stmt(stmt, visit));
        }
        StmtKind::While { condition, body }
        | StmtKind::Switch {
            value: condition,
            body,
        } => {
            visit_expr(condition, visit);
            visit_stmt(body, visit);
        }
        StmtKind::DoWhile { body, condition } => {
            visit_stmt(body, visit);
            visit_expr(condition, visit);
        }
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            init.iter().for_each(|stmt| visit_stmt(stmt, visit));
            condition.iter().for_each(|expr| visit_expr(expr, visit));
            visit_stmt(body, visit);
            step.iter().for_each(|expr| visit_expr(expr, visit));
        }
        StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label { body, .. } => {
            visit_stmt(body, visit);
        }
        StmtKind::Asm(asm) => {
            asm.inputs.iter().for_each(|expr| visit_expr(expr, visit));
            asm.outputs.iter().for_each(|place| visit_place(place, visit));
        }
    }
}

pub fn visit_expr<'a>(expr: &'a Expr, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Expr(expr));
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::SizeOfLocal(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Step { place, .. } => {
            visit_place(place, visit);
        }
        ExprKind::Unary { operand, .. }
        | ExprKind::Not(operand)
        | ExprKind::Convert(operand)
        | ExprKind::VaArg(operand) => visit_expr(operand, visit),
        ExprKind::Binary { left, right, .. }
        | ExprKind::Compare { left, right, .. }
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Comma(left, right) => {
            visit_expr(left, visit);
            visit_expr(right, visit);
        }
        ExprKind::PointerAdd {
            pointer,
            index,
            element,
            ..
        } => [pointer, index, element]
            .into_iter()
            .for_each(|expr| visit_expr(expr, visit)),
        ExprKind::PointerDifference { left, right, element } => [left, right, element]
            .into_iter()
            .for_each(|expr| visit_expr(expr, visit)),
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            visit_expr(condition, visit);
            then.iter().for_each(|expr| visit_expr(expr, visit));
            visit_expr(otherwise, visit);
        }
        ExprKind::Assign { place, value } => {
            visit_place(place, visit);
            visit_expr(value, visit);
        }
        ExprKind::CompoundAssign {
            place, op, operand, ..
        } => {
            visit_place(place, visit);
            visit_expr(operand, visit);
            if let AssignOp::Pointer { element, .. } = op {
                visit_expr(element, visit);
            }
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Pointer(pointer) = callee {
                visit_expr(pointer, visit);
            }
            args.iter().for_each(|arg| visit_expr(arg, visit));
        }
        ExprKind::Statements(stmts) => stmts.iter().for_each(|stmt| visit_stmt(stmt, visit)),
    }
}

pub fn visit_place<'a>(place: &'a Place, visit: &mut dyn FnMut(Node<'a>)) {
    visit(Node::Place(place));
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => visit_expr(pointer, visit),
        PlaceKind::Member { base, .. } => visit_place(base, visit),
        PlaceKind::Index { base, index } => {
            visit_place(base, visit);
            visit_expr(index, visit);
        }
        PlaceKind::CompoundLiteral { init, .. } => visit_initializer(init, visit),
    }
}

pub fn visit_initializer<'a>(init: &'a Initializer, visit: &mut dyn FnMut(Node<'a>)) {
    for item in &init.items {
        if let InitValue::Expr(expr) = &item.value {
            visit_expr(expr, visit);
        }
    }
}
