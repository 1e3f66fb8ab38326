//! Random expressions: what an operator makes of the terms and ranges that other operators made.

mod support;

use lariat_c_arith::{Arith, Value};
use lariat_c_program::{BinaryOp, Scalar, UnaryOp};
use lariat_interp::{Evaluator, NoOracle};
use lariat_term::{TermPool, Value as TermValue, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use support::*;

const SAMPLES: usize = 8;

/// A subexpression and its value under each of the environments.
#[derive(Clone)]
struct Node {
    ty: Scalar,
    value: Value,
    expected: Vec<Option<BigInt>>,
}

struct Machine {
    arith: Arith,
    pool: TermPool,
    environments: Vec<FxHashMap<VarId, TermValue>>,
    nodes: Vec<Node>,
    random: Random,
}

impl Machine {
    fn new(arith: Arith, seed: u64) -> Self {
        let mut machine = Machine {
            arith,
            pool: TermPool::new(),
            environments: vec![FxHashMap::default(); SAMPLES],
            nodes: Vec::new(),
            random: Random::new(seed),
        };
        for ty in [
            int(8, true),
            int(8, false),
            int(32, true),
            int(32, false),
            int(64, false),
            Scalar::Bool,
        ] {
            let (var, value) = operand(arith, &mut machine.pool, "v", ty);
            let mut expected = Vec::new();
            for environment in &mut machine.environments {
                let x = if machine.random.below(3) == 0 {
                    machine.random.choose(&boundary(ty)).clone()
                } else {
                    machine.random.within(&bounds(ty))
                };
                environment.insert(var, concrete(arith, ty, &x));
                expected.push(Some(x));
            }
            machine.nodes.push(Node { ty, value, expected });
        }
        machine
    }

    /// Checks the new node; where C leaves its value open, the one that is found goes on.
    fn push(&mut self, ty: Scalar, value: Value, expected: Vec<Option<BigInt>>) -> Node {
        let mut evaluator = Evaluator::new(&self.pool);
        let expected = expected
            .into_iter()
            .zip(&self.environments)
            .map(|(expected, environment)| {
                let found = evaluator
                    .eval(value.term, environment, &mut NoOracle)
                    .unwrap_or_else(|error| panic!("{}", error.text(&self.pool)));
                let found = number(ty, &found);
                let context = || format!("{} of {ty:?}", self.pool.term_text(value.term));
                check_range(ty, &value, &found, &context);
                if let Some(expected) = expected {
                    assert_eq!(found, expected, "{}", context());
                }
                Some(found)
            })
            .collect();
        let node = Node { ty, value, expected };
        self.nodes.push(node.clone());
        node
    }

    fn pick(&mut self) -> Node {
        self.random.choose(&self.nodes).clone()
    }

    fn converted(&mut self, node: &Node, to: Scalar) -> Node {
        let value = self.arith.convert(&mut self.pool, node.ty, to, &node.value);
        let expected = node.expected.iter();
        let expected = expected
            .map(|x| Some(native_convert(node.ty, to, x.as_ref()?)))
            .collect();
        self.push(to, value, expected)
    }

    /// A literal that bit operations like, or any.
    fn literal(&mut self, ty: Scalar) -> Node {
        let power = BigInt::from(1) << self.random.below(layout(ty).0 as usize) as u32;
        let x = match self.random.below(4) {
            0 => power,
            1 => power - 1,
            2 => -power,
            _ => self.random.within(&bounds(ty)),
        };
        let value = self.arith.int(&mut self.pool, ty, &x);
        let x = native_convert(int(128, true), ty, &x);
        self.push(ty, value, vec![Some(x); SAMPLES])
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar) {
        let left = self.pick();
        let left = self.converted(&left, ty);
        let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let right = if shifts && self.random.below(4) > 0 {
            let amount = BigInt::from(self.random.below(layout(ty).0 as usize));
            let value = self.arith.int(&mut self.pool, ty, &amount);
            self.push(ty, value, vec![Some(amount); SAMPLES])
        } else if self.random.below(2) == 0 {
            self.literal(ty)
        } else {
            let right = self.pick();
            self.converted(&right, ty)
        };
        let (a, b) = (&left.value, &right.value);
        let value = self.arith.binary(&mut self.pool, op, ty, a, b, ty);
        let pairs = left.expected.iter().zip(&right.expected);
        let expected = pairs
            .map(|(x, y)| native_binary(op, ty, x.as_ref()?, y.as_ref()?))
            .collect();
        self.push(ty, value, expected);
    }

    fn step(&mut self) {
        let arithmetic = [int(32, true), int(32, false), int(64, true), int(64, false)];
        let ty = self.random.pick(&arithmetic);
        match self.random.below(8) {
            0 => {
                let node = self.pick();
                let to = self
                    .random
                    .pick(&[int(8, true), int(8, false), int(16, true), int(16, false), ty]);
                self.converted(&node, to);
            }
            1 => {
                let (a, b) = (self.pick(), self.pick());
                let (a, b) = (self.converted(&a, ty), self.converted(&b, ty));
                let op = self.random.pick(&COMPARE);
                let condition = self.arith.compare(&mut self.pool, op, ty, &a.value, &b.value);
                let value = self.arith.of_truth(&mut self.pool, ty, condition);
                self.push(ty, value, vec![None; SAMPLES]);
            }
            2 => {
                let node = self.pick();
                let node = self.converted(&node, ty);
                let value = self.arith.unary(&mut self.pool, UnaryOp::Neg, ty, &node.value);
                let zero = BigInt::ZERO;
                let expected = node.expected.iter();
                let expected = expected
                    .map(|x| native_binary(BinaryOp::Sub, ty, &zero, x.as_ref()?))
                    .collect();
                self.push(ty, value, expected);
            }
            3 => {
                // The bytes of one value and some of another: a union, or a copy in pieces.
                let (a, b) = (self.pick(), self.pick());
                let (a, b) = (self.converted(&a, ty), self.converted(&b, ty));
                let mut bytes = self.arith.to_bytes(&mut self.pool, ty, &a.value);
                let others = self.arith.to_bytes(&mut self.pool, ty, &b.value);
                let split = self.random.below(bytes.len() + 1);
                bytes[..split].clone_from_slice(&others[..split]);
                let value = self.arith.from_bytes(&mut self.pool, ty, &bytes);
                let ones = native_convert(int(8, true), ty, &BigInt::from(-1));
                let (bits, _) = layout(ty);
                let low = if 8 * split as u32 == bits {
                    ones.clone()
                } else {
                    (BigInt::from(1) << (8 * split)) - 1
                };
                let op = |op, x: &BigInt, y: &BigInt| native_binary(op, ty, x, y);
                let pairs = a.expected.iter().zip(&b.expected);
                let expected = pairs
                    .map(|(x, y)| {
                        let high = op(BinaryOp::BitXor, &low, &ones)?;
                        let kept = op(BinaryOp::BitAnd, x.as_ref()?, &high)?;
                        let taken = op(BinaryOp::BitAnd, y.as_ref()?, &low)?;
                        op(BinaryOp::BitOr, &kept, &taken)
                    })
                    .collect();
                self.push(ty, value, expected);
            }
            _ => {
                let op = self.random.pick(&BINARY);
                self.binary(op, ty);
            }
        }
    }
}

#[test]
fn random_expressions() {
    for arith in EXACT {
        for seed in 0..400 {
            let mut machine = Machine::new(arith, 1000 + seed);
            for _ in 0..20 {
                machine.step();
            }
        }
    }
}
