//! The parent's end: starts the child, watches it, and returns a report whatever happens.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use lariat_report::{LogText, Progress, ProgressUpdate, VerifyReport};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::limits::{memory_of_process, processor_seconds_of_process};
use crate::protocol::{Message, Order, PanicReport};
use crate::request::Request;
use crate::stop::StopSignal;

/// How often the child's memory and the clock are checked.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(20);

/// The same while the child's memory is near its limit.
const SHORT_SAMPLE_INTERVAL: Duration = Duration::from_millis(2);

/// How far a child may exceed its time limit before it is killed: a twentieth, but no less and no more than this. It obeys the
/// limit itself; this is for solver calls and bookkeeping that it cannot cut short.
const TIME_GRACE: (Duration, Duration) = (Duration::from_millis(300), Duration::from_millis(1500));

/// How long a child may take to end after it was asked to.
const STOP_GRACE: Duration = Duration::from_secs(3);

/// How much of the end of the child's error output is kept to explain its death.
const ERROR_OUTPUT_KEPT: usize = 4096;

/// How glibc's allocator of a child keeps memory: what is freed is used again soon. To give it back and to ask for it again took a
/// quarter of the time of a run with many small solver contexts. What the user has set counts more.
const ALLOCATOR: [(&str, &str); 2] = [
    ("MALLOC_TRIM_THRESHOLD_", "268435456"),
    ("MALLOC_MMAP_THRESHOLD_", "33554432"),
];

/// Starts children.
#[derive(Clone, Debug)]
pub struct Supervisor {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// How many children may run at a time: they share the cores.
    jobs: usize,
}

/// How a supervised run ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The child gave its final report.
    Finished,
    /// The child did not end in time and was killed.
    TimeLimit,
    /// The child took more memory than it may and was killed.
    MemoryLimit,
    /// The user asked to stop, and the child did not answer any more.
    Interrupted,
    /// The child died: how, in words.
    Died(String),
    /// A thread of the child panicked.
    Panicked(PanicReport),
}

/// The result of a supervised run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome<R = VerifyReport> {
    /// The child's final report, or what it had decided and why it did not finish.
    pub report: R,
    pub ending: Ending,
    /// Wall time.
    pub seconds: f64,
    /// The largest resident memory that was sampled; 0 if the system does not report it.
    pub peak_memory_bytes: u64,
    /// Processor seconds of all threads; `None` if the system does not report them.
    #[serde(default)]
    pub processor_seconds: Option<f64>,
}

/// What an observer of a run sees.
#[derive(Clone, Debug)]
pub enum Observation {
    Update(ProgressUpdate),
    Log(LogText),
    /// A line of the result.
    Output(String),
    /// The child's memory, sampled regularly.
    Memory(u64),
}

impl Supervisor {
    /// Children are started as `program arguments… NAME` and must call [`crate::serve`] for requests of that name.
    pub fn new(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        Supervisor {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            jobs: 1,
        }
    }

    /// The same, with so many children at a time: each may use its share of the cores.
    pub fn with_jobs(self, jobs: usize) -> Self {
        Supervisor {
            jobs: jobs.max(1),
            ..self
        }
    }

    /// Children are started as the running program itself, even if its file is replaced meanwhile.
    pub fn of_this_program(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> io::Result<Self> {
        let linux = PathBuf::from("/proc/self/exe");
        let program = if linux.exists() {
            linux
        } else {
            std::env::current_exe()?
        };
        Ok(Self::new(program, arguments))
    }

    /// Runs `order` in a child process. An error means that no child could be started.
    pub fn run<R: Request>(
        &self,
        order: &Order<R>,
        stop: &StopSignal,
        observe: &mut dyn FnMut(Observation),
    ) -> io::Result<Outcome<R::Report>> {
        let started = Instant::now();
        let mut child = self.start(order)?;
        let mut watch = Watch::new(order, started);
        let mut partial = None;
        let ending = loop {
            match child.events.recv_timeout(watch.interval()) {
                Ok(Event::Message(Message::Progress(Progress::Partial(report)))) => partial = Some(*report),
                Ok(Event::Message(Message::Progress(Progress::Update(update)))) => {
                    observe(Observation::Update(update));
                }
                Ok(Event::Message(Message::Progress(Progress::Log(text)))) => observe(Observation::Log(text)),
                Ok(Event::Message(Message::Progress(Progress::Output { line }))) => {
                    observe(Observation::Output(line));
                }
                Ok(Event::Message(Message::Final(report))) => {
                    partial = Some(*report);
                    break Ending::Finished;
                }
                Ok(Event::Message(Message::Panic(panic))) => break Ending::Panicked(panic),
                Ok(Event::OutputClosed) | Err(RecvTimeoutError::Disconnected) => {
                    break child.describe_death();
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(ending) = watch.look(&mut child, stop, observe) {
                break ending;
            }
        };
        let processor_seconds = processor_seconds_of_process(child.process.id());
        drop(child);
        let mut report = match (&ending, partial) {
            (Ending::Finished, Some(report)) => report,
            (_, partial) => order.request.unfinished(partial, &ending),
        };
        let seconds = started.elapsed().as_secs_f64();
        R::measured(&mut report, seconds, watch.peak_memory);
        Ok(Outcome {
            report,
            ending,
            seconds,
            peak_memory_bytes: watch.peak_memory,
            processor_seconds,
        })
    }

    fn start<R: Request>(&self, order: &Order<R>) -> io::Result<RunningChild<R::Report>> {
        let mut value = serde_json::to_value(order)?;
        value["sent_at"] = Order::<R>::clock().into();
        if self.jobs > 1 {
            let cores = thread::available_parallelism().map_or(1, usize::from);
            value["cores"] = (cores / self.jobs).max(1).into();
        }
        let mut line = serde_json::to_vec(&value)?;
        line.push(b'\n');
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .arg(R::NAME)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let is_unset = |&(name, _): &(&str, &str)| std::env::var_os(name).is_none();
        command.envs(ALLOCATOR.into_iter().filter(is_unset));
        // Ctrl-C on a terminal goes to the whole process group; the parent alone decides what the child does about it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let (sender, events) = sync_channel(256);
        let output = process.stdout.take().expect("the output is piped");
        let errors = process.stderr.take().expect("the error output is piped");
        let mut input = process.stdin.take().expect("the input is piped");
        thread::spawn(move || forward_messages(output, &sender));
        let error_output = thread::spawn(move || keep_end(errors));
        // A child that has died already is noticed when its output ends.
        let _ = input.write_all(&line).and_then(|()| input.flush());
        Ok(RunningChild {
            process,
            input: Some(input),
            events,
            error_output: Some(error_output),
        })
    }
}

enum Event<R> {
    Message(Message<R>),
    OutputClosed,
}

/// A child process; it is killed when this value is dropped.
struct RunningChild<R> {
    process: Child,
    input: Option<ChildStdin>,
    events: Receiver<Event<R>>,
    error_output: Option<thread::JoinHandle<Vec<u8>>>,
}

impl<R> RunningChild<R> {
    fn ask_to_stop(&mut self) {
        self.input = None;
    }

    /// Any line after the order asks it to split.
    fn ask_to_split(&mut self) {
        if let Some(input) = &mut self.input {
            // A child that has died is noticed when its output ends.
            let _ = input.write_all(b"split\n").and_then(|()| input.flush());
        }
    }

    /// Says how the child ended; its output has been closed.
    fn describe_death(&mut self) -> Ending {
        let status = match wait_a_moment(&mut self.process) {
            Some(status) => status,
            None => return Ending::Died("it closed its output and went on".to_owned()),
        };
        let error_output = self
            .error_output
            .take()
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default();
        let mut words = describe_status(status);
        let text = String::from_utf8_lossy(&error_output);
        if let Some(line) = text.lines().map(str::trim).rfind(|line| !line.is_empty()) {
            words.push_str("; its last words were: ");
            words.push_str(line);
        }
        Ending::Died(words)
    }
}

impl<R> Drop for RunningChild<R> {
    fn drop(&mut self) {
        // Errors mean that it has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The limits of a run and the measurements so far.
struct Watch {
    deadline: Option<Instant>,
    memory_limit: Option<u64>,
    last_sample: Option<Instant>,
    stop_asked_at: Option<Instant>,
    is_asked_to_split: bool,
    /// The child's memory is above half of its limit.
    is_near_limit: bool,
    peak_memory: u64,
}

impl Watch {
    fn new<R>(order: &Order<R>, started: Instant) -> Self {
        Watch {
            deadline: order.time_limit().and_then(|limit| {
                let (least, most) = TIME_GRACE;
                started.checked_add(limit.saturating_add((limit / 20).clamp(least, most)))
            }),
            memory_limit: order.memory_limit_bytes,
            last_sample: None,
            stop_asked_at: None,
            is_asked_to_split: false,
            is_near_limit: false,
            peak_memory: 0,
        }
    }

    /// How long to wait for the next look.
    fn interval(&self) -> Duration {
        match self.is_near_limit {
            true => SHORT_SAMPLE_INTERVAL,
            false => SAMPLE_INTERVAL,
        }
    }

    /// Checks the clock, the stop signal and the child's memory; `Some` if the child must be killed.
    fn look<R>(
        &mut self,
        child: &mut RunningChild<R>,
        stop: &StopSignal,
        observe: &mut dyn FnMut(Observation),
    ) -> Option<Ending> {
        let now = Instant::now();
        if self.last_sample.is_some_and(|last| now - last < self.interval()) {
            return None;
        }
        self.last_sample = Some(now);
        if stop.is_requested() {
            child.ask_to_stop();
            let asked_at = *self.stop_asked_at.get_or_insert(now);
            if stop.is_urgent() || now - asked_at > STOP_GRACE {
                return Some(Ending::Interrupted);
            }
        }
        if stop.is_asked_to_split() && !self.is_asked_to_split {
            self.is_asked_to_split = true;
            child.ask_to_split();
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Ending::TimeLimit);
        }
        let (memory, peak) = memory_of_process(child.process.id())?;
        self.peak_memory = self.peak_memory.max(peak);
        self.is_near_limit = self.memory_limit.is_some_and(|limit| memory > limit / 2);
        observe(Observation::Memory(memory));
        let is_exceeded = self.memory_limit.is_some_and(|limit| memory > limit);
        is_exceeded.then_some(Ending::MemoryLimit)
    }
}

fn forward_messages<R: DeserializeOwned>(output: impl Read, sender: &SyncSender<Event<R>>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.read_until(b'\n', &mut line) {
            Ok(length) if length > 0 => {}
            _ => break,
        }
        // Other lines are output of the solver.
        let Ok(message) = serde_json::from_slice(&line) else {
            continue;
        };
        if sender.send(Event::Message(message)).is_err() {
            return;
        }
    }
    let _ = sender.send(Event::OutputClosed);
}

fn keep_end(mut errors: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut piece = [0; 1024];
    while let Ok(length) = errors.read(&mut piece) {
        if length == 0 {
            break;
        }
        kept.extend_from_slice(&piece[..length]);
        if kept.len() > 2 * ERROR_OUTPUT_KEPT {
            kept.drain(..kept.len() - ERROR_OUTPUT_KEPT);
        }
    }
    kept
}

/// The status of a process that is expected to end within a second.
fn wait_a_moment(process: &mut Child) -> Option<ExitStatus> {
    for _ in 0..200 {
        match process.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(_) => return None,
        }
    }
    None
}

fn describe_status(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            4 => "it was stopped by an illegal instruction (SIGILL)".to_owned(),
            6 => "it aborted (SIGABRT)".to_owned(),
            7 => "it was stopped by a bus error (SIGBUS)".to_owned(),
            8 => "it was stopped by an arithmetic error (SIGFPE)".to_owned(),
            9 => "it was killed (SIGKILL), most likely by the system for want of memory".to_owned(),
            11 => "it accessed memory that is not its own (SIGSEGV)".to_owned(),
            signal => format!("it was stopped by signal {signal}"),
        };
    }
    match status.code() {
        Some(code) => format!("it ended without an answer (exit code {code})"),
        None => "it ended without an answer".to_owned(),
    }
}
