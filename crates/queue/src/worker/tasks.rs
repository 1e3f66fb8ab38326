//! The tasks whose processes run, so that each can be stopped or asked to split.

use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use lariat_worker::StopSignal;

use super::{Lease, Worker};
use crate::connection::{CANCEL, consumer_name};
use crate::task::TaskId;

/// A task whose process runs.
#[derive(Clone)]
pub(super) struct RunningTask {
    run: String,
    id: TaskId,
    pub stop: StopSignal,
    can_split: bool,
}

impl Worker<'_> {
    fn tasks(&self) -> MutexGuard<'_, Vec<RunningTask>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, lease: &Lease, can_split: bool) -> RunningTask {
        let running = RunningTask {
            run: lease.run.clone(),
            id: lease.id.clone(),
            stop: StopSignal::new(),
            can_split,
        };
        self.tasks().push(running.clone());
        running
    }

    pub(super) fn end(&self, running: &RunningTask) {
        let is_other = |task: &RunningTask| (&task.run, &task.id) != (&running.run, &running.id);
        self.tasks().retain(is_other);
    }

    /// As urgently as this worker is asked to.
    pub(super) fn stop_tasks(&self) {
        for task in self.tasks().iter() {
            if !task.stop.is_requested() {
                task.stop.request();
            }
            if self.stop.is_urgent() && !task.stop.is_urgent() {
                task.stop.request();
            }
        }
    }

    /// Nobody needs the answer of a task any more.
    pub(super) fn cancel(&self, subject: &str) {
        let is_meant = |task: &&RunningTask| subject == format!("{CANCEL}.{}.{}", task.run, task.id);
        if let Some(task) = self.tasks().iter().find(is_meant) {
            task.stop.request();
            task.stop.request();
        }
    }

    /// Where workers wait and no task does, as many of our tasks are asked to split. They do so if they turn out to be hard.
    pub(super) fn ask_to_split(&self) {
        let splittable: Vec<StopSignal> = {
            let tasks = self.tasks();
            let can = tasks.iter().filter(|task| task.can_split);
            can.map(|task| task.stop.clone()).collect()
        };
        if splittable.is_empty() {
            return;
        }
        let name = consumer_name(&self.options.build);
        let info = self.connection.block_on(async {
            let info = self.connection.tasks.consumer_info(name);
            tokio::time::timeout(Duration::from_secs(2), info).await
        });
        let Ok(Ok(info)) = info else {
            return;
        };
        if info.num_pending == 0 {
            for task in splittable.iter().take(info.num_waiting) {
                task.ask_to_split();
            }
        }
    }
}
