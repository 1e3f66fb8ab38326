//! `lariat check`: all targets of `lariat.toml`, one after the other, and one table.
//!
//! Each target is run as the command that it names, by this program, in the folder of the settings; its result comes back as
//! JSON and is shown like any other.

mod targets;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use clap::Args;
use maud::html;
use serde_json::json;

use self::targets::Target;
use crate::arguments::Arguments;
use crate::command::{self, OutputArguments, write_file};
use crate::exit::ExitCode;
use crate::explain::Saved;
use crate::format::json::pretty;
use crate::format::{OutputFormat, html as page, sarif, text};
use crate::{say, style, units};

#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Check only these targets [default: all]
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,

    /// The settings [default: lariat.toml of this folder or the nearest above]
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,

    /// Check again whenever a file of a target changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    /// Format of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = OutputFormat::Text, help_heading = "Output")]
    pub output_format: OutputFormat,

    /// Write the result to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Also write a page for each target, and an index, to this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Only findings that this SARIF file of an earlier run does not have count: in SARIF, and for the exit code
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub baseline: Option<PathBuf>,
}

/// The settings for a folder.
pub fn settings_above(folder: &Path) -> Option<PathBuf> {
    targets::find(folder)
}

/// What came of a target, or of one program of several.
pub struct Done {
    pub name: String,
    pub command: &'static str,
    pub result: Result<Saved, String>,
    pub code: ExitCode,
    pub seconds: f64,
}

pub fn run(arguments: &CheckArguments, common: &Arguments) -> ExitCode {
    match prepared(arguments) {
        Ok((folder, targets)) => {
            let code = match check(arguments, common, &targets) {
                Ok(code) => code,
                Err(message) => return say::usage_error(&message),
            };
            match arguments.watch {
                true => watch(arguments, common, &folder),
                false => code,
            }
        }
        Err(message) => {
            // With labels and places already, or in one line.
            match message.contains('\n') {
                true => say::remarks(&format!("{message}\n")),
                false => say::error(&message),
            }
            ExitCode::BadInput
        }
    }
}

/// Goes to the folder of the settings, so that all paths are relative to it.
fn prepared(arguments: &CheckArguments) -> Result<(PathBuf, Vec<Target>), String> {
    let here = std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
    let found = match &arguments.settings {
        Some(path) => Some(here.join(path)),
        None => targets::find(&here),
    };
    let path = found.ok_or("there is no lariat.toml in this folder or above")?;
    let folder = path.parent().unwrap_or(&here).to_owned();
    let shown = path.strip_prefix(&here).unwrap_or(&path);
    let mut targets = targets::read(shown)?;
    if let Some(unknown) = arguments
        .targets
        .iter()
        .find(|name| !targets.iter().any(|it| it.name == **name))
    {
        let names: Vec<&str> = targets.iter().map(|it| it.name.as_str()).collect();
        return Err(format!(
            "there is no target `{unknown}`; there are {}",
            names.join(", ")
        ));
    }
    if !arguments.targets.is_empty() {
        targets.retain(|target| arguments.targets.contains(&target.name));
    }
    Ok((folder, targets))
}

fn check(arguments: &CheckArguments, common: &Arguments, targets: &[Target]) -> Result<ExitCode, String> {
    let (folder, _) = prepared(arguments)?;
    let program = std::env::current_exe().map_err(|error| format!("the program is not known: {error}"))?;
    let mut done = Vec::new();
    for target in targets {
        if !common.quiet && arguments.output_format == OutputFormat::Text {
            say::remarks(&format!("checking {} …\n", target.name));
        }
        done.push(run_target(&program, target, &folder)?);
    }
    finish(arguments, common, &folder, done)
}

/// Shows the results of all targets, whose files are relative to the folder. The exit code is that of the worst.
pub fn finish(
    arguments: &CheckArguments,
    common: &Arguments,
    folder: &Path,
    mut done: Vec<Done>,
) -> Result<ExitCode, String> {
    let here = std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
    let absolute = |path: &PathBuf| here.join(path);
    let baseline = arguments.baseline.as_ref().map(absolute);
    let reports = arguments.report.as_ref().map(absolute);
    // Sources are found where the settings are.
    std::env::set_current_dir(folder)
        .map_err(|error| format!("cannot go to {}: {error}", folder.display()))?;
    let shown = show(arguments, common, &mut done, baseline, reports.as_deref());
    std::env::set_current_dir(&here)
        .map_err(|error| format!("cannot go back to {}: {error}", here.display()))?;
    let result = shown?;
    match arguments.output.as_ref().map(absolute) {
        Some(path) => write_file(&path, &anstream::adapter::strip_str(&result).to_string())?,
        None => say::result(&result)?,
    }
    let worst = |code: &ExitCode| match code {
        ExitCode::Internal => 5,
        ExitCode::Interrupted => 4,
        ExitCode::BadInput | ExitCode::CorralError => 3,
        ExitCode::Bug => 2,
        ExitCode::NoAnswer => 1,
        ExitCode::Success => 0,
    };
    Ok(done
        .iter()
        .map(|it| it.code)
        .max_by_key(worst)
        .unwrap_or(ExitCode::Success))
}

fn run_target(program: &Path, target: &Target, folder: &Path) -> Result<Done, String> {
    let name = format!("lariat-check-{}-{:x}.json", std::process::id(), target.name.len());
    let result = std::env::temp_dir().join(name);
    let start = Instant::now();
    let output = Command::new(program)
        .arg(target.command)
        .args(&target.options)
        .args(["--no-progress", "--output-format=json"])
        .arg("--output")
        .arg(&result)
        .arg("--")
        .args(&target.files)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    let saved = Saved::read(&result);
    // There is none if the command did not start.
    let _ = std::fs::remove_file(&result);
    let code = ExitCode::of_code(output.status.code());
    Ok(Done {
        name: target.name.clone(),
        command: target.command,
        result: saved.map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        code,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The result in the wanted format; pages are written.
fn show(
    arguments: &CheckArguments,
    common: &Arguments,
    done: &mut [Done],
    baseline: Option<PathBuf>,
    reports: Option<&Path>,
) -> Result<String, String> {
    let output = OutputArguments {
        baseline,
        ..OutputArguments::json()
    };
    let options = text::Options {
        quiet: common.quiet,
        verbose: common.verbose,
        width: text::terminal_width(),
        cut: false,
    };
    if let Some(folder) = reports {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot write to {}: {error}", folder.display()))?;
    }
    let (mut texts, mut runs, mut reported) = (String::new(), Vec::new(), Vec::new());
    for one in done.iter_mut() {
        let saved = match &one.result {
            Ok(saved) => saved,
            Err(message) => {
                say::remarks(&format!("{}: {message}\n", one.name));
                continue;
            }
        };
        let mut view = saved.view();
        if let Some(folder) = reports {
            write_file(&folder.join(page_name(&one.name)), &page::render(&view))?;
        }
        if one.code != ExitCode::Success && !common.quiet {
            texts.push_str(&format!("{0}{1}{0:#}\n", style::BOLD, one.name));
            texts.push_str(&text::render(&view, &options));
            texts.push('\n');
        }
        let nothing_new = command::choose_findings(&mut view, &output)?;
        if nothing_new && one.code == ExitCode::Bug {
            one.code = ExitCode::Success;
        }
        let mut log = sarif::log(&view);
        let mut run = log["runs"][0].take();
        run["automationDetails"] = json!({ "id": format!("lariat/{}", one.name) });
        runs.push(run);
        reported.push(json!({ "target": one.name, "command": one.command, "result": saved.to_json()? }));
    }
    if let Some(folder) = reports {
        write_file(&folder.join("index.html"), &index(done))?;
    }
    match arguments.output_format {
        OutputFormat::Text => Ok(format!("{texts}{}", table(done))),
        OutputFormat::Json => {
            pretty(&json!({ "schema_version": lariat_report::SCHEMA_VERSION, "targets": reported }))
        }
        OutputFormat::Sarif => pretty(&json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": runs,
        })),
        OutputFormat::Html => Ok(index(done)),
    }
}

/// The answer of a target in a word or two, with its style.
fn answer(done: &Done) -> (anstyle::Style, String) {
    let words = match &done.result {
        Ok(saved) => saved.view().answer.text,
        Err(_) => "not run".to_owned(),
    };
    let style = match done.code {
        ExitCode::Success => style::GOOD,
        ExitCode::NoAnswer => style::WARNING,
        _ => style::ERROR,
    };
    (style, words)
}

fn table(done: &[Done]) -> String {
    let width = |texts: Vec<usize>| texts.into_iter().max().unwrap_or(0);
    let names = width(done.iter().map(|it| it.name.chars().count()).collect());
    let answers = width(done.iter().map(|it| answer(it).1.chars().count()).collect());
    let mut text = String::new();
    for one in done {
        let (style, words) = answer(one);
        text.push_str(&format!(
            "{:names$}  {:7}  {style}{words:answers$}{style:#}  {}\n",
            one.name,
            one.command,
            units::seconds(one.seconds)
        ));
    }
    let good = done.iter().filter(|it| it.code == ExitCode::Success).count();
    text.push_str(&format!(
        "{good} of {} without a finding\n",
        units::count(done.len() as u64, "target")
    ));
    text
}

fn index(done: &[Done]) -> String {
    let body = html! {
        h1 { "lariat check" }
        section {
            table {
                tr { th { "target" } th { "command" } th { "answer" } th.number { "time" } }
                @for one in done {
                    tr {
                        td { a href=(page_name(&one.name)) { (one.name) } }
                        td { (one.command) }
                        td { (answer(one).1) }
                        td.number { (units::seconds(one.seconds)) }
                    }
                }
            }
        }
    };
    let page = lariat_page::Page {
        title: "check",
        style: "",
        script: "",
        body,
    };
    page.render()
}

/// A name that is safe in a file system and in an address.
fn page_name(target: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
            c
        } else {
            '-'
        }
    };
    format!("{}.html", target.chars().map(safe).collect::<String>())
}

/// Checks again when something changes. Ends with the process.
fn watch(arguments: &CheckArguments, common: &Arguments, folder: &Path) -> ExitCode {
    let changed = |targets: &[Target]| -> Vec<Option<SystemTime>> {
        let files = targets
            .iter()
            .flat_map(|it| &it.files)
            .map(|file| folder.join(file));
        let files = files.chain([folder.join("lariat.toml")]);
        files
            .map(|file| file.metadata().and_then(|it| it.modified()).ok())
            .collect()
    };
    let mut before = prepared(arguments)
        .map(|(_, targets)| changed(&targets))
        .unwrap_or_default();
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let Ok((_, targets)) = prepared(arguments) else {
            continue;
        };
        let now = changed(&targets);
        if now != before {
            before = now;
            if let Err(message) = check(arguments, common, &targets) {
                say::error(&message);
            }
        }
    }
}
