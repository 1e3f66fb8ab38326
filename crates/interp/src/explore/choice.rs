//! Choices of values: of variables, of uninterpreted functions, of partial operators.

use std::hash::BuildHasherDefault;

use indexmap::IndexMap;
use lariat_ir::Program;
use lariat_term::{FunId, Op, QuantifierKind, Sort, SortId, TermId, TermPool, TheoryId, Value, VarId};
use num_integer::Integer;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHasher};

use super::Domains;
use crate::environment::{Environment, Overlay};
use crate::eval::{Evaluator, all_values};
use crate::oracle::{NoOracle, Oracle};

/// Sorts with at most this many values are enumerated whole.
const MAX_WHOLE: usize = 8;

/// Values tried of a datatype with many.
const MAX_DATATYPE_VALUES: usize = 16;

/// How deep the definitions of functions may recurse.
const MAX_DEFINITION_DEPTH: u32 = 200;

/// Something that needs a value now.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Wanted {
    Variable(VarId),
    Application(FunId, Vec<Value>),
    Partial(Op, Vec<Value>),
}

pub(super) type Chosen = IndexMap<Wanted, Value, BuildHasherDefault<FxHasher>>;

/// Functions that an axiom `forall xs :: f(xs) == body` defines.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions {
    by_function: FxHashMap<FunId, (Vec<VarId>, TermId)>,
}

impl Definitions {
    /// The definitions, and the axioms that are none.
    pub fn of(program: &Program) -> (Definitions, Vec<TermId>) {
        let mut definitions = Definitions::default();
        let mut others = Vec::new();
        for axiom in &program.axioms {
            match definition(&program.pool, axiom.term) {
                Some((function, params, body)) if !definitions.by_function.contains_key(&function) => {
                    definitions.by_function.insert(function, (params, body));
                }
                _ => others.push(axiom.term),
            }
        }
        (definitions, others)
    }
}

fn definition(pool: &TermPool, axiom: TermId) -> Option<(FunId, Vec<VarId>, TermId)> {
    let Op::Quantifier(id) = pool.op(axiom) else {
        return None;
    };
    let quantifier = pool.quantifier(id);
    if quantifier.kind != QuantifierKind::Forall || pool.op(quantifier.body) != Op::Eq {
        return None;
    }
    let sides = pool.args(quantifier.body);
    [(sides[0], sides[1]), (sides[1], sides[0])]
        .into_iter()
        .find_map(|(left, right)| {
            let Op::Apply(function) = pool.op(left) else {
                return None;
            };
            let params: Vec<VarId> = pool
                .args(left)
                .iter()
                .map(|&arg| pool.as_var(arg))
                .collect::<Option<_>>()?;
            let mut sorted = params.clone();
            sorted.sort_unstable();
            sorted.dedup();
            let mut bound = quantifier.bound.to_vec();
            bound.sort_unstable();
            (sorted.len() == params.len() && sorted == bound).then_some((function, params, right))
        })
}

/// The choices made so far; notes the first one that is missing.
pub(super) struct ChoosingOracle<'a> {
    pub pool: &'a TermPool,
    pub definitions: &'a Definitions,
    /// Constants, which the bodies of functions may mention.
    pub globals: &'a FxHashMap<VarId, Value>,
    pub chosen: &'a Chosen,
    pub wanted: Option<Wanted>,
    pub depth: u32,
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
        let Some((params, body)) = definitions.by_function.get(&function) else {
            return self.look_up(Wanted::Application(function, args.to_vec()));
        };
        if self.depth >= MAX_DEFINITION_DEPTH {
            return Err("a function is defined by too deep a recursion".into());
        }
        let arguments: FxHashMap<VarId, Value> = params.iter().copied().zip(args.iter().cloned()).collect();
        let environment = Overlay {
            inner: &arguments,
            outer: self.globals,
        };
        let pool = self.pool;
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            Evaluator::new(pool).eval(*body, &environment, self)
        });
        self.depth -= 1;
        result.map_err(|error| {
            if let crate::eval::EvalError::Unset(var) = error {
                self.wanted.get_or_insert(Wanted::Variable(var));
            }
            error.text(pool)
        })
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
