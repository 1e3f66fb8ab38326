//! The constructors of terms. Each keeps the invariants of [`Op`] and applies rewrites
//! that are cheap, local and valid in every model: literals are folded, neutral elements
//! dropped, reads of writes resolved where the indices decide it.

mod numbers;

use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::bitvec::{bv_result_width, fold_bv};
use crate::op::{BvOp, Op, RoundingMode, TheoryOp};
use crate::pool::{FunId, Quantifier, TermId, TermPool, VarId};
use crate::sort::{DatatypeId, Sort, SortId};

type Args = SmallVec<[TermId; 4]>;

impl TermPool {
    // ---- leaves ------------------------------------------------------------

    pub fn bool(&mut self, value: bool) -> TermId {
        let sort = self.bool_sort();
        self.intern(Op::Bool(value), &[], sort)
    }

    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        let sort = self.int_sort();
        let number = self.number_id(BigRational::from_integer(value.into()));
        self.intern(Op::Int(number), &[], sort)
    }

    pub fn real(&mut self, value: BigRational) -> TermId {
        let sort = self.sort_id(Sort::Real);
        let number = self.number_id(value);
        self.intern(Op::Real(number), &[], sort)
    }

    /// A bit-vector literal; the value is taken modulo 2^width.
    pub fn bv(&mut self, value: impl Into<BigInt>, width: u32) -> TermId {
        let value = value.into().mod_floor(&(BigInt::one() << width));
        let sort = self.bv_sort(width);
        let number = self.number_id(BigRational::from_integer(value));
        self.intern(Op::Bv(number), &[], sort)
    }

    /// A floating-point literal by its IEEE bits.
    pub fn float(&mut self, bits: impl Into<BigInt>, significand: u32, exponent: u32) -> TermId {
        let sort = self.sort_id(Sort::Float {
            significand,
            exponent,
        });
        let number = self.number_id(BigRational::from_integer(bits.into()));
        self.intern(Op::Float(number), &[], sort)
    }

    pub fn rounding_mode(&mut self, mode: RoundingMode) -> TermId {
        let sort = self.sort_id(Sort::RoundingMode);
        self.intern(Op::RoundingMode(mode), &[], sort)
    }

    pub fn string(&mut self, text: impl Into<Arc<str>>) -> TermId {
        let sort = self.sort_id(Sort::String);
        let id = self.string_id(text.into());
        self.intern(Op::String(id), &[], sort)
    }

    pub fn var(&mut self, var: VarId) -> TermId {
        let sort = self.var_sort(var);
        self.intern(Op::Var(var), &[], sort)
    }

    // ---- Booleans ----------------------------------------------------------

    pub fn not(&mut self, term: TermId) -> TermId {
        match self.op(term) {
            Op::Bool(value) => self.bool(!value),
            Op::Not => self.args(term)[0],
            Op::Le => {
                let (a, b) = (self.args(term)[0], self.args(term)[1]);
                self.lt(b, a)
            }
            Op::Lt => {
                let (a, b) = (self.args(term)[0], self.args(term)[1]);
                self.le(b, a)
            }
            _ => {
                let sort = self.bool_sort();
                self.intern(Op::Not, &[term], sort)
            }
        }
    }

    pub fn and(&mut self, terms: &[TermId]) -> TermId {
        self.junction(Op::And, terms)
    }

    pub fn or(&mut self, terms: &[TermId]) -> TermId {
        self.junction(Op::Or, terms)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    fn junction(&mut self, op: Op, terms: &[TermId]) -> TermId {
        let absorbing = op == Op::Or;
        let mut flat: Args = SmallVec::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        // Arguments of a junction of the same kind are taken in place; they are no junctions.
        for &term in terms {
            let parts: Args = if self.op(term) == op {
                self.args(term).into()
            } else {
                SmallVec::from_elem(term, 1)
            };
            for part in parts {
                match self.op(part) {
                    Op::Bool(value) if value == absorbing => return self.bool(absorbing),
                    Op::Bool(_) => continue,
                    _ => {}
                }
                if flat.len() < 8 {
                    if flat.contains(&part) {
                        continue;
                    }
                } else {
                    if seen.is_empty() {
                        seen.extend(flat.iter().copied());
                    }
                    if !seen.insert(part) {
                        continue;
                    }
                }
                flat.push(part);
            }
        }
        if flat.len() <= 8 {
            for &part in &flat {
                let negation = self.not(part);
                if flat.contains(&negation) {
                    return self.bool(absorbing);
                }
            }
        }
        match flat.len() {
            0 => self.bool(!absorbing),
            1 => flat[0],
            _ => {
                let sort = self.bool_sort();
                self.intern(op, &flat, sort)
            }
        }
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(
            self.sort_of(a),
            self.sort_of(b),
            "{} = {}",
            self.term_text(a),
            self.term_text(b)
        );
        if a == b {
            return self.bool(true);
        }
        if self.is_value(a) && self.is_value(b) {
            return self.bool(false);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return self.not(b),
            (_, Some(false)) => return self.not(a),
            _ => {}
        }
        if self.differ_by_constant(a, b) {
            return self.bool(false);
        }
        if let (Op::Construct { constructor: c, .. }, Op::Construct { constructor: d, .. }) =
            (self.op(a), self.op(b))
        {
            if c != d {
                return self.bool(false);
            }
            let pairs: Vec<(TermId, TermId)> = self
                .args(a)
                .iter()
                .copied()
                .zip(self.args(b).iter().copied())
                .collect();
            let equalities: Vec<TermId> = pairs.into_iter().map(|(x, y)| self.eq(x, y)).collect();
            return self.and(&equalities);
        }
        let sort = self.bool_sort();
        self.intern(Op::Eq, &[a, b], sort)
    }

    pub fn distinct(&mut self, terms: &[TermId]) -> TermId {
        match terms {
            [] | [_] => self.bool(true),
            [a, b] => {
                let eq = self.eq(*a, *b);
                self.not(eq)
            }
            _ => {
                let mut seen = FxHashSet::default();
                if !terms.iter().all(|&term| seen.insert(term)) {
                    return self.bool(false);
                }
                if terms.iter().all(|&term| self.is_value(term)) {
                    return self.bool(true);
                }
                let sort = self.bool_sort();
                self.intern(Op::Distinct, terms, sort)
            }
        }
    }

    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if then == otherwise {
            return then;
        }
        match self.op(condition) {
            Op::Bool(true) => return then,
            Op::Bool(false) => return otherwise,
            Op::Not => {
                let positive = self.args(condition)[0];
                return self.ite(positive, otherwise, then);
            }
            _ => {}
        }
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), _) => return self.or(&[condition, otherwise]),
            (_, Some(false)) => return self.and(&[condition, then]),
            (Some(false), _) => {
                let negation = self.not(condition);
                return self.and(&[negation, otherwise]);
            }
            (_, Some(true)) => {
                let negation = self.not(condition);
                return self.or(&[negation, then]);
            }
            _ => {}
        }
        let sort = self.sort_of(then);
        self.intern(Op::Ite, &[condition, then, otherwise], sort)
    }

    // ---- bit-vectors -------------------------------------------------------

    pub fn bv_op(&mut self, op: BvOp, args: &[TermId]) -> TermId {
        if let Some(folded) = fold_bv(self, op, args) {
            return folded;
        }
        let sort = match op {
            BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => self.bool_sort(),
            BvOp::ToNat | BvOp::ToInt => self.int_sort(),
            _ => {
                let widths: SmallVec<[u32; 2]> = match op {
                    BvOp::FromInt(_) => SmallVec::new(),
                    _ => args.iter().map(|&arg| self.bv_width(arg)).collect(),
                };
                let width = bv_result_width(op, &widths);
                self.bv_sort(width)
            }
        };
        self.intern(Op::Bv2(op), args, sort)
    }

    // ---- maps --------------------------------------------------------------

    pub fn select(&mut self, map: TermId, indices: &[TermId]) -> TermId {
        let mut map = map;
        loop {
            match self.op(map) {
                Op::Store => {
                    let args = self.args(map);
                    let stored = &args[1..args.len() - 1];
                    if stored == indices {
                        return args[args.len() - 1];
                    }
                    if stored
                        .iter()
                        .zip(indices)
                        .any(|(&a, &b)| self.surely_distinct(a, b))
                    {
                        map = args[0];
                        continue;
                    }
                    break;
                }
                Op::ConstArray(_) => return self.args(map)[0],
                _ => break,
            }
        }
        let sort = match self.sort(self.sort_of(map)) {
            Sort::Array { element, .. } => *element,
            other => unreachable!("select from {other:?}"),
        };
        let mut args: Args = SmallVec::with_capacity(indices.len() + 1);
        args.push(map);
        args.extend_from_slice(indices);
        self.intern(Op::Select, &args, sort)
    }

    pub fn store(&mut self, map: TermId, indices: &[TermId], value: TermId) -> TermId {
        let sort = self.sort_of(map);
        let mut base = map;
        if self.op(map) == Op::Store {
            let args = self.args(map);
            if &args[1..args.len() - 1] == indices {
                base = args[0];
            }
        }
        let mut args: Args = SmallVec::with_capacity(indices.len() + 2);
        args.push(base);
        args.extend_from_slice(indices);
        args.push(value);
        self.intern(Op::Store, &args, sort)
    }

    pub fn const_array(&mut self, sort: SortId, value: TermId) -> TermId {
        self.intern(Op::ConstArray(sort), &[value], sort)
    }

    // ---- datatypes ---------------------------------------------------------

    pub fn construct(&mut self, datatype: DatatypeId, constructor: u32, args: &[TermId]) -> TermId {
        let sort = self.sort_id(Sort::Datatype(datatype));
        self.intern(
            Op::Construct {
                datatype,
                constructor,
            },
            args,
            sort,
        )
    }

    pub fn field(&mut self, datatype: DatatypeId, constructor: u32, field: u32, value: TermId) -> TermId {
        if let Op::Construct {
            constructor: actual, ..
        } = self.op(value)
            && actual == constructor
        {
            return self.args(value)[field as usize];
        }
        let sort = self.datatype(datatype).constructors[constructor as usize].fields[field as usize].sort;
        self.intern(
            Op::Field {
                datatype,
                constructor,
                field,
            },
            &[value],
            sort,
        )
    }

    pub fn is_constructor(&mut self, datatype: DatatypeId, constructor: u32, value: TermId) -> TermId {
        if let Op::Construct {
            constructor: actual, ..
        } = self.op(value)
        {
            return self.bool(actual == constructor);
        }
        if self.datatype(datatype).constructors.len() == 1 {
            return self.bool(true);
        }
        let sort = self.bool_sort();
        self.intern(
            Op::Is {
                datatype,
                constructor,
            },
            &[value],
            sort,
        )
    }

    // ---- functions and quantifiers -----------------------------------------

    pub fn apply(&mut self, function: FunId, args: &[TermId]) -> TermId {
        debug_assert_eq!(self.function(function).args.len(), args.len());
        let sort = self.function(function).result;
        self.intern(Op::Apply(function), args, sort)
    }

    /// An operator that only the solver knows.
    pub fn theory(&mut self, name: impl Into<String>, args: &[TermId], result: SortId) -> TermId {
        let op = TheoryOp {
            name: name.into(),
            args: args.iter().map(|&arg| self.sort_of(arg)).collect(),
            result,
        };
        let id = self.theory_op_id(op);
        self.intern(Op::Theory(id), args, result)
    }

    pub fn quantifier_term(&mut self, quantifier: Quantifier) -> TermId {
        if self.as_bool(quantifier.body).is_some() || quantifier.bound.is_empty() {
            return quantifier.body;
        }
        let id = self.quantifier_id(quantifier);
        let sort = self.bool_sort();
        self.intern(Op::Quantifier(id), &[], sort)
    }

    /// The same operator on other arguments, through its constructor.
    pub fn rebuild(&mut self, op: Op, args: &[TermId], sort: SortId) -> TermId {
        match op {
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Or => self.or(args),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Distinct => self.distinct(args),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Add => self.add(args),
            Op::Mul => self.mul(args[0], args[1]),
            Op::IntDiv => self.int_div(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::RealDiv => self.real_div(args[0], args[1]),
            Op::Le => self.le(args[0], args[1]),
            Op::Lt => self.lt(args[0], args[1]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::Bv2(op) => self.bv_op(op, args),
            Op::Select => self.select(args[0], &args[1..]),
            Op::Store => self.store(args[0], &args[1..args.len() - 1], args[args.len() - 1]),
            Op::Field {
                datatype,
                constructor,
                field,
            } => self.field(datatype, constructor, field, args[0]),
            Op::Is {
                datatype,
                constructor,
            } => self.is_constructor(datatype, constructor, args[0]),
            Op::Bool(_)
            | Op::Int(_)
            | Op::Real(_)
            | Op::Bv(_)
            | Op::Float(_)
            | Op::RoundingMode(_)
            | Op::String(_)
            | Op::Var(_)
            | Op::Pow
            | Op::ConstArray(_)
            | Op::Construct { .. }
            | Op::Apply(_)
            | Op::Theory(_)
            | Op::Quantifier(_) => self.intern(op, args, sort),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool_with_ints() -> (TermPool, TermId, TermId) {
        let mut pool = TermPool::new();
        let int = pool.int_sort();
        let (x, y) = (pool.declare_var("x", int), pool.declare_var("y", int));
        let (x, y) = (pool.var(x), pool.var(y));
        (pool, x, y)
    }

    #[test]
    fn division_follows_smt_lib() {
        let mut pool = TermPool::new();
        for (a, b, quotient, remainder) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)] {
            let (a, b) = (pool.int(a), pool.int(b));
            let (div, modulo) = (pool.int_div(a, b), pool.modulo(a, b));
            assert_eq!(pool.as_int(div), Some(&BigInt::from(quotient)));
            assert_eq!(pool.as_int(modulo), Some(&BigInt::from(remainder)));
        }
        let (one, zero) = (pool.int(1), pool.int(0));
        let by_zero = pool.int_div(one, zero);
        assert_eq!(pool.op(by_zero), Op::IntDiv);
    }

    #[test]
    fn junctions_are_flat_and_without_duplicates() {
        let mut pool = TermPool::new();
        let bool_sort = pool.bool_sort();
        let vars: Vec<TermId> = (0..3)
            .map(|i| {
                let var = pool.declare_var(format!("b{i}"), bool_sort);
                pool.var(var)
            })
            .collect();
        let inner = pool.and(&vars[..2]);
        let outer = pool.and(&[inner, vars[2], vars[0]]);
        assert_eq!(pool.args(outer), &vars[..]);
        let not_b0 = pool.not(vars[0]);
        let contradiction = pool.and(&[outer, not_b0]);
        assert_eq!(pool.as_bool(contradiction), Some(false));
    }

    #[test]
    fn reads_of_writes_are_resolved_where_indices_decide() {
        let (mut pool, x, y) = pool_with_ints();
        let int = pool.int_sort();
        let map_sort = pool.array_sort(&[int], int);
        let map = pool.declare_var("m", map_sort);
        let map = pool.var(map);
        let one = pool.int(1);
        let next = pool.add(&[x, one]);
        let written = pool.store(map, &[x], y);
        assert_eq!(pool.select(written, &[x]), y);
        let other = pool.select(written, &[next]);
        assert_eq!(other, pool.select(map, &[next]));
        let unsure = pool.select(written, &[y]);
        assert_eq!(pool.args(unsure)[0], written);
    }

    #[test]
    fn sums_collect_their_constant() {
        let (mut pool, x, _) = pool_with_ints();
        let (one, two) = (pool.int(1), pool.int(2));
        let sum = pool.add(&[one, x]);
        let sum = pool.add(&[sum, two]);
        let three = pool.int(3);
        assert_eq!(sum, pool.add(&[x, three]));
        assert_eq!(pool.sub(sum, three), x);
        assert_eq!(pool.term_text(sum), "(+ x 3)");
    }
}
