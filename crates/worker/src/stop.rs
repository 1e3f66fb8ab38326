//! A request to stop, shared between the signal handler and the run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts the requests to stop. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    requests: Arc<AtomicU32>,
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
}
