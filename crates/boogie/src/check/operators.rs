//! Operators on numbers, Booleans and bit-vectors.
//!
//! The arithmetic operators are overloaded on `int`, `real` and the floating-point types. As in
//! Boogie, an operand of unknown type is taken to be an integer where an integer is allowed.

use lariat_base::{Diagnostic, Span};

use super::Checker;
use super::types::{error_type, is_error};
use crate::ast;
use crate::typed::{BinaryOp, Conversion, Expr, ExprKind, Type, UnaryOp};

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        if op == UnaryOp::Not {
            self.refuse_in_trigger(span, "Boolean operators");
        }
        let operand = self.expr(operand);
        let fits = match op {
            UnaryOp::Not => self.infer.unify(&Type::Bool, &operand.ty),
            UnaryOp::Neg => {
                self.infer.unify(&Type::Int, &operand.ty)
                    || self.infer.unify(&Type::Real, &operand.ty)
                    || matches!(self.infer.head(&operand.ty), Type::Float { .. })
            }
        };
        if !fits {
            let found = self.show(&operand.ty);
            let (operator, expected) = match op {
                UnaryOp::Not => ("!", "`bool`"),
                UnaryOp::Neg => ("-", "a number"),
            };
            self.report(
                Diagnostic::error(
                    "type-mismatch",
                    operand.span,
                    format!("the operand of `{operator}` must be {expected}, not of type `{found}`"),
                )
                .label(format!("expected {expected}, found `{found}`")),
            );
            return self.erroneous(span);
        }
        let ty = operand.ty.clone();
        Expr {
            kind: ExprKind::Unary(op, Box::new(operand)),
            ty,
            span,
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        self.check_operator_in_trigger(op, span);
        let left = self.expr(left);
        let right = self.expr(right);
        if is_error(&left.ty) || is_error(&right.ty) {
            return self.erroneous_operation(op, span);
        }
        let ty = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.common_number(&left.ty, &right.ty),
            BinaryOp::IntDiv | BinaryOp::Mod => {
                self.both(&Type::Int, &left.ty, &right.ty).then_some(Type::Int)
            }
            BinaryOp::Pow => self.both(&Type::Real, &left.ty, &right.ty).then_some(Type::Real),
            BinaryOp::RealDiv => return self.division(left, right, span),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.common_number(&left.ty, &right.ty).map(|_| Type::Bool)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::ImpliedBy | BinaryOp::Iff => {
                self.both(&Type::Bool, &left.ty, &right.ty).then_some(Type::Bool)
            }
            BinaryOp::Eq | BinaryOp::Neq => {
                (left.ty == right.ty || self.infer.unify_flexibly(&left.ty, &right.ty)).then_some(Type::Bool)
            }
            BinaryOp::Concat => self.infer.concatenation(&left.ty, &right.ty),
        };
        let Some(ty) = ty else {
            self.wrong_operands(op, &left, &right, span);
            return self.erroneous_operation(op, span);
        };
        let kind = match op {
            BinaryOp::ImpliedBy => ExprKind::Binary(BinaryOp::Implies, Box::new(right), Box::new(left)),
            _ => ExprKind::Binary(op, Box::new(left), Box::new(right)),
        };
        Expr { kind, ty, span }
    }

    /// `/` gives a real, also for integers, or divides floating-point numbers.
    fn division(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        let is_int_or_real = |checker: &mut Self, ty: &Type| {
            checker.infer.unify(&Type::Int, ty) || checker.infer.unify(&Type::Real, ty)
        };
        let ty = if is_int_or_real(self, &left.ty) && is_int_or_real(self, &right.ty) {
            Type::Real
        } else {
            match (self.infer.head(&left.ty), self.infer.head(&right.ty)) {
                (left @ Type::Float { .. }, right) if left == right => left,
                _ => {
                    self.wrong_operands(BinaryOp::RealDiv, &left, &right, span);
                    return self.erroneous(span);
                }
            }
        };
        let (left, right) = (self.as_real(left), self.as_real(right));
        Expr {
            kind: ExprKind::Binary(BinaryOp::RealDiv, Box::new(left), Box::new(right)),
            ty,
            span,
        }
    }

    fn as_real(&self, operand: Expr) -> Expr {
        if self.infer.head(&operand.ty) != Type::Int {
            return operand;
        }
        let span = operand.span;
        Expr {
            kind: ExprKind::Convert(Conversion::ToReal, Box::new(operand)),
            ty: Type::Real,
            span,
        }
    }

    /// The result of an operation with an error: it is known for predicates, which spares
    /// messages about what is around them.
    fn erroneous_operation(&self, op: BinaryOp, span: Span) -> Expr {
        let ty = match op {
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::RealDiv
            | BinaryOp::IntDiv
            | BinaryOp::Mod
            | BinaryOp::Pow
            | BinaryOp::Concat => error_type(),
            _ => Type::Bool,
        };
        Expr {
            ty,
            ..self.erroneous(span)
        }
    }

    fn both(&mut self, wanted: &Type, left: &Type, right: &Type) -> bool {
        self.infer.unify(wanted, left) && self.infer.unify(wanted, right)
    }

    /// The number type that both operands have.
    fn common_number(&mut self, left: &Type, right: &Type) -> Option<Type> {
        if self.both(&Type::Int, left, right) {
            return Some(Type::Int);
        }
        if self.both(&Type::Real, left, right) {
            return Some(Type::Real);
        }
        match (self.infer.head(left), self.infer.head(right)) {
            (left @ Type::Float { .. }, right) if left == right => Some(left),
            _ => None,
        }
    }

    fn wrong_operands(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) {
        let (left_type, right_type) = (self.show(&left.ty), self.show(&right.ty));
        let expected = match op {
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => "two numbers of the same type",
            BinaryOp::RealDiv => "two numbers",
            BinaryOp::IntDiv | BinaryOp::Mod => "two operands of type `int`",
            BinaryOp::Pow => "two operands of type `real`",
            BinaryOp::Eq | BinaryOp::Neq => "two operands whose types can be the same",
            BinaryOp::Concat => "two bit-vectors",
            _ => "two operands of type `bool`",
        };
        let mut diagnostic = Diagnostic::error(
            "type-mismatch",
            span,
            format!(
                "the operator `{}` cannot be applied to `{left_type}` and `{right_type}`",
                symbol(op)
            ),
        )
        .label(format!("expected {expected}"));
        let is_bv = |ty: &str| ty.starts_with("bv");
        if is_bv(&left_type) && is_bv(&right_type) && op != BinaryOp::Eq && op != BinaryOp::Neq {
            diagnostic = diagnostic
                .hint("bit-vector operations are functions, for example `function {:bvbuiltin \"bvadd\"} add(bv8, bv8): bv8`");
        } else if matches!((&*left_type, &*right_type), ("int", "real") | ("real", "int")) {
            diagnostic = diagnostic.hint("convert with `real(…)` or `int(…)`");
        }
        self.report(diagnostic);
    }

    pub(super) fn refuse_in_trigger(&mut self, span: Span, what: &str) {
        if self.in_trigger {
            self.error(
                "invalid-trigger",
                span,
                format!("{what} are not allowed in triggers"),
            );
        }
    }

    fn check_operator_in_trigger(&mut self, op: BinaryOp, span: Span) {
        if !self.in_trigger {
            return;
        }
        match op {
            BinaryOp::Eq => self.refuse_in_trigger(span, "equalities"),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.refuse_in_trigger(span, "comparisons")
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::ImpliedBy | BinaryOp::Iff => {
                self.refuse_in_trigger(span, "Boolean operators");
            }
            _ => {}
        }
    }

    pub(super) fn conversion(&mut self, conversion: Conversion, operand: &ast::Expr, span: Span) -> Expr {
        let operand = self.expr(operand);
        let (from, to, what) = match conversion {
            Conversion::ToInt => (Type::Real, Type::Int, "the operand of `int(…)`"),
            Conversion::ToReal => (Type::Int, Type::Real, "the operand of `real(…)`"),
        };
        self.expect_type(&operand, &from, "type-mismatch", what);
        Expr {
            kind: ExprKind::Convert(conversion, Box::new(operand)),
            ty: to,
            span,
        }
    }

    pub(super) fn if_then_else(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Expr {
        let (condition, then, otherwise) = (self.expr(condition), self.expr(then), self.expr(otherwise));
        self.expect_type(&condition, &Type::Bool, "type-mismatch", "the condition of `if`");
        if !self.infer.unify(&then.ty, &otherwise.ty) {
            let (then_type, else_type) = (self.show(&then.ty), self.show(&otherwise.ty));
            self.report(
                Diagnostic::error(
                    "type-mismatch",
                    span,
                    format!("the branches have different types `{then_type}` and `{else_type}`"),
                )
                .related(then.span, format!("this is of type `{then_type}`"))
                .related(otherwise.span, format!("this is of type `{else_type}`")),
            );
            return self.erroneous(span);
        }
        let ty = if is_error(&then.ty) {
            otherwise.ty.clone()
        } else {
            then.ty.clone()
        };
        Expr {
            kind: ExprKind::IfThenElse(Box::new(condition), Box::new(then), Box::new(otherwise)),
            ty,
            span,
        }
    }

    /// `e[hi:lo]`
    pub(super) fn extract(&mut self, value: &ast::Expr, hi: u32, lo: u32, span: Span) -> Expr {
        let value = self.expr(value);
        if hi < lo {
            self.error(
                "invalid-extract",
                span,
                format!("bits {lo} to {hi} are no range: the first number is the upper, exclusive bound"),
            );
            return self.erroneous(span);
        }
        let fits = match self.infer.head(&value.ty) {
            Type::Bv(width) => hi <= width,
            unknown => {
                let at_least = self.infer.fresh_bv(hi);
                self.infer.unify(&at_least, &unknown)
            }
        };
        if !fits {
            let found = self.show(&value.ty);
            self.report(
                Diagnostic::error(
                    "invalid-extract",
                    value.span,
                    format!("bits {lo} to {hi} can only be taken from a bit-vector of at least {hi} bits"),
                )
                .label(format!("this is of type `{found}`")),
            );
            return self.erroneous(span);
        }
        Expr {
            kind: ExprKind::Extract {
                value: Box::new(value),
                hi,
                lo,
            },
            ty: Type::Bv(hi - lo),
            span,
        }
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iff => "<==>",
        BinaryOp::Implies => "==>",
        BinaryOp::ImpliedBy => "<==",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Eq => "==",
        BinaryOp::Neq => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Concat => "++",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::IntDiv => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::RealDiv => "/",
        BinaryOp::Pow => "**",
    }
}
