//! Sorts. A [`SortId`] is interned: equal sorts have equal ids.

use std::sync::Arc;

use cranelift_entity::entity_impl;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(u32);
entity_impl!(SortId, "sort");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DatatypeId(u32);
entity_impl!(DatatypeId, "datatype");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UninterpretedId(u32);
entity_impl!(UninterpretedId, "usort");

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Bool,
    Int,
    Real,
    Bv(u32),
    /// Bits of the significand with the hidden one, bits of the exponent.
    Float {
        significand: u32,
        exponent: u32,
    },
    RoundingMode,
    String,
    RegLan,
    /// Total maps from one or more indices.
    Array {
        indices: Box<[SortId]>,
        element: SortId,
    },
    Datatype(DatatypeId),
    Uninterpreted(UninterpretedId),
}

/// An algebraic datatype. Datatypes may refer to each other; they are declared before
/// their constructors are set.
#[derive(Clone, Debug)]
pub struct Datatype {
    pub name: Arc<str>,
    pub constructors: Vec<Constructor>,
}

#[derive(Clone, Debug)]
pub struct Constructor {
    pub name: Arc<str>,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Arc<str>,
    pub sort: SortId,
}
