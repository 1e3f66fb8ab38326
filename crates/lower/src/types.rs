//! Ground types and their sorts.
//!
//! A *ground* type is what a type becomes when the scope's type parameters are substituted. It is
//! canonical: the parameters of a polymorphic map type are numbered by their nesting, so that
//! `<a>[F a]a` and `<b>[F b]b` are the same value. A parameter that the scope does not bind
//! remains and stands for an opaque type, the same everywhere.

use std::sync::Arc;

use lariat_base::Diagnostic;
use lariat_boogie::typed::{DatatypeId, MapType, Type, TypeConId, TypeParamId};
use lariat_term::{Constructor, DatatypeId as PoolDatatype, Field, Sort, SortId, TermId};
use rustc_hash::FxHashMap;

use crate::instances::{Generic, TypeArgs};
use crate::lowering::Lowering;
use crate::scope::Scope;

/// Canonical parameters have numbers from here; no program has as many of its own.
const CANONICAL_BASE: u32 = 0x6000_0000;

/// Types grow when instances make instances; a ground type with more nodes than this is cut
/// off and reported.
const MAX_TYPE_SIZE: usize = 2_000;

struct TypeSubstitution<'s> {
    types: &'s FxHashMap<TypeParamId, Type>,
    /// Parameters of enclosing polymorphic maps with their canonical names.
    bound: Vec<(TypeParamId, TypeParamId)>,
    size: usize,
}

impl TypeSubstitution<'_> {
    fn apply(&mut self, ty: &Type) -> Type {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.size += 1;
            match ty {
                Type::Bool
                | Type::Int
                | Type::Real
                | Type::RoundingMode
                | Type::String
                | Type::Regex
                | Type::Bv(_)
                | Type::Float { .. } => ty.clone(),
                Type::Con(id, args) => Type::Con(*id, self.apply_all(args)),
                Type::Datatype(id, args) => Type::Datatype(*id, self.apply_all(args)),
                Type::Map(map) => {
                    let outer = self.bound.len();
                    for &param in &map.type_params {
                        let canonical = TypeParamId::from_u32(CANONICAL_BASE + self.bound.len() as u32);
                        self.bound.push((param, canonical));
                    }
                    let mapped = MapType {
                        type_params: self.bound[outer..]
                            .iter()
                            .map(|&(_, canonical)| canonical)
                            .collect(),
                        indices: map.indices.iter().map(|index| self.apply(index)).collect(),
                        result: self.apply(&map.result),
                    };
                    self.bound.truncate(outer);
                    Type::Map(Arc::new(mapped))
                }
                Type::Param(param) => {
                    if let Some(&(_, canonical)) = self.bound.iter().rev().find(|(bound, _)| bound == param) {
                        return Type::Param(canonical);
                    }
                    match self.types.get(param) {
                        Some(ty) => {
                            self.size = self.size.saturating_add(type_size(ty));
                            ty.clone()
                        }
                        None => ty.clone(),
                    }
                }
            }
        })
    }

    fn apply_all(&mut self, types: &[Type]) -> TypeArgs {
        types.iter().map(|ty| self.apply(ty)).collect()
    }
}

fn type_size(ty: &Type) -> usize {
    let mut size = 0;
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        size += 1;
        match ty {
            Type::Con(_, args) | Type::Datatype(_, args) => stack.extend(args.iter()),
            Type::Map(map) => stack.extend(map.indices.iter().chain([&map.result])),
            _ => {}
        }
    }
    size
}

impl Lowering<'_> {
    /// The type with the scope's type parameters substituted, canonical.
    pub(crate) fn ground(&mut self, ty: &Type, scope: &Scope) -> Type {
        self.substitute_types(ty, &scope.types)
    }

    pub(crate) fn ground_all(&mut self, types: &Arc<[Type]>, scope: &Scope) -> TypeArgs {
        if types.is_empty() {
            return self.no_type_args.clone();
        }
        types.iter().map(|ty| self.ground(ty, scope)).collect()
    }

    fn substitute_types(&mut self, ty: &Type, types: &FxHashMap<TypeParamId, Type>) -> Type {
        let mut substitution = TypeSubstitution {
            types,
            bound: Vec::new(),
            size: 0,
        };
        let result = substitution.apply(ty);
        if substitution.size > MAX_TYPE_SIZE && !types.is_empty() {
            self.report_growing_types();
            // The round ends in an error; a small type keeps it short.
            return Type::Int;
        }
        result
    }

    /// The sort of a variable's declared type.
    pub(crate) fn sort_in(&mut self, ty: &Type, scope: &Scope) -> SortId {
        match ty {
            Type::Bool => self.ir.pool.bool_sort(),
            Type::Int => self.ir.pool.int_sort(),
            _ => {
                let ground = self.ground(ty, scope);
                self.sort(&ground)
            }
        }
    }

    /// The sort of a ground type.
    pub(crate) fn sort(&mut self, ty: &Type) -> SortId {
        if let Some(&sort) = self.sorts.get(ty) {
            return sort;
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.new_sort(ty))
    }

    fn new_sort(&mut self, ty: &Type) -> SortId {
        let sort = match ty {
            Type::Bool => self.ir.pool.bool_sort(),
            Type::Int => self.ir.pool.int_sort(),
            Type::Real => self.ir.pool.sort_id(Sort::Real),
            Type::RoundingMode => self.ir.pool.sort_id(Sort::RoundingMode),
            Type::String => self.ir.pool.sort_id(Sort::String),
            Type::Regex => self.ir.pool.sort_id(Sort::RegLan),
            Type::Bv(0) => return self.empty_bv_sort(),
            Type::Bv(width) => self.ir.pool.bv_sort(*width),
            Type::Float {
                significand,
                exponent,
            } => self.ir.pool.sort_id(Sort::Float {
                significand: *significand,
                exponent: *exponent,
            }),
            Type::Con(id, args) => self.type_con_sort(*id, args, ty),
            Type::Param(_) => self.uninterpreted(ty),
            Type::Datatype(id, args) => return self.datatype_sort(*id, args, ty),
            Type::Map(map) if map.type_params.is_empty() => {
                let indices = self.index_sorts(&map.indices);
                let element = self.sort(&map.result);
                self.ir.pool.array_sort(&indices, element)
            }
            Type::Map(map) => return self.polymorphic_map_sort(map, ty),
        };
        self.sorts.insert(ty.clone(), sort);
        sort
    }

    /// The sorts of a map's indices. A map without indices has a dummy one.
    pub(crate) fn index_sorts(&mut self, indices: &[Type]) -> Vec<SortId> {
        if indices.is_empty() {
            return vec![self.ir.pool.bool_sort()];
        }
        indices.iter().map(|index| self.sort(index)).collect()
    }

    /// SMT-LIB has no bit-vectors of width 0; a datatype with one value takes their place.
    fn empty_bv_sort(&mut self) -> SortId {
        let datatype = self.ir.pool.declare_datatype("bv0");
        let constructor = Constructor {
            name: "empty".into(),
            fields: Vec::new(),
        };
        self.ir.pool.define_datatype(datatype, vec![constructor]);
        let sort = self.ir.pool.sort_id(Sort::Datatype(datatype));
        self.sorts.insert(Type::Bv(0), sort);
        sort
    }

    /// The one value of `bv0`.
    pub(crate) fn empty_bv(&mut self) -> TermId {
        let datatype = self.pool_datatype(&Type::Bv(0));
        self.ir.pool.construct(datatype, 0, &[])
    }

    fn uninterpreted(&mut self, ty: &Type) -> SortId {
        let name = self.type_text(ty);
        self.ir.pool.uninterpreted_sort(name)
    }

    fn type_con_sort(&mut self, id: TypeConId, args: &TypeArgs, ty: &Type) -> SortId {
        self.record_instance(Generic::TypeCon(id), args);
        let con = &self.source.type_cons[id];
        let Some(name) = con.attributes.string("builtin") else {
            return self.uninterpreted(ty);
        };
        match builtin_sort(name) {
            Some(sort) => self.ir.pool.sort_id(sort),
            None => {
                self.warn(Diagnostic::warning(
                    "unmodelled-type",
                    con.span,
                    format!(
                        "the builtin type `{name}` is not modelled; its values and functions are arbitrary"
                    ),
                ));
                let sort = self.uninterpreted(ty);
                self.unmodelled_sorts.insert(sort);
                sort
            }
        }
    }

    fn datatype_sort(&mut self, id: DatatypeId, args: &TypeArgs, ty: &Type) -> SortId {
        self.record_instance(Generic::Datatype(id), args);
        let name = self.type_text(ty);
        let datatype = self.ir.pool.declare_datatype(name);
        let sort = self.ir.pool.sort_id(Sort::Datatype(datatype));
        // Known before its fields: they may mention it.
        self.sorts.insert(ty.clone(), sort);
        let declaration = &self.source.datatypes[id];
        let types: FxHashMap<TypeParamId, Type> = declaration
            .params
            .iter()
            .copied()
            .zip(args.iter().cloned())
            .collect();
        let mut constructors = Vec::with_capacity(declaration.constructors.len());
        for constructor in &declaration.constructors {
            let mut fields = Vec::with_capacity(constructor.fields.len());
            for field in &constructor.fields {
                let sort = if self.too_many_instances() {
                    self.ir.pool.int_sort()
                } else {
                    let ground = self.substitute_types(&field.ty, &types);
                    self.sort(&ground)
                };
                // Selectors need names of their own.
                let is_shared = declaration.constructors.iter().any(|other| {
                    other.name != constructor.name
                        && other.fields.iter().any(|shared| shared.name == field.name)
                });
                let name = if is_shared {
                    format!("{}.{}", constructor.name, field.name).into()
                } else {
                    field.name.clone()
                };
                fields.push(Field { name, sort });
            }
            constructors.push(Constructor {
                name: self.instance_name(&constructor.name, args),
                fields,
            });
        }
        self.ir.pool.define_datatype(datatype, constructors);
        sort
    }

    /// A polymorphic map is a record with one array for each instance that the program uses.
    /// The first field, of a sort of its own, stands for the map at all other types.
    fn polymorphic_map_sort(&mut self, map: &Arc<MapType>, ty: &Type) -> SortId {
        self.used_known = true;
        let name = self.type_text(ty);
        let rest = self.ir.pool.uninterpreted_sort(format!("rest of {name}"));
        let datatype = self.ir.pool.declare_datatype(name.clone());
        self.map_records.push(datatype);
        let sort = self.ir.pool.sort_id(Sort::Datatype(datatype));
        self.sorts.insert(ty.clone(), sort);
        let mut fields = vec![Field {
            name: "rest".into(),
            sort: rest,
        }];
        let instances: Vec<TypeArgs> = self.known.of_map(map).into_iter().flatten().cloned().collect();
        for args in instances {
            let (indices, element) = self.map_instance_sorts(map, &args);
            let element = self.element_sort(element);
            let sort = self.ir.pool.array_sort(&indices, element);
            let text: Vec<Arc<str>> = args.iter().map(|arg| self.type_text(arg)).collect();
            fields.push(Field {
                name: format!("at {}", text.join(", ")).into(),
                sort,
            });
        }
        let constructor = Constructor { name, fields };
        self.ir.pool.define_datatype(datatype, vec![constructor]);
        sort
    }

    /// The index sorts and the element sort of a polymorphic map at type arguments.
    pub(crate) fn map_instance_sorts(&mut self, map: &MapType, args: &[Type]) -> (Vec<SortId>, SortId) {
        let types: FxHashMap<TypeParamId, Type> = map
            .type_params
            .iter()
            .copied()
            .zip(args.iter().cloned())
            .collect();
        let indices: Vec<Type> = map
            .indices
            .iter()
            .map(|index| self.substitute_types(index, &types))
            .collect();
        let result = self.substitute_types(&map.result, &types);
        (self.index_sorts(&indices), self.sort(&result))
    }

    /// Whether the type mentions a parameter of a procedure that is lowered for unknown types.
    pub(crate) fn is_unknown_type(&self, ty: &Type) -> bool {
        let mut stack = vec![ty];
        while let Some(ty) = stack.pop() {
            match ty {
                Type::Param(param) if self.unknown_types.contains(param) => return true,
                Type::Con(_, args) | Type::Datatype(_, args) => stack.extend(args.iter()),
                Type::Map(map) => stack.extend(map.indices.iter().chain([&map.result])),
                _ => {}
            }
        }
        false
    }

    /// The pool's datatype of a ground datatype or polymorphic map type.
    pub(crate) fn pool_datatype(&mut self, ty: &Type) -> PoolDatatype {
        let sort = self.sort(ty);
        match self.ir.pool.sort(sort) {
            Sort::Datatype(id) => *id,
            other => unreachable!("the type checker lets only datatypes through here, not {other:?}"),
        }
    }

    /// `name` or `name<args>`.
    pub(crate) fn instance_name(&self, name: &Arc<str>, args: &[Type]) -> Arc<str> {
        if args.is_empty() {
            return name.clone();
        }
        let texts: Vec<String> = args.iter().map(|arg| self.type_text(arg).to_string()).collect();
        format!("{name}<{}>", texts.join(", ")).into()
    }

    /// A ground type as text.
    pub(crate) fn type_text(&self, ty: &Type) -> Arc<str> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match ty {
            Type::Bool => "bool".into(),
            Type::Int => "int".into(),
            Type::Real => "real".into(),
            Type::RoundingMode => "rmode".into(),
            Type::String => "string".into(),
            Type::Regex => "regex".into(),
            Type::Bv(width) => format!("bv{width}").into(),
            Type::Float {
                significand,
                exponent,
            } => format!("float{significand}e{exponent}").into(),
            Type::Con(id, args) => self.instance_name(&self.source.type_cons[*id].name, args),
            Type::Datatype(id, args) => self.instance_name(&self.source.datatypes[*id].name, args),
            Type::Param(param) => self.type_param_text(*param),
            Type::Map(map) => {
                let params: Vec<Arc<str>> = map
                    .type_params
                    .iter()
                    .map(|&param| self.type_param_text(param))
                    .collect();
                let indices: Vec<Arc<str>> = map.indices.iter().map(|index| self.type_text(index)).collect();
                let quantified = if params.is_empty() {
                    String::new()
                } else {
                    format!("<{}>", params.join(","))
                };
                format!(
                    "{quantified}[{}]{}",
                    indices.join(","),
                    self.type_text(&map.result)
                )
                .into()
            }
        })
    }

    fn type_param_text(&self, param: TypeParamId) -> Arc<str> {
        match param.as_u32().checked_sub(CANONICAL_BASE) {
            Some(level) => format!("a{level}").into(),
            None => self
                .source
                .type_params
                .get(param)
                .cloned()
                .unwrap_or_else(|| "a".into()),
        }
    }
}

/// The sort that a `{:builtin}` attribute of a type names, where there is one.
fn builtin_sort(name: &str) -> Option<Sort> {
    let tokens: Vec<&str> = name
        .split([' ', '(', ')'])
        .filter(|token| !token.is_empty())
        .collect();
    Some(match tokens.as_slice() {
        ["Int"] => Sort::Int,
        ["Real"] => Sort::Real,
        ["Bool"] => Sort::Bool,
        ["String"] => Sort::String,
        ["RegLan" | "RegEx"] => Sort::RegLan,
        ["RoundingMode"] => Sort::RoundingMode,
        ["_", "BitVec", width] => Sort::Bv(width.parse().ok().filter(|&width| width > 0)?),
        ["_", "FloatingPoint", exponent, significand] => Sort::Float {
            significand: significand.parse().ok()?,
            exponent: exponent.parse().ok()?,
        },
        _ => return None,
    })
}
