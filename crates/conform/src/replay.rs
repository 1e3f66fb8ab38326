//! A counterexample for which the solver has a model is executed before it is shown.
//!
//! The execution starts with the model's values of variables and takes its inputs from the model; everything else is
//! computed by the interpreter's evaluator, step by step, on the transformers themselves and not on the solver's
//! formula. If the assumption of a step does not hold, or a value is outside of its type, the model is rejected.

use lariat_interp::{Environment, Evaluator, Oracle};
use lariat_smt::{Context, Model};
use lariat_term::{FunId, Op, Sort, TermId, TermPool, TheoryId, Value, VarId};
use rustc_hash::FxHashMap;

use crate::cfa::Cfa;
use crate::counterexample::SymbolicPath;

/// What each step has assigned to variables that hold scalars; or why the execution is not what the model says.
pub type Replayed = Result<Vec<Vec<(VarId, Value)>>, String>;

/// Executes a path.
pub fn replay(cfa: &Cfa, path: &SymbolicPath, context: &mut Context, model: &Model) -> Replayed {
    let mut execution = Execution {
        cfa,
        evaluator: Evaluator::new(&cfa.pool),
        model: ModelOracle {
            context,
            pool: &cfa.pool,
            model,
        },
        values: FxHashMap::default(),
    };
    let mut all = Vec::with_capacity(path.steps.len());
    for (step, inputs) in path.steps.iter().zip(&path.inputs) {
        for &(input, drawn) in inputs {
            let value = execution.model.value_of(drawn)?;
            execution.values.insert(input, value);
            execution.check_range(input)?;
        }
        if !execution.holds(step.assumption)? {
            return Err("the solver's values do not meet a condition on the way".to_owned());
        }
        let mut assigned = Vec::with_capacity(step.assignments.len());
        for &(var, term) in &step.assignments {
            assigned.push((var, execution.eval(term)?));
        }
        for (var, value) in &assigned {
            execution.values.insert(*var, value.clone());
        }
        for &(var, _) in &assigned {
            execution.check_range(var)?;
        }
        let is_array = |var: VarId| matches!(cfa.pool.sort(cfa.pool.var_sort(var)), Sort::Array { .. });
        assigned.retain(|&(var, _)| !is_array(var));
        all.push(assigned);
    }
    Ok(all)
}

struct Execution<'a, 'm> {
    cfa: &'a Cfa,
    evaluator: Evaluator<'a>,
    model: ModelOracle<'a, 'm>,
    /// The values of variables, as far as they were needed.
    values: FxHashMap<VarId, Value>,
}

impl Execution<'_, '_> {
    /// A variable that was not assigned yet has the value it started with.
    fn start(&mut self, term: TermId) -> Result<(), String> {
        for var in self.cfa.pool.free_vars(&[term]) {
            if !self.values.contains_key(&var) {
                let value = self.model.value_of(var)?;
                self.values.insert(var, value);
                self.check_range(var)?;
            }
        }
        Ok(())
    }

    fn eval(&mut self, term: TermId) -> Result<Value, String> {
        self.start(term)?;
        self.evaluator
            .eval(term, &self.values, &mut self.model)
            .map_err(|error| error.text(&self.cfa.pool))
    }

    fn holds(&mut self, term: TermId) -> Result<bool, String> {
        self.start(term)?;
        self.evaluator
            .holds(term, &self.values, &mut self.model)
            .map_err(|error| error.text(&self.cfa.pool))
    }

    fn check_range(&mut self, var: VarId) -> Result<(), String> {
        match self.cfa.ranges.get(&var) {
            Some(&range) if !self.holds(range)? => {
                let name = self.cfa.pool.var_name(var);
                Err(format!("`{name}` has a value that its type does not have"))
            }
            _ => Ok(()),
        }
    }
}

/// The solver's model, for terms that have no fixed meaning.
struct ModelOracle<'a, 'm> {
    context: &'m mut Context,
    pool: &'a TermPool,
    model: &'m Model,
}

impl ModelOracle<'_, '_> {
    fn value_of(&mut self, var: VarId) -> Result<Value, String> {
        let sort = self.pool.var_sort(var);
        let ast = self.context.var(self.pool, var).map_err(|error| error.0)?;
        self.model
            .value(self.context, self.pool, ast, sort)
            .map_err(|error| error.0)
    }
}

impl Oracle for ModelOracle<'_, '_> {
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String> {
        self.model
            .apply(self.context, self.pool, function, args)
            .map_err(|error| error.0)
    }

    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
        self.model
            .theory(self.context, self.pool, op, args)
            .map_err(|error| error.0)
    }

    fn quantifier(&mut self, _: TermId, _: &dyn Environment) -> Result<bool, String> {
        Err("a quantifier cannot be executed".to_owned())
    }

    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
        self.model
            .partial(self.context, self.pool, op, args)
            .map_err(|error| error.0)
    }
}
