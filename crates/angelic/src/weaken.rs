//! A weaker specification where a stronger one is refused.
//!
//! What is found first is easy to read, and stronger than it need be: it speaks of one pointer where the failure has several cases, and says
//! nothing of the numbers beside it. Where the code contradicts that, it may still allow a weaker one, such as `e->count <= 0 ||
//! e->items != NULL`. Each is asked for once ([`Weakness`]); a failure is a warning only if all of them are refused.
//!
//! What ties the result of a call to what it wrote says which results are successes. The code must not contradict that: the null check that
//! refuses the stronger specification is one for the other results only. A record has no such side: its null check may stand anywhere.

use lariat_explain::{Blocking, Explained, Explanation, Weakness};
use lariat_report::Structure;
use lariat_smt::{Ast, SolverError};
use lariat_term::TermId;

use crate::analysis::{Analysis, assumption, rejected_part};
use crate::found::FoundSpec;
use crate::open_search::FoundFailure;
use crate::permissive::Verdict;
use crate::specification::{SpecText, describe};

impl Analysis<'_, '_> {
    /// Whether a weaker specification than the one that the angelic assertion `seek` refuses excludes the failure, which is assumed then, or
    /// might exclude it, which makes the entry incomplete.
    pub(crate) fn weaken(
        &mut self,
        found: &FoundFailure,
        refused: &SpecText,
        seek: usize,
    ) -> Result<bool, SolverError> {
        if self.task.request.vocabulary.structure != Structure::Cnf {
            return Ok(false);
        }
        let mut tried = vec![refused.formal.clone()];
        for weakness in [Weakness::Clauses, Weakness::Related] {
            let Explained {
                explanation,
                lemmas,
                evidence,
                failing_results,
                ..
            } = self.explain(found, weakness)?;
            let blocking = match explanation {
                Explanation::Blocked(blocking) => blocking,
                Explanation::OutOfTime | Explanation::TooHard => {
                    self.restart()?;
                    self.unexplained(&explanation, found.assert)?;
                    return Ok(true);
                }
                _ => continue,
            };
            let pool = self.search.session.pool();
            let text = describe(&self.task.wording, pool, &blocking);
            let is_rejected = rejected_part(self.task, pool, &blocking, &text).is_some();
            let is_active = self
                .active
                .iter()
                .any(|active| active.found.text.formal == text.formal);
            if is_rejected || is_active || tried.contains(&text.formal) {
                continue;
            }
            if self.is_checked_on_success(&blocking, &failing_results, seek)? {
                continue;
            }
            let spec = FoundSpec::inferred(text, vec![found.assert]);
            let index = self.activate(blocking, spec, Some(found.assert))?;
            match self.is_permissive(index, &evidence)? {
                Verdict::Permissive if self.task.budget.check().is_err() => {
                    self.active.remove(index);
                    self.unexplained(&Explanation::OutOfTime, found.assert)?;
                    return Ok(true);
                }
                Verdict::Permissive => {
                    self.restart()?;
                    for lemma in &lemmas {
                        self.add_lemma(lemma, found.assert)?;
                    }
                    return Ok(true);
                }
                Verdict::Contradicts(_) => tried.push(self.active.remove(index).found.text.formal),
            }
        }
        self.restart()?;
        Ok(false)
    }

    /// Whether an angelic assertion can be violated though all calls give results for which the specification promises a pointer.
    fn is_checked_on_success(
        &mut self,
        blocking: &Blocking,
        failing_results: &[TermId],
        seek: usize,
    ) -> Result<bool, SolverError> {
        if failing_results.is_empty() {
            return Ok(false);
        }
        let pool = self.search.session.pool();
        let failure = pool.or(failing_results);
        let success = Blocking {
            term: pool.not(failure),
            placeholders: blocking.placeholders.clone(),
        };
        let (_, literal) = assumption(&mut self.search.session, self.task.open, &success)?;
        let mut literals: Vec<Ast> = self.active.iter().map(|active| active.literal).collect();
        literals.extend(&self.lemmas);
        literals.push(literal);
        self.permissive
            .is_possible(&mut self.search, self.task, seek, &literals)
    }
}
