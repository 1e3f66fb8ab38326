//! The child's end: reads the order, does the work on a big stack, reports.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_report::{Progress, ProgressUpdate};
use serde::Serialize;

use crate::protocol::{Message, Order, PanicReport};
use crate::request::Request;

/// Updates that follow each other faster than this and differ in counts of effort only are dropped.
const UPDATE_INTERVAL: Duration = Duration::from_millis(50);

/// How long the work may go on after it was asked to stop.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// How often a child that was asked to stop looks whether its parent is there.
const ORPHAN_INTERVAL: Duration = Duration::from_millis(20);

/// Serves one order: reads it from `input`, answers on `output`, and stops when `input` ends.
/// `give_up` must end the process; it is called if the work does not stop when asked to.
///
/// A panic of any thread is the answer, even if the work has come to an end without that thread: nothing that the threads
/// share can be trusted then. What was decided is sent before it.
///
/// This is the main function of the child process: it sets the panic hook.
pub fn serve<R, W>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    give_up: impl FnOnce() + Send + 'static,
    work: W,
) -> io::Result<()>
where
    R: Request,
    W: FnOnce(&R, &Budget, &mut dyn FnMut(Progress<R::Report>)) -> R::Report + Send + 'static,
{
    let parent = parent_id();
    let first_panic = Arc::new(Mutex::new(None));
    remember_panics(Arc::clone(&first_panic));

    let mut input = BufReader::new(input);
    let mut line = String::new();
    input.read_line(&mut line)?;
    let order: Order<R> = serde_json::from_str(&line)?;
    let budget = order.budget();
    stop_at_end_of(input, parent, budget.clone(), give_up);

    let output = Arc::new(Mutex::new(output));
    let mut reporter = Reporter {
        output: Arc::clone(&output),
        budget: budget.clone(),
        last_update: None,
    };
    let work = move || work(&order.request, &budget, &mut |progress| reporter.report(progress));
    let joined =
        thread::scope(|scope| Ok::<_, io::Error>(spawn_with_big_stack(scope, "work", work)?.join()))?;
    let panic = first_panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (joined, panic) {
        (Ok(report), None) => send(&output, &Message::Final(Box::new(report))),
        (joined, panic) => {
            if let Ok(report) = joined {
                send(&output, &Message::Progress(Progress::Partial(Box::new(report))))?;
            }
            send(&output, &Message::<R::Report>::Panic(panic.unwrap_or_default()))
        }
    }
}

/// Sends progress to the parent; a parent that is gone interrupts the work.
struct Reporter<W> {
    output: Arc<Mutex<W>>,
    budget: Budget,
    last_update: Option<(Instant, ProgressUpdate)>,
}

impl<W: Write> Reporter<W> {
    fn report<R: Serialize>(&mut self, progress: Progress<R>) {
        if let Progress::Update(update) = &progress {
            let now = Instant::now();
            let is_news = |(last, before): &(Instant, ProgressUpdate)| {
                now - *last >= UPDATE_INTERVAL || !update.shows_the_same(before)
            };
            if self.last_update.as_ref().is_some_and(|last| !is_news(last)) {
                return;
            }
            self.last_update = Some((now, update.clone()));
        }
        if send(&self.output, &Message::Progress(progress)).is_err() {
            self.budget.interrupt();
        }
    }
}

fn send<W: Write>(output: &Mutex<W>, message: &Message<impl Serialize>) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    output.write_all(&line)?;
    output.flush()
}

fn remember_panics(first_panic: Arc<Mutex<Option<PanicReport>>>) {
    std::panic::set_hook(Box::new(move |info| {
        let mut first = first_panic.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| PanicReport::new(info));
    }));
}

/// Hears of others who wait for work; interrupts the work at the end of the input, and gives up if it does not stop, or at once if `parent` has died.
fn stop_at_end_of(
    mut input: impl Read + Send + 'static,
    parent: u32,
    budget: Budget,
    give_up: impl FnOnce() + Send + 'static,
) {
    thread::spawn(move || {
        let mut text = [0; 64];
        while let Ok(length) = input.read(&mut text)
            && length > 0
        {
            // Each line says that somebody waits for work.
            let lines = text[..length].iter().filter(|&&byte| byte == b'\n');
            lines.for_each(|_| budget.idle().add());
        }
        budget.interrupt();
        let start = Instant::now();
        // Nobody waits for the answer of an orphan.
        while start.elapsed() < STOP_GRACE && parent_id() == parent {
            thread::sleep(ORPHAN_INTERVAL);
        }
        give_up();
    });
}

/// The process that has started this one, or that has taken it over.
fn parent_id() -> u32 {
    #[cfg(unix)]
    return std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    return 0;
}
