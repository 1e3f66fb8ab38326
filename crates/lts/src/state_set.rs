//! Sets of states of one system as bit vectors.
//!
//! Invariant: two sets of the same system have the same number of words, so that equal sets are
//! equal as values.

use cranelift_entity::EntityRef;

use crate::lts::StateId;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateSet {
    words: Box<[u64]>,
}

impl StateSet {
    /// The empty set of states of a system with so many states.
    pub fn empty(states: usize) -> Self {
        StateSet {
            words: vec![0; states.div_ceil(64)].into(),
        }
    }

    /// Whether the state was new.
    pub fn insert(&mut self, state: StateId) -> bool {
        let (word, bit) = (state.index() / 64, 1 << (state.index() % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    pub fn contains(&self, state: StateId) -> bool {
        self.words
            .get(state.index() / 64)
            .is_some_and(|word| word & (1 << (state.index() % 64)) != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub fn is_subset(&self, other: &StateSet) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .all(|(&mine, &others)| mine & !others == 0)
    }

    /// The states in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = StateId> {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| StateId::new(index * 64 + rest.trailing_zeros() as usize))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_in_order() {
        let mut set = StateSet::empty(130);
        assert!(set.is_empty());
        for index in [129, 0, 64, 63] {
            assert!(set.insert(StateId::new(index)));
        }
        assert!(!set.insert(StateId::new(64)));
        let indices: Vec<usize> = set.iter().map(EntityRef::index).collect();
        assert_eq!(indices, [0, 63, 64, 129]);
        let mut larger = set.clone();
        larger.insert(StateId::new(5));
        assert!(set.is_subset(&larger) && !larger.is_subset(&set));
    }
}
