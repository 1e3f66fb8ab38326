//! Lambdas become functions of their free variables.
//!
//! `(lambda x :: e)` with the free variables `v` is `f(v)` for a new function `f` with the axiom
//! `forall v, x :: {f(v)[x]} f(v)[x] == e`. Lambdas that differ only in the names of their
//! variables share the function, so that equal lambdas are equal terms.

use lariat_boogie::typed::{Expr, Quantifier as SourceQuantifier, Type};
use lariat_ir::Axiom;
use lariat_term::{Op, Quantifier, QuantifierKind, SortId, Substitution, TermId, VarId as PoolVar};
use rustc_hash::FxHashSet;

use crate::expr::Terms;
use crate::instances::TypeArgs;
use crate::lowering::Lowering;
use crate::scope::{Lowers, Scope};

/// The body over place-holders for the free and then the bound variables.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct LambdaKey {
    free: Vec<SortId>,
    bound: Vec<SortId>,
    body: TermId,
}

impl Lowering<'_> {
    pub(crate) fn lower_lambda(
        &mut self,
        lambda: &SourceQuantifier,
        expr: &Expr,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        if lambda.type_params.is_empty() {
            return self.lower_ground_lambda(lambda, expr, None, scope);
        }
        // A polymorphic lambda is the record of its instances.
        let ty = self.ground(&expr.ty, scope);
        let datatype = self.pool_datatype(&ty);
        let Type::Map(map) = &ty else {
            unreachable!("a lambda has a map type")
        };
        let instances: Vec<TypeArgs> = self.known.of_map(map).into_iter().flatten().cloned().collect();
        let mut fields = Terms::new();
        for (position, args) in instances.iter().enumerate() {
            let element = self.record_element_sort(datatype, position as u32 + 1);
            let field = self.with_types(lambda, args, scope, |lowering, scope| {
                lowering.lower_ground_lambda(lambda, expr, Some(element), scope)
            });
            fields.push(field?);
        }
        let rest_sort = self.ir.pool.datatype(datatype).constructors[0].fields[0].sort;
        let free = self.free_in_order(&fields, &FxHashSet::default());
        let sorts = free.iter().map(|&var| self.ir.pool.var_sort(var)).collect();
        let rest = self.ir.pool.declare_function("lambda rest", sorts, rest_sort);
        let args: Terms = free.iter().map(|&var| self.ir.pool.var(var)).collect();
        fields.insert(0, self.ir.pool.apply(rest, &args));
        Ok(self.ir.pool.construct(datatype, 0, &fields))
    }

    /// A lambda without type parameters; its elements are kept as `element` if that is given.
    fn lower_ground_lambda(
        &mut self,
        lambda: &SourceQuantifier,
        expr: &Expr,
        element: Option<SortId>,
        scope: &mut Scope,
    ) -> Lowers<TermId> {
        let bound: Vec<PoolVar> = lambda
            .bound
            .iter()
            .map(|&var| self.declare_in(var, scope))
            .collect();
        let mut body = self.lower_expr(&lambda.body, scope)?;
        if let Some(element) = element {
            body = self.convert_element(body, element);
        }
        // The same everywhere: no function is needed.
        if self.ir.pool.is_value(body) {
            let indices: Vec<SortId> = bound.iter().map(|&var| self.ir.pool.var_sort(var)).collect();
            let element = self.ir.pool.sort_of(body);
            let sort = self.ir.pool.array_sort(&indices, element);
            return Ok(self.ir.pool.const_array(sort, body));
        }
        let free = self.free_in_order(&[body], &bound.iter().copied().collect());
        let key = self.lambda_key(&free, &bound, body);
        let function = match self.lambdas.get(&key) {
            Some(&function) => function,
            None => {
                let indices: Vec<SortId> = bound.iter().map(|&var| self.ir.pool.var_sort(var)).collect();
                let element = self.ir.pool.sort_of(body);
                let sort = self.ir.pool.array_sort(&indices, element);
                let name = format!("lambda#{}", self.lambdas.len());
                let function = self.ir.pool.declare_function(name, key.free.clone(), sort);
                self.add_lambda_axiom(function, &free, bound, body, expr);
                self.lambdas.insert(key, function);
                function
            }
        };
        let args: Terms = free.iter().map(|&var| self.ir.pool.var(var)).collect();
        Ok(self.ir.pool.apply(function, &args))
    }

    fn add_lambda_axiom(
        &mut self,
        function: lariat_term::FunId,
        free: &[PoolVar],
        bound: Vec<PoolVar>,
        body: TermId,
        expr: &Expr,
    ) {
        let pool = &mut self.ir.pool;
        // The axiom has variables of its own for the free ones.
        let mut own = Substitution::new();
        let mut quantified = Vec::with_capacity(free.len() + bound.len());
        let mut args = Terms::new();
        for &var in free {
            let (name, sort) = (pool.var_name(var).clone(), pool.var_sort(var));
            let copy = pool.declare_var(name, sort);
            let term = pool.var(copy);
            own.insert(var, term);
            quantified.push(copy);
            args.push(term);
        }
        let body = own.apply(pool, body);
        let map = pool.apply(function, &args);
        let indices: Terms = bound.iter().map(|&var| pool.var(var)).collect();
        let element = pool.select(map, &indices);
        let equation = pool.eq(element, body);
        quantified.extend(bound);
        let term = pool.quantifier_term(Quantifier {
            kind: QuantifierKind::Forall,
            bound: quantified.into(),
            triggers: Box::new([Box::new([element])]),
            no_patterns: Box::new([]),
            body: equation,
            weight: None,
        });
        self.ir.axioms.push(Axiom {
            term,
            span: Some(expr.span),
        });
    }

    /// The free variables that may change, in the order of their occurrence.
    fn free_in_order(&self, terms: &[TermId], bound: &FxHashSet<PoolVar>) -> Vec<PoolVar> {
        let pool = &self.ir.pool;
        let free = pool.free_vars(terms);
        let mut ordered = Vec::new();
        pool.visit_subterms(terms, |term| {
            if let Op::Var(var) = pool.op(term)
                && free.contains(&var)
                && !bound.contains(&var)
                && !self.constants.contains(&var)
            {
                ordered.push(var);
            }
        });
        ordered
    }

    fn lambda_key(&mut self, free: &[PoolVar], bound: &[PoolVar], body: TermId) -> LambdaKey {
        let mut substitution = Substitution::new();
        for (position, &var) in free.iter().chain(bound).enumerate() {
            let sort = self.ir.pool.var_sort(var);
            let pool = &mut self.ir.pool;
            let placeholder = *self
                .placeholders
                .entry((sort, position))
                .or_insert_with(|| pool.declare_var(format!("#{position}"), sort));
            substitution.insert(var, self.ir.pool.var(placeholder));
        }
        LambdaKey {
            free: free.iter().map(|&var| self.ir.pool.var_sort(var)).collect(),
            bound: bound.iter().map(|&var| self.ir.pool.var_sort(var)).collect(),
            body: substitution.apply(&mut self.ir.pool, body),
        }
    }
}
