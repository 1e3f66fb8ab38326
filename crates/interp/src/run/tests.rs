//! Random terms: what the machine computes is what the evaluator, which is the definition, says.

use lariat_base::Budget;
use lariat_term::{BvOp, RoundingMode, SortId, TermId, Value, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::{Inputs, RunOptions, RunOutcome, run};
use crate::eval::Evaluator;
use crate::oracle::NoOracle;
use crate::replay::ReplayGoal;
use crate::testing::{Builder, assign};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// The sorts of terms that are made.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Int,
    Bool,
    Bits32,
    Bits64,
    Map,
    Double,
}

struct Generator {
    random: Random,
    builder: Builder,
    /// Terms that were made: taken again, they are shared.
    made: Vec<(Kind, TermId)>,
}

impl Generator {
    fn sort(&mut self, kind: Kind) -> SortId {
        let pool = &mut self.builder.program.pool;
        let int = pool.int_sort();
        match kind {
            Kind::Int => int,
            Kind::Bool => pool.bool_sort(),
            Kind::Bits32 => pool.bv_sort(32),
            Kind::Bits64 => pool.bv_sort(64),
            Kind::Map => pool.array_sort(&[int], int),
            Kind::Double => {
                let zero = pool.float(0, 53, 11);
                pool.sort_of(zero)
            }
        }
    }

    fn number(&mut self) -> BigInt {
        let base = BigInt::from(self.random.below(5)) - 2;
        match self.random.below(6) {
            0 => base + (BigInt::from(1) << [31, 32, 62, 63, 64, 126, 127, 140][self.random.below(8)]),
            1 => base - (BigInt::from(1) << [31, 32, 62, 63, 64, 126, 127][self.random.below(7)]),
            _ => base * 3,
        }
    }

    fn literal(&mut self, kind: Kind) -> TermId {
        let number = self.number();
        let bits = self.random.next();
        let pool = &mut self.builder.program.pool;
        match kind {
            Kind::Int => pool.int(number),
            Kind::Bool => pool.bool(bits & 1 == 0),
            Kind::Bits32 => pool.bv(bits as u32 >> (bits % 32), 32),
            Kind::Bits64 => pool.bv(bits >> (bits % 64), 64),
            Kind::Map => {
                let (sort, element) = (self.sort(Kind::Map), self.literal(Kind::Int));
                self.builder.program.pool.const_array(sort, element)
            }
            Kind::Double => {
                let value = [0.0, -0.0, 1.5, -2.25, 1e300, 1e-310, f64::INFINITY, 0.1][bits as usize % 8];
                pool.float(value.to_bits(), 53, 11)
            }
        }
    }

    fn term(&mut self, kind: Kind, depth: usize) -> TermId {
        let known: Vec<TermId> = (self.made.iter())
            .filter(|(made, _)| *made == kind)
            .map(|(_, term)| *term)
            .collect();
        if !known.is_empty() && (depth == 0 || self.random.below(4) == 0) {
            return known[self.random.below(known.len())];
        }
        if depth == 0 {
            return self.literal(kind);
        }
        let term = match self.random.below(6) {
            0 => {
                let condition = self.term(Kind::Bool, depth - 1);
                let (a, b) = (self.term(kind, depth - 1), self.term(kind, depth - 1));
                self.builder.program.pool.ite(condition, a, b)
            }
            1 => self.literal(kind),
            _ => self.operator(kind, depth - 1),
        };
        self.made.push((kind, term));
        term
    }

    fn operator(&mut self, kind: Kind, depth: usize) -> TermId {
        let choice = self.random.below(8);
        match kind {
            Kind::Int => {
                let (a, b) = (self.term(Kind::Int, depth), self.term(Kind::Int, depth));
                let power = BigInt::from(1) << [0, 8, 32, 63, 64][self.random.below(5)];
                let map = self.term(Kind::Map, depth);
                let bits = self.term(Kind::Bits64, depth);
                let pool = &mut self.builder.program.pool;
                let power = pool.int(power);
                match choice {
                    0 => pool.add(&[a, b]),
                    1 => pool.mul(a, b),
                    2 => pool.modulo(a, power),
                    3 => pool.int_div(a, power),
                    4 => {
                        let product = pool.mul(a, b);
                        pool.modulo(product, power)
                    }
                    5 => pool.select(map, &[a]),
                    6 => pool.bv_op(BvOp::ToInt, &[bits]),
                    _ => pool.sub(a, b),
                }
            }
            Kind::Bool => {
                let inner = [Kind::Int, Kind::Bits32, Kind::Double][self.random.below(3)];
                let (a, b) = (self.term(inner, depth), self.term(inner, depth));
                let (p, q) = (self.term(Kind::Bool, depth), self.term(Kind::Bool, depth));
                let pool = &mut self.builder.program.pool;
                let bool = pool.bool_sort();
                match (choice, inner) {
                    (0, _) => pool.and(&[p, q]),
                    (1, _) => pool.or(&[p, q]),
                    (2, _) => pool.not(p),
                    (3, _) => pool.eq(a, b),
                    (_, Kind::Int) => pool.le(a, b),
                    (4 | 5, Kind::Bits32) => pool.bv_op(BvOp::Slt, &[a, b]),
                    (_, Kind::Bits32) => pool.bv_op(BvOp::Ule, &[a, b]),
                    _ => pool.theory("fp.leq", &[a, b], bool),
                }
            }
            Kind::Bits32 | Kind::Bits64 => {
                let (a, b) = (self.term(kind, depth), self.term(kind, depth));
                let pool = &mut self.builder.program.pool;
                let operators = [
                    BvOp::Add,
                    BvOp::Sub,
                    BvOp::Mul,
                    BvOp::And,
                    BvOp::Xor,
                    BvOp::Shl,
                    BvOp::Ashr,
                    BvOp::Urem,
                ];
                pool.bv_op(operators[choice], &[a, b])
            }
            Kind::Map => {
                let map = self.term(Kind::Map, depth);
                let (index, value) = (self.term(Kind::Int, depth), self.term(Kind::Int, depth));
                self.builder.program.pool.store(map, &[index], value)
            }
            Kind::Double => {
                let (a, b) = (self.term(Kind::Double, depth), self.term(Kind::Double, depth));
                let sort = self.sort(Kind::Double);
                let pool = &mut self.builder.program.pool;
                let mode = pool.rounding_mode(RoundingMode::NearestEven);
                let name = ["fp.add", "fp.sub", "fp.mul", "fp.div"][choice % 4];
                pool.theory(name, &[mode, a, b], sort)
            }
        }
    }
}

/// Variables with values, a term over them, and an assertion that it has the value that the evaluator gives it.
fn check(seed: u64) -> bool {
    let mut generator = Generator {
        random: Random(seed),
        builder: Builder::new(),
        made: Vec::new(),
    };
    let kinds = [
        Kind::Int,
        Kind::Int,
        Kind::Bool,
        Kind::Bits32,
        Kind::Bits64,
        Kind::Map,
        Kind::Double,
    ];
    let mut environment: FxHashMap<VarId, Value> = FxHashMap::default();
    let (mut locals, mut kinds_of_statements) = (Vec::new(), Vec::new());
    for kind in kinds {
        let (sort, literal) = (generator.sort(kind), generator.literal(kind));
        let var = generator.builder.program.pool.declare_var("v", sort);
        let pool = &generator.builder.program.pool;
        let value = Evaluator::new(pool).eval(literal, &FxHashMap::default(), &mut NoOracle);
        environment.insert(var, value.expect("a literal has a value"));
        locals.push(var);
        kinds_of_statements.push(assign(var, literal));
        let term = generator.builder.program.pool.var(var);
        generator.made.push((kind, term));
    }
    let kind = [Kind::Int, Kind::Bool, Kind::Bits32, Kind::Bits64, Kind::Double][generator.random.below(5)];
    let term = generator.term(kind, 5);
    let mut builder = generator.builder;
    let Ok(expected) = Evaluator::new(&builder.program.pool).eval(term, &environment, &mut NoOracle) else {
        return false;
    };
    let sort = builder.program.pool.sort_of(term);
    let result = builder.program.pool.declare_var("result", sort);
    locals.push(result);
    let pool = &mut builder.program.pool;
    let Some(literal) = expected.to_term(pool) else {
        return false;
    };
    let found = pool.var(result);
    let condition = pool.eq(found, literal);
    let assertion = builder.assert(condition);
    kinds_of_statements.extend([assign(result, term), assertion]);
    let main = builder.proc(
        "main",
        vec![],
        vec![],
        locals,
        vec![(kinds_of_statements, vec![])],
    );
    builder.check();
    for inputs in [Inputs::Chosen, Inputs::Unknown] {
        let options = RunOptions {
            inputs,
            ..RunOptions::default()
        };
        let goal = ReplayGoal::AnyAssert;
        let outcome = run(&builder.program, main, &goal, &options, &Budget::unlimited()).outcome;
        assert!(
            matches!(outcome, RunOutcome::NoneFails),
            "seed {seed}: {outcome:?}, expected {expected:?}"
        );
    }
    true
}

#[test]
fn random_terms_have_the_values_of_the_evaluator() {
    let factor: u64 = std::env::var("LARIAT_RANDOM_FACTOR")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let checked = (0..3_000 * factor).filter(|&seed| check(seed)).count();
    assert!(checked > 2_000, "{checked} terms have values");
}
