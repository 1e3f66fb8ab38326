//! A thread that interrupts the solver when the budget is used up.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use lariat_base::Budget;

use crate::context::InterruptHandle;

/// How often the budget is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// Interrupts a solver as soon as its budget is exhausted, and again until it is dropped: Z3 forgets
/// an interrupt that arrives between two checks.
pub struct Watchdog {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub fn start(budget: Budget, handle: InterruptHandle) -> Self {
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if budget.check_memory().is_err() {
                    handle.interrupt();
                }
            }
        });
        Watchdog {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // The thread ends within one period; it cannot have panicked.
            let _ = thread.join();
        }
    }
}
