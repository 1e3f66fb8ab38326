//! Concrete values: what models give and the interpreter computes with.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::op::RoundingMode;
use crate::pool::{TermId, TermPool};
use crate::sort::{DatatypeId, Sort, SortId};

/// A value of a sort. Equal values compare equal: maps drop entries that equal their default.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    Int(BigInt),
    Real(BigRational),
    /// Unsigned.
    Bv {
        value: BigInt,
        width: u32,
    },
    /// IEEE bits.
    Float {
        bits: BigInt,
        significand: u32,
        exponent: u32,
    },
    RoundingMode(RoundingMode),
    String(Arc<str>),
    Map(Arc<MapValue>),
    Datatype {
        datatype: DatatypeId,
        constructor: u32,
        fields: Vec<Value>,
    },
    /// An element of an uninterpreted sort, by a number.
    Element {
        sort: SortId,
        index: u64,
    },
}

/// A total map: finitely many entries and a value everywhere else.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MapValue {
    pub sort: SortId,
    pub default: Value,
    entries: BTreeMap<Vec<Value>, Value>,
}

impl MapValue {
    pub fn constant(sort: SortId, default: Value) -> Self {
        MapValue {
            sort,
            default,
            entries: BTreeMap::new(),
        }
    }

    pub fn get(&self, indices: &[Value]) -> &Value {
        self.entries.get(indices).unwrap_or(&self.default)
    }

    pub fn set(&mut self, indices: Vec<Value>, value: Value) {
        if value == self.default {
            self.entries.remove(&indices);
        } else {
            self.entries.insert(indices, value);
        }
    }

    pub fn entries(&self) -> impl Iterator<Item = (&Vec<Value>, &Value)> {
        self.entries.iter()
    }
}

impl Value {
    /// Some value of the sort. `None` for regular expressions, which have no values here, and
    /// for datatypes without a finite value.
    pub fn any_of(pool: &TermPool, sort: SortId) -> Option<Value> {
        Value::any_within(pool, sort, 64)
    }

    fn any_within(pool: &TermPool, sort: SortId, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        Some(match pool.sort(sort) {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::ZERO),
            Sort::Real => Value::Real(BigRational::from_integer(BigInt::ZERO)),
            Sort::Bv(width) => Value::Bv {
                value: BigInt::ZERO,
                width: *width,
            },
            Sort::Float {
                significand,
                exponent,
            } => Value::Float {
                bits: BigInt::ZERO,
                significand: *significand,
                exponent: *exponent,
            },
            Sort::RoundingMode => Value::RoundingMode(RoundingMode::NearestEven),
            Sort::String => Value::String("".into()),
            Sort::RegLan => return None,
            Sort::Array { element, .. } => Value::Map(Arc::new(MapValue::constant(
                sort,
                Value::any_within(pool, *element, depth)?,
            ))),
            Sort::Datatype(datatype) => pool
                .datatype(*datatype)
                .constructors
                .iter()
                .enumerate()
                .find_map(|(constructor, data)| {
                    let fields: Option<Vec<Value>> = data
                        .fields
                        .iter()
                        .map(|field| Value::any_within(pool, field.sort, depth))
                        .collect();
                    Some(Value::Datatype {
                        datatype: *datatype,
                        constructor: constructor as u32,
                        fields: fields?,
                    })
                })?,
            Sort::Uninterpreted(_) => Value::Element { sort, index: 0 },
        })
    }

    /// The value as a closed term; `None` if it holds an element of an uninterpreted sort,
    /// which no closed term denotes.
    pub fn to_term(&self, pool: &mut TermPool) -> Option<TermId> {
        Some(match self {
            Value::Bool(value) => pool.bool(*value),
            Value::Int(value) => pool.int(value.clone()),
            Value::Real(value) => pool.real(value.clone()),
            Value::Bv { value, width } => pool.bv(value.clone(), *width),
            Value::Float {
                bits,
                significand,
                exponent,
            } => pool.float(bits.clone(), *significand, *exponent),
            Value::RoundingMode(mode) => pool.rounding_mode(*mode),
            Value::String(text) => pool.string(text.clone()),
            Value::Map(map) => {
                let default = map.default.to_term(pool)?;
                let mut term = pool.const_array(map.sort, default);
                for (indices, value) in map.entries() {
                    let indices: Vec<TermId> = indices
                        .iter()
                        .map(|index| index.to_term(pool))
                        .collect::<Option<_>>()?;
                    let value = value.to_term(pool)?;
                    term = pool.store(term, &indices, value);
                }
                term
            }
            Value::Datatype {
                datatype,
                constructor,
                fields,
            } => {
                let fields: Vec<TermId> = fields
                    .iter()
                    .map(|field| field.to_term(pool))
                    .collect::<Option<_>>()?;
                pool.construct(*datatype, *constructor, &fields)
            }
            Value::Element { .. } => return None,
        })
    }
}
