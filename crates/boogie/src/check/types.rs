//! Types with binders: construction, substitution and printing.
//!
//! Invariant: every polymorphic map type that leaves this module is canonical, so that
//! the derived equality and hash of [`Type`] are equality up to renaming of bound
//! parameters. Canonical means: the parameters are bound in the order of their first
//! occurrence, and the parameter number `i` of a map type whose nesting of polymorphic maps
//! is `h` deep is the same [`TypeParamId`] in the whole program. As a binder's parameters
//! differ from those of all binders inside it, nothing is captured.
//!
//! Some ids are not in `Program::type_params`: placeholders of inference (see
//! [`super::infer`]), rigid stand-ins for bound parameters while two types are compared, and the
//! type of erroneous expressions. None of them is left in a program that is accepted.

use std::sync::Arc;

use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

use crate::typed::{MapType, Name, Program, Type, TypeParamId};

/// The first id of a stand-in for a bound parameter.
const FIRST_STAND_IN: usize = 1 << 29;
/// The first id of an inference placeholder.
pub(super) const FIRST_PLACEHOLDER: usize = 1 << 30;
const ERROR: usize = (u32::MAX - 1) as usize;

/// The type of an expression with an error; it fits everywhere, which avoids cascades.
pub(super) fn error_type() -> Type {
    Type::Param(TypeParamId::new(ERROR))
}

pub(super) fn is_error(ty: &Type) -> bool {
    matches!(ty, Type::Param(id) if id.index() == ERROR)
}

pub(super) fn is_placeholder(id: TypeParamId) -> bool {
    (FIRST_PLACEHOLDER..ERROR).contains(&id.index())
}

pub(super) type TypeParamNames = PrimaryMap<TypeParamId, Name>;

/// A substitution of types for type parameters; short in practice, so a list.
pub(super) type Substitution = Vec<(TypeParamId, Type)>;

/// Makes types; owns what canonical binders need.
#[derive(Default)]
pub(super) struct TypeFactory {
    /// The canonical parameters by nesting height and position.
    canonical: FxHashMap<(u32, u32), TypeParamId>,
    canonical_heights: FxHashMap<TypeParamId, u32>,
    stand_ins: usize,
}

impl TypeFactory {
    /// A rigid type that is equal to nothing but itself.
    pub fn stand_in(&mut self) -> TypeParamId {
        self.stand_ins += 1;
        TypeParamId::new(FIRST_STAND_IN + self.stand_ins - 1)
    }

    /// `<params>[indices]result` in canonical form. The parameters must occur free in
    /// `indices` or `result`; those that do not come last.
    pub fn map(
        &mut self,
        names: &mut TypeParamNames,
        params: &[TypeParamId],
        indices: Vec<Type>,
        result: Type,
    ) -> Type {
        if params.is_empty() {
            return Type::Map(Arc::new(MapType {
                type_params: Vec::new(),
                indices,
                result,
            }));
        }
        let mut order = Vec::new();
        for ty in indices.iter().chain([&result]) {
            free_params(ty, &mut order);
        }
        order.retain(|param| params.contains(param));
        order.extend(
            params
                .iter()
                .filter(|param| !order.contains(param))
                .copied()
                .collect::<Vec<_>>(),
        );
        let height = 1 + indices
            .iter()
            .chain([&result])
            .map(|ty| self.height(ty))
            .max()
            .unwrap_or(0);
        let mut type_params = Vec::with_capacity(order.len());
        let mut renaming = Substitution::with_capacity(order.len());
        for (position, &param) in order.iter().enumerate() {
            let key = (height, position as u32);
            let canonical = match self.canonical.get(&key) {
                Some(&canonical) => canonical,
                None => {
                    let canonical = names.push(canonical_name(height, position));
                    self.canonical.insert(key, canonical);
                    self.canonical_heights.insert(canonical, height);
                    canonical
                }
            };
            type_params.push(canonical);
            renaming.push((param, Type::Param(canonical)));
        }
        // Renaming cannot change the height of a nested binder, so no binder is renamed here.
        let indices = indices.iter().map(|ty| rename(ty, &renaming)).collect();
        let result = rename(&result, &renaming);
        Type::Map(Arc::new(MapType {
            type_params,
            indices,
            result,
        }))
    }

    /// How deep polymorphic map types are nested in a type.
    fn height(&self, ty: &Type) -> u32 {
        match ty {
            Type::Con(_, args) | Type::Datatype(_, args) => {
                args.iter().map(|ty| self.height(ty)).max().unwrap_or(0)
            }
            Type::Map(map) => match map.type_params.first() {
                Some(param) => self.canonical_heights.get(param).copied().unwrap_or(0),
                None => map
                    .indices
                    .iter()
                    .chain([&map.result])
                    .map(|ty| self.height(ty))
                    .max()
                    .unwrap_or(0),
            },
            _ => 0,
        }
    }

    /// The type with its free parameters replaced.
    pub fn substitute(
        &mut self,
        names: &mut TypeParamNames,
        ty: &Type,
        substitution: &[(TypeParamId, Type)],
    ) -> Type {
        if substitution.is_empty() {
            return ty.clone();
        }
        self.replace(names, ty, &mut |param| {
            substitution
                .iter()
                .find(|(from, _)| *from == param)
                .map(|(_, to)| to.clone())
        })
    }

    /// The type with each free parameter replaced by what `replacement` gives, if anything.
    pub fn replace(
        &mut self,
        names: &mut TypeParamNames,
        ty: &Type,
        replacement: &mut dyn FnMut(TypeParamId) -> Option<Type>,
    ) -> Type {
        match ty {
            Type::Param(param) => replacement(*param).unwrap_or_else(|| ty.clone()),
            Type::Con(id, args) if !args.is_empty() => Type::Con(
                *id,
                args.iter()
                    .map(|ty| self.replace(names, ty, replacement))
                    .collect(),
            ),
            Type::Datatype(id, args) if !args.is_empty() => Type::Datatype(
                *id,
                args.iter()
                    .map(|ty| self.replace(names, ty, replacement))
                    .collect(),
            ),
            Type::Map(map) if map.type_params.is_empty() => {
                let indices = map
                    .indices
                    .iter()
                    .map(|ty| self.replace(names, ty, replacement))
                    .collect();
                let result = self.replace(names, &map.result, replacement);
                Type::Map(Arc::new(MapType {
                    type_params: Vec::new(),
                    indices,
                    result,
                }))
            }
            Type::Map(map) => {
                let bound: Vec<TypeParamId> = map.type_params.iter().map(|_| self.stand_in()).collect();
                let mut inner = |param: TypeParamId| match map.type_params.iter().position(|&p| p == param) {
                    Some(position) => Some(Type::Param(bound[position])),
                    None => replacement(param),
                };
                let indices = map
                    .indices
                    .iter()
                    .map(|ty| self.replace(names, ty, &mut inner))
                    .collect();
                let result = self.replace(names, &map.result, &mut inner);
                self.map(names, &bound, indices, result)
            }
            _ => ty.clone(),
        }
    }

    /// The indices and the result of a map type with its parameters replaced by `args`.
    pub fn instantiate_map(
        &mut self,
        names: &mut TypeParamNames,
        map: &MapType,
        args: &[Type],
    ) -> (Vec<Type>, Type) {
        if map.type_params.is_empty() {
            return (map.indices.clone(), map.result.clone());
        }
        let substitution: Substitution = map
            .type_params
            .iter()
            .copied()
            .zip(args.iter().cloned())
            .collect();
        let indices = map
            .indices
            .iter()
            .map(|ty| self.substitute(names, ty, &substitution))
            .collect();
        let result = self.substitute(names, &map.result, &substitution);
        (indices, result)
    }
}

/// A name for messages, unlike those that people declare: `α`, `β`, …, `α2` for outer binders.
fn canonical_name(height: u32, position: usize) -> Name {
    let letters = ['α', 'β', 'γ', 'δ', 'ε', 'ζ', 'η', 'θ', 'ι', 'κ', 'λ', 'μ'];
    let mut name = String::from(letters[position % letters.len()]);
    if position >= letters.len() {
        name.push_str(&format!("_{position}"));
    }
    if height > 1 {
        name.push_str(&height.to_string());
    }
    name.into()
}

/// Replaces parameters by parameters that no binder inside the type binds.
fn rename(ty: &Type, renaming: &[(TypeParamId, Type)]) -> Type {
    match ty {
        Type::Param(param) => renaming
            .iter()
            .find(|(from, _)| from == param)
            .map_or_else(|| ty.clone(), |(_, to)| to.clone()),
        Type::Con(id, args) if !args.is_empty() => {
            Type::Con(*id, args.iter().map(|ty| rename(ty, renaming)).collect())
        }
        Type::Datatype(id, args) if !args.is_empty() => {
            Type::Datatype(*id, args.iter().map(|ty| rename(ty, renaming)).collect())
        }
        Type::Map(map) => Type::Map(Arc::new(MapType {
            type_params: map.type_params.clone(),
            indices: map.indices.iter().map(|ty| rename(ty, renaming)).collect(),
            result: rename(&map.result, renaming),
        })),
        _ => ty.clone(),
    }
}

/// Appends the free parameters of a type in the order of their first occurrence.
pub(super) fn free_params(ty: &Type, found: &mut Vec<TypeParamId>) {
    match ty {
        Type::Param(param) if !found.contains(param) => found.push(*param),
        Type::Con(_, args) | Type::Datatype(_, args) => {
            for ty in args.iter() {
                free_params(ty, found);
            }
        }
        Type::Map(map) => {
            let mut inner = Vec::new();
            for ty in map.indices.iter().chain([&map.result]) {
                free_params(ty, &mut inner);
            }
            for param in inner {
                if !map.type_params.contains(&param) && !found.contains(&param) {
                    found.push(param);
                }
            }
        }
        _ => {}
    }
}

/// The parameters in the order of their first occurrence in `types`; the others follow.
pub(super) fn sort_params<'t>(
    params: &[TypeParamId],
    types: impl Iterator<Item = &'t Type>,
) -> Vec<TypeParamId> {
    let mut order = Vec::new();
    for ty in types {
        free_params(ty, &mut order);
    }
    order.retain(|param| params.contains(param));
    order.extend(
        params
            .iter()
            .filter(|param| !order.contains(param))
            .copied()
            .collect::<Vec<_>>(),
    );
    order
}

/// The type as Boogie writes it; `?` for what inference has not found.
pub(super) fn show(program: &Program, names: &TypeParamNames, ty: &Type) -> String {
    let mut text = String::new();
    write_type(program, names, ty, false, &mut text);
    text
}

fn write_type(program: &Program, names: &TypeParamNames, ty: &Type, in_argument: bool, text: &mut String) {
    use std::fmt::Write;
    let constructor = |name: &str, args: &[Type], text: &mut String| {
        let parenthesised = in_argument && !args.is_empty();
        if parenthesised {
            text.push('(');
        }
        text.push_str(name);
        for arg in args {
            text.push(' ');
            write_type(program, names, arg, true, text);
        }
        if parenthesised {
            text.push(')');
        }
    };
    match ty {
        Type::Bool => text.push_str("bool"),
        Type::Int => text.push_str("int"),
        Type::Real => text.push_str("real"),
        Type::RoundingMode => text.push_str("rmode"),
        Type::String => text.push_str("string"),
        Type::Regex => text.push_str("regex"),
        Type::Bv(width) => {
            let _ = write!(text, "bv{width}");
        }
        Type::Float {
            significand,
            exponent,
        } => {
            let _ = write!(text, "float{significand}e{exponent}");
        }
        Type::Con(id, args) => constructor(&program.type_cons[*id].name, args, text),
        Type::Datatype(id, args) => constructor(&program.datatypes[*id].name, args, text),
        Type::Param(id) => text.push_str(names.get(*id).map_or("?", |name| name)),
        Type::Map(map) => {
            if in_argument {
                text.push('(');
            }
            for (position, param) in map.type_params.iter().enumerate() {
                text.push(if position == 0 { '<' } else { ',' });
                text.push_str(names.get(*param).map_or("?", |name| name));
            }
            if !map.type_params.is_empty() {
                text.push('>');
            }
            text.push('[');
            for (position, index) in map.indices.iter().enumerate() {
                if position > 0 {
                    text.push_str(", ");
                }
                write_type(program, names, index, false, text);
            }
            text.push(']');
            write_type(program, names, &map.result, false, text);
            if in_argument {
                text.push(')');
            }
        }
    }
}
