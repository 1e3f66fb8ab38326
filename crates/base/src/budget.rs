//! Time, memory, cores and cancellation: one value that every long loop asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::turns::Turn;

/// Why work had to stop before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    Time,
    Memory,
    Interrupted,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "time limit reached",
            Exhausted::Memory => "memory limit reached",
            Exhausted::Interrupted => "interrupted",
        })
    }
}

/// Whether and why a budget was ended: 0, or one more than the reason's number.
#[derive(Clone, Default, Debug)]
struct Stopped(Arc<AtomicU8>);

impl Stopped {
    fn reason(&self) -> Option<Exhausted> {
        let number = self.0.load(Ordering::Relaxed);
        [Exhausted::Time, Exhausted::Memory, Exhausted::Interrupted]
            .into_iter()
            .find(|&reason| reason as u8 + 1 == number)
    }
}

/// How many wait for work: as long as somebody does, searches that can be split are asked to. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct Idle(Arc<AtomicUsize>);

impl Idle {
    /// One more waits.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One of them has something to do.
    pub fn remove(&self) {
        // More need not have waited than were helped.
        let fewer = |count: usize| count.checked_sub(1);
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }

    pub fn is_any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

/// A shared limit on time and memory. Clones share the interruption flag.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    memory_limit: Option<u64>,
    /// `None`: those of the machine.
    cores: Option<usize>,
    stopped: Stopped,
    /// The flags of the budgets that this one is a part of.
    outer: Vec<Stopped>,
    /// Where a test wants a panic: `KIND` or `KIND:NAME`.
    fault: Option<Arc<str>>,
    idle: Idle,
    turn: Option<Arc<Turn>>,
}

impl Budget {
    pub fn unlimited() -> Self {
        Self::new(None, None)
    }

    /// A budget that starts now; the memory limit is in bytes of resident memory.
    pub fn new(time: Option<Duration>, memory_limit: Option<u64>) -> Self {
        let started = Instant::now();
        Budget {
            started,
            deadline: time.and_then(|time| started.checked_add(time)),
            memory_limit,
            cores: None,
            stopped: Stopped::default(),
            outer: Vec::new(),
            fault: None,
            idle: Idle::default(),
            turn: None,
        }
    }

    /// The same budget with a panic at a place that calls [`Budget::fault_point`], for tests of what panics do.
    pub fn with_fault(self, place: &str) -> Self {
        Budget {
            fault: Some(place.into()),
            ..self
        }
    }

    /// Panics if a test wants that at places of this kind, or at this one.
    pub fn fault_point(&self, kind: &str, name: &str) {
        let wanted = |fault: &str| match fault.split_once(':') {
            Some((wanted_kind, wanted_name)) => (wanted_kind, wanted_name) == (kind, name),
            None => fault == kind,
        };
        if self.fault.as_deref().is_some_and(wanted) {
            panic!("a test wants a panic in the {kind} `{name}`");
        }
    }

    /// Who waits for work beside those who have this budget.
    pub fn idle(&self) -> &Idle {
        &self.idle
    }

    /// The same budget with others who wait for work.
    pub fn with_idle(self, idle: Idle) -> Self {
        Budget { idle, ..self }
    }

    /// The same budget for a member that takes turns with others.
    pub fn with_turn(self, turn: Turn) -> Self {
        Budget {
            turn: Some(Arc::new(turn)),
            ..self
        }
    }

    /// Whether others use the same core in turns, so that nobody should work long without [`Budget::spend`].
    pub fn takes_turns(&self) -> bool {
        self.turn.is_some()
    }

    /// Counts so much more effort, and waits while others have their turn.
    pub fn spend(&self, effort: u64) -> Result<(), Exhausted> {
        if let Some(turn) = &self.turn {
            turn.spend(effort, &|| self.check().is_err());
        }
        self.check()
    }

    /// The same budget with so many cores.
    pub fn with_cores(self, cores: usize) -> Self {
        Budget {
            cores: Some(cores.max(1)),
            ..self
        }
    }

    /// How many threads should work at a time.
    pub fn cores(&self) -> usize {
        let of_machine = || std::thread::available_parallelism().map_or(1, usize::from);
        self.cores.unwrap_or_else(of_machine)
    }

    /// A part of this budget that can be interrupted on its own.
    pub fn part(&self) -> Self {
        let mut outer = self.outer.clone();
        outer.push(self.stopped.clone());
        Budget {
            stopped: Stopped::default(),
            outer,
            ..self.clone()
        }
    }

    /// The same budget with a deadline that is at most `time` from now.
    pub fn within(&self, time: Duration) -> Self {
        let deadline = Instant::now().checked_add(time);
        Budget {
            deadline: match (self.deadline, deadline) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            ..self.clone()
        }
    }

    /// Cheap enough for inner loops: looks at the clock and the flag, not at memory.
    pub fn check(&self) -> Result<(), Exhausted> {
        let stopped = std::iter::once(&self.stopped).chain(&self.outer);
        if let Some(reason) = stopped.filter_map(Stopped::reason).next() {
            return Err(reason);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Exhausted::Time),
            _ => Ok(()),
        }
    }

    /// Like [`Budget::check`], and reads the resident memory (a few microseconds).
    ///
    /// Too much memory ends the budget for good: whoever asks later learns the reason, even if the memory is free again.
    pub fn check_memory(&self) -> Result<(), Exhausted> {
        self.check()?;
        match self.memory_limit {
            Some(limit) if resident_memory().is_some_and(|used| used > limit) => {
                self.stop(Exhausted::Memory);
                Err(Exhausted::Memory)
            }
            _ => Ok(()),
        }
    }

    pub fn remaining(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    pub fn interrupt(&self) {
        self.stop(Exhausted::Interrupted);
    }

    /// Ends the budget for this reason.
    pub fn stop(&self, reason: Exhausted) {
        self.stopped.0.store(reason as u8 + 1, Ordering::Relaxed);
    }
}

/// Resident memory of this process in bytes, where the system reports it.
pub fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_noticed() {
        assert_eq!(Budget::unlimited().check_memory(), Ok(()));
        assert_eq!(
            Budget::new(Some(Duration::ZERO), None).check(),
            Err(Exhausted::Time)
        );
        let budget = Budget::new(None, Some(1));
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.part().check_memory(), Err(Exhausted::Memory));
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.clone().check_memory(), Err(Exhausted::Memory));
        assert_eq!(budget.check(), Err(Exhausted::Memory));
        let budget = Budget::unlimited();
        let part = budget.part();
        part.stop(Exhausted::Memory);
        assert_eq!(part.check(), Err(Exhausted::Memory));
        assert_eq!(budget.check(), Ok(()));
        let part = budget.part();
        budget.clone().interrupt();
        assert_eq!(budget.check(), Err(Exhausted::Interrupted));
        assert_eq!(part.check(), Err(Exhausted::Interrupted));
    }
}
