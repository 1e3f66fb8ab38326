//! The six forms of [Corral12] §4.2, generalised to any variable and any number of states.
//!
//! For a variable `s` with the states `c1 … cn`:
//!
//! ```text
//! old(s) == c ⇒ s == c'      old(s) == c ⇒ ¬error      s == old(s)
//! old(s) ∈ {c1 … cn} ⇒ s ∈ {c1 … cn}                   s == c,  s ∈ {c1 … cn}  (before and after)
//! ```
//!
//! and for two such variables `s == c ⇒ t == d`, before and after.

use lariat_term::{Sort, TermId, TermPool};

use super::constants::ConstantTable;
use super::draft::Draft;

/// More states than this are no typestate.
const MOST_STATES: usize = 4;

impl Draft<'_> {
    /// The states of a variable; none if it has too many.
    fn states(&mut self, index: usize, constants: &ConstantTable) -> Vec<TermId> {
        if *self.sort(index) == Sort::Bool {
            return vec![self.pool().bool(false), self.pool().bool(true)];
        }
        let found = constants.of(self.state[index].var);
        found.iter().copied().take(MOST_STATES).collect()
    }

    pub fn add_typestate(&mut self, constants: &ConstantTable) {
        let all: Vec<(usize, Vec<TermId>)> = (0..self.state.len())
            .map(|index| (index, self.states(index, constants)))
            .collect();
        for (index, _) in &all {
            self.step_formula(&[*index], |pool, before, after| pool.eq(before[0], after[0]));
        }
        for (index, states) in all.iter().filter(|(_, states)| !states.is_empty()) {
            self.add_transitions(*index, states);
        }
        for (index, states) in all.iter().filter(|(_, states)| !states.is_empty()) {
            for &state in states {
                self.state_formula(&[*index], |pool, values| pool.eq(values[0], state));
            }
            if states.len() > 1 {
                self.state_formula(&[*index], |pool, values| is_one_of(pool, values[0], states));
                self.step_formula(&[*index], |pool, before, after| {
                    let was = is_one_of(pool, before[0], states);
                    let is = is_one_of(pool, after[0], states);
                    pool.implies(was, is)
                });
            }
        }
        if self.limits.related > 0 {
            let small: Vec<&(usize, Vec<TermId>)> = all
                .iter()
                .filter(|(_, states)| (2..=3).contains(&states.len()))
                .take(self.limits.related.min(4))
                .collect();
            for (index, states) in &small {
                for (other, others) in small.iter().filter(|(other, _)| other != index) {
                    self.add_correlations(*index, states, *other, others);
                }
            }
        }
    }

    fn add_transitions(&mut self, index: usize, states: &[TermId]) {
        let Some(before) = self.state[index].input else {
            return;
        };
        for &from in states {
            if let Some(error) = self.error {
                let pool = self.pool();
                let was = pool.eq(before, from);
                let no_error = pool.not(error);
                let term = pool.implies(was, no_error);
                self.push_post(term);
            }
            for &to in states {
                if let Some(after) = self.state[index].output {
                    let pool = self.pool();
                    let (was, is) = (pool.eq(before, from), pool.eq(after, to));
                    let term = pool.implies(was, is);
                    self.post(term);
                }
            }
        }
    }

    fn add_correlations(&mut self, index: usize, states: &[TermId], other: usize, others: &[TermId]) {
        for &state in states {
            for &expected in others {
                self.state_formula(&[index, other], |pool, values| {
                    let (a, b) = (pool.eq(values[0], state), pool.eq(values[1], expected));
                    pool.implies(a, b)
                });
            }
        }
    }
}

fn is_one_of(pool: &mut TermPool, value: TermId, states: &[TermId]) -> TermId {
    let equalities: Vec<TermId> = states.iter().map(|&state| pool.eq(value, state)).collect();
    pool.or(&equalities)
}
