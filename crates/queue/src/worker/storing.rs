//! What is kept of a task: its answer or the tasks that are done instead, and how often its process died.

use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::kv::CreateErrorKind;

use super::{Lease, Worker, WorkerEvent};
use crate::coordinator::{Stored, event_subject};
use crate::error::QueueError;
use crate::program::hash_of;
use crate::task::Answer;

/// Answers that are larger than this are stored as files.
const SMALL_ANSWER: usize = 512 << 10;

impl Worker<'_> {
    /// Stores answers as they come and acknowledges their tasks, while the next ones are worked on.
    pub(super) fn finish_all(&self, finished: &Receiver<(Lease, Answer)>) {
        for (lease, answer) in finished {
            if let Err(error) = self.finish(&lease, answer) {
                (self.observe)(WorkerEvent::Trouble(error.to_string()));
                self.wait_a_little();
            }
        }
    }

    /// Stores an answer, then acknowledges its task.
    fn finish(&self, lease: &Lease, answer: Answer) -> Result<(), QueueError> {
        let event = event_subject(&lease.run, &lease.id);
        let is_first = match self.store(lease, answer) {
            Ok(is_first) => is_first,
            Err(error) => {
                // Somebody may have more luck later.
                self.acknowledge(&lease.message, AckKind::Nak(Some(Duration::from_secs(2))));
                return Err(error);
            }
        };
        self.acknowledge(&lease.message, AckKind::Ack);
        self.tell(event, b"done");
        (self.observe)(match is_first {
            true => {
                self.done.fetch_add(1, Ordering::Relaxed);
                WorkerEvent::Finished(lease.id.clone())
            }
            false => WorkerEvent::Late(lease.id.clone()),
        });
        Ok(())
    }

    fn key(lease: &Lease) -> String {
        format!("{}.{}", lease.run, lease.id)
    }

    /// What is stored for a task that was given to somebody before.
    pub(super) fn stored(&self, lease: &Lease) -> Result<Option<Stored>, QueueError> {
        // The first delivery has no answer.
        if lease.deliveries == 1 {
            return Ok(None);
        }
        self.stored_at(&Self::key(lease))
    }

    fn stored_at(&self, key: &str) -> Result<Option<Stored>, QueueError> {
        let results = &self.connection.results;
        let found = self
            .connection
            .patiently("cannot ask for an answer", self.stop, || results.get(key))?;
        let broken =
            |error: serde_json::Error| QueueError::Server(format!("the answer {key} is broken: {error}"));
        let parsed = found.map(|value| serde_json::from_slice(&value).map_err(broken));
        parsed.transpose()
    }

    /// The tasks that are done instead of a task that was split are in the queue before it is acknowledged. Whoever comes to it
    /// after a worker that died in between submits them, too; those that have an answer are not done again.
    pub(super) fn submit_children(&self, lease: &Lease, stored: &Stored) -> Result<(), QueueError> {
        for child in &stored.children {
            let id = child.id().map_err(|error| QueueError::File(error.to_string()))?;
            if lease.deliveries > 1 && self.stored_at(&format!("{}.{id}", lease.run))?.is_some() {
                continue;
            }
            self.connection.publish_task(&lease.run, &id, child, self.stop)?;
        }
        Ok(())
    }

    /// How often the process of this task has died, now included.
    pub(super) fn count_crash(&self, lease: &Lease, reason: &str) -> Result<usize, QueueError> {
        let key = format!("{}.crashes", Self::key(lease));
        let results = &self.connection.results;
        let what = "cannot count a crash";
        let found = self
            .connection
            .patiently(what, self.stop, || results.get(key.clone()))?;
        let mut reasons: Vec<String> = found
            .and_then(|value| serde_json::from_slice(&value).ok())
            .unwrap_or_default();
        reasons.push(format!("{}: {reason}", self.options.name));
        let value = serde_json::to_vec(&reasons).unwrap_or_default();
        self.connection
            .patiently(what, self.stop, || results.put(&key, value.clone().into()))?;
        Ok(reasons.len())
    }

    /// Whether this answer is the first. Only that one stays.
    fn store(&self, lease: &Lease, answer: Answer) -> Result<bool, QueueError> {
        let broken = |error: serde_json::Error| QueueError::File(error.to_string());
        let children = lease.task.children(&answer);
        let mut stored = Stored {
            worker: self.options.name.clone(),
            deliveries: lease.deliveries,
            answer: children.is_empty().then_some(answer),
            object: None,
            children,
        };
        let mut value = serde_json::to_vec(&stored).map_err(broken)?;
        if value.len() > SMALL_ANSWER && stored.answer.is_some() {
            let text = serde_json::to_vec(&stored.answer.take()).map_err(broken)?;
            let hash = hash_of(&text);
            self.connection.put_blob(&hash, &text, self.stop)?;
            stored.object = Some((hash, text.len() as u64));
            value = serde_json::to_vec(&stored).map_err(broken)?;
        }
        let key = Self::key(lease);
        let is_first = self
            .connection
            .patiently("cannot store an answer", self.stop, || async {
                match self.connection.results.create(&key, value.clone().into()).await {
                    Ok(_) => Ok(true),
                    Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(false),
                    Err(error) => Err(error),
                }
            })?;
        match is_first {
            true => self.submit_children(lease, &stored)?,
            // Whoever was first may have died before it could do so.
            false => {
                if let Some(first) = self.stored_at(&key)? {
                    self.submit_children(lease, &first)?;
                }
            }
        }
        Ok(is_first)
    }
}
