//! `forall` and `exists`, also over types.

use lariat_boogie::typed::{Expr, Quantifier as SourceQuantifier, QuantifierKind as SourceKind, Type};
use lariat_term::{FunId, Op, Quantifier, QuantifierKind, TermId, VarId as PoolVar};
use num_traits::ToPrimitive;

use crate::expr::Terms;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

impl Lowering<'_> {
    pub(crate) fn lower_quantifier(
        &mut self,
        quantifier: &SourceQuantifier,
        expr: &Expr,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let kind = match quantifier.kind {
            SourceKind::Forall => QuantifierKind::Forall,
            SourceKind::Exists => QuantifierKind::Exists,
            SourceKind::Lambda => return self.lower_lambda(quantifier, expr, scope),
        };
        if quantifier.type_params.is_empty() {
            return self.lower_ground_quantifier(quantifier, kind, scope);
        }
        // Over types: the conjunction (disjunction) of the instances that the program uses.
        let mut parts = Terms::new();
        for args in self.type_instances(quantifier, scope) {
            let part = self.with_types(quantifier, &args, scope, |lowering, scope| {
                lowering.lower_ground_quantifier(quantifier, kind, scope)
            });
            parts.push(part?);
        }
        Ok(match kind {
            QuantifierKind::Forall => self.ir.pool.and(&parts),
            QuantifierKind::Exists => self.ir.pool.or(&parts),
        })
    }

    /// Runs `inner` with the quantifier's type parameters bound.
    pub(crate) fn with_types<T>(
        &mut self,
        quantifier: &SourceQuantifier,
        args: &[Type],
        scope: &mut Scope,
        inner: impl FnOnce(&mut Self, &mut Scope) -> T,
    ) -> T {
        scope.bind_types(&quantifier.type_params, args);
        let result = inner(self, scope);
        for param in &quantifier.type_params {
            scope.types.remove(param);
        }
        result
    }

    fn lower_ground_quantifier(
        &mut self,
        quantifier: &SourceQuantifier,
        kind: QuantifierKind,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let bound: Vec<PoolVar> = quantifier
            .bound
            .iter()
            .map(|&var| self.declare_in(var, scope))
            .collect();
        let body = self.lower_expr(&quantifier.body, scope)?;
        if self.ir.pool.as_bool(body).is_some() || bound.is_empty() {
            return Ok(body);
        }
        let mut triggers: Vec<Box<[TermId]>> = Vec::new();
        for trigger in &quantifier.triggers {
            let terms = self.lower_exprs(trigger, scope)?;
            if self.is_usable_trigger(&terms, &bound) {
                triggers.push(terms.as_slice().into());
            }
        }
        let mut no_patterns = Terms::new();
        for expr in &quantifier.no_patterns {
            let term = self.lower_expr(expr, scope)?;
            if self.is_pattern(term) {
                no_patterns.push(term);
            }
        }
        self.add_never_patterns(body, &bound, &mut no_patterns);
        let weight = quantifier.attributes.int("weight").and_then(ToPrimitive::to_u32);
        Ok(self.ir.pool.quantifier_term(Quantifier {
            kind,
            bound: bound.into(),
            triggers: triggers.into(),
            no_patterns: no_patterns.as_slice().into(),
            body,
            weight,
        }))
    }

    /// Applications of `{:never_pattern}` functions are no patterns.
    fn add_never_patterns(&self, body: TermId, bound: &[PoolVar], no_patterns: &mut Terms) {
        let Some(modular) = &self.modular else {
            return;
        };
        let pool = &self.ir.pool;
        let is_never = |fun: &FunId| {
            let function = modular.info.functions.get(fun);
            function
                .is_some_and(|&function| self.source.functions[function].attributes.is_set("never_pattern"))
        };
        if !modular.info.functions.keys().any(&is_never) {
            return;
        }
        let mut found = Vec::new();
        pool.visit_subterms(&[body], |term| {
            if let Op::Apply(fun) = pool.op(term)
                && is_never(&fun)
            {
                found.push(term);
            }
        });
        for term in found {
            // Only of these variables: those of quantifiers inside are unknown here.
            let free = pool.free_vars(&[term]);
            if bound.iter().any(|var| free.contains(var))
                && self.is_pattern(term)
                && !no_patterns.contains(&term)
            {
                no_patterns.push(term);
            }
        }
    }

    /// Whether the terms, after inlining and simplification, can still be a trigger: each an
    /// application, and together they mention every bound variable.
    pub(crate) fn is_usable_trigger(&self, terms: &[TermId], bound: &[PoolVar]) -> bool {
        if !terms.iter().all(|&term| self.is_pattern(term)) {
            return false;
        }
        let free = self.ir.pool.free_vars(terms);
        bound.iter().all(|var| free.contains(var))
    }

    /// An application that E-matching can look for.
    fn is_pattern(&self, term: TermId) -> bool {
        let pool = &self.ir.pool;
        let is_connective = |op: Op| {
            matches!(
                op,
                Op::Not
                    | Op::And
                    | Op::Or
                    | Op::Eq
                    | Op::Distinct
                    | Op::Ite
                    | Op::Le
                    | Op::Lt
                    | Op::Quantifier(_)
            )
        };
        if pool.args(term).is_empty() || is_connective(pool.op(term)) {
            return false;
        }
        let mut fits = true;
        pool.visit_subterms(&[term], |part| {
            fits &= !is_connective(pool.op(part));
        });
        fits
    }
}
