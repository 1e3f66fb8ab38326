//! The common part of the tables about conformance: the questions of project files, one at a time.

use std::fs;
use std::path::{Path, PathBuf};

use lariat_base::{Diagnostics, SourceMap};
use lariat_conform::project::Project;
use lariat_report::{ConformPart, ConformRequest, Verdict};

use super::TableRunner;

/// One specification of a project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConformQuestion {
    pub project: PathBuf,
    pub specification: String,
}

/// The result of one question with one set of options.
#[derive(Clone, Debug)]
pub struct ConformCell {
    pub outcome: ConformOutcome,
    pub states: usize,
    pub predicate_iterations: usize,
    pub action_iterations: usize,
    /// Expressions, predicates with several values, branches; of all components.
    pub predicates: [usize; 3],
    /// T, M and G of Fig. 14 and 15: eliminating sets, the largest that was tried, the largest that eliminates.
    pub eliminating: [usize; 3],
    /// Of the processor, if the system tells them: other work on the machine does not change the table.
    pub seconds: f64,
    pub megabytes: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConformOutcome {
    /// As expected, or nothing was expected.
    Right(ConformAnswer),
    Wrong(ConformAnswer),
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConformAnswer {
    Conforms,
    Violates,
}

impl ConformQuestion {
    /// The questions of project files, and of all project files of folders.
    pub fn of(paths: &[PathBuf]) -> Result<Vec<ConformQuestion>, String> {
        let mut questions = Vec::new();
        for path in paths {
            for project in projects(path)? {
                let names = specifications(&project)?.into_iter();
                questions.extend(names.map(|specification| ConformQuestion {
                    project: project.clone(),
                    specification,
                }));
            }
        }
        Ok(questions)
    }

    pub fn request(&self) -> ConformRequest {
        ConformRequest {
            project: self.project.clone(),
            only: vec![self.specification.clone()],
            ..ConformRequest::default()
        }
    }

    /// `project: specification`.
    pub fn title(&self) -> String {
        let stem = self.project.file_stem().map(|stem| stem.to_string_lossy());
        format!("{}: {}", stem.unwrap_or_default(), self.specification)
    }
}

/// The project files of a folder in the order of their names, or the file itself.
fn projects(path: &Path) -> Result<Vec<PathBuf>, String> {
    let with_name = |error: std::io::Error| format!("{}: {error}", path.display());
    if !fs::metadata(path).map_err(with_name)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found: Vec<PathBuf> = fs::read_dir(path)
        .map_err(with_name)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "conform"))
        .collect();
    found.sort();
    match found.is_empty() {
        true => Err(format!("{}: there is no NAME.conform", path.display())),
        false => Ok(found),
    }
}

fn specifications(project: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(project).map_err(|error| format!("{}: {error}", project.display()))?;
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let source = sources.add(project, text.clone());
    let read = Project::parse(source, &text, &mut diagnostics);
    if diagnostics.has_errors() {
        let messages: Vec<String> = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&sources, false))
            .collect();
        return Err(messages.join("\n"));
    }
    Ok(read
        .specifications
        .iter()
        .map(|specification| specification.name())
        .collect())
}

impl ConformCell {
    /// Answers a question; an error if the project has errors.
    pub fn measure(request: &ConformRequest, runner: &TableRunner<'_>) -> Result<ConformCell, String> {
        let measured = runner.run(request.clone()).map_err(|error| error.to_string())?;
        if measured.report.verdict == Verdict::BadInput {
            let messages = measured.report.diagnostics.iter();
            let messages: Vec<&str> = messages.map(|message| message.rendered.as_str()).collect();
            return Err(messages.join("\n"));
        }
        let mut cell = ConformCell {
            outcome: ConformOutcome::None,
            states: 0,
            predicate_iterations: 0,
            action_iterations: 0,
            predicates: [0; 3],
            eliminating: [0; 3],
            seconds: measured.processor_seconds.unwrap_or(measured.seconds),
            megabytes: measured.report.peak_memory_bytes as f64 / 1e6,
        };
        if let [part] = measured.report.specifications.as_slice() {
            cell.outcome = outcome(part);
            cell.states = part.stats.states;
            cell.predicate_iterations = part.stats.predicate_iterations;
            cell.action_iterations = part.stats.action_iterations;
            cell.eliminating = [
                part.stats.eliminating_sets,
                part.stats.largest_set_tried,
                part.stats.largest_eliminating_set,
            ];
            for component in &part.stats.components {
                let counts = [component.expressions, component.predicates, component.branches];
                for (sum, count) in cell.predicates.iter_mut().zip(counts) {
                    *sum += count;
                }
            }
        }
        Ok(cell)
    }

    pub fn is_right(&self) -> bool {
        matches!(self.outcome, ConformOutcome::Right(_))
    }

    /// The seconds, or a mark in their place.
    pub fn shown_seconds(&self) -> String {
        match self.outcome {
            ConformOutcome::Right(_) => format!("{:.2}", self.seconds),
            ConformOutcome::Wrong(_) => format!("{:.2} WRONG", self.seconds),
            ConformOutcome::None => format!("* ({:.0})", self.seconds),
        }
    }
}

fn outcome(part: &ConformPart) -> ConformOutcome {
    let answer = match part.verdict {
        Verdict::Proved => ConformAnswer::Conforms,
        Verdict::Bug => ConformAnswer::Violates,
        _ => return ConformOutcome::None,
    };
    match part.meets_expectation() {
        Some(false) => ConformOutcome::Wrong(answer),
        _ => ConformOutcome::Right(answer),
    }
}

/// The answer of the first of several cells that has one.
pub fn shown_answer<'c>(cells: impl IntoIterator<Item = &'c ConformCell>) -> &'static str {
    let answers = cells.into_iter().find_map(|cell| match cell.outcome {
        ConformOutcome::Right(answer) | ConformOutcome::Wrong(answer) => Some(answer),
        ConformOutcome::None => None,
    });
    match answers {
        Some(ConformAnswer::Conforms) => "conforms",
        Some(ConformAnswer::Violates) => "violates",
        None => "–",
    }
}
