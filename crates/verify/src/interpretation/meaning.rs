//! What a function of the program may stand for.

use std::sync::Arc;

use lariat_term::{Function, Sort, TermId, TermPool, Value};
use num_bigint::{BigInt, Sign};

use super::bits::Code;

/// Shifts by more places than this are those by all places.
const MOST_PLACES: u32 = 64;

/// A standard meaning of an uninterpreted function: a total function of its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    And,
    Or,
    Xor,
    Complement,
    /// Times a power of two; by a number of places that is not from 0 to 64: zero.
    ShiftLeft,
    /// Divided by a power of two and rounded down; by a number of places that is not from 0 to 64: zero.
    ShiftRight,
    /// Is it one of these numbers?
    OneOf(Arc<[BigInt]>),
    Add,
    Subtract,
    Negate,
    Equal,
    AtMost,
    Less,
    AtLeast,
    Greater,
    /// One of its arguments.
    Argument(usize),
    /// The same truth value for all arguments.
    Holds(bool),
    Zero,
}

impl Meaning {
    /// What a function of this signature may mean; what says most comes first.
    pub fn candidates(pool: &TermPool, function: &Function, listed: &Arc<[BigInt]>) -> Vec<Meaning> {
        let is_int = |sort| *pool.sort(sort) == Sort::Int;
        let mut candidates = Vec::new();
        let ints = function.args.iter().all(|&sort| is_int(sort));
        match (function.args.len(), pool.sort(function.result)) {
            (2, Sort::Int) if ints => candidates.extend([
                Meaning::And,
                Meaning::Or,
                Meaning::Xor,
                Meaning::ShiftLeft,
                Meaning::ShiftRight,
                Meaning::Add,
                Meaning::Subtract,
            ]),
            (1, Sort::Int) if ints => candidates.extend([Meaning::Complement, Meaning::Negate]),
            (1, Sort::Bool) if ints && !listed.is_empty() => {
                candidates.push(Meaning::OneOf(listed.clone()));
            }
            (2, Sort::Bool) if ints => candidates.extend([
                Meaning::AtMost,
                Meaning::Less,
                Meaning::AtLeast,
                Meaning::Greater,
                Meaning::Equal,
            ]),
            (2, Sort::Bool) if function.args[0] == function.args[1] => candidates.push(Meaning::Equal),
            _ => {}
        }
        let same = function.args.iter().enumerate();
        let same = same.filter(|(_, sort)| **sort == function.result);
        candidates.extend(same.map(|(index, _)| Meaning::Argument(index)));
        match pool.sort(function.result) {
            Sort::Bool => candidates.extend([Meaning::Holds(true), Meaning::Holds(false)]),
            Sort::Int => candidates.push(Meaning::Zero),
            _ => {}
        }
        candidates
    }

    /// Whether it combines the bits of integers.
    pub fn is_bitwise(&self) -> bool {
        matches!(
            self,
            Meaning::And | Meaning::Or | Meaning::Xor | Meaning::Complement
        )
    }

    /// Its value; `None` if the arguments are of other sorts.
    pub fn value(&self, code: &Code, args: &[Value]) -> Option<Value> {
        let bits = |a: &BigInt, b: &BigInt, combine: fn(BigInt, BigInt) -> BigInt| {
            Value::Int(code.swap(&combine(code.swap(a), code.swap(b))))
        };
        Some(match (self, args) {
            (Meaning::And, [Value::Int(a), Value::Int(b)]) => bits(a, b, |a, b| a & b),
            (Meaning::Or, [Value::Int(a), Value::Int(b)]) => bits(a, b, |a, b| a | b),
            (Meaning::Xor, [Value::Int(a), Value::Int(b)]) => bits(a, b, |a, b| a ^ b),
            (Meaning::Complement, [Value::Int(a)]) => Value::Int(code.swap(&!code.swap(a))),
            (Meaning::ShiftLeft, [Value::Int(a), Value::Int(places)]) => {
                Value::Int(places_of(places).map_or(BigInt::ZERO, |places| a << places))
            }
            // `>>` of numbers rounds down.
            (Meaning::ShiftRight, [Value::Int(a), Value::Int(places)]) => {
                Value::Int(places_of(places).map_or(BigInt::ZERO, |places| a >> places))
            }
            (Meaning::OneOf(numbers), [Value::Int(a)]) => Value::Bool(numbers.contains(a)),
            (Meaning::Add, [Value::Int(a), Value::Int(b)]) => Value::Int(a + b),
            (Meaning::Subtract, [Value::Int(a), Value::Int(b)]) => Value::Int(a - b),
            (Meaning::Negate, [Value::Int(a)]) => Value::Int(-a),
            (Meaning::AtMost, [Value::Int(a), Value::Int(b)]) => Value::Bool(a <= b),
            (Meaning::Less, [Value::Int(a), Value::Int(b)]) => Value::Bool(a < b),
            (Meaning::AtLeast, [Value::Int(a), Value::Int(b)]) => Value::Bool(a >= b),
            (Meaning::Greater, [Value::Int(a), Value::Int(b)]) => Value::Bool(a > b),
            (Meaning::Equal, [a, b]) => Value::Bool(a == b),
            (Meaning::Argument(index), _) => args.get(*index)?.clone(),
            (Meaning::Holds(value), _) => Value::Bool(*value),
            (Meaning::Zero, _) => Value::Int(BigInt::ZERO),
            _ => return None,
        })
    }

    /// Its value as a term. `open`, an application of the function, stands for what cannot be said by one.
    pub fn term(&self, pool: &mut TermPool, code: &Code, args: &[TermId], open: TermId) -> Option<TermId> {
        Some(match (self, args) {
            (Meaning::And | Meaning::Or | Meaning::Xor, &[a, b]) => code.combine(pool, self, [a, b], open)?,
            (Meaning::Complement, &[a]) => code.complement(pool, a),
            (Meaning::ShiftLeft | Meaning::ShiftRight, &[a, places]) => {
                let mut result = pool.int(0);
                for count in 0..=MOST_PLACES {
                    let power = pool.int(BigInt::from(1) << count);
                    let shifted = match self {
                        Meaning::ShiftLeft => pool.mul(power, a),
                        _ => pool.int_div(a, power),
                    };
                    let count = pool.int(count);
                    let is_it = pool.eq(places, count);
                    result = pool.ite(is_it, shifted, result);
                }
                result
            }
            (Meaning::OneOf(numbers), &[a]) => {
                let mut cases = Vec::new();
                for number in numbers.iter() {
                    let number = pool.int(number.clone());
                    cases.push(pool.eq(a, number));
                }
                pool.or(&cases)
            }
            (Meaning::Add, _) => pool.add(args),
            (Meaning::Subtract, &[a, b]) => pool.sub(a, b),
            (Meaning::Negate, &[a]) => pool.neg(a),
            (Meaning::AtMost, &[a, b]) | (Meaning::AtLeast, &[b, a]) => pool.le(a, b),
            (Meaning::Less, &[a, b]) | (Meaning::Greater, &[b, a]) => pool.lt(a, b),
            (Meaning::Equal, &[a, b]) => pool.eq(a, b),
            (Meaning::Argument(index), _) => *args.get(*index)?,
            (Meaning::Holds(value), _) => pool.bool(*value),
            (Meaning::Zero, _) => pool.int(0),
            _ => return None,
        })
    }
}

/// The places of a shift, if they are within the limit.
fn places_of(places: &BigInt) -> Option<u32> {
    if places.sign() == Sign::Minus {
        return None;
    }
    u32::try_from(places).ok().filter(|&places| places <= MOST_PLACES)
}
