//! The connection to the server, and the names of what we keep there.
//!
//! | what | where |
//! |---|---|
//! | tasks that wait or are worked on | stream `LARIAT_TASKS`, subject `lariat.task.BUILD.RUN.TASK`, one message each |
//! | who works on them | consumer `workers-BUILD`, whose acknowledgement time is the lease |
//! | answers, and crashes so far | bucket `lariat-results`, keys `RUN.TASK` and `RUN.TASK.crashes` |
//! | files | bucket `lariat-files`, and the object store `lariat-objects` for large ones; by hash |
//! | workers | bucket `lariat-workers`, from which those that are gone disappear |
//! | what happens | subjects `lariat.event.RUN.TASK`, `lariat.control`, `lariat.cancel.RUN.TASK`: lost without harm |

use std::future::Future;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, kv, object_store, stream};
use async_nats::{Client, ConnectErrorKind};
use lariat_worker::StopSignal;
use tokio::runtime::{Builder, Runtime};

use crate::error::{QueueError, chain};
use crate::server::Server;
use crate::task::{Task, TaskId};

pub(crate) const TASKS: &str = "LARIAT_TASKS";
pub(crate) const RESULTS: &str = "lariat-results";
pub(crate) const FILES: &str = "lariat-files";
pub(crate) const OBJECTS: &str = "lariat-objects";
pub(crate) const WORKERS: &str = "lariat-workers";
pub(crate) const CONTROL: &str = "lariat.control";
pub(crate) const CANCEL: &str = "lariat.cancel";

/// What is kept of a run that nobody resumes.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// A worker that has not been heard of for this long is gone.
pub(crate) const WORKER_SILENCE: Duration = Duration::from_secs(30);

/// How long a server that does not answer is waited for.
const PATIENCE: Duration = Duration::from_secs(180);

/// The longest time for one question.
const ANSWER_TIME: Duration = Duration::from_secs(8);

/// A connection, with everything on the server that we need.
pub struct Connection {
    runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) context: jetstream::Context,
    pub(crate) tasks: Stream,
    pub(crate) results: kv::Store,
    pub(crate) files: kv::Store,
    pub(crate) objects: ObjectStore,
    pub(crate) workers: kv::Store,
    shown: String,
}

impl Connection {
    pub fn open(server: &Server) -> Result<Self, QueueError> {
        // One thread keeps leases and the connection alive while others wait for children.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("queue")
            .enable_all()
            .build()?;
        let shown = server.shown();
        let opened = runtime.block_on(Self::prepare(server, &shown))?;
        Ok(Connection {
            runtime,
            client: opened.0,
            context: opened.1,
            tasks: opened.2,
            results: opened.3,
            files: opened.4,
            objects: opened.5,
            workers: opened.6,
            shown,
        })
    }

    async fn prepare(
        server: &Server,
        shown: &str,
    ) -> Result<
        (
            Client,
            jetstream::Context,
            Stream,
            kv::Store,
            kv::Store,
            ObjectStore,
            kv::Store,
        ),
        QueueError,
    > {
        let options = server.options().await?;
        let client = options.connect(server.addresses()).await.map_err(|error| {
            let text = chain(&error);
            QueueError::Server(match error.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    format!("{shown} does not accept these credentials: {text}")
                }
                _ => format!("cannot reach {shown}: {text}"),
            })
        })?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(ANSWER_TIME);
        let failed = |what: &str, error: &(dyn std::error::Error + 'static)| {
            let text = chain(error);
            let hint = match text.contains("not enabled") || text.contains("no responders") {
                true => "; it must be started with JetStream (`nats-server --jetstream`)",
                false => "",
            };
            QueueError::Server(format!("{shown} gives us no {what}: {text}{hint}"))
        };
        let tasks = context.get_or_create_stream(stream_config()).await;
        let tasks = tasks.map_err(|error| failed("stream for tasks", &error))?;
        let results = bucket(&context, RESULTS, KEPT).await;
        let results = results.map_err(|error| failed("bucket for results", error.as_ref()))?;
        let files = bucket(&context, FILES, KEPT).await;
        let files = files.map_err(|error| failed("bucket for files", error.as_ref()))?;
        let workers = bucket(&context, WORKERS, WORKER_SILENCE).await;
        let workers = workers.map_err(|error| failed("bucket for workers", error.as_ref()))?;
        let objects = match context.get_object_store(OBJECTS).await {
            Ok(objects) => objects,
            Err(_) => {
                let config = object_store::Config {
                    bucket: OBJECTS.to_owned(),
                    max_age: KEPT,
                    ..object_store::Config::default()
                };
                let made = context.create_object_store(config).await;
                made.map_err(|error| failed("store for objects", &error))?
            }
        };
        Ok((client, context, tasks, results, files, objects, workers))
    }

    /// Puts a task into the stream, unless it is there.
    pub(crate) fn publish_task(
        &self,
        run: &str,
        id: &TaskId,
        task: &Task,
        stop: &StopSignal,
    ) -> Result<(), QueueError> {
        let payload = serde_json::to_vec(task).map_err(|error| QueueError::File(error.to_string()))?;
        let subject = task_subject(&task.build, run, id);
        self.patiently("cannot submit a task", stop, || async {
            let sent = self
                .context
                .publish(subject.clone(), payload.clone().into())
                .await?;
            match sent.await {
                Err(error) if chain(&error).contains("maximum messages per subject") => Ok(()),
                sent => sent.map(|_| ()),
            }
        })
    }

    /// The server, for people.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    pub(crate) fn spawn(
        &self,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> tokio::task::JoinHandle<()> {
        self.runtime.spawn(future)
    }

    /// Asks until there is an answer: a server may be restarted. What asking again cannot change is an error at once, and so is
    /// an urgent stop.
    pub(crate) fn patiently<T, E, F>(
        &self,
        what: &str,
        stop: &StopSignal,
        mut ask: impl FnMut() -> F,
    ) -> Result<T, QueueError>
    where
        E: std::error::Error + 'static,
        F: Future<Output = Result<T, E>>,
    {
        let started = Instant::now();
        loop {
            let answer = self.block_on(async { tokio::time::timeout(ANSWER_TIME, ask()).await });
            let error = match answer {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(error)) => chain(&error),
                Err(_) => "no answer".to_owned(),
            };
            if is_final(&error) || stop.is_urgent() || started.elapsed() > PATIENCE {
                return Err(QueueError::Server(format!("{what} at {}: {error}", self.shown)));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// Whether asking again is of no use.
fn is_final(error: &str) -> bool {
    let error = error.to_lowercase();
    [
        "insufficient",
        "no space",
        "maximum bytes",
        "maximum messages",
        "max payload",
        "ermissions violation",
        "already exists",
        "resource limits exceeded",
    ]
    .iter()
    .any(|word| error.contains(word))
}

/// A bucket is a stream with these settings. The library would ask the server about the account first, in words that the server of
/// Debian 12 (2.9) does not know.
async fn bucket(
    context: &jetstream::Context,
    name: &str,
    max_age: Duration,
) -> Result<kv::Store, async_nats::Error> {
    let config = stream::Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: 1,
        ..stream::Config::default()
    };
    context.get_or_create_stream(config).await?;
    Ok(context.get_key_value(name).await?)
}

/// A task is in the stream once: a second message with its subject is refused.
fn stream_config() -> stream::Config {
    stream::Config {
        name: TASKS.to_owned(),
        subjects: vec!["lariat.task.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_messages_per_subject: 1,
        ..stream::Config::default()
    }
}

pub(crate) fn task_subject(build: &str, run: &str, id: &TaskId) -> String {
    format!("lariat.task.{build}.{run}.{id}")
}

pub(crate) fn consumer_name(build: &str) -> String {
    format!("workers-{build}")
}

/// Tasks of one build go to workers of this build only.
pub(crate) fn consumer_config(build: &str, lease: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(consumer_name(build)),
        filter_subject: format!("lariat.task.{build}.>"),
        ack_wait: lease,
        max_ack_pending: 100_000,
        inactive_threshold: KEPT,
        ..pull::Config::default()
    }
}
