//! Random numbers that depend on the seed only.

/// A seeded generator: the same seed gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    /// A number from `first` to `last`, both included.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        self.0.i64(first..=last)
    }

    /// True once in `n` times on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Either, equally often.
    pub fn flip(&mut self) -> bool {
        self.0.bool()
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        *self.choose(items)
    }

    /// Like [`Random::pick`], for items that are not copied.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_gives_one_sequence() {
        let numbers = |seed| -> Vec<usize> {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.below(1000)).collect()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }

    #[test]
    fn every_item_is_picked_in_the_end() {
        let mut random = Random::new(1);
        let mut seen = [false; 5];
        for _ in 0..1000 {
            seen[random.pick(&[0, 1, 2, 3, 4])] = true;
        }
        assert_eq!(seen, [true; 5]);
        assert!((0..1000).all(|_| (-3..=3).contains(&random.between(-3, 3))));
    }
}
