//! What angelic verification finds in a library whose bugs are known, under each configuration (in the manner of
//! [Angelic15] Table 1).
//!
//! The truth is a file `NAME.truth.toml`: each `[[bug]]` has an id, a file and the line that fails (`also` are other lines
//! where the same bug may be reported); where the line is in a callee that others use rightly (`through`), the warning must be that
//! of the bug's own `entry`. Each `[[environment]]` is a use that only a sensible environment makes safe.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use lariat_report::{AngelicReport, AngelicRequest, AngelicWarning, Configuration, EntryOutcome};
use serde::Deserialize;

use super::TableRunner;

/// What is known about a library.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Truth {
    #[serde(default)]
    pub bug: Vec<TrueBug>,
    #[serde(default)]
    pub environment: Vec<EnvironmentUse>,
    #[serde(default)]
    pub harness: Harness,
}

/// The harness of `default+harness`: with the monitors set up, all functions are called that no other function calls.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Harness {
    /// Files with functions that call others in sequence, relative to the truth.
    #[serde(default)]
    pub files: Vec<PathBuf>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct TrueBug {
    pub id: String,
    /// Relative to the truth.
    pub file: PathBuf,
    pub line: u32,
    #[serde(default)]
    pub also: Vec<u32>,
    /// The function whose analysis shows the bug.
    #[serde(default)]
    pub entry: String,
    #[serde(default)]
    pub through: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct EnvironmentUse {
    pub id: String,
    pub file: PathBuf,
    pub line: u32,
}

impl Truth {
    /// The truth of a folder: the one file in it whose name ends in `.truth.toml`.
    pub fn read(folder: &Path) -> Result<Truth, String> {
        let names = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let is_truth = |path: &PathBuf| path.to_string_lossy().ends_with(".truth.toml");
        let mut found: Vec<PathBuf> = names
            .flatten()
            .map(|entry| entry.path())
            .filter(is_truth)
            .collect();
        found.sort();
        let [path] = found.as_slice() else {
            return Err(format!(
                "{}: expected one file NAME.truth.toml, found {}",
                folder.display(),
                found.len()
            ));
        };
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        toml_edit::de::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The C files of the folders that it mentions.
    pub fn programs(&self, folder: &Path) -> Vec<PathBuf> {
        let mentioned = self.bug.iter().map(|bug| &bug.file);
        let mentioned = mentioned.chain(self.environment.iter().map(|used| &used.file));
        let mut folders: Vec<PathBuf> = mentioned
            .filter_map(|file| Some(folder.join(file.parent()?)))
            .collect();
        folders.sort();
        folders.dedup();
        let mut programs: Vec<PathBuf> = folders
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        programs.sort();
        programs
    }
}

/// One configuration.
#[derive(Clone, Debug)]
pub struct AngelicRow {
    pub configuration: &'static str,
    pub warnings: usize,
    /// Ids of bugs that a warning names.
    pub found: Vec<String>,
    pub missed: Vec<String>,
    /// Warnings that name no bug.
    pub false_alarms: Vec<String>,
    /// Uses of the environment that are reported.
    pub environment: usize,
    pub specifications: usize,
    /// Entries whose analysis did not finish.
    pub incomplete: usize,
    pub seconds: f64,
}

#[derive(Clone, Debug, Default)]
pub struct AngelicTable {
    pub bugs: usize,
    pub environment: usize,
    pub lines: u64,
    pub dereferences: u64,
    pub dereferences_proved: u64,
    pub entries: usize,
    pub rows: Vec<AngelicRow>,
}

/// Analyses the library of a folder under each configuration.
pub fn measure_angelic(
    folder: &Path,
    truth: &Truth,
    request: &AngelicRequest,
    runner: &mut TableRunner<'_>,
) -> Result<AngelicTable, String> {
    let mut table = AngelicTable {
        bugs: truth.bug.len(),
        environment: truth.environment.len(),
        ..AngelicTable::default()
    };
    for configuration in Configuration::ALL {
        (runner.announce)(configuration.name());
        let has_harness = configuration == Configuration::DefaultHarness;
        let mut request = AngelicRequest {
            vocabulary: configuration.vocabulary(),
            monitors_set: has_harness,
            ..request.clone()
        };
        if has_harness {
            let harness = truth.harness.files.iter().map(|file| folder.join(file));
            request.program.files.extend(harness);
            request.roots_only = true;
        }
        let outcome = runner.run(request).map_err(|error| error.to_string())?;
        let (report, seconds) = (outcome.report, outcome.seconds);
        if report.bad_input {
            let messages: Vec<&str> = report
                .diagnostics
                .iter()
                .map(|message| message.rendered.as_str())
                .collect();
            return Err(messages.join("\n"));
        }
        if configuration == Configuration::default() {
            table.lines = report.stats.source_lines;
            table.dereferences = report.stats.dereferences;
            table.dereferences_proved = report.stats.dereferences_proved;
            table.entries = report.entries.len();
        }
        table.rows.push(row(truth, configuration, &report, seconds));
    }
    Ok(table)
}

fn row(truth: &Truth, configuration: Configuration, report: &AngelicReport, seconds: f64) -> AngelicRow {
    let (found, missed): (Vec<&TrueBug>, Vec<&TrueBug>) = truth
        .bug
        .iter()
        .partition(|bug| report.warnings.iter().any(|warning| names(warning, bug)));
    let ids = |bugs: Vec<&TrueBug>| bugs.into_iter().map(|bug| bug.id.clone()).collect();
    let is_false = |warning: &&AngelicWarning| !truth.bug.iter().any(|bug| names(warning, bug));
    let is_reported = |used: &&EnvironmentUse| {
        report
            .warnings
            .iter()
            .any(|warning| is_at(warning, &used.file, &[used.line]))
    };
    AngelicRow {
        configuration: configuration.name(),
        warnings: report.warnings.len(),
        found: ids(found),
        missed: ids(missed),
        false_alarms: report.warnings.iter().filter(is_false).map(place).collect(),
        environment: truth.environment.iter().filter(is_reported).count(),
        specifications: report.specifications.len(),
        incomplete: report
            .entries
            .iter()
            .filter(|entry| entry.outcome != EntryOutcome::Done)
            .count(),
        seconds,
    }
}

fn names(warning: &AngelicWarning, bug: &TrueBug) -> bool {
    let mut lines = bug.also.clone();
    lines.push(bug.line);
    let shown = warning.traces.first();
    let is_from = !bug.through || shown.is_some_and(|trace| trace.entry == bug.entry);
    is_from && is_at(warning, &bug.file, &lines)
}

fn is_at(warning: &AngelicWarning, file: &Path, lines: &[u32]) -> bool {
    let mut places = warning
        .traces
        .iter()
        .filter_map(|trace| trace.failure.location.as_ref());
    places.any(|place| Path::new(&place.file).ends_with(file) && lines.contains(&place.line))
}

fn place(warning: &AngelicWarning) -> String {
    let mut places = warning
        .traces
        .iter()
        .filter_map(|trace| trace.failure.location.as_ref());
    places
        .next()
        .map_or_else(|| warning.procedure.clone(), ToString::to_string)
}

impl fmt::Display for AngelicTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} lines, {} entries, {} bugs, {} uses that rest on the environment; {} of {} dereferences proved by the \
             cheap analysis\n",
            self.lines,
            self.entries,
            self.bugs,
            self.environment,
            self.dereferences_proved,
            self.dereferences
        )?;
        writeln!(
            f,
            "{:<15} {:>8} {:>10} {:>12} {:>12} {:>6} {:>10} {:>9}",
            "configuration",
            "warnings",
            "bugs found",
            "false alarms",
            "environment",
            "specs",
            "incomplete",
            "seconds"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<15} {:>8} {:>10} {:>12} {:>12} {:>6} {:>10} {:>9.1}",
                row.configuration,
                row.warnings,
                row.found.len(),
                row.false_alarms.len(),
                row.environment,
                row.specifications,
                row.incomplete,
                row.seconds
            )?;
        }
        if let Some(default) = self.rows.first() {
            if !default.missed.is_empty() {
                writeln!(
                    f,
                    "\n{} misses {}",
                    default.configuration,
                    default.missed.join(", ")
                )?;
            }
            for place in &default.false_alarms {
                writeln!(f, "{}: false alarm at {place}", default.configuration)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use lariat_report::{Confidence, EntryTrace, Failure, FailureKind, Location};

    use super::*;

    fn warning(file: &str, line: u32) -> AngelicWarning {
        let failure = Failure {
            location: Some(Location {
                file: file.into(),
                line,
                column: 1,
            }),
            ..Failure::new(FailureKind::NullDereference, String::new())
        };
        AngelicWarning {
            id: String::new(),
            confidence: Confidence::Definite,
            procedure: "f".into(),
            condition: None,
            explanation: String::new(),
            origin: None,
            refused: None,
            traces: vec![EntryTrace {
                entry: "f".into(),
                cause: String::new(),
                confidence: Confidence::Definite,
                explanation: String::new(),
                origin: None,
                refused: None,
                procedure: "f".into(),
                condition: None,
                failure,
            }],
        }
    }

    #[test]
    fn warnings_are_compared_with_the_truth() {
        let truth: Truth = toml_edit::de::from_str(
            "[[bug]]\nid = \"B1\"\nfile = \"a/x.c\"\nline = 3\nalso = [5]\n\
             [[bug]]\nid = \"B2\"\nfile = \"a/y.c\"\nline = 3\n\
             [[environment]]\nid = \"E1\"\nfile = \"a/x.c\"\nline = 9\n",
        )
        .expect("the truth is well formed");
        let report = AngelicReport {
            warnings: vec![
                warning("lib/a/x.c", 5),
                warning("lib/a/x.c", 9),
                warning("b/y.c", 3),
            ],
            ..AngelicReport::default()
        };
        let row = row(&truth, Configuration::Default, &report, 1.0);
        assert_eq!(
            (row.found, row.missed),
            (vec!["B1".to_owned()], vec!["B2".to_owned()])
        );
        assert_eq!(row.false_alarms, ["lib/a/x.c:9:1", "b/y.c:3:1"]);
        assert_eq!(row.environment, 1);
    }

    #[test]
    fn a_line_in_a_callee_is_the_bug_of_its_entry() {
        let truth = |entry: &str| -> Truth {
            let text = format!(
                "[[bug]]\nid = \"B1\"\nfile = \"x.c\"\nline = 3\nentry = \"{entry}\"\nthrough = true\n"
            );
            toml_edit::de::from_str(&text).expect("the truth is well formed")
        };
        let report = AngelicReport {
            warnings: vec![warning("x.c", 3)],
            ..AngelicReport::default()
        };
        let found = |entry: &str| {
            row(&truth(entry), Configuration::Default, &report, 1.0)
                .found
                .len()
        };
        assert_eq!((found("f"), found("g")), (1, 0));
    }
}
