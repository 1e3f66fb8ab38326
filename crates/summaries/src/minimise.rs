//! Facts that follow from others are left out: fewer facts at each call site, the same meaning.
//!
//! Pure logic, without the axioms of the program. What cannot be decided within a small effort stays.

use lariat_base::Budget;
use lariat_smt::{Ast, CheckResult, Context, Solver, SolverError, Watchdog};
use lariat_term::{TermId, TermPool};

/// Z3's `rlimit` for one question.
const EFFORT: &str = "50000";

pub(crate) struct Minimiser {
    context: Context,
    options: Vec<(String, String)>,
    budget: Budget,
    _watchdog: Watchdog,
}

impl Minimiser {
    pub fn new(solver_options: &[(String, String)], budget: &Budget) -> Result<Self, SolverError> {
        let context = Context::new()?;
        let mut options = solver_options.to_vec();
        options.push(("rlimit".into(), EFFORT.into()));
        let watchdog = Watchdog::start(budget.clone(), context.interrupt_handle());
        Ok(Minimiser {
            context,
            options,
            budget: budget.clone(),
            _watchdog: watchdog,
        })
    }

    /// An equivalent part of the formulas, in their order. Large ones go first.
    pub fn minimise(&mut self, pool: &TermPool, terms: &[TermId]) -> Result<Vec<TermId>, SolverError> {
        if terms.len() < 2 || self.budget.check().is_err() {
            return Ok(terms.to_vec());
        }
        match self.without_implied(pool, terms) {
            // The interruption makes Z3 refuse everything, not only checks.
            Err(_) if self.budget.check_memory().is_err() => Ok(terms.to_vec()),
            outcome => outcome,
        }
    }

    fn without_implied(&mut self, pool: &TermPool, terms: &[TermId]) -> Result<Vec<TermId>, SolverError> {
        let mut solver = Solver::new(&mut self.context, &self.options)?;
        let mut guards: Vec<(Ast, Ast)> = Vec::with_capacity(terms.len());
        for &term in terms {
            let fact = self.context.term(pool, term)?;
            let fails = self.context.not(fact)?;
            let holds = solver.assert_tracked(&mut self.context, fact)?;
            let fails = solver.assert_tracked(&mut self.context, fails)?;
            guards.push((holds, fails));
        }
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse((size(pool, terms[index]), index)));
        let mut kept = vec![true; terms.len()];
        for index in order {
            if self.budget.check().is_err() {
                break;
            }
            kept[index] = false;
            let mut assumptions: Vec<Ast> = (0..terms.len())
                .filter(|&other| kept[other])
                .map(|other| guards[other].0)
                .collect();
            assumptions.push(guards[index].1);
            kept[index] = solver.check(&mut self.context, &assumptions)? != CheckResult::Unsat;
        }
        Ok((0..terms.len())
            .filter(|&index| kept[index])
            .map(|index| terms[index])
            .collect())
    }
}

fn size(pool: &TermPool, term: TermId) -> usize {
    let mut count = 0;
    pool.visit_subterms(&[term], |_| count += 1);
    count
}
