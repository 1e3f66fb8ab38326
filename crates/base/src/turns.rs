//! Turns: more members work than there are cores, and counts of effort decide whose turn it is.
//!
//! The one with the least effort so far has the next turn, with its head start subtracted; of equals, the one that joined
//! first. A turn ends when another member is [`SLICE`] behind. Whoever waits polls its own reason to stop.
//!
//! Invariants: at most `cores` members work at a time. With one core the order of turns depends on the counts only, never on
//! the clock. A member that has joined keeps its place until its [`Turn`] is dropped, even if its thread has not come yet:
//! so the order does not depend on which thread starts first. Threads that share a turn work at the same time.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A turn ends when the member is this much effort ahead of one that waits, about half a second of a solver's work.
const SLICE: u64 = 16_000_000;
/// How often one who waits looks whether it has to stop.
const PERIOD: Duration = Duration::from_millis(20);

/// Members that take turns.
#[derive(Clone, Debug)]
pub struct Turns(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    cores: usize,
    members: Mutex<Vec<Place>>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    effort: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Works,
    Waits,
    Left,
}

/// The place of one member. Dropping it leaves the others the core.
#[derive(Debug)]
pub struct Turn {
    shared: Arc<Shared>,
    index: usize,
}

impl Turns {
    pub fn new(cores: usize) -> Self {
        Turns(Arc::new(Shared {
            cores: cores.max(1),
            members: Mutex::default(),
            changed: Condvar::new(),
        }))
    }

    /// One more member. It starts as if it had spent `behind` more effort than the one that has spent least.
    pub fn join(&self, behind: u64) -> Turn {
        let mut members = self.0.lock();
        let staying = members.iter().filter(|place| place.state != State::Left);
        let least = staying.map(|place| place.effort).min().unwrap_or(0);
        members.push(Place {
            effort: least.saturating_add(behind),
            state: State::Waits,
        });
        Turn {
            shared: self.0.clone(),
            index: members.len() - 1,
        }
    }
}

impl Turn {
    /// Counts what the member has spent since the last call, and waits until it may go on, or must stop.
    pub fn spend(&self, effort: u64, must_stop: &dyn Fn() -> bool) {
        let mut members = self.shared.lock();
        members[self.index].effort = members[self.index].effort.saturating_add(effort);
        if self.shared.is_over(&members, self.index) {
            members[self.index].state = State::Waits;
            self.shared.changed.notify_all();
        }
        while members[self.index].state == State::Waits && !must_stop() {
            if self.shared.is_next(&members, self.index) {
                members[self.index].state = State::Works;
                break;
            }
            let waited = self.shared.changed.wait_timeout(members, PERIOD);
            members = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.shared.lock()[self.index].state = State::Left;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Vec<Place>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the turn of a member that works is over.
    fn is_over(&self, members: &[Place], index: usize) -> bool {
        let own = members[index].effort;
        let mut waiting = members.iter().filter(|place| place.state == State::Waits);
        members[index].state == State::Works && waiting.any(|place| place.effort.saturating_add(SLICE) <= own)
    }

    /// Whether a core is free and nobody else who waits comes first.
    fn is_next(&self, members: &[Place], index: usize) -> bool {
        let working = members.iter().filter(|place| place.state == State::Works);
        let place = |at: usize| (members[at].effort, at);
        let mut waiting = (0..members.len()).filter(|&at| members[at].state == State::Waits);
        working.count() < self.cores && waiting.all(|at| place(index) <= place(at))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{SLICE, Turns};

    const STEP: u64 = SLICE / 2;

    /// Who worked when, with these numbers of steps and head starts, on one core.
    fn order(members: &[(usize, u64)]) -> Vec<usize> {
        let turns = Turns::new(1);
        let order = Mutex::new(Vec::new());
        let places: Vec<_> = members.iter().map(|&(_, behind)| turns.join(behind)).collect();
        std::thread::scope(|scope| {
            for (index, (turn, &(steps, _))) in places.into_iter().zip(members).enumerate() {
                let order = &order;
                scope.spawn(move || {
                    turn.spend(0, &|| false);
                    for _ in 0..steps {
                        order.lock().unwrap().push(index);
                        turn.spend(STEP, &|| false);
                    }
                });
            }
        });
        order.into_inner().unwrap()
    }

    #[test]
    fn the_order_depends_on_the_counts_alone() {
        for _ in 0..20 {
            assert_eq!(order(&[(5, 0), (5, 0)]), [0, 0, 1, 1, 1, 1, 0, 0, 0, 1]);
        }
    }

    #[test]
    fn a_head_start_is_used_up_first() {
        assert_eq!(order(&[(5, 0), (2, 4 * STEP)]), [0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(order(&[(9, 0), (2, 4 * STEP)]), [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn who_comes_later_starts_beside_the_others() {
        let turns = Turns::new(1);
        let first = turns.join(0);
        first.spend(100 * SLICE, &|| false);
        let second = turns.join(0);
        // It has to wait, and must stop.
        second.spend(0, &|| true);
        // The first one goes on: the other is not behind.
        first.spend(STEP, &|| panic!("nobody is behind"));
    }

    #[test]
    fn who_leaves_gives_the_core_to_the_others() {
        let turns = Turns::new(1);
        let (first, second) = (turns.join(0), turns.join(0));
        first.spend(0, &|| false);
        std::thread::scope(|scope| {
            scope.spawn(move || second.spend(0, &|| false));
            drop(first);
        });
    }
}
