//! Intervals of integers: what is known of a value before any solver runs.
//!
//! Invariant: `lo <= hi`; both ends are included.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::Shape;

/// All integers from `lo` to `hi`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub lo: BigInt,
    pub hi: BigInt,
}

pub(crate) fn power_of_two(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

/// The exponent of a power of two.
pub(crate) fn exponent_of(value: &BigInt) -> Option<u32> {
    let bits = value.trailing_zeros()?;
    (value.is_positive() && value.bits() == bits + 1).then_some(bits as u32)
}

impl Range {
    pub(crate) fn point(value: BigInt) -> Self {
        Range {
            lo: value.clone(),
            hi: value,
        }
    }

    pub(crate) fn new(lo: BigInt, hi: BigInt) -> Self {
        debug_assert!(lo <= hi, "an empty range: {lo} to {hi}");
        Range { lo, hi }
    }

    /// The values of an integer type.
    pub(crate) fn of(shape: Shape) -> Self {
        if shape.signed {
            let half = power_of_two(shape.bits - 1);
            Range::new(-&half, half - 1)
        } else {
            Range::new(BigInt::zero(), power_of_two(shape.bits) - 1)
        }
    }

    pub(crate) fn truth() -> Self {
        Range::new(BigInt::zero(), BigInt::one())
    }

    pub fn contains(&self, value: &BigInt) -> bool {
        &self.lo <= value && value <= &self.hi
    }

    pub fn is_within(&self, other: &Range) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    pub fn as_point(&self) -> Option<&BigInt> {
        (self.lo == self.hi).then_some(&self.lo)
    }

    pub(crate) fn is_truth(&self) -> bool {
        self.is_within(&Range::truth())
    }

    pub(crate) fn is_non_negative(&self) -> bool {
        !self.lo.is_negative()
    }

    pub(crate) fn is_non_positive(&self) -> bool {
        !self.hi.is_positive()
    }

    pub(crate) fn hull(self, other: Range) -> Range {
        Range::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }

    /// The common part; `None` if there is none.
    pub(crate) fn intersection(&self, other: &Range) -> Option<Range> {
        let lo = self.lo.clone().max(other.lo.clone());
        let hi = self.hi.clone().min(other.hi.clone());
        (lo <= hi).then_some(Range { lo, hi })
    }

    pub(crate) fn shift_by(&self, offset: &BigInt) -> Range {
        Range::new(&self.lo + offset, &self.hi + offset)
    }

    pub(crate) fn add(&self, other: &Range) -> Range {
        Range::new(&self.lo + &other.lo, &self.hi + &other.hi)
    }

    pub(crate) fn sub(&self, other: &Range) -> Range {
        Range::new(&self.lo - &other.hi, &self.hi - &other.lo)
    }

    pub(crate) fn neg(&self) -> Range {
        Range::new(-&self.hi, -&self.lo)
    }

    pub(crate) fn mul(&self, other: &Range) -> Range {
        Range::around([
            &self.lo * &other.lo,
            &self.lo * &other.hi,
            &self.hi * &other.lo,
            &self.hi * &other.hi,
        ])
    }

    /// The arithmetic shift to the right.
    pub(crate) fn shr(&self, amount: u32) -> Range {
        Range::new(&self.lo >> amount, &self.hi >> amount)
    }

    /// Quotients that round toward zero, with 0 for a division by zero. For a fixed divisor they are monotone in the
    /// dividend; for a fixed dividend, in the divisor on each side of zero: the extremes are at the ends.
    pub(crate) fn quotient(&self, divisor: &Range) -> Range {
        let mut divisors = vec![divisor.lo.clone(), divisor.hi.clone()];
        divisors.extend(
            [-BigInt::one(), BigInt::one()]
                .into_iter()
                .filter(|unit| divisor.contains(unit)),
        );
        let by_zero = divisor.contains(&BigInt::zero()).then(BigInt::zero);
        let quotients = divisors
            .iter()
            .filter(|divisor| !divisor.is_zero())
            .flat_map(|divisor| [&self.lo / divisor, &self.hi / divisor]);
        Range::around(quotients.chain(by_zero))
    }

    /// Remainders with the sign of the dividend, with 0 for a division by zero.
    pub(crate) fn remainder(&self, divisor: &Range) -> Range {
        let largest: BigInt = divisor.lo.abs().max(divisor.hi.abs()) - 1;
        let limit = |end: &BigInt| end.abs().min(largest.clone().max(BigInt::zero()));
        Range::new(
            if self.lo.is_negative() {
                -limit(&self.lo)
            } else {
                BigInt::zero()
            },
            if self.hi.is_positive() {
                limit(&self.hi)
            } else {
                BigInt::zero()
            },
        )
    }

    /// The smallest number of bits with which two's complement holds all values; without a sign bit if none is negative.
    pub(crate) fn bits(&self) -> u32 {
        let magnitude = |end: &BigInt| {
            if end.is_negative() {
                (-end - 1u32).bits() as u32
            } else {
                end.bits() as u32
            }
        };
        let bits = magnitude(&self.lo).max(magnitude(&self.hi));
        if self.lo.is_negative() { bits + 1 } else { bits }
    }

    fn around(values: impl IntoIterator<Item = BigInt>) -> Range {
        values
            .into_iter()
            .map(Range::point)
            .reduce(Range::hull)
            .unwrap_or_else(|| Range::point(BigInt::zero()))
    }
}
