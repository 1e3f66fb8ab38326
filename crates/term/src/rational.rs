//! Sums and products of rational numbers.
//!
//! Nearly all numbers are whole. A general sum looks for common factors of numerator and denominator bit by bit, which takes far longer than
//! to add two whole numbers.

use num_bigint::BigInt;
use num_rational::BigRational;

/// `a + b`.
pub fn sum(a: &BigRational, b: &BigRational) -> BigRational {
    whole(a, b, |a, b| a + b).unwrap_or_else(|| a + b)
}

/// `a * b`.
pub fn product(a: &BigRational, b: &BigRational) -> BigRational {
    whole(a, b, |a, b| a * b).unwrap_or_else(|| a * b)
}

fn whole(
    a: &BigRational,
    b: &BigRational,
    compute: impl Fn(&BigInt, &BigInt) -> BigInt,
) -> Option<BigRational> {
    let are_whole = a.is_integer() && b.is_integer();
    are_whole.then(|| BigRational::from_integer(compute(a.numer(), b.numer())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_and_fractions_agree_with_the_general_operators() {
        let number =
            |numerator: i64, denominator: i64| BigRational::new(numerator.into(), denominator.into());
        let numbers = [
            number(0, 1),
            number(-7, 1),
            number(6, 1),
            number(1, 6),
            number(-5, 2),
        ];
        for a in &numbers {
            for b in &numbers {
                assert_eq!(sum(a, b), a + b);
                assert_eq!(product(a, b), a * b);
                assert_eq!(sum(a, b).denom(), (a + b).denom());
            }
        }
    }
}
