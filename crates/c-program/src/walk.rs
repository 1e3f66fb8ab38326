//! Visiting and changing all expressions and places below a node, in the order in which they stand in the source.
//!
//! A visitor is shown a node before the nodes below it, an editor after them. What is directly below a node is written once,
//! for shared and for mutable references.

use crate::expr::{AssignOp, Callee, Expr, ExprKind, Place, PlaceKind};
use crate::stmt::{InitValue, Initializer, Stmt, StmtKind};

/// What a visitor is shown.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    Expr(&'a Expr),
    Place(&'a Place),
    Stmt(&'a Stmt),
}

/// What an editor is given.
pub enum Edited<'a> {
    Expr(&'a mut Expr),
    Place(&'a mut Place),
    Stmt(&'a mut Stmt),
}

/// Room for one more level of nesting.
fn deeper(walk: impl FnOnce()) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, walk);
}

pub fn visit_stmt<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(Node<'a>)) {
    visit_node(Node::Stmt(stmt), visit);
}

pub fn visit_expr<'a>(expr: &'a Expr, visit: &mut dyn FnMut(Node<'a>)) {
    visit_node(Node::Expr(expr), visit);
}

pub fn visit_place<'a>(place: &'a Place, visit: &mut dyn FnMut(Node<'a>)) {
    visit_node(Node::Place(place), visit);
}

pub fn visit_initializer<'a>(init: &'a Initializer, visit: &mut dyn FnMut(Node<'a>)) {
    below_initializer(init, &mut |child| visit_node(child, visit));
}

fn visit_node<'a>(node: Node<'a>, visit: &mut dyn FnMut(Node<'a>)) {
    deeper(|| {
        visit(node);
        let child = &mut |child| visit_node(child, visit);
        match node {
            Node::Expr(expr) => below_expr(expr, child),
            Node::Place(place) => below_place(place, child),
            Node::Stmt(stmt) => below_stmt(stmt, child),
        }
    });
}

pub fn edit_stmt(stmt: &mut Stmt, edit: &mut dyn FnMut(Edited<'_>)) {
    edit_node(Edited::Stmt(stmt), edit);
}

pub fn edit_expr(expr: &mut Expr, edit: &mut dyn FnMut(Edited<'_>)) {
    edit_node(Edited::Expr(expr), edit);
}

fn edit_node(mut node: Edited<'_>, edit: &mut dyn FnMut(Edited<'_>)) {
    deeper(|| {
        let child = &mut |child: Edited<'_>| edit_node(child, edit);
        match &mut node {
            Edited::Expr(expr) => below_expr_mut(expr, child),
            Edited::Place(place) => below_place_mut(place, child),
            Edited::Stmt(stmt) => below_stmt_mut(stmt, child),
        }
        edit(node);
    });
}

/// Functions that give a visitor of `$node` what is directly below a node.
macro_rules! below {
    ($stmt:ident, $expr:ident, $place:ident, $init:ident, $node:ident, $iter:ident $(, $mut:ident)?) => {
        fn $stmt<'a>(stmt: &'a $($mut)? Stmt, child: &mut dyn FnMut($node<'a>)) {
            match &$($mut)? stmt.kind {
                StmtKind::Empty
                | StmtKind::Goto(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(None)
                | StmtKind::AtomicBegin
                | StmtKind::AtomicEnd
                | StmtKind::Unsupported(_) => {}
                StmtKind::Expr(expr) | StmtKind::GotoComputed(expr) | StmtKind::Return(Some(expr)) => {
                    child($node::Expr(expr));
                }
                StmtKind::Declare { init, size, .. } => {
                    size.$iter().for_each(|size| child($node::Expr(size)));
                    init.$iter().for_each(|init| $init(init, child));
                }
                StmtKind::Block(stmts) => stmts.$iter().for_each(|stmt| child($node::Stmt(stmt))),
                StmtKind::If { condition, then, otherwise } => {
                    child($node::Expr(condition));
                    child($node::Stmt(then));
                    otherwise.$iter().for_each(|stmt| child($node::Stmt(stmt)));
                }
                StmtKind::While { condition, body } | StmtKind::Switch { value: condition, body } => {
                    child($node::Expr(condition));
                    child($node::Stmt(body));
                }
                StmtKind::DoWhile { body, condition } => {
                    child($node::Stmt(body));
                    child($node::Expr(condition));
                }
                StmtKind::For { init, condition, step, body } => {
                    init.$iter().for_each(|stmt| child($node::Stmt(stmt)));
                    condition.$iter().for_each(|expr| child($node::Expr(expr)));
                    child($node::Stmt(body));
                    step.$iter().for_each(|expr| child($node::Expr(expr)));
                }
                StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label { body, .. } => {
                    child($node::Stmt(body));
                }
                StmtKind::Asm(asm) => {
                    asm.inputs.$iter().for_each(|expr| child($node::Expr(expr)));
                    asm.outputs.$iter().for_each(|place| child($node::Place(place)));
                }
            }
        }

        fn $expr<'a>(expr: &'a $($mut)? Expr, child: &mut dyn FnMut($node<'a>)) {
            match &$($mut)? expr.kind {
                ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::FunctionAddress(_)
                | ExprKind::LabelAddress(_)
                | ExprKind::SizeOfLocal(_)
                | ExprKind::Unsupported(_) => {}
                ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Step { place, .. } => {
                    child($node::Place(place));
                }
                ExprKind::Unary { operand, .. }
                | ExprKind::Not(operand)
                | ExprKind::Convert(operand)
                | ExprKind::VaArg(operand) => child($node::Expr(operand)),
                ExprKind::Binary { left, right, .. }
                | ExprKind::Compare { left, right, .. }
                | ExprKind::And(left, right)
                | ExprKind::Or(left, right)
                | ExprKind::Comma(left, right) => {
                    child($node::Expr(left));
                    child($node::Expr(right));
                }
                ExprKind::PointerAdd { pointer: left, index: right, element, .. }
                | ExprKind::PointerDifference { left, right, element } => {
                    child($node::Expr(left));
                    child($node::Expr(right));
                    child($node::Expr(element));
                }
                ExprKind::Conditional { condition, then, otherwise } => {
                    child($node::Expr(condition));
                    then.$iter().for_each(|expr| child($node::Expr(expr)));
                    child($node::Expr(otherwise));
                }
                ExprKind::Assign { place, value } => {
                    child($node::Place(place));
                    child($node::Expr(value));
                }
                ExprKind::CompoundAssign { place, op, operand, .. } => {
                    child($node::Place(place));
                    child($node::Expr(operand));
                    if let AssignOp::Pointer { element, .. } = op {
                        child($node::Expr(element));
                    }
                }
                ExprKind::Call { callee, args } => {
                    if let Callee::Pointer(pointer) = callee {
                        child($node::Expr(pointer));
                    }
                    args.$iter().for_each(|arg| child($node::Expr(arg)));
                }
                ExprKind::Statements(stmts) => stmts.$iter().for_each(|stmt| child($node::Stmt(stmt))),
            }
        }

        fn $place<'a>(place: &'a $($mut)? Place, child: &mut dyn FnMut($node<'a>)) {
            match &$($mut)? place.kind {
                PlaceKind::Local(_) | PlaceKind::Global(_) => {}
                PlaceKind::Deref(pointer) | PlaceKind::Temporary(pointer) => child($node::Expr(pointer)),
                PlaceKind::Member { base, .. } => child($node::Place(base)),
                PlaceKind::Index { base, index } => {
                    child($node::Place(base));
                    child($node::Expr(index));
                }
                PlaceKind::CompoundLiteral { init, .. } => $init(init, child),
            }
        }

        fn $init<'a>(init: &'a $($mut)? Initializer, child: &mut dyn FnMut($node<'a>)) {
            for item in init.items.$iter() {
                if let InitValue::Expr(expr) = &$($mut)? item.value {
                    child($node::Expr(expr));
                }
            }
        }
    };
}

below!(below_stmt, below_expr, below_place, below_initializer, Node, iter);
below!(
    below_stmt_mut,
    below_expr_mut,
    below_place_mut,
    below_initializer_mut,
    Edited,
    iter_mut,
    mut
);
