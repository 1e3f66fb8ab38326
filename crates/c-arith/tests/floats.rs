//! Floating point against the processor's, by Z3.

#[path = "support/solver.rs"]
mod judge;
mod support;

use judge::Claims;
use lariat_c_arith::{Arith, Value};
use lariat_c_program::{BinaryOp, CompareOp, FloatKind, Scalar, UnaryOp};
use lariat_term::{Op, TermId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use support::*;

const FLOAT: Scalar = Scalar::Float(FloatKind::Float);
const DOUBLE: Scalar = Scalar::Float(FloatKind::Double);
const LONG_DOUBLE: Scalar = Scalar::Float(FloatKind::LongDouble);

const ARITHMETIC: [BinaryOp; 4] = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div];

/// Values of the kind, special ones first.
fn samples(kind: FloatKind, random: &mut Random, count: usize) -> Vec<f64> {
    let mut values = vec![
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        16_777_217.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-320,
        f64::from(f32::MIN_POSITIVE) / 4.0,
        f64::MAX,
    ];
    for _ in 0..count {
        values.push(match random.below(3) {
            0 => f64::from_bits(random.bits()),
            1 => f64::from(f32::from_bits(random.bits() as u32)),
            _ => random.bits() as i64 as f64 / 4096.0,
        });
    }
    if kind == FloatKind::Float {
        values = values.into_iter().map(|value| f64::from(value as f32)).collect();
    }
    values
}

fn native(kind: FloatKind, op: BinaryOp, x: f64, y: f64) -> f64 {
    let double = |x: f64, y: f64| match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        _ => x / y,
    };
    let single = |x: f32, y: f32| match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        _ => x / y,
    };
    match kind {
        FloatKind::Float => f64::from(single(x as f32, y as f32)),
        _ => double(x, y),
    }
}

/// The value of a literal term.
fn literal_value(claims: &Claims, kind: FloatKind, term: TermId) -> Option<f64> {
    let Op::Float(number) = claims.pool.op(term) else {
        return None;
    };
    let bits = claims.pool.number(number).to_integer().to_u64()?;
    Some(match kind {
        FloatKind::Float => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    })
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn variable(arith: Arith, claims: &mut Claims, kind: FloatKind, value: f64) -> (Value, Value) {
    let literal = arith.float(&mut claims.pool, kind, value);
    let var = claims.variable(literal.term);
    (literal, arith.value(var, Scalar::Float(kind)))
}

#[test]
fn arithmetic_and_comparisons() {
    let mut random = Random::new(40);
    let arith = WRAPPED;
    for kind in [FloatKind::Float, FloatKind::Double] {
        let ty = Scalar::Float(kind);
        let values = samples(kind, &mut random, 20);
        let mut claims = Claims::new();
        for _ in 0..60 {
            let (x, y) = (random.pick(&values), random.pick(&values));
            let (left_literal, left) = variable(arith, &mut claims, kind, x);
            let (right_literal, right) = variable(arith, &mut claims, kind, y);
            for op in ARITHMETIC {
                let folded = arith.binary(&mut claims.pool, op, ty, &left_literal, &right_literal, ty);
                let result = arith.binary(&mut claims.pool, op, ty, &left, &right, ty);
                let found = literal_value(&claims, kind, folded.term).expect("literals fold");
                let expected = native(kind, op, x, y);
                assert!(same(found, expected), "{x} {op:?} {y}: {found}, not {expected}");
                claims.equal(result.term, folded.term);
            }
            for op in COMPARE {
                let expected = match op {
                    CompareOp::Eq => x == y,
                    CompareOp::Ne => x != y,
                    CompareOp::Lt => x < y,
                    CompareOp::Le => x <= y,
                    CompareOp::Gt => x > y,
                    CompareOp::Ge => x >= y,
                };
                let expected = claims.pool.bool(expected);
                let folded = arith.compare(&mut claims.pool, op, ty, &left_literal, &right_literal);
                assert_eq!(folded, expected, "{x} {op:?} {y}");
                let result = arith.compare(&mut claims.pool, op, ty, &left, &right);
                claims.equal(result, expected);
            }
            let truth = arith.truth(&mut claims.pool, ty, &left);
            let expected = claims.pool.bool(x != 0.0);
            claims.equal(truth, expected);
            let negative = arith.unary(&mut claims.pool, UnaryOp::Neg, ty, &left);
            let expected = arith.float(&mut claims.pool, kind, -x);
            claims.equal(negative.term, expected.term);
        }
        claims.check(&format!("{kind:?}"));
    }
}

#[test]
fn conversions_between_formats() {
    let mut random = Random::new(41);
    let arith = WRAPPED;
    let mut claims = Claims::new();
    for x in samples(FloatKind::Double, &mut random, 40) {
        let (_, v) = variable(arith, &mut claims, FloatKind::Double, x);
        let narrow = arith.convert(&mut claims.pool, DOUBLE, FLOAT, &v);
        let expected = arith.float(&mut claims.pool, FloatKind::Float, x);
        claims.equal(narrow.term, expected.term);
        let wide = arith.convert(&mut claims.pool, FLOAT, DOUBLE, &narrow);
        let expected = arith.float(&mut claims.pool, FloatKind::Double, f64::from(x as f32));
        claims.equal(wide.term, expected.term);
        // The literal of the wide format is the one that the solver computes, and comes back.
        let extended = arith.convert(&mut claims.pool, DOUBLE, LONG_DOUBLE, &v);
        let expected = arith.float(&mut claims.pool, FloatKind::LongDouble, x);
        claims.equal(extended.term, expected.term);
        let back = arith.convert(&mut claims.pool, LONG_DOUBLE, DOUBLE, &expected);
        claims.equal(back.term, v.term);
    }
    claims.check("between formats");
}

fn integer_types() -> [Scalar; 8] {
    [8, 16, 32, 64]
        .map(|bits| [int(bits, true), int(bits, false)])
        .concat()
        .try_into()
        .expect("eight types")
}

#[test]
fn conversions_from_integers() {
    let mut random = Random::new(42);
    for arith in EXACT {
        for ty in integer_types() {
            let mut claims = Claims::new();
            // Halfway between two floats, and between two doubles.
            let ties = [(1_u64 << 24) + 1, (1 << 24) + 3, (1 << 53) + 1, (1 << 53) + 3];
            let ties = ties
                .map(BigInt::from)
                .into_iter()
                .filter(|tie| bounds(ty).contains(tie));
            let random = (0..10).map(|_| random.within(&bounds(ty)));
            for x in random.chain(boundary(ty)).chain(ties) {
                let literal = arith.int(&mut claims.pool, ty, &x);
                let var = claims.variable(literal.term);
                let v = arith.value(var, ty);
                let exact = x.to_i128().expect("at most 64 bits");
                for (kind, expected) in [
                    (FloatKind::Float, f64::from(exact as f32)),
                    (FloatKind::Double, exact as f64),
                ] {
                    let to = Scalar::Float(kind);
                    let folded = arith.convert(&mut claims.pool, ty, to, &literal);
                    let found = literal_value(&claims, kind, folded.term).expect("literals fold");
                    assert!(same(found, expected), "{x} as {kind:?}: {found}, not {expected}");
                    let result = arith.convert(&mut claims.pool, ty, to, &v);
                    claims.equal(result.term, folded.term);
                }
                let folded = arith.convert(&mut claims.pool, ty, LONG_DOUBLE, &literal);
                let result = arith.convert(&mut claims.pool, ty, LONG_DOUBLE, &v);
                claims.equal(result.term, folded.term);
            }
            claims.check(&format!("from {ty:?} by {arith:?}"));
        }
    }
}

/// What gcc's code for x86-64 computes, also where C leaves it open.
fn truncate(x: f64, ty: Scalar) -> BigInt {
    let signed_32 = |x: f64| {
        let fits = x > -2_147_483_649.0 && x < 2_147_483_648.0;
        if fits { x as i32 } else { i32::MIN }
    };
    let signed_64 = |x: f64| {
        let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x);
        if fits { x as i64 } else { i64::MIN }
    };
    let upper_half = 9_223_372_036_854_775_808.0;
    match layout(ty) {
        (8, true) => BigInt::from(signed_32(x) as i8),
        (8, false) => BigInt::from(signed_32(x) as u8),
        (16, true) => BigInt::from(signed_32(x) as i16),
        (16, false) => BigInt::from(signed_32(x) as u16),
        (32, true) => BigInt::from(signed_32(x)),
        (32, false) => BigInt::from(signed_64(x) as u32),
        (64, true) => BigInt::from(signed_64(x)),
        _ if x >= upper_half => BigInt::from(signed_64(x - upper_half) as u64 ^ 1 << 63),
        _ => BigInt::from(signed_64(x) as u64),
    }
}

#[test]
fn conversions_to_integers() {
    let mut random = Random::new(43);
    for arith in EXACT {
        for kind in [FloatKind::Float, FloatKind::Double] {
            for ty in integer_types() {
                let mut claims = Claims::new();
                let mut values = samples(kind, &mut random, 10);
                for limit in [
                    127.9,
                    128.0,
                    255.5,
                    2_147_483_647.5,
                    4_294_967_295.9,
                    9.3e18,
                    1.85e19,
                ] {
                    values.extend([limit, -limit, limit + 1.0]);
                }
                for x in values {
                    let x = if kind == FloatKind::Float {
                        f64::from(x as f32)
                    } else {
                        x
                    };
                    let (literal, v) = variable(arith, &mut claims, kind, x);
                    let from = Scalar::Float(kind);
                    let expected = arith.int(&mut claims.pool, ty, &truncate(x, ty));
                    let folded = arith.convert(&mut claims.pool, from, ty, &literal);
                    assert_eq!(folded.term, expected.term, "{x} as {ty:?}");
                    let result = arith.convert(&mut claims.pool, from, ty, &v);
                    claims.equal(result.term, expected.term);
                }
                claims.check(&format!("{kind:?} to {ty:?} by {arith:?}"));
            }
        }
    }
}

/// Integers of few bits are floats without loss, so what comes back is known without floating point.
#[test]
fn integers_there_and_back() {
    let mut random = Random::new(44);
    for arith in EXACT {
        for (from, to) in integer_types()
            .into_iter()
            .flat_map(|from| integer_types().map(|to| (from, to)))
        {
            let mut claims = Claims::new();
            for x in (0..4).map(|_| random.within(&bounds(from))).chain(boundary(from)) {
                let literal = arith.int(&mut claims.pool, from, &x);
                let var = claims.variable(literal.term);
                let v = arith.value(var, from);
                for kind in [FloatKind::Float, FloatKind::Double] {
                    let [expected, found] = [&literal, &v].map(|value| {
                        let float = arith.convert(&mut claims.pool, from, Scalar::Float(kind), value);
                        arith
                            .convert(&mut claims.pool, Scalar::Float(kind), to, &float)
                            .term
                    });
                    claims.equal(found, expected);
                    let significand = if kind == FloatKind::Float { 24 } else { 53 };
                    let is_direct = !claims.pool.term_text(found).contains("fp");
                    let is_lossless = layout(from).0 <= significand;
                    assert!(is_direct || !is_lossless || to != from, "{from:?} by {kind:?}");
                }
            }
            claims.check(&format!("{from:?} to {to:?} by {arith:?}"));
        }
    }
}

#[test]
fn bytes() {
    let mut random = Random::new(44);
    for arith in EXACT {
        let mut claims = Claims::new();
        for kind in [FloatKind::Float, FloatKind::Double] {
            let ty = Scalar::Float(kind);
            for x in samples(kind, &mut random, 20) {
                let (literal, v) = variable(arith, &mut claims, kind, x);
                let bytes = arith.to_bytes(&mut claims.pool, ty, &v);
                assert_eq!(arith.from_bytes(&mut claims.pool, ty, &bytes).term, v.term);
                if x.is_nan() {
                    continue;
                }
                let expected = match kind {
                    FloatKind::Float => (x as f32).to_le_bytes().to_vec(),
                    _ => x.to_le_bytes().to_vec(),
                };
                assert_eq!(bytes.len(), expected.len());
                let parts: Vec<Value> = expected
                    .iter()
                    .map(|&byte| arith.int(&mut claims.pool, int(8, false), &BigInt::from(byte)))
                    .collect();
                for (found, expected) in bytes.iter().zip(&parts) {
                    claims.equal(found.term, expected.term);
                }
                let folded = arith.to_bytes(&mut claims.pool, ty, &literal);
                assert!(folded.iter().zip(&parts).all(|(a, b)| a.term == b.term));
                let again = arith.from_bytes(&mut claims.pool, ty, &parts);
                assert_eq!(again.term, literal.term);
            }
        }
        claims.check(&format!("bytes by {arith:?}"));
    }
}

/// The 80 bits of the x87 with its integer bit, and padding.
#[test]
fn bytes_of_long_double() {
    let cases: [(f64, [u8; 10]); 4] = [
        (1.0, [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]),
        (-2.5, [0, 0, 0, 0, 0, 0, 0, 0xa0, 0x00, 0xc0]),
        (0.0, [0; 10]),
        (f64::INFINITY, [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x7f]),
    ];
    for arith in EXACT {
        let mut claims = Claims::new();
        for (x, expected) in cases {
            let (literal, v) = variable(arith, &mut claims, FloatKind::LongDouble, x);
            let bytes = arith.to_bytes(&mut claims.pool, LONG_DOUBLE, &v);
            assert_eq!(bytes.len(), 16);
            let parts: Vec<Value> = expected
                .iter()
                .chain(&[0; 6])
                .map(|&byte| arith.int(&mut claims.pool, int(8, false), &BigInt::from(byte)))
                .collect();
            for (found, expected) in bytes.iter().zip(&parts) {
                claims.equal(found.term, expected.term);
            }
            let again = arith.from_bytes(&mut claims.pool, LONG_DOUBLE, &bytes);
            claims.equal(again.term, literal.term);
            let read = arith.from_bytes(&mut claims.pool, LONG_DOUBLE, &parts);
            claims.equal(read.term, literal.term);
        }
        claims.check("long double");
    }
}
