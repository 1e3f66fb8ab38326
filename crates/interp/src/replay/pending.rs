//! Variables whose value is still open: chosen when an assume first read them, and chosen again if
//! a later assume wants another one.
//!
//! What an activation has assumed is over when it assigns, asserts, calls or returns. A global map that the trace has given and that
//! no statement has read is still as good as just given, in whichever activation the first assume looks at it.

use lariat_term::{Op, SortId, TermId, TermPool, Value, VarId};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::FxHashSet;

/// At most this many values are tried for a variable.
const MAX_CANDIDATES: usize = 64;

/// The open variables and given maps of the running activation and the assumes that have looked at them.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    vars: Vec<VarId>,
    /// Maps that the trace has given a value.
    given: Vec<VarId>,
    /// Global maps that the trace has given and no statement has read or written.
    untouched: FxHashSet<VarId>,
    conditions: Vec<TermId>,
    /// Free variables of the conditions.
    mentioned: FxHashSet<VarId>,
}

impl Pending {
    /// Forgets the activation's assumes.
    pub fn clear(&mut self) {
        self.vars.clear();
        self.given.clear();
        self.conditions.clear();
        self.mentioned.clear();
    }

    pub fn open(&mut self, var: VarId) {
        self.vars.push(var);
    }

    /// The variable gets a new value: what was said of the old one is over.
    pub fn overwritten(&mut self, var: VarId) {
        if self.mentioned.contains(&var) {
            self.clear();
        }
        self.vars.retain(|&open| open != var);
        self.given.retain(|&given| given != var);
        self.untouched.remove(&var);
    }

    /// The trace has given a map its value.
    pub fn give(&mut self, var: VarId, is_global: bool) {
        self.given.push(var);
        if is_global {
            self.untouched.insert(var);
        }
    }

    /// A statement reads these variables.
    pub fn read(&mut self, vars: &[VarId]) {
        for var in vars {
            self.untouched.remove(var);
        }
    }

    /// An assume is the next to read these variables.
    pub fn about_to_assume(&mut self, vars: &[VarId]) {
        for &var in vars {
            if self.untouched.contains(&var) && !self.given.contains(&var) {
                self.given.push(var);
            }
        }
    }

    /// The maps among these that the trace has given.
    pub fn given_among(&self, vars: &[VarId]) -> Vec<VarId> {
        vars.iter()
            .copied()
            .filter(|var| self.given.contains(var))
            .collect()
    }

    /// An assume that holds and reads these variables.
    pub fn assumed(&mut self, condition: TermId, vars: &[VarId]) {
        if vars
            .iter()
            .any(|var| self.vars.contains(var) || self.given.contains(var))
        {
            self.conditions.push(condition);
            self.mentioned.extend(vars);
        }
    }

    pub fn conditions(&self) -> &[TermId] {
        &self.conditions
    }

    /// The open variables among these.
    pub fn open_among(&self, vars: &[VarId]) -> Vec<VarId> {
        vars.iter()
            .copied()
            .filter(|var| self.vars.contains(var))
            .collect()
    }
}

/// Values of a sort that are worth trying so that a condition becomes true: the literals in it and the values of variables in
/// it, as far as they are told, and their neighbours.
pub(super) fn candidates(
    pool: &TermPool,
    condition: TermId,
    sort: SortId,
    value_of: impl Fn(VarId) -> Option<Value>,
) -> Vec<Value> {
    let Some(any) = Value::any_of(pool, sort) else {
        return Vec::new();
    };
    let mut seeds = vec![any];
    pool.visit_subterms(&[condition], |term| {
        if seeds.len() >= MAX_CANDIDATES {
            return;
        }
        let seed = match pool.op(term) {
            Op::Int(number) => Some(Value::Int(pool.number(number).to_integer())),
            Op::Real(number) => Some(Value::Real(pool.number(number).clone())),
            Op::Bv(number) => Some(Value::Bv {
                value: pool.number(number).to_integer(),
                width: pool.bv_width(term),
            }),
            Op::String(text) => Some(Value::String(pool.string_text(text).clone())),
            Op::Var(other) => value_of(other),
            _ => None,
        };
        seeds.extend(seed.filter(|seed| crate::eval::fits(pool, seed, sort)));
    });
    let mut values: Vec<Value> = Vec::new();
    for seed in seeds {
        let neighbours = match &seed {
            Value::Bool(value) => vec![Value::Bool(!value)],
            Value::Int(value) => vec![Value::Int(value + 1), Value::Int(value - 1), Value::Int(-value)],
            Value::Real(value) => {
                let one = BigRational::one();
                vec![Value::Real(value + &one), Value::Real(value - &one)]
            }
            Value::Bv { value, width } => {
                let ones = (BigInt::one() << *width) - 1;
                let at = |value: BigInt| Value::Bv {
                    value: value & &ones,
                    width: *width,
                };
                vec![at(value + 1), at(value - 1)]
            }
            Value::Element { sort, index } => vec![Value::Element {
                sort: *sort,
                index: index + 1,
            }],
            _ => Vec::new(),
        };
        for value in std::iter::once(seed).chain(neighbours) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.len() >= MAX_CANDIDATES {
            break;
        }
    }
    values
}
