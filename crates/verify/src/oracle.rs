//! The solver's model as the oracle of the interpreter.

use lariat_base::Budget;
use lariat_interp::{Environment, Oracle};
use lariat_smt::{CheckResult, Context, Model};
use lariat_term::{FunId, Op, Substitution, TermId, TermPool, TheoryId, Value};

use crate::axioms::mentions_functions;
use crate::ground::{Elements, solve};
use crate::interpretation::Interpretation;

/// The solver's effort for one quantifier.
const QUANTIFIER_EFFORT: u32 = 3_000_000;

/// Answers from the model of a counterexample, or from the interpretation that it was found under. A quantifier over functions that
/// the solver chose is supposed to hold: whoever relies on the answers has to call [`crate::check_axioms`].
pub struct ModelOracle<'a> {
    pub context: &'a mut Context,
    pub pool: &'a TermPool,
    pub model: &'a Model,
    pub interpretation: Option<&'a Interpretation>,
    pub budget: &'a Budget,
}

impl Oracle for ModelOracle<'_> {
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String> {
        let known = self.interpretation;
        if let Some(value) = known.and_then(|known| known.value(function, args)) {
            return Ok(value);
        }
        self.model
            .apply(self.context, self.pool, function, args)
            .map_err(|error| error.0)
    }

    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
        self.model
            .theory(self.context, self.pool, op, args)
            .map_err(|error| error.0)
    }

    fn quantifier(&mut self, term: TermId, environment: &dyn Environment) -> Result<bool, String> {
        let mut pool = self.pool.clone();
        let mut elements = Elements::default();
        let mut substitution = Substitution::new();
        for var in pool.free_vars(&[term]) {
            let value = environment
                .value(var)
                .ok_or("a variable in a quantifier has no value")?;
            let value = elements
                .term(&mut pool, value)
                .ok_or("a value in a quantifier that no term denotes")?;
            substitution.insert(var, value);
        }
        let closed = substitution.apply(&mut pool, term);
        if mentions_functions(&pool, closed) {
            // Functions are what they have to be: `check_axioms` asks for ones of which all that is supposed here holds.
            return Ok(true);
        }
        let mut facts = elements.distinct(&mut pool);
        facts.push(pool.not(closed));
        let answer = solve(&pool, &facts, &[], QUANTIFIER_EFFORT, self.budget).map(|(answer, _)| answer);
        match answer {
            Ok(CheckResult::Unsat) => Ok(true),
            Ok(CheckResult::Sat) => Ok(false),
            Ok(CheckResult::Unknown(reason)) => Err(format!("a quantifier could not be decided: {reason}")),
            Err(error) => Err(error.0),
        }
    }

    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
        self.model
            .partial(self.context, self.pool, op, args)
            .map_err(|error| error.0)
    }
}
