//! `lariat worker`, `lariat queue` and `--on`: many machines.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use clap::{Args, Subcommand};
use lariat_queue::{
    Answer, Connection, InProcess, JetStream, Queue, QueueError, QueueEvent, QueueStatus, RunName, Server,
    Work, WorkerEvent, WorkerOptions, build_name,
};
use lariat_worker::{StopSignal, memory_of_system};

use crate::arguments::Arguments;
use crate::command::supervisor;
use crate::exit::ExitCode;
use crate::say;
use crate::units::{self, parse_duration, parse_size};

/// The name of the file that `--resume` finds the run by.
const RUN_FILE: &str = "run.json";

/// How long `drain` waits.
const DRAIN_PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// Where the work is done.
#[derive(Args, Debug)]
#[command(next_help_heading = "Many machines")]
pub struct OnArguments {
    /// Leave the work to the workers of this NATS server (JetStream): an address such as nats://HOST, or a context of the `nats`
    /// command, by its name or file
    #[arg(long, value_name = "SERVER")]
    pub on: Option<String>,
}

#[derive(Args, Debug)]
pub struct WorkerArguments {
    /// The NATS server: an address such as nats://HOST or tls://HOST, or a context of the `nats` command, by its name or file
    #[arg(long, value_name = "SERVER")]
    pub on: String,

    /// Work on this many tasks at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    /// A task goes to another worker when this one has been silent for so long; the worker that joined last decides
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "30")]
    pub lease: Duration,

    /// Refuse programs that are larger than this
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "64M")]
    pub program_limit: u64,

    /// Memory limit of each task, if the task has no smaller one [default: an equal share of 80 % of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}

#[derive(Args, Debug)]
pub struct QueueArguments {
    /// What to do
    #[command(subcommand)]
    pub action: QueueAction,
}

#[derive(Subcommand, Debug)]
pub enum QueueAction {
    /// Show workers and tasks
    Status(ServerArguments),
    /// Let all workers finish what they do and leave; tasks that wait stay
    Drain(ServerArguments),
    /// Remove all tasks, answers and programs of all runs
    Purge(ServerArguments),
}

#[derive(Args, Debug)]
pub struct ServerArguments {
    /// The NATS server: an address or a context of the `nats` command
    #[arg(long, value_name = "SERVER")]
    pub on: String,
}

fn connect(on: &str) -> Result<Connection, QueueError> {
    Connection::open(&Server::parse(on)?)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// `lariat worker`.
pub fn worker(arguments: &WorkerArguments, common: &Arguments) -> ExitCode {
    finish(work(arguments, common))
}

fn finish(done: Result<ExitCode, QueueError>) -> ExitCode {
    done.unwrap_or_else(|error| say::usage_error(&error.to_string()))
}

fn work(arguments: &WorkerArguments, common: &Arguments) -> Result<ExitCode, QueueError> {
    let jobs = arguments.jobs.map_or(cores(), |jobs| jobs as usize);
    let share = memory_of_system().map(|memory| memory / 10 * 8 / jobs as u64);
    let options = WorkerOptions {
        name: worker_name(),
        build: build_name()?,
        jobs,
        lease: arguments.lease.max(Duration::from_secs(1)),
        program_limit_bytes: arguments.program_limit,
        memory_share: arguments.memory_limit.or(share),
    };
    let stop = StopSignal::new();
    let handler_stop = stop.clone();
    // Twice: what is at hand goes back at once. Without the handler the lease does the same, later.
    let _ = ctrlc::set_handler(move || {
        handler_stop.request();
        handler_stop.request();
    });
    let connection = connect(&arguments.on)?;
    let tell = |text: &str| {
        if !common.quiet {
            say::remarks(&format!("{text}\n"));
        }
    };
    let observe = |event: WorkerEvent| match event {
        WorkerEvent::Joined => tell(&format!(
            "{} works for {} with {} (lariat {})",
            options.name,
            connection.shown(),
            units::count(jobs as u64, "job"),
            options.build,
        )),
        WorkerEvent::Trouble(text) => say::warning(&text),
        WorkerEvent::GivenBack(id, reason) => tell(&format!("{id} goes back: {reason}")),
        WorkerEvent::Started(id) if common.verbose => tell(&format!("{id} started")),
        WorkerEvent::Finished(id) if common.verbose => tell(&format!("{id} done")),
        WorkerEvent::Late(id) if common.verbose => tell(&format!("{id} was answered by another worker")),
        WorkerEvent::Started(_) | WorkerEvent::Finished(_) | WorkerEvent::Late(_) => {}
    };
    let done = lariat_queue::serve(&connection, &options, &supervisor()?, &stop, &observe)?;
    tell(&format!(
        "{} left after {}",
        options.name,
        units::count(done, "task")
    ));
    Ok(ExitCode::Success)
}

/// The machine and the process.
fn worker_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = match host.trim() {
        "" => std::env::var("HOSTNAME").unwrap_or_else(|_| "worker".to_owned()),
        host => host.to_owned(),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let host: String = host.chars().map(plain).collect();
    format!("{host}-{}", std::process::id())
}

/// `lariat queue`.
pub fn queue(arguments: &QueueArguments) -> ExitCode {
    finish(match &arguments.action {
        QueueAction::Status(server) => show_status(&server.on),
        QueueAction::Drain(server) => drain(&server.on),
        QueueAction::Purge(server) => purge(&server.on),
    })
}

fn printed(text: &str) -> Result<ExitCode, QueueError> {
    say::result(text).map_err(QueueError::File)?;
    Ok(ExitCode::Success)
}

fn show_status(on: &str) -> Result<ExitCode, QueueError> {
    let connection = connect(on)?;
    let status = lariat_queue::status(&connection, None)?;
    let own = build_name()?;
    let mut text = format!(
        "{} waiting, {} running, {} of them redelivered\n",
        units::count(status.waiting, "task"),
        status.running,
        status.redelivered
    );
    for worker in &status.workers {
        let version = match worker.build == own {
            true => String::new(),
            false => format!(", another Lariat ({})", worker.build),
        };
        text.push_str(&format!(
            "{}: {} of {} busy, {} done{version}\n",
            worker.name,
            worker.running,
            units::count(worker.jobs as u64, "job"),
            worker.done
        ));
    }
    text.push_str(&format!("{}\n", status.bottleneck()));
    printed(&text)
}

fn drain(on: &str) -> Result<ExitCode, QueueError> {
    let connection = connect(on)?;
    let stop = StopSignal::new();
    crate::command::stop_on_ctrl_c(&stop);
    match lariat_queue::drain(&connection, DRAIN_PATIENCE, &stop)? {
        0 => printed("no worker is left\n"),
        left => {
            say::warning(&format!("{} still there", units::count(left as u64, "worker")));
            Ok(ExitCode::NoAnswer)
        }
    }
}

fn purge(on: &str) -> Result<ExitCode, QueueError> {
    let tasks = lariat_queue::purge(&connect(on)?)?;
    printed(&format!("{} removed\n", units::count(tasks, "task")))
}

/// The name of the run of a benchmark, from the folder of its results if it is resumed.
fn run_name(folder: &Path, resume: bool) -> Result<(RunName, bool), QueueError> {
    let path = folder.join(RUN_FILE);
    if resume {
        let earlier = fs::read(&path).ok();
        let earlier = earlier.and_then(|text| serde_json::from_slice::<RunName>(&text).ok());
        if let Some(name) = earlier.filter(RunName::is_valid) {
            return Ok((name, true));
        }
    }
    let name = RunName::fresh();
    let text = serde_json::to_string(&name).map_err(|error| QueueError::File(error.to_string()))?;
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| QueueError::File(format!("cannot write {}: {error}", path.display())))?;
    Ok((name, false))
}

/// Runs `go` with the queue of a benchmark whose results are in `folder`.
pub fn with_queue<T>(
    on: Option<&str>,
    folder: &Path,
    resume: bool,
    jobs: usize,
    go: impl FnOnce(&mut dyn Queue) -> Result<T, String>,
) -> Result<T, String> {
    let supervisor = supervisor().map_err(|error| error.to_string())?;
    let mut local = InProcess { supervisor, jobs };
    let Some(on) = on else {
        return go(&mut local);
    };
    let as_text = |error: QueueError| error.to_string();
    let connection = connect(on).map_err(as_text)?;
    let (run, resumed) = run_name(folder, resume).map_err(as_text)?;
    let mut queue = JetStream {
        connection: &connection,
        build: build_name().map_err(|error| error.to_string())?,
        run,
        resumed,
        local,
    };
    go(&mut queue)
}

/// What is kept for `--resume` is not needed any more.
pub fn forget_run(folder: &Path) {
    // A name that stays does no harm: nothing is kept under it.
    let _ = fs::remove_file(folder.join(RUN_FILE));
}

/// Lets a worker of `on` do one thing. `None` if the user stopped it.
pub fn one(on: &str, work: Work, stop: &StopSignal, common: &Arguments) -> Result<Option<Answer>, String> {
    let as_text = |error: QueueError| error.to_string();
    let connection = connect(on).map_err(as_text)?;
    crate::command::stop_on_ctrl_c(stop);
    let mut queue = JetStream {
        connection: &connection,
        build: build_name().map_err(|error| error.to_string())?,
        run: RunName::fresh(),
        resumed: false,
        local: InProcess {
            supervisor: supervisor().map_err(|error| error.to_string())?,
            jobs: 1,
        },
    };
    let shows_progress = !common.no_progress && !common.quiet && io::stderr().is_terminal();
    let bar = shows_progress.then(indicatif::ProgressBar::new_spinner);
    let mut answered = None;
    let done = queue.run(&[work], &|_, _| Ok(()), stop, &mut |event| {
        match event {
            QueueEvent::Finished { answer, .. } => answered = Some(answer),
            QueueEvent::Status(status) => {
                if let Some(bar) = &bar {
                    bar.set_message(status_line(&status));
                }
            }
            QueueEvent::Remark(text) => say::warning(&text),
            QueueEvent::Started(_) => {}
        }
        Ok(())
    });
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    if stop.is_requested() {
        queue.forget();
    }
    done.map_err(as_text)?;
    Ok(answered)
}

/// The state of a queue in a line.
pub fn status_line(status: &QueueStatus) -> String {
    let splits = match status.splits {
        0 => String::new(),
        splits => format!(", {}", units::count(splits, "split")),
    };
    format!(
        "{} · {} waiting, {} running, {} redelivered{splits} · {}",
        units::count(status.workers.len() as u64, "worker"),
        status.waiting,
        status.running,
        status.redelivered,
        status.bottleneck()
    )
}
