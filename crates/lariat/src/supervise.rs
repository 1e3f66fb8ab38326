//! One run in a child process, with its progress on the terminal and Ctrl-C.

use lariat_report::LogText;
use lariat_worker::{Observation, Order, Outcome, Request, StopSignal, Supervisor};

use crate::arguments::Arguments;
use crate::exit::ExitCode;
use crate::progress::RunProgress;
use crate::say;

/// Runs the order in a child process; `log` gets the text of stages. An error means that no child could be started; the
/// message is printed already.
pub fn supervise<R: Request>(
    order: &Order<R>,
    stop: &StopSignal,
    common: &Arguments,
    log: &mut dyn FnMut(&LogText),
) -> Result<Outcome<R::Report>, ExitCode> {
    let handler_stop = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || handler_stop.request()) {
        say::warning(&format!("Ctrl-C will end the run without an answer: {error}"));
    }
    let progress = RunProgress::new(!common.no_progress && !common.quiet);
    let supervised = Supervisor::of_this_program(["__worker"]).and_then(|supervisor| {
        supervisor.run(order, stop, &mut |observation| match observation {
            Observation::Update(update) => progress.update(update),
            Observation::Log(text) => progress.suspend(|| log(&text)),
            Observation::Memory(bytes) => progress.memory(bytes),
        })
    });
    progress.finish();
    supervised.map_err(|error| {
        say::error(&format!(
            "the process that does the work cannot be started: {error}"
        ));
        ExitCode::NoAnswer
    })
}
