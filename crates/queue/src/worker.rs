//! A worker: takes tasks, keeps their leases while it works, stores the answers, and may be killed at any time.

mod ahead;
mod storing;
mod tasks;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use lariat_worker::{Ending, StopSignal, Supervisor};

use crate::blobs::BlobCache;
use crate::connection::{CANCEL, CONTROL, Connection, consumer_config};
use crate::coordinator::{STARTED, event_subject};
use crate::error::{QueueError, chain};
use crate::program::{Refusal, unpack};
use crate::status::WorkerStatus;
use crate::task::{Answer, Task, TaskId};
use ahead::Ahead;
use tasks::RunningTask;

/// After so many deaths of the process that does the work, its death is the answer.
const MOST_CRASHES: usize = 3;

/// A task that so many workers took and did not come back from is given up. Workers die for reasons of their own, so it is
/// much more than the deaths above.
const MOST_DELIVERIES: u64 = 100;

/// How long to wait for a task before looking whether to stop.
const PULL_TIME: Duration = Duration::from_secs(1);

/// After a task that took no longer the next one is fetched while one is worked on …
const QUICK: Duration = Duration::from_millis(200);
/// … and goes back to others when that one takes longer than this.
const HELD: Duration = Duration::from_millis(500);

/// How many answers wait to be stored before no other task is begun.
const STORED_AT_ONCE: usize = 2;

/// How often a worker says that it is there.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(5);

/// How often it looks whether to stop, and whether others wait for work.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);
const SPLIT_INTERVAL: Duration = Duration::from_secs(1);

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
        supervisor: supervisor.clone().with_jobs(options.jobs),
        stop,
        observe,
        consumer,
        files: BlobCache::default(),
        folders: AtomicU64::new(0),
        running: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        is_leaving: AtomicBool::new(false),
        tasks: Mutex::default(),
    };
    let cancelled = connection.block_on(connection.client.subscribe(format!("{CANCEL}.*.*")));
    let mut cancelled =
        cancelled.map_err(|error| QueueError::server("cannot listen to the server", &error))?;
    let control = connection.block_on(connection.client.subscribe(CONTROL));
    let mut control = control.map_err(|error| QueueError::server("cannot listen to the server", &error))?;
    worker.tell_presence();
    observe(WorkerEvent::Joined);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs.max(1))
            .map(|_| scope.spawn(|| worker.work()))
            .collect();
        let mut last_told = Instant::now();
        let mut last_asked = Instant::now();
        while !threads.iter().all(thread::ScopedJoinHandle::is_finished) {
            let heard = connection.block_on(async {
                let heard = async {
                    tokio::select! {
                        Some(_) = control.next() => Heard::Leave,
                        Some(message) = cancelled.next() => Heard::Cancel(message.subject.to_string()),
                        else => std::future::pending().await,
                    }
                };
                tokio::time::timeout(LOOK_INTERVAL, heard).await
            });
            match heard {
                Ok(Heard::Leave) => worker.is_leaving.store(true, Ordering::Relaxed),
                Ok(Heard::Cancel(subject)) => worker.cancel(&subject),
                Err(_) => {}
            }
            if stop.is_requested() {
                worker.stop_tasks();
            }
            if last_asked.elapsed() >= SPLIT_INTERVAL {
                worker.ask_to_split();
                last_asked = Instant::now();
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
    supervisor: Supervisor,
    stop: &'w StopSignal,
    observe: &'w (dyn Fn(WorkerEvent) + Sync),
    consumer: Consumer<pull::Config>,
    files: BlobCache,
    folders: AtomicU64,
    running: AtomicUsize,
    done: AtomicU64,
    is_leaving: AtomicBool,
    tasks: Mutex<Vec<RunningTask>>,
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
    /// One task after the other. While one is worked on, the answer of the one before is stored, and where tasks are quick the
    /// next one is fetched.
    fn work(&self) {
        thread::scope(|scope| {
            let (sender, finished) = sync_channel(STORED_AT_ONCE);
            scope.spawn(move || self.finish_all(&finished));
            let mut ahead: Option<Arc<Ahead>> = None;
            let mut is_quick = false;
            while !self.stop.is_requested() && !self.is_leaving.load(Ordering::Relaxed) {
                let taken = match ahead.take() {
                    Some(ahead) => ahead.claim(),
                    None => self.take(),
                };
                match taken {
                    Ok(None) => {}
                    Ok(Some(message)) => {
                        self.running.fetch_add(1, Ordering::Relaxed);
                        let started = Instant::now();
                        if is_quick {
                            let next = Arc::new(Ahead::default());
                            ahead = Some(Arc::clone(&next));
                            scope.spawn(move || self.take_ahead(&next));
                        }
                        if let Err(error) = self.answer(message, &sender) {
                            (self.observe)(WorkerEvent::Trouble(error.to_string()));
                            self.wait_a_little();
                        }
                        is_quick = started.elapsed() < QUICK;
                        self.running.fetch_sub(1, Ordering::Relaxed);
                    }
                    Err(text) => {
                        (self.observe)(WorkerEvent::Trouble(text));
                        self.wait_a_little();
                    }
                }
            }
            if let Some(ahead) = ahead {
                ahead.give_up();
            }
        });
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

    /// Does a task, or gives it back. Its answer is stored by [`Worker::finish_all`].
    fn answer(&self, message: Message, finished: &SyncSender<(Lease, Answer)>) -> Result<(), QueueError> {
        let Some(lease) = self.lease(message) else {
            return Ok(());
        };
        let event = event_subject(&lease.run, &lease.id);
        if let Some(stored) = self.stored(&lease)? {
            self.submit_children(&lease, &stored)?;
            self.acknowledge(&lease.message, AckKind::Ack);
            self.tell(event, b"done");
            return Ok(());
        }
        self.tell(event.clone(), STARTED);
        (self.observe)(WorkerEvent::Started(lease.id.clone()));
        let answer = match self.run(&lease)? {
            Done::Answer(answer) => *answer,
            Done::Cancelled => {
                self.acknowledge(&lease.message, AckKind::Term);
                return Ok(());
            }
            Done::Back(reason) => {
                self.acknowledge(&lease.message, AckKind::Nak(None));
                (self.observe)(WorkerEvent::GivenBack(lease.id.clone(), reason));
                return Ok(());
            }
        };
        // The next task need not wait until this is stored. The receiver lives as long as this thread.
        let _ = finished.send((lease, answer));
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
        unpacked.work.hand_over();
        let running = self.begin(lease, unpacked.work.hands_over());
        let answer = unpacked.work.run(&self.supervisor, &running.stop);
        self.end(&running);
        let answer = answer?;
        if self.stop.is_requested() {
            return Ok(Done::Back("the worker leaves".to_owned()));
        }
        if running.stop.is_requested() {
            return Ok(Done::Cancelled);
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

/// What others tell all workers.
enum Heard {
    Leave,
    /// The subject names the task.
    Cancel(String),
}

enum Done {
    Answer(Box<Answer>),
    /// Nobody needs the answer any more.
    Cancelled,
    Back(String),
}
