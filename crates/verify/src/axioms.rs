//! Do the axioms allow what a replay used?
//!
//! Where the program has quantified axioms the solver cannot vouch for its model: it has instantiated
//! them at finitely many points only. A replay used the functions at finitely many points too. If the
//! axioms together with just these points have a model, found with complete instantiation, the
//! execution is one of the program.

use lariat_base::Budget;
use lariat_interp::Points;
use lariat_ir::Program;
use lariat_smt::{CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{Op, TermId, TermPool, Value, VarId};
use rustc_hash::FxHashMap;

/// The answer, with the reason unless it is yes.
pub enum AxiomCheck {
    Consistent,
    Contradicted,
    Unknown(String),
}

/// Asks the solver about the axioms of `program` with constants and functions fixed as given.
pub fn check_axioms(
    program: &Program,
    constants: &FxHashMap<VarId, Value>,
    points: &Points,
    budget: &Budget,
) -> AxiomCheck {
    let mut pool = program.pool.clone();
    let Some(facts) = facts(program, &mut pool, constants, points) else {
        return AxiomCheck::Unknown("the trace uses values that no term denotes".into());
    };
    let facts = program.axioms.iter().map(|axiom| axiom.term).chain(facts);
    match solve(&pool, facts, budget) {
        Ok(CheckResult::Sat) => AxiomCheck::Consistent,
        Ok(CheckResult::Unsat) => AxiomCheck::Contradicted,
        Ok(CheckResult::Unknown(reason)) => AxiomCheck::Unknown(reason),
        Err(error) => AxiomCheck::Unknown(error.0),
    }
}

/// Equations for all constants and points. Elements of uninterpreted sorts become distinct constants.
fn facts(
    program: &Program,
    pool: &mut TermPool,
    constants: &FxHashMap<VarId, Value>,
    points: &Points,
) -> Option<Vec<TermId>> {
    let mut elements = Elements::default();
    let mut facts = Vec::new();
    for &constant in &program.constants {
        if let Some(value) = constants.get(&constant) {
            let value = elements.term(pool, value)?;
            let constant = pool.var(constant);
            facts.push(pool.eq(constant, value));
        }
    }
    for ((function, args), result) in &points.applications {
        let args = args
            .iter()
            .map(|arg| elements.term(pool, arg))
            .collect::<Option<Vec<TermId>>>()?;
        let result = elements.term(pool, result)?;
        let application = pool.apply(*function, &args);
        facts.push(pool.eq(application, result));
    }
    for ((op, args), result) in &points.partials {
        let args = args
            .iter()
            .map(|arg| elements.term(pool, arg))
            .collect::<Option<Vec<TermId>>>()?;
        let result = elements.term(pool, result)?;
        if matches!(op, Op::IntDiv | Op::Mod | Op::RealDiv | Op::Field { .. }) {
            let sort = pool.sort_of(result);
            let application = pool.rebuild(*op, &args, sort);
            facts.push(pool.eq(application, result));
        }
    }
    facts.extend(elements.distinct(pool));
    Some(facts)
}

/// Constants that stand for the elements of uninterpreted sorts.
#[derive(Default)]
struct Elements {
    terms: FxHashMap<Value, TermId>,
}

impl Elements {
    fn term(&mut self, pool: &mut TermPool, value: &Value) -> Option<TermId> {
        match value {
            Value::Element { sort, index } => Some(*self.terms.entry(value.clone()).or_insert_with(|| {
                let var = pool.declare_var(format!("element{index}"), *sort);
                pool.var(var)
            })),
            Value::Map(map) => {
                let default = self.term(pool, &map.default)?;
                let mut term = pool.const_array(map.sort, default);
                for (indices, value) in map.entries() {
                    let indices = indices
                        .iter()
                        .map(|index| self.term(pool, index))
                        .collect::<Option<Vec<_>>>()?;
                    let value = self.term(pool, value)?;
                    term = pool.store(term, &indices, value);
                }
                Some(term)
            }
            Value::Datatype {
                datatype,
                constructor,
                fields,
            } => {
                let fields = fields
                    .iter()
                    .map(|field| self.term(pool, field))
                    .collect::<Option<Vec<_>>>()?;
                Some(pool.construct(*datatype, *constructor, &fields))
            }
            literal => literal.to_term(pool),
        }
    }

    /// Different elements of one sort are different.
    fn distinct(&self, pool: &mut TermPool) -> Vec<TermId> {
        let mut by_sort: std::collections::BTreeMap<_, Vec<TermId>> = std::collections::BTreeMap::new();
        for &term in self.terms.values() {
            by_sort.entry(pool.sort_of(term)).or_default().push(term);
        }
        by_sort
            .into_values()
            .map(|mut terms| {
                terms.sort_unstable();
                pool.distinct(&terms)
            })
            .collect()
    }
}

fn solve(
    pool: &TermPool,
    facts: impl Iterator<Item = TermId>,
    budget: &Budget,
) -> Result<CheckResult, SolverError> {
    let mut context = Context::new()?;
    let mut solver = Solver::new(&mut context, &[("smt.mbqi".into(), "true".into())])?;
    let _watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
    for fact in facts {
        let fact = context.term(pool, fact)?;
        solver.assert(&mut context, fact)?;
    }
    solver.check(&mut context, &[])
}
