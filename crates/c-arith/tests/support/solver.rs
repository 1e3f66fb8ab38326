//! Z3 as a judge: whether terms over variables with given values have the expected values.

use lariat_smt::{CheckResult, Context, Solver};
use lariat_term::{TermId, TermPool};

/// Claims about terms, decided in one check.
pub struct Claims {
    pub pool: TermPool,
    facts: Vec<TermId>,
    doubts: Vec<TermId>,
}

impl Claims {
    pub fn new() -> Self {
        Claims {
            pool: TermPool::new(),
            facts: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// A new variable that has the value of a literal.
    pub fn variable(&mut self, literal: TermId) -> TermId {
        let sort = self.pool.sort_of(literal);
        let var = self.pool.declare_var("v", sort);
        let term = self.pool.var(var);
        let fact = self.pool.eq(term, literal);
        self.facts.push(fact);
        term
    }

    /// Claims that the two are equal.
    pub fn equal(&mut self, term: TermId, expected: TermId) {
        let equal = self.pool.eq(term, expected);
        self.doubts.push(self.pool.not(equal));
    }

    /// Panics with the first claim that does not hold.
    pub fn check(self, what: &str) {
        let Claims {
            mut pool,
            facts,
            doubts,
        } = self;
        let any = pool.or(&doubts);
        if is_unsat(&pool, &facts, any) {
            return;
        }
        for doubt in doubts {
            assert!(
                is_unsat(&pool, &facts, doubt),
                "{what}: this holds: {}",
                pool.term_text(doubt)
            );
        }
        panic!("{what}: the solver does not decide all claims at once");
    }
}

fn is_unsat(pool: &TermPool, facts: &[TermId], doubt: TermId) -> bool {
    let mut context = Context::new().expect("a solver");
    let mut solver = Solver::for_one_check(&mut context, &[]).expect("a solver");
    for &fact in facts.iter().chain([&doubt]) {
        let fact = context.term(pool, fact).expect("a term that Z3 knows");
        solver.assert(&mut context, fact).expect("a formula");
    }
    match solver.check(&mut context, &[]).expect("an answer") {
        CheckResult::Unsat => true,
        CheckResult::Sat => false,
        CheckResult::Unknown(reason) => panic!("unknown: {reason}"),
    }
}
