//! The solver's model as the oracle of the interpreter.

use lariat_engine::Unfolding;
use lariat_interp::{Environment, Oracle};
use lariat_smt::Model;
use lariat_term::{FunId, Op, Sort, SortId, TermId, TheoryId, Value};

/// Answers from the model of a counterexample.
pub struct ModelOracle<'a> {
    pub unfolding: &'a mut Unfolding,
    pub model: &'a Model,
}

impl Oracle for ModelOracle<'_> {
    fn apply(&mut self, function: FunId, args: &[Value]) -> Result<Value, String> {
        let unfolding = &mut *self.unfolding;
        self.model
            .apply(
                &mut unfolding.context,
                &unfolding.problem.program.pool,
                function,
                args,
            )
            .map_err(|error| error.0)
    }

    fn theory(&mut self, op: TheoryId, args: &[Value]) -> Result<Value, String> {
        let unfolding = &mut *self.unfolding;
        self.model
            .theory(&mut unfolding.context, &unfolding.problem.program.pool, op, args)
            .map_err(|error| error.0)
    }

    fn quantifier(&mut self, _: TermId, _: &dyn Environment) -> Result<bool, String> {
        Err("a quantifier over infinitely many values cannot be executed".into())
    }

    fn partial(&mut self, op: Op, args: &[Value]) -> Result<Value, String> {
        let pool = &self.unfolding.problem.program.pool;
        let sort: Option<SortId> = match op {
            Op::IntDiv | Op::Mod => pool.find_sort(&Sort::Int),
            Op::RealDiv => pool.find_sort(&Sort::Real),
            Op::Field {
                datatype,
                constructor,
                field,
            } => Some(pool.datatype(datatype).constructors[constructor as usize].fields[field as usize].sort),
            _ => None,
        };
        let sort = sort.ok_or("the operator has no defined value here")?;
        let unfolding = &mut *self.unfolding;
        self.model
            .operator(
                &mut unfolding.context,
                &unfolding.problem.program.pool,
                op,
                args,
                sort,
            )
            .map_err(|error| error.0)
    }
}
