//! The constructors of terms simplify. Whatever they make of a random expression has the value that a naive evaluation of the
//! expression gives: if the values are put in at once, and if they replace the variables of a finished term.

use lariat_term::{BvOp, Substitution, TermId, TermPool, VarId};
use lariat_testkit::Random;
use num_bigint::BigInt;

const INTS: usize = 4;
const BOOLS: usize = 3;
const BYTES: usize = 3;
const EXPRESSIONS: u64 = 4_000;
const VALUATIONS: usize = 6;

#[derive(Clone, Debug)]
enum Int {
    Literal(i64),
    Var(usize),
    Add(Vec<Int>),
    Sub(Box<Int>, Box<Int>),
    Neg(Box<Int>),
    Mul(Box<Int>, Box<Int>),
    /// By a literal that is not zero.
    Div(Box<Int>, i64),
    Mod(Box<Int>, i64),
    Ite(Box<Bool>, Box<Int>, Box<Int>),
    /// The element of a map that is `.0` everywhere, after some updates.
    Select(Box<Int>, Vec<(Int, Int)>, Box<Int>),
    Unsigned(Box<Byte>),
    Signed(Box<Byte>),
}

#[derive(Clone, Debug)]
enum Bool {
    Literal(bool),
    Var(usize),
    Not(Box<Bool>),
    And(Vec<Bool>),
    Or(Vec<Bool>),
    Implies(Box<Bool>, Box<Bool>),
    Equal(Box<Int>, Box<Int>),
    Same(Box<Bool>, Box<Bool>),
    SameByte(Box<Byte>, Box<Byte>),
    Distinct(Vec<Int>),
    Less(Box<Int>, Box<Int>),
    LessOrEqual(Box<Int>, Box<Int>),
    Bytes(BvOp, Box<Byte>, Box<Byte>),
    Ite(Box<Bool>, Box<Bool>, Box<Bool>),
}

#[derive(Clone, Debug)]
enum Byte {
    Literal(u8),
    Var(usize),
    Op(BvOp, Box<Byte>, Box<Byte>),
    Ite(Box<Bool>, Box<Byte>, Box<Byte>),
}

const BYTE_OPS: [BvOp; 8] = [
    BvOp::Add,
    BvOp::Sub,
    BvOp::Mul,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Shl,
    BvOp::Lshr,
];
const COMPARISONS: [BvOp; 4] = [BvOp::Ult, BvOp::Ule, BvOp::Slt, BvOp::Sle];

fn int(random: &mut Random, depth: usize) -> Int {
    let boxed = |random: &mut Random| Box::new(int(random, depth - 1));
    let divisor = |random: &mut Random| random.pick(&[-7, -2, -1, 1, 2, 3, 10]);
    if depth == 0 {
        return match random.flip() {
            true => Int::Var(random.below(INTS)),
            false => Int::Literal(random.between(-3, 3)),
        };
    }
    match random.below(13) {
        0 => int(random, 0),
        1 | 2 => Int::Add((0..1 + random.below(4)).map(|_| int(random, depth - 1)).collect()),
        3 => Int::Sub(boxed(random), boxed(random)),
        4 => Int::Neg(boxed(random)),
        5 => Int::Mul(boxed(random), boxed(random)),
        6 => Int::Div(boxed(random), divisor(random)),
        7 => Int::Mod(boxed(random), divisor(random)),
        8 => Int::Ite(Box::new(bool(random, depth - 1)), boxed(random), boxed(random)),
        9 | 10 => {
            let updates = (0..random.below(4))
                .map(|_| (int(random, 1), int(random, depth - 1)))
                .collect();
            Int::Select(boxed(random), updates, Box::new(int(random, 1)))
        }
        11 => Int::Unsigned(Box::new(byte(random, depth - 1))),
        _ => Int::Signed(Box::new(byte(random, depth - 1))),
    }
}

fn bool(random: &mut Random, depth: usize) -> Bool {
    let boxed = |random: &mut Random| Box::new(bool(random, depth - 1));
    let number = |random: &mut Random| Box::new(int(random, depth - 1));
    let bits = |random: &mut Random| Box::new(byte(random, depth - 1));
    if depth == 0 {
        return match random.below(4) {
            0 => Bool::Literal(random.flip()),
            _ => Bool::Var(random.below(BOOLS)),
        };
    }
    match random.below(14) {
        0 => bool(random, 0),
        1 => Bool::Not(boxed(random)),
        2 => Bool::And((0..random.below(4)).map(|_| bool(random, depth - 1)).collect()),
        3 => Bool::Or((0..random.below(4)).map(|_| bool(random, depth - 1)).collect()),
        4 => Bool::Implies(boxed(random), boxed(random)),
        5 | 6 => Bool::Equal(number(random), number(random)),
        7 => Bool::Same(boxed(random), boxed(random)),
        8 => Bool::SameByte(bits(random), bits(random)),
        9 => Bool::Distinct((0..2 + random.below(2)).map(|_| int(random, depth - 1)).collect()),
        10 => Bool::Less(number(random), number(random)),
        11 => Bool::LessOrEqual(number(random), number(random)),
        12 => Bool::Bytes(random.pick(&COMPARISONS), bits(random), bits(random)),
        _ => Bool::Ite(boxed(random), boxed(random), boxed(random)),
    }
}

fn byte(random: &mut Random, depth: usize) -> Byte {
    let boxed = |random: &mut Random| Box::new(byte(random, depth - 1));
    if depth == 0 {
        return match random.flip() {
            true => Byte::Var(random.below(BYTES)),
            false => Byte::Literal(random.pick(&[0, 1, 2, 7, 8, 127, 128, 255])),
        };
    }
    match random.below(6) {
        0 => byte(random, 0),
        1 => Byte::Ite(Box::new(bool(random, depth - 1)), boxed(random), boxed(random)),
        _ => Byte::Op(random.pick(&BYTE_OPS), boxed(random), boxed(random)),
    }
}

/// Values of the variables.
struct Valuation {
    ints: [i64; INTS],
    bools: [bool; BOOLS],
    bytes: [u8; BYTES],
}

impl Valuation {
    fn random(random: &mut Random) -> Self {
        Valuation {
            ints: std::array::from_fn(|_| random.between(-4, 4)),
            bools: std::array::from_fn(|_| random.flip()),
            bytes: std::array::from_fn(|_| random.bits() as u8),
        }
    }

    fn int(&self, expr: &Int) -> BigInt {
        match expr {
            Int::Literal(value) => (*value).into(),
            Int::Var(index) => self.ints[*index].into(),
            Int::Add(terms) => terms.iter().map(|term| self.int(term)).sum(),
            Int::Sub(a, b) => self.int(a) - self.int(b),
            Int::Neg(a) => -self.int(a),
            Int::Mul(a, b) => self.int(a) * self.int(b),
            Int::Div(a, b) => {
                let a = self.int(a);
                (&a - rem_euclid(&a, *b)) / BigInt::from(*b)
            }
            Int::Mod(a, b) => rem_euclid(&self.int(a), *b),
            Int::Ite(condition, a, b) => self.int(if self.bool(condition) { a } else { b }),
            Int::Select(everywhere, updates, index) => {
                let index = self.int(index);
                let update = updates.iter().rev().find(|(at, _)| self.int(at) == index);
                self.int(update.map_or(everywhere, |(_, value)| value))
            }
            Int::Unsigned(bits) => self.byte(bits).into(),
            Int::Signed(bits) => (self.byte(bits) as i8).into(),
        }
    }

    fn bool(&self, expr: &Bool) -> bool {
        match expr {
            Bool::Literal(value) => *value,
            Bool::Var(index) => self.bools[*index],
            Bool::Not(a) => !self.bool(a),
            Bool::And(terms) => terms.iter().all(|term| self.bool(term)),
            Bool::Or(terms) => terms.iter().any(|term| self.bool(term)),
            Bool::Implies(a, b) => !self.bool(a) || self.bool(b),
            Bool::Equal(a, b) => self.int(a) == self.int(b),
            Bool::Same(a, b) => self.bool(a) == self.bool(b),
            Bool::SameByte(a, b) => self.byte(a) == self.byte(b),
            Bool::Distinct(terms) => {
                let values: Vec<BigInt> = terms.iter().map(|term| self.int(term)).collect();
                (1..values.len()).all(|last| !values[..last].contains(&values[last]))
            }
            Bool::Less(a, b) => self.int(a) < self.int(b),
            Bool::LessOrEqual(a, b) => self.int(a) <= self.int(b),
            Bool::Bytes(op, a, b) => {
                let (a, b) = (self.byte(a), self.byte(b));
                match op {
                    BvOp::Ult => a < b,
                    BvOp::Ule => a <= b,
                    BvOp::Slt => (a as i8) < b as i8,
                    _ => (a as i8) <= b as i8,
                }
            }
            Bool::Ite(condition, a, b) => self.bool(if self.bool(condition) { a } else { b }),
        }
    }

    fn byte(&self, expr: &Byte) -> u8 {
        match expr {
            Byte::Literal(value) => *value,
            Byte::Var(index) => self.bytes[*index],
            Byte::Op(op, a, b) => {
                let (a, b) = (self.byte(a), self.byte(b));
                match op {
                    BvOp::Add => a.wrapping_add(b),
                    BvOp::Sub => a.wrapping_sub(b),
                    BvOp::Mul => a.wrapping_mul(b),
                    BvOp::And => a & b,
                    BvOp::Or => a | b,
                    BvOp::Xor => a ^ b,
                    BvOp::Shl => a.checked_shl(b.into()).unwrap_or(0),
                    _ => a.checked_shr(b.into()).unwrap_or(0),
                }
            }
            Byte::Ite(condition, a, b) => self.byte(if self.bool(condition) { a } else { b }),
        }
    }
}

/// SMT-LIB's `mod`: never negative.
fn rem_euclid(a: &BigInt, b: i64) -> BigInt {
    let magnitude = BigInt::from(b.abs());
    ((a % &magnitude) + &magnitude) % &magnitude
}

/// Terms of expressions, over these terms for the variables.
struct Builder {
    pool: TermPool,
    ints: Vec<TermId>,
    bools: Vec<TermId>,
    bytes: Vec<TermId>,
}

impl Builder {
    fn over_values(mut pool: TermPool, valuation: &Valuation) -> Self {
        Builder {
            ints: valuation.ints.iter().map(|&value| pool.int(value)).collect(),
            bools: valuation.bools.iter().map(|&value| pool.bool(value)).collect(),
            bytes: valuation.bytes.iter().map(|&value| pool.bv(value, 8)).collect(),
            pool,
        }
    }

    fn int(&mut self, expr: &Int) -> TermId {
        match expr {
            Int::Literal(value) => self.pool.int(*value),
            Int::Var(index) => self.ints[*index],
            Int::Add(terms) => {
                let terms: Vec<TermId> = terms.iter().map(|term| self.int(term)).collect();
                self.pool.add(&terms)
            }
            Int::Sub(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.pool.sub(a, b)
            }
            Int::Neg(a) => {
                let a = self.int(a);
                self.pool.neg(a)
            }
            Int::Mul(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.pool.mul(a, b)
            }
            Int::Div(a, b) => {
                let (a, b) = (self.int(a), self.pool.int(*b));
                self.pool.int_div(a, b)
            }
            Int::Mod(a, b) => {
                let (a, b) = (self.int(a), self.pool.int(*b));
                self.pool.modulo(a, b)
            }
            Int::Ite(condition, a, b) => {
                let (condition, a, b) = (self.bool(condition), self.int(a), self.int(b));
                self.pool.ite(condition, a, b)
            }
            Int::Select(everywhere, updates, index) => {
                let int = self.pool.int_sort();
                let sort = self.pool.array_sort(&[int], int);
                let everywhere = self.int(everywhere);
                let mut map = self.pool.const_array(sort, everywhere);
                for (at, value) in updates {
                    let (at, value) = (self.int(at), self.int(value));
                    map = self.pool.store(map, &[at], value);
                }
                let index = self.int(index);
                self.pool.select(map, &[index])
            }
            Int::Unsigned(bits) => {
                let bits = self.byte(bits);
                self.pool.bv_op(BvOp::ToNat, &[bits])
            }
            Int::Signed(bits) => {
                let bits = self.byte(bits);
                self.pool.bv_op(BvOp::ToInt, &[bits])
            }
        }
    }

    fn bool(&mut self, expr: &Bool) -> TermId {
        match expr {
            Bool::Literal(value) => self.pool.bool(*value),
            Bool::Var(index) => self.bools[*index],
            Bool::Not(a) => {
                let a = self.bool(a);
                self.pool.not(a)
            }
            Bool::And(terms) => {
                let terms: Vec<TermId> = terms.iter().map(|term| self.bool(term)).collect();
                self.pool.and(&terms)
            }
            Bool::Or(terms) => {
                let terms: Vec<TermId> = terms.iter().map(|term| self.bool(term)).collect();
                self.pool.or(&terms)
            }
            Bool::Implies(a, b) => {
                let (a, b) = (self.bool(a), self.bool(b));
                self.pool.implies(a, b)
            }
            Bool::Equal(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.pool.eq(a, b)
            }
            Bool::Same(a, b) => {
                let (a, b) = (self.bool(a), self.bool(b));
                self.pool.eq(a, b)
            }
            Bool::SameByte(a, b) => {
                let (a, b) = (self.byte(a), self.byte(b));
                self.pool.eq(a, b)
            }
            Bool::Distinct(terms) => {
                let terms: Vec<TermId> = terms.iter().map(|term| self.int(term)).collect();
                self.pool.distinct(&terms)
            }
            Bool::Less(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.pool.lt(a, b)
            }
            Bool::LessOrEqual(a, b) => {
                let (a, b) = (self.int(a), self.int(b));
                self.pool.le(a, b)
            }
            Bool::Bytes(op, a, b) => {
                let (a, b) = (self.byte(a), self.byte(b));
                self.pool.bv_op(*op, &[a, b])
            }
            Bool::Ite(condition, a, b) => {
                let (condition, a, b) = (self.bool(condition), self.bool(a), self.bool(b));
                self.pool.ite(condition, a, b)
            }
        }
    }

    fn byte(&mut self, expr: &Byte) -> TermId {
        match expr {
            Byte::Literal(value) => self.pool.bv(*value, 8),
            Byte::Var(index) => self.bytes[*index],
            Byte::Op(op, a, b) => {
                let (a, b) = (self.byte(a), self.byte(b));
                self.pool.bv_op(*op, &[a, b])
            }
            Byte::Ite(condition, a, b) => {
                let (condition, a, b) = (self.bool(condition), self.byte(a), self.byte(b));
                self.pool.ite(condition, a, b)
            }
        }
    }
}

struct Variables {
    ints: Vec<VarId>,
    bools: Vec<VarId>,
    bytes: Vec<VarId>,
}

impl Variables {
    fn declare(pool: &mut TermPool) -> Self {
        let (int, boolean, bits) = (pool.int_sort(), pool.bool_sort(), pool.bv_sort(8));
        Variables {
            ints: (0..INTS)
                .map(|i| pool.declare_var(format!("i{i}"), int))
                .collect(),
            bools: (0..BOOLS)
                .map(|i| pool.declare_var(format!("b{i}"), boolean))
                .collect(),
            bytes: (0..BYTES)
                .map(|i| pool.declare_var(format!("v{i}"), bits))
                .collect(),
        }
    }

    /// Puts the values in.
    fn substitution(&self, pool: &mut TermPool, valuation: &Valuation) -> Substitution {
        let mut substitution = Substitution::new();
        for (&var, &value) in self.ints.iter().zip(&valuation.ints) {
            substitution.insert(var, pool.int(value));
        }
        for (&var, &value) in self.bools.iter().zip(&valuation.bools) {
            substitution.insert(var, pool.bool(value));
        }
        for (&var, &value) in self.bytes.iter().zip(&valuation.bytes) {
            substitution.insert(var, pool.bv(value, 8));
        }
        substitution
    }
}

#[test]
fn simplified_terms_have_the_value_of_the_expression() {
    let (mut truths, mut shortened) = (0, 0);
    for seed in 0..EXPRESSIONS {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(4);
        let (number, formula) = (int(&mut random, depth), bool(&mut random, depth));
        let mut pool = TermPool::new();
        let variables = Variables::declare(&mut pool);
        let mut symbolic = Builder {
            ints: variables.ints.iter().map(|&var| pool.var(var)).collect(),
            bools: variables.bools.iter().map(|&var| pool.var(var)).collect(),
            bytes: variables.bytes.iter().map(|&var| pool.var(var)).collect(),
            pool,
        };
        let (int_term, bool_term) = (symbolic.int(&number), symbolic.bool(&formula));
        shortened += usize::from(symbolic.pool.is_value(bool_term));
        let mut pool = symbolic.pool;
        for _ in 0..VALUATIONS {
            let valuation = Valuation::random(&mut random);
            let (expected_int, expected_bool) = (valuation.int(&number), valuation.bool(&formula));
            truths += usize::from(expected_bool);
            let mut substitution = variables.substitution(&mut pool, &valuation);
            let (later_int, later_bool) = (
                substitution.apply(&mut pool, int_term),
                substitution.apply(&mut pool, bool_term),
            );
            let mut concrete = Builder::over_values(pool, &valuation);
            let (at_once_int, at_once_bool) = (concrete.int(&number), concrete.bool(&formula));
            pool = concrete.pool;
            for term in [at_once_int, later_int] {
                let text = pool.term_text(term);
                assert_eq!(
                    pool.as_int(term),
                    Some(&expected_int),
                    "seed {seed}: {number:?} is {text}"
                );
            }
            for term in [at_once_bool, later_bool] {
                let text = pool.term_text(term);
                assert_eq!(
                    pool.as_bool(term),
                    Some(expected_bool),
                    "seed {seed}: {formula:?} is {text}"
                );
            }
        }
    }
    // The formulas are worth their time: neither truth value is rare, and few are decided by simplification alone.
    let all = EXPRESSIONS as usize * VALUATIONS;
    assert!(
        truths * 5 > all && truths * 5 < all * 4,
        "{truths} of {all} are true"
    );
    assert!(shortened * 2 < EXPRESSIONS as usize, "{shortened} are constants");
}

#[test]
fn equal_terms_are_one_term() {
    for seed in 0..200 {
        let formula = bool(&mut Random::new(seed), 3);
        let mut pool = TermPool::new();
        let variables = Variables::declare(&mut pool);
        let mut builder = Builder {
            ints: variables.ints.iter().map(|&var| pool.var(var)).collect(),
            bools: variables.bools.iter().map(|&var| pool.var(var)).collect(),
            bytes: variables.bytes.iter().map(|&var| pool.var(var)).collect(),
            pool,
        };
        let once = builder.bool(&formula);
        let count = builder.pool.term_count();
        assert_eq!(builder.bool(&formula), once, "seed {seed}");
        assert_eq!(builder.pool.term_count(), count, "seed {seed}: new terms");
        // Two negations cancel each other.
        let negated = builder.pool.not(once);
        assert_eq!(builder.pool.not(negated), once, "seed {seed}");
    }
}
