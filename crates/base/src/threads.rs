//! Threads for work that may recurse deeply, as the solver does.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Address space reserved for the stack of such a thread, largest first. Memory is used only as deep
/// as the recursion goes.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

/// Starts a thread with the largest stack that can be had.
pub fn spawn_with_big_stack<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    // A spawn consumes its closure even if it fails, so the work is handed over by a cell.
    let work = Arc::new(Mutex::new(Some(work)));
    let mut failure = io::Error::other("no stack size to try");
    for size in STACK_SIZES {
        let work = Arc::clone(&work);
        let spawned = Builder::new()
            .name(name.to_owned())
            .stack_size(size)
            .spawn_scoped(scope, move || {
                let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
                work.expect("only the one thread that was started takes the work")()
            });
        match spawned {
            Ok(handle) => return Ok(handle),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(left: u32) -> u32 {
        let frame = std::hint::black_box([left; 256]);
        if left == 0 {
            0
        } else {
            depth(left - 1) + u32::from(frame[0] == left)
        }
    }

    #[test]
    fn the_stack_holds_more_than_that_of_a_plain_thread() {
        // About 50 MB; a plain thread has 2 MB.
        let reached = std::thread::scope(|scope| {
            spawn_with_big_stack(scope, "deep", || depth(50_000))
                .expect("a thread")
                .join()
        });
        assert_eq!(reached.expect("no overflow"), 50_000);
    }
}
