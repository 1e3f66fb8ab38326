//! Integer terms mean to Z3 what they mean to the evaluator.

#[path = "support/solver.rs"]
mod judge;
mod support;

use judge::Claims;
use lariat_c_program::{BinaryOp, Scalar};
use support::*;

#[test]
fn binary_operators() {
    let mut random = Random::new(30);
    for arith in EXACT {
        for ty in [
            int(8, true),
            int(32, true),
            int(32, false),
            int(64, true),
            int(64, false),
        ] {
            for op in BINARY {
                let mut claims = Claims::new();
                let special = boundary(ty);
                for _ in 0..12 {
                    let (x, mut y) = (random.choose(&special).clone(), random.within(&bounds(ty)));
                    if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                        y = random.below(layout(ty).0 as usize).into();
                    }
                    let Some(expected) = native_binary(op, ty, &x, &y) else {
                        continue;
                    };
                    let literals = [&x, &y].map(|value| arith.int(&mut claims.pool, ty, value));
                    let [a, b] = [0, 1].map(|side| {
                        let var = claims.variable(literals[side].term);
                        arith.value(var, ty)
                    });
                    let expected = arith.int(&mut claims.pool, ty, &expected);
                    for (left, right) in [(&a, &b), (&a, &literals[1]), (&literals[0], &b)] {
                        let result = arith.binary(&mut claims.pool, op, ty, left, right, ty);
                        claims.equal(result.term, expected.term);
                    }
                }
                claims.check(&format!("{op:?} of {ty:?} by {arith:?}"));
            }
        }
    }
}

#[test]
fn conversions_and_bytes() {
    let mut random = Random::new(31);
    let scalars = [
        int(8, true),
        int(16, false),
        int(32, true),
        int(32, false),
        int(64, true),
        int(64, false),
        Scalar::Bool,
        Scalar::Pointer,
    ];
    for arith in EXACT {
        for from in scalars {
            let mut claims = Claims::new();
            for x in (0..10)
                .map(|_| random.within(&bounds(from)))
                .chain(boundary(from))
            {
                let literal = arith.int(&mut claims.pool, from, &x);
                let var = claims.variable(literal.term);
                let v = arith.value(var, from);
                for to in scalars {
                    let result = arith.convert(&mut claims.pool, from, to, &v);
                    let expected = native_convert(from, to, &x);
                    let expected = arith.int(&mut claims.pool, to, &expected);
                    claims.equal(result.term, expected.term);
                }
                let bytes = arith.to_bytes(&mut claims.pool, from, &v);
                let again = arith.from_bytes(&mut claims.pool, from, &bytes);
                claims.equal(again.term, literal.term);
            }
            claims.check(&format!("from {from:?} by {arith:?}"));
        }
    }
}
