//! The answers to the parts of a search that was split, until they are all there.

use std::collections::HashSet;
use std::time::Instant;

use lariat_report::VerifyReport;
use lariat_worker::Outcome;

use crate::task::{Answer, TaskId};

/// The parts of one task: only itself, as long as it is not split.
pub(crate) struct Parts {
    started: Instant,
    /// Those without an answer.
    open: HashSet<TaskId>,
    done: Vec<Outcome<VerifyReport>>,
    /// How often tasks were given to somebody again.
    pub redeliveries: u64,
}

impl Parts {
    pub fn new(whole: TaskId) -> Self {
        Parts {
            started: Instant::now(),
            open: [whole].into(),
            done: Vec::new(),
            redeliveries: 0,
        }
    }

    pub fn split(&mut self, id: &TaskId, children: &[TaskId]) {
        if self.open.remove(id) {
            self.open.extend(children.iter().cloned());
        }
    }

    /// The answer to the whole, if it is known with this one: a violation in one part is one of the whole.
    pub fn add(&mut self, id: &TaskId, answer: Answer) -> Option<Answer> {
        if !self.open.remove(id) {
            return None;
        }
        let outcome = match answer {
            Answer::Verify(outcome) if !self.open.is_empty() || !self.done.is_empty() => *outcome,
            whole => return Some(whole),
        };
        let is_bug = outcome.report.verdict.is_bug();
        self.done.push(outcome);
        (is_bug || self.open.is_empty())
            .then(|| self.combined())
            .flatten()
    }

    /// Those whose answer is not needed any more, when the whole has one.
    pub fn open(&self) -> impl Iterator<Item = TaskId> {
        self.open.iter().cloned().collect::<Vec<_>>().into_iter()
    }

    fn combined(&mut self) -> Option<Answer> {
        let peak_memory_bytes = self.done.iter().map(|part| part.peak_memory_bytes).max()?;
        let processor_seconds = self.done.iter().map(|part| part.processor_seconds).sum();
        let ending = {
            let overall = lariat_report::Verdict::overall(self.done.iter().map(|part| &part.report.verdict))?;
            let decisive = self.done.iter().find(|part| part.report.verdict == overall)?;
            decisive.ending.clone()
        };
        let reports = std::mem::take(&mut self.done);
        let mut report = VerifyReport::of_parts(reports.into_iter().map(|part| part.report).collect())?;
        let seconds = self.started.elapsed().as_secs_f64();
        report.stats.total_seconds = seconds;
        Some(Answer::Verify(Box::new(Outcome {
            report,
            ending,
            seconds,
            peak_memory_bytes,
            processor_seconds,
        })))
    }
}
