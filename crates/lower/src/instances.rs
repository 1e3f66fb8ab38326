//! Which instances of polymorphic things the program uses.
//!
//! All types here are *ground*: substituted and canonical (see [`crate::types`]). Sets keep the
//! order of insertion, so that the same program gives the same IR.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use lariat_base::Diagnostic;
use lariat_boogie::typed::{self, DatatypeId, FunctionId, MapType, Type, TypeConId};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// More instances than any program that can be monomorphised has in practice.
pub(crate) const MAX_INSTANCES: usize = 5_000;

/// The type arguments of an instance; empty for what is not polymorphic.
pub(crate) type TypeArgs = Arc<[Type]>;

pub(crate) type ArgSet = IndexSet<TypeArgs, FxBuildHasher>;

/// Something declared with type parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Generic {
    Function(FunctionId),
    TypeCon(TypeConId),
    Datatype(DatatypeId),
}

/// What got a new instance.
#[derive(Clone, Debug)]
pub(crate) enum Grown {
    Generic(Generic),
    Map,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Instances {
    generics: FxHashMap<Generic, ArgSet>,
    /// For each polymorphic map type the type arguments at which it is read or written.
    maps: IndexMap<Arc<MapType>, ArgSet, FxBuildHasher>,
    count: usize,
}

impl Instances {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn record(&mut self, generic: Generic, args: &TypeArgs) {
        if !args.is_empty() && self.generics.entry(generic).or_default().insert(args.clone()) {
            self.count += 1;
        }
    }

    pub(crate) fn record_map(&mut self, map: &Arc<MapType>, args: &TypeArgs) {
        if self.maps.entry(map.clone()).or_default().insert(args.clone()) {
            self.count += 1;
        }
    }

    pub(crate) fn of(&self, generic: Generic) -> impl Iterator<Item = &TypeArgs> {
        self.generics.get(&generic).into_iter().flatten()
    }

    pub(crate) fn of_map(&self, map: &MapType) -> Option<&ArgSet> {
        self.maps.get(map)
    }

    pub(crate) fn maps(&self) -> impl Iterator<Item = (&Arc<MapType>, &ArgSet)> {
        self.maps.iter()
    }

    /// Adds the instances of a round; returns what grew, the last if several did.
    pub(crate) fn merge(&mut self, found: Instances) -> Option<Grown> {
        let before = self.count;
        let mut grown = None;
        let mut generics: Vec<(Generic, ArgSet)> = found.generics.into_iter().collect();
        generics.sort_by_key(|(generic, _)| generic.order());
        for (generic, sets) in generics {
            for args in sets {
                self.record(generic, &args);
            }
            if self.count > before {
                grown = Some(Grown::Generic(generic));
            }
        }
        for (map, sets) in found.maps {
            let count = self.count;
            for args in sets {
                self.record_map(&map, &args);
            }
            if self.count > count {
                grown = grown.or(Some(Grown::Map));
            }
        }
        grown
    }
}

impl Generic {
    fn order(self) -> (u8, u32) {
        match self {
            Generic::Function(id) => (0, id.as_u32()),
            Generic::TypeCon(id) => (1, id.as_u32()),
            Generic::Datatype(id) => (2, id.as_u32()),
        }
    }

    /// The error that the construct needs more instances than can be made.
    pub(crate) fn too_many(self, program: &typed::Program) -> Diagnostic {
        let (kind, name, span) = match self {
            Generic::Function(id) => {
                let function = &program.functions[id];
                ("function", &function.name, function.span)
            }
            Generic::TypeCon(id) => {
                let con = &program.type_cons[id];
                ("type", &con.name, con.span)
            }
            Generic::Datatype(id) => {
                let datatype = &program.datatypes[id];
                ("datatype", &datatype.name, datatype.span)
            }
        };
        Diagnostic::error(
            "too-many-instances",
            span,
            format!("the polymorphic {kind} `{name}` needs too many instances"),
        )
        .hint("the program uses it at ever larger types; Lariat instantiates polymorphism and needs finitely many")
    }
}

impl Grown {
    pub(crate) fn too_many(&self, program: &typed::Program) -> Diagnostic {
        match self {
            Grown::Generic(generic) => generic.too_many(program),
            Grown::Map => Diagnostic::global_error(
                "too-many-instances",
                "a polymorphic map is used at too many types",
            ),
        }
    }
}
