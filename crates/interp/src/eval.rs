//! Terms to values.
//!
//! Invariants:
//! - an error in an argument that does not matter is no error: junctions and `ite` look only at
//!   what decides them, and a junction is decided by a later argument even if an earlier one has
//!   no value;
//! - each distinct subterm is evaluated once for an [`Evaluation`];
//! - floats that are not numbers are one value, as in SMT-LIB.

use std::sync::Arc;

use lariat_term::{MapValue, Op, Quantifier, QuantifierKind, Sort, SortId, TermId, TermPool, Value, VarId};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::environment::{Environment, Overlay};
use crate::float::{FloatArgument, FloatOperator};
use crate::oracle::Oracle;

mod arithmetic;
mod domain;
mod equality;
mod points;

pub(crate) use domain::all_values;
pub use equality::values_equal;
pub(crate) use equality::{canonical, fits};

/// Values that nest deeper are refused: cloning, comparing and dropping them would recurse.
const MAX_VALUE_DEPTH: u32 = 1_000;

/// Quantifiers with at most this many instances are decided by trying all.
const MAX_INSTANCES: usize = 1_024;

/// Why a term has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// A variable has no value in the environment.
    Unset(VarId),
    /// The oracle's reason.
    Oracle(Arc<str>),
    /// Too large a value, or one of another sort than the term says.
    Impossible(Arc<str>),
}

impl EvalError {
    /// The error for people.
    pub fn text(&self, pool: &TermPool) -> String {
        match self {
            EvalError::Unset(var) => format!("`{}` has no value", pool.var_name(*var)),
            EvalError::Oracle(reason) | EvalError::Impossible(reason) => reason.to_string(),
        }
    }

    fn ill_sorted(op: Op) -> Self {
        EvalError::Impossible(format!("{op:?} was given a value of another sort").into())
    }

    fn oracle(reason: String) -> Self {
        EvalError::Oracle(reason.into())
    }
}

pub type EvalResult = Result<Value, EvalError>;

/// The values of the subterms evaluated so far under one environment.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    results: FxHashMap<TermId, EvalResult>,
}

impl Evaluation {
    /// The value of a subterm; `None` if it was not needed or has none.
    pub fn value(&self, term: TermId) -> Option<&Value> {
        self.results.get(&term)?.as_ref().ok()
    }
}

enum Task {
    Visit(TermId),
    /// All arguments are there, with or without a value.
    Finish(TermId),
    /// The arguments before the index do not decide the junction.
    Junction(TermId, usize),
    Ite(TermId),
    /// The value of the first term is that of the second.
    Same(TermId, TermId),
}

/// Evaluates terms of one pool.
pub struct Evaluator<'p> {
    pool: &'p TermPool,
    /// Bit-vector operators are executed by folding literals, in a separate pool.
    literals: TermPool,
}

impl<'p> Evaluator<'p> {
    pub fn new(pool: &'p TermPool) -> Self {
        Evaluator {
            pool,
            literals: TermPool::new(),
        }
    }

    pub fn pool(&self) -> &'p TermPool {
        self.pool
    }

    pub fn eval(
        &mut self,
        term: TermId,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> EvalResult {
        self.eval_in(&mut Evaluation::default(), term, environment, oracle)
    }

    /// The value of a condition.
    pub fn holds(
        &mut self,
        term: TermId,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Result<bool, EvalError> {
        self.holds_in(&mut Evaluation::default(), term, environment, oracle)
    }

    pub fn holds_in(
        &mut self,
        evaluation: &mut Evaluation,
        term: TermId,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Result<bool, EvalError> {
        match self.eval_in(evaluation, term, environment, oracle)? {
            Value::Bool(holds) => Ok(holds),
            _ => Err(EvalError::ill_sorted(self.pool.op(term))),
        }
    }

    /// Like [`Evaluator::eval`], with the values of subterms kept for later terms under the same
    /// environment.
    pub fn eval_in(
        &mut self,
        evaluation: &mut Evaluation,
        root: TermId,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> EvalResult {
        let pool = self.pool;
        let results = &mut evaluation.results;
        let mut tasks = vec![Task::Visit(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(term) => {
                    if results.contains_key(&term) {
                        continue;
                    }
                    match pool.op(term) {
                        Op::And | Op::Or => tasks.push(Task::Junction(term, 0)),
                        Op::Ite => {
                            tasks.push(Task::Ite(term));
                            tasks.push(Task::Visit(pool.args(term)[0]));
                        }
                        Op::Quantifier(_) => {
                            let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
                                self.quantifier(term, environment, oracle)
                            });
                            results.insert(term, result.map(Value::Bool));
                        }
                        Op::Var(var) => {
                            let value = environment.value(var).cloned();
                            results.insert(term, value.ok_or(EvalError::Unset(var)));
                        }
                        op if pool.args(term).is_empty() => {
                            let result = self.apply(op, &[], pool.sort_of(term), oracle);
                            results.insert(term, result);
                        }
                        _ => {
                            tasks.push(Task::Finish(term));
                            tasks.extend(pool.args(term).iter().rev().map(|&arg| Task::Visit(arg)));
                        }
                    }
                }
                Task::Finish(term) => {
                    let args: Result<SmallVec<[Value; 4]>, EvalError> =
                        pool.args(term).iter().map(|arg| results[arg].clone()).collect();
                    let result =
                        args.and_then(|args| self.apply(pool.op(term), &args, pool.sort_of(term), oracle));
                    results.insert(term, result);
                }
                Task::Junction(term, next) => {
                    let args = pool.args(term);
                    let absorbing = Value::Bool(pool.op(term) == Op::Or);
                    if next > 0 && results[&args[next - 1]].as_ref() == Ok(&absorbing) {
                        results.insert(term, Ok(absorbing));
                    } else if let Some(&arg) = args.get(next) {
                        tasks.push(Task::Junction(term, next + 1));
                        tasks.push(Task::Visit(arg));
                    } else {
                        let neutral = Ok(Value::Bool(pool.op(term) != Op::Or));
                        let error = args.iter().find_map(|arg| results[arg].clone().err());
                        results.insert(term, error.map_or(neutral, Err));
                    }
                }
                Task::Ite(term) => {
                    let args = pool.args(term);
                    let chosen = match &results[&args[0]] {
                        Ok(Value::Bool(true)) => args[1],
                        Ok(Value::Bool(false)) => args[2],
                        Ok(_) => {
                            results.insert(term, Err(EvalError::ill_sorted(Op::Ite)));
                            continue;
                        }
                        Err(error) => {
                            let error = error.clone();
                            results.insert(term, Err(error));
                            continue;
                        }
                    };
                    tasks.push(Task::Same(term, chosen));
                    tasks.push(Task::Visit(chosen));
                }
                Task::Same(term, other) => {
                    let result = results[&other].clone();
                    results.insert(term, result);
                }
            }
        }
        results[&root].clone()
    }

    /// By all instances if there are few, by the points that decide it, or else by the oracle.
    fn quantifier(
        &mut self,
        term: TermId,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Result<bool, EvalError> {
        let Op::Quantifier(id) = self.pool.op(term) else {
            return Err(EvalError::ill_sorted(self.pool.op(term)));
        };
        let quantifier = self.pool.quantifier(id);
        let mut instances: Vec<FxHashMap<VarId, Value>> = vec![FxHashMap::default()];
        for &var in &quantifier.bound {
            let values = all_values(
                self.pool,
                self.pool.var_sort(var),
                MAX_INSTANCES / instances.len(),
            );
            let Some(values) = values else {
                return match self.quantifier_by_points(quantifier, environment, oracle) {
                    Some(holds) => Ok(holds),
                    None => oracle.quantifier(term, environment).map_err(EvalError::oracle),
                };
            };
            instances = instances
                .iter()
                .flat_map(|instance| {
                    values.iter().map(move |value| {
                        let mut instance = instance.clone();
                        instance.insert(var, value.clone());
                        instance
                    })
                })
                .collect();
        }
        self.quantifier_at(quantifier, instances.into_iter(), environment, oracle)
    }

    /// By the points that decide it. `None` if it is not of that kind, or has no value at some of them.
    fn quantifier_by_points(
        &mut self,
        quantifier: &Quantifier,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Option<bool> {
        let (bound, points) = self.decisive_points(quantifier, environment, oracle)?;
        let instances = points
            .into_iter()
            .map(|point| FxHashMap::from_iter([(bound, Value::Int(point))]));
        self.quantifier_at(quantifier, instances, environment, oracle)
            .ok()
    }

    /// Whether the body holds in all instances, or in one of them.
    fn quantifier_at(
        &mut self,
        quantifier: &Quantifier,
        instances: impl Iterator<Item = FxHashMap<VarId, Value>>,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Result<bool, EvalError> {
        let decisive = quantifier.kind == QuantifierKind::Exists;
        let mut error = None;
        for instance in instances {
            let inner = Overlay {
                inner: &instance,
                outer: environment,
            };
            match self.holds(quantifier.body, &inner, oracle) {
                Ok(holds) if holds == decisive => return Ok(decisive),
                Ok(_) => {}
                Err(reason) => error = error.or(Some(reason)),
            }
        }
        error.map_or(Ok(!decisive), Err)
    }

    /// An operator on values.
    fn apply(&mut self, op: Op, args: &[Value], sort: SortId, oracle: &mut dyn Oracle) -> EvalResult {
        let pool = self.pool;
        let ill_sorted = || EvalError::ill_sorted(op);
        Ok(match (op, args) {
            (Op::Bool(value), []) => Value::Bool(value),
            (Op::Int(id), []) => Value::Int(pool.number(id).to_integer()),
            (Op::Real(id), []) => Value::Real(pool.number(id).clone()),
            (Op::Bv(id), []) => {
                let &Sort::Bv(width) = pool.sort(sort) else {
                    return Err(ill_sorted());
                };
                Value::Bv {
                    value: pool.number(id).to_integer(),
                    width,
                }
            }
            (Op::Float(id), []) => {
                let &Sort::Float {
                    significand,
                    exponent,
                } = pool.sort(sort)
                else {
                    return Err(ill_sorted());
                };
                canonical(Value::Float {
                    bits: pool.number(id).to_integer(),
                    significand,
                    exponent,
                })
            }
            (Op::RoundingMode(mode), []) => Value::RoundingMode(mode),
            (Op::String(id), []) => Value::String(pool.string_text(id).clone()),
            (Op::Not, [Value::Bool(value)]) => Value::Bool(!value),
            (Op::Eq, [a, b]) => Value::Bool(values_equal(pool, a, b)),
            (Op::Distinct, _) => {
                let distinct = args
                    .iter()
                    .enumerate()
                    .all(|(index, a)| args[..index].iter().all(|b| !values_equal(pool, a, b)));
                Value::Bool(distinct)
            }
            (
                Op::Add
                | Op::Mul
                | Op::IntDiv
                | Op::Mod
                | Op::RealDiv
                | Op::Pow
                | Op::Le
                | Op::Lt
                | Op::ToReal
                | Op::ToInt,
                _,
            ) => match arithmetic::number_operator(op, args)? {
                Some(value) => value,
                None => oracle
                    .partial(op, args)
                    .map(canonical)
                    .map_err(EvalError::oracle)?,
            },
            (Op::Bv2(bv_op), _) => {
                arithmetic::bv_operator(&mut self.literals, bv_op, args).ok_or_else(ill_sorted)?
            }
            (Op::Select, [Value::Map(map), indices @ ..]) => map.get(indices).clone(),
            (Op::Store, [Value::Map(map), indices @ .., value]) => {
                let mut map = map.clone();
                Arc::make_mut(&mut map).set(indices.to_vec(), value.clone());
                Value::Map(map)
            }
            (Op::ConstArray(sort), [value]) => Value::Map(Arc::new(MapValue::constant(sort, value.clone()))),
            (
                Op::Construct {
                    datatype,
                    constructor,
                },
                fields,
            ) => {
                let value = Value::Datatype {
                    datatype,
                    constructor,
                    fields: fields.to_vec(),
                };
                if equality::nests_deeper(&value, MAX_VALUE_DEPTH) {
                    return Err(EvalError::Impossible(
                        format!("a value nests deeper than {MAX_VALUE_DEPTH} constructors").into(),
                    ));
                }
                value
            }
            (
                Op::Field {
                    constructor, field, ..
                },
                [
                    Value::Datatype {
                        constructor: actual,
                        fields,
                        ..
                    },
                ],
            ) => {
                if constructor == *actual {
                    fields.get(field as usize).cloned().ok_or_else(ill_sorted)?
                } else {
                    oracle
                        .partial(op, args)
                        .map(canonical)
                        .map_err(EvalError::oracle)?
                }
            }
            (
                Op::Is { constructor, .. },
                [
                    Value::Datatype {
                        constructor: actual, ..
                    },
                ],
            ) => Value::Bool(constructor == *actual),
            (Op::Apply(function), _) => match float(FloatOperator::of_function(self.pool, function), args) {
                Some(value) => value,
                None => oracle
                    .apply(function, args)
                    .map(canonical)
                    .map_err(EvalError::oracle)?,
            },
            (Op::Theory(theory), _) => match float(FloatOperator::of(self.pool, theory), args) {
                Some(value) => value,
                None => oracle
                    .theory(theory, args)
                    .map(canonical)
                    .map_err(EvalError::oracle)?,
            },
            _ => return Err(ill_sorted()),
        })
    }
}

/// A floating-point operator that the machine computes.
fn float(operator: Option<FloatOperator>, args: &[Value]) -> Option<Value> {
    let operator = operator?;
    let args: Option<SmallVec<[FloatArgument; 4]>> = args.iter().map(FloatArgument::of).collect();
    Some(operator.apply(&args?)?.to_value())
}

/// A whole number as a value.
pub(crate) fn int(value: impl Into<BigInt>) -> Value {
    Value::Int(value.into())
}

pub(crate) fn real(value: BigRational) -> Value {
    Value::Real(value)
}

#[cfg(test)]
mod tests;
