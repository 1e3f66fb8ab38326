//! Integers as sets of bits, for functions that combine single bits.
//!
//! A number is the set of the ones in its two's complement, of which there may be infinitely many: the integers are the finite
//! and the cofinite sets. Some preludes call both 2^31 and -2^31 a power of two and demand that different ones share no bit; then
//! the negative one is coded by a bit of its own. As a code is a bijection, the laws of sets hold for coded numbers too.
//!
//! An axiom whose variables are only combined bit by bit and compared can be decided with finitely many bits: all bits that its
//! literals have, one where two terms differ for each comparison, one for each term where it differs from its own sign, and the
//! sign. Dropping all others changes no comparison, since that of two numbers is decided by the highest bit in which they differ.

use lariat_term::{BvOp, Op, QuantifierKind, Sort, TermId, TermPool, VarId};
use num_bigint::{BigInt, Sign};
use rustc_hash::{FxHashMap, FxHashSet};

use super::meaning::Meaning;
use super::{Meanings, rewrite_bottom_up};

/// Where both arguments are unknown, the bits below this one are combined; the function is left open if both have others.
const BITS_OF_UNKNOWNS: u32 = 32;
/// A bit that numbers of programs do not have.
const SPARE_BIT: u64 = 64;

/// Which set of bits stands for a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Code {
    /// A negative power of two, and the bit whose number changes places with it.
    swapped: Option<(BigInt, u64)>,
}

impl Code {
    /// The codes that are worth a try for axioms with these literals, plain two's complement first.
    pub fn candidates(literals: &FxHashSet<BigInt>) -> Vec<Code> {
        let longest = literals.iter().map(BigInt::bits).max().unwrap_or(0);
        let bit = (longest + 1).max(SPARE_BIT);
        let mut swapped: Vec<&BigInt> = literals
            .iter()
            .filter(|literal| {
                let positive = -*literal;
                literal.sign() == Sign::Minus
                    && positive.trailing_zeros() == Some(positive.bits() - 1)
                    && literals.contains(&positive)
            })
            .collect();
        swapped.sort();
        let swapped = swapped.into_iter().map(|number| Code {
            swapped: Some((number.clone(), bit)),
        });
        std::iter::once(Code::default()).chain(swapped).collect()
    }

    /// From a number to its code and back.
    pub fn swap(&self, number: &BigInt) -> BigInt {
        match &self.swapped {
            Some((special, bit)) if number == special => BigInt::from(1) << bit,
            Some((special, bit)) if *number == BigInt::from(1) << bit => special.clone(),
            _ => number.clone(),
        }
    }

    /// The same of a term.
    fn swap_term(&self, pool: &mut TermPool, term: TermId) -> TermId {
        if let Some(number) = pool.as_int(term).cloned() {
            return pool.int(self.swap(&number));
        }
        let Some((special, bit)) = &self.swapped else {
            return term;
        };
        let (special, power) = (pool.int(special.clone()), pool.int(BigInt::from(1) << bit));
        let (is_special, is_power) = (pool.eq(term, special), pool.eq(term, power));
        let other = pool.ite(is_power, special, term);
        pool.ite(is_special, power, other)
    }

    /// Whether `mask` takes the same bits of a number and of its code.
    fn is_plain(&self, mask: &BigInt) -> bool {
        let below = |(special, _): &(BigInt, u64)| *mask < -special;
        mask.sign() != Sign::Minus && self.swapped.as_ref().is_none_or(below)
    }

    /// A function that combines the bits of two numbers, as a term; `open` stands for its value where both are unknown and
    /// too large.
    pub fn combine(
        &self,
        pool: &mut TermPool,
        meaning: &Meaning,
        args: [TermId; 2],
        open: TermId,
    ) -> Option<TermId> {
        let literal = |pool: &TermPool, term| pool.as_int(term).map(|number| self.swap(number));
        let [x, y] = args;
        let (x, y, mask) = match (literal(pool, x), literal(pool, y)) {
            (_, Some(mask)) => (x, y, Some(mask)),
            (Some(mask), None) => (y, x, Some(mask)),
            (None, None) => (x, y, None),
        };
        if let (Meaning::And, Some(mask)) = (meaning, &mask)
            && self.is_plain(mask)
        {
            return Some(masked(pool, x, mask));
        }
        let (code_x, code_y) = (self.swap_term(pool, x), self.swap_term(pool, y));
        let common = match &mask {
            Some(mask) => masked(pool, code_x, mask),
            None => common_bits(pool, code_x, code_y),
        };
        let code = match meaning {
            Meaning::And => common,
            Meaning::Or | Meaning::Xor => {
                let sum = pool.add(&[code_x, code_y]);
                let times = pool.int(if *meaning == Meaning::Or { 1 } else { 2 });
                let twice = pool.mul(times, common);
                pool.sub(sum, twice)
            }
            _ => return None,
        };
        let value = self.swap_term(pool, code);
        if mask.is_some() {
            return Some(value);
        }
        let (zero, limit) = (pool.int(0), pool.int(BigInt::from(1) << BITS_OF_UNKNOWNS));
        let ranges = [code_x, code_y].map(|code| {
            let limits = [pool.le(zero, code), pool.lt(code, limit)];
            pool.and(&limits)
        });
        let in_range = pool.or(&ranges);
        Some(pool.ite(in_range, value, open))
    }

    /// All bits flipped.
    pub fn complement(&self, pool: &mut TermPool, arg: TermId) -> TermId {
        let code = self.swap_term(pool, arg);
        let minus_one = pool.int(-1);
        let flipped = pool.sub(minus_one, code);
        self.swap_term(pool, flipped)
    }
}

/// The bits of a number that a mask has.
fn masked(pool: &mut TermPool, number: TermId, mask: &BigInt) -> TermId {
    if mask.sign() == Sign::Minus {
        let others = masked(pool, number, &!mask);
        return pool.sub(number, others);
    }
    let mut parts = vec![pool.int(0)];
    let mut bit = 0;
    while bit < mask.bits() {
        if !mask.bit(bit) {
            bit += 1;
            continue;
        }
        // A row of ones.
        let start = bit;
        while mask.bit(bit) {
            bit += 1;
        }
        let unit = pool.int(BigInt::from(1) << start);
        if bit == start + 1 && start > 0 {
            // One division, and a case for each value.
            let twice = pool.int(BigInt::from(1) << bit);
            let rest = pool.modulo(number, twice);
            let (is_set, zero) = (pool.le(unit, rest), pool.int(0));
            parts.push(pool.ite(is_set, unit, zero));
            continue;
        }
        let shifted = pool.int_div(number, unit);
        let values = pool.int(BigInt::from(1) << (bit - start));
        let part = pool.modulo(shifted, values);
        parts.push(pool.mul(unit, part));
    }
    pool.add(&parts)
}

/// The bits that two numbers share, one of which has only bits below the limit.
fn common_bits(pool: &mut TermPool, x: TermId, y: TermId) -> TermId {
    let (zero, two) = (pool.int(0), pool.int(2));
    let mut parts = vec![zero];
    for bit in 0..BITS_OF_UNKNOWNS {
        let unit = pool.int(BigInt::from(1) << bit);
        let is_clear = [x, y].map(|number| {
            let shifted = pool.int_div(number, unit);
            let last = pool.modulo(shifted, two);
            pool.eq(last, zero)
        });
        let missing = pool.or(&is_clear);
        parts.push(pool.ite(missing, zero, unit));
    }
    pool.add(&parts)
}

/// The negation of a universal axiom over sets of finitely many bits, which is satisfiable exactly if the axiom is violated.
/// `None` if it does more than combining bits and comparing.
pub fn negated_over_bits(
    pool: &mut TermPool,
    code: &Code,
    meanings: &Meanings,
    axiom: TermId,
) -> Option<TermId> {
    let mut body = axiom;
    while let Op::Quantifier(id) = pool.op(body) {
        let quantifier = pool.quantifier(id);
        if quantifier.kind != QuantifierKind::Forall {
            return None;
        }
        body = quantifier.body;
    }
    let width = enough_bits(pool, code, meanings, body)?;
    let sort = pool.bv_sort(width);
    let mut vars: FxHashMap<VarId, TermId> = FxHashMap::default();
    let holds = rewrite_bottom_up(pool, body, &mut FxHashMap::default(), |pool, term, args| {
        let is_int = |pool: &TermPool, term| *pool.sort(pool.sort_of(term)) == Sort::Int;
        Some(match (pool.op(term), args) {
            (Op::Int(_), []) => {
                let number = code.swap(pool.as_int(term)?);
                let modulus = BigInt::from(1) << width;
                let bits = ((number % &modulus) + &modulus) % &modulus;
                pool.bv(bits, width)
            }
            (Op::Var(var), []) if is_int(pool, term) => *vars.entry(var).or_insert_with(|| {
                let name = pool.var_name(var).clone();
                let bits = pool.declare_var(name, sort);
                pool.var(bits)
            }),
            (Op::Var(_) | Op::Bool(_), []) if *pool.sort(pool.sort_of(term)) == Sort::Bool => term,
            (Op::Not, &[arg]) => pool.not(arg),
            (Op::And, _) => pool.and(args),
            (Op::Or, _) => pool.or(args),
            (Op::Eq, &[a, b]) => pool.eq(a, b),
            (Op::Distinct, _) => pool.distinct(args),
            (Op::Ite, &[condition, then, otherwise]) => pool.ite(condition, then, otherwise),
            // The order of codes is that of numbers only if none changed its place.
            (Op::Le, _) if code.swapped.is_none() => pool.bv_op(BvOp::Sle, args),
            (Op::Lt, _) if code.swapped.is_none() => pool.bv_op(BvOp::Slt, args),
            (Op::Apply(function), _) => match (meanings.get(&function)?, args) {
                (Meaning::And, _) => pool.bv_op(BvOp::And, args),
                (Meaning::Or, _) => pool.bv_op(BvOp::Or, args),
                (Meaning::Xor, _) => pool.bv_op(BvOp::Xor, args),
                (Meaning::Complement, _) => pool.bv_op(BvOp::Not, args),
                (Meaning::OneOf(numbers), &[arg]) => {
                    let modulus = BigInt::from(1) << width;
                    let mut cases = Vec::new();
                    for number in numbers.iter() {
                        let bits = ((code.swap(number) % &modulus) + &modulus) % &modulus;
                        let literal = pool.bv(bits, width);
                        cases.push(pool.eq(arg, literal));
                    }
                    pool.or(&cases)
                }
                (Meaning::Argument(index), _) => *args.get(*index)?,
                (Meaning::Holds(value), _) => pool.bool(*value),
                (Meaning::Equal, &[a, b]) => pool.eq(a, b),
                _ => return None,
            },
            _ => return None,
        })
    })?;
    Some(pool.not(holds))
}

/// How many bits are enough (see the head of this file).
fn enough_bits(pool: &TermPool, code: &Code, meanings: &Meanings, body: TermId) -> Option<u32> {
    let mut longest = code.swapped.as_ref().map_or(0, |(_, bit)| bit + 1);
    let mut witnesses = 0;
    pool.visit_subterms(&[body], |term| {
        let args = pool.args(term).len() as u64;
        witnesses += match pool.op(term) {
            Op::Eq | Op::Le | Op::Lt => 1,
            Op::Distinct => args * args,
            _ => 0,
        };
        if let Some(number) = pool.as_int(term) {
            longest = longest.max(number.bits() + 1);
        } else if *pool.sort(pool.sort_of(term)) == Sort::Int {
            witnesses += 1;
        }
        if let Op::Apply(function) = pool.op(term)
            && let Some(Meaning::OneOf(numbers)) = meanings.get(&function)
        {
            longest = longest.max(numbers.iter().map(BigInt::bits).max().unwrap_or(0) + 1);
        }
    });
    u32::try_from(longest + witnesses + 1)
        .ok()
        .filter(|&width| width <= MOST_BITS)
}

/// Axioms that would need more bits are not checked.
const MOST_BITS: u32 = 1_000;
