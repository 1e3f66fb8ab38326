//! Intervals of integers; a Boolean is 0 or 1.

use num_bigint::BigInt;

/// All numbers between the bounds; `None` is no bound. Never empty.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Interval {
    pub lo: Option<BigInt>,
    pub hi: Option<BigInt>,
}

impl Interval {
    pub const ALL: Interval = Interval { lo: None, hi: None };

    pub fn exactly(value: impl Into<BigInt>) -> Self {
        let value = value.into();
        Interval {
            lo: Some(value.clone()),
            hi: Some(value),
        }
    }

    pub fn of_bool(value: Option<bool>) -> Self {
        value.map_or(Interval::ALL, |value| Interval::exactly(u8::from(value)))
    }

    pub fn as_bool(&self) -> Option<bool> {
        let value = self.lo.as_ref().filter(|_| self.lo == self.hi)?;
        Some(*value != BigInt::from(0))
    }

    pub fn join(&self, other: &Self) -> Self {
        Interval {
            lo: self.lo.clone().zip(other.lo.clone()).map(|(a, b)| a.min(b)),
            hi: self.hi.clone().zip(other.hi.clone()).map(|(a, b)| a.max(b)),
        }
    }

    /// What is in both, if anything.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let both = |a: &Option<BigInt>, b: &Option<BigInt>, least: bool| match (a, b) {
            (Some(a), Some(b)) if least => Some(a.min(b).clone()),
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let met = Interval {
            lo: both(&self.lo, &other.lo, false),
            hi: both(&self.hi, &other.hi, true),
        };
        let empty = matches!((&met.lo, &met.hi), (Some(lo), Some(hi)) if lo > hi);
        (!empty).then_some(met)
    }

    /// A bound of `grown` that differs from ours goes to 0 if that is enough, and away if not.
    pub fn widen(&self, grown: &Self) -> Self {
        let zero = BigInt::from(0);
        let lo = match &grown.lo {
            lo if *lo == self.lo => lo.clone(),
            Some(lo) if *lo >= zero => Some(zero.clone()),
            _ => None,
        };
        let hi = match &grown.hi {
            hi if *hi == self.hi => hi.clone(),
            Some(hi) if *hi <= zero => Some(zero),
            _ => None,
        };
        Interval { lo, hi }
    }

    pub fn add(&self, other: &Self) -> Self {
        Interval {
            lo: self.lo.clone().zip(other.lo.clone()).map(|(a, b)| a + b),
            hi: self.hi.clone().zip(other.hi.clone()).map(|(a, b)| a + b),
        }
    }

    pub fn times(&self, factor: &BigInt) -> Self {
        let scale = |bound: &Option<BigInt>| bound.as_ref().map(|bound| bound * factor);
        if *factor == BigInt::from(0) {
            Interval::exactly(0)
        } else if *factor > BigInt::from(0) {
            Interval {
                lo: scale(&self.lo),
                hi: scale(&self.hi),
            }
        } else {
            Interval {
                lo: scale(&self.hi),
                hi: scale(&self.lo),
            }
        }
    }

    /// The only number in it, if there is only one.
    pub fn as_point(&self) -> Option<&BigInt> {
        self.lo.as_ref().filter(|_| self.lo == self.hi)
    }

    /// Whether every number here is less than every number there (or equal, unless `strict`).
    pub fn below(&self, other: &Self, strict: bool) -> bool {
        match (&self.hi, &other.lo) {
            (Some(hi), Some(lo)) => hi < lo || (!strict && hi == lo),
            _ => false,
        }
    }

    pub fn at_most(bound: Option<BigInt>) -> Self {
        Interval { lo: None, hi: bound }
    }

    pub fn at_least(bound: Option<BigInt>) -> Self {
        Interval { lo: bound, hi: None }
    }

    /// Without one number, which changes only a bound that it is.
    pub fn without(&self, value: &BigInt) -> Option<Self> {
        if self.as_point() == Some(value) {
            return None;
        }
        let mut rest = self.clone();
        if rest.lo.as_ref() == Some(value) {
            rest.lo = Some(value + 1);
        }
        if rest.hi.as_ref() == Some(value) {
            rest.hi = Some(value - 1);
        }
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(lo: impl Into<Option<i32>>, hi: impl Into<Option<i32>>) -> Interval {
        Interval {
            lo: lo.into().map(BigInt::from),
            hi: hi.into().map(BigInt::from),
        }
    }

    #[test]
    fn operations_on_bounds() {
        assert_eq!(interval(1, 3).join(&interval(5, None)), interval(1, None));
        assert_eq!(interval(1, 3).meet(&interval(2, None)), Some(interval(2, 3)));
        assert_eq!(interval(1, 3).meet(&interval(4, None)), None);
        assert_eq!(interval(1, 3).add(&interval(None, 2)), interval(None, 5));
        assert_eq!(interval(1, 3).times(&BigInt::from(-2)), interval(-6, -2));
        assert_eq!(interval(1, 3).without(&BigInt::from(3)), Some(interval(1, 2)));
        assert_eq!(interval(3, 3).without(&BigInt::from(3)), None);
        assert!(interval(1, 3).below(&interval(3, 4), false));
        assert!(!interval(1, 3).below(&interval(3, 4), true));
    }

    #[test]
    fn widening_stops_at_zero() {
        assert_eq!(interval(2, 3).widen(&interval(1, 3)), interval(0, 3));
        assert_eq!(interval(2, 3).widen(&interval(-1, 4)), interval(None, None));
    }
}
