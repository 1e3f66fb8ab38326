//! What a coordinator sees of a queue, and the queue without any machinery.

use std::io;

use lariat_worker::{StopSignal, Supervisor, TaskEvent, run_tasks};

use crate::error::QueueError;
use crate::status::QueueStatus;
use crate::task::{Answer, Work};

/// What happens in a queue. Work is named by its number.
#[derive(Debug)]
pub enum QueueEvent {
    Started(usize),
    /// The answer, and how often the work was given to somebody again.
    Finished {
        number: usize,
        answer: Answer,
        redeliveries: u64,
    },
    /// How the queue is doing.
    Status(QueueStatus),
    /// Something that the user should know: a server that does not answer, say.
    Remark(String),
}

/// Adds to the answer to the work with this number what only this machine can.
pub type Complete<'a> = dyn Fn(usize, &mut Answer) -> io::Result<()> + Sync + 'a;

/// Does many things, each once.
pub trait Queue {
    /// Does `work`. Answers are completed by `complete` on this machine, several at a time. The events come on the thread of
    /// the caller; each number is finished once unless `stop` ends the run. The first error, of the queue or of `observe`,
    /// ends the run too.
    fn run(
        &mut self,
        work: &[Work],
        complete: &Complete<'_>,
        stop: &StopSignal,
        observe: &mut dyn FnMut(QueueEvent) -> Result<(), QueueError>,
    ) -> Result<(), QueueError>;
}

/// Children of this process, a few at a time and in the order of the work.
#[derive(Clone, Debug)]
pub struct InProcess {
    pub supervisor: Supervisor,
    pub jobs: usize,
}

impl Queue for InProcess {
    fn run(
        &mut self,
        work: &[Work],
        complete: &Complete<'_>,
        stop: &StopSignal,
        observe: &mut dyn FnMut(QueueEvent) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        let supervisor = self.supervisor.clone().with_jobs(self.jobs.min(work.len()));
        run_tasks(
            work.len(),
            self.jobs,
            stop,
            |number| {
                let mut answer = work[number].run(&supervisor, stop)?;
                if !stop.is_requested() {
                    complete(number, &mut answer)?;
                }
                Ok(answer)
            },
            &mut |event| {
                observe(match event {
                    TaskEvent::Started(number) => QueueEvent::Started(number),
                    TaskEvent::Finished(number, answer) => QueueEvent::Finished {
                        number,
                        answer,
                        redeliveries: 0,
                    },
                })
            },
        )
    }
}
