//! A request to stop, or to split, shared between the signal handler or whoever gives out work and the run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts the requests to stop, and to split. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    requests: Arc<AtomicU32>,
    splits: Arc<AtomicU32>,
}

impl StopSignal {
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests a stop, once more.
    pub fn request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Work should end with the best answer so far.
    pub fn is_requested(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 0
    }

    /// Work should end at once: the user has asked a second time.
    pub fn is_urgent(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 1
    }

    /// Asks the run to end with two parts of its work instead of an answer, if it can: somebody else waits for work.
    pub fn ask_to_split(&self) {
        self.splits.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn is_asked_to_split(&self) -> bool {
        self.splits.load(Ordering::Relaxed) > 0
    }
}
