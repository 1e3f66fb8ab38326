//! What the interpreter cannot compute by itself, and a record of all answers.

use std::hash::BuildHasherDefault;

use indexmap::{IndexMap, IndexSet};
use lariat_term::{FunId, Op, Sort, SortId, TermId, TermPool, TheoryId, Value, VarId};
use rustc_hash::{FxHashMap, FxHasher};

use crate::definition::{DefinitionDepth, Definitions};
use crate::environment::Environment;

type FxIndexMap<K, V> = IndexMap<K, V, BuildHasherDefault<FxHasher>>;
type FxIndexSet<T> = IndexSet<T, BuildHasherDefault<FxHasher>>;

/// Values for what the interpreter cannot compute: usually the solver's model. An `Err` is the reason
/// why there is no answer; it never means a wrong one.
pub trait Oracle {
    /// The value of an uninterpreted function.
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String>;

    /// The value of an operator that only the solver knows.
    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String>;

    /// Whether a quantified term holds; only asked where the bound variables have too many values.
    fn quantifier(&mut self, term: TermId, environment: &dyn Environment) -> Result<bool, String>;

    /// An operator where SMT-LIB leaves it open: division by zero, a selector on a value of
    /// another constructor, a power without a rational value.
    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String>;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl Oracle for NoOracle {
    fn apply(&mut self, _: FunId, _: &[Value]) -> Result<Value, String> {
        Err("the value of an uninterpreted function is not known".into())
    }

    fn theory(&mut self, _: TheoryId, _: &[Value]) -> Result<Value, String> {
        Err("an operator of a solver theory cannot be executed".into())
    }

    fn quantifier(&mut self, _: TermId, _: &dyn Environment) -> Result<bool, String> {
        Err("a quantifier over too many values cannot be executed".into())
    }

    fn partial(&mut self, op: Op, _: &[Value]) -> Result<Value, String> {
        Err(match op {
            Op::IntDiv | Op::Mod | Op::RealDiv => "the result of a division by zero is not known".into(),
            Op::Field { .. } => "a field was selected from a value of another constructor".into(),
            _ => "the operator has no defined value here".into(),
        })
    }
}

/// Answers from tables: for tests, and for models that have been read already.
#[derive(Clone, Debug, Default)]
pub struct TableOracle {
    pub functions: FxHashMap<(FunId, Vec<Value>), Value>,
    /// The value of a function where no entry says otherwise.
    pub function_defaults: FxHashMap<FunId, Value>,
    pub theories: FxHashMap<(TheoryId, Vec<Value>), Value>,
    pub quantifiers: FxHashMap<TermId, bool>,
    pub partials: FxHashMap<(Op, Vec<Value>), Value>,
}

impl Oracle for TableOracle {
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String> {
        self.functions
            .get(&(function, args.to_vec()))
            .or_else(|| self.function_defaults.get(&function))
            .cloned()
            .map_or_else(|| NoOracle.apply(function, args), Ok)
    }

    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
        self.theories
            .get(&(op, args.to_vec()))
            .cloned()
            .map_or_else(|| NoOracle.theory(op, args), Ok)
    }

    fn quantifier(&mut self, term: TermId, environment: &dyn Environment) -> Result<bool, String> {
        self.quantifiers
            .get(&term)
            .copied()
            .map_or_else(|| NoOracle.quantifier(term, environment), Ok)
    }

    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
        self.partials
            .get(&(op, args.to_vec()))
            .cloned()
            .map_or_else(|| NoOracle.partial(op, args), Ok)
    }
}

/// The points at which an execution needed an oracle, in the order in which they were first needed.
#[derive(Clone, Debug, Default)]
pub struct Points {
    pub applications: FxIndexMap<(FunId, Vec<Value>), Value>,
    pub theories: FxIndexMap<(TheoryId, Vec<Value>), Value>,
    pub partials: FxIndexMap<(Op, Vec<Value>), Value>,
    pub quantifiers: FxIndexMap<QuantifierPoint, bool>,
    /// Elements of uninterpreted sorts that variables held: axioms may limit how many there are.
    pub elements: FxIndexSet<Value>,
}

/// A quantified term and the values of the variables that are free in it, by variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct QuantifierPoint {
    pub term: TermId,
    pub free: Vec<(VarId, Value)>,
}

/// Asks another oracle once for each point and records what it said. The record also makes
/// functions functional, whatever the oracle does. Functions that an axiom defines are computed
/// from their definition; the oracle is used only where that fails.
pub struct Recorder<'a> {
    pool: &'a TermPool,
    oracle: &'a mut dyn Oracle,
    points: Points,
    free_vars: FxHashMap<TermId, Vec<VarId>>,
    definitions: Definitions,
    /// What the bodies of definitions may mention.
    constants: FxHashMap<VarId, Value>,
    depth: DefinitionDepth,
}

impl<'a> Recorder<'a> {
    pub fn new(pool: &'a TermPool, oracle: &'a mut dyn Oracle) -> Self {
        Recorder::with_definitions(pool, oracle, Definitions::default())
    }

    pub(crate) fn with_definitions(
        pool: &'a TermPool,
        oracle: &'a mut dyn Oracle,
        definitions: Definitions,
    ) -> Self {
        Recorder {
            pool,
            oracle,
            points: Points::default(),
            free_vars: FxHashMap::default(),
            definitions,
            constants: FxHashMap::default(),
            depth: DefinitionDepth::default(),
        }
    }

    pub(crate) fn set_constants(&mut self, constants: FxHashMap<VarId, Value>) {
        self.constants = constants;
    }

    pub fn points(&self) -> &Points {
        &self.points
    }

    pub fn into_points(self) -> Points {
        self.points
    }

    /// Records the elements of uninterpreted sorts in a value that a variable gets.
    pub(crate) fn held(&mut self, value: &Value) {
        let mut parts = vec![value];
        while let Some(part) = parts.pop() {
            match part {
                Value::Element { .. } if !self.points.elements.contains(part) => {
                    self.points.elements.insert(part.clone());
                }
                Value::Datatype { fields, .. } => parts.extend(fields),
                // Most maps are memory: numbers, and many of them.
                Value::Map(map) if may_hold_elements(self.pool, map.sort) => {
                    parts.push(&map.default);
                    for (indices, value) in map.entries() {
                        parts.extend(indices);
                        parts.push(value);
                    }
                }
                _ => {}
            }
        }
    }

    fn defined(&mut self, function: FunId, args: &[Value]) -> Option<Value> {
        let definition = self.definitions.get(function)?.clone();
        if !self.depth.open() {
            return None;
        }
        let constants = std::mem::take(&mut self.constants);
        let result = definition.apply(self.pool, args, &constants, self);
        self.depth.close();
        self.constants = constants;
        result.ok()
    }
}

impl Oracle for Recorder<'_> {
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String> {
        let key = (function, args.to_vec());
        if let Some(known) = self.points.applications.get(&key) {
            return Ok(known.clone());
        }
        let value = match self.defined(function, args) {
            Some(value) => value,
            None => self.oracle.apply(function, args)?,
        };
        self.points.applications.insert(key, value.clone());
        Ok(value)
    }

    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
        let key = (op, args.to_vec());
        if let Some(known) = self.points.theories.get(&key) {
            return Ok(known.clone());
        }
        let value = self.oracle.theory(op, args)?;
        self.points.theories.insert(key, value.clone());
        Ok(value)
    }

    fn quantifier(&mut self, term: TermId, environment: &dyn Environment) -> Result<bool, String> {
        let pool = self.pool;
        let free_vars = self.free_vars.entry(term).or_insert_with(|| {
            let mut vars: Vec<VarId> = pool.free_vars(&[term]).into_iter().collect();
            vars.sort_unstable();
            vars
        });
        let free = free_vars
            .iter()
            .filter_map(|&var| Some((var, environment.value(var)?.clone())))
            .collect();
        let point = QuantifierPoint { term, free };
        if let Some(&known) = self.points.quantifiers.get(&point) {
            return Ok(known);
        }
        let holds = self.oracle.quantifier(term, environment)?;
        self.points.quantifiers.insert(point, holds);
        Ok(holds)
    }

    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
        let key = (op, args.to_vec());
        if let Some(known) = self.points.partials.get(&key) {
            return Ok(known.clone());
        }
        let value = self.oracle.partial(op, args)?;
        self.points.partials.insert(key, value.clone());
        Ok(value)
    }
}

fn may_hold_elements(pool: &TermPool, sort: SortId) -> bool {
    let mut sorts = vec![sort];
    while let Some(sort) = sorts.pop() {
        match pool.sort(sort) {
            Sort::Uninterpreted(_) | Sort::Datatype(_) => return true,
            Sort::Array { indices, element } => {
                sorts.extend(indices);
                sorts.push(*element);
            }
            _ => {}
        }
    }
    false
}
