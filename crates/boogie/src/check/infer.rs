//! Inference of types by unification.
//!
//! An unknown type is a *placeholder*: a `Type::Param` whose id is past all real ones. A
//! placeholder is free, perhaps with a constraint on what it may become, or bound to a type.
//! Placeholders live as long as one statement or one declaration's expression: then
//! [`super::finish`] replaces all of them in the finished tree and [`Inference::clear`] forgets
//! them.
//!
//! The constraints are those of Boogie: a bit-vector of a least width that may be the
//! concatenation of others, and a map of some arity that is used at given types.

use cranelift_entity::{EntityRef, PrimaryMap};
use lariat_base::Span;

use super::types::{self, FIRST_PLACEHOLDER, TypeFactory, is_error, is_placeholder};
use crate::typed::{MapType, Name, Type, TypeParamId, VarId};

/// Types with more nodes are refused: no program has them, and every pass may then walk types freely.
pub(super) const MAX_TYPE_SIZE: usize = 2_000;

#[derive(Clone)]
enum Placeholder {
    Bound(Type),
    Free(Constraint),
}

#[derive(Clone)]
enum Constraint {
    None,
    /// Stands for a type parameter that an equality may choose freely; it becomes that
    /// parameter if nothing else is known.
    Flexible(TypeParamId),
    Bv {
        min_width: u32,
        concatenations: Vec<(Type, Type)>,
    },
    Map {
        arity: usize,
        uses: Vec<MapUse>,
    },
}

/// A map is applied to indices of these types, with this type of result.
#[derive(Clone)]
struct MapUse {
    indices: Vec<Type>,
    result: Type,
}

/// A type argument that was left to inference, to report it if nothing determines it.
pub(super) struct TypeArgument {
    pub ty: Type,
    pub param: Name,
    pub owner: Name,
    pub span: Span,
}

#[derive(Default)]
pub(super) struct Inference {
    placeholders: Vec<Placeholder>,
    /// While a unification is on trial: the states that were overwritten since it began.
    trail: Vec<(usize, Placeholder)>,
    trials: usize,
    pub factory: TypeFactory,
    /// Names of type parameters, moved here from the program while it is checked.
    pub names: PrimaryMap<TypeParamId, Name>,
    pub type_arguments: Vec<TypeArgument>,
    /// Variables whose type may have placeholders.
    pub vars: Vec<VarId>,
}

impl Inference {
    pub fn is_idle(&self) -> bool {
        self.placeholders.is_empty()
    }

    pub fn clear(&mut self) {
        self.placeholders.clear();
        self.type_arguments.clear();
        self.vars.clear();
    }

    pub fn fresh(&mut self) -> Type {
        self.new_placeholder(Constraint::None)
    }

    pub fn fresh_bv(&mut self, min_width: u32) -> Type {
        self.new_placeholder(Constraint::Bv {
            min_width,
            concatenations: Vec::new(),
        })
    }

    fn new_placeholder(&mut self, constraint: Constraint) -> Type {
        self.placeholders.push(Placeholder::Free(constraint));
        Type::Param(TypeParamId::new(FIRST_PLACEHOLDER + self.placeholders.len() - 1))
    }

    pub fn substitute(&mut self, ty: &Type, substitution: &[(TypeParamId, Type)]) -> Type {
        self.factory.substitute(&mut self.names, ty, substitution)
    }

    pub fn map_type(&mut self, params: &[TypeParamId], indices: Vec<Type>, result: Type) -> Type {
        self.factory.map(&mut self.names, params, indices, result)
    }

    pub fn instantiate_map(&mut self, map: &MapType, args: &[Type]) -> (Vec<Type>, Type) {
        self.factory.instantiate_map(&mut self.names, map, args)
    }

    fn state(&self, id: TypeParamId) -> &Placeholder {
        &self.placeholders[id.index() - FIRST_PLACEHOLDER]
    }

    fn set_state(&mut self, id: TypeParamId, state: Placeholder) {
        let position = id.index() - FIRST_PLACEHOLDER;
        let old = std::mem::replace(&mut self.placeholders[position], state);
        if self.trials > 0 {
            self.trail.push((position, old));
        }
    }

    fn bind_to(&mut self, id: TypeParamId, ty: Type) {
        self.set_state(id, Placeholder::Bound(ty));
    }

    /// Runs a unification; if it fails, no placeholder is changed.
    fn try_unify(&mut self, unification: impl FnOnce(&mut Self) -> bool) -> bool {
        let (placeholders, trail) = (self.placeholders.len(), self.trail.len());
        self.trials += 1;
        let success = unification(self);
        self.trials -= 1;
        if !success {
            for (position, old) in self.trail.drain(trail..).rev() {
                self.placeholders[position] = old;
            }
            self.placeholders.truncate(placeholders);
        } else if self.trials == 0 {
            self.trail.clear();
        }
        success
    }

    /// The type at the end of a chain of bound placeholders.
    pub fn head(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Param(id) = ty
            && is_placeholder(*id)
            && let Placeholder::Bound(bound) = self.state(*id)
        {
            ty = bound;
        }
        ty.clone()
    }

    /// The type with all bound placeholders replaced; free ones stay.
    pub fn resolved(&mut self, ty: &Type) -> Type {
        if self.is_idle() {
            return ty.clone();
        }
        let Inference {
            placeholders,
            factory,
            names,
            ..
        } = self;
        resolve_with(placeholders, factory, names, ty)
    }

    /// Whether the type, placeholders followed, has more nodes than [`MAX_TYPE_SIZE`].
    pub fn is_too_large(&self, ty: &Type) -> bool {
        fn visit(inference: &Inference, ty: &Type, left: &mut usize) -> bool {
            if *left == 0 {
                return true;
            }
            *left -= 1;
            match ty {
                Type::Param(id) if is_placeholder(*id) => match inference.state(*id) {
                    Placeholder::Bound(bound) => visit(inference, bound, left),
                    Placeholder::Free(_) => false,
                },
                Type::Con(_, args) | Type::Datatype(_, args) => {
                    args.iter().any(|ty| visit(inference, ty, left))
                }
                Type::Map(map) => map
                    .indices
                    .iter()
                    .chain([&map.result])
                    .any(|ty| visit(inference, ty, left)),
                _ => false,
            }
        }
        visit(self, ty, &mut { MAX_TYPE_SIZE })
    }

    /// Whether a parameter or placeholder for which `wanted` holds occurs free in the type.
    /// True as well for a type that is too large to find out, which no program has.
    pub fn mentions(&self, ty: &Type, wanted: &dyn Fn(TypeParamId) -> bool) -> bool {
        fn visit(
            inference: &Inference,
            ty: &Type,
            wanted: &dyn Fn(TypeParamId) -> bool,
            left: &mut usize,
        ) -> bool {
            if *left == 0 {
                return true;
            }
            *left -= 1;
            match ty {
                Type::Param(id) if wanted(*id) => true,
                Type::Param(id) if is_placeholder(*id) => match inference.state(*id) {
                    Placeholder::Bound(bound) => visit(inference, bound, wanted, left),
                    Placeholder::Free(_) => false,
                },
                Type::Con(_, args) | Type::Datatype(_, args) => {
                    args.iter().any(|ty| visit(inference, ty, wanted, left))
                }
                // Canonical binders differ from every parameter that a caller asks for.
                Type::Map(map) => map
                    .indices
                    .iter()
                    .chain([&map.result])
                    .any(|ty| visit(inference, ty, wanted, left)),
                _ => false,
            }
        }
        visit(self, ty, wanted, &mut { MAX_TYPE_SIZE * 4 })
    }

    /// Whether a part of the type is open and nothing restricts it.
    pub fn is_undetermined(&self, ty: &Type) -> bool {
        self.mentions(ty, &|id| {
            is_placeholder(id) && matches!(self.state(id), Placeholder::Free(Constraint::None))
        })
    }

    /// Makes the parts of the type that are open and unrestricted integers.
    pub fn default_to_int(&mut self, ty: &Type) {
        let mut open = Vec::new();
        types::free_params(&self.resolved(ty), &mut open);
        for id in open {
            if is_placeholder(id) && matches!(self.state(id), Placeholder::Free(Constraint::None)) {
                self.bind_to(id, Type::Int);
            }
        }
    }

    /// Whether a placeholder became a type that is too large to be replaced.
    pub fn has_too_large(&self) -> bool {
        self.placeholders.iter().any(|placeholder| match placeholder {
            Placeholder::Bound(ty) => self.is_too_large(ty),
            Placeholder::Free(_) => false,
        })
    }

    /// Makes the two types equal if that is possible. After a failure some placeholders may be bound.
    pub fn unify(&mut self, left: &Type, right: &Type) -> bool {
        match (left, right) {
            (Type::Int, Type::Int) | (Type::Bool, Type::Bool) => return true,
            (Type::Param(_), _) | (_, Type::Param(_)) => {}
            (Type::Con(left, left_args), Type::Con(right, right_args)) => {
                return left == right && self.unify_lists(left_args, right_args);
            }
            (Type::Datatype(left, left_args), Type::Datatype(right, right_args)) => {
                return left == right && self.unify_lists(left_args, right_args);
            }
            (Type::Map(left), Type::Map(right)) => return self.unify_maps(left, right),
            _ => return left == right,
        }
        let (left, right) = (self.head(left), self.head(right));
        if is_error(&left) || is_error(&right) {
            return true;
        }
        match (&left, &right) {
            (Type::Param(a), Type::Param(b)) if a == b => true,
            (Type::Param(a), _) if is_placeholder(*a) => self.bind(*a, &right),
            (_, Type::Param(b)) if is_placeholder(*b) => self.bind(*b, &left),
            (Type::Param(_), _) | (_, Type::Param(_)) => false,
            _ => self.unify(&left, &right),
        }
    }

    fn unify_lists(&mut self, left: &[Type], right: &[Type]) -> bool {
        left.len() == right.len()
            && left
                .iter()
                .zip(right)
                .all(|(left, right)| self.unify(left, right))
    }

    fn unify_maps(&mut self, left: &MapType, right: &MapType) -> bool {
        if std::ptr::eq(left, right) {
            return true;
        }
        if left.type_params.len() != right.type_params.len() || left.indices.len() != right.indices.len() {
            return false;
        }
        if left.type_params.is_empty() {
            return self.unify_lists(&left.indices, &right.indices)
                && self.unify(&left.result, &right.result);
        }
        // The bound parameters of both become the same rigid types, which must not escape.
        let stand_ins: Vec<Type> = left
            .type_params
            .iter()
            .map(|_| Type::Param(self.factory.stand_in()))
            .collect();
        let (left_indices, left_result) = self.instantiate_map(left, &stand_ins);
        let (right_indices, right_result) = self.instantiate_map(right, &stand_ins);
        if !self.unify_lists(&left_indices, &right_indices) || !self.unify(&left_result, &right_result) {
            return false;
        }
        let escaped = |id: TypeParamId| stand_ins.contains(&Type::Param(id));
        [left, right].into_iter().all(|map| {
            !map.indices
                .iter()
                .chain([&map.result])
                .any(|ty| self.mentions(ty, &escaped))
        })
    }

    /// Binds a free placeholder to a type that is the head of its chain and is not the placeholder itself.
    fn bind(&mut self, id: TypeParamId, ty: &Type) -> bool {
        if self.mentions(ty, &|param| param == id) {
            return false;
        }
        let Placeholder::Free(constraint) = self.state(id).clone() else {
            return self.unify(&Type::Param(id), ty);
        };
        let other = match ty {
            Type::Param(other) if is_placeholder(*other) => match self.state(*other) {
                Placeholder::Free(constraint) => Some((*other, constraint.clone())),
                Placeholder::Bound(_) => None,
            },
            _ => None,
        };
        match (constraint, other) {
            (Constraint::None, _) | (Constraint::Flexible(_), None) => {
                self.bind_to(id, ty.clone());
                true
            }
            (_, Some((other, Constraint::None))) => {
                self.bind_to(other, Type::Param(id));
                true
            }
            (Constraint::Flexible(_), Some(_)) => {
                self.bind_to(id, ty.clone());
                true
            }
            (_, Some((other, Constraint::Flexible(_)))) => {
                self.bind_to(other, Type::Param(id));
                true
            }
            (
                Constraint::Bv {
                    min_width,
                    concatenations,
                },
                None,
            ) => match ty {
                Type::Bv(width) if min_width <= *width => {
                    self.bind_to(id, ty.clone());
                    for (left, right) in &concatenations {
                        self.widen_to(left, right, *width);
                    }
                    true
                }
                _ => false,
            },
            (
                Constraint::Bv {
                    min_width,
                    concatenations,
                },
                Some((
                    other,
                    Constraint::Bv {
                        min_width: other_width,
                        concatenations: other_concatenations,
                    },
                )),
            ) => {
                self.bind_to(id, Type::Param(other));
                let constraint = Constraint::Bv {
                    min_width: min_width.max(other_width),
                    concatenations: [concatenations, other_concatenations].concat(),
                };
                self.set_state(other, Placeholder::Free(constraint));
                true
            }
            (Constraint::Map { arity, uses }, None) => match ty {
                Type::Map(map) if map.indices.len() == arity => {
                    self.bind_to(id, ty.clone());
                    uses.iter().all(|use_| self.apply_use(map, use_))
                }
                _ => false,
            },
            (
                Constraint::Map { arity, uses },
                Some((
                    other,
                    Constraint::Map {
                        arity: other_arity,
                        uses: other_uses,
                    },
                )),
            ) => {
                if arity != other_arity {
                    return false;
                }
                self.bind_to(id, Type::Param(other));
                let uses = [other_uses, uses].concat();
                self.set_state(other, Placeholder::Free(Constraint::Map { arity, uses }));
                true
            }
            (Constraint::Bv { .. } | Constraint::Map { .. }, Some(_)) => false,
        }
    }

    /// Unifies one use of a map with an instance of the map's type.
    fn apply_use(&mut self, map: &MapType, use_: &MapUse) -> bool {
        let args: Vec<Type> = map.type_params.iter().map(|_| self.fresh()).collect();
        let (indices, result) = self.instantiate_map(map, &args);
        self.unify_lists(&indices, &use_.indices) && self.unify(&result, &use_.result)
    }

    /// Unifies like [`Inference::unify`], but type parameters that occur free may be chosen
    /// too, and nothing is bound after a failure: whether values of the two types may be equal.
    pub fn unify_flexibly(&mut self, left: &Type, right: &Type) -> bool {
        if self.try_unify(|inference| inference.unify(left, right)) {
            return true;
        }
        let mut params = Vec::new();
        let (left, right) = (self.resolved(left), self.resolved(right));
        types::free_params(&left, &mut params);
        types::free_params(&right, &mut params);
        params.retain(|param| !is_placeholder(*param));
        if params.is_empty() {
            return false;
        }
        self.try_unify(|inference| {
            let substitution: types::Substitution = params
                .into_iter()
                .map(|param| (param, inference.new_placeholder(Constraint::Flexible(param))))
                .collect();
            let left = inference.substitute(&left, &substitution);
            let right = inference.substitute(&right, &substitution);
            inference.unify(&left, &right)
        })
    }

    /// Records that a map of unknown type is applied; gives the type of the result.
    pub fn use_unknown_map(&mut self, map: &Type, indices: Vec<Type>) -> Option<Type> {
        let result = self.fresh();
        let uses = vec![MapUse {
            indices,
            result: result.clone(),
        }];
        let arity = uses[0].indices.len();
        let constrained = self.new_placeholder(Constraint::Map { arity, uses });
        self.unify(map, &constrained).then_some(result)
    }

    /// The type of the concatenation of two bit-vectors; `None` if one is of another type. As in Boogie the context may want
    /// more bits than the operands have.
    pub fn concatenation(&mut self, left: &Type, right: &Type) -> Option<Type> {
        for ty in [left, right] {
            let bv = self.fresh_bv(0);
            if !self.unify(ty, &bv) {
                return None;
            }
        }
        if is_error(&self.head(left)) || is_error(&self.head(right)) {
            return Some(types::error_type());
        }
        let (left, right) = (self.head(left), self.head(right));
        let min_width = self.min_width(&left).checked_add(self.min_width(&right))?;
        Some(self.new_placeholder(Constraint::Bv {
            min_width,
            concatenations: vec![(left, right)],
        }))
    }

    fn min_width(&self, ty: &Type) -> u32 {
        match self.head(ty) {
            Type::Bv(width) => width,
            Type::Param(id) if is_placeholder(id) => match self.state(id) {
                Placeholder::Free(Constraint::Bv { min_width, .. }) => *min_width,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Widens the operands of a concatenation so that it has the given width: the left one
    /// as far as it can be, then the right one.
    fn widen_to(&mut self, left: &Type, right: &Type, width: u32) {
        let right_width = self.min_width(right);
        let rest = self.widen(left, width.saturating_sub(right_width));
        self.widen(right, right_width + rest);
    }

    /// Makes an unknown bit-vector wider; gives the number of bits that are missing then.
    fn widen(&mut self, ty: &Type, width: u32) -> u32 {
        match self.head(ty) {
            Type::Param(id) if is_placeholder(id) => {
                self.bind(id, &Type::Bv(width));
                0
            }
            Type::Bv(present) => width.saturating_sub(present),
            _ => 0,
        }
    }

    /// Gives a type to every free placeholder: what its constraint allows, else `int`.
    pub fn apply_defaults(&mut self) {
        // Defaults may create placeholders, so the length is asked for again each time.
        let mut position = 0;
        while position < self.placeholders.len() {
            let id = TypeParamId::new(FIRST_PLACEHOLDER + position);
            position += 1;
            let Placeholder::Free(constraint) = self.state(id).clone() else {
                continue;
            };
            match constraint {
                Constraint::None => self.bind_to(id, Type::Int),
                Constraint::Flexible(param) => self.bind_to(id, Type::Param(param)),
                Constraint::Bv { min_width, .. } => {
                    self.bind(id, &Type::Bv(min_width));
                }
                Constraint::Map { arity, uses } => {
                    let ty = self.map_for_uses(arity, &uses);
                    self.bind_to(id, ty);
                }
            }
        }
    }

    /// The simplest map type that allows all uses: a monomorphic one if there is one, else
    /// the most general.
    fn map_for_uses(&mut self, arity: usize, uses: &[MapUse]) -> Type {
        let indices: Vec<Type> = (0..arity).map(|_| self.fresh()).collect();
        let result = self.fresh();
        let fits = self.try_unify(|inference| {
            uses.iter().all(|use_| {
                inference.unify_lists(&indices, &use_.indices) && inference.unify(&result, &use_.result)
            })
        });
        if fits {
            return self.map_type(&[], indices, result);
        }
        let params: Vec<TypeParamId> = (0..=arity).map(|_| self.factory.stand_in()).collect();
        let indices = params[..arity].iter().map(|&param| Type::Param(param)).collect();
        self.map_type(&params, indices, Type::Param(params[arity]))
    }
}

fn resolve_with(
    placeholders: &[Placeholder],
    factory: &mut TypeFactory,
    names: &mut PrimaryMap<TypeParamId, Name>,
    ty: &Type,
) -> Type {
    if !has_placeholder(ty) {
        return ty.clone();
    }
    // Chains are followed one step at a time, so that nested placeholders are replaced too.
    let mut bound_found = false;
    let replaced = factory.replace(names, ty, &mut |id| {
        if !is_placeholder(id) {
            return None;
        }
        match &placeholders[id.index() - FIRST_PLACEHOLDER] {
            Placeholder::Bound(bound) => {
                bound_found = true;
                Some(bound.clone())
            }
            Placeholder::Free(_) => None,
        }
    });
    if bound_found {
        resolve_with(placeholders, factory, names, &replaced)
    } else {
        replaced
    }
}

fn has_placeholder(ty: &Type) -> bool {
    match ty {
        Type::Param(id) => is_placeholder(*id),
        Type::Con(_, args) | Type::Datatype(_, args) => args.iter().any(has_placeholder),
        Type::Map(map) => map.indices.iter().chain([&map.result]).any(has_placeholder),
        _ => false,
    }
}
