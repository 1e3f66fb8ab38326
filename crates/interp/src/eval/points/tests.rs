//! Points against all values near them.

use std::sync::Arc;

use lariat_term::{MapValue, QuantifierKind, TermPool};
use lariat_testkit::Random;

use super::*;
use crate::eval::EvalError;
use crate::oracle::NoOracle;

/// Everything of random bodies changes between these.
const FAR: i64 = 60;

struct Bodies {
    pool: TermPool,
    random: Random,
    bound: VarId,
    numbers: [VarId; 2],
    maps: [VarId; 2],
}

impl Bodies {
    fn new(seed: u64) -> Self {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let map = pool.array_sort(&[int], int);
        Bodies {
            bound: pool.declare_var("x", int),
            numbers: ["a", "b"].map(|name| pool.declare_var(name, int)),
            maps: ["m", "n"].map(|name| pool.declare_var(name, map)),
            pool,
            random: Random::new(seed),
        }
    }

    fn small(&mut self) -> i64 {
        self.random.between(-6, 6)
    }

    fn environment(&mut self) -> FxHashMap<VarId, Value> {
        let mut values = FxHashMap::default();
        for var in self.numbers {
            values.insert(var, Value::Int(self.small().into()));
        }
        for var in self.maps {
            let default = self.random.between(0, 2);
            let mut map = MapValue::constant(self.pool.var_sort(var), Value::Int(default.into()));
            for _ in 0..self.random.below(5) {
                let (key, value) = (self.small(), self.random.between(0, 2));
                map.set(vec![Value::Int(key.into())], Value::Int(value.into()));
            }
            values.insert(var, Value::Map(Arc::new(map)));
        }
        values
    }

    fn number(&mut self) -> TermId {
        match self.random.flip() {
            true => {
                let var = self.random.pick(&self.numbers);
                self.pool.var(var)
            }
            false => {
                let number = self.small();
                self.pool.int(number)
            }
        }
    }

    /// `±x + number`, and now and then `2·x + number`.
    fn linear(&mut self, factors: &[i64]) -> TermId {
        let factor = self.random.pick(factors);
        let (x, number) = (self.pool.var(self.bound), self.number());
        let factor = self.pool.int(factor);
        let product = self.pool.mul(factor, x);
        self.pool.add(&[product, number])
    }

    fn entry(&mut self) -> TermId {
        let map = self.random.pick(&self.maps);
        let (map, index) = (self.pool.var(map), self.linear(&[1, -1]));
        self.pool.select(map, &[index])
    }

    fn body(&mut self, depth: u32) -> TermId {
        if depth == 0 || self.random.one_in(4) {
            let (left, right) = match self.random.below(3) {
                0 => (self.entry(), self.entry()),
                1 => (self.entry(), self.number()),
                _ => (self.linear(&[1, -1, 2, -3]), self.linear(&[0, 0, 1])),
            };
            return match self.random.below(3) {
                0 => self.pool.eq(left, right),
                1 => self.pool.le(left, right),
                _ => self.pool.lt(left, right),
            };
        }
        let (left, right) = (self.body(depth - 1), self.body(depth - 1));
        match self.random.below(3) {
            0 => self.pool.and(&[left, right]),
            1 => self.pool.or(&[left, right]),
            _ => self.pool.implies(left, right),
        }
    }

    fn quantifier(&mut self, kind: QuantifierKind, body: TermId) -> TermId {
        self.pool.quantifier_term(Quantifier {
            kind,
            bound: [self.bound].into(),
            triggers: [].into(),
            no_patterns: [].into(),
            body,
            weight: None,
        })
    }
}

#[test]
fn points_decide_what_all_values_decide() {
    let mut both = [0, 0];
    for seed in 0..400 {
        let mut bodies = Bodies::new(seed);
        let body = bodies.body(3);
        let environment = bodies.environment();
        let terms =
            [QuantifierKind::Forall, QuantifierKind::Exists].map(|kind| bodies.quantifier(kind, body));
        let mut evaluator = Evaluator::new(&bodies.pool);
        let mut at = |x: i64| {
            let mut values = environment.clone();
            values.insert(bodies.bound, Value::Int(x.into()));
            evaluator.holds(body, &values, &mut NoOracle)
        };
        let values: Vec<bool> = (-FAR..=FAR).map(|x| at(x).expect("a value")).collect();
        let expected = [
            values.iter().all(|&holds| holds),
            values.iter().any(|&holds| holds),
        ];
        for (term, expected) in terms.into_iter().zip(expected) {
            assert_eq!(
                evaluator.holds(term, &environment, &mut NoOracle),
                Ok(expected),
                "seed {seed}"
            );
            both[usize::from(expected)] += 1;
        }
    }
    assert!(both.iter().all(|&count| count > 100), "{both:?}");
}

#[test]
fn values_that_grow_with_the_variable_are_left_to_the_oracle() {
    let mut bodies = Bodies::new(0);
    let (x, entry) = (bodies.pool.var(bodies.bound), bodies.entry());
    let body = bodies.pool.eq(entry, x);
    let term = bodies.quantifier(QuantifierKind::Exists, body);
    let environment = bodies.environment();
    let answer = Evaluator::new(&bodies.pool).holds(term, &environment, &mut NoOracle);
    assert!(matches!(answer, Err(EvalError::Oracle(_))), "{answer:?}");
}
