//! Unary and binary operators.
//!
//! Chains of one associative operator are collected before the term is made: making a flat
//! n-ary term operand by operand would take quadratic time and space.

use lariat_boogie::typed::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use lariat_term::{BvOp, RoundingMode, TermId};

use crate::expr::Terms;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

impl Lowering<'_> {
    pub(crate) fn lower_unary(&mut self, op: UnaryOp, operand: &Expr, scope: &mut Scope) -> Lowers<TermId> {
        let term = self.lower_expr(operand, scope)?;
        let pool = &mut self.ir.pool;
        Ok(match (op, &operand.ty) {
            (UnaryOp::Not, _) => pool.not(term),
            (UnaryOp::Neg, Type::Float { .. }) => {
                let sort = pool.sort_of(term);
                pool.theory("fp.neg", &[term], sort)
            }
            (UnaryOp::Neg, Type::Bv(_)) => pool.bv_op(BvOp::Neg, &[term]),
            (UnaryOp::Neg, _) => pool.neg(term),
        })
    }

    pub(crate) fn lower_binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let is_float = matches!(left.ty, Type::Float { .. });
        match op {
            BinaryOp::And => {
                let parts = self.lower_chain(op, left, right, scope)?;
                return Ok(self.ir.pool.and(&parts));
            }
            BinaryOp::Or => {
                let parts = self.lower_chain(op, left, right, scope)?;
                return Ok(self.ir.pool.or(&parts));
            }
            BinaryOp::Add if !is_float => {
                let parts = self.lower_chain(op, left, right, scope)?;
                return Ok(self.ir.pool.add(&parts));
            }
            BinaryOp::Implies => return self.lower_implications(left, right, scope),
            _ => {}
        }
        let a = self.lower_expr(left, scope)?;
        let b = self.lower_expr(right, scope)?;
        if matches!(op, BinaryOp::Eq | BinaryOp::Neq) && self.ir.pool.sort_of(a) != self.ir.pool.sort_of(b) {
            return self.compare_different_types(op, left, right, scope);
        }
        if is_float {
            return Ok(self.float_binary(op, a, b));
        }
        let pool = &mut self.ir.pool;
        Ok(match op {
            BinaryOp::Iff | BinaryOp::Eq => pool.eq(a, b),
            BinaryOp::Neq => {
                let eq = pool.eq(a, b);
                pool.not(eq)
            }
            BinaryOp::Lt => pool.lt(a, b),
            BinaryOp::Le => pool.le(a, b),
            BinaryOp::Gt => pool.lt(b, a),
            BinaryOp::Ge => pool.le(b, a),
            BinaryOp::Concat if left.ty == Type::Bv(0) => b,
            BinaryOp::Concat if right.ty == Type::Bv(0) => a,
            BinaryOp::Concat => pool.bv_op(BvOp::Concat, &[a, b]),
            BinaryOp::Sub => pool.sub(a, b),
            BinaryOp::Mul => pool.mul(a, b),
            BinaryOp::IntDiv => pool.int_div(a, b),
            BinaryOp::Mod => pool.modulo(a, b),
            BinaryOp::RealDiv => {
                let a = if left.ty == Type::Int { pool.to_real(a) } else { a };
                let b = if right.ty == Type::Int { pool.to_real(b) } else { b };
                pool.real_div(a, b)
            }
            BinaryOp::Pow => pool.pow(a, b),
            BinaryOp::ImpliedBy => pool.implies(b, a),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Add | BinaryOp::Implies => {
                unreachable!("chains are lowered above")
            }
        })
    }

    /// Boogie compares values of types that are equal for some values of type parameters. In this
    /// instance the types are different, and so are the values, unless one of the types is
    /// unknown.
    fn compare_different_types(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        scope: &Scope,
    ) -> Lowers<TermId> {
        for side in [left, right] {
            let ty = self.ground(&side.ty, scope);
            if self.is_unknown_type(&ty) {
                return self.unsupported(side.span, "a comparison of values whose types may be different");
            }
        }
        let is_polymorphic = |side: &Expr| matches!(&side.ty, Type::Map(map) if !map.type_params.is_empty());
        if self.is_modular() && is_polymorphic(left) && is_polymorphic(right) {
            // Boogie knows nothing of such a comparison, so nothing may depend on it.
            let sort = self.ir.pool.bool_sort();
            let unknown = self.ir.pool.declare_var("different types", sort);
            self.ir.constants.push(unknown);
            self.constants.insert(unknown);
            return Ok(self.ir.pool.var(unknown));
        }
        Ok(self.ir.pool.bool(op == BinaryOp::Neq))
    }

    /// The operands of `… op … op …`, from left to right.
    fn lower_chain(&mut self, op: BinaryOp, left: &Expr, right: &Expr, scope: &mut Scope) -> Lowers<Terms> {
        let mut stack = vec![right, left];
        let mut parts = Terms::new();
        while let Some(expr) = stack.pop() {
            match &expr.kind {
                ExprKind::Binary(inner, left, right) if *inner == op => stack.extend([&**right, &**left]),
                _ => parts.push(self.lower_expr(expr, scope)?),
            }
        }
        Ok(parts)
    }

    /// `a ==> (b ==> c)` is `!a || !b || c`.
    fn lower_implications(&mut self, left: &Expr, right: &Expr, scope: &mut Scope) -> Lowers<TermId> {
        let mut parts = Terms::new();
        let (mut left, mut right) = (left, right);
        loop {
            let antecedent = self.lower_expr(left, scope)?;
            parts.push(self.ir.pool.not(antecedent));
            match &right.kind {
                ExprKind::Binary(BinaryOp::Implies, a, b) => (left, right) = (a, b),
                _ => break,
            }
        }
        parts.push(self.lower_expr(right, scope)?);
        Ok(self.ir.pool.or(&parts))
    }

    /// Boogie's operators on floats round to nearest, ties to even. `==` is equality of values, not that of IEEE 754: the two zeros
    /// differ, and `NaN` equals itself (Boogie's own test `floats/Equal2.bpl` wants this; `fp.eq` is there as a `{:builtin}`).
    fn float_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let pool = &mut self.ir.pool;
        let bool_sort = pool.bool_sort();
        let float_sort = pool.sort_of(a);
        let arithmetic = match op {
            BinaryOp::Add => "fp.add",
            BinaryOp::Sub => "fp.sub",
            BinaryOp::Mul => "fp.mul",
            BinaryOp::RealDiv | BinaryOp::IntDiv => "fp.div",
            BinaryOp::Mod => return pool.theory("fp.rem", &[a, b], float_sort),
            BinaryOp::Lt => return pool.theory("fp.lt", &[a, b], bool_sort),
            BinaryOp::Le => return pool.theory("fp.leq", &[a, b], bool_sort),
            BinaryOp::Gt => return pool.theory("fp.gt", &[a, b], bool_sort),
            BinaryOp::Ge => return pool.theory("fp.geq", &[a, b], bool_sort),
            BinaryOp::Neq => {
                let eq = pool.eq(a, b);
                return pool.not(eq);
            }
            _ => return pool.eq(a, b),
        };
        let nearest_even = pool.rounding_mode(RoundingMode::NearestEven);
        pool.theory(arithmetic, &[nearest_even, a, b], float_sort)
    }
}
