//! Ground questions to a solver of their own, with complete instantiation of quantifiers.

use std::time::Duration;

use lariat_base::Budget;
use lariat_smt::{CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{TermId, TermPool, Value};
use rustc_hash::FxHashMap;

/// Values as terms: constants stand for the elements of uninterpreted sorts.
#[derive(Default)]
pub struct Elements {
    terms: FxHashMap<Value, TermId>,
}

impl Elements {
    /// `None` if the value holds something that no term denotes.
    pub fn term(&mut self, pool: &mut TermPool, value: &Value) -> Option<TermId> {
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

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Different elements of one sort are different.
    pub fn distinct(&self, pool: &mut TermPool) -> Vec<TermId> {
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

/// Z3 counts little effort in some of its work. This ends what would seem to hang; the effort decides otherwise.
const HANG: Duration = Duration::from_secs(10);

/// Is there a model of the axioms and all facts, found with this effort of the solver? If not, these facts (by their positions)
/// are why.
pub fn solve(
    pool: &TermPool,
    axioms: &[TermId],
    facts: &[TermId],
    effort: u32,
    budget: &Budget,
) -> Result<(CheckResult, Vec<usize>), SolverError> {
    let mut context = Context::new()?;
    let options = [
        ("smt.mbqi".to_owned(), "true".to_owned()),
        ("rlimit".to_owned(), effort.to_string()),
    ];
    let mut solver = Solver::for_one_check(&mut context, &options)?;
    let _watchdog = Watchdog::start(budget.within(HANG), context.interrupt_handle());
    for &axiom in axioms {
        let axiom = context.term(pool, axiom)?;
        solver.assert(&mut context, axiom)?;
    }
    let mut assumptions = Vec::new();
    for &fact in facts {
        let fact = context.term(pool, fact)?;
        assumptions.push(solver.assert_tracked(&mut context, fact)?);
    }
    let answer = solver.check(&mut context, &assumptions)?;
    let core = match answer {
        CheckResult::Unsat => solver.unsat_core(&context, &assumptions)?,
        _ => Vec::new(),
    };
    Ok((answer, core))
}
