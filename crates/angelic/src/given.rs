//! Specifications that an entry starts with: the user's decisions, and what was inferred for its callees.

use lariat_report::SpecificationStatus;
use lariat_smt::SolverError;
use lariat_term::VarId;

use crate::analysis::Analysis;
use crate::found::FoundSpec;
use crate::permissive::Verdict;
use crate::specification::{Given, SpecText, describe};

/// The solver's effort for the question whether the given specifications contradict each other.
const CONTRADICTION_EFFORT: u32 = 3_000_000;

impl Analysis<'_, '_> {
    /// A specification of the user or of a callee.
    pub(crate) fn use_given(&mut self, given: Given) -> Result<(), SolverError> {
        if given.status == SpecificationStatus::Rejected {
            return Ok(());
        }
        let pool = self.search.session.pool();
        let resolved = given.resolve(self.task.front_end, self.task.open, self.task.entry, pool);
        let (blockings, problem) = match resolved {
            Ok(blockings) => (blockings, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        if let (Some(problem), false) = (problem, given.inherited) {
            self.result.specs.push(FoundSpec {
                text: SpecText {
                    source: given.text.clone(),
                    ..SpecText::default()
                },
                status: given.status,
                id: Some(given.id.clone()),
                suppresses: Vec::new(),
                unnecessary: false,
                problem: Some(problem),
                inherited: false,
            });
        }
        for blocking in blockings {
            let pool = self.search.session.pool();
            let mut text = describe(&self.task.wording, pool, &blocking);
            text.source.clone_from(&given.text);
            let found = FoundSpec {
                text,
                status: given.status,
                id: Some(given.id.clone()),
                suppresses: Vec::new(),
                unnecessary: false,
                problem: None,
                inherited: given.inherited,
            };
            let index = self.activate(blocking, found, None)?;
            // What the user has accepted is the environment; what was edited must be permissive like anything else.
            if given.status == SpecificationStatus::Edited
                && let Verdict::Contradicts(seek) = self.is_permissive(index, &[])?
            {
                let seek = &self.task.switches.seeks[seek];
                let mut refused = self.active.remove(index).found;
                let place = seek.span.map_or(String::new(), |span| {
                    format!(" ({})", self.task.front_end.location(span))
                });
                refused.problem = Some(format!("{}{place}", seek.policy.contradiction()));
                self.result.specs.push(refused);
            }
        }
        Ok(())
    }

    /// A specification that was inferred when the entry was analysed before: it is acceptable, and the execution that it was found for need
    /// not be found again.
    pub(crate) fn take_up(&mut self, found: FoundSpec) -> Result<(), SolverError> {
        let is_inferred = found.status == SpecificationStatus::Inferred && found.problem.is_none();
        let Some(&assert) = found.suppresses.first().filter(|_| is_inferred) else {
            return Ok(());
        };
        let given = Given {
            id: String::new(),
            text: found.text.exact.clone(),
            status: found.status,
            inherited: false,
        };
        let pool = self.search.session.pool();
        let resolved = given.resolve(self.task.front_end, self.task.open, self.task.entry, pool);
        // What cannot be read is found anew.
        let Ok([blocking]) = resolved
            .map(<[_; 1]>::try_from)
            .unwrap_or_else(|_| Err(Vec::new()))
        else {
            return Ok(());
        };
        let pool = &self.search.session.problem().program.pool;
        self.generaliser.note(self.task, pool, &blocking);
        self.activate(blocking, found, Some(assert))?;
        self.result.stats.traces += 1;
        Ok(())
    }

    /// Summaries whose specifications about results are all assumed.
    pub(crate) fn usable_summaries(&self) -> Vec<VarId> {
        let is_assumed = |text: &String| {
            self.active.iter().any(|active| {
                let found = &active.found;
                let is_whole = found.inherited && found.text.source == *text;
                is_whole || found.status == SpecificationStatus::Accepted && found.text.exact == *text
            })
        };
        let attached = self.search.summaries.iter();
        let usable = attached.filter(|attached| attached.results.iter().all(is_assumed));
        usable.map(|attached| attached.switch).collect()
    }

    /// Whether the given specifications leave no input: then nothing would fail, which would look like success.
    pub(crate) fn given_contradict(&mut self) -> Result<bool, SolverError> {
        if self.active.is_empty() {
            return Ok(false);
        }
        let switches: Vec<VarId> = self.active.iter().map(|active| active.switch).collect();
        self.search.session.contradict(&switches, CONTRADICTION_EFFORT)
    }
}
