//! The queue on a server, as a coordinator sees it.
//!
//! A coordinator may die at any time. What it has submitted is worked on, and what was answered is kept under the name of the run,
//! so another coordinator of the same run submits what is not answered and takes the rest.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use async_nats::Subscriber;
use futures_util::StreamExt;
use lariat_worker::{StopSignal, Supervisor};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::build::hexadecimal;
use crate::connection::{CANCEL, Connection, RESULTS, task_subject};
use crate::error::QueueError;
use crate::parts::Parts;
use crate::program::{Spellings, pack};
use crate::queue::{Complete, InProcess, Queue, QueueEvent};
use crate::status::{status, workers};
use crate::task::{Answer, Task, TaskId, Work};

/// As many tasks are submitted and not answered at most; the others need not take room at the server.
const WINDOW: usize = 2000;

/// So many are submitted before answers are looked at again.
const SUBMITTED_AT_ONCE: usize = 8;

/// How often tasks are asked for whose event may have been lost, and how many.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const POLLED_AT_ONCE: usize = 64;

const STATUS_INTERVAL: Duration = Duration::from_secs(2);

/// How long nobody need work before the user is told.
const LONELY: Duration = Duration::from_secs(10);

/// The name of a run. Answers are kept under it until the run is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunName(String);

impl RunName {
    /// A name that no other run has.
    pub fn fresh() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let text = format!("{:?} {} {:?}", now, std::process::id(), thread::current().id());
        RunName(hexadecimal(&Sha256::digest(text))[..16].to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Only names that [`RunName::fresh`] makes: they are parts of subjects.
    pub fn is_valid(&self) -> bool {
        self.0.len() == 16 && self.0.chars().all(|c| c.is_ascii_hexdigit())
    }
}

/// An answer as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub worker: String,
    /// To how many workers the task was given.
    pub deliveries: u64,
    /// `None` if it is large: then it is a file of this hash.
    pub answer: Option<Answer>,
    pub object: Option<(String, u64)>,
    /// The tasks that are done instead, if the task was split. Then there is no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Task>,
}

pub(crate) fn event_subject(run: &str, id: &TaskId) -> String {
    format!("lariat.event.{run}.{id}")
}

pub(crate) const STARTED: &[u8] = b"started";

/// A queue on a server.
pub struct JetStream<'c> {
    pub connection: &'c Connection,
    pub build: String,
    pub run: RunName,
    /// The run may have answers already.
    pub resumed: bool,
    /// For what cannot travel.
    pub local: InProcess,
}

/// Work of the same name is done once.
struct Asked {
    numbers: Vec<usize>,
    spellings: Spellings,
    is_started: bool,
    parts: Parts,
}

/// What a run knows.
struct Run<'r, 'c> {
    queue: &'r JetStream<'c>,
    work: &'r [Work],
    stop: &'r StopSignal,
    supervisor: Supervisor,
    next: usize,
    asked: HashMap<TaskId, Asked>,
    /// For each task of a split one the one that was asked for.
    whole: HashMap<TaskId, TaskId>,
    splits: u64,
    /// Tasks have come up whose events were not heard.
    has_news: bool,
    /// In the order of submission; answered ones are left out when they come up.
    order: VecDeque<TaskId>,
    submitted: HashSet<TaskId>,
    known_files: HashSet<String>,
    local: Vec<usize>,
    last_poll: Instant,
    last_status: Instant,
    lonely_since: Option<Instant>,
    is_lonely_told: bool,
}

impl Queue for JetStream<'_> {
    fn run(
        &mut self,
        work: &[Work],
        complete: &Complete<'_>,
        stop: &StopSignal,
        observe: &mut dyn FnMut(QueueEvent) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        let subject = format!("lariat.event.{}.*", self.run.as_str());
        let events = self
            .connection
            .block_on(self.connection.client.subscribe(subject));
        let mut events = events.map_err(|error| QueueError::server("cannot listen to the server", &error))?;
        let now = Instant::now();
        let mut run = Run {
            supervisor: self.local.supervisor.clone(),
            queue: self,
            work,
            stop,
            next: 0,
            asked: HashMap::new(),
            whole: HashMap::new(),
            splits: 0,
            has_news: false,
            order: VecDeque::new(),
            submitted: HashSet::new(),
            known_files: HashSet::new(),
            local: Vec::new(),
            last_poll: now,
            last_status: now,
            lonely_since: None,
            is_lonely_told: false,
        };
        let jobs = self.local.jobs.max(1);
        let (answers, to_complete) = channel::<(usize, Answer, u64)>();
        let to_complete = Mutex::new(to_complete);
        let (completed, finished) = channel();
        thread::scope(|scope| {
            for _ in 0..jobs {
                let completed = completed.clone();
                let to_complete = &to_complete;
                scope.spawn(move || complete_answers(to_complete, &completed, complete));
            }
            drop(completed);
            run.go(&mut events, answers, &finished, observe)
        })?;
        let local = std::mem::take(&mut run.local);
        if !local.is_empty() && !stop.is_requested() {
            let own: Vec<Work> = local.iter().map(|&number| work[number].clone()).collect();
            let complete = |number: usize, answer: &mut Answer| complete(local[number], answer);
            self.local.run(&own, &complete, stop, &mut |event| {
                observe(match event {
                    QueueEvent::Started(number) => QueueEvent::Started(local[number]),
                    QueueEvent::Finished {
                        number,
                        answer,
                        redeliveries,
                    } => QueueEvent::Finished {
                        number: local[number],
                        answer,
                        redeliveries,
                    },
                    other => other,
                })
            })?;
        }
        if !stop.is_requested() {
            self.forget();
        }
        Ok(())
    }
}

type Completed = Result<(usize, Answer, u64), QueueError>;

fn complete_answers(
    answers: &Mutex<Receiver<(usize, Answer, u64)>>,
    completed: &Sender<Completed>,
    complete: &Complete<'_>,
) {
    loop {
        let next = answers.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, mut answer, redeliveries)) = next else {
            return;
        };
        let done = complete(number, &mut answer).map(|()| (number, answer, redeliveries));
        // The receiver outlives these threads.
        let _ = completed.send(done.map_err(QueueError::from));
    }
}

impl JetStream<'_> {
    /// Removes what the server has of this run. It goes by itself after a while, so errors do not matter.
    pub fn forget(&self) {
        let connection = self.connection;
        connection.block_on(async {
            let tasks = format!("lariat.task.*.{}.*", self.run.as_str());
            let _ = connection.tasks.purge().filter(tasks).await;
            if let Ok(stream) = connection.context.get_stream(format!("KV_{RESULTS}")).await {
                let _ = stream
                    .purge()
                    .filter(format!("$KV.{RESULTS}.{}.>", self.run.as_str()))
                    .await;
            }
        });
    }

    fn key(&self, id: &TaskId) -> String {
        format!("{}.{id}", self.run.as_str())
    }
}

impl Run<'_, '_> {
    /// Submits everything and waits for the answers.
    fn go(
        &mut self,
        events: &mut Subscriber,
        answers: Sender<(usize, Answer, u64)>,
        finished: &Receiver<Completed>,
        observe: &mut dyn FnMut(QueueEvent) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        let mut incomplete = 0;
        loop {
            if self.stop.is_requested() {
                return Ok(());
            }
            for _ in 0..SUBMITTED_AT_ONCE {
                if self.next < self.work.len() && self.asked.len() < WINDOW {
                    self.submit_next(&answers, &mut incomplete)?;
                }
            }
            let is_submitting = self.next < self.work.len() && self.asked.len() < WINDOW;
            let patience = Duration::from_millis(if is_submitting { 0 } else { 50 });
            self.hear(events, patience, &answers, &mut incomplete, observe)?;
            if self.last_poll.elapsed() >= POLL_INTERVAL || std::mem::take(&mut self.has_news) {
                self.poll(&answers, &mut incomplete)?;
                self.last_poll = Instant::now();
            }
            if self.last_status.elapsed() >= STATUS_INTERVAL {
                self.tell_status(observe)?;
                self.last_status = Instant::now();
            }
            let nothing_asked = self.asked.is_empty() && self.next >= self.work.len();
            loop {
                // What is being completed is waited for only when there is nothing else.
                let wait = Duration::from_millis(if nothing_asked && incomplete > 0 { 50 } else { 0 });
                match finished.recv_timeout(wait) {
                    Ok(done) => {
                        incomplete -= 1;
                        let (number, answer, redeliveries) = done?;
                        observe(QueueEvent::Finished {
                            number,
                            answer,
                            redeliveries,
                        })?;
                    }
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
                }
            }
            if nothing_asked && incomplete == 0 {
                return Ok(());
            }
        }
    }

    fn submit_next(
        &mut self,
        answers: &Sender<(usize, Answer, u64)>,
        incomplete: &mut usize,
    ) -> Result<(), QueueError> {
        let number = self.next;
        self.next += 1;
        let work = &self.work[number];
        let packed = match work.can_travel() {
            true => pack(work, &self.queue.build, &self.supervisor, self.stop),
            false => None,
        };
        let Some(packed) = packed else {
            self.local.push(number);
            return Ok(());
        };
        let (task, contents, spellings) = packed.into_parts();
        let id = task.id().map_err(|error| QueueError::File(error.to_string()))?;
        if let Some(asked) = self.asked.get_mut(&id) {
            asked.numbers.push(number);
            return Ok(());
        }
        let asked = Asked {
            numbers: vec![number],
            spellings,
            is_started: false,
            parts: Parts::new(id.clone()),
        };
        self.asked.insert(id.clone(), asked);
        // Work of the same name may have been done a moment ago.
        let may_be_answered = !self.submitted.insert(id.clone()) || self.queue.resumed;
        if may_be_answered && self.take_answer(&id, answers, incomplete)? {
            return Ok(());
        }
        for (hash, bytes) in &contents {
            if self.known_files.insert(hash.clone()) {
                self.queue.connection.put_blob(hash, bytes, self.stop)?;
            }
        }
        let run = self.queue.run.as_str();
        self.queue.connection.publish_task(run, &id, &task, self.stop)?;
        self.order.push_back(id);
        Ok(())
    }

    /// Hears what happens; waits for it at most this long.
    fn hear(
        &mut self,
        events: &mut Subscriber,
        patience: Duration,
        answers: &Sender<(usize, Answer, u64)>,
        incomplete: &mut usize,
        observe: &mut dyn FnMut(QueueEvent) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        let mut patience = patience;
        loop {
            let next = self
                .queue
                .connection
                .block_on(async { tokio::time::timeout(patience, events.next()).await });
            let Ok(Some(message)) = next else {
                return Ok(());
            };
            patience = Duration::ZERO;
            let name = message.subject.rsplit('.').next().unwrap_or_default();
            let asked = self.asked.get_key_value(name).map(|(id, _)| id);
            let Some(id) = asked
                .or_else(|| self.whole.get_key_value(name).map(|(id, _)| id))
                .cloned()
            else {
                continue;
            };
            if message.payload.as_ref() != STARTED {
                self.take_answer(&id, answers, incomplete)?;
                continue;
            }
            let Some(asked) = self.asked.get_mut(&id).filter(|asked| !asked.is_started) else {
                continue;
            };
            asked.is_started = true;
            for &number in &asked.numbers {
                observe(QueueEvent::Started(number))?;
            }
        }
    }

    /// Events get lost when a connection breaks; answers do not.
    fn poll(
        &mut self,
        answers: &Sender<(usize, Answer, u64)>,
        incomplete: &mut usize,
    ) -> Result<(), QueueError> {
        for _ in 0..POLLED_AT_ONCE.min(self.order.len()) {
            let Some(id) = self.order.pop_front() else { break };
            let is_asked = self.asked.contains_key(&id) || self.whole.contains_key(&id);
            if is_asked && !self.take_answer(&id, answers, incomplete)? {
                self.order.push_back(id);
            }
        }
        Ok(())
    }

    /// Whether the task is answered. Its answer goes on to be completed.
    fn take_answer(
        &mut self,
        id: &TaskId,
        answers: &Sender<(usize, Answer, u64)>,
        incomplete: &mut usize,
    ) -> Result<bool, QueueError> {
        let connection = self.queue.connection;
        let key = self.queue.key(id);
        let value = connection.patiently("cannot ask for an answer", self.stop, || {
            connection.results.get(key.clone())
        })?;
        let Some(value) = value else {
            return Ok(false);
        };
        let broken =
            |error: serde_json::Error| QueueError::Server(format!("the answer {key} is broken: {error}"));
        let stored: Stored = serde_json::from_slice(&value).map_err(broken)?;
        if !stored.children.is_empty() {
            return self.split(id, &stored).map(|()| true);
        }
        let answer = match (stored.answer, stored.object) {
            (Some(answer), _) => answer,
            (None, Some((hash, bytes))) => match connection.get_blob(&hash, bytes, self.stop)? {
                Some(text) => serde_json::from_slice(&text).map_err(broken)?,
                // It may still be on its way through a cluster.
                None => return Ok(false),
            },
            (None, None) => return Ok(false),
        };
        let whole = self.whole.remove(id).unwrap_or_else(|| id.clone());
        let Some(asked) = self.asked.get_mut(&whole) else {
            return Ok(true);
        };
        asked.parts.redeliveries += stored.deliveries.saturating_sub(1);
        let Some(answer) = asked.parts.add(id, answer) else {
            return Ok(true);
        };
        let Some(asked) = self.asked.remove(&whole) else {
            return Ok(true);
        };
        self.cancel(asked.parts.open());
        let answer = asked.spellings.apply(answer).map_err(broken)?;
        for (position, number) in asked.numbers.into_iter().enumerate() {
            *incomplete += 1;
            let again = if position == 0 {
                asked.parts.redeliveries
            } else {
                0
            };
            // The threads that complete answers live as long as this run.
            let _ = answers.send((number, answer.clone(), again));
        }
        Ok(true)
    }

    /// The task is done by others, which the worker that split it has submitted.
    fn split(&mut self, id: &TaskId, stored: &Stored) -> Result<(), QueueError> {
        let whole = self.whole.remove(id).unwrap_or_else(|| id.clone());
        let Some(asked) = self.asked.get_mut(&whole) else {
            return Ok(());
        };
        asked.parts.redeliveries += stored.deliveries.saturating_sub(1);
        self.splits += 1;
        let mut children = Vec::new();
        for child in &stored.children {
            children.push(child.id().map_err(|error| QueueError::File(error.to_string()))?);
        }
        asked.parts.split(id, &children);
        for child in children {
            self.whole.insert(child.clone(), whole.clone());
            self.order.push_front(child);
        }
        self.has_news = true;
        Ok(())
    }

    /// The answer is known without these. Whoever does not hear of it finds out when it is done.
    fn cancel(&mut self, open: impl Iterator<Item = TaskId>) {
        let connection = self.queue.connection;
        let run = self.queue.run.as_str();
        for id in open {
            self.whole.remove(&id);
            connection.block_on(async {
                let waiting = task_subject(&self.queue.build, run, &id);
                let _ = connection.tasks.purge().filter(waiting).await;
                let running = format!("{CANCEL}.{run}.{id}");
                let _ = connection.client.publish(running, "".into()).await;
            });
        }
    }

    fn tell_status(
        &mut self,
        observe: &mut dyn FnMut(QueueEvent) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        let connection = self.queue.connection;
        let build = &self.queue.build;
        // A server that is being restarted has no state to tell.
        let Ok(mut status) = status(connection, Some(build)) else {
            return Ok(());
        };
        if !status.workers.is_empty() {
            self.lonely_since = None;
        } else if !self.is_lonely_told
            && self.lonely_since.get_or_insert_with(Instant::now).elapsed() > LONELY
        {
            self.is_lonely_told = true;
            let others = connection.block_on(workers(connection)).len();
            observe(QueueEvent::Remark(match others {
                0 => format!(
                    "no worker has joined {}: start `lariat worker --on …` somewhere",
                    connection.shown()
                ),
                1 => "the only worker has another Lariat than this one, which must not answer for it"
                    .to_owned(),
                others => format!(
                    "all {others} workers have another Lariat than this one, which must not answer for it"
                ),
            }))?;
        }
        status.splits = self.splits;
        observe(QueueEvent::Status(status))
    }
}
