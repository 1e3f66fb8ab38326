//! The child's end: reads the order, does the work on a big stack, reports.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_report::Progress;
use serde::Serialize;

use crate::protocol::{Message, Order, PanicReport};
use crate::request::Request;

/// Updates that follow each other faster than this and tell of nothing but figures are dropped.
const UPDATE_INTERVAL: Duration = Duration::from_millis(50);

/// How long the work may go on after it was asked to stop.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// Serves one order: reads it from `input`, answers on `output`, and stops when `input` ends.
/// `give_up` must end the process; it is called if the work does not stop when asked to.
///
/// This is the main function of a process of its own: it sets the panic hook.
pub fn serve<R, W>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    give_up: impl FnOnce() + Send + 'static,
    work: W,
) -> io::Result<()>
where
    R: Request,
    W: FnOnce(&R, &Budget, &mut dyn FnMut(Progress)) -> R::Report + Send + 'static,
{
    let last_panic = Arc::new(Mutex::new(None));
    remember_panics(Arc::clone(&last_panic));

    let mut input = BufReader::new(input);
    let mut line = String::new();
    input.read_line(&mut line)?;
    let order: Order<R> = serde_json::from_str(&line)?;
    let budget = order.budget();
    stop_at_end_of(input, budget.clone(), give_up);

    let output = Arc::new(Mutex::new(output));
    let mut reporter = Reporter {
        output: Arc::clone(&output),
        budget: budget.clone(),
        last_update: None,
    };
    let work = move || work(&order.request, &budget, &mut |progress| reporter.report(progress));
    let joined =
        thread::scope(|scope| Ok::<_, io::Error>(spawn_with_big_stack(scope, "work", work)?.join()))?;
    let message = match joined {
        Ok(report) => Message::Final(Box::new(report)),
        Err(_) => {
            let report = last_panic.lock().unwrap_or_else(PoisonError::into_inner).take();
            Message::Panic(report.unwrap_or_default())
        }
    };
    send(&output, &message)
}

/// Sends progress to the parent; a parent that is gone interrupts the work.
struct Reporter<W> {
    output: Arc<Mutex<W>>,
    budget: Budget,
    last_update: Option<(Instant, Progress)>,
}

impl<W: Write> Reporter<W> {
    fn report(&mut self, progress: Progress) {
        if matches!(
            progress,
            Progress::Update(_) | Progress::Angelic(_) | Progress::Conform(_)
        ) {
            let now = Instant::now();
            let is_news = |(last, before): &(Instant, Progress)| {
                now - *last >= UPDATE_INTERVAL || !tells_the_same(before, &progress)
            };
            if self.last_update.as_ref().is_some_and(|last| !is_news(last)) {
                return;
            }
            self.last_update = Some((now, progress.clone()));
        }
        if send(&self.output, &Message::<()>::Progress(progress)).is_err() {
            self.budget.interrupt();
        }
    }
}

/// Whether two updates differ in figures of effort only.
fn tells_the_same(before: &Progress, now: &Progress) -> bool {
    match (before, now) {
        (Progress::Update(before), Progress::Update(now)) => {
            (before.phase, &before.entry, before.bound) == (now.phase, &now.entry, now.bound)
        }
        (Progress::Angelic(before), Progress::Angelic(now)) => {
            (before.entries_done, &before.entry, before.warnings)
                == (now.entries_done, &now.entry, now.warnings)
        }
        (Progress::Conform(before), Progress::Conform(now)) => before.specification == now.specification,
        _ => false,
    }
}

fn send<W: Write>(output: &Mutex<W>, message: &Message<impl Serialize>) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    output.write_all(&line)?;
    output.flush()
}

fn remember_panics(last_panic: Arc<Mutex<Option<PanicReport>>>) {
    std::panic::set_hook(Box::new(move |info| {
        let report = PanicReport::new(info);
        *last_panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }));
}

/// Interrupts the work at the end of the input, and gives it up if it goes on nevertheless.
fn stop_at_end_of(
    mut input: impl Read + Send + 'static,
    budget: Budget,
    give_up: impl FnOnce() + Send + 'static,
) {
    thread::spawn(move || {
        let mut ignored = [0; 64];
        while matches!(input.read(&mut ignored), Ok(length) if length > 0) {}
        budget.interrupt();
        thread::sleep(STOP_GRACE);
        give_up();
    });
}
