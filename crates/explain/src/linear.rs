//! Integer and real terms as sums: for comparing addresses and for conditions that people read.

use std::collections::BTreeMap;

use lariat_term::{Op, Sort, TermId, TermPool, rational};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// `Σ coefficient · term + constant`; no coefficient is zero, no term is a sum.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Linear {
    pub summands: BTreeMap<TermId, BigRational>,
    pub constant: BigRational,
}

pub(crate) fn is_arithmetic(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.sort(pool.sort_of(term)), Sort::Int | Sort::Real)
}

impl Linear {
    /// The term is of sort `Int` or `Real`.
    pub fn of(pool: &TermPool, term: TermId) -> Linear {
        let mut linear = Linear::default();
        linear.add(pool, term, &BigRational::one());
        linear
    }

    pub fn difference(pool: &TermPool, a: TermId, b: TermId) -> Linear {
        let mut linear = Linear::of(pool, a);
        linear.add(pool, b, &-BigRational::one());
        linear
    }

    fn add(&mut self, pool: &TermPool, term: TermId, factor: &BigRational) {
        let mut stack = vec![(term, factor.clone())];
        while let Some((term, factor)) = stack.pop() {
            match pool.op(term) {
                Op::Int(id) | Op::Real(id) => {
                    let value = rational::product(pool.number(id), &factor);
                    self.constant = rational::sum(&self.constant, &value);
                }
                Op::Add => stack.extend(pool.args(term).iter().map(|&arg| (arg, factor.clone()))),
                Op::Mul => match (number(pool, pool.args(term)[0]), number(pool, pool.args(term)[1])) {
                    (Some(value), _) => stack.push((pool.args(term)[1], rational::product(&factor, value))),
                    (_, Some(value)) => stack.push((pool.args(term)[0], rational::product(&factor, value))),
                    _ => self.add_summand(term, factor),
                },
                _ => self.add_summand(term, factor),
            }
        }
    }

    fn add_summand(&mut self, term: TermId, factor: BigRational) {
        let coefficient = self.summands.entry(term).or_default();
        *coefficient = rational::sum(coefficient, &factor);
        if coefficient.is_zero() {
            self.summands.remove(&term);
        }
    }

    pub fn is_constant(&self) -> bool {
        self.summands.is_empty()
    }

    /// The two sides of `self ⋈ 0` without subtraction: what has a positive coefficient stays on the left, the rest
    /// goes to the right. A constant is on a side of its own if there is one.
    pub fn sides(&self, pool: &mut TermPool, is_int: bool) -> (TermId, TermId) {
        let mut left = Vec::new();
        let mut right = Vec::new();
        for (&term, coefficient) in &self.summands {
            let magnitude = literal(pool, coefficient.abs(), is_int);
            let product = pool.mul(magnitude, term);
            if coefficient.is_positive() {
                left.push(product);
            } else {
                right.push(product);
            }
        }
        if !left.is_empty() && (right.is_empty() || self.constant.is_negative()) {
            right.push(literal(pool, -self.constant.clone(), is_int));
        } else {
            left.push(literal(pool, self.constant.clone(), is_int));
        }
        let zero = literal(pool, BigRational::zero(), is_int);
        left.push(zero);
        right.push(zero);
        (pool.add(&left), pool.add(&right))
    }
}

fn number(pool: &TermPool, term: TermId) -> Option<&BigRational> {
    match pool.op(term) {
        Op::Int(id) | Op::Real(id) => Some(pool.number(id)),
        _ => None,
    }
}

fn literal(pool: &mut TermPool, value: BigRational, is_int: bool) -> TermId {
    if is_int && value.is_integer() {
        pool.int(value.to_integer())
    } else {
        pool.real(value)
    }
}

/// A comparison (`Le`, `Lt`) or an equation of numbers in its simplest form.
pub(crate) fn compare(pool: &mut TermPool, op: Op, a: TermId, b: TermId) -> TermId {
    let plain = |pool: &mut TermPool, a, b| match op {
        Op::Le => pool.le(a, b),
        Op::Lt => pool.lt(a, b),
        _ => pool.eq(a, b),
    };
    // Most comparisons are of terms that are no sums; those are as they should be.
    let is_atom = |term| !matches!(pool.op(term), Op::Add | Op::Mul | Op::Int(_) | Op::Real(_));
    if !is_arithmetic(pool, a) || a != b && is_atom(a) && is_atom(b) {
        return plain(pool, a, b);
    }
    let difference = Linear::difference(pool, a, b);
    let is_int = matches!(pool.sort(pool.sort_of(a)), Sort::Int);
    let whole = difference
        .summands
        .values()
        .chain([&difference.constant])
        .all(BigRational::is_integer);
    if is_int && !whole {
        return plain(pool, a, b);
    }
    let is_literal = |term| number(pool, term).is_some();
    if op == Op::Eq && !difference.is_constant() && (is_literal(a) || is_literal(b)) {
        // A comparison with a literal stays one: the literal may be the null pointer.
        return plain(pool, a, b);
    }
    let (a, b) = difference.sides(pool, is_int);
    plain(pool, a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_as_short_as_possible() {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.declare_var("x", int), pool.declare_var("y", int));
        let (x, y) = (pool.var(x), pool.var(y));
        let mut plus = |term, offset: i64| {
            let offset = pool.int(offset);
            pool.add(&[term, offset])
        };
        let (x_minus_1, x_plus_8, x_plus_16, y_plus_8) = (plus(x, -1), plus(x, 8), plus(x, 16), plus(y, 8));
        let (zero, five) = (pool.int(0), pool.int(5));
        for (op, a, b, expected) in [
            (Op::Lt, zero, x_minus_1, "(< 1 x)"),
            (Op::Le, x_plus_8, five, "(<= x (- 3))"),
            (Op::Le, x_plus_8, y_plus_8, "(<= x y)"),
            (Op::Le, x_plus_16, y_plus_8, "(<= (+ x 8) y)"),
            (Op::Lt, x_plus_8, y, "(< (+ x 8) y)"),
            (Op::Lt, x, y_plus_8, "(< x (+ y 8))"),
            (Op::Eq, x_plus_8, x_plus_16, "false"),
            (Op::Eq, x_plus_8, y_plus_8, "(= x y)"),
            // The literal may be the null pointer.
            (Op::Eq, x_plus_8, zero, "(= 0 (+ x 8))"),
            (Op::Le, x_plus_8, x_plus_16, "true"),
        ] {
            let result = compare(&mut pool, op, a, b);
            assert_eq!(
                pool.term_text(result).replace("(= (+ x 8) 0)", "(= 0 (+ x 8))"),
                expected
            );
        }
    }
}
