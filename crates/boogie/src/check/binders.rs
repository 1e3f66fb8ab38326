//! Expressions that bind variables: quantifiers, lambdas, `let`, code expressions.

use lariat_base::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use super::finish::visit_expr;
use super::labels::{BodyContext, BodyKind};
use super::procedure::closing_brace;
use super::{Checker, types};
use crate::ast;
use crate::typed::{Body, Expr, ExprKind, Quantifier, QuantifierKind, Type, TypeParamId, VarId, VarKind};

impl Checker<'_> {
    pub(super) fn quantifier(&mut self, quantifier: &ast::Quantifier, span: Span) -> Expr {
        self.refuse_in_trigger(span, "quantifiers");
        let outer_trigger = std::mem::replace(&mut self.in_trigger, false);
        let outer_binders = self.type_binders.len();
        let type_params = self.bind_type_params(&quantifier.type_params);
        self.scope.open();
        let bound = self.bind_variables(&quantifier.bound);
        let attributes = self.attributes_inside(&quantifier.attributes);
        let mut triggers = Vec::new();
        let mut no_patterns = Vec::new();
        for trigger in &quantifier.triggers {
            let exprs = self.trigger(trigger, &bound);
            if trigger.negative {
                no_patterns.extend(exprs);
            } else {
                triggers.push((exprs, trigger.span));
            }
        }
        let body = self.expr(&quantifier.body);
        self.scope.close();
        self.type_binders.truncate(outer_binders);
        self.in_trigger = outer_trigger;

        let index_types: Vec<Type> = bound
            .iter()
            .map(|&var| self.program.vars[var].ty.clone())
            .collect();
        let type_params = types::sort_params(&type_params, index_types.iter());
        self.check_type_params_occur(quantifier.kind, &type_params, &index_types, &triggers, span);
        let ty = match quantifier.kind {
            QuantifierKind::Lambda => {
                // The type parameters are closed over now, so what inference knows of them must be in place.
                let result = self.infer.resolved(&body.ty);
                let ty = self.infer.map_type(&type_params, index_types, result);
                if self.is_too_large(&ty, span) {
                    return self.erroneous(span);
                }
                ty
            }
            QuantifierKind::Forall | QuantifierKind::Exists => {
                self.expect_type(&body, &Type::Bool, "type-mismatch", "the body of a quantifier");
                Type::Bool
            }
        };
        let triggers = triggers.into_iter().map(|(exprs, _)| exprs).collect();
        let quantifier = Quantifier {
            kind: quantifier.kind,
            type_params,
            bound,
            triggers,
            no_patterns,
            attributes,
            body,
        };
        Expr {
            kind: ExprKind::Quantifier(Box::new(quantifier)),
            ty,
            span,
        }
    }

    fn bind_variables(&mut self, bound: &[ast::TypedIdent]) -> Vec<VarId> {
        self.check_distinct("bound variable", bound.iter().map(|var| &var.name));
        let vars: Vec<VarId> = bound
            .iter()
            .map(|var| {
                let ty = self.resolve_type(&var.ty);
                let id = self.new_var(&var.name, ty, VarKind::Bound);
                let _ = self.scope.declare(&var.name.name, id);
                id
            })
            .collect();
        for (var, &id) in bound.iter().zip(&vars) {
            if !var.attributes.is_empty() {
                self.program.vars[id].attributes = self.attributes_inside(&var.attributes);
                if !self.infer.is_idle() {
                    self.infer.vars.push(id);
                }
            }
            if let Some(where_clause) = &var.where_clause {
                self.error(
                    "misplaced-where",
                    where_clause.span,
                    "a bound variable cannot have a `where` clause",
                );
            }
        }
        vars
    }

    fn trigger(&mut self, trigger: &ast::Trigger, bound: &[VarId]) -> Vec<Expr> {
        let errors = self.diagnostics.error_count();
        let outer = std::mem::replace(&mut self.in_trigger, true);
        let exprs = self.exprs(&trigger.exprs);
        self.in_trigger = outer;
        for expr in &trigger.exprs {
            if let ast::ExprKind::Var(name) = &expr.kind {
                self.error(
                    "invalid-trigger",
                    expr.span,
                    format!(
                        "a trigger must be more than the variable `{}` by itself",
                        name.name
                    ),
                );
            }
        }
        if !trigger.negative && self.diagnostics.error_count() == errors {
            let mut mentioned = FxHashSet::default();
            for expr in &exprs {
                visit_expr(expr, &mut |expr| {
                    if let ExprKind::Var(var) = expr.kind {
                        mentioned.insert(var);
                    }
                });
            }
            for var in bound.iter().filter(|var| !mentioned.contains(var)) {
                let name = self.program.vars[*var].name.clone();
                self.error(
                    "invalid-trigger",
                    trigger.span,
                    format!("the trigger does not mention the bound variable `{name}`"),
                );
            }
        }
        exprs
    }

    /// A type parameter must occur in the types of the bound variables or, for quantifiers,
    /// in every trigger.
    fn check_type_params_occur(
        &mut self,
        kind: QuantifierKind,
        type_params: &[TypeParamId],
        bound_types: &[Type],
        triggers: &[(Vec<Expr>, Span)],
        span: Span,
    ) {
        let mut found = Vec::new();
        for ty in bound_types {
            types::free_params(ty, &mut found);
        }
        for &param in type_params.iter().filter(|param| !found.contains(param)) {
            let name = self.infer.names[param].clone();
            if kind == QuantifierKind::Lambda {
                self.error(
                    "unused-type-parameter",
                    span,
                    format!(
                        "the type parameter `{name}` does not occur in the types of the lambda's variables"
                    ),
                );
                continue;
            }
            for (trigger, trigger_span) in triggers {
                let mut mentioned = false;
                for expr in trigger {
                    visit_expr(expr, &mut |expr| {
                        mentioned |= self.infer.mentions(&expr.ty, &|id| id == param);
                        if let ExprKind::Apply(_, type_args, _) | ExprKind::Construct(_, type_args, _) =
                            &expr.kind
                        {
                            mentioned |= type_args
                                .iter()
                                .any(|ty| self.infer.mentions(ty, &|id| id == param));
                        }
                    });
                }
                if !mentioned {
                    self.error(
                        "invalid-trigger",
                        *trigger_span,
                        format!(
                            "the trigger does not mention the type parameter `{name}`, nor do the types of the bound variables"
                        ),
                    );
                }
            }
        }
    }

    pub(super) fn let_expr(
        &mut self,
        vars: &[ast::LetVar],
        values: &[ast::Expr],
        attributes: &[ast::Attribute],
        body: &ast::Expr,
        span: Span,
    ) -> Expr {
        let values = self.exprs(values);
        if vars.len() != values.len() {
            self.error(
                "assignment-count",
                span,
                format!("{} variables are bound to {} values", vars.len(), values.len()),
            );
        }
        self.check_distinct("bound variable", vars.iter().map(|var| &var.name));
        self.scope.open();
        let ids: Vec<VarId> = vars
            .iter()
            .enumerate()
            .map(|(index, var)| {
                let ty = values
                    .get(index)
                    .map_or_else(types::error_type, |value| value.ty.clone());
                let id = self.new_var(&var.name, ty, VarKind::Bound);
                let _ = self.scope.declare(&var.name.name, id);
                if !self.infer.is_idle() {
                    self.infer.vars.push(id);
                }
                id
            })
            .collect();
        for (var, &id) in vars.iter().zip(&ids) {
            if !var.attributes.is_empty() {
                self.program.vars[id].attributes = self.attributes_inside(&var.attributes);
            }
        }
        self.attributes_inside(attributes);
        let body = self.expr(body);
        self.scope.close();
        let ty = body.ty.clone();
        let bindings = ids.into_iter().zip(values).collect();
        Expr {
            kind: ExprKind::Let {
                bindings,
                body: Box::new(body),
            },
            ty,
            span,
        }
    }

    /// `|{ … }|`: a body of its own that returns a Boolean.
    pub(super) fn code_expr(&mut self, body: &ast::Body, span: Span) -> Expr {
        if self.in_trigger {
            self.report(Diagnostic::error(
                "invalid-trigger",
                span,
                "code expressions are not allowed in triggers",
            ));
        }
        let outer_trigger = std::mem::replace(&mut self.in_trigger, false);
        let outer_body = std::mem::replace(&mut self.body, BodyContext::new(BodyKind::Code));
        self.code_depth += 1;
        self.scope.open();
        self.collect_labels(&body.stmts);
        let locals = self.locals(body);
        let stmts = self.statements(&body.stmts);
        self.scope.close();
        self.code_depth -= 1;
        self.body = outer_body;
        self.in_trigger = outer_trigger;
        let body = Body {
            locals,
            stmts,
            end: closing_brace(body.span),
        };
        Expr {
            kind: ExprKind::Code(Box::new(body)),
            ty: Type::Bool,
            span,
        }
    }
}
