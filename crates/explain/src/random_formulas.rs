//! Random formulas over maps for the tests, and what the solver says of them.

use std::time::{Duration, Instant};

use lariat_smt::Context;
use lariat_term::{TermId, TermPool};
use lariat_testkit::Random;

use crate::decider::Decider;
use crate::eliminate_map_updates::MapUpdates;
use crate::prover::{Prover, Satisfiability};
use crate::wlp::Symbols;
use crate::{atoms, cnf};

struct Formulas {
    pool: TermPool,
    random: Random,
    ints: Vec<TermId>,
    maps: Vec<TermId>,
    formulas: Vec<TermId>,
}

impl Formulas {
    fn new(seed: u64) -> Self {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let map = pool.array_sort(&[int], int);
        let bool_sort = pool.bool_sort();
        let mut named = |names: &[&str], sort| -> Vec<TermId> {
            names
                .iter()
                .map(|name| {
                    let var = pool.declare_var(*name, sort);
                    pool.var(var)
                })
                .collect()
        };
        let (ints, maps, formulas) = (
            named(&["x", "y", "z"], int),
            named(&["m", "n"], map),
            named(&["a", "b"], bool_sort),
        );
        Formulas {
            pool,
            random: Random::new(seed),
            ints,
            maps,
            formulas,
        }
    }

    fn pick(&mut self, from: fn(&Formulas) -> &Vec<TermId>) -> TermId {
        let count = from(self).len();
        let index = self.random.below(count);
        from(self)[index]
    }

    /// Adds terms made of those that are there; the last formula is returned.
    fn grow(&mut self, steps: usize) -> TermId {
        for _ in 0..steps {
            let (x, y) = (self.pick(|f| &f.ints), self.pick(|f| &f.ints));
            let (m, n) = (self.pick(|f| &f.maps), self.pick(|f| &f.maps));
            let (a, b) = (self.pick(|f| &f.formulas), self.pick(|f| &f.formulas));
            let offset = self.random.below(3);
            let pool = &mut self.pool;
            match self.random.below(9) {
                0 => self.maps.push(pool.store(m, &[x], y)),
                1 => self.maps.push(pool.ite(a, m, n)),
                2 | 3 => self.ints.push(pool.select(m, &[x])),
                4 => {
                    let offset = pool.int(offset as i64);
                    self.ints.push(pool.add(&[x, offset]));
                }
                5 => self.ints.push(pool.ite(a, x, y)),
                6 => self.formulas.push(pool.le(x, y)),
                7 => self.formulas.push(pool.or(&[a, b])),
                _ => {
                    let equality = pool.eq(x, y);
                    self.formulas.push(pool.not(equality));
                }
            }
        }
        let (a, b) = (self.pick(|f| &f.formulas), self.pick(|f| &f.formulas));
        let (x, y) = (self.ints[self.ints.len() - 1], self.ints[self.ints.len() - 2]);
        let equality = self.pool.eq(x, y);
        let condition = self.pool.ite(a, equality, b);
        self.pool.or(&[condition, equality])
    }
}

fn prover(context: &mut Context) -> Prover<'_> {
    Prover::new(context, Instant::now() + Duration::from_secs(60), 10_000_000).expect("a solver")
}

/// Whether the solver says that two formulas are the same.
fn are_equivalent(pool: &mut TermPool, a: TermId, b: TermId) -> bool {
    let same = pool.eq(a, b);
    let differ = pool.not(same);
    let mut context = Context::new().expect("a context");
    let mut prover = prover(&mut context);
    prover.check(pool, &[differ]).expect("the solver works") == Satisfiability::Impossible
}

#[test]
fn formulas_without_map_updates_mean_the_same() {
    let mut changed = 0;
    for seed in 0..150 {
        let mut formulas = Formulas::new(seed);
        let formula = formulas.grow(14);
        let pool = &mut formulas.pool;
        let symbols = Symbols::default();
        let mut context = Context::new().expect("a context");
        let mut asked = prover(&mut context);
        let mut decider = Decider::new(&mut asked, &symbols);
        if seed % 2 == 0 {
            decider.set_background(pool, &[]).expect("the solver works");
        }
        let Ok(result) = MapUpdates::new(&mut decider).eliminate(pool, formula, 100_000) else {
            panic!("seed {seed}: too large");
        };
        assert!(
            are_equivalent(pool, formula, result),
            "seed {seed}: {} is not {}",
            pool.term_text(formula),
            pool.term_text(result)
        );
        for literal in atoms::literals(pool, result) {
            pool.visit_subterms(&[literal], |part| {
                let op = pool.op(part);
                assert!(
                    !matches!(op, lariat_term::Op::Store | lariat_term::Op::Ite),
                    "seed {seed}: {}",
                    pool.term_text(literal)
                );
            });
        }
        changed += usize::from(result != formula);
    }
    assert!(changed > 50, "{changed} formulas were changed");
}

#[test]
fn clauses_mean_the_same() {
    let mut several = 0;
    for seed in 0..150 {
        let mut formulas = Formulas::new(seed + 1_000);
        formulas.maps.truncate(2);
        let formula = formulas.grow(10);
        let pool = &mut formulas.pool;
        let Some(clauses) = cnf::clauses(pool, formula, 200, |_| true) else {
            continue;
        };
        several += usize::from(clauses.len() > 1);
        let result = cnf::conjunction(pool, &clauses);
        assert!(are_equivalent(pool, formula, result), "seed {seed}");
        // Without some literals the formula becomes stronger.
        let some = cnf::clauses(pool, formula, 200, |literal| literal.as_u32() % 3 != 0);
        if let Some(clauses) = some {
            let stronger = cnf::conjunction(pool, &clauses);
            let mut context = Context::new().expect("a context");
            let implied = prover(&mut context)
                .implies(pool, &[stronger], formula)
                .expect("the solver works");
            assert!(implied, "seed {seed}");
        }
    }
    assert!(several > 20, "{several} formulas had several clauses");
}
