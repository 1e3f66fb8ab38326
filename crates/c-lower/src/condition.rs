//! Conditions: expressions as truth values, and jumps that depend on them.

use lariat_c_program::{Expr, ExprKind, Scalar};
use lariat_ir::BlockId;
use lariat_term::TermId;

use crate::function::FunctionLowering;
use crate::open::NullSide;

impl FunctionLowering<'_, '_> {
    /// Goes to `then` if the value is not zero, else to `otherwise`.
    pub fn branch(&mut self, expr: &Expr, then: BlockId, otherwise: BlockId) {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || {
            self.branch_inner(expr, then, otherwise)
        });
    }

    fn branch_inner(&mut self, expr: &Expr, then: BlockId, otherwise: BlockId) {
        match &expr.kind {
            ExprKind::Not(operand) => {
                let outer = self.shown_negated;
                // Both come from one use of a macro, which is what a trace shows.
                if operand.span == expr.span {
                    self.shown_negated = match outer == Some(expr.span) {
                        true => None,
                        false => Some(expr.span),
                    };
                }
                self.branch(operand, otherwise, then);
                self.shown_negated = outer;
            }
            ExprKind::And(left, right) if !self.needs_no_order(right) || self.tests_pointers(expr) => {
                let middle = self.new_block();
                self.branch(left, middle, otherwise);
                self.at(middle);
                self.branch(right, then, otherwise);
            }
            ExprKind::Or(left, right) if !self.needs_no_order(right) || self.tests_pointers(expr) => {
                let middle = self.new_block();
                self.branch(left, then, middle);
                self.at(middle);
                self.branch(right, then, otherwise);
            }
            ExprKind::Comma(left, right) => {
                self.discard(left);
                self.branch(right, then, otherwise);
            }
            ExprKind::Convert(operand) if self.keeps_truth(operand, expr) => {
                self.branch(operand, then, otherwise);
            }
            _ => {
                let condition = self.condition(expr);
                let assumed = self.guard(condition, then, otherwise, expr.span);
                if self.shown_negated == Some(expr.span) {
                    self.cx.names.negated.extend(assumed.into_iter().flatten());
                }
                if let (Some(side), Some([yes, no])) = (self.null_test(expr), assumed) {
                    self.null_tests.push(match side {
                        NullSide::Then => yes,
                        NullSide::Otherwise => no,
                    });
                }
            }
        }
    }

    /// Whether the value of a scalar is not zero, as a term of sort `Bool`.
    pub fn condition(&mut self, expr: &Expr) -> TermId {
        stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.condition_inner(expr))
    }

    fn condition_inner(&mut self, expr: &Expr) -> TermId {
        match &expr.kind {
            ExprKind::Not(operand) => {
                let condition = self.condition(operand);
                self.cx.ir.pool.not(condition)
            }
            ExprKind::And(left, right) if self.needs_no_order(right) => {
                let left = self.condition(left);
                let right = self.condition(right);
                self.cx.ir.pool.and(&[left, right])
            }
            ExprKind::Or(left, right) if self.needs_no_order(right) => {
                let left = self.condition(left);
                let right = self.condition(right);
                self.cx.ir.pool.or(&[left, right])
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.short_circuit(expr),
            ExprKind::Compare { op, left, right } => self.compare(*op, left, right, expr.span),
            ExprKind::Convert(operand) if self.keeps_truth(operand, expr) => self.condition(operand),
            _ => {
                let scalar = self.scalar(expr.ty);
                let value = self.expr(expr);
                self.cx.arith.truth(&mut self.cx.ir.pool, scalar, &value)
            }
        }
    }

    /// The truth of `&&` or `||` whose right side is evaluated only if it must be.
    fn short_circuit(&mut self, expr: &Expr) -> TermId {
        let bool = self.cx.ir.pool.bool_sort();
        let result = self.temporary(bool);
        let [yes, no, after] = [self.new_block(), self.new_block(), self.new_block()];
        self.branch(expr, yes, no);
        for (block, value) in [(yes, true), (no, false)] {
            self.at(block);
            let value = self.cx.ir.pool.bool(value);
            self.set_silently(result, value, expr.span);
            self.jump(after);
        }
        self.at(after);
        self.cx.ir.pool.var(result)
    }

    /// A conversion to a type at least as wide, or to `_Bool`, does not change whether a value is zero.
    fn keeps_truth(&mut self, operand: &Expr, converted: &Expr) -> bool {
        let types = &self.cx.c.types;
        match (types.scalar(operand.ty), types.scalar(converted.ty)) {
            (Some(_), Some(Scalar::Bool)) => true,
            (Some(Scalar::Bool), Some(Scalar::Int { .. })) => true,
            (Some(Scalar::Int { bits: from, .. }), Some(Scalar::Int { bits: to, .. })) => to >= from,
            (Some(Scalar::Pointer), Some(Scalar::Pointer)) => true,
            _ => false,
        }
    }
}
