//! The user's wish to stop, shared between a signal handler and whatever runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts how often a stop was asked for. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    requests: Arc<AtomicU32>,
}

impl StopSignal {
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks once more.
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
}
