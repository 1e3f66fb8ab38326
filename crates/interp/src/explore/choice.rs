//! Choices of values: of variables, of uninterpreted functions, of partial operators.

use std::hash::BuildHasherDefault;

use indexmap::IndexMap;

use lariat_term::{FunId, Op, Sort, SortId, TermId, TermPool, TheoryId, Value, VarId};
use num_integer::Integer;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHasher};

use super::Domains;
use crate::definition::{DefinitionDepth, Definitions};
use crate::environment::Environment;
use crate::eval::{EvalError, all_values};
use crate::oracle::{NoOracle, Oracle};

/// Sorts with at most this many values are enumerated whole.
const MAX_WHOLE: usize = 8;

/// Values tried of a datatype with many.
const MAX_DATATYPE_VALUES: usize = 16;

/// Something that needs a value now.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Wanted {
    Variable(VarId),
    Application(FunId, Vec<Value>),
    Partial(Op, Vec<Value>),
}

pub(super) type Chosen = IndexMap<Wanted, Value, BuildHasherDefault<FxHasher>>;

/// The choices made so far; notes the first one that is missing.
pub(super) struct ChoosingOracle<'a> {
    pub pool: &'a TermPool,
    pub definitions: &'a Definitions,
    /// Constants, which the bodies of functions may mention.
    pub globals: &'a FxHashMap<VarId, Value>,
    pub chosen: &'a Chosen,
    pub wanted: Option<Wanted>,
    pub depth: DefinitionDepth,
}

impl ChoosingOracle<'_> {
    fn look_up(&mut self, wanted: Wanted) -> Result<Value, String> {
        match self.chosen.get(&wanted) {
            Some(value) => Ok(value.clone()),
            None => {
                self.wanted.get_or_insert(wanted);
                Err("a value is to be chosen".into())
            }
        }
    }
}

impl Oracle for ChoosingOracle<'_> {
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String> {
        let definitions = self.definitions;
        match definitions.get(function) {
            Some(definition) if self.depth.open() => {
                let result = definition.apply(self.pool, args, self.globals, self);
                self.depth.close();
                result.map_err(|error| {
                    if let EvalError::Unset(var) = error {
                        self.wanted.get_or_insert(Wanted::Variable(var));
                    }
                    error.text(self.pool)
                })
            }
            Some(_) => Err("a function is defined by too deep a recursion".into()),
            None => self.look_up(Wanted::Application(function, args.to_vec())),
        }
    }

    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
        NoOracle.theory(op, args)
    }

    fn quantifier(&mut self, term: TermId, environment: &dyn Environment) -> Result<bool, String> {
        NoOracle.quantifier(term, environment)
    }

    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
        self.look_up(Wanted::Partial(op, args.to_vec()))
    }
}

/// The sort of what is wanted.
pub(super) fn wanted_sort(pool: &TermPool, wanted: &Wanted) -> Option<SortId> {
    match wanted {
        Wanted::Variable(var) => Some(pool.var_sort(*var)),
        Wanted::Application(function, _) => Some(pool.function(*function).result),
        Wanted::Partial(
            Op::Field {
                datatype,
                constructor,
                field,
            },
            _,
        ) => {
            let constructor = pool.datatype(*datatype).constructors.get(*constructor as usize)?;
            Some(constructor.fields.get(*field as usize)?.sort)
        }
        // Numbers: the sort is that of the arguments.
        Wanted::Partial(..) => None,
    }
}

/// The values to try, and whether they are all there are.
pub(super) fn domain(pool: &TermPool, wanted: &Wanted, domains: &Domains) -> (Vec<Value>, bool) {
    match (wanted_sort(pool, wanted), wanted) {
        (Some(sort), _) => sort_domain(pool, sort, domains, 3),
        (None, Wanted::Partial(_, args)) if matches!(args.first(), Some(Value::Real(_))) => {
            (reals(domains), false)
        }
        (None, _) => (domains.ints.iter().cloned().map(Value::Int).collect(), false),
    }
}

fn reals(domains: &Domains) -> Vec<Value> {
    domains
        .ints
        .iter()
        .map(|value| Value::Real(BigRational::from_integer(value.clone())))
        .collect()
}

fn sort_domain(pool: &TermPool, sort: SortId, domains: &Domains, depth: u32) -> (Vec<Value>, bool) {
    if let Some(values) = all_values(pool, sort, MAX_WHOLE) {
        return (values, true);
    }
    let fallback = || Value::any_of(pool, sort).into_iter().collect();
    let Some(depth) = depth.checked_sub(1) else {
        return (fallback(), false);
    };
    let values = match pool.sort(sort) {
        Sort::Int => domains.ints.iter().cloned().map(Value::Int).collect(),
        Sort::Real => reals(domains),
        &Sort::Bv(width) => {
            let modulus = num_bigint::BigInt::from(1) << width;
            let mut values: Vec<Value> = Vec::new();
            for pattern in &domains.bit_patterns {
                let value = Value::Bv {
                    value: pattern.mod_floor(&modulus),
                    width,
                };
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            values
        }
        Sort::Array { element, .. } => sort_domain(pool, *element, domains, depth)
            .0
            .into_iter()
            .map(|value| Value::Map(lariat_term::MapValue::constant(sort, value).into()))
            .collect(),
        Sort::Uninterpreted(_) => (0..domains.elements.max(1))
            .map(|index| Value::Element { sort, index })
            .collect(),
        &Sort::Datatype(datatype) => {
            let mut values = Vec::new();
            for (constructor, data) in pool.datatype(datatype).constructors.iter().enumerate() {
                let choices: Vec<Vec<Value>> = data
                    .fields
                    .iter()
                    .map(|field| sort_domain(pool, field.sort, domains, depth).0)
                    .collect();
                let longest = choices.iter().map(Vec::len).max().unwrap_or(1);
                // Diagonally: one value of each field at a time is enough for a sample.
                values.extend((0..longest).filter_map(|row| {
                    let fields: Option<Vec<Value>> = choices
                        .iter()
                        .map(|values| values.get(row % values.len().max(1)).cloned())
                        .collect();
                    Some(Value::Datatype {
                        datatype,
                        constructor: constructor as u32,
                        fields: fields?,
                    })
                }));
            }
            values.truncate(MAX_DATATYPE_VALUES);
            values
        }
        _ => fallback(),
    };
    (values, false)
}
