//! Runs all entries of a project in worker processes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lariat_front_end::is_c_plus_plus;
use lariat_report::{
    ProjectEntry, ProjectReport, SurveyReport, SurveyRequest, SurveyedFile, UnknownCause, Verdict,
    VerifyRequest, Warning, WarningKind,
};
use lariat_worker::{JsonLines, Order, StopSignal, Supervisor, TaskEvent, read_json_lines, run_tasks};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use crate::plan::{Plan, PlannedEntry, plan};

/// How a project is verified.
#[derive(Clone, Debug)]
pub struct ProjectOptions {
    pub files: Vec<PathBuf>,
    /// Names of functions, in which `*` stands for any text. Empty: every program, and every library by its functions.
    pub patterns: Vec<String>,
    /// The base of every request.
    pub settings: VerifyRequest,
    /// Of each entry.
    pub time_limit: Duration,
    pub memory_limit: Option<u64>,
    pub jobs: usize,
    /// Where verdicts are kept, if anywhere.
    pub state: Option<PathBuf>,
    /// Verdicts of the state file are used again.
    pub resume: bool,
}

/// What happens while a project is verified.
#[derive(Debug)]
pub enum ProjectEvent<'a> {
    /// So many of all files were looked at.
    Surveyed {
        done: usize,
        total: usize,
    },
    /// How many entries there are, and how many verdicts are kept.
    Planned {
        total: usize,
        kept: usize,
    },
    Started(&'a str),
    Finished(&'a ProjectEntry),
}

/// Why a project could not be verified.
#[derive(Debug)]
pub enum ProjectError {
    /// The state file cannot be read or written.
    State(PathBuf, io::Error),
    /// Worker processes cannot be started.
    Worker(io::Error),
}

impl fmt::Display for ProjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProjectError::State(path, error) => write!(f, "{}: {error}", path.display()),
            ProjectError::Worker(error) => write!(f, "worker processes cannot be started: {error}"),
        }
    }
}

impl std::error::Error for ProjectError {}

impl From<io::Error> for ProjectError {
    fn from(error: io::Error) -> Self {
        ProjectError::Worker(error)
    }
}

/// The C files of a compilation database, and what is to be said of the others.
pub fn project_files(database: &Path) -> Result<(Vec<PathBuf>, Vec<Warning>), String> {
    let named = lariat_front_end::database_files(database).map_err(|error| error.message.clone())?;
    let here = std::env::current_dir().and_then(|folder| folder.canonicalize());
    let here = here.unwrap_or_default();
    let mut files = Vec::new();
    let mut warnings = Vec::new();
    let mut left_out = 0;
    for file in named {
        // Paths are shown as users write them.
        let path = file.path.canonicalize().unwrap_or(file.path);
        let path = path
            .strip_prefix(&here)
            .map_or_else(|_| path.clone(), Path::to_path_buf);
        if is_c_plus_plus(&path) || !lariat_report::COptions::is_c_file(&path) {
            left_out += 1;
            continue;
        }
        if file.is_ambiguous {
            let message = format!(
                "{} is compiled in several ways: the first command of the database counts",
                path.display()
            );
            warnings.push(warning(message));
        }
        files.push(path);
    }
    if left_out > 0 {
        let message = format!("{left_out} of the files in the database are not C and are left out");
        warnings.push(warning(message));
    }
    Ok((files, warnings))
}

fn warning(message: String) -> Warning {
    Warning {
        kind: WarningKind::Other,
        message,
        location: None,
    }
}

/// Verifies all entries, each in a child of `supervisor`.
pub fn run(
    options: &ProjectOptions,
    supervisor: &Supervisor,
    stop: &StopSignal,
    observe: &mut dyn FnMut(ProjectEvent<'_>),
) -> Result<ProjectReport, ProjectError> {
    let started = Instant::now();
    let names = options.files.iter().map(|file| file.display().to_string());
    let mut report = ProjectReport::new(names.collect());
    let files = survey_all(options, supervisor, stop, &mut report, observe)?;
    let Plan { entries, remarks } = plan(&files, &options.patterns);
    report.warnings.extend(remarks.into_iter().map(warning));

    let tasks: Vec<Task> = entries
        .iter()
        .map(|planned| Task::new(options, &files, planned))
        .collect();
    let Kept { mut done, others } = kept(options, &tasks)?;
    let state = options.state.as_deref();
    let failed = |error| ProjectError::State(state.unwrap_or(Path::new("")).to_path_buf(), error);
    let mut lines = state
        .map(|path| JsonLines::create(path, others.iter().chain(done.iter().flatten())))
        .transpose()
        .map_err(failed)?;
    let open: Vec<usize> = (0..tasks.len()).filter(|&task| done[task].is_none()).collect();
    observe(ProjectEvent::Planned {
        total: tasks.len(),
        kept: tasks.len() - open.len(),
    });
    run_tasks(
        open.len(),
        options.jobs,
        stop,
        |number| tasks[open[number]].run(options, supervisor, stop),
        &mut |event| match event {
            TaskEvent::Started(number) => {
                observe(ProjectEvent::Started(&tasks[open[number]].name()));
                Ok(())
            }
            TaskEvent::Finished(number, entry) => {
                let written = lines.as_mut().map_or(Ok(()), |lines| lines.append(&entry));
                observe(ProjectEvent::Finished(&entry));
                done[open[number]] = Some(entry);
                written.map_err(failed)
            }
        },
    )?;
    for (task, entry) in tasks.iter().zip(done) {
        match entry {
            Some(entry) => report.entries.push(entry),
            None => report.missing.push(task.name()),
        }
    }
    report.verdict = overall(&report, stop);
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// The worst news. Errors in one file are bad input only if no entry has a verdict.
fn overall(report: &ProjectReport, stop: &StopSignal) -> Verdict {
    let verdicts = || report.entries.iter().map(|entry| &entry.report.verdict);
    let read = Verdict::overall(verdicts().filter(|verdict| **verdict != Verdict::BadInput));
    match read {
        Some(bug) if bug.is_bug() => bug,
        _ if stop.is_requested() => Verdict::unknown(UnknownCause::Interrupted, "interrupted"),
        None if report.unreadable.is_empty() && report.entries.is_empty() => {
            Verdict::unknown(UnknownCause::NothingChecked, "the project has no entry")
        }
        Some(verdict)
            if report.unreadable.is_empty() && verdicts().all(|verdict| *verdict != Verdict::BadInput) =>
        {
            verdict
        }
        _ => Verdict::BadInput,
    }
}

/// What the linker would see of each file that can be read.
fn survey_all(
    options: &ProjectOptions,
    supervisor: &Supervisor,
    stop: &StopSignal,
    report: &mut ProjectReport,
    observe: &mut dyn FnMut(ProjectEvent<'_>),
) -> Result<Vec<(PathBuf, SurveyedFile)>, ProjectError> {
    let total = options.files.len();
    let mut surveys: Vec<Option<SurveyReport>> = vec![None; total];
    let mut done = 0;
    let ask = |number: usize| {
        let request = SurveyRequest {
            file: options.files[number].clone(),
            c: options.settings.c.clone(),
            color: options.settings.color,
        };
        let order = Order::new(request).within(Some(options.time_limit), options.memory_limit);
        supervisor
            .run(&order, stop, &mut |_| {})
            .map(|outcome| outcome.report)
    };
    run_tasks(total, options.jobs, stop, ask, &mut |event| {
        if let TaskEvent::Finished(number, survey) = event {
            surveys[number] = Some(survey);
            done += 1;
            observe(ProjectEvent::Surveyed { done, total });
        }
        Ok::<(), ProjectError>(())
    })?;
    let mut files = Vec::new();
    for (path, survey) in options.files.iter().zip(surveys) {
        let Some(survey) = survey else { continue };
        report.diagnostics.extend(survey.diagnostics);
        match survey.found {
            Some(found) => files.push((path.clone(), found)),
            None => report.unreadable.push(path.display().to_string()),
        }
    }
    Ok(files)
}

/// An entry that is to be verified.
struct Task {
    planned: PlannedEntry,
    file: String,
    request: VerifyRequest,
    fingerprint: String,
}

impl Task {
    fn new(options: &ProjectOptions, files: &[(PathBuf, SurveyedFile)], planned: &PlannedEntry) -> Self {
        let request = VerifyRequest {
            files: planned.files.iter().map(|&file| files[file].0.clone()).collect(),
            entries: vec![planned.entry.clone()],
            ..options.settings.clone()
        };
        let mut hash = Sha256::new();
        let limits = format!("{:?}", options.time_limit);
        // Colours change nothing, and the flags of a file are part of its fingerprint.
        let mut plain = request.clone();
        plain.color = false;
        plain.c.compile_commands = None;
        let settings = serde_json::to_string(&plain).unwrap_or_default();
        for text in [lariat_base::this_build(), limits, settings] {
            hash.update(text);
            hash.update([0]);
        }
        for &file in &planned.files {
            hash.update(&files[file].1.fingerprint);
        }
        Task {
            file: files[planned.file].0.display().to_string(),
            fingerprint: hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
            planned: planned.clone(),
            request,
        }
    }

    fn name(&self) -> String {
        format!("{}: {}", self.file, self.planned.entry)
    }

    fn run(
        &self,
        options: &ProjectOptions,
        supervisor: &Supervisor,
        stop: &StopSignal,
    ) -> io::Result<ProjectEntry> {
        let order = Order::new(self.request.clone()).within(Some(options.time_limit), options.memory_limit);
        let outcome = supervisor.run(&order, stop, &mut |_| {})?;
        Ok(ProjectEntry {
            entry: self.planned.entry.clone(),
            file: self.file.clone(),
            part: self.planned.part,
            fingerprint: self.fingerprint.clone(),
            reused: false,
            report: outcome.report,
        })
    }
}

/// The verdicts of the state file that still hold.
struct Kept {
    /// By task.
    done: Vec<Option<ProjectEntry>>,
    /// Of entries that this run does not ask for.
    others: Vec<ProjectEntry>,
}

fn kept(options: &ProjectOptions, tasks: &[Task]) -> Result<Kept, ProjectError> {
    let mut known: FxHashMap<String, ProjectEntry> = FxHashMap::default();
    if let Some(path) = options
        .state
        .as_deref()
        .filter(|path| options.resume && path.exists())
    {
        let entries: Vec<ProjectEntry> =
            read_json_lines(path).map_err(|error| ProjectError::State(path.to_path_buf(), error))?;
        let entries = entries
            .into_iter()
            .filter(|entry| is_lasting(&entry.report.verdict));
        known.extend(entries.map(|entry| (entry.fingerprint.clone(), entry)));
    }
    let keep = |task: &Task| {
        let entry = known.remove(&task.fingerprint)?;
        Some(ProjectEntry {
            reused: true,
            ..entry
        })
    };
    let done: Vec<Option<ProjectEntry>> = tasks.iter().map(keep).collect();
    // What was asked for and has changed is out of date.
    let is_asked = |entry: &ProjectEntry| {
        let is_same = |task: &Task| task.planned.entry == entry.entry && task.file == entry.file;
        tasks.iter().any(is_same)
    };
    let mut others: Vec<ProjectEntry> = known.into_values().filter(|entry| !is_asked(entry)).collect();
    others.sort_by(|a, b| (&a.file, &a.entry, &a.fingerprint).cmp(&(&b.file, &b.entry, &b.fingerprint)));
    Ok(Kept { done, others })
}

/// Whether another run would come to the same verdict. One that lacked memory or crashed may not.
fn is_lasting(verdict: &Verdict) -> bool {
    use UnknownCause::{Crashed, Internal, Interrupted, Memory};
    !matches!(
        verdict,
        Verdict::Unknown {
            cause: Crashed | Internal | Interrupted | Memory,
            ..
        }
    )
}
