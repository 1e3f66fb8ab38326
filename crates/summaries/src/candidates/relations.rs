//! Relations between numbers: monotone counters, ranges, orders and sums.
//!
//! ```text
//! old(x) <= x, old(x) < x, x <= old(x)     c <= x, x <= c     x <= y, x < y, x == y     x == k * y
//! x == old(x) + k     x - old(x) == y - old(y)     x + y == old(x) + old(y)     x + y == z     x mod k == old(x) mod k
//! ```

use lariat_term::{Sort, TermId};
use num_bigint::BigInt;

use super::constants::ConstantTable;
use super::draft::Draft;

impl Draft<'_> {
    pub fn add_relations(&mut self, constants: &ConstantTable) {
        let numbers: Vec<usize> = (0..self.state.len())
            .filter(|&index| self.is_number(index))
            .collect();
        for &x in &numbers {
            self.step_formula(&[x], |pool, before, after| pool.le(before[0], after[0]));
            self.step_formula(&[x], |pool, before, after| pool.le(after[0], before[0]));
            if self.limits.related > 0 {
                self.step_formula(&[x], |pool, before, after| pool.lt(before[0], after[0]));
                if *self.sort(x) == Sort::Int {
                    self.add_fixed_steps(x, constants);
                }
            }
        }
        self.add_copies();
        for &x in &numbers {
            self.add_ranges(x, constants);
        }
        let related: Vec<usize> = numbers
            .into_iter()
            .filter(|&index| *self.sort(index) == Sort::Int)
            .take(self.limits.related)
            .collect();
        for &x in &related {
            for &y in related.iter().filter(|&&y| y != x) {
                self.state_formula(&[x, y], |pool, v| pool.le(v[0], v[1]));
                self.state_formula(&[x, y], |pool, v| pool.lt(v[0], v[1]));
            }
        }
        for (position, &x) in related.iter().enumerate() {
            for &y in &related[position + 1..] {
                self.state_formula(&[x, y], |pool, v| pool.eq(v[0], v[1]));
                self.add_sums(x, y);
            }
        }
        for step in &constants.steps {
            let step = self.pool().int(step.clone());
            for &x in &related {
                self.step_formula(&[x], |pool, before, after| {
                    let (was, is) = (pool.modulo(before[0], step), pool.modulo(after[0], step));
                    pool.eq(was, is)
                });
                self.state_formula(&[x], |pool, v| {
                    let (remainder, zero) = (pool.modulo(v[0], step), pool.int(0));
                    pool.eq(remainder, zero)
                });
                for &y in related.iter().filter(|&&y| y != x) {
                    self.state_formula(&[x, y], |pool, v| {
                        let multiple = pool.mul(step, v[1]);
                        pool.eq(v[0], multiple)
                    });
                    self.step_formula(&[x, y], |pool, before, after| {
                        let (dx, dy) = (pool.sub(after[0], before[0]), pool.sub(after[1], before[1]));
                        let multiple = pool.mul(step, dy);
                        pool.eq(dx, multiple)
                    });
                }
            }
        }
        self.add_triples(&related);
        self.add_residues(&related, constants);
    }

    /// `x mod k == r`, alone and where a flag is set or not.
    fn add_residues(&mut self, related: &[usize], constants: &ConstantTable) {
        let flags: Vec<usize> = (0..self.state.len())
            .filter(|&index| *self.sort(index) == Sort::Bool)
            .take(2)
            .collect();
        for modulus in &constants.moduli {
            let mut residue = BigInt::from(0);
            while residue < *modulus {
                let (k, r) = (self.pool().int(modulus.clone()), self.pool().int(residue.clone()));
                for &x in related {
                    self.state_formula(&[x], |pool, v| {
                        let remainder = pool.modulo(v[0], k);
                        pool.eq(remainder, r)
                    });
                    for &flag in &flags {
                        for value in [false, true] {
                            self.state_formula(&[x, flag], |pool, v| {
                                let (remainder, value) = (pool.modulo(v[0], k), pool.bool(value));
                                let (is_set, fits) = (pool.eq(v[1], value), pool.eq(remainder, r));
                                pool.implies(is_set, fits)
                            });
                        }
                    }
                }
                residue += 1;
            }
        }
    }

    fn add_fixed_steps(&mut self, x: usize, constants: &ConstantTable) {
        for step in std::iter::once(&BigInt::from(1)).chain(&constants.steps) {
            for step in [step.clone(), -step] {
                let step = self.pool().int(step);
                self.step_formula(&[x], |pool, before, after| {
                    let moved = pool.add(&[before[0], step]);
                    pool.eq(after[0], moved)
                });
            }
        }
    }

    /// An output that is a copy of another input.
    fn add_copies(&mut self) {
        for x in 0..self.state.len() {
            let Some(output) = self.state[x].output else {
                continue;
            };
            for y in (0..self.state.len()).filter(|&y| y != x) {
                if let Some(input) = self.state[y].input
                    && self.sort(x) == self.sort(y)
                    && self.state[y].output.is_none()
                {
                    let term = self.pool().eq(output, input);
                    self.post(term);
                }
            }
        }
    }

    fn add_ranges(&mut self, x: usize, constants: &ConstantTable) {
        let mut bounds: Vec<TermId> = constants.of(self.state[x].var).to_vec();
        if *self.sort(x) == Sort::Int && self.limits.related > 0 {
            bounds.push(self.pool().int(0));
            // A guard `x < c` leaves the loop at `c`, a guard `x <= c` one later.
            for bound in bounds.clone() {
                let (one, minus_one) = (self.pool().int(1), self.pool().int(-1));
                bounds.push(self.pool().add(&[bound, one]));
                bounds.push(self.pool().add(&[bound, minus_one]));
            }
        }
        for bound in bounds {
            self.state_formula(&[x], |pool, v| pool.le(bound, v[0]));
            self.state_formula(&[x], |pool, v| pool.le(v[0], bound));
        }
    }

    fn add_sums(&mut self, x: usize, y: usize) {
        self.step_formula(&[x, y], |pool, before, after| {
            let (was, is) = (pool.sub(before[0], before[1]), pool.sub(after[0], after[1]));
            pool.eq(was, is)
        });
        self.step_formula(&[x, y], |pool, before, after| {
            let (was, is) = (pool.add(&[before[0], before[1]]), pool.add(&[after[0], after[1]]));
            pool.eq(was, is)
        });
    }

    fn add_triples(&mut self, related: &[usize]) {
        if related.len() > 5 {
            return;
        }
        for &z in related {
            for (position, &x) in related.iter().enumerate() {
                for &y in &related[position + 1..] {
                    if x != z && y != z {
                        self.state_formula(&[x, y, z], |pool, v| {
                            let sum = pool.add(&[v[0], v[1]]);
                            pool.eq(sum, v[2])
                        });
                    }
                }
            }
        }
    }
}
