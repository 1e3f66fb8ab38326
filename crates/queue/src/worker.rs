//! A worker: takes tasks, keeps their leases while it works, stores the answers, and may be killed at any time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::kv::CreateErrorKind;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use lariat_worker::{Ending, StopSignal, Supervisor};

use crate::blobs::BlobCache;
use crate::connection::{CONTROL, Connection, consumer_config};
use crate::coordinator::{STARTED, Stored, event_subject};
use crate::error::{QueueError, chain};
use crate::program::{Refusal, hash_of, unpack};
use crate::status::WorkerStatus;
use crate::task::{Answer, Task, TaskId};

/// After so many deaths of the process that does the work, its death is the answer.
const MOST_CRASHES: usize = 3;

/// A task that so many workers took and did not come back from is given up. Workers die for reasons of their own, so it is
/// much more than the deaths above.
const MOST_DELIVERIES: u64 = 100;

/// Answers that are larger than this are stored as files.
const SMALL_ANSWER: usize = 512 << 10;

/// How long to wait for a task before looking whether to stop.
const PULL_TIME: Duration = Duration::from_secs(1);

/// How often a worker says that it is there.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Unique among the workers.
    pub name: String,
    pub build: String,
    pub jobs: usize,
    /// After this time without a sign of life a task is given to another worker.
    pub lease: Duration,
    /// Larger programs are refused.
    pub program_limit_bytes: u64,
    /// The most that one task may take.
    pub memory_share: Option<u64>,
}

/// What happens to a worker.
#[derive(Debug)]
pub enum WorkerEvent {
    Joined,
    Started(TaskId),
    Finished(TaskId),
    /// The task was answered before, by whoever had it longer.
    Late(TaskId),
    /// It goes back to the queue, with the reason.
    GivenBack(TaskId, String),
    /// Something that goes on being wrong may need somebody who looks at it.
    Trouble(String),
}

/// Works until `stop` is requested or the queue is drained; says how many tasks were answered. On a stop the tasks at hand go
/// back to the queue at once.
pub fn serve(
    connection: &Connection,
    options: &WorkerOptions,
    supervisor: &Supervisor,
    stop: &StopSignal,
    observe: &(dyn Fn(WorkerEvent) + Sync),
) -> Result<u64, QueueError> {
    let consumer = connection.patiently("cannot join the workers", stop, || {
        connection
            .tasks
            .create_consumer(consumer_config(&options.build, options.lease))
    })?;
    let worker = Worker {
        connection,
        options,
        supervisor,
        stop,
        observe,
        consumer,
        files: BlobCache::default(),
        folders: AtomicU64::new(0),
        running: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        is_leaving: AtomicBool::new(false),
    };
    let control = connection.block_on(connection.client.subscribe(CONTROL));
    let mut control = control.map_err(|error| QueueError::server("cannot listen to the server", &error))?;
    worker.tell_presence();
    observe(WorkerEvent::Joined);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs.max(1))
            .map(|_| scope.spawn(|| worker.work()))
            .collect();
        let mut last_told = Instant::now();
        while !threads.iter().all(thread::ScopedJoinHandle::is_finished) {
            let heard = connection
                .block_on(async { tokio::time::timeout(Duration::from_millis(100), control.next()).await });
            if let Ok(Some(_)) = heard {
                worker.is_leaving.store(true, Ordering::Relaxed);
            }
            if last_told.elapsed() >= PRESENCE_INTERVAL {
                worker.tell_presence();
                last_told = Instant::now();
            }
        }
    });
    connection.block_on(async {
        let gone = connection.workers.delete(&options.name);
        // A server that is away will forget us by itself.
        let _ = tokio::time::timeout(Duration::from_secs(2), gone).await;
        let _ = tokio::time::timeout(Duration::from_secs(2), connection.client.flush()).await;
    });
    Ok(worker.done.load(Ordering::Relaxed))
}

struct Worker<'w> {
    connection: &'w Connection,
    options: &'w WorkerOptions,
    supervisor: &'w Supervisor,
    stop: &'w StopSignal,
    observe: &'w (dyn Fn(WorkerEvent) + Sync),
    consumer: Consumer<pull::Config>,
    files: BlobCache,
    folders: AtomicU64,
    running: AtomicUsize,
    done: AtomicU64,
    is_leaving: AtomicBool,
}

/// A task in our hands. The lease is kept as long as this lives.
struct Lease {
    message: Arc<Message>,
    keeper: tokio::task::JoinHandle<()>,
    task: Task,
    id: TaskId,
    run: String,
    deliveries: u64,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

impl Worker<'_> {
    fn work(&self) {
        while !self.stop.is_requested() && !self.is_leaving.load(Ordering::Relaxed) {
            match self.take() {
                Ok(None) => {}
                Ok(Some(message)) => {
                    self.running.fetch_add(1, Ordering::Relaxed);
                    if let Err(error) = self.answer(message) {
                        (self.observe)(WorkerEvent::Trouble(error.to_string()));
                        self.wait_a_little();
                    }
                    self.running.fetch_sub(1, Ordering::Relaxed);
                }
                Err(text) => {
                    (self.observe)(WorkerEvent::Trouble(text));
                    self.wait_a_little();
                }
            }
        }
    }

    fn wait_a_little(&self) {
        for _ in 0..10 {
            if !self.stop.is_requested() {
                thread::sleep(Duration::from_millis(100));
            }
        }
    }

    fn tell_presence(&self) {
        let status = WorkerStatus {
            name: self.options.name.clone(),
            build: self.options.build.clone(),
            jobs: self.options.jobs,
            running: self.running.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
        };
        let Ok(value) = serde_json::to_vec(&status) else {
            return;
        };
        self.connection.block_on(async {
            let put = self.connection.workers.put(&self.options.name, value.into());
            // Told again soon.
            let _ = tokio::time::timeout(Duration::from_secs(2), put).await;
        });
    }

    /// The next task, if there is one soon.
    fn take(&self) -> Result<Option<Message>, String> {
        self.connection.block_on(async {
            let batch = self.consumer.batch().max_messages(1).expires(PULL_TIME);
            let mut messages = batch.messages().await.map_err(|error| chain(&error))?;
            match messages.next().await {
                None => Ok(None),
                Some(Ok(message)) => Ok(Some(message)),
                Some(Err(error)) => Err(error.to_string()),
            }
        })
    }

    /// Does not wait for the server: an acknowledgement that gets lost costs a delivery, whose answer is there already.
    fn acknowledge(&self, message: &Message, kind: AckKind) {
        self.connection.block_on(async {
            let sent = message.ack_with(kind);
            let _ = tokio::time::timeout(Duration::from_secs(5), sent).await;
        });
    }

    /// Brings a task to its end: answered, or given back.
    fn answer(&self, message: Message) -> Result<(), QueueError> {
        let Some(lease) = self.lease(message) else {
            return Ok(());
        };
        let event = event_subject(&lease.run, &lease.id);
        if self.is_answered(&lease)? {
            self.acknowledge(&lease.message, AckKind::Ack);
            self.tell(event, b"done");
            return Ok(());
        }
        self.tell(event.clone(), STARTED);
        (self.observe)(WorkerEvent::Started(lease.id.clone()));
        let answer = match self.run(&lease)? {
            Done::Answer(answer) => *answer,
            Done::Back(reason) => {
                self.acknowledge(&lease.message, AckKind::Nak(None));
                (self.observe)(WorkerEvent::GivenBack(lease.id.clone(), reason));
                return Ok(());
            }
        };
        let is_first = match self.store(&lease, answer) {
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

    /// `None` if the message is not a task: it is removed.
    fn lease(&self, message: Message) -> Option<Lease> {
        let message = Arc::new(message);
        let parsed = serde_json::from_slice::<Task>(&message.payload).ok();
        let parts: Vec<&str> = message.subject.split('.').collect();
        let named = match (&parsed, &parts[..]) {
            (Some(task), ["lariat", "task", build, run, name]) => {
                let id = task.id().ok().filter(|id| id.as_str() == *name);
                id.filter(|_| task.build == *build && task.build == self.options.build)
                    .map(|id| (id, (*run).to_owned()))
            }
            _ => None,
        };
        let (Some(task), Some((id, run))) = (parsed, named) else {
            self.acknowledge(&message, AckKind::Term);
            let text = format!("{} is not a task of this Lariat; it was removed", message.subject);
            (self.observe)(WorkerEvent::Trouble(text));
            return None;
        };
        let deliveries = message.info().map_or(1, |info| info.delivered.max(1) as u64);
        let kept = Arc::clone(&message);
        let interval = (self.options.lease / 3).max(Duration::from_millis(100));
        let keeper = self.connection.spawn(async move {
            loop {
                tokio::time::sleep(interval).await;
                // Without a connection the lease is lost, as it must be.
                let _ = kept.ack_with(AckKind::Progress).await;
            }
        });
        Some(Lease {
            message,
            keeper,
            task,
            id,
            run,
            deliveries,
        })
    }

    fn run(&self, lease: &Lease) -> Result<Done, QueueError> {
        let work = &lease.task.work;
        let bytes = lease.task.program.bytes();
        if bytes > self.options.program_limit_bytes {
            let limit = self.options.program_limit_bytes;
            let reason = format!("the program has {bytes} bytes, and the workers take at most {limit}");
            return Ok(Done::Answer(Box::new(work.refused(&reason))));
        }
        if lease.deliveries > MOST_DELIVERIES {
            let reason = format!("{MOST_DELIVERIES} workers took this task and did not come back");
            return Ok(Done::Answer(Box::new(work.given_up(&reason))));
        }
        let Some(contents) = self.contents(&lease.task)? else {
            return Ok(Done::Back("its program is not at the server".to_owned()));
        };
        let mut unpacked = match unpack(&lease.task, &contents, &self.folders) {
            Ok(unpacked) => unpacked,
            Err(Refusal::Task(reason)) => {
                let reason = format!("the worker refuses the task: {reason}");
                return Ok(Done::Answer(Box::new(work.refused(&reason))));
            }
            Err(Refusal::Machine(error)) => return Ok(Done::Back(format!("no room for its files: {error}"))),
        };
        if let Some(share) = self.options.memory_share {
            unpacked.work.limit_memory(share);
        }
        let answer = unpacked.work.run(self.supervisor, self.stop)?;
        if self.stop.is_requested() {
            return Ok(Done::Back("the worker leaves".to_owned()));
        }
        let answer = unpacked
            .answer(&answer)
            .map_err(|error| QueueError::File(error.to_string()))?;
        if let Ending::Died(reason) = answer.ending() {
            let crashes = self.count_crash(lease, reason)?;
            if crashes < MOST_CRASHES {
                return Ok(Done::Back(format!("its process died: {reason}")));
            }
        }
        Ok(Done::Answer(Box::new(answer)))
    }

    /// The files of a task. `None` if the server does not have them.
    fn contents(&self, task: &Task) -> Result<Option<HashMap<String, Vec<u8>>>, QueueError> {
        let mut contents = HashMap::new();
        for file in &task.program.files {
            let bytes = match self.files.get(&file.hash) {
                Some(bytes) => bytes,
                None => {
                    let Some(bytes) = self.connection.get_blob(&file.hash, file.bytes, self.stop)? else {
                        return Ok(None);
                    };
                    self.files.keep(&file.hash, &bytes);
                    bytes
                }
            };
            contents.insert(file.hash.clone(), bytes);
        }
        Ok(Some(contents))
    }

    fn key(lease: &Lease) -> String {
        format!("{}.{}", lease.run, lease.id)
    }

    fn is_answered(&self, lease: &Lease) -> Result<bool, QueueError> {
        // The first delivery has no answer.
        if lease.deliveries == 1 {
            return Ok(false);
        }
        let key = Self::key(lease);
        let results = &self.connection.results;
        let found = self
            .connection
            .patiently("cannot ask for an answer", self.stop, || results.get(key.clone()))?;
        Ok(found.is_some())
    }

    /// How often the process of this task has died, now included.
    fn count_crash(&self, lease: &Lease, reason: &str) -> Result<usize, QueueError> {
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
        let mut stored = Stored {
            worker: self.options.name.clone(),
            deliveries: lease.deliveries,
            answer: Some(answer),
            object: None,
        };
        let mut value = serde_json::to_vec(&stored).map_err(broken)?;
        if value.len() > SMALL_ANSWER {
            let text = serde_json::to_vec(&stored.answer.take()).map_err(broken)?;
            let hash = hash_of(&text);
            self.connection.put_blob(&hash, &text, self.stop)?;
            stored.object = Some((hash, text.len() as u64));
            value = serde_json::to_vec(&stored).map_err(broken)?;
        }
        let key = Self::key(lease);
        self.connection
            .patiently("cannot store an answer", self.stop, || async {
                match self.connection.results.create(&key, value.clone().into()).await {
                    Ok(_) => Ok(true),
                    Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(false),
                    Err(error) => Err(error),
                }
            })
    }

    /// For coordinators that listen; nothing depends on it.
    fn tell(&self, subject: String, what: &'static [u8]) {
        let sent = self
            .connection
            .block_on(self.connection.client.publish(subject, what.into()));
        if let Err(error) = sent {
            (self.observe)(WorkerEvent::Trouble(chain(&error)));
        }
    }
}

enum Done {
    Answer(Box<Answer>),
    Back(String),
}
