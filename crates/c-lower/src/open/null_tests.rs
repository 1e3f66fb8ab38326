//! Where the program finds out that a pointer is null.
//!
//! A test whose only consequence is a failing assertion does not count: `assert(p)` says that `p` is not null.

use lariat_c_program::{CompareOp, Expr, ExprKind, Scalar};
use lariat_ir::{BlockId, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::function::FunctionLowering;
use crate::special::strip;

/// Which side of a branch says that a pointer is null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NullSide {
    Then,
    Otherwise,
}

impl FunctionLowering<'_, '_> {
    /// Whether a condition without `!`, `&&` and `||` outside is a test of a pointer.
    pub fn null_test(&self, expr: &Expr) -> Option<NullSide> {
        if !self.is_open() || self.is_model() {
            return None;
        }
        let is_pointer = |expr: &Expr| self.cx.c.types.scalar(expr.ty) == Some(Scalar::Pointer);
        match &expr.kind {
            ExprKind::Compare { op, left, right } if is_pointer(left) => {
                if !(is_null(left) || is_null(right)) {
                    return None;
                }
                match op {
                    CompareOp::Eq => Some(NullSide::Then),
                    CompareOp::Ne => Some(NullSide::Otherwise),
                    _ => None,
                }
            }
            _ if is_pointer(expr) => Some(NullSide::Otherwise),
            _ => None,
        }
    }

    /// Whether a test of a pointer is among the operands of `!`, `&&` and `||`.
    pub fn tests_pointers(&self, expr: &Expr) -> bool {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Not(operand) => open.push(operand),
                ExprKind::And(left, right) | ExprKind::Or(left, right) => open.extend([&**left, &**right]),
                ExprKind::Convert(operand) if self.null_test(expr).is_none() => open.push(operand),
                _ if self.null_test(expr).is_some() => return true,
                _ => {}
            }
        }
        false
    }

    /// Takes away the tests of this body that only lead to a failing assertion.
    pub fn without_asserted_null_tests(&self, tests: Vec<StmtId>) -> Vec<StmtId> {
        let all: FxHashSet<StmtId> = tests.iter().copied().collect();
        let mut asserted: FxHashSet<StmtId> = FxHashSet::default();
        for (id, block) in self.body.blocks.iter() {
            for stmt in block.stmts.iter().filter(|stmt| all.contains(&stmt.id)) {
                if self.leads_to_failure(id, stmt.id) {
                    asserted.insert(stmt.id);
                }
            }
        }
        tests
            .into_iter()
            .filter(|test| !asserted.contains(test))
            .collect()
    }

    /// Whether an assertion that always fails comes before any choice, whatever else happens on the way.
    fn leads_to_failure(&self, block: BlockId, after: StmtId) -> bool {
        let mut seen = FxHashSet::default();
        let mut at = block;
        while seen.insert(at) {
            let data = &self.body.blocks[at];
            let mut stmts = data.stmts.iter();
            if at == block {
                stmts.by_ref().find(|stmt| stmt.id == after);
            }
            let pool = &self.cx.ir.pool;
            let fails = stmts.any(|stmt| match stmt.kind {
                StmtKind::Assert { condition, .. } => pool.as_bool(condition) == Some(false),
                _ => false,
            });
            if fails {
                return true;
            }
            match data.successors() {
                [next] => at = *next,
                _ => return false,
            }
        }
        false
    }
}

/// A null pointer constant, however it was converted.
fn is_null(expr: &Expr) -> bool {
    match &strip(expr).kind {
        ExprKind::Int(value) => *value == 0.into(),
        _ => false,
    }
}
