//! Quantifiers over one integer that finitely many points decide.
//!
//! What SMACK says of `memcpy` and `memset` is of this kind: `∀ x. dst ≤ x < dst + len ⇒ M[x] = N[x + c]` with maps that have
//! finitely many entries. A term is *steady* if its value can change at its points only:
//!
//! ```text
//! a·x + b ⋈ 0     changes at −b/a                        (⋈ is =, ≤ or <)
//! map[±x + b]     changes where the map has entries
//! op(steady, …)   changes where an argument does
//! ```
//!
//! Between two neighbouring points, before the first and after the last a steady body has one value. So it is enough to evaluate
//! it at each point and next to it. Anything else, and a body with functions that an oracle chooses, is left to the oracle.

use lariat_term::{Op, Quantifier, Sort, TermId, Value, VarId};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Evaluator;
use crate::environment::Environment;
use crate::oracle::Oracle;

#[cfg(test)]
mod tests;

/// A quantifier with more points is left to the oracle.
const MAX_POINTS: usize = 20_000;

/// How a term depends on the bound variable.
#[derive(Clone)]
enum Dependence {
    /// Not at all.
    Ground,
    /// `factor · x + offset`.
    Linear { factor: BigInt, offset: BigInt },
    /// It changes at the points only.
    Steady,
}

impl Evaluator<'_> {
    /// The values of the bound variable that decide the quantifier. `None` if it is not of this kind.
    pub(super) fn decisive_points(
        &mut self,
        quantifier: &Quantifier,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Option<(VarId, Vec<BigInt>)> {
        let &[bound] = &*quantifier.bound else {
            return None;
        };
        if *self.pool.sort(self.pool.var_sort(bound)) != Sort::Int {
            return None;
        }
        let mut order = Vec::new();
        self.pool
            .visit_subterms(&[quantifier.body], |term| order.push(term));
        let mut points = FxHashSet::default();
        let mut known: FxHashMap<TermId, Dependence> = FxHashMap::default();
        for term in order {
            let dependence = self.dependence(term, bound, &known, &mut points, environment, oracle)?;
            known.insert(term, dependence);
            if points.len() > MAX_POINTS {
                return None;
            }
        }
        if let Some(Dependence::Linear { .. }) = known.get(&quantifier.body) {
            return None;
        }
        let mut values: Vec<BigInt> = points
            .iter()
            .flat_map(|point: &BigInt| [point - 1, point.clone(), point + 1])
            .collect();
        values.push(BigInt::zero());
        values.sort_unstable();
        values.dedup();
        Some((bound, values))
    }

    fn dependence(
        &mut self,
        term: TermId,
        bound: VarId,
        known: &FxHashMap<TermId, Dependence>,
        points: &mut FxHashSet<BigInt>,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Option<Dependence> {
        let args = self.pool.args(term);
        match self.pool.op(term) {
            Op::Var(var) if var == bound => {
                return Some(Dependence::Linear {
                    factor: BigInt::one(),
                    offset: BigInt::zero(),
                });
            }
            Op::Apply(_) | Op::Theory(_) | Op::Quantifier(_) => return None,
            _ => {}
        }
        if args.iter().all(|arg| matches!(known[arg], Dependence::Ground)) {
            return Some(Dependence::Ground);
        }
        if !args
            .iter()
            .any(|arg| matches!(known[arg], Dependence::Linear { .. }))
        {
            return Some(Dependence::Steady);
        }
        match (self.pool.op(term), args) {
            (Op::Add, args) => {
                let (mut factor, mut offset) = (BigInt::zero(), BigInt::zero());
                for &arg in args {
                    let (own, further) = self.linear(arg, &known[&arg], environment, oracle)?;
                    factor += own;
                    offset += further;
                }
                Some(Dependence::Linear { factor, offset })
            }
            (Op::Mul, &[left, right]) => {
                let left = self.linear(left, &known[&left], environment, oracle)?;
                let right = self.linear(right, &known[&right], environment, oracle)?;
                let (constant, (factor, offset)) = match (left.0.is_zero(), right.0.is_zero()) {
                    (true, _) => (left.1, right),
                    (_, true) => (right.1, left),
                    _ => return None,
                };
                Some(Dependence::Linear {
                    factor: factor * &constant,
                    offset: offset * constant,
                })
            }
            (Op::Eq | Op::Le | Op::Lt, &[left, right]) => {
                let left = self.linear(left, &known[&left], environment, oracle)?;
                let right = self.linear(right, &known[&right], environment, oracle)?;
                let (factor, offset) = (left.0 - right.0, left.1 - right.1);
                if !factor.is_zero() {
                    let last = (-offset).div_floor(&factor);
                    points.insert(&last + 1);
                    points.insert(last);
                }
                Some(Dependence::Steady)
            }
            (Op::Select, &[map, index]) if matches!(known[&map], Dependence::Ground) => {
                let (factor, offset) = self.linear(index, &known[&index], environment, oracle)?;
                if !factor.abs().is_one() {
                    return None;
                }
                let Ok(Value::Map(map)) = self.eval(map, environment, oracle) else {
                    return None;
                };
                for (indices, _) in map.entries() {
                    let [Value::Int(key)] = indices.as_slice() else {
                        return None;
                    };
                    points.insert((key - &offset) * &factor);
                }
                Some(Dependence::Steady)
            }
            _ => None,
        }
    }

    /// Factor and offset of a linear term or of an integer; `None` for any other.
    fn linear(
        &mut self,
        term: TermId,
        dependence: &Dependence,
        environment: &dyn Environment,
        oracle: &mut dyn Oracle,
    ) -> Option<(BigInt, BigInt)> {
        match dependence {
            Dependence::Linear { factor, offset } => Some((factor.clone(), offset.clone())),
            Dependence::Ground => match self.eval(term, environment, oracle) {
                Ok(Value::Int(value)) => Some((BigInt::zero(), value)),
                _ => None,
            },
            Dependence::Steady => None,
        }
    }
}
