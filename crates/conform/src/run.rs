//! One run of `lariat conform`: a request in, a report out.

mod models;
mod trace;

use std::path::Path;
use std::time::Instant;

use lariat_base::budget::resident_memory;
use lariat_base::{Budget, Diagnostic, Diagnostics, Exhausted, Severity, SourceMap};
use lariat_lts::Stopped;
use lariat_lts::equivalence::Relation;
use lariat_lts::inclusion::ViolationReason;
use lariat_lts::ltl::Fairness;
use lariat_report::{
    ConformAsked, ConformComponentStats, ConformExpectation, ConformPart, ConformReach, ConformReason,
    ConformReport, ConformRequest, ConformStats, ConformViolation, Figure, Integers, PartKind, Parts, Phase,
    Progress, ProgressUpdate, ProtocolStep, UnknownCause, Verdict, rendering,
};

use crate::behaviour::Asks;
use crate::cegar::{CegarVerdict, Iteration, Options, Property, Reason, Statistics, Violation};
use crate::front_end::{ComponentInput, Errors, Texts};
use crate::project::{Project, Specification};
use crate::question::{Loader, Question};

/// Answers all questions of a request within a budget.
pub fn conform(
    request: &ConformRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress<ConformReport>),
) -> ConformReport {
    let started = Instant::now();
    let nothing = Verdict::unknown(UnknownCause::NothingChecked, "there was nothing to check");
    let mut asking = Asking {
        request,
        budget,
        share: budget.clone(),
        progress,
        started,
        texts: Texts::default(),
        sources: SourceMap::new(),
        diagnostics: Diagnostics::new(),
        questions: 1,
        report: ConformReport::new(request, nothing),
    };
    if request.c.integers == Integers::Math {
        let message = "integers are mathematical: wrap-around of arithmetic on 32 and more bits is left out";
        let mut warning = Diagnostic::global_error("math-integers", message);
        warning.severity = Severity::Warning;
        asking.diagnostics.push(warning);
    }
    match &request.reach {
        Some(reach) => asking.reach(reach),
        None => asking.project(),
    }
    asking.finish()
}

/// A question about a project.
struct Asked<'p> {
    property: Property,
    name: String,
    expect: Option<ConformExpectation>,
    /// What it is asked of; for deadlock only how the components are compiled and started.
    specification: &'p Specification,
}

/// One run and what is known so far.
struct Asking<'a> {
    request: &'a ConformRequest,
    budget: &'a Budget,
    /// What the present question may use of it.
    share: Budget,
    progress: &'a mut dyn FnMut(Progress<ConformReport>),
    started: Instant,
    texts: Texts,
    sources: SourceMap,
    diagnostics: Diagnostics,
    /// How many questions there are.
    questions: u64,
    report: ConformReport,
}

impl Asking<'_> {
    fn finish(mut self) -> ConformReport {
        self.refresh();
        self.report
    }

    /// The report as it would be if the run had to end now.
    fn refresh(&mut self) {
        let parts = &self.report.specifications;
        if self.diagnostics.has_errors() {
            self.report.verdict = Verdict::BadInput;
        } else if let Some(verdict) = Verdict::overall(parts.iter().map(|part| &part.verdict)) {
            self.report.verdict = verdict;
        }
        for diagnostic in self.diagnostics.iter() {
            let rendered = rendering::diagnostic(diagnostic, &self.sources, self.request.color);
            // Specifications share files.
            if !self.report.diagnostics.contains(&rendered) {
                self.report.diagnostics.push(rendered);
            }
        }
        self.report.seconds = self.started.elapsed().as_secs_f64();
        self.report.peak_memory_bytes = self.report.peak_memory_bytes.max(resident_memory().unwrap_or(0));
    }

    fn project(&mut self) {
        let request = self.request;
        let text = match std::fs::read_to_string(&request.project) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("cannot read {}: {error}", request.project.display());
                self.diagnostics
                    .push(Diagnostic::global_error("conform-file", message));
                return;
            }
        };
        let source = self.sources.add(&request.project, text.clone());
        let mut project = Project::parse(source, &text, &mut self.diagnostics);
        if self.diagnostics.has_errors() {
            return;
        }
        override_options(request, &mut project);
        select(request, &mut project, &mut self.diagnostics);
        if self.diagnostics.has_errors() {
            return;
        }
        let folder = request.project.parent().unwrap_or(Path::new(""));
        match self.loader(&project, folder).check_systems() {
            Ok(true) => {}
            Ok(false) => return,
            Err(stopped) => return self.stopped(String::new(), &stopped),
        }
        let deadlocks = match request.deadlock_free {
            true => for_deadlocks(&project),
            false => Vec::new(),
        };
        self.questions = (project.specifications.len() + deadlocks.len()) as u64;
        let conformance = project.specifications.iter().map(|specification| Asked {
            property: Property::Conformance,
            name: specification.name(),
            expect: specification.expect,
            specification,
        });
        let deadlocks = deadlocks.into_iter().map(|(specification, name)| Asked {
            property: Property::DeadlockFreedom,
            name,
            expect: None,
            specification,
        });
        let all: Vec<Asked<'_>> = conformance.chain(deadlocks).collect();
        for (index, asked) in all.iter().enumerate() {
            if !self.ask(asked, &project, folder, all.len() - index) {
                return;
            }
        }
        // The rest of the time goes to those whose share was too small.
        let parts = self.report.specifications.iter().enumerate();
        let slow = parts.filter(|(_, part)| matches!(&part.verdict, Verdict::Unknown { cause, .. } if *cause == UnknownCause::Time));
        let slow: Vec<usize> = slow.map(|(index, _)| index).collect();
        for (done, &index) in slow.iter().enumerate() {
            if self.budget.check().is_err() || !self.ask(&all[index], &project, folder, slow.len() - done) {
                return;
            }
            if let Some(again) = self.report.specifications.pop() {
                self.report.specifications[index] = again;
            }
        }
    }

    /// Asks one question with its share of the time, of so many that are left. `false` if something is wrong with the input.
    fn ask(&mut self, asked: &Asked<'_>, project: &Project, folder: &Path, left: usize) -> bool {
        self.share = match self.budget.remaining() {
            Some(remaining) => self
                .budget
                .within(remaining / u32::try_from(left).unwrap_or(u32::MAX).max(1)),
            None => self.budget.clone(),
        };
        match self.loader(project, folder).question(asked.specification) {
            Ok(Some(question)) => {
                self.answer(
                    asked.property,
                    question,
                    asked.name.clone(),
                    asked.expect,
                    &project.options,
                );
            }
            Ok(None) => return false,
            Err(stopped) => self.stopped(asked.name.clone(), &stopped),
        }
        true
    }

    /// The reachability form: a failure of a C program is the error.
    fn reach(&mut self, reach: &ConformReach) {
        let (errors, name) = match &reach.label {
            Some(label) => (Errors::Label(label.clone()), format!("never {label}")),
            None => (Errors::All, "never an error".to_owned()),
        };
        let mut project = Project {
            errors,
            ..Project::default()
        };
        override_options(self.request, &mut project);
        let input = ComponentInput {
            name: reach.procedure.clone(),
            files: reach.files.clone(),
            procedure: reach.procedure.clone(),
            guard: None,
        };
        match self.loader(&project, Path::new("")).reachability(&input) {
            Ok(Some(question)) => {
                self.answer(Property::Conformance, question, name, None, &project.options);
            }
            Ok(None) => {}
            Err(stopped) => self.stopped(name, &stopped),
        }
    }

    fn loader<'b>(&'b mut self, project: &'b Project, folder: &'b Path) -> Loader<'b> {
        Loader {
            project,
            folder,
            c: &self.request.c,
            budget: &self.share,
            texts: &mut self.texts,
            sources: &mut self.sources,
            diagnostics: &mut self.diagnostics,
        }
    }

    /// Nothing was decided about a specification.
    fn stopped(&mut self, name: String, stopped: &Stopped) {
        let unknown = Verdict::unknown(self.obstacle(), stopped.to_string());
        self.report
            .specifications
            .push(part(name, unknown, None, ConformStats::default()));
    }

    /// Why there is no answer.
    fn obstacle(&self) -> UnknownCause {
        match self.share.check() {
            Err(Exhausted::Time) => UnknownCause::Time,
            Err(Exhausted::Memory) => UnknownCause::Memory,
            Err(Exhausted::Interrupted) => UnknownCause::Interrupted,
            Ok(()) => UnknownCause::Solver,
        }
    }

    fn answer(
        &mut self,
        property: Property,
        mut question: Question,
        name: String,
        expect: Option<ConformExpectation>,
        options: &Options,
    ) {
        let started = Instant::now();
        let parts = (self.questions > 1).then_some(Parts {
            kind: PartKind::Specifications,
            done: self.report.specifications.len() as u64,
            total: self.questions,
        });
        self.budget.fault_point("specification", &name);
        let (progress, subject) = (&mut *self.progress, name.clone());
        let mut report = |iteration: Iteration| {
            progress(Progress::Update(ProgressUpdate {
                phase: Phase::Solving,
                subject: Some(subject.clone()),
                parts: parts.clone(),
                figures: vec![
                    Figure::Iteration(iteration.predicate_iterations as u64),
                    Figure::Splits(iteration.action_iterations as u64),
                    Figure::Predicates(iteration.candidates as u64),
                    Figure::States(iteration.states as u64),
                ],
                memory_bytes: resident_memory().unwrap_or(0),
            }));
        };
        let (verdict, statistics) = question.run(property, options, &self.share, &mut report);
        let mut stats = stats(&question, &statistics);
        stats.seconds = started.elapsed().as_secs_f64();
        let models = match self.request.models {
            true => models::models(&question, &name, &statistics),
            false => Vec::new(),
        };
        self.export(&question, &name, &statistics);
        let part = match verdict {
            CegarVerdict::Conforms => part(name, Verdict::Proved, None, stats),
            CegarVerdict::Unknown(reason) => {
                let unknown = Verdict::unknown(self.obstacle(), reason);
                part(name, unknown, None, stats)
            }
            CegarVerdict::Violates(violation) => {
                let verdict = match violation.doubt.clone().or_else(|| inexact(self.request)) {
                    None => Verdict::Bug,
                    Some(reason) => Verdict::BugUnconfirmed { reason },
                };
                let violation = violation_report(&question, &violation, &self.sources);
                part(name, verdict, Some(violation), stats)
            }
        };
        let asked = match (property, &question.asks) {
            (Property::DeadlockFreedom, _) => ConformAsked::DeadlockFreedom,
            _ if question.is_reachability => ConformAsked::Reachability,
            (_, Asks::Traces) => ConformAsked::TraceInclusion,
            (_, Asks::Temporal { fairness, .. }) => match fairness {
                Fairness::None => ConformAsked::Temporal,
                Fairness::Choice => ConformAsked::FairTemporal,
            },
            (_, Asks::Relation(Relation::Simulation)) => ConformAsked::Simulation,
            (_, Asks::Relation(Relation::WeakBisimulation)) => ConformAsked::WeakBisimulation,
        };
        self.report.specifications.push(ConformPart {
            asked,
            expect,
            models,
            ..part
        });
        self.refresh();
        (self.progress)(Progress::Partial(Box::new(self.report.clone())));
    }

    /// Writes the systems of a question to files, if requested. A failure is only a warning.
    fn export(&mut self, question: &Question, name: &str, statistics: &Statistics) {
        let Some(folder) = &self.request.export else {
            return;
        };
        let folder = folder.join(models::file_name(name));
        if let Err(error) = models::export(&folder, question, statistics) {
            let message = format!("cannot write to {}: {error}", folder.display());
            let mut warning = Diagnostic::global_error("conform-export", message);
            warning.severity = Severity::Warning;
            self.diagnostics.push(warning);
        }
    }
}

/// Why no execution that was found is one of the C program: its arithmetic was not C's.
fn inexact(request: &ConformRequest) -> Option<String> {
    (request.c.integers == Integers::Math)
        .then(|| "it was found with mathematical integers, which do not wrap around".to_owned())
}

fn part(
    specification: String,
    verdict: Verdict,
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
        models: Vec::new(),
    }
}

/// The specifications to check for deadlock, with names: one for each way in which the components are compiled and started.
/// What a specification allows does not matter.
fn for_deadlocks(project: &Project) -> Vec<(&Specification, String)> {
    let mut chosen: Vec<&Specification> = Vec::new();
    for specification in &project.specifications {
        let covers = |other: &&&Specification| other.macros == specification.macros;
        let is_covered = match specification.guards.is_empty() {
            true => chosen.iter().any(|other| covers(&other)),
            false => {
                let unguarded = project
                    .specifications
                    .iter()
                    .filter(|other| other.guards.is_empty());
                unguarded.clone().any(|other| covers(&&other))
            }
        };
        if !is_covered {
            chosen.push(specification);
        }
    }
    let is_one = chosen.len() == 1;
    let name = |specification: &Specification| match is_one {
        true => String::new(),
        false => specification.name(),
    };
    chosen
        .into_iter()
        .map(|specification| (specification, name(specification)))
        .collect()
}

/// Keeps only the specifications that the request names.
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
        options.levels = levels;
    }
    if let Some(minimise) = request.minimise {
        options.minimise.mode = minimise;
    }
    options.keep_models = request.models || request.export.is_some();
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
        eliminating_sets: statistics.minimise.eliminating,
        largest_set_tried: statistics.minimise.largest_tried,
        largest_eliminating_set: statistics.minimise.largest_eliminating,
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
    let (reason, allowed) = match &violation.reason {
        Reason::NotAllowed(ViolationReason::Refused { allowed }) => {
            (ConformReason::Refused, question.actions.names(allowed))
        }
        Reason::NotAllowed(ViolationReason::ErrorState) => (ConformReason::ErrorState, Vec::new()),
        Reason::NotAllowed(ViolationReason::AtStart) => (ConformReason::AtStart, Vec::new()),
        Reason::Deadlock => (ConformReason::Deadlock, Vec::new()),
        Reason::NotLive { .. } => (ConformReason::NotLive, Vec::new()),
        Reason::Different { .. } => (ConformReason::Different, Vec::new()),
    };
    ConformViolation {
        reason,
        steps,
        allowed,
        runs: trace::runs(question, violation, sources),
        stuck: match violation.reason {
            Reason::Deadlock => trace::stuck(question, violation, sources),
            _ => Vec::new(),
        },
        cycle: match violation.reason {
            Reason::NotLive { cycle, .. } => cycle,
            _ => None,
        },
        notes: notes(question, &violation.reason),
    }
}

/// What follows a trace, or what tells the components from the specification.
fn notes(question: &Question, reason: &Reason) -> Vec<String> {
    let actions = &question.actions;
    match reason {
        Reason::NotLive { cycle, repeated } => {
            let mut notes = vec![match cycle {
                Some(first) => format!("from step {} on the steps are repeated for ever", first + 1),
                None => "after the last step nothing happens any more".to_owned(),
            }];
            if !repeated.is_empty() {
                let names = actions.names(repeated).join(", ");
                notes.push(format!("what can still happen, again and again: {names}"));
            }
            notes
        }
        Reason::Different { plays } => {
            let last = plays.len().saturating_sub(1);
            let told = plays.iter().enumerate().map(|(index, &(is_components, action))| {
                let (one, other) = match is_components {
                    true => ("the components", "the specification"),
                    false => ("the specification", "the components"),
                };
                let does = match action.is_tau() {
                    true => "choose silently what to do next".to_owned(),
                    false => format!("do `{}`", actions.name(action)),
                };
                let answer = match index == last {
                    true => "cannot follow",
                    false => "can follow, but not for long",
                };
                format!("{one} can {does}; {other} {answer}")
            });
            told.collect()
        }
        Reason::NotAllowed(_) | Reason::Deadlock => Vec::new(),
    }
}
