//! What is asked, under a name that says everything the answer depends on, and what was answered.

use std::borrow::Borrow;
use std::fmt;
use std::io;

use lariat_report::{
    AngelicReport, AngelicRequest, BoogieReport, BoogieRequest, ConformReport, ConformRequest, Partition,
    UnknownCause, Verdict, VerifyReport, VerifyRequest,
};
use lariat_worker::{Ending, Order, Outcome, Request, StopSignal, Supervisor};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::build::hexadecimal;
use crate::program::Program;

/// One request with its limits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    Verify(Box<Order<VerifyRequest>>),
    Angelic(Box<Order<AngelicRequest>>),
    Boogie(Box<Order<BoogieRequest>>),
    Conform(Box<Order<ConformRequest>>),
}

/// How a request was answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Verify(Box<Outcome<VerifyReport>>),
    Angelic(Box<Outcome<AngelicReport>>),
    Boogie(Box<Outcome<BoogieReport>>),
    Conform(Box<Outcome<ConformReport>>),
}

impl Work {
    /// Does the work in a child of `supervisor`.
    pub fn run(&self, supervisor: &Supervisor, stop: &StopSignal) -> io::Result<Answer> {
        Ok(match self {
            Work::Verify(order) => Answer::Verify(Box::new(supervisor.run(order, stop, &mut |_| {})?)),
            Work::Angelic(order) => Answer::Angelic(Box::new(supervisor.run(order, stop, &mut |_| {})?)),
            Work::Boogie(order) => Answer::Boogie(Box::new(supervisor.run(order, stop, &mut |_| {})?)),
            Work::Conform(order) => Answer::Conform(Box::new(supervisor.run(order, stop, &mut |_| {})?)),
        })
    }

    /// Whether another machine can do it: the files that it reads are known. Requests of the other kinds name files inside of
    /// files, and are done where they are asked.
    pub fn can_travel(&self) -> bool {
        match self {
            Work::Verify(order) => order.request.c.compile_commands.is_none(),
            Work::Angelic(order) => order.request.program.c.compile_commands.is_none(),
            Work::Boogie(_) | Work::Conform(_) => false,
        }
    }

    /// The answer of a worker that will not do the work, whoever asks.
    pub(crate) fn refused(&self, reason: &str) -> Answer {
        let mut answer = self.given_up(reason);
        match &mut answer {
            Answer::Verify(outcome) => {
                outcome.ending = Ending::Finished;
                outcome.report.verdict = Verdict::unknown(UnknownCause::Unsupported, reason);
            }
            Answer::Angelic(outcome) => {
                outcome.ending = Ending::Finished;
                outcome.report.unfinished = Some(reason.to_owned());
            }
            Answer::Boogie(_) | Answer::Conform(_) => {}
        }
        answer
    }

    /// The answer if whoever does the work dies of it.
    pub(crate) fn given_up(&self, reason: &str) -> Answer {
        let ending = Ending::Died(reason.to_owned());
        fn outcome<R: Request>(order: &Order<R>, ending: Ending) -> Box<Outcome<R::Report>> {
            Box::new(Outcome {
                report: order.request.unfinished(None, &ending),
                ending,
                seconds: 0.0,
                peak_memory_bytes: 0,
                processor_seconds: None,
            })
        }
        match self {
            Work::Verify(order) => Answer::Verify(outcome(order, ending)),
            Work::Angelic(order) => Answer::Angelic(outcome(order, ending)),
            Work::Boogie(order) => Answer::Boogie(outcome(order, ending)),
            Work::Conform(order) => Answer::Conform(outcome(order, ending)),
        }
    }

    /// Searches that may be split are handed over in parts.
    pub(crate) fn hand_over(&mut self) {
        if let Work::Verify(order) = self {
            order.request.hand_over = order.request.search.split.is_some();
        }
    }

    /// Whether it can be split.
    pub(crate) fn hands_over(&self) -> bool {
        matches!(self, Work::Verify(order) if order.request.hand_over)
    }

    /// The program, for work that can travel.
    pub(crate) fn program(&self) -> Option<&VerifyRequest> {
        match self {
            Work::Verify(order) => Some(&order.request),
            Work::Angelic(order) => Some(&order.request.program),
            Work::Boogie(_) | Work::Conform(_) => None,
        }
    }

    pub(crate) fn program_mut(&mut self) -> Option<&mut VerifyRequest> {
        match self {
            Work::Verify(order) => Some(&mut order.request),
            Work::Angelic(order) => Some(&mut order.request.program),
            Work::Boogie(_) | Work::Conform(_) => None,
        }
    }

    /// The memory that it may take, at most `share`.
    pub(crate) fn limit_memory(&mut self, share: u64) {
        let limit = match self {
            Work::Verify(order) => &mut order.memory_limit_bytes,
            Work::Angelic(order) => &mut order.memory_limit_bytes,
            Work::Boogie(order) => &mut order.memory_limit_bytes,
            Work::Conform(order) => &mut order.memory_limit_bytes,
        };
        *limit = Some(limit.map_or(share, |limit| limit.min(share)));
    }
}

impl Answer {
    pub fn ending(&self) -> &Ending {
        match self {
            Answer::Verify(outcome) => &outcome.ending,
            Answer::Angelic(outcome) => &outcome.ending,
            Answer::Boogie(outcome) => &outcome.ending,
            Answer::Conform(outcome) => &outcome.ending,
        }
    }
}

/// The name of a task: a hash of everything that its answer depends on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(String);

impl TaskId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for TaskId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A task as it travels. Paths in it are absolute paths on the machine of the coordinator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The build of Lariat that asks; another one must not answer.
    pub build: String,
    pub work: Work,
    pub program: Program,
}

impl Task {
    /// The tasks that are to be done instead, if the answer says so. They have the time that is left.
    pub(crate) fn children(&self, answer: &Answer) -> Vec<Task> {
        let (Work::Verify(order), Answer::Verify(outcome)) = (&self.work, answer) else {
            return Vec::new();
        };
        let Some(halves) = &outcome.report.split else {
            return Vec::new();
        };
        let left = order
            .time_limit_seconds
            .map(|limit| (limit - outcome.seconds).ceil().max(1.0));
        let child = |partition: &Partition| {
            let mut order = order.clone();
            order.request.partition = partition.clone();
            order.time_limit_seconds = left;
            Task {
                work: Work::Verify(order),
                ..self.clone()
            }
        };
        vec![child(&halves.blocked), child(&halves.reached)]
    }

    pub fn id(&self) -> Result<TaskId, serde_json::Error> {
        let text = serde_json::to_vec(self)?;
        Ok(TaskId(hexadecimal(&Sha256::digest(text))[..32].to_owned()))
    }
}
