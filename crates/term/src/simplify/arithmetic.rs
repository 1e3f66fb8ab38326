//! Integers and reals: literals are folded, sums collect their constant.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use smallvec::SmallVec;

use super::Args;
use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::rational;
use crate::sort::{Sort, SortId};

impl TermPool {
    fn as_number(&self, term: TermId) -> Option<&BigRational> {
        match self.op(term) {
            Op::Int(id) | Op::Real(id) => Some(self.number(id)),
            _ => None,
        }
    }

    /// A literal of the (integer or real) sort.
    fn number_of(&mut self, value: BigRational, sort: SortId) -> TermId {
        match self.sort(sort) {
            Sort::Int => self.int(value.to_integer()),
            _ => self.real(value),
        }
    }

    pub fn add(&mut self, terms: &[TermId]) -> TermId {
        let sort = self.sort_of(terms[0]);
        let mut flat: Args = SmallVec::new();
        let mut constant = BigRational::zero();
        for &term in terms {
            let parts: Args = if self.op(term) == Op::Add {
                self.args(term).into()
            } else {
                SmallVec::from_elem(term, 1)
            };
            for part in parts {
                match self.as_number(part) {
                    Some(value) => constant = rational::sum(&constant, value),
                    None => flat.push(part),
                }
            }
        }
        if flat.is_empty() || !constant.is_zero() {
            let literal = self.number_of(constant, sort);
            flat.push(literal);
        }
        match flat.len() {
            1 => flat[0],
            _ => self.intern(Op::Add, &flat, sort),
        }
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            let sort = self.sort_of(a);
            return self.number_of(BigRational::zero(), sort);
        }
        let negative = self.neg(b);
        self.add(&[a, negative])
    }

    pub fn neg(&mut self, term: TermId) -> TermId {
        let sort = self.sort_of(term);
        let minus_one = self.number_of(-BigRational::one(), sort);
        self.mul(minus_one, term)
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort_of(a);
        let (a, b) = if self.as_number(b).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        if let Some(x) = self.as_number(a).cloned() {
            if let Some(y) = self.as_number(b) {
                let product = rational::product(&x, y);
                return self.number_of(product, sort);
            }
            if x.is_zero() {
                return a;
            }
            if x.is_one() {
                return b;
            }
            match self.op(b) {
                Op::Mul => {
                    let (c, rest) = (self.args(b)[0], self.args(b)[1]);
                    if let Some(y) = self.as_number(c) {
                        let product = rational::product(&x, y);
                        let literal = self.number_of(product, sort);
                        return self.mul(literal, rest);
                    }
                }
                Op::Add => {
                    let parts: Args = self.args(b).into();
                    let scaled: Args = parts.into_iter().map(|part| self.mul(a, part)).collect();
                    return self.add(&scaled);
                }
                _ => {}
            }
        }
        self.intern(Op::Mul, &[a, b], sort)
    }

    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) if !y.is_zero() => {
                let (quotient, _) = euclidean(x, y);
                self.int(quotient)
            }
            (_, Some(y)) if y.is_one() => a,
            _ => {
                let sort = self.int_sort();
                self.intern(Op::IntDiv, &[a, b], sort)
            }
        }
    }

    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) if !y.is_zero() => {
                let (_, remainder) = euclidean(x, y);
                self.int(remainder)
            }
            _ => {
                let sort = self.int_sort();
                self.intern(Op::Mod, &[a, b], sort)
            }
        }
    }

    pub fn real_div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) if !y.is_zero() => {
                let quotient = x / y;
                self.real(quotient)
            }
            _ => {
                let sort = self.sort_id(Sort::Real);
                self.intern(Op::RealDiv, &[a, b], sort)
            }
        }
    }

    pub fn pow(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort_of(a);
        self.intern(Op::Pow, &[a, b], sort)
    }

    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        self.comparison(Op::Le, a, b)
    }

    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.comparison(Op::Lt, a, b)
    }

    fn comparison(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(op == Op::Le);
        }
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            let value = if op == Op::Le { x <= y } else { x < y };
            return self.bool(value);
        }
        let sort = self.bool_sort();
        self.intern(op, &[a, b], sort)
    }

    pub fn to_real(&mut self, term: TermId) -> TermId {
        match self.as_int(term) {
            Some(value) => {
                let value = BigRational::from_integer(value.clone());
                self.real(value)
            }
            None => {
                let sort = self.sort_id(Sort::Real);
                self.intern(Op::ToReal, &[term], sort)
            }
        }
    }

    pub fn to_int(&mut self, term: TermId) -> TermId {
        match self.as_number(term) {
            Some(value) => {
                let floor = value.floor().to_integer();
                self.int(floor)
            }
            None => {
                let sort = self.int_sort();
                self.intern(Op::ToInt, &[term], sort)
            }
        }
    }

    /// An integer or real term as its summands without the constant one, and that constant.
    fn base_and_offset(&self, term: TermId) -> (Args, BigRational) {
        let mut base: Args = match self.op(term) {
            Op::Add => self.args(term).into(),
            _ => SmallVec::from_elem(term, 1),
        };
        let offset = base.last().and_then(|&last| self.as_number(last)).cloned();
        if offset.is_some() {
            base.pop();
        }
        (base, offset.unwrap_or_default())
    }

    /// Whether the two differ in every model because they differ by a constant: `x` and `x + 1`.
    pub(super) fn differ_by_constant(&self, a: TermId, b: TermId) -> bool {
        if !matches!(self.sort(self.sort_of(a)), Sort::Int | Sort::Real) {
            return false;
        }
        let (base_a, offset_a) = self.base_and_offset(a);
        let (base_b, offset_b) = self.base_and_offset(b);
        base_a == base_b && offset_a != offset_b
    }

    /// Whether the two terms have different values in every model, as far as a cheap look tells.
    pub fn surely_distinct(&self, a: TermId, b: TermId) -> bool {
        a != b && ((self.is_value(a) && self.is_value(b)) || self.differ_by_constant(a, b))
    }
}

/// Quotient and remainder as SMT-LIB defines them: the remainder is not negative.
fn euclidean(x: &BigInt, y: &BigInt) -> (BigInt, BigInt) {
    let remainder = x.mod_floor(&y.abs());
    ((x - &remainder) / y, remainder)
}
