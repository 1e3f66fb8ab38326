//! Requests and reports of conformance checking.

use std::path::PathBuf;

use lariat_options::{COptions, Check, Levels, Minimise};
use serde::{Deserialize, Serialize};

use crate::{DiagnosticReport, Location, SCHEMA_VERSION, TraceLine, Verdict};

/// One run of `lariat conform`. Limits of time and memory of the whole run belong to the process.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConformRequest {
    /// The project file; not read with `reach`.
    pub project: PathBuf,
    /// Instead of a project: whether a label of a C program can be reached.
    pub reach: Option<ConformReach>,
    /// `None`: as the project file says.
    pub levels: Option<Levels>,
    pub minimise: Option<Minimise>,
    /// MAXSUB and MAXELM of [Magic04].
    pub max_subsets: Option<usize>,
    pub max_eliminating: Option<usize>,
    /// Reaching an error of the program is an action that the specification forbids.
    pub errors: bool,
    /// Asks also whether the components can get stuck.
    pub deadlock_free: bool,
    /// The processes to ask about; all specifications of the project if there are none.
    pub only: Vec<String>,
    /// How C is read, and what is an error in it.
    pub c: COptions,
    /// The report has the models.
    pub models: bool,
    /// Every system is written to files in this folder.
    pub export: Option<PathBuf>,
    /// Diagnostics are rendered with colours.
    pub color: bool,
}

impl ConformRequest {
    /// The checks whose failure is the action `error` of a C program without a project.
    pub const CHECKS: [Check; 3] = [Check::Reach, Check::Assert, Check::Abort];
}

/// One component whose specification is that it never fails.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConformReach {
    pub files: Vec<PathBuf>,
    /// The C function that is the component: `main` as a rule.
    pub procedure: String,
    /// The only label that it must not get to. `None`: what the options of C check.
    pub label: Option<String>,
}

/// The answer; one part for each question.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConformReport {
    pub schema_version: u32,
    /// The project file, or the C files whose label is asked about.
    pub files: Vec<String>,
    /// The worst verdict of all parts.
    pub verdict: Verdict,
    pub specifications: Vec<ConformPart>,
    pub diagnostics: Vec<DiagnosticReport>,
    pub seconds: f64,
    /// Peak resident memory; 0 if the system does not report it.
    #[serde(default)]
    pub peak_memory_bytes: u64,
}

impl ConformReport {
    /// A report without parts.
    pub fn new(request: &ConformRequest, verdict: Verdict) -> Self {
        let files = match &request.reach {
            Some(reach) => reach.files.as_slice(),
            None => std::slice::from_ref(&request.project),
        };
        ConformReport {
            schema_version: SCHEMA_VERSION,
            files: files.iter().map(|file| file.display().to_string()).collect(),
            verdict,
            specifications: Vec::new(),
            diagnostics: Vec::new(),
            seconds: 0.0,
            peak_memory_bytes: 0,
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConformPart {
    /// The process that is the specification; empty for freedom from deadlock.
    pub specification: String,
    #[serde(default)]
    pub asked: ConformAsked,
    pub verdict: Verdict,
    /// The verdict that the project expects.
    pub expect: Option<ConformExpectation>,
    pub violation: Option<ConformViolation>,
    pub stats: ConformStats,
    /// If they are wanted: the specification, and the final models of each component, with which the verdict was found.
    #[serde(default)]
    pub models: Vec<ConformModel>,
}

/// A labelled transition system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConformModel {
    /// Of the specification's process or of the component.
    pub name: String,
    pub kind: ConformModelKind,
    pub states: usize,
    pub transitions: usize,
    /// A drawing, if it is small enough for one.
    pub svg: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConformModelKind {
    Specification,
    /// MP of [Magic04].
    PredicateAbstraction,
    /// MA of [Magic04].
    ActionGuidedAbstraction,
}

/// What a part answers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConformAsked {
    /// Is every trace of the components one of the specification?
    #[default]
    TraceInclusion,
    /// Can they always go on until all have ended?
    DeadlockFreedom,
    /// Can a C program reach an error?
    Reachability,
    /// Has every execution a temporal property?
    Temporal,
    /// The same for fair executions.
    FairTemporal,
    /// Can the specification do whatever the components do?
    Simulation,
    /// Can each do whatever the other does?
    WeakBisimulation,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConformExpectation {
    Conforms,
    Violates,
}

impl ConformPart {
    /// Whether there is an answer, and it is not the expected one.
    pub fn is_unexpected(&self) -> bool {
        let is_decided = !matches!(self.verdict, Verdict::Unknown { .. });
        is_decided && self.meets_expectation() == Some(false)
    }

    /// Whether the verdict is the expected one; `None` if nothing is expected.
    pub fn meets_expectation(&self) -> Option<bool> {
        let expect = self.expect?;
        Some(match expect {
            ConformExpectation::Conforms => matches!(self.verdict, Verdict::Proved),
            ConformExpectation::Violates => {
                matches!(self.verdict, Verdict::Bug | Verdict::BugUnconfirmed { .. })
            }
        })
    }
}

/// A trace of the components that the specification does not allow, or that leads to a deadlock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConformViolation {
    pub reason: ConformReason,
    /// The protocol trace.
    pub steps: Vec<ProtocolStep>,
    /// What the specification would have allowed instead of the last step.
    pub allowed: Vec<String>,
    /// What each component does.
    pub runs: Vec<ComponentRun>,
    /// Where each component is in a deadlock; nothing if it is none.
    #[serde(default)]
    pub stuck: Vec<StuckComponent>,
    /// The number of the step from which on the steps are repeated for ever, from 0.
    #[serde(default)]
    pub cycle: Option<usize>,
    /// What follows the steps, or tells the two sides apart, in words.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// What a component is waiting for in a deadlock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StuckComponent {
    pub component: String,
    /// It has returned.
    pub has_ended: bool,
    /// The actions it is ready for; other components refuse each of them.
    pub waits_for: Vec<String>,
    /// The call in which it waits.
    pub location: Option<Location>,
}

/// What is wrong with the last step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConformReason {
    /// The specification does not allow it here.
    Refused,
    /// It leads to an `ERROR` state.
    ErrorState,
    /// The components cannot even start: their first state is an `ERROR` state.
    AtStart,
    /// After it no component can go on, though not all have ended.
    Deadlock,
    /// It goes on for ever, or ends, without what the property asks for.
    NotLive,
    /// The specification cannot follow the components, or they cannot follow it.
    Different,
}

/// One visible action and who takes part in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProtocolStep {
    pub action: String,
    pub components: Vec<String>,
    /// Whether the specification speaks of it.
    pub observed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ComponentRun {
    pub component: String,
    pub trace: Vec<TraceLine>,
}

/// The columns of Figures 11 to 18 of [Magic04].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ConformStats {
    /// St: states on which the question was decided.
    pub states: usize,
    /// PIt.
    pub predicate_iterations: usize,
    /// LIt.
    pub action_iterations: usize,
    /// T: eliminating sets that were found.
    #[serde(default)]
    pub eliminating_sets: usize,
    /// M and G: the sizes of the largest set that was tried, and of the largest that eliminates.
    #[serde(default)]
    pub largest_set_tried: usize,
    #[serde(default)]
    pub largest_eliminating_set: usize,
    pub seconds: f64,
    pub components: Vec<ConformComponentStats>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ConformComponentStats {
    pub component: String,
    /// Different expressions, predicates with several values, branches in P.
    pub expressions: usize,
    pub predicates: usize,
    pub branches: usize,
    /// States of the automaton, of MP and of MA.
    pub control_states: usize,
    pub predicate_states: usize,
    pub action_states: usize,
    pub prover_checks: u64,
    pub prover_cached: u64,
}
