//! Which representation of integers suits a program.
//!
//! Measured on queries of the usual kinds (`cargo run -p lariat-c-arith --example solver_times`): wrapped integers are better for
//! counters, indices, multiplication and division, bit-vectors for operators that look at single bits of two unknowns.

use lariat_c_arith::IntegerForm;
use lariat_c_program::{AssignOp, BinaryOp, CProgram, Expr, ExprKind, Node, Purpose, Scalar, visit_stmt};

use crate::options::LowerOptions;
use crate::special::strip;

/// The exact representation that is thought to be faster. Objects can only be tracked with integers.
pub fn exact_integers(c: &CProgram, options: &LowerOptions) -> IntegerForm {
    if options.tracks_objects() || !looks_at_bits(c) {
        IntegerForm::Wrapped
    } else {
        IntegerForm::BitVectors
    }
}

/// Whether the user's code combines single bits of unknown values, shifts by unknown amounts, or makes integers of floats.
fn looks_at_bits(c: &CProgram) -> bool {
    let mut found = false;
    let is_known = |expr: &Expr| matches!(strip(expr).kind, ExprKind::Int(_));
    let scalar = |expr: &Expr| c.types.scalar(expr.ty);
    for function in c.functions.values() {
        let Some(body) = &function.body else { continue };
        if function.purpose == Purpose::Model {
            continue;
        }
        visit_stmt(body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            found |= match &expr.kind {
                ExprKind::Binary { op, left, right } => match op {
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                        !is_known(left) && !is_known(right) && !is_truth(left) && !is_truth(right)
                    }
                    BinaryOp::Shl | BinaryOp::Shr => !is_known(right) && !is_known(left),
                    _ => false,
                },
                ExprKind::CompoundAssign {
                    op: AssignOp::Arithmetic(op),
                    operand,
                    ..
                } => {
                    let bits = matches!(
                        op,
                        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr
                    );
                    bits && !is_known(operand) && !is_truth(operand)
                }
                ExprKind::Convert(operand) => {
                    matches!(
                        (scalar(operand), scalar(expr)),
                        (Some(Scalar::Float(_)), Some(Scalar::Int { .. }))
                            | (Some(Scalar::Int { .. }), Some(Scalar::Float(_)))
                    ) && !is_known(operand)
                }
                _ => false,
            };
        });
    }
    found
}

/// A comparison or the like: zero or one.
fn is_truth(expr: &Expr) -> bool {
    matches!(
        strip(expr).kind,
        ExprKind::Compare { .. } | ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..)
    )
}
