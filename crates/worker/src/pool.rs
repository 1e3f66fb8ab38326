//! Many tasks on a few threads, each of which waits for a child.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use crate::stop::StopSignal;

/// What happens to a task of a pool, by its number.
#[derive(Debug)]
pub enum TaskEvent<T> {
    Started(usize),
    Finished(usize, T),
}

/// Does `tasks` tasks, at most `jobs` at a time and in their order. `observe` sees what happens on the thread of the caller.
///
/// After a stop no task is started, and those that run have no result. The first error, of a task or of `observe`, stops
/// the others and is returned.
pub fn run_tasks<T: Send, E: From<io::Error>>(
    tasks: usize,
    jobs: usize,
    stop: &StopSignal,
    work: impl Fn(usize) -> io::Result<T> + Sync,
    observe: &mut dyn FnMut(TaskEvent<T>) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, events) = channel();
    let mut failure = None;
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, tasks.max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !stop.is_requested() {
                    let task = next.fetch_add(1, Ordering::Relaxed);
                    if task >= tasks {
                        return;
                    }
                    // The receiver outlives the threads, so sending does not fail.
                    let _ = sender.send(Ok(TaskEvent::Started(task)));
                    let event = match work(task) {
                        // What was interrupted has no result worth keeping.
                        Ok(_) if stop.is_requested() => return,
                        Ok(result) => Ok(TaskEvent::Finished(task, result)),
                        Err(error) => Err(error),
                    };
                    let _ = sender.send(event);
                }
            });
        }
        drop(sender);
        for event in events {
            let seen = event.map_err(E::from).and_then(&mut *observe);
            if let Err(error) = seen {
                failure.get_or_insert(error);
                stop.request();
            }
        }
    });
    failure.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(tasks: usize, jobs: usize, stop: &StopSignal) -> io::Result<Vec<(usize, usize)>> {
        let mut seen = Vec::new();
        let square = |task: usize| match task {
            13 => Err(io::Error::other("unlucky")),
            _ => Ok(task * task),
        };
        run_tasks(tasks, jobs, stop, square, &mut |event| {
            if let TaskEvent::Finished(task, result) = event {
                seen.push((task, result));
            }
            Ok::<(), io::Error>(())
        })?;
        seen.sort_unstable();
        Ok(seen)
    }

    #[test]
    fn every_task_is_done_once() {
        let expected: Vec<(usize, usize)> = (0..10).map(|task| (task, task * task)).collect();
        for jobs in [0, 1, 3, 20] {
            let seen = finished(10, jobs, &StopSignal::new());
            assert_eq!(seen.ok().as_ref(), Some(&expected), "{jobs} jobs");
        }
        assert_eq!(finished(0, 4, &StopSignal::new()).ok(), Some(Vec::new()));
    }

    #[test]
    fn an_error_stops_the_others() {
        let stop = StopSignal::new();
        let error = finished(100, 2, &stop).expect_err("task 13 fails");
        assert_eq!(error.to_string(), "unlucky");
        assert!(stop.is_requested());
    }

    #[test]
    fn after_a_stop_nothing_is_started() {
        let stop = StopSignal::new();
        stop.request();
        assert_eq!(finished(5, 2, &stop).ok(), Some(Vec::new()));
    }
}
