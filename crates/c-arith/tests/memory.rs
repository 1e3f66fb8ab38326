//! Bytes and bit-fields against the processor's.

#[macro_use]
mod support;

use lariat_c_arith::{Arith, Value};
use lariat_c_program::Scalar;
use lariat_term::TermPool;
use num_bigint::BigInt;
use num_traits::One;
use support::*;

fn native_bytes(ty: Scalar, value: &BigInt) -> Vec<u8> {
    macro_rules! compute {
        ($native:ty, $value:expr) => {
            <$native>::try_from($value)
                .expect("a value of the type")
                .to_le_bytes()
                .to_vec()
        };
    }
    with_native!(ty, compute!(value))
}

fn scalars() -> Vec<Scalar> {
    let mut scalars = types();
    scalars.extend([Scalar::Bool, Scalar::Pointer]);
    scalars
}

#[test]
fn bytes_of_integers() {
    let mut random = Random::new(20);
    let byte = int(8, false);
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for ty in scalars() {
            let mut pool = TermPool::new();
            let (a, v) = operand(arith, &mut pool, "a", ty);
            let bytes = arith.to_bytes(&mut pool, ty, &v);
            let again = arith.from_bytes(&mut pool, ty, &bytes);
            let mut samples = boundary(ty);
            samples.extend((0..20).map(|_| random.within(&bounds(ty))));
            for x in samples {
                let inputs = [(a, concrete(arith, ty, &x))];
                let found: Vec<u8> = bytes
                    .iter()
                    .map(|part| {
                        let found = number(byte, &evaluate(&pool, part.term, &inputs));
                        check_range(byte, part, &found, &|| format!("a byte of {x}"));
                        u8::try_from(found).expect("a byte")
                    })
                    .collect();
                assert_eq!(found, native_bytes(ty, &x), "{x} of {ty:?} by {arith:?}");
                let found = number(ty, &evaluate(&pool, again.term, &inputs));
                check_range(ty, &again, &found, &|| format!("the bytes of {x}"));
                assert_eq!(found, x, "{ty:?} by {arith:?}");
            }
        }
    }
}

/// Bytes from anywhere, read with any type.
#[test]
fn integers_of_bytes() {
    let mut random = Random::new(21);
    let byte = int(8, false);
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for ty in scalars() {
            let mut pool = TermPool::new();
            let size = layout(ty).0 / 8;
            let (vars, bytes): (Vec<_>, Vec<Value>) =
                (0..size).map(|_| operand(arith, &mut pool, "b", byte)).unzip();
            let whole = arith.from_bytes(&mut pool, ty, &bytes);
            for _ in 0..50 {
                let x = random.within(&bounds(ty));
                let inputs: Vec<_> = native_bytes(ty, &x)
                    .into_iter()
                    .zip(&vars)
                    .map(|(value, &var)| (var, concrete(arith, byte, &BigInt::from(value))))
                    .collect();
                let found = number(ty, &evaluate(&pool, whole.term, &inputs));
                check_range(ty, &whole, &found, &|| format!("the bytes of {x}"));
                assert_eq!(found, x, "{ty:?} by {arith:?}");
            }
        }
    }
}

/// A value that is stored as bytes and read again costs no arithmetic.
#[test]
fn bytes_of_one_value_are_the_value() {
    for ty in [int(16, false), int(32, false), int(64, false), Scalar::Pointer] {
        for arith in EXACT {
            let mut pool = TermPool::new();
            let (_, v) = operand(arith, &mut pool, "a", ty);
            let bytes = arith.to_bytes(&mut pool, ty, &v);
            assert_eq!(arith.from_bytes(&mut pool, ty, &bytes).term, v.term);
        }
    }
    let ty = int(32, true);
    let mut pool = TermPool::new();
    let (_, v) = operand(BIT_VECTOR, &mut pool, "a", ty);
    let bytes = BIT_VECTOR.to_bytes(&mut pool, ty, &v);
    assert_eq!(BIT_VECTOR.from_bytes(&mut pool, ty, &bytes).term, v.term);
    let (_, v) = operand(WRAPPED, &mut pool, "a", ty);
    let bytes = WRAPPED.to_bytes(&mut pool, ty, &v);
    let again = WRAPPED.from_bytes(&mut pool, ty, &bytes);
    let text = pool.term_text(again.term);
    assert!(!text.contains("mod") && !text.contains("div"), "{text}");
}

/// The bits of a container from `shift` on, read as a field of the declared type.
fn field_of(container: &BigInt, ty: Scalar, shift: u32, width: u32) -> BigInt {
    let bits = (container >> shift) % (BigInt::one() << width);
    if layout(ty).1 && bits.bit(u64::from(width) - 1) {
        bits - (BigInt::one() << width)
    } else {
        bits
    }
}

fn random_field(random: &mut Random) -> (Scalar, u32, u32, u32) {
    let declared = [
        int(8, false),
        int(16, true),
        int(32, true),
        int(32, false),
        int(64, true),
        int(64, false),
        Scalar::Bool,
    ];
    let ty = random.pick(&declared);
    let container_bits = random.pick(&[8_u32, 16, 32, 64, 72]);
    let widest = if ty == Scalar::Bool { 1 } else { layout(ty).0 };
    let width = 1 + random.below(widest.min(container_bits) as usize) as u32;
    let shift = random.below((container_bits - width + 1) as usize) as u32;
    (ty, container_bits, shift, width)
}

fn check_field(arith: Arith, random: &mut Random) {
    let (ty, container_bits, shift, width) = random_field(random);
    let unsigned = int(container_bits, false);
    let mut pool = TermPool::new();
    let (c, container) = operand(arith, &mut pool, "c", unsigned);
    let (a, v) = operand(arith, &mut pool, "a", ty);
    let read = arith.extract_bits(&mut pool, ty, &container, container_bits, shift, width);
    let held = arith.truncate_to_bits(&mut pool, ty, &v, width);
    let written = arith.insert_bits(&mut pool, &container, container_bits, shift, width, ty, &v);
    for _ in 0..6 {
        let (old, x) = (random.within(&bounds(unsigned)), random.within(&bounds(ty)));
        let inputs = [(c, concrete(arith, unsigned, &old)), (a, concrete(arith, ty, &x))];
        let context = || format!("{ty:?} of {width} bits at {shift} of {container_bits} by {arith:?}");
        let found = number(ty, &evaluate(&pool, read.term, &inputs));
        check_range(ty, &read, &found, &context);
        assert_eq!(found, field_of(&old, ty, shift, width), "{}", context());

        // The low bits of `x` in two's complement.
        let period = BigInt::one() << width;
        let low = ((&x % &period) + &period) % &period;
        let found = number(ty, &evaluate(&pool, held.term, &inputs));
        check_range(ty, &held, &found, &context);
        assert_eq!(found, field_of(&low, ty, 0, width), "{}", context());

        let mask = (&period - 1) << shift;
        let expected = (&old - (&old & &mask)) | (&low << shift);
        let found = number(unsigned, &evaluate(&pool, written.term, &inputs));
        check_range(unsigned, &written, &found, &context);
        assert_eq!(found, expected, "{}", context());
    }
}

#[test]
fn bit_fields() {
    let mut random = Random::new(22);
    for arith in [WRAPPED, BIT_VECTOR, MATH] {
        for _ in 0..1500 {
            check_field(arith, &mut random);
        }
    }
}
