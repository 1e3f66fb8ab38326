//! Runs rows through a queue and writes each result as soon as it is there.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use lariat_c_evidence::harness::confirm_report;
use lariat_queue::{Answer, Queue, QueueError, QueueEvent, QueueStatus, Work};
use lariat_report::{COptions, ConformReport, Engine, UnknownCause, Verdict, VerifyReport, VerifyRequest};
use lariat_worker::{Ending, JsonLines, Order, Outcome, StopSignal};

use crate::manifest::{Manifest, Row, Task};
use crate::record::{Record, RecordContext, read_records};

/// The name of the file with one record a line.
pub const RESULTS_NAME: &str = "results.jsonl";

/// The series of rows that ask about conformance.
pub const CONFORM: &str = "conform";

/// How a benchmark is run.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    pub manifests: Vec<Manifest>,
    /// Each is a separate series.
    pub engines: Vec<Engine>,
    /// The base of every request.
    pub settings: VerifyRequest,
    /// Every row asks about conformance, whatever its command is. It has one series, since engines make no difference to it.
    pub conform: bool,
    /// A bound that overrides those of the rows.
    pub bound: Option<u32>,
    pub time_limit: Duration,
    pub memory_limit: Option<u64>,
    /// Only rows whose file name contains this.
    pub filter: Option<String>,
    pub bounded_ok: bool,
    /// Make a harness of each bug in C, compile it and run it.
    pub harness: bool,
    /// Keep the results that are already in `out`.
    pub resume: bool,
    pub out: PathBuf,
}

/// What happens while a benchmark runs.
#[derive(Clone, Debug)]
pub enum BenchEvent<'a> {
    /// Before anything is run: how many results there will be, and how many there are already.
    Planned {
        total: usize,
        kept: usize,
    },
    Started {
        file: &'a str,
        series: &'a str,
    },
    Finished(&'a Record),
    /// How the queue is doing, if it is on a server.
    Status(&'a QueueStatus),
    Remark(&'a str),
}

#[derive(Clone, Debug)]
pub struct BenchResult {
    /// In the order of the rows, engines side by side; without those that were interrupted.
    pub records: Vec<Record>,
    pub seconds: f64,
    pub interrupted: bool,
    /// How often a row was given to somebody again.
    pub redeliveries: u64,
}

/// Why a benchmark could not be run.
#[derive(Debug)]
pub enum BenchError {
    /// Files of results cannot be read or written.
    Results(PathBuf, io::Error),
    /// The rows cannot be worked on.
    Queue(QueueError),
}

impl std::fmt::Display for BenchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BenchError::Results(path, error) => write!(f, "{}: {error}", path.display()),
            BenchError::Queue(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BenchError {}

/// One row with one engine.
struct Case<'a> {
    manifest: &'a Manifest,
    row: &'a Row,
    /// From 1.
    number: usize,
    engine: Engine,
}

impl Case<'_> {
    fn series(&self, options: &BenchOptions) -> &'static str {
        if options.asks_conformance(self.row) {
            CONFORM
        } else {
            self.engine.name()
        }
    }
}

impl BenchOptions {
    fn asks_conformance(&self, row: &Row) -> bool {
        self.conform || row.command.as_deref() == Some(CONFORM)
    }
}

/// Runs all rows with all engines through `queue`.
pub fn run(
    options: &BenchOptions,
    queue: &mut dyn Queue,
    stop: &StopSignal,
    observe: &mut dyn FnMut(BenchEvent<'_>),
) -> Result<BenchResult, BenchError> {
    let started = Instant::now();
    let settings = describe_settings(options);
    let cases = cases(options);
    let mut records: Vec<Option<Record>> = kept_records(options, &cases, &settings)?;
    let path = options.out.join(RESULTS_NAME);
    let failed = |error| BenchError::Results(path.clone(), error);
    fs::create_dir_all(&options.out).map_err(failed)?;
    let mut results = JsonLines::create(&path, records.iter().flatten()).map_err(failed)?;
    let open: Vec<usize> = (0..cases.len())
        .filter(|&index| records[index].is_none())
        .collect();
    observe(BenchEvent::Planned {
        total: cases.len(),
        kept: cases.len() - open.len(),
    });

    let mut asked = Vec::new();
    let mut work = Vec::new();
    for index in open {
        match case_work(options, &cases[index]) {
            Ok(asks) => {
                asked.push(index);
                work.push(asks);
            }
            Err(reason) => {
                let record = unsupported(options, &cases[index], &settings, reason);
                results.append(&record).map_err(failed)?;
                observe(BenchEvent::Finished(&record));
                records[index] = Some(record);
            }
        }
    }
    let complete =
        |number: usize, answer: &mut Answer| confirm(options, &cases[asked[number]], &work[number], answer);
    let mut redelivered = 0;
    let mut written = Ok(());
    let ran = queue.run(&work, &complete, stop, &mut |event| {
        match event {
            QueueEvent::Started(number) => {
                let case = &cases[asked[number]];
                observe(BenchEvent::Started {
                    file: &case.row.file,
                    series: case.series(options),
                });
            }
            QueueEvent::Finished {
                number,
                answer,
                redeliveries,
            } => {
                redelivered += redeliveries;
                let record = record(options, &cases[asked[number]], &settings, answer);
                if let Err(error) = results.append(&record) {
                    let message = error.to_string();
                    written = Err(failed(error));
                    return Err(QueueError::Observer(message));
                }
                observe(BenchEvent::Finished(&record));
                records[asked[number]] = Some(record);
            }
            QueueEvent::Status(status) => observe(BenchEvent::Status(&status)),
            QueueEvent::Remark(text) => observe(BenchEvent::Remark(&text)),
        }
        Ok(())
    });
    written?;
    ran.map_err(BenchError::Queue)?;
    Ok(BenchResult {
        records: records.into_iter().flatten().collect(),
        seconds: started.elapsed().as_secs_f64(),
        interrupted: stop.is_requested(),
        redeliveries: redelivered,
    })
}

/// The base of the request of a case.
fn case_settings(options: &BenchOptions, case: &Case<'_>) -> VerifyRequest {
    VerifyRequest {
        engine: case.engine,
        ..options.settings.clone()
    }
}

/// What is asked for a case, or why this version cannot ask it.
fn case_work(options: &BenchOptions, case: &Case<'_>) -> Result<Work, String> {
    let settings = case_settings(options, case);
    let task = match options.conform {
        true => case.row.conform_task(&case.manifest.folder, &settings),
        false => case.row.task(&case.manifest.folder, &settings, options.bound),
    };
    Ok(match task {
        Task::Verify(request) => Work::Verify(Box::new(order(options, *request))),
        Task::Angelic(request) => Work::Angelic(Box::new(order(options, *request))),
        Task::Boogie(request) => Work::Boogie(Box::new(order(options, *request))),
        Task::Conform(request) => Work::Conform(Box::new(order(options, *request))),
        Task::Unsupported(reason) => return Err(reason),
    })
}

/// Makes a harness of a bug in C, which is kept with the results, and runs it.
fn confirm(options: &BenchOptions, case: &Case<'_>, work: &Work, answer: &mut Answer) -> io::Result<()> {
    let (Work::Verify(order), Answer::Verify(outcome)) = (work, answer) else {
        return Ok(());
    };
    if options.harness && case.row.is_c() && outcome.report.verdict.is_bug() {
        let folder = options.out.join("harnesses").join(case.engine.name());
        fs::create_dir_all(&folder)?;
        let name = format!("{}-{}.c", case.number, case.row.file.replace(['/', '\\'], "_"));
        confirm_report(&mut outcome.report, &order.request, &folder.join(name))?;
    }
    Ok(())
}

fn context<'a>(
    options: &BenchOptions,
    case: &Case<'_>,
    manifest: &'a str,
    settings: &'a str,
) -> RecordContext<'a> {
    RecordContext {
        series: case.series(options),
        manifest,
        row: case.number,
        bounded_ok: options.bounded_ok,
        settings,
    }
}

/// The record of an answer.
fn record(options: &BenchOptions, case: &Case<'_>, settings: &str, answer: Answer) -> Record {
    let manifest = case.manifest.path.display().to_string();
    let context = context(options, case, &manifest, settings);
    match answer {
        Answer::Verify(outcome) => Record::new(case.row, &outcome, context),
        Answer::Conform(outcome) => {
            let outcome = as_verified(*outcome, &case_settings(options, case));
            Record::new(case.row, &outcome, context)
        }
        Answer::Boogie(outcome) => Record::boogie(case.row, &outcome, context),
        Answer::Angelic(outcome) => {
            let program = case.manifest.folder.join(&case.row.file);
            Record::angelic(case.row, &outcome, &program, context)
        }
    }
}

/// The record of a case that cannot be asked.
fn unsupported(options: &BenchOptions, case: &Case<'_>, settings: &str, reason: String) -> Record {
    let verdict = Verdict::unknown(UnknownCause::Unsupported, reason);
    let outcome = Outcome {
        report: VerifyReport::new(&case_settings(options, case), verdict),
        ending: Ending::Finished,
        seconds: 0.0,
        peak_memory_bytes: 0,
        processor_seconds: None,
    };
    let manifest = case.manifest.path.display().to_string();
    Record::new(case.row, &outcome, context(options, case, &manifest, settings))
}

/// A report on conformance as one of verification, so that the same rules judge it.
fn as_verified(outcome: Outcome<ConformReport>, settings: &VerifyRequest) -> Outcome {
    let conform = outcome.report;
    let mut report = VerifyReport::new(settings, conform.verdict);
    report.files = conform.files;
    report.diagnostics = conform.diagnostics;
    let components = || {
        conform
            .specifications
            .iter()
            .flat_map(|part| &part.stats.components)
    };
    report.stats.solver_calls = components().map(|component| component.prover_checks).sum();
    Outcome {
        report,
        ending: outcome.ending,
        seconds: outcome.seconds,
        peak_memory_bytes: outcome.peak_memory_bytes,
        processor_seconds: outcome.processor_seconds,
    }
}

fn order<R>(options: &BenchOptions, request: R) -> Order<R> {
    Order::new(request).within(Some(options.time_limit), options.memory_limit)
}

fn cases(options: &BenchOptions) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for manifest in &options.manifests {
        for (row, number) in manifest.rows.iter().zip(1..) {
            if options
                .filter
                .as_ref()
                .is_some_and(|filter| !row.file.contains(filter.as_str()))
            {
                continue;
            }
            let case = |&engine| Case {
                manifest,
                row,
                number,
                engine,
            };
            // Engines make no difference to conformance.
            let engines = match options.asks_conformance(row) {
                true => &options.engines[..options.engines.len().min(1)],
                false => &options.engines[..],
            };
            cases.extend(engines.iter().map(case));
        }
    }
    cases
}

/// Everything that a result depends on besides the row and the engine.
fn describe_settings(options: &BenchOptions) -> String {
    let settings = &options.settings;
    let mut text = format!(
        "time={}s seed={}",
        options.time_limit.as_secs_f64(),
        settings.unfolding.seed
    );
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(&format!(" {name}={value}"));
        }
    };
    add("memory", options.memory_limit.map(|bytes| bytes.to_string()));
    add("bound", options.bound.map(|bound| bound.to_string()));
    add(
        "contexts",
        settings.search.contexts.map(|contexts| contexts.to_string()),
    );
    add(
        "stack-depth",
        settings.unfolding.stack_depth.map(|depth| depth.to_string()),
    );
    add(
        "static-loop-bound",
        settings
            .unfolding
            .static_loop_bound
            .map(|bound| bound.to_string()),
    );
    add("bounded", options.bounded_ok.then(|| "ok".to_owned()));
    add("harness", options.harness.then(|| "yes".to_owned()));
    if settings.c != COptions::default() {
        add("c", serde_json::to_string(&settings.c).ok());
    }
    for option in &settings.solver_options {
        add(&option.key, Some(option.value.clone()));
    }
    text
}

fn kept_records(
    options: &BenchOptions,
    cases: &[Case<'_>],
    settings: &str,
) -> Result<Vec<Option<Record>>, BenchError> {
    let path = options.out.join(RESULTS_NAME);
    let mut kept = HashMap::new();
    if options.resume && path.exists() {
        let records = read_records(&path).map_err(|error| BenchError::Results(path, error))?;
        for record in records.into_iter().filter(|record| record.settings == settings) {
            kept.insert(
                (record.series.clone(), record.manifest.clone(), record.row),
                record,
            );
        }
    }
    let keep = |case: &Case<'_>| {
        let manifest = case.manifest.path.display().to_string();
        let record = kept.remove(&(case.series(options).to_owned(), manifest, case.number))?;
        // The manifest may have changed meanwhile.
        (record.file == case.row.file && record.expect == case.row.expect).then_some(record)
    };
    Ok(cases.iter().map(keep).collect())
}
