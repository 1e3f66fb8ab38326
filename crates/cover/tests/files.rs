//! Programs with what must be said about their goals.
//!
//! ```text
//! // run: [--goal GOAL] [--runs N] [--bound K] [--entry NAME] [--random-only]
//! //   REACHED of ALL reached
//! //   STATUS LINE GOAL[: REASON]
//! ```
//!
//! Every goal that is not reached must be listed, in the order of the report. Every file is a test of its own.

use std::path::Path;
use std::process::ExitCode;

use lariat_base::Budget;
use lariat_report::{
    CoverAim, CoverFunction, CoverGoal, CoverGoalKind, CoverReport, CoverRequest, CoverStatus, VerifyRequest,
};
use lariat_testkit::HANG;
use lariat_testkit::files::{self, Case};

/// There are to be several programs; a run that finds few looks in the wrong place.
const FEWEST_FILES: usize = 8;

struct Run {
    title: String,
    request: CoverRequest,
    expected: Vec<String>,
}

fn runs(path: &Path) -> Vec<Run> {
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let mut runs: Vec<Run> = Vec::new();
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("// run:") {
            let mut request = CoverRequest {
                program: VerifyRequest::new(vec![path.to_owned()]),
                ..CoverRequest::default()
            };
            let mut words = words.split_whitespace();
            while let Some(option) = words.next() {
                let mut value = || words.next().expect("a value of an option");
                match option {
                    "--goal" => request.aim = CoverAim::parse(value()),
                    "--runs" => request.runs = value().parse().expect("a number"),
                    "--bound" => request.program.bound = value().parse().expect("a number"),
                    "--entry" => request.program.entries.push(value().to_owned()),
                    "--random-only" => request.search = false,
                    other => panic!("the option {other} is not known here"),
                }
            }
            runs.push(Run {
                title: line.to_owned(),
                request,
                expected: Vec::new(),
            });
        } else if let Some(expected) = line.strip_prefix("//   ") {
            let run = runs.last_mut().expect("an expectation after a run");
            run.expected.push(expected.to_owned());
        }
    }
    assert!(!runs.is_empty(), "{} expects nothing", path.display());
    runs
}

/// The report in the form of the expectations.
fn said(report: &CoverReport) -> Vec<String> {
    let counts = report.counts();
    let mut lines = vec![format!("{} of {} reached", counts.reached, counts.all)];
    for function in &report.functions {
        lines.extend(function.goals.iter().filter_map(|goal| said_of(function, goal)));
    }
    lines
}

fn said_of(function: &CoverFunction, goal: &CoverGoal) -> Option<String> {
    let (status, reason) = match &goal.status {
        CoverStatus::Reached { .. } => return None,
        CoverStatus::Dead { reason } => ("dead".to_owned(), reason.as_str()),
        CoverStatus::Bounded { bound } => (format!("bounded({bound})"), ""),
        CoverStatus::Unknown { reason } => ("unknown".to_owned(), reason.as_str()),
        CoverStatus::Pending => ("pending".to_owned(), ""),
    };
    let line = goal.location.as_ref().map_or(0, |place| place.line);
    let mut text = match goal.kind {
        CoverGoalKind::Function => format!("{status} {line} {}", function.name),
        _ => format!("{status} {line} {}", goal.text.as_deref().unwrap_or("line")),
    };
    if let Some(side) = &goal.side {
        text.push_str(&format!(" is {side}"));
    }
    if !reason.is_empty() {
        text.push_str(&format!(": {reason}"));
    }
    Some(text)
}

fn check(path: &Path) -> Result<(), String> {
    for run in runs(path) {
        let budget = Budget::new(Some(HANG), None);
        let report = lariat_cover::cover(&run.request, &budget, &mut |_| {});
        if report.bad_input {
            return Err(format!("{}: {:?}", run.title, report.diagnostics));
        }
        // Places in reasons have the path of the file.
        let folder = path
            .parent()
            .map_or(String::new(), |folder| format!("{}/", folder.display()));
        let said: Vec<String> = said(&report)
            .iter()
            .map(|line| line.replace(&folder, ""))
            .collect();
        if said != run.expected {
            return Err(format!(
                "{}\nexpected:\n//   {}\nsaid:\n//   {}",
                run.title,
                run.expected.join("\n//   "),
                said.join("\n//   ")
            ));
        }
        for execution in &report.executions {
            if !execution.end.confirmed {
                return Err(format!(
                    "{}: an execution that was not replayed: {:?}",
                    run.title, execution.end
                ));
            }
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let found = ["bpl", "c"].map(|extension| files::below(&folder, extension));
    let cases = found.into_iter().flatten().map(|(name, path)| {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Case::new(format!("{name}_{extension}"), move || check(&path))
    });
    files::run(cases.collect(), FEWEST_FILES)
}
