//! The files of a command: patterns, standard input, one program each, and running again when they change.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant, SystemTime};

use clap::Args;
use lariat_options::{COptions, Language};

use crate::arguments::{Arguments, Command};
use crate::check::{self, CheckArguments, Done};
use crate::command::OutputArguments;
use crate::exit::ExitCode;
use crate::explain::Saved;
use crate::format::OutputFormat;
use crate::{glob, say};

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(200);

/// Files beside the given ones whose changes matter as well.
const WATCHED: [&str; 10] = [
    "c", "h", "i", "bpl", "toml", "conform", "lts", "fsp", "aut", "inc",
];

/// What is done with the files.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Files")]
pub struct InputArguments {
    /// Each file is a program of its own: check all, and show a table. `--report` then is a folder
    #[arg(long)]
    pub each: bool,

    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    /// Check only the file with this number, and write the result as JSON to this path
    #[arg(long = "__only", value_name = "NUMBER:PATH", hide = true)]
    pub only: Option<String>,
}

/// The files of a command, ready to be read. A program from standard input is in a file that is removed in the end.
#[derive(Default)]
pub struct Inputs {
    folder: Option<PathBuf>,
}

impl Inputs {
    /// The path of the folder as it gets into results, which show the file without it.
    fn renamed(&self) -> Option<String> {
        self.folder
            .as_ref()
            .map(|folder| format!("{}/", folder.display()))
    }
}

impl Drop for Inputs {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // Whatever is left is in the folder for temporary files.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// The parts of a command's arguments that this is about.
struct Parts<'a> {
    name: &'static str,
    files: &'a mut Vec<PathBuf>,
    language: Option<Language>,
    input: &'a InputArguments,
    output: &'a mut OutputArguments,
}

fn parts(command: &mut Command) -> Option<Parts<'_>> {
    match command {
        Command::Verify(it) => Some(Parts {
            name: "verify",
            files: &mut it.files,
            language: it.language,
            input: &it.input,
            output: &mut it.output,
        }),
        Command::Angelic(it) => Some(Parts {
            name: "angelic",
            files: &mut it.files,
            language: it.language,
            input: &it.input,
            output: &mut it.output,
        }),
        Command::Conform(it) => Some(Parts {
            name: "conform",
            files: &mut it.files,
            language: None,
            input: &it.input,
            output: &mut it.output,
        }),
        _ => None,
    }
}

/// What is to be done instead of running the command once.
pub enum Plan {
    /// Run it, with these files.
    Once(Inputs),
    /// It has been run.
    Done(ExitCode),
}

/// Finds the files of a command. An error is one of usage.
pub fn prepare(arguments: &mut Arguments) -> Result<Plan, String> {
    let Some(parts) = parts(&mut arguments.command) else {
        return Ok(Plan::Once(Inputs::default()));
    };
    *parts.files = expanded(parts.files)?;
    let from_stdin = parts.files.iter().filter(|file| is_stdin(file)).count();
    let is_repeated = parts.input.watch || parts.input.each;
    match from_stdin {
        0 => {}
        1 if is_repeated => return Err("`-` can be read once: not with `--watch` or `--each`".to_owned()),
        1 => {
            let inputs = read_stdin(parts.files, parts.language)?;
            parts.output.renamed = inputs.renamed();
            return Ok(Plan::Once(inputs));
        }
        _ => return Err("`-` can be given once".to_owned()),
    }
    if let Some((number, path)) = parts.input.only.as_deref().and_then(|it| it.split_once(':')) {
        let file = number
            .parse()
            .ok()
            .and_then(|number: usize| parts.files.get(number).cloned());
        *parts.files = vec![file.ok_or("there are not so many files")?];
        *parts.output = OutputArguments {
            output: Some(path.into()),
            ..OutputArguments::json()
        };
        return Ok(Plan::Once(Inputs::default()));
    }
    if parts.input.watch {
        let files = parts.files.clone();
        return watch(&files).map(Plan::Done);
    }
    if parts.input.each {
        let (name, files) = (parts.name, parts.files.clone());
        let wanted = CheckArguments {
            targets: Vec::new(),
            settings: None,
            watch: false,
            output_format: parts.output.output_format,
            output: parts.output.output.clone(),
            report: parts.output.report.clone(),
            baseline: parts.output.baseline.clone(),
        };
        return each(name, &files, &wanted, arguments).map(Plan::Done);
    }
    Ok(Plan::Once(Inputs::default()))
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Patterns become the files that they match, in their order. What exists is a name, whatever it looks like.
fn expanded(files: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for file in files {
        match file.to_str().filter(|name| name.contains(['*', '?'])) {
            Some(pattern) if !file.exists() => {
                let matches = glob::expand(Path::new(""), pattern);
                if matches.is_empty() {
                    return Err(format!("no file matches `{pattern}`"));
                }
                found.extend(matches);
            }
            _ => found.push(file.clone()),
        }
    }
    Ok(found)
}

/// Puts what standard input has into a file, whose name says the language.
fn read_stdin(files: &mut [PathBuf], language: Option<Language>) -> Result<Inputs, String> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read standard input: {error}"))?;
    let folder = std::env::temp_dir().join(format!("lariat-stdin-{}", std::process::id()));
    let inputs = Inputs {
        folder: Some(folder.clone()),
    };
    let problem = |error| format!("cannot write to {}: {error}", folder.display());
    let nameless = folder.join("stdin");
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&nameless, bytes))
        .map_err(problem)?;
    let is_c = match language {
        Some(language) => language == Language::C,
        None => COptions::is_c_file(&nameless),
    };
    let path = folder.join(if is_c { "stdin.c" } else { "stdin.bpl" });
    std::fs::rename(&nameless, &path).map_err(problem)?;
    for file in files.iter_mut().filter(|file| is_stdin(file)) {
        file.clone_from(&path);
    }
    Ok(inputs)
}

/// This program with its own arguments, without those that are handled here and with others.
fn again(left_out: &[&str], added: &[&str]) -> Result<Process, String> {
    let program = std::env::current_exe().map_err(|error| format!("the program is not known: {error}"))?;
    let mut process = Process::new(program);
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
    words.retain(|word| !left_out.iter().any(|it| word == it));
    // After the command's name: what follows `--` is a file.
    let place = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.splice(place..place, added.iter().map(OsString::from));
    process.args(words);
    Ok(process)
}

/// Checks each file by a run of its own, and shows all results.
fn each(
    name: &'static str,
    files: &[PathBuf],
    wanted: &CheckArguments,
    common: &Arguments,
) -> Result<ExitCode, String> {
    let mut done = Vec::new();
    for (number, file) in files.iter().enumerate() {
        if !common.quiet && wanted.output_format == OutputFormat::Text {
            say::remarks(&format!("checking {} …\n", file.display()));
        }
        let result = std::env::temp_dir().join(format!("lariat-each-{}-{number}.json", std::process::id()));
        let start = Instant::now();
        let only = format!("--__only={number}:{}", result.display());
        let output = again(&["--each", "--no-progress"], &[&only, "--no-progress"])?
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("cannot start this program again: {error}"))?;
        let saved = Saved::read(&result);
        // There is none if the command did not start.
        let _ = std::fs::remove_file(&result);
        done.push(Done {
            name: file.display().to_string(),
            command: name,
            result: saved.map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            code: ExitCode::of_code(output.status.code()),
            seconds: start.elapsed().as_secs_f64(),
        });
    }
    let here = std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
    check::finish(wanted, common, &here, done)
}

/// Runs the command, and again whenever a file changes; what runs then is stopped.
fn watch(files: &[PathBuf]) -> Result<ExitCode, String> {
    let start = || -> Result<Child, String> {
        let mut process = again(&["--watch"], &[])?;
        let started = process.stdin(Stdio::null()).spawn();
        started.map_err(|error| format!("cannot start this program again: {error}"))
    };
    let mut seen = changes(files);
    let mut child = start()?;
    let mut is_told = false;
    loop {
        std::thread::sleep(INTERVAL);
        let ended = child.try_wait().map_err(|error| error.to_string())?.is_some();
        if ended && !is_told {
            say::remarks("waiting for changes; Ctrl-C ends\n");
            is_told = true;
        }
        let now = changes(files);
        if now == seen {
            continue;
        }
        seen = now;
        // It may have ended; its own child ends with it.
        let _ = child.kill();
        let _ = child.wait();
        child = start()?;
        is_told = false;
    }
}

/// The times and sizes of the files, and of those beside them that they may include.
fn changes(files: &[PathBuf]) -> Vec<(PathBuf, Option<SystemTime>, u64)> {
    let mut watched: Vec<PathBuf> = files.to_vec();
    let mut folders: Vec<PathBuf> = files
        .iter()
        .map(|file| match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        })
        .collect();
    folders.sort();
    folders.dedup();
    for folder in folders {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        watched.extend(entries.map(|entry| entry.path()).filter(|path| {
            let extension = path.extension().and_then(|it| it.to_str());
            // What `angelic` writes itself must not start it again.
            let is_own = path.to_string_lossy().ends_with(".specs.toml");
            !is_own && extension.is_some_and(|it| WATCHED.contains(&it))
        }));
    }
    watched.sort();
    watched.dedup();
    let look = |path: PathBuf| {
        let data = path.metadata().ok();
        let time = data.as_ref().and_then(|it| it.modified().ok());
        let size = data.map_or(0, |it| it.len());
        (path, time, size)
    };
    watched.into_iter().map(look).collect()
}
