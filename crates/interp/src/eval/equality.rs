//! When two values are the same, and when a value is one of a sort.

use lariat_term::{MapValue, Sort, SortId, TermPool, Value};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashSet;

use super::domain::all_values;

/// Extensional equality. Maps over a small finite index sort are equal even if one lists all
/// entries and the other has them as default.
pub fn values_equal(pool: &TermPool, a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Map(a), Value::Map(b)) => maps_equal(pool, a, b),
        (
            Value::Datatype {
                constructor: c,
                fields: x,
                ..
            },
            Value::Datatype {
                constructor: d,
                fields: y,
                ..
            },
        ) => c == d && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| values_equal(pool, x, y)),
        _ => a == b,
    }
}

fn maps_equal(pool: &TermPool, a: &MapValue, b: &MapValue) -> bool {
    if a == b {
        return true;
    }
    let listed: FxHashSet<&Vec<Value>> = a.entries().chain(b.entries()).map(|(key, _)| key).collect();
    if !listed
        .iter()
        .all(|key| values_equal(pool, a.get(key), b.get(key)))
    {
        return false;
    }
    values_equal(pool, &a.default, &b.default) || covers_all_indices(pool, a.sort, listed.len())
}

/// Whether so many different entries leave no index for the default.
fn covers_all_indices(pool: &TermPool, sort: SortId, listed: usize) -> bool {
    let Sort::Array { indices, .. } = pool.sort(sort) else {
        return false;
    };
    let mut size = 1usize;
    for &index in indices {
        match all_values(pool, index, listed) {
            Some(values) => size = size.saturating_mul(values.len()),
            None => return false,
        }
    }
    size <= listed
}

/// The one representation of a float that is not a number; also inside other values.
pub(crate) fn canonical(value: Value) -> Value {
    match value {
        Value::Float {
            bits,
            significand,
            exponent,
        } => {
            let mantissa_bits = significand.saturating_sub(1);
            let mantissa: BigInt = &bits & ((BigInt::one() << mantissa_bits) - 1);
            let exponent_mask: BigInt = (BigInt::one() << exponent) - 1;
            let is_number = mantissa.is_zero() || (&bits >> mantissa_bits) & &exponent_mask != exponent_mask;
            let bits = if is_number {
                bits
            } else {
                (exponent_mask << mantissa_bits) | (BigInt::one() << mantissa_bits.saturating_sub(1))
            };
            Value::Float {
                bits,
                significand,
                exponent,
            }
        }
        Value::Datatype {
            datatype,
            constructor,
            fields,
        } => Value::Datatype {
            datatype,
            constructor,
            fields: fields.into_iter().map(canonical).collect(),
        },
        Value::Map(map) if mentions_float(&map) => {
            let mut result = MapValue::constant(map.sort, canonical(map.default.clone()));
            for (key, value) in map.entries() {
                let key = key.iter().cloned().map(canonical).collect();
                result.set(key, canonical(value.clone()));
            }
            Value::Map(result.into())
        }
        other => other,
    }
}

fn mentions_float(map: &MapValue) -> bool {
    fn is_compound(value: &Value) -> bool {
        matches!(
            value,
            Value::Float { .. } | Value::Map(_) | Value::Datatype { .. }
        )
    }
    is_compound(&map.default)
        || map
            .entries()
            .next()
            .is_some_and(|(key, _)| key.iter().any(is_compound))
}

/// Whether the value is one of the sort.
pub(crate) fn fits(pool: &TermPool, value: &Value, sort: SortId) -> bool {
    match (value, pool.sort(sort)) {
        (Value::Bool(_), Sort::Bool)
        | (Value::Int(_), Sort::Int)
        | (Value::Real(_), Sort::Real)
        | (Value::RoundingMode(_), Sort::RoundingMode)
        | (Value::String(_), Sort::String) => true,
        (Value::Bv { value, width }, Sort::Bv(expected)) => {
            width == expected && !value.is_negative() && value.bits() <= u64::from(*width)
        }
        (
            Value::Float {
                significand,
                exponent,
                ..
            },
            Sort::Float {
                significand: s,
                exponent: e,
            },
        ) => significand == s && exponent == e,
        (Value::Map(map), Sort::Array { indices, element }) => {
            map.sort == sort
                && fits(pool, &map.default, *element)
                && map.entries().all(|(key, value)| {
                    key.len() == indices.len()
                        && key
                            .iter()
                            .zip(indices)
                            .all(|(key, &index)| fits(pool, key, index))
                        && fits(pool, value, *element)
                })
        }
        (
            Value::Datatype {
                datatype,
                constructor,
                fields,
            },
            Sort::Datatype(expected),
        ) => {
            datatype == expected
                && pool
                    .datatype(*datatype)
                    .constructors
                    .get(*constructor as usize)
                    .is_some_and(|data| {
                        data.fields.len() == fields.len()
                            && fields
                                .iter()
                                .zip(&data.fields)
                                .all(|(value, field)| fits(pool, value, field.sort))
                    })
        }
        (Value::Element { sort: own, .. }, Sort::Uninterpreted(_)) => *own == sort,
        _ => false,
    }
}

/// Whether constructors nest deeper than `limit` levels.
pub(super) fn nests_deeper(value: &Value, limit: u32) -> bool {
    let Some(limit) = limit.checked_sub(1) else {
        return true;
    };
    match value {
        Value::Datatype { fields, .. } => fields.iter().any(|field| nests_deeper(field, limit)),
        Value::Map(map) => {
            nests_deeper(&map.default, limit)
                || map.entries().any(|(key, value)| {
                    nests_deeper(value, limit) || key.iter().any(|key| nests_deeper(key, limit))
                })
        }
        _ => false,
    }
}
