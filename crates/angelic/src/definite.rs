//! Which failures no environment avoids.
//!
//! An execution avoids a failure if it comes to an end and the failing assertion holds whenever it gets there. It goes on behind other
//! failures: what fails earlier, or on another branch, is a bug of its own. Assertions that fail for the same cause count as one: the
//! warning is about the cause.

use std::collections::BTreeSet;
use std::time::Instant;

use lariat_ir::AssertId;
use lariat_report::Confidence;
use lariat_smt::{Ast, SolverError};

use crate::analysis::Analysis;
use crate::found::FoundWarning;

impl Analysis<'_, '_> {
    /// Whether a failure that no specification excludes is definite is asked at the end, when all specifications are known
    /// and every other failing assertion is either excluded or reported. What was reported for a callee is reported again only
    /// then.
    pub(crate) fn find_definite(&mut self) -> Result<(), SolverError> {
        let started = Instant::now();
        let mut literals: Vec<Ast> = self.active.iter().map(|active| active.literal).collect();
        literals.extend(&self.lemmas);
        let is_candidate = |warning: &FoundWarning| warning.confidence == Confidence::NotExpressible;
        let mut definite: BTreeSet<AssertId> = BTreeSet::new();
        for warning in self
            .result
            .warnings
            .iter()
            .filter(|warning| is_candidate(warning))
        {
            let holding = self.of_same_cause(warning);
            if self
                .permissive
                .is_unavoidable(&mut self.search, self.task, &holding, &literals)?
            {
                definite.insert(warning.assert);
            }
        }
        for warning in &mut self.result.warnings {
            if definite.contains(&warning.assert) {
                warning.confidence = Confidence::Definite;
            }
        }
        let weak = &self.task.weak;
        self.result
            .warnings
            .retain(|warning| warning.confidence == Confidence::Definite || !weak.contains(&warning.assert));
        // C has no preconditions that could contradict each other.
        let is_silent = self.task.front_end.c.is_none() && self.result.stats.traces == 0;
        if is_silent && self.incomplete.is_none() {
            self.result.is_vacuous =
                self.permissive
                    .is_unavoidable(&mut self.search, self.task, &BTreeSet::new(), &[])?;
        }
        self.result.stats.permissive_seconds += started.elapsed().as_secs_f64();
        Ok(())
    }

    /// The assertions that fail for the same cause as that of a warning.
    fn of_same_cause(&self, warning: &FoundWarning) -> BTreeSet<AssertId> {
        let is_known = !warning.origin.sources.is_empty();
        let others = self.result.warnings.iter();
        let others = others.filter(|other| is_known && other.origin == warning.origin);
        others.map(|other| other.assert).chain([warning.assert]).collect()
    }
}
