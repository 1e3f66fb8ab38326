//! All values of small sorts.

use lariat_term::{RoundingMode, Sort, SortId, TermPool, Value};

/// All values of the sort if there are at most `limit`.
pub(crate) fn all_values(pool: &TermPool, sort: SortId, limit: usize) -> Option<Vec<Value>> {
    within(pool, sort, limit, 8)
}

fn within(pool: &TermPool, sort: SortId, limit: usize, depth: u32) -> Option<Vec<Value>> {
    let depth = depth.checked_sub(1)?;
    let values: Vec<Value> = match pool.sort(sort) {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        &Sort::Bv(width) if width < usize::BITS - 1 && 1usize << width <= limit => (0..1usize << width)
            .map(|value| Value::Bv {
                value: value.into(),
                width,
            })
            .collect(),
        Sort::RoundingMode => [
            RoundingMode::NearestEven,
            RoundingMode::NearestAway,
            RoundingMode::TowardPositive,
            RoundingMode::TowardNegative,
            RoundingMode::TowardZero,
        ]
        .map(Value::RoundingMode)
        .to_vec(),
        &Sort::Datatype(datatype) => {
            let mut values = Vec::new();
            for (constructor, data) in pool.datatype(datatype).constructors.iter().enumerate() {
                let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
                for field in &data.fields {
                    let choices = within(pool, field.sort, limit, depth)?;
                    if tuples.len().saturating_mul(choices.len()) > limit {
                        return None;
                    }
                    tuples = tuples
                        .iter()
                        .flat_map(|tuple| {
                            choices.iter().map(move |choice| {
                                let mut tuple = tuple.clone();
                                tuple.push(choice.clone());
                                tuple
                            })
                        })
                        .collect();
                }
                values.extend(tuples.into_iter().map(|fields| Value::Datatype {
                    datatype,
                    constructor: constructor as u32,
                    fields,
                }));
                if values.len() > limit {
                    return None;
                }
            }
            values
        }
        _ => return None,
    };
    (values.len() <= limit).then_some(values)
}
