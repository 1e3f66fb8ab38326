//! One run of `lariat conform`: a request in, a report out.

mod trace;

use std::path::Path;
use std::time::{Duration, Instant};

use lariat_base::{Budget, Diagnostic, Diagnostics, Severity, SourceMap, Span};
use lariat_c_program::Machine;
use lariat_lts::inclusion::ViolationReason;
use lariat_report::{
    COptions, ConformAsked, ConformComponentStats, ConformLevels, ConformMinimise, ConformPart, ConformReach,
    ConformReport, ConformRequest, ConformStats, ConformViolation, DiagnosticReport, Location, ProtocolStep,
    SCHEMA_VERSION, UnknownCause, Verdict as ReportVerdict,
};

use crate::cegar::{Iteration, Levels, Options, Statistics, Verdict, Violation};
use crate::front_end::{ComponentInput, Errors};
use crate::minimise::Minimise;
use crate::project::{Project, Specification};
use crate::question::{Loader, Question};

pub fn run(request: &ConformRequest, progress: &mut dyn FnMut(Iteration)) -> ConformReport {
    let started = Instant::now();
    let time = request
        .time_limit
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let budget = Budget::new(time, request.memory_limit);
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let specifications = decide(request, &budget, &mut sources, &mut diagnostics, progress);
    let verdict = match diagnostics.has_errors() {
        true => Some(ReportVerdict::BadInput),
        false => ReportVerdict::overall(specifications.iter().map(|part| &part.verdict)),
    };
    ConformReport {
        version: SCHEMA_VERSION,
        verdict,
        specifications,
        diagnostics: diagnostics
            .iter()
            .map(|diagnostic| diagnostic_report(diagnostic, &sources))
            .collect(),
        seconds: started.elapsed().as_secs_f64(),
    }
}

fn decide(
    request: &ConformRequest,
    budget: &Budget,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
    progress: &mut dyn FnMut(Iteration),
) -> Vec<ConformPart> {
    if let Some(reach) = &request.reach {
        return decide_reach(request, reach, budget, sources, diagnostics, progress);
    }
    let text = match std::fs::read_to_string(&request.project) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("cannot read {}: {error}", request.project.display());
            diagnostics.push(Diagnostic::global_error("conform-file", message));
            return Vec::new();
        }
    };
    let source = sources.add(&request.project, text.clone());
    let mut project = Project::parse(source, &text, diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    override_options(request, &mut project);
    select(request, &mut project, diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    let folder = request.project.parent().unwrap_or(Path::new(""));
    let mut loader = loader(&project, folder, budget, sources, diagnostics);
    let questions = match loader.questions() {
        Ok(Some(questions)) => questions,
        Ok(None) => return Vec::new(),
        Err(stopped) => {
            let unknown = ReportVerdict::unknown(UnknownCause::Time, stopped.to_string());
            return vec![part(String::new(), unknown, None, ConformStats::default())];
        }
    };
    let mut parts = Vec::new();
    for (question, specification) in questions.into_iter().zip(&project.specifications) {
        let name = specification.name();
        let mut part = answer(question, name, &project.options, budget, sources, progress);
        part.expect = specification.expect;
        parts.push(part);
    }
    parts
}

/// The reachability form: a label of a C program is the error.
fn decide_reach(
    request: &ConformRequest,
    reach: &ConformReach,
    budget: &Budget,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
    progress: &mut dyn FnMut(Iteration),
) -> Vec<ConformPart> {
    let mut project = Project {
        include: reach.include.clone(),
        macros: reach.macros.clone(),
        errors: Errors::Label(reach.label.clone()),
        ..Project::default()
    };
    override_options(request, &mut project);
    let input = ComponentInput {
        name: reach.procedure.clone(),
        files: reach.files.clone(),
        procedure: reach.procedure.clone(),
        guard: None,
    };
    let mut loader = loader(&project, Path::new(""), budget, sources, diagnostics);
    let name = format!("never {}", reach.label);
    match loader.reachability(&input) {
        Ok(Some(question)) => vec![answer(
            question,
            name,
            &project.options,
            budget,
            sources,
            progress,
        )],
        Ok(None) => Vec::new(),
        Err(stopped) => {
            let unknown = ReportVerdict::unknown(UnknownCause::Time, stopped.to_string());
            vec![part(name, unknown, None, ConformStats::default())]
        }
    }
}

fn loader<'a>(
    project: &'a Project,
    folder: &'a Path,
    budget: &'a Budget,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Diagnostics,
) -> Loader<'a> {
    Loader {
        project,
        folder,
        machine: Machine::Lp64,
        error_functions: COptions::ERROR_FUNCTIONS.map(str::to_owned).to_vec(),
        budget,
        sources,
        diagnostics,
    }
}

fn answer(
    mut question: Question,
    name: String,
    options: &Options,
    budget: &Budget,
    sources: &SourceMap,
    progress: &mut dyn FnMut(Iteration),
) -> ConformPart {
    let started = Instant::now();
    let (verdict, statistics) = question.run(options, budget, progress);
    let mut stats = stats(&question, &statistics);
    stats.seconds = started.elapsed().as_secs_f64();
    match verdict {
        Verdict::Conforms => part(name, ReportVerdict::Proved, None, stats),
        Verdict::Unknown(reason) => {
            let cause = match budget.check() {
                Err(_) => UnknownCause::Time,
                Ok(()) => UnknownCause::Solver,
            };
            part(name, ReportVerdict::unknown(cause, reason), None, stats)
        }
        Verdict::Violates(violation) => {
            let verdict = match violation.doubt.clone() {
                None => ReportVerdict::Bug,
                Some(reason) => ReportVerdict::BugUnconfirmed { reason },
            };
            let violation = violation_report(&question, &violation, sources);
            part(name, verdict, Some(violation), stats)
        }
    }
}

fn part(
    specification: String,
    verdict: ReportVerdict,
    violation: Option<ConformViolation>,
    stats: ConformStats,
) -> ConformPart {
    ConformPart {
        specification,
        asked: ConformAsked::TraceInclusion,
        verdict,
        expect: None,
        violation,
        stats,
    }
}

/// Leaves the specifications that were asked for.
fn select(request: &ConformRequest, project: &mut Project, diagnostics: &mut Diagnostics) {
    let names: Vec<String> = project.specifications.iter().map(Specification::name).collect();
    for wanted in request.only.iter().filter(|wanted| !names.contains(wanted)) {
        let message = format!("the project has no specification `{wanted}`");
        diagnostics.push(
            Diagnostic::global_error("conform-specification", message)
                .hint(format!("it has {}", names.join(", "))),
        );
    }
    if !request.only.is_empty() {
        project
            .specifications
            .retain(|specification| request.only.contains(&specification.name()));
    }
}

fn override_options(request: &ConformRequest, project: &mut Project) {
    let options = &mut project.options;
    if let Some(levels) = request.levels {
        options.levels = match levels {
            ConformLevels::Predicates => Levels::Predicates,
            ConformLevels::Both => Levels::Both,
        };
    }
    if let Some(minimise) = request.minimise {
        options.minimise.mode = match minimise {
            ConformMinimise::None => Minimise::None,
            ConformMinimise::Greedy => Minimise::Greedy,
            ConformMinimise::Optimal => Minimise::Optimal,
        };
    }
    if let Some(subsets) = request.max_subsets {
        options.minimise.max_subsets = subsets;
    }
    if let Some(eliminating) = request.max_eliminating {
        options.minimise.max_eliminating = eliminating;
    }
    if request.errors && request.reach.is_none() {
        project.errors = Errors::All;
    }
}

fn stats(question: &Question, statistics: &Statistics) -> ConformStats {
    ConformStats {
        states: statistics.states,
        predicate_iterations: statistics.predicate_iterations,
        action_iterations: statistics.action_iterations,
        seconds: 0.0,
        components: question
            .components
            .iter()
            .zip(&statistics.components)
            .map(|(component, statistics)| ConformComponentStats {
                component: component.name.clone(),
                expressions: statistics.expressions,
                predicates: statistics.predicates,
                branches: statistics.candidates,
                control_states: component.cfa.locations.len(),
                predicate_states: statistics.mp_states,
                action_states: statistics.ma_states,
                prover_checks: statistics.prover_checks,
                prover_cached: statistics.prover_cached,
            })
            .collect(),
    }
}

fn violation_report(question: &Question, violation: &Violation, sources: &SourceMap) -> ConformViolation {
    let steps = violation
        .trace
        .iter()
        .map(|&action| ProtocolStep {
            action: question.actions.name(action),
            components: question
                .components
                .iter()
                .filter(|component| component.alphabet.contains(action))
                .map(|component| component.name.clone())
                .collect(),
            observed: question.specification.alphabet().contains(action),
        })
        .collect();
    let allowed = match &violation.reason {
        ViolationReason::Refused { allowed } => question.actions.names(allowed),
        ViolationReason::ErrorState | ViolationReason::AtStart => Vec::new(),
    };
    ConformViolation {
        steps,
        allowed,
        runs: trace::runs(question, violation, sources),
        stuck: Vec::new(),
    }
}

fn location(sources: &SourceMap, span: Span) -> Location {
    let (line, column) = sources.line_column(span);
    Location {
        file: sources.path(span).display().to_string(),
        line: line as u32,
        column: column as u32,
    }
}

fn diagnostic_report(diagnostic: &Diagnostic, sources: &SourceMap) -> DiagnosticReport {
    DiagnosticReport {
        severity: match diagnostic.severity {
            Severity::Error => lariat_report::Severity::Error,
            Severity::Warning => lariat_report::Severity::Warning,
            Severity::Note => lariat_report::Severity::Note,
        },
        code: diagnostic.code.into(),
        message: diagnostic.message.clone(),
        location: diagnostic.span.map(|span| location(sources, span)),
        label: diagnostic.label.clone(),
        hint: diagnostic.hint.clone(),
        rendered: diagnostic.render(sources, false),
    }
}
