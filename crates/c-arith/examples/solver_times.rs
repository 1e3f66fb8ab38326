//! Solver times of typical C queries by representation of integers:
//! `cargo run --release -p lariat-c-arith --example solver_times`.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use lariat_c_arith::{Arith, IntegerForm, Value};
use lariat_c_program::{BinaryOp, CompareOp, Machine, Scalar};
use lariat_smt::{CheckResult, Context, Solver};
use lariat_term::{TermId, TermPool};
use num_bigint::BigInt;

const INT: Scalar = Scalar::Int {
    bits: 32,
    signed: true,
};
const UNSIGNED: Scalar = Scalar::Int {
    bits: 32,
    signed: false,
};
const SIZE: Scalar = Scalar::Int {
    bits: 64,
    signed: false,
};

/// A query: what is assumed so far, and the operators at hand.
struct Query {
    arith: Arith,
    pool: TermPool,
    assumed: Vec<TermId>,
}

impl Query {
    fn input(&mut self, ty: Scalar) -> Value {
        let sort = self.arith.sort(&mut self.pool, ty);
        let var = self.pool.declare_var("input", sort);
        let term = self.pool.var(var);
        let in_type = self.arith.in_type(&mut self.pool, ty, term);
        self.assumed.extend(in_type);
        self.arith.value(term, ty)
    }

    /// A new variable of the type for a value, as an assignment of the program makes one.
    fn stored(&mut self, ty: Scalar, v: &Value) -> Value {
        let sort = self.arith.sort(&mut self.pool, ty);
        let var = self.pool.declare_var("stored", sort);
        let term = self.pool.var(var);
        let same = self.pool.eq(term, v.term);
        self.assumed.push(same);
        self.arith.value(term, ty)
    }

    fn int(&mut self, ty: Scalar, value: i64) -> Value {
        self.arith.int(&mut self.pool, ty, &BigInt::from(value))
    }

    fn op(&mut self, op: BinaryOp, ty: Scalar, a: &Value, b: &Value) -> Value {
        self.arith.binary(&mut self.pool, op, ty, a, b, ty)
    }

    fn with(&mut self, op: BinaryOp, ty: Scalar, a: &Value, literal: i64) -> Value {
        let literal = self.int(ty, literal);
        self.op(op, ty, a, &literal)
    }

    fn holds(&mut self, op: CompareOp, ty: Scalar, a: &Value, b: &Value) -> TermId {
        self.arith.compare(&mut self.pool, op, ty, a, b)
    }

    fn assume(&mut self, op: CompareOp, ty: Scalar, a: &Value, b: &Value) {
        let condition = self.holds(op, ty, a, b);
        self.assumed.push(condition);
    }

    fn assume_not(&mut self, op: CompareOp, ty: Scalar, a: &Value, b: &Value) {
        let condition = self.holds(op, ty, a, b);
        let negation = self.pool.not(condition);
        self.assumed.push(negation);
    }

    fn choose(&mut self, condition: TermId, ty: Scalar, a: &Value, b: &Value) -> Value {
        let term = self.pool.ite(condition, a.term, b.term);
        self.arith.value(term, ty)
    }
}

/// `while (i < n) { i++; s += 2; }`, unrolled; `s == 2 * i`.
fn counters(query: &mut Query) {
    let n = query.input(INT);
    let mut i = query.int(INT, 0);
    let mut s = query.int(INT, 0);
    for _ in 0..50 {
        let goes_on = query.holds(CompareOp::Lt, INT, &i, &n);
        let next_i = query.with(BinaryOp::Add, INT, &i, 1);
        let next_s = query.with(BinaryOp::Add, INT, &s, 2);
        let chosen = query.choose(goes_on, INT, &next_i, &i);
        i = query.stored(INT, &chosen);
        let chosen = query.choose(goes_on, INT, &next_s, &s);
        s = query.stored(INT, &chosen);
    }
    let twice = query.with(BinaryOp::Mul, INT, &i, 2);
    query.assume_not(CompareOp::Eq, INT, &s, &twice);
}

/// `x--` fifty times from any unsigned value is `x - 50`.
fn countdown(query: &mut Query) {
    let start = query.input(UNSIGNED);
    let mut x = start.clone();
    for _ in 0..50 {
        let next = query.with(BinaryOp::Sub, UNSIGNED, &x, 1);
        x = query.stored(UNSIGNED, &next);
    }
    let expected = query.with(BinaryOp::Sub, UNSIGNED, &start, 50);
    query.assume_not(CompareOp::Eq, UNSIGNED, &x, &expected);
}

/// Two bytes taken out with shifts and masks and put together again.
fn masks(query: &mut Query) {
    let x = query.input(UNSIGNED);
    let low = query.with(BinaryOp::BitAnd, UNSIGNED, &x, 0xff);
    let high = query.with(BinaryOp::Shr, UNSIGNED, &x, 8);
    let high = query.with(BinaryOp::BitAnd, UNSIGNED, &high, 0xff);
    let high = query.with(BinaryOp::Shl, UNSIGNED, &high, 8);
    let both = query.op(BinaryOp::BitOr, UNSIGNED, &high, &low);
    let expected = query.with(BinaryOp::BitAnd, UNSIGNED, &x, 0xffff);
    query.assume_not(CompareOp::Eq, UNSIGNED, &both, &expected);
}

/// Flags set, cleared and tested.
fn flags(query: &mut Query) {
    let mut x = query.input(UNSIGNED);
    for bit in 0..8 {
        let set = query.with(BinaryOp::BitOr, UNSIGNED, &x, 1 << bit);
        x = query.stored(UNSIGNED, &set);
    }
    for bit in 0..4 {
        let cleared = query.with(BinaryOp::BitAnd, UNSIGNED, &x, 0xffff_ffff ^ (1 << bit));
        x = query.stored(UNSIGNED, &cleared);
    }
    let low = query.with(BinaryOp::BitAnd, UNSIGNED, &x, 0xff);
    let expected = query.int(UNSIGNED, 0xf0);
    query.assume_not(CompareOp::Eq, UNSIGNED, &low, &expected);
}

/// `x * 10 / 10 == x` for `0 <= x <= 1000000`, and `x * 12 + 5` is not divisible by 3.
fn multiplication_by_constants(query: &mut Query) {
    let x = query.input(INT);
    let (zero, limit) = (query.int(INT, 0), query.int(INT, 1_000_000));
    query.assume(CompareOp::Le, INT, &zero, &x);
    query.assume(CompareOp::Le, INT, &x, &limit);
    let product = query.with(BinaryOp::Mul, INT, &x, 10);
    let quotient = query.with(BinaryOp::Div, INT, &product, 10);
    let same = query.holds(CompareOp::Eq, INT, &quotient, &x);
    let product = query.with(BinaryOp::Mul, INT, &x, 12);
    let sum = query.with(BinaryOp::Add, INT, &product, 5);
    let rest = query.with(BinaryOp::Rem, INT, &sum, 3);
    let indivisible = query.holds(CompareOp::Ne, INT, &rest, &zero);
    let both = query.pool.and(&[same, indivisible]);
    let negation = query.pool.not(both);
    query.assumed.push(negation);
}

/// `hash = hash * 31 + c`, wrapping, six times: is there an input with a given hash?
fn hash(query: &mut Query) {
    let mut hash = query.int(UNSIGNED, 7);
    let byte = Scalar::Int {
        bits: 8,
        signed: false,
    };
    for _ in 0..6 {
        let c = query.input(byte);
        let c = query.arith.convert(&mut query.pool, byte, UNSIGNED, &c);
        let product = query.with(BinaryOp::Mul, UNSIGNED, &hash, 31);
        let sum = query.op(BinaryOp::Add, UNSIGNED, &product, &c);
        hash = query.stored(UNSIGNED, &sum);
    }
    let wanted = query.int(UNSIGNED, 0x1234_5678);
    query.assume(CompareOp::Eq, UNSIGNED, &hash, &wanted);
}

/// `(unsigned)i < n` with `n <= 1000` bounds a signed `i` on both sides, also after widening.
fn mixed_comparisons(query: &mut Query) {
    let (i, n) = (query.input(INT), query.input(UNSIGNED));
    let limit = query.int(UNSIGNED, 1000);
    query.assume(CompareOp::Le, UNSIGNED, &n, &limit);
    let as_unsigned = query.arith.convert(&mut query.pool, INT, UNSIGNED, &i);
    query.assume(CompareOp::Lt, UNSIGNED, &as_unsigned, &n);
    let wide = query.arith.convert(&mut query.pool, INT, SIZE, &i);
    let offset = query.with(BinaryOp::Mul, SIZE, &wide, 4);
    let end = query.with(BinaryOp::Add, SIZE, &offset, 4);
    let wide_n = query.arith.convert(&mut query.pool, UNSIGNED, SIZE, &n);
    let size = query.with(BinaryOp::Mul, SIZE, &wide_n, 4);
    let inside = query.holds(CompareOp::Le, SIZE, &end, &size);
    let zero = query.int(INT, 0);
    let not_negative = query.holds(CompareOp::Le, INT, &zero, &i);
    let both = query.pool.and(&[inside, not_negative]);
    let negation = query.pool.not(both);
    query.assumed.push(negation);
}

/// The famous bug: positive `a` and `b` whose `(a + b) / 2` is negative.
fn midpoint(query: &mut Query) {
    let (a, b) = (query.input(INT), query.input(INT));
    let zero = query.int(INT, 0);
    query.assume(CompareOp::Lt, INT, &zero, &a);
    query.assume(CompareOp::Lt, INT, &zero, &b);
    let sum = query.op(BinaryOp::Add, INT, &a, &b);
    let middle = query.with(BinaryOp::Div, INT, &sum, 2);
    query.assume(CompareOp::Lt, INT, &middle, &zero);
}

/// `x ^ y ^ y == x` for variables: no linear arithmetic says it.
fn exclusive_or(query: &mut Query) {
    let (x, y) = (query.input(UNSIGNED), query.input(UNSIGNED));
    let once = query.op(BinaryOp::BitXor, UNSIGNED, &x, &y);
    let once = query.stored(UNSIGNED, &once);
    let twice = query.op(BinaryOp::BitXor, UNSIGNED, &once, &y);
    query.assume_not(CompareOp::Eq, UNSIGNED, &twice, &x);
}

type Build = fn(&mut Query);

/// Milliseconds and the answer.
fn run(integers: IntegerForm, build: Build, one_check: bool) -> String {
    let mut query = Query {
        arith: Arith {
            integers,
            machine: Machine::Lp64,
        },
        pool: TermPool::new(),
        assumed: Vec::new(),
    };
    build(&mut query);
    let answer = || -> Result<(f64, CheckResult), lariat_smt::SolverError> {
        let mut context = Context::new()?;
        let options = [("timeout".to_string(), "20000".to_string())];
        let mut solver = if one_check {
            Solver::for_one_check(&mut context, &options)?
        } else {
            Solver::new(&mut context, &options)?
        };
        for &term in &query.assumed {
            let formula = context.term(&query.pool, term)?;
            solver.assert(&mut context, formula)?;
        }
        let started = Instant::now();
        let answer = solver.check(&mut context, &[])?;
        Ok((started.elapsed().as_secs_f64() * 1e3, answer))
    };
    match answer() {
        Ok((time, CheckResult::Sat)) => format!("{time:.1} sat"),
        Ok((time, CheckResult::Unsat)) => format!("{time:.1} unsat"),
        Ok((_, CheckResult::Unknown(reason))) => reason,
        Err(error) => error.to_string(),
    }
}

fn main() {
    let queries: [(&str, Build); 9] = [
        ("counters, 50 rounds", counters),
        ("unsigned countdown, 50 rounds", countdown),
        ("bytes out and in", masks),
        ("flags", flags),
        ("x * 10 / 10, (12x + 5) % 3", multiplication_by_constants),
        ("hash * 31 + c, 6 rounds", hash),
        ("mixed comparisons", mixed_comparisons),
        ("midpoint", midpoint),
        ("x ^ y ^ y", exclusive_or),
    ];
    println!(
        "{:32} {:>16} {:>16} {:>16} {:>16} {:>16}",
        "milliseconds", "Wrapped", "BitVector", "Math", "Wrapped once", "BitVector once"
    );
    for (name, build) in queries {
        let cell = |integers, one_check| run(integers, build, one_check);
        println!(
            "{name:32} {:>16} {:>16} {:>16} {:>16} {:>16}",
            cell(IntegerForm::Wrapped, false),
            cell(IntegerForm::BitVectors, false),
            cell(IntegerForm::Math, false),
            cell(IntegerForm::Wrapped, true),
            cell(IntegerForm::BitVectors, true),
        );
    }
}
