//! A program with its expectations, and what it really gives.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lariat_base::Budget;
use lariat_report::{
    AssertSelector, CutKind, Engine, EntryReport, LogStage, Progress, TraceDetail, Verdict, VerifyReport,
    VerifyRequest,
};

use super::engines::{Variant, disagreement};

/// No program here is worth more.
const TIME: Duration = Duration::from_secs(120);
/// Horn clauses need not have an answer.
const CLAUSE_TIME: Duration = Duration::from_secs(2);
/// The line before the expected text of a stage.
const STAGE_MARK: &str = "// ----";

/// A file, taken apart.
pub struct FileTest {
    path: PathBuf,
    text: String,
    options: Vec<String>,
    expected: Vec<String>,
    trace: Vec<String>,
    shown: Vec<String>,
    excuse: Option<String>,
    /// The text of the stages at the end of the file.
    stages: Vec<String>,
}

/// In how many ways a program is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matrix {
    /// Every engine in one way, which the file's name decides.
    Sample,
    All,
}

pub enum Outcome {
    AsExpected,
    /// The whole text that the file should have.
    Blessed(String),
    Wrong(String),
}

impl FileTest {
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("the program can be read");
        let mut test = FileTest {
            path: path.to_owned(),
            text: String::new(),
            options: Vec::new(),
            expected: Vec::new(),
            trace: Vec::new(),
            shown: Vec::new(),
            excuse: None,
            stages: Vec::new(),
        };
        for line in text.lines().take_while(|line| line.starts_with("//")) {
            let line = line.trim_start_matches('/').trim_start_matches(' ');
            if let Some(options) = line.strip_prefix("lariat verify") {
                test.options = options.split_whitespace().map(str::to_owned).collect();
            } else if let Some(expected) = line.strip_prefix("expect: ") {
                test.expected.push(expected.to_owned());
            } else if let Some(trace) = line.strip_prefix("trace:") {
                test.trace
                    .push(trace.strip_prefix(' ').unwrap_or(trace).to_owned());
            } else if let Some(stage) = line.strip_prefix("show: ") {
                test.shown.push(stage.to_owned());
            } else if let Some(excuse) = line.strip_prefix("unconfirmed: ") {
                test.excuse = Some(excuse.to_owned());
            }
        }
        let program = text.find(STAGE_MARK).map_or(text.len(), |start| start);
        test.stages = text[program..].lines().map(str::to_owned).collect();
        test.text = text;
        test
    }

    fn request(&self, file: &Path, variant: &Variant) -> VerifyRequest {
        let mut request = VerifyRequest::new(vec![file.to_owned()]);
        variant.apply(&mut request);
        let mut options = self.options.iter();
        while let Some(option) = options.next() {
            let mut value = || {
                let value = options.next().unwrap_or_else(|| panic!("{option} needs a value"));
                value.as_str()
            };
            let number = |text: &str| text.parse().expect("a number");
            match option.as_str() {
                "--bound" => request.bound = number(value()),
                "--contexts" => request.search.contexts = Some(number(value())),
                "--cooperative" => request.search.cooperative = true,
                "--stack-depth" => request.unfolding.stack_depth = Some(number(value())),
                "--entry" => request.entries.push(value().to_owned()),
                "--assert" => request.asserts.push(AssertSelector::parse(value())),
                "--error-variable" => request.error_variable = Some(value().to_owned()),
                "--invariants" => request.check_invariants = value() == "check",
                "--all" => request.all = true,
                "--summaries" => request.search.summaries = value().parse().expect("on, off or auto"),
                "--summaries-from-proofs" => {
                    request.search.summaries_from_proofs = value().parse().expect("on or off")
                }
                "--full-trace" => request.trace = TraceDetail::Full,
                "--front-end-only" => request.front_end_only = true,
                _ => panic!("{}: unknown option {option}", self.path.display()),
            }
        }
        request
    }
}

/// Runs the program in all ways and compares.
pub fn run(test: &FileTest, bless: bool, matrix: Matrix) -> Outcome {
    let mut complaints = String::new();
    let mut logs = Vec::new();
    let plain = Variant::plain(Engine::Stratified);
    let mut request = test.request(&test.path, &plain);
    request.log.push(LogStage::Boogie);
    request.log.extend(test.shown.iter().map(|shown| stage(shown)));
    let budget = Budget::new(Some(TIME), None);
    let report = lariat_verify::verify(&request, &budget, &mut |progress| {
        if let Progress::Log(log) = progress {
            logs.push(log);
        }
    });
    if !request.front_end_only {
        for variant in variants(&test.path, matrix) {
            let other = verify(&test.request(&test.path, &variant));
            if let Some(complaint) = disagreement(&report, &other, &variant, request.all) {
                let _ = writeln!(complaints, "  {complaint}");
            }
        }
    }
    if !report.entries.is_empty() {
        let printed: String = logs
            .iter()
            .filter(|log| log.stage == LogStage::Boogie)
            .map(|log| log.text.as_str())
            .collect();
        if let Some(complaint) = printed_differs(test, &report, &printed) {
            let _ = writeln!(complaints, "  {complaint}");
        }
    }
    let unconfirmed = report.failures().find(|failure| !failure.confirmed);
    match (unconfirmed, &test.excuse) {
        (Some(failure), None) => {
            let _ = writeln!(
                complaints,
                "  not confirmed, and the file does not say why: {:?}",
                failure.why_not
            );
        }
        (None, Some(excuse)) => {
            let _ = writeln!(
                complaints,
                "  confirmed, though the file says that it cannot be: {excuse}"
            );
        }
        _ => {}
    }
    let expected = facts(&report);
    let trace = if test.trace.is_empty() {
        Vec::new()
    } else {
        trace(&report)
    };
    let stages: Vec<String> = test
        .shown
        .iter()
        .flat_map(|shown| stage_text(shown, &logs))
        .collect();
    let as_expected = expected == test.expected && trace == test.trace && stages == test.stages;
    if bless && complaints.is_empty() && !as_expected {
        return Outcome::Blessed(blessed(test, &expected, &trace, &stages));
    }
    compare(&mut complaints, "answer", &test.expected, &expected);
    compare(&mut complaints, "trace", &test.trace, &trace);
    compare(&mut complaints, "text of stages", &test.stages, &stages);
    if complaints.is_empty() {
        Outcome::AsExpected
    } else {
        Outcome::Wrong(complaints)
    }
}

fn verify(request: &VerifyRequest) -> VerifyReport {
    let is_chc = request.engine == Engine::Chc;
    let time = if is_chc { CLAUSE_TIME } else { TIME };
    lariat_verify::verify(request, &Budget::new(Some(time), None), &mut |_| {})
}

/// The ways beside the plain one.
fn variants(path: &Path, matrix: Matrix) -> Vec<Variant> {
    if matrix == Matrix::All {
        return Variant::all();
    }
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let choice = name.iter().fold(0, |sum: u64, &byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    let mut sample = Variant::sample(choice % 10_000);
    sample.push(Variant::plain(Engine::Static));
    sample
}

fn stage(shown: &str) -> LogStage {
    let name = shown.split_whitespace().next().unwrap_or_default();
    name.parse()
        .unwrap_or_else(|_| panic!("there is no stage {name}"))
}

/// Verifies what the printer made of the program.
fn printed_differs(test: &FileTest, report: &VerifyReport, printed: &str) -> Option<String> {
    // Selecting by line makes no sense in another text.
    if test.options.iter().any(|option| option == "--assert") {
        return None;
    }
    let name: String = test
        .path
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.bpl", std::process::id()));
    std::fs::write(&file, printed).expect("a temporary file can be written");
    let again = verify(&test.request(&file, &Variant::plain(Engine::Stratified)));
    let _ = std::fs::remove_file(&file);
    (again.verdict.word() != report.verdict.word()).then(|| {
        format!(
            "the printed program is {}, the program itself {}:\n{printed}",
            again.verdict, report.verdict
        )
    })
}

/// What the report says, one line for each fact.
fn facts(report: &VerifyReport) -> Vec<String> {
    let mut facts = Vec::new();
    for entry in &report.entries {
        let prefix = if report.entries.len() > 1 {
            format!("{}: ", entry.entry)
        } else {
            String::new()
        };
        facts.extend(
            entry_facts(entry)
                .into_iter()
                .map(|fact| format!("{prefix}{fact}")),
        );
    }
    if report.entries.is_empty() && report.verdict != Verdict::BadInput {
        facts.push(report.verdict.to_string());
    }
    for error in report.errors() {
        facts.push(format!("bad-input{} {}", place(&error.location), error.code));
    }
    for warning in &report.warnings {
        let kind = serde_json::to_string(&warning.kind).unwrap_or_default();
        facts.push(format!(
            "warning{} {}",
            place(&warning.location),
            kind.trim_matches('"')
        ));
    }
    for diagnostic in &report.diagnostics {
        if diagnostic.severity == lariat_report::Severity::Warning {
            facts.push(format!(
                "warning{} {}",
                place(&diagnostic.location),
                diagnostic.code
            ));
        }
    }
    facts
}

fn entry_facts(entry: &EntryReport) -> Vec<String> {
    let mut facts = failure_facts(entry);
    match &entry.verdict {
        Verdict::Bug | Verdict::BugUnconfirmed { .. } => {}
        Verdict::Bounded { bound, .. } => {
            let cut: Vec<String> = entry
                .cut
                .iter()
                .map(|site| match site.kind {
                    CutKind::Loop => format!("loop in {}{}", site.name, place(&site.location)),
                    CutKind::Call => format!("call of {}", site.name),
                    CutKind::Procedure => format!("recursion of {}", site.name),
                })
                .collect();
            facts.push(format!("bounded({bound}): {}", cut.join(", ")));
        }
        Verdict::Unknown { cause, reason } => {
            let cause = serde_json::to_string(cause).unwrap_or_default();
            // Paths differ from machine to machine.
            let reason = reason.split(" (").next().unwrap_or_default();
            facts.push(format!("unknown: {}: {reason}", cause.trim_matches('"')));
        }
        verdict => facts.push(verdict.to_string()),
    }
    facts
}

fn failure_facts(entry: &EntryReport) -> Vec<String> {
    let mut facts: Vec<String> = entry
        .failures
        .iter()
        .map(|failure| {
            let kind = serde_json::to_string(&failure.kind).unwrap_or_default();
            let id = failure.id.as_ref().map_or(String::new(), |id| format!(" {id}"));
            let word = if failure.confirmed {
                "bug"
            } else {
                "bug-unconfirmed"
            };
            format!(
                "{word}{} {}{id}",
                place(&failure.location),
                kind.trim_matches('"')
            )
        })
        .collect();
    facts.sort();
    facts
}

fn place(location: &Option<lariat_report::Location>) -> String {
    location.as_ref().map_or(String::new(), |location| {
        format!(" {}:{}", location.line, location.column)
    })
}

/// The lines of the first trace.
fn trace(report: &VerifyReport) -> Vec<String> {
    let Some(failure) = report.failures().next() else {
        return vec!["none".into()];
    };
    failure
        .trace
        .iter()
        .map(|line| {
            let mut text = "  ".repeat(line.indent as usize);
            if let Some(location) = &line.location {
                let _ = write!(text, "{} ", location.line);
            }
            text += &line.text;
            for change in &line.changes {
                let _ = write!(text, "  {} = {}", change.name, change.value);
            }
            text
        })
        .collect()
}

/// The text of a stage, or of one part of it: `passes merge` is the program after the pass `merge`.
fn stage_text(shown: &str, logs: &[lariat_report::LogText]) -> Vec<String> {
    let wanted = stage(shown);
    let part = shown.split_once(' ').map(|(_, part)| part);
    let mut lines = vec![format!("{STAGE_MARK} {shown}")];
    for log in logs {
        if log.stage == wanted && part.is_none_or(|part| part == log.title) {
            lines.extend(
                log.text
                    .lines()
                    .map(|line| format!("// {line}").trim_end().to_owned()),
            );
        }
    }
    lines
}

fn compare(complaints: &mut String, what: &str, expected: &[String], found: &[String]) {
    if expected == found {
        return;
    }
    let _ = writeln!(complaints, "  another {what}:");
    for line in expected.iter().filter(|line| !found.contains(line)) {
        let _ = writeln!(complaints, "    - {line}");
    }
    for line in found.iter().filter(|line| !expected.contains(line)) {
        let _ = writeln!(complaints, "    + {line}");
    }
}

/// The file with what was found in place of what was expected.
fn blessed(test: &FileTest, expected: &[String], trace: &[String], stages: &[String]) -> String {
    let end = test.text.find(STAGE_MARK).unwrap_or(test.text.len());
    let mut text = String::new();
    let mut in_header = true;
    let mut written = false;
    let is_found = |line: &str| line.starts_with("// expect: ") || line.starts_with("// trace:");
    for line in test.text[..end].lines() {
        in_header &= line.starts_with("//");
        if in_header && is_found(line) {
            continue;
        }
        let _ = writeln!(text, "{line}");
        if in_header && line.starts_with("// lariat verify") && !written {
            written = true;
            for line in expected {
                let _ = writeln!(text, "// expect: {line}");
            }
            for line in trace {
                let _ = writeln!(text, "// trace: {line}");
            }
        }
    }
    for line in stages {
        let _ = writeln!(text, "{line}");
    }
    text
}
