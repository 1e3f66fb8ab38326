//! Sets of states of one system.
//!
//! Invariant: the states are sorted, without repetition. The space is that of the members, however many states the system has:
//! most sets of a specification have one or two.

use crate::lts::StateId;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct StateSet {
    sorted: Box<[StateId]>,
}

impl StateSet {
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The state with the smallest number.
    pub fn first(&self) -> Option<StateId> {
        self.sorted.first().copied()
    }

    pub fn contains(&self, state: StateId) -> bool {
        self.sorted.binary_search(&state).is_ok()
    }

    pub fn is_subset(&self, other: &StateSet) -> bool {
        if self.sorted.len() > other.sorted.len() {
            return false;
        }
        let mut others = other.sorted.iter();
        self.sorted
            .iter()
            .all(|own| others.find(|other| *other >= own) == Some(own))
    }

    /// The states in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = StateId> {
        self.sorted.iter().copied()
    }
}

impl FromIterator<StateId> for StateSet {
    fn from_iter<I: IntoIterator<Item = StateId>>(states: I) -> Self {
        let mut sorted: Vec<StateId> = states.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        StateSet {
            sorted: sorted.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;

    use super::*;

    fn set(numbers: &[usize]) -> StateSet {
        numbers.iter().map(|&number| StateId::new(number)).collect()
    }

    #[test]
    fn states_come_back_in_order() {
        assert!(StateSet::default().is_empty());
        let some = set(&[129, 0, 64, 63, 64]);
        let indices: Vec<usize> = some.iter().map(EntityRef::index).collect();
        assert_eq!(indices, [0, 63, 64, 129]);
        assert_eq!(some.first(), Some(StateId::new(0)));
        assert!(some.contains(StateId::new(63)) && !some.contains(StateId::new(62)));
    }

    #[test]
    fn subsets() {
        let some = set(&[0, 63, 64, 129]);
        let larger = set(&[0, 5, 63, 64, 129]);
        assert!(some.is_subset(&larger) && !larger.is_subset(&some));
        assert!(some.is_subset(&some) && StateSet::default().is_subset(&some));
        assert!(!set(&[1]).is_subset(&larger) && !set(&[0, 130]).is_subset(&larger));
    }
}
