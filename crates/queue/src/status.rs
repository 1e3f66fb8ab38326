//! How the queue is doing, for everybody who uses the server.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use lariat_worker::StopSignal;
use serde::{Deserialize, Serialize};

use crate::connection::{CONTROL, Connection, FILES, RESULTS, consumer_name};
use crate::error::QueueError;

/// A worker as it describes itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Machine and process.
    pub name: String,
    pub build: String,
    pub jobs: usize,
    pub running: usize,
    pub done: u64,
}

/// How a queue is doing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct QueueStatus {
    /// By name.
    pub workers: Vec<WorkerStatus>,
    pub waiting: u64,
    pub running: u64,
    /// Of those that wait or run, how many were given to somebody before.
    pub redelivered: u64,
    /// How often the run that asks has been split so far.
    #[serde(default)]
    pub splits: u64,
}

impl QueueStatus {
    /// What would make it faster, in words.
    pub fn bottleneck(&self) -> &'static str {
        let jobs: usize = self.workers.iter().map(|worker| worker.jobs).sum();
        let running: usize = self.workers.iter().map(|worker| worker.running).sum();
        if self.workers.is_empty() {
            "there is no worker"
        } else if self.waiting == 0 && self.running == 0 {
            "there is nothing to do"
        } else if self.waiting > 0 && running >= jobs {
            "more workers would help"
        } else if self.waiting == 0 && running < jobs {
            "the last tasks are running"
        } else {
            "tasks come as fast as they are done"
        }
    }
}

/// The state of all tasks, or of those for workers of one build.
pub fn status(connection: &Connection, build: Option<&str>) -> Result<QueueStatus, QueueError> {
    let failed = |error: &(dyn std::error::Error + 'static)| {
        QueueError::server(&format!("{} does not tell its state", connection.shown()), error)
    };
    connection.block_on(async {
        let mut status = QueueStatus {
            workers: workers(connection).await,
            ..QueueStatus::default()
        };
        match build {
            Some(build) => {
                status.workers.retain(|worker| worker.build == build);
                // Without a consumer there was no worker yet; the tasks wait.
                if let Ok(info) = connection.tasks.consumer_info(consumer_name(build)).await {
                    status.waiting = info.num_pending;
                    status.running = info.num_ack_pending as u64;
                    status.redelivered = info.num_redelivered as u64;
                }
            }
            None => {
                let info = connection
                    .tasks
                    .get_info()
                    .await
                    .map_err(|error| failed(&error))?;
                let mut consumers = connection.tasks.consumers();
                while let Some(Ok(consumer)) = consumers.next().await {
                    status.running += consumer.num_ack_pending as u64;
                    status.redelivered += consumer.num_redelivered as u64;
                }
                status.waiting = info.state.messages.saturating_sub(status.running);
            }
        }
        Ok(status)
    })
}

/// Workers that were heard of lately, by name.
pub(crate) async fn workers(connection: &Connection) -> Vec<WorkerStatus> {
    let mut found = Vec::new();
    let Ok(mut keys) = connection.workers.keys().await else {
        return found;
    };
    while let Some(Ok(key)) = keys.next().await {
        if let Ok(Some(value)) = connection.workers.get(&key).await {
            found.extend(serde_json::from_slice::<WorkerStatus>(&value).ok());
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// Asks all workers to finish what they do and to leave. Tasks that wait stay. Says how many workers there are still when
/// the time is over.
pub fn drain(connection: &Connection, patience: Duration, stop: &StopSignal) -> Result<usize, QueueError> {
    let started = Instant::now();
    loop {
        let left = connection.block_on(workers(connection)).len();
        if left == 0 || started.elapsed() > patience || stop.is_requested() {
            return Ok(left);
        }
        connection.patiently("cannot ask the workers", stop, || {
            connection.client.publish(CONTROL, "drain".into())
        })?;
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Removes all tasks, answers and files, and says how many tasks there were. Whatever runs is done in vain.
pub fn purge(connection: &Connection) -> Result<u64, QueueError> {
    let failed = |error: &(dyn std::error::Error + 'static)| {
        QueueError::server(&format!("{} does not purge", connection.shown()), error)
    };
    connection.block_on(async {
        let purged = connection.tasks.purge().await.map_err(|error| failed(&error))?;
        for bucket in [RESULTS, FILES] {
            let stream = connection.context.get_stream(format!("KV_{bucket}")).await;
            let stream = stream.map_err(|error| failed(&error))?;
            stream.purge().await.map_err(|error| failed(&error))?;
        }
        let objects = connection
            .context
            .get_stream(format!("OBJ_{}", crate::connection::OBJECTS))
            .await;
        let objects = objects.map_err(|error| failed(&error))?;
        objects.purge().await.map_err(|error| failed(&error))?;
        Ok(purged.purged)
    })
}
