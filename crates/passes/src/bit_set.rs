//! Sets of small numbers, all below a size that is fixed when the set is made.

/// A set of numbers below its capacity. Sets that are combined have the same capacity.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        BitSet {
            words: vec![0; capacity.div_ceil(64)].into(),
        }
    }

    pub(crate) fn contains(&self, member: usize) -> bool {
        self.words[member / 64] >> (member % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, member: usize) {
        self.words[member / 64] |= 1 << (member % 64);
    }

    pub(crate) fn remove(&mut self, member: usize) {
        self.words[member / 64] &= !(1 << (member % 64));
    }

    /// Adds the other set; whether that added anything.
    pub(crate) fn union_with(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    pub(crate) fn intersect_with(&mut self, other: &BitSet) {
        for (word, &mask) in self.words.iter_mut().zip(&other.words) {
            *word &= mask;
        }
    }

    pub(crate) fn subtract(&mut self, other: &BitSet) {
        for (word, &mask) in self.words.iter_mut().zip(&other.words) {
            *word &= !mask;
        }
    }

    /// The members in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| index * 64 + bit)
        })
    }
}
