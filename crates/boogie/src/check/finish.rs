//! The end of inference for a complete expression or statement: what is still open is
//! decided, and every placeholder in the tree is replaced by its type.
//!
//! Most statements have no placeholders; nothing is done for them.

use std::sync::Arc;

use lariat_base::Diagnostic;

use super::Checker;
use super::infer::MAX_TYPE_SIZE;
use super::types::is_error;
use crate::typed::{
    Attribute, AttributeParam, Attributes, BinaryOp, Body, Expr, ExprKind, Invariant, Stmt, StmtKind, Type,
};

impl Checker<'_> {
    /// Finishes an expression that stands alone.
    pub(super) fn finish_expr(&mut self, expr: &mut Expr) {
        if self.settle() {
            self.replace_in_expr(expr);
            self.infer.clear();
        }
    }

    /// Decides all types that are open; false if there is nothing to replace. Then the caller
    /// replaces placeholders in what it has made and clears the inference. Inside a code
    /// expression this is left to the expression around it.
    pub(super) fn settle(&mut self) -> bool {
        self.settle_as(false)
    }

    pub(super) fn settle_attributes(&mut self) -> bool {
        self.settle_as(true)
    }

    fn settle_as(&mut self, in_attribute: bool) -> bool {
        if self.infer.is_idle() || self.code_depth > 0 {
            return false;
        }
        let arguments = std::mem::take(&mut self.infer.type_arguments);
        for argument in &arguments {
            if !self.infer.is_undetermined(&argument.ty) || self.diagnostics.has_errors() {
                continue;
            }
            // Arguments that depend on this one are then determined, and not reported again.
            if !self.infer.is_too_large(&argument.ty) {
                self.infer.default_to_int(&argument.ty);
            }
            let message = format!(
                "nothing determines the type argument `{}` of `{}`",
                argument.param, argument.owner
            );
            let hint = "give the expression a type, as in `(e: t)`";
            self.report(if in_attribute {
                Diagnostic::error("ambiguous-type", argument.span, message).hint(hint)
            } else {
                Diagnostic::warning("ambiguous-type", argument.span, message)
                    .label("taken to be `int`")
                    .hint(hint)
            });
        }
        self.infer.apply_defaults();
        if self.infer.has_too_large() {
            let message = format!("a type in an expression has more than {MAX_TYPE_SIZE} parts");
            self.report(match arguments.first() {
                Some(argument) => Diagnostic::error("type-too-large", argument.span, message),
                None => Diagnostic::global_error("type-too-large", message),
            });
            self.infer.clear();
            return false;
        }
        for var in std::mem::take(&mut self.infer.vars) {
            let ty = self.program.vars[var].ty.clone();
            self.program.vars[var].ty = self.infer.resolved(&ty);
            let mut attributes = std::mem::take(&mut self.program.vars[var].attributes);
            self.replace_in_attributes(&mut attributes);
            self.program.vars[var].attributes = attributes;
            if let Some(mut where_clause) = self.program.vars[var].where_clause.take() {
                self.replace_in_expr(&mut where_clause);
                self.program.vars[var].where_clause = Some(where_clause);
            }
        }
        true
    }

    pub(super) fn replace_in_types(&mut self, types: &mut Arc<[Type]>) {
        if !types.is_empty() {
            *types = types.iter().map(|ty| self.infer.resolved(ty)).collect();
        }
    }

    pub(super) fn replace_in_attribute(&mut self, attribute: &mut Attribute) {
        for param in &mut attribute.params {
            if let AttributeParam::Expr(expr) = param {
                self.replace_in_expr(expr);
            }
        }
    }

    fn replace_in_attributes(&mut self, attributes: &mut Attributes) {
        for attribute in &mut attributes.0 {
            self.replace_in_attribute(attribute);
        }
    }

    pub(super) fn replace_in_expr(&mut self, expr: &mut Expr) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.replace_in_expr_here(expr));
    }

    fn replace_in_exprs(&mut self, exprs: &mut [Expr]) {
        for expr in exprs {
            self.replace_in_expr(expr);
        }
    }

    fn replace_in_expr_here(&mut self, expr: &mut Expr) {
        expr.ty = self.infer.resolved(&expr.ty);
        match &mut expr.kind {
            ExprKind::Apply(_, type_args, args) | ExprKind::Construct(_, type_args, args) => {
                self.replace_in_types(type_args);
                self.replace_in_exprs(args);
            }
            ExprKind::Field { value, .. }
            | ExprKind::Is(value, _)
            | ExprKind::Old(value)
            | ExprKind::Unary(_, value)
            | ExprKind::Convert(_, value)
            | ExprKind::Extract { value, .. } => self.replace_in_expr(value),
            ExprKind::FieldUpdate { value, new, .. } => {
                self.replace_in_expr(value);
                self.replace_in_expr(new);
            }
            ExprKind::Binary(op, left, right) => {
                self.replace_in_expr(left);
                self.replace_in_expr(right);
                if *op == BinaryOp::Concat {
                    self.check_concatenation(&expr.ty, &left.ty, &right.ty, expr.span);
                }
            }
            ExprKind::IfThenElse(condition, then, otherwise) => {
                self.replace_in_expr(condition);
                self.replace_in_expr(then);
                self.replace_in_expr(otherwise);
            }
            ExprKind::Select {
                map,
                indices,
                type_args,
            } => {
                self.replace_in_expr(map);
                self.replace_in_exprs(indices);
                self.replace_in_types(type_args);
                self.complete_type_args(type_args, &map.ty, indices, &expr.ty);
            }
            ExprKind::Store {
                map,
                indices,
                value,
                type_args,
            } => {
                self.replace_in_expr(map);
                self.replace_in_exprs(indices);
                self.replace_in_expr(value);
                self.replace_in_types(type_args);
                self.complete_type_args(type_args, &map.ty, indices, &value.ty);
            }
            ExprKind::Quantifier(quantifier) => {
                for trigger in &mut quantifier.triggers {
                    self.replace_in_exprs(trigger);
                }
                self.replace_in_exprs(&mut quantifier.no_patterns);
                self.replace_in_attributes(&mut quantifier.attributes);
                self.replace_in_expr(&mut quantifier.body);
            }
            ExprKind::Let { bindings, body } => {
                for (_, value) in bindings {
                    self.replace_in_expr(value);
                }
                self.replace_in_expr(body);
            }
            ExprKind::Code(body) => self.replace_in_body(body),
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Bv(_)
            | ExprKind::Float(_)
            | ExprKind::RoundingMode(_)
            | ExprKind::String(_)
            | ExprKind::Var(_) => {}
        }
    }

    /// The type arguments of an application of a map whose type was not known then.
    fn complete_type_args(
        &mut self,
        type_args: &mut Arc<[Type]>,
        map: &Type,
        indices: &[Expr],
        result: &Type,
    ) {
        let Type::Map(map) = map else { return };
        if map.type_params.len() == type_args.len() {
            return;
        }
        let args: Vec<Type> = map.type_params.iter().map(|_| self.infer.fresh()).collect();
        let (expected_indices, expected_result) = self.infer.instantiate_map(map, &args);
        for (expected, index) in expected_indices.iter().zip(indices) {
            self.infer.unify(expected, &index.ty);
        }
        self.infer.unify(&expected_result, result);
        self.infer.apply_defaults();
        *type_args = args.iter().map(|ty| self.infer.resolved(ty)).collect();
    }

    /// Widths that were left open are chosen one by one, which can miss the sum. The result
    /// may be wider than the operands together: Boogie lets that pass (SMACK's prelude has such a function),
    /// and no execution can use it.
    fn check_concatenation(&mut self, ty: &Type, left: &Type, right: &Type, span: lariat_base::Span) {
        let fits = match (ty, left, right) {
            (Type::Bv(width), Type::Bv(left), Type::Bv(right)) => {
                left.checked_add(*right).is_some_and(|sum| sum <= *width)
            }
            _ => is_error(ty) || is_error(left) || is_error(right),
        };
        if !fits {
            self.report(
                Diagnostic::error(
                    "ambiguous-type",
                    span,
                    "the widths of the concatenated bit-vectors are not determined",
                )
                .hint("give the operands a type, as in `(e: bv8)`"),
            );
        }
    }

    fn replace_in_body(&mut self, body: &mut Body) {
        self.replace_in_stmts(&mut body.stmts);
    }

    fn replace_in_stmts(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.replace_in_stmt(stmt));
        }
    }

    fn replace_in_invariant(&mut self, invariant: &mut Invariant) {
        self.replace_in_expr(&mut invariant.expr);
        self.replace_in_attributes(&mut invariant.attributes);
    }

    fn replace_in_stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Assert { expr, attributes } | StmtKind::Assume { expr, attributes } => {
                self.replace_in_expr(expr);
                self.replace_in_attributes(attributes);
            }
            StmtKind::Assign(assignments) => {
                for (_, value) in assignments {
                    self.replace_in_expr(value);
                }
            }
            StmtKind::Unpack { type_args, value, .. } => {
                self.replace_in_types(type_args);
                self.replace_in_expr(value);
            }
            StmtKind::Call(call) => {
                self.replace_in_types(&mut call.type_args);
                for arg in call.args.iter_mut().flatten() {
                    self.replace_in_expr(arg);
                }
                self.replace_in_attributes(&mut call.attributes);
            }
            StmtKind::CallForall {
                type_args,
                args,
                attributes,
                ..
            } => {
                self.replace_in_types(type_args);
                for arg in args.iter_mut().flatten() {
                    self.replace_in_expr(arg);
                }
                self.replace_in_attributes(attributes);
            }
            StmtKind::If {
                guard,
                then_branch,
                else_branch,
                ..
            } => {
                if let Some(guard) = guard {
                    self.replace_in_expr(guard);
                }
                self.replace_in_stmts(then_branch);
                self.replace_in_stmts(else_branch);
            }
            StmtKind::While {
                guard,
                invariants,
                measure,
                body,
            } => {
                if let Some(guard) = guard {
                    self.replace_in_expr(guard);
                }
                for component in measure.iter_mut().flat_map(|measure| &mut measure.exprs) {
                    self.replace_in_expr(component);
                }
                for invariant in invariants {
                    self.replace_in_invariant(invariant);
                }
                self.replace_in_stmts(body);
            }
            StmtKind::ReturnExpr(expr) => self.replace_in_expr(expr),
            StmtKind::Label(_)
            | StmtKind::Havoc(_)
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Visibility(_) => {}
        }
    }
}

/// Calls `visit` on an expression and all expressions in it, except in code expressions.
pub(super) fn visit_expr(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
        visit(expr);
        match &expr.kind {
            ExprKind::Apply(_, _, args) | ExprKind::Construct(_, _, args) => {
                args.iter().for_each(|arg| visit_expr(arg, visit));
            }
            ExprKind::Field { value, .. }
            | ExprKind::Is(value, _)
            | ExprKind::Old(value)
            | ExprKind::Unary(_, value)
            | ExprKind::Convert(_, value)
            | ExprKind::Extract { value, .. } => visit_expr(value, visit),
            ExprKind::FieldUpdate { value, new, .. } => {
                visit_expr(value, visit);
                visit_expr(new, visit);
            }
            ExprKind::Binary(_, left, right) => {
                visit_expr(left, visit);
                visit_expr(right, visit);
            }
            ExprKind::IfThenElse(condition, then, otherwise) => {
                visit_expr(condition, visit);
                visit_expr(then, visit);
                visit_expr(otherwise, visit);
            }
            ExprKind::Select { map, indices, .. } => {
                visit_expr(map, visit);
                indices.iter().for_each(|index| visit_expr(index, visit));
            }
            ExprKind::Store {
                map, indices, value, ..
            } => {
                visit_expr(map, visit);
                indices.iter().for_each(|index| visit_expr(index, visit));
                visit_expr(value, visit);
            }
            ExprKind::Quantifier(quantifier) => {
                quantifier
                    .triggers
                    .iter()
                    .flatten()
                    .for_each(|expr| visit_expr(expr, visit));
                quantifier
                    .no_patterns
                    .iter()
                    .for_each(|expr| visit_expr(expr, visit));
                visit_expr(&quantifier.body, visit);
            }
            ExprKind::Let { bindings, body } => {
                bindings.iter().for_each(|(_, value)| visit_expr(value, visit));
                visit_expr(body, visit);
            }
            ExprKind::Code(_)
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Bv(_)
            | ExprKind::Float(_)
            | ExprKind::RoundingMode(_)
            | ExprKind::String(_)
            | ExprKind::Var(_) => {}
        }
    });
}
