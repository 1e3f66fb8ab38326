//! One run in a child process, with its progress on the terminal and Ctrl-C.

use lariat_report::{LogText, Progress};
use lariat_worker::{Observation, Order, Outcome, Request, StopSignal, Supervisor};

use crate::arguments::{Arguments, WorkerTask};
use crate::exit::ExitCode;
use crate::progress::RunProgress;
use crate::say;

/// Does what is ordered; `log` is given the text of stages. An error means that there was no child, which was told.
pub fn supervise<R: Request>(
    task: WorkerTask,
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
    let supervised = Supervisor::of_this_program(["__worker", task.word()]).and_then(|supervisor| {
        supervisor.run(order, stop, &mut |observation| match observation {
            Observation::Progress(Progress::Update(update)) => progress.update(&update),
            Observation::Progress(Progress::Angelic(update)) => progress.angelic(&update),
            Observation::Progress(Progress::Conform(update)) => progress.conform(&update),
            Observation::Progress(Progress::Log(text)) => progress.suspend(|| log(&text)),
            Observation::Progress(
                Progress::Partial(_) | Progress::AngelicPartial(_) | Progress::ConformPartial(_),
            ) => {}
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
