//! The values that a run computes with.
//!
//! Invariants:
//! - a number that fits into an `i64` is a [`Val::Int`], another one that fits into an `i128` a [`Val::Wide`];
//!   bit-vectors are their unsigned numbers;
//! - the bits of a float that is not a number are always the same;
//! - [`Val::Undef`] stands only in the variable that it is the initial value of: reading the variable puts
//!   an open value in its place;
//! - the value of an open cell, once chosen, is closed.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use lariat_term::{MapValue, Sort, SortId, TermPool, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::words::Words;
use crate::float::Float;

#[derive(Clone, Debug)]
pub(super) enum Val {
    Undef,
    Bool(bool),
    Int(i64),
    Wide(Wide),
    Big(Rc<BigInt>),
    Float(Float),
    /// Of a sort without operators here.
    Other(Rc<Value>),
    Map(Rc<Map>),
    Open(Rc<OpenCell>),
}

/// A number of more than 64 bits. Its parts keep a value small: an `i128` would be aligned to 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wide {
    high: i64,
    low: u64,
}

impl Wide {
    fn new(number: i128) -> Self {
        Wide {
            high: (number >> 64) as i64,
            low: number as u64,
        }
    }

    pub fn number(self) -> i128 {
        (i128::from(self.high) << 64) | i128::from(self.low)
    }
}

/// A value that is chosen when it is needed.
#[derive(Debug)]
pub(super) struct OpenCell {
    /// `None` if it is never chosen.
    pub sort: Option<SortId>,
    pub value: OnceCell<Val>,
    pub kind: CellKind,
    /// At the ends of `i128`: no bound.
    pub low: Cell<i128>,
    pub high: Cell<i128>,
}

/// What the bounds of an open value mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellKind {
    /// A number or a bit-vector.
    Number,
    /// 0 is false, 1 is true.
    Bool,
    /// Nothing.
    Other,
}

/// Elements over a base.
#[derive(Clone, Debug)]
pub(super) struct Map {
    pub base: Base,
    pub words: Words,
    /// At other indices than one small number.
    pub others: FxHashMap<Key, Val>,
}

#[derive(Clone, Debug)]
pub(super) enum Base {
    /// The same value everywhere.
    Same(Val),
    Open(Rc<OpenMap>),
}

/// A map that was never written: its elements are made open when they are first read.
#[derive(Debug)]
pub(super) struct OpenMap {
    pub element: SortId,
    pub elements: RefCell<FxHashMap<Key, Val>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    Int(i64),
    Parts(Box<[KeyPart]>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum KeyPart {
    Bool(bool),
    Number(i128),
    Big(BigInt),
    Float(Float),
    Other(Value),
}

impl Val {
    pub fn number(value: BigInt) -> Val {
        match value.to_i128() {
            Some(small) => Val::of_i128(small),
            None => Val::Big(Rc::new(value)),
        }
    }

    #[inline]
    pub fn of_i128(number: i128) -> Val {
        match i64::try_from(number) {
            Ok(small) => Val::Int(small),
            Err(_) => Val::Wide(Wide::new(number)),
        }
    }

    #[inline]
    pub fn to_i128(&self) -> Option<i128> {
        match self {
            Val::Int(number) => Some(i128::from(*number)),
            Val::Wide(number) => Some(number.number()),
            _ => None,
        }
    }

    pub fn to_number(&self) -> Option<BigInt> {
        match self {
            Val::Int(value) => Some(BigInt::from(*value)),
            Val::Wide(value) => Some(BigInt::from(value.number())),
            Val::Big(value) => Some(BigInt::clone(value)),
            _ => None,
        }
    }

    /// The value of a variable of this sort that was never set.
    pub fn fresh(pool: &TermPool, sort: SortId) -> Val {
        match pool.sort(sort) {
            Sort::Array { element, .. } => Val::Map(Rc::new(Map {
                base: Base::Open(Rc::new(OpenMap {
                    element: *element,
                    elements: RefCell::default(),
                })),
                words: Words::default(),
                others: FxHashMap::default(),
            })),
            scalar => Val::Open(Rc::new(OpenCell::new(scalar, sort))),
        }
    }

    /// A literal as a value of a run.
    pub fn literal(value: Value) -> Val {
        match value {
            Value::Bool(value) => Val::Bool(value),
            Value::Int(value) | Value::Bv { value, .. } => Val::number(value),
            float @ Value::Float { .. } => match Float::of(&float) {
                Some(float) => Val::Float(float),
                None => Val::Other(Rc::new(float)),
            },
            other => Val::Other(Rc::new(other)),
        }
    }

    /// As part of a trace; what is still open gets any value that its range allows.
    pub fn to_value(&self, pool: &TermPool, sort: SortId) -> Option<Value> {
        match (self, pool.sort(sort)) {
            (Val::Bool(value), _) => Some(Value::Bool(*value)),
            (Val::Int(_) | Val::Wide(_) | Val::Big(_), Sort::Bv(width)) => Some(Value::Bv {
                value: self.to_number()?,
                width: *width,
            }),
            (Val::Int(_) | Val::Wide(_) | Val::Big(_), _) => self.to_number().map(Value::Int),
            (Val::Float(float), _) => Some(float.to_value()),
            (Val::Other(value), _) => Some(Value::clone(value)),
            (Val::Undef, _) => Value::any_of(pool, sort),
            (Val::Open(cell), _) => match cell.value.get() {
                Some(value) => value.to_value(pool, sort),
                None => match cell.nearest(0) {
                    Some(value) => value.to_value(pool, sort),
                    None => Value::any_of(pool, sort),
                },
            },
            (Val::Map(map), Sort::Array { indices, element }) => {
                stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                    let mut result = MapValue::constant(sort, map.default(pool, *element)?);
                    if let Base::Open(base) = &map.base {
                        for (key, value) in base.elements.borrow().iter() {
                            result.set(key.to_values(pool, indices)?, value.to_value(pool, *element)?);
                        }
                    }
                    for (index, value) in map.words.iter() {
                        result.set(
                            Key::Int(index).to_values(pool, indices)?,
                            value.to_value(pool, *element)?,
                        );
                    }
                    for (key, value) in &map.others {
                        result.set(key.to_values(pool, indices)?, value.to_value(pool, *element)?);
                    }
                    Some(Value::Map(Arc::new(result)))
                })
            }
            (Val::Map(_), _) => None,
        }
    }
}

impl OpenCell {
    fn new(sort: &Sort, id: SortId) -> Self {
        let (kind, low, high) = match sort {
            Sort::Bool => (CellKind::Bool, 0, 1),
            Sort::Int => (CellKind::Number, i128::MIN, i128::MAX),
            &Sort::Bv(width) if width < 127 => (CellKind::Number, 0, (1 << width) - 1),
            Sort::Bv(_) => (CellKind::Number, 0, i128::MAX),
            _ => (CellKind::Other, i128::MIN, i128::MAX),
        };
        OpenCell {
            sort: Some(id),
            ..OpenCell::between(kind, low, high)
        }
    }

    /// A value that is never chosen.
    pub fn between(kind: CellKind, low: i128, high: i128) -> Self {
        OpenCell {
            sort: None,
            value: OnceCell::new(),
            kind,
            low: Cell::new(low),
            high: Cell::new(high),
        }
    }

    /// The value in the range that is nearest to this one; `None` if there is no range.
    pub fn nearest(&self, wanted: i128) -> Option<Val> {
        let number = wanted.clamp(self.low.get(), self.high.get());
        match self.kind {
            CellKind::Number => Some(Val::of_i128(number)),
            CellKind::Bool => Some(Val::Bool(number == 1)),
            CellKind::Other => None,
        }
    }
}

impl Map {
    fn default(&self, pool: &TermPool, element: SortId) -> Option<Value> {
        match &self.base {
            Base::Same(value) => value.to_value(pool, element),
            Base::Open(_) => Value::any_of(pool, element),
        }
    }

    /// The element at one small number.
    #[inline]
    pub fn word(&self, pool: &TermPool, index: i64) -> Val {
        match self.words.get(index) {
            Some(value) => value,
            None => self.of_base(pool, Key::Int(index)),
        }
    }

    pub fn get(&self, pool: &TermPool, key: Key) -> Val {
        let written = match &key {
            Key::Int(index) => self.words.get(*index),
            Key::Parts(_) => self.others.get(&key).cloned(),
        };
        written.unwrap_or_else(|| self.of_base(pool, key))
    }

    pub fn set(&mut self, key: Key, value: Val) {
        match key {
            Key::Int(index) => self.words.set(index, value),
            parts => {
                self.others.insert(parts, value);
            }
        }
    }

    fn of_base(&self, pool: &TermPool, key: Key) -> Val {
        match &self.base {
            Base::Same(value) => value.clone(),
            Base::Open(base) => base
                .elements
                .borrow_mut()
                .entry(key)
                .or_insert_with(|| Val::fresh(pool, base.element))
                .clone(),
        }
    }
}

impl Key {
    /// `None` if a part cannot be compared: an open value or a map.
    pub fn new(indices: &[Val]) -> Option<Key> {
        if let [Val::Int(index)] = indices {
            return Some(Key::Int(*index));
        }
        let parts: Option<Box<[KeyPart]>> = indices
            .iter()
            .map(|index| match index {
                Val::Bool(value) => Some(KeyPart::Bool(*value)),
                Val::Int(value) => Some(KeyPart::Number(i128::from(*value))),
                Val::Wide(value) => Some(KeyPart::Number(value.number())),
                Val::Big(value) => Some(KeyPart::Big(BigInt::clone(value))),
                Val::Float(value) => Some(KeyPart::Float(*value)),
                Val::Other(value) => Some(KeyPart::Other(Value::clone(value))),
                Val::Undef | Val::Map(_) | Val::Open(_) => None,
            })
            .collect();
        parts.map(Key::Parts)
    }

    fn to_values(&self, pool: &TermPool, sorts: &[SortId]) -> Option<Vec<Value>> {
        let vals: Vec<Val> = match self {
            Key::Int(index) => vec![Val::Int(*index)],
            Key::Parts(parts) => parts
                .iter()
                .map(|part| match part {
                    KeyPart::Bool(value) => Val::Bool(*value),
                    KeyPart::Number(value) => Val::of_i128(*value),
                    KeyPart::Float(value) => Val::Float(*value),
                    KeyPart::Big(value) => Val::Big(Rc::new(value.clone())),
                    KeyPart::Other(value) => Val::Other(Rc::new(value.clone())),
                })
                .collect(),
        };
        vals.iter()
            .zip(sorts)
            .map(|(val, &sort)| val.to_value(pool, sort))
            .collect()
    }
}
