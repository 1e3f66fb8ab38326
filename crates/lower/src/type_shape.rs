//! At which types a formula that quantifies over types is instantiated.
//!
//! The uses of polymorphic functions, types and maps inside the formula are *shapes*: each with
//! type arguments that mention the formula's parameters. An instance of the same thing elsewhere
//! in the program that matches a shape gives values to the parameters.

use std::sync::Arc;

use indexmap::IndexSet;
use lariat_base::Diagnostic;
use lariat_boogie::typed::{Expr, ExprKind, MapType, Quantifier, Type, TypeParamId};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::instances::{Generic, TypeArgs};
use crate::lowering::Lowering;
use crate::scope::Scope;

/// No formula is instantiated more often than this in one round.
const MAX_FORMULA_INSTANCES: usize = 2_000;

#[derive(PartialEq, Eq, Hash)]
enum Shape {
    Generic(Generic, TypeArgs),
    Map(Arc<MapType>, TypeArgs),
}

type Binding = FxHashMap<TypeParamId, Type>;
type Shapes = IndexSet<Shape, FxBuildHasher>;

impl Lowering<'_> {
    /// The type arguments at which a quantifier with type parameters is instantiated.
    pub(crate) fn type_instances(&mut self, quantifier: &Quantifier, scope: &Scope) -> Vec<Vec<Type>> {
        self.used_known = true;
        let params = &quantifier.type_params;
        let shapes = self.collect_shapes(quantifier, scope);
        let mut tuples: IndexSet<Vec<Type>, FxBuildHasher> = IndexSet::default();
        let mut candidates: Vec<IndexSet<Type, FxBuildHasher>> = vec![IndexSet::default(); params.len()];
        for binding in self.matches(&shapes, params) {
            let values: Option<Vec<Type>> = params.iter().map(|param| binding.get(param).cloned()).collect();
            tuples.extend(values);
            for (candidates, param) in candidates.iter_mut().zip(params) {
                candidates.extend(binding.get(param).cloned());
            }
        }
        if tuples.is_empty() {
            // No shape mentions all parameters: every combination.
            let mut product: Vec<Vec<Type>> = vec![Vec::new()];
            for candidates in &candidates {
                product = product
                    .iter()
                    .flat_map(|prefix| {
                        candidates
                            .iter()
                            .map(move |ty| [prefix.as_slice(), std::slice::from_ref(ty)].concat())
                    })
                    .take(MAX_FORMULA_INSTANCES)
                    .collect();
            }
            tuples.extend(product);
        }
        if scope.may_be_asserted {
            tuples.insert(params.iter().map(|&param| Type::Param(param)).collect());
        }
        if tuples.len() >= MAX_FORMULA_INSTANCES && !self.errors.has_errors() {
            self.errors.push(
                Diagnostic::error(
                    "too-many-instances",
                    quantifier.body.span,
                    "this formula quantifies over types and has too many instances",
                )
                .hint("Lariat instantiates type quantifiers at the types that the program uses"),
            );
        }
        tuples.into_iter().take(MAX_FORMULA_INSTANCES).collect()
    }

    fn matches(&self, shapes: &Shapes, params: &[TypeParamId]) -> Vec<Binding> {
        let mut bindings = Vec::new();
        let mut consider = |patterns: &[&[Type]], grounds: &[&[Type]]| {
            let mut binding = Binding::default();
            let fits = patterns.iter().zip(grounds).all(|(patterns, grounds)| {
                patterns.len() == grounds.len()
                    && patterns
                        .iter()
                        .zip(*grounds)
                        .all(|(pattern, ground)| match_type(pattern, ground, params, &mut binding))
            });
            if fits {
                bindings.push(binding);
            }
        };
        for shape in shapes {
            match shape {
                Shape::Generic(generic, patterns) => {
                    for args in self.known.of(*generic) {
                        consider(&[patterns], &[args]);
                    }
                }
                Shape::Map(map, patterns) => {
                    for (known, instances) in self.known.maps() {
                        for args in instances {
                            let pattern = [Type::Map(map.clone())];
                            let ground = [Type::Map(known.clone())];
                            consider(&[&pattern, patterns], &[&ground, args]);
                        }
                    }
                }
            }
        }
        bindings
    }

    fn collect_shapes(&mut self, quantifier: &Quantifier, scope: &Scope) -> Shapes {
        let mut shapes = Shapes::default();
        let source = self.source;
        for &var in &quantifier.bound {
            self.add_type_shapes(&source.vars[var].ty, scope, &mut shapes);
        }
        let mut stack: Vec<&Expr> = vec![&quantifier.body];
        stack.extend(quantifier.triggers.iter().flatten());
        while let Some(expr) = stack.pop() {
            self.add_type_shapes(&expr.ty, scope, &mut shapes);
            match &expr.kind {
                ExprKind::Apply(function, args, _) if !args.is_empty() => {
                    let args = self.ground_all(args, scope);
                    shapes.insert(Shape::Generic(Generic::Function(*function), args));
                }
                ExprKind::Select { map, type_args, .. } | ExprKind::Store { map, type_args, .. }
                    if !type_args.is_empty() =>
                {
                    let args = self.ground_all(type_args, scope);
                    if let Type::Map(map) = self.ground(&map.ty, scope) {
                        shapes.insert(Shape::Map(map, args));
                    }
                }
                _ => {}
            }
            push_children(expr, &mut stack);
        }
        shapes
    }

    fn add_type_shapes(&mut self, ty: &Type, scope: &Scope, shapes: &mut Shapes) {
        let ground = self.ground(ty, scope);
        let mut stack = vec![&ground];
        while let Some(ty) = stack.pop() {
            match ty {
                Type::Con(id, args) if !args.is_empty() => {
                    shapes.insert(Shape::Generic(Generic::TypeCon(*id), args.clone()));
                    stack.extend(args.iter());
                }
                Type::Datatype(id, args) if !args.is_empty() => {
                    shapes.insert(Shape::Generic(Generic::Datatype(*id), args.clone()));
                    stack.extend(args.iter());
                }
                // The types inside a polymorphic map mention its own parameters.
                Type::Map(map) if map.type_params.is_empty() => {
                    stack.extend(map.indices.iter().chain([&map.result]));
                }
                _ => {}
            }
        }
    }
}

/// One-sided matching: gives values to `params` so that the pattern becomes the ground type.
fn match_type(pattern: &Type, ground: &Type, params: &[TypeParamId], binding: &mut Binding) -> bool {
    let mut stack = vec![(pattern, ground)];
    while let Some((pattern, ground)) = stack.pop() {
        match (pattern, ground) {
            (Type::Param(param), _) if params.contains(param) => match binding.get(param) {
                Some(bound) if bound != ground => return false,
                Some(_) => {}
                None => {
                    binding.insert(*param, ground.clone());
                }
            },
            (Type::Con(a, patterns), Type::Con(b, grounds)) if a == b => {
                stack.extend(patterns.iter().zip(grounds.iter()));
            }
            (Type::Datatype(a, patterns), Type::Datatype(b, grounds)) if a == b => {
                stack.extend(patterns.iter().zip(grounds.iter()));
            }
            (Type::Map(a), Type::Map(b))
                if a.type_params == b.type_params && a.indices.len() == b.indices.len() =>
            {
                stack.extend(a.indices.iter().zip(&b.indices));
                stack.push((&a.result, &b.result));
            }
            _ if pattern == ground => {}
            _ => return false,
        }
    }
    true
}

fn push_children<'e>(expr: &'e Expr, stack: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Bv(_)
        | ExprKind::Float(_)
        | ExprKind::RoundingMode(_)
        | ExprKind::String(_)
        | ExprKind::Var(_)
        // The instances inside a code expression are found when it is lowered.
        | ExprKind::Code(_) => {}
        ExprKind::Apply(_, _, args) | ExprKind::Construct(_, _, args) => stack.extend(args),
        ExprKind::Field { value, .. } | ExprKind::Extract { value, .. } => stack.push(value),
        ExprKind::FieldUpdate { value, new, .. } => stack.extend([&**value, &**new]),
        ExprKind::Is(value, _) | ExprKind::Old(value) | ExprKind::Unary(_, value) | ExprKind::Convert(_, value) => {
            stack.push(value);
        }
        ExprKind::Binary(_, left, right) => stack.extend([&**left, &**right]),
        ExprKind::IfThenElse(condition, then, otherwise) => stack.extend([&**condition, &**then, &**otherwise]),
        ExprKind::Select { map, indices, .. } => {
            stack.push(map);
            stack.extend(indices);
        }
        ExprKind::Store { map, indices, value, .. } => {
            stack.extend([&**map, &**value]);
            stack.extend(indices);
        }
        ExprKind::Quantifier(quantifier) => {
            stack.push(&quantifier.body);
            stack.extend(quantifier.triggers.iter().flatten());
        }
        ExprKind::Let { bindings, body } => {
            stack.extend(bindings.iter().map(|(_, value)| value));
            stack.push(body);
        }
    }
}
