//! Expressions: literals, names, applications; the other kinds are in [`super::operators`],
//! [`super::maps`], [`super::datatypes`] and [`super::binders`].

use std::sync::Arc;

use lariat_base::{Diagnostic, Span};
use num_bigint::BigUint;
use num_traits::One;

use super::declare::Callable;
use super::infer::{MAX_TYPE_SIZE, TypeArgument};
use super::{Candidates, Checker, StateAccess, literal, types};
use crate::ast;
use crate::typed::{Expr, ExprKind, FunctionId, Name, Type, TypeParamId, VarKind};

impl Checker<'_> {
    /// Checks an expression. Its types may have placeholders until the expression around it is finished.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.expr_of_kind(expr))
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr_of_kind(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        let (kind, ty) = match &expr.kind {
            ast::ExprKind::Bool(value) => (ExprKind::Bool(*value), Type::Bool),
            ast::ExprKind::Int(value) => (ExprKind::Int(value.clone()), Type::Int),
            ast::ExprKind::Real(text) => match literal::real(text) {
                Ok(value) => (ExprKind::Real(value), Type::Real),
                Err(message) => return self.bad_literal(span, message),
            },
            ast::ExprKind::Bv { value, width } => (self.bv_literal(value, *width, span), Type::Bv(*width)),
            ast::ExprKind::Float(text) => match literal::float(text) {
                Ok((ty, bits)) => (ExprKind::Float(bits), ty),
                Err(message) => return self.bad_literal(span, message),
            },
            ast::ExprKind::RoundingMode(mode) => (ExprKind::RoundingMode(*mode), Type::RoundingMode),
            ast::ExprKind::String(text) => (ExprKind::String(text.clone()), Type::String),
            ast::ExprKind::Var(name) => return self.variable(name),
            ast::ExprKind::Call(name, args) => {
                let args = self.exprs(args);
                return self.application(name, args, span);
            }
            ast::ExprKind::Convert(conversion, operand) => {
                return self.conversion(*conversion, operand, span);
            }
            ast::ExprKind::Old(operand) => {
                if self.state != StateAccess::PresentAndOld {
                    self.report(
                        Diagnostic::error("misplaced-old", span, "`old` is not allowed here")
                            .hint("`old` has a meaning only in postconditions and in bodies of procedures"),
                    );
                }
                let operand = self.expr(operand);
                let ty = operand.ty.clone();
                (ExprKind::Old(Box::new(operand)), ty)
            }
            ast::ExprKind::Unary(op, operand) => return self.unary(*op, operand, span),
            ast::ExprKind::Binary(op, left, right) => return self.binary(*op, left, right, span),
            ast::ExprKind::IfThenElse(condition, then, otherwise) => {
                return self.if_then_else(condition, then, otherwise, span);
            }
            ast::ExprKind::Select(map, indices) => return self.select(map, indices, span),
            ast::ExprKind::Store(map, indices, value) => return self.store(map, indices, value, span),
            ast::ExprKind::Extract { value, hi, lo } => return self.extract(value, *hi, *lo, span),
            ast::ExprKind::Field(value, field) => {
                let value = self.expr(value);
                return self.field(value, field, span);
            }
            ast::ExprKind::FieldUpdate(value, field, new) => {
                let (value, new) = (self.expr(value), self.expr(new));
                return self.field_update(value, field, new, span);
            }
            ast::ExprKind::Is(value, constructor) => return self.is_constructor(value, constructor, span),
            ast::ExprKind::Coerce(operand, ty) => {
                let ty = self.resolve_type(ty);
                let operand = self.expr(operand);
                if !self.infer.unify(&ty, &operand.ty) {
                    let (wanted, found) = (self.show(&ty), self.show(&operand.ty));
                    self.report(
                        Diagnostic::error(
                            "type-mismatch",
                            span,
                            format!("an expression of type `{found}` cannot have the type `{wanted}`"),
                        )
                        .label(format!("expected `{wanted}`, found `{found}`")),
                    );
                    return self.erroneous(span);
                }
                return Expr { ty, ..operand };
            }
            ast::ExprKind::Quantifier(quantifier) => return self.quantifier(quantifier, span),
            ast::ExprKind::Let {
                vars,
                values,
                attributes,
                body,
            } => {
                return self.let_expr(vars, values, attributes, body, span);
            }
            ast::ExprKind::Code(body) => return self.code_expr(body, span),
        };
        Expr { kind, ty, span }
    }

    fn bad_literal(&mut self, span: Span, message: String) -> Expr {
        self.error("invalid-literal", span, message);
        self.erroneous(span)
    }

    fn bv_literal(&mut self, value: &BigUint, width: u32, span: Span) -> ExprKind {
        if value.bits() <= u64::from(width) {
            return ExprKind::Bv(value.clone());
        }
        self.report(
            Diagnostic::warning(
                "literal-too-wide",
                span,
                format!("the value does not fit into {width} bits"),
            )
            .label("the high bits are dropped"),
        );
        ExprKind::Bv(value % (BigUint::one() << width))
    }

    fn variable(&mut self, name: &ast::Ident) -> Expr {
        let Some(id) = self.scope.get(&name.name) else {
            self.undeclared("undeclared-variable", "variable", name, Candidates::Variables);
            return self.erroneous(name.span);
        };
        let var = &self.program.vars[id];
        if self.state == StateAccess::None && var.kind == VarKind::Global {
            let declared = var.span;
            self.report(
                Diagnostic::error(
                    "global-not-allowed",
                    name.span,
                    format!("the global variable `{}` cannot be used here", name.name),
                )
                .label("axioms, functions and pure procedures speak of no state")
                .related(declared, "declared as a variable here"),
            );
            return self.erroneous(name.span);
        }
        Expr {
            kind: ExprKind::Var(id),
            ty: var.ty.clone(),
            span: name.span,
        }
    }

    /// `f(args)` with a function or a constructor.
    fn application(&mut self, name: &ast::Ident, args: Vec<Expr>, span: Span) -> Expr {
        match self.functions.get(&name.name).copied() {
            None => {
                self.undeclared("undeclared-function", "function", name, Candidates::Functions);
                self.erroneous(span)
            }
            Some(Callable::Function(id)) => self.function_application(id, name, args, span),
            Some(Callable::Constructor(constructor)) => self.construct(constructor, name, args, span),
        }
    }

    fn function_application(
        &mut self,
        id: FunctionId,
        name: &ast::Ident,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let function = &self.program.functions[id];
        if args.len() != function.params.len() {
            let (expected, declared) = (function.params.len(), function.span);
            return self.wrong_arity(name, "function", expected, args.len(), declared);
        }
        if function.type_params.is_empty() {
            let result = function.result.clone();
            for (index, arg) in args.iter().enumerate() {
                let param = self.program.functions[id].params[index];
                if !self.infer.unify(&self.program.vars[param].ty, &arg.ty) {
                    let formal = self.program.vars[param].ty.clone();
                    self.wrong_argument(name, index, &formal, arg);
                }
            }
            return Expr {
                kind: ExprKind::Apply(id, self.no_types.clone(), args),
                ty: result,
                span,
            };
        }
        let (params, type_params, result) = (
            function.params.clone(),
            function.type_params.clone(),
            function.result.clone(),
        );
        let substitution = self.fresh_type_args(&type_params, &name.name, span);
        let mut fits = true;
        for (index, (param, arg)) in params.iter().zip(&args).enumerate() {
            let formal = self
                .infer
                .substitute(&self.program.vars[*param].ty, &substitution);
            if !self.infer.unify(&formal, &arg.ty) {
                self.wrong_argument(name, index, &formal, arg);
                fits = false;
            }
        }
        // With a wrong argument the type arguments, and so the result, mean nothing.
        if !fits {
            return self.erroneous(span);
        }
        let ty = self.infer.substitute(&result, &substitution);
        if self.is_too_large(&ty, span) {
            return self.erroneous(span);
        }
        let type_args = substitution.into_iter().map(|(_, ty)| ty).collect();
        Expr {
            kind: ExprKind::Apply(id, type_args, args),
            ty,
            span,
        }
    }

    /// Placeholders for type arguments, in the order of the parameters.
    pub(super) fn fresh_type_args(
        &mut self,
        params: &[TypeParamId],
        owner: &Name,
        span: Span,
    ) -> types::Substitution {
        params
            .iter()
            .map(|&param| {
                let ty = self.infer.fresh();
                let name = self.infer.names[param].clone();
                let argument = TypeArgument {
                    ty: ty.clone(),
                    param: name,
                    owner: owner.clone(),
                    span,
                };
                self.infer.type_arguments.push(argument);
                (param, ty)
            })
            .collect()
    }

    /// Types that double with each nested application would make every later walk endless.
    pub(super) fn is_too_large(&mut self, ty: &Type, span: Span) -> bool {
        let too_large = self.infer.is_too_large(ty);
        if too_large {
            self.error(
                "type-too-large",
                span,
                format!("the type of the expression has more than {MAX_TYPE_SIZE} parts"),
            );
        }
        too_large
    }

    pub(super) fn wrong_arity(
        &mut self,
        name: &ast::Ident,
        what: &str,
        expected: usize,
        found: usize,
        declared: Span,
    ) -> Expr {
        self.report(
            Diagnostic::error(
                "wrong-argument-count",
                name.span,
                format!(
                    "the {what} `{}` takes {expected} arguments, not {found}",
                    name.name
                ),
            )
            .related(declared, "declared here"),
        );
        self.erroneous(name.span)
    }

    pub(super) fn wrong_argument(&mut self, name: &ast::Ident, index: usize, formal: &Type, arg: &Expr) {
        let (expected, found) = (self.show(formal), self.show(&arg.ty));
        self.report(
            Diagnostic::error(
                "type-mismatch",
                arg.span,
                format!(
                    "argument {} of `{}` must be of type `{expected}`, not `{found}`",
                    index + 1,
                    name.name
                ),
            )
            .label(format!("expected `{expected}`, found `{found}`")),
        );
    }

    pub(super) fn type_args(&self, substitution: types::Substitution) -> Arc<[Type]> {
        if substitution.is_empty() {
            self.no_types.clone()
        } else {
            substitution.into_iter().map(|(_, ty)| ty).collect()
        }
    }
}
