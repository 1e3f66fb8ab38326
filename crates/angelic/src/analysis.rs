//! Algorithm 1 of [Angelic15], for one entry.
//!
//! Deviations:
//! - a reported assertion is assumed from then on, so one cause is not reported at every later place;
//! - specifications that were inferred for an assertion are withdrawn if it is reported in the same entry after all;
//! - the unfolding, its solver and the witnesses of permissiveness are kept from one iteration to the next.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lariat_base::Budget;
use lariat_engine::{Assumption, AssumptionSite, Session};
use lariat_explain::{
    Blocking, ExplainOptions, Explained, Explanation, FailingTrace, Placeholder, ProgramFacts, ValueOrigin,
    Weakness, explain_with,
};
use lariat_front_end::FrontEnd;
use lariat_ir::{AssertId, OpenEntry, OpenInfo, StmtId, Unknown};
use lariat_report::{AngelicEntryStats, AngelicRequest, Confidence, EntryOutcome, SpecificationStatus};
use lariat_smt::{Ast, SolverError};
use lariat_term::{Op, TermPool, VarId};

use crate::found::{EntryResult, FoundSpec, FoundWarning, Refused};
use crate::generalise::{Generaliser, point};
use crate::instrument::Switches;
use crate::open_search::{Found, FoundFailure, OpenSearch};
use crate::permissive::{Assumed, Permissive, Subject, Verdict};
use crate::specification::{Given, SpecText, Wording, describe, in_words};
use crate::subsumed::leave_out;

/// How long one explanation may take unless the user says otherwise. Each of its questions has a limited effort; this ends an
/// explanation that asks too many.
const EXPLAIN_TIME: Duration = Duration::from_secs(10);

/// What an entry is analysed with.
pub struct EntryTask<'a> {
    pub front_end: &'a FrontEnd,
    pub open: &'a OpenInfo,
    pub switches: &'a Switches,
    pub request: &'a AngelicRequest,
    pub entry: &'a OpenEntry,
    pub wording: Wording<'a>,
    pub facts: &'a ProgramFacts,
    /// Assertions that were reported for entries that this one calls.
    pub dropped: BTreeSet<AssertId>,
    /// Those of them that are worth a warning here if they fail whatever the environment of this entry does.
    pub weak: BTreeSet<AssertId>,
    /// Procedures without body that all their callers treat as the end of the path.
    pub ends: &'a BTreeSet<Arc<str>>,
    /// Specifications of the user and of entries that this one calls.
    pub given: Vec<Given>,
    /// What was found when the entry was analysed before and its time was over.
    pub before: Vec<FoundSpec>,
    pub budget: Budget,
}

/// A specification in use.
pub(crate) struct Active {
    pub(crate) found: FoundSpec,
    pub(crate) blocking: Blocking,
    pub(crate) switch: VarId,
    pub(crate) literal: Ast,
    /// Inferred for this assertion.
    pub(crate) for_assert: Option<AssertId>,
}

pub struct Analysis<'a, 'b> {
    pub(crate) task: &'b EntryTask<'a>,
    pub(crate) search: OpenSearch<'b>,
    pub(crate) active: Vec<Active>,
    pub(crate) permissive: Permissive,
    pub(crate) generaliser: Generaliser,
    pub(crate) result: EntryResult,
    /// Facts about fresh memory that hold anyway.
    pub(crate) lemmas: Vec<Ast>,
    /// Assertions that were reported, here or in a callee: they are assumed.
    pub(crate) reported: BTreeSet<AssertId>,
    /// The switches of summaries that count while normal assertions are verified.
    pub(crate) summaries: Vec<VarId>,
    /// Why something is left open.
    pub(crate) incomplete: Option<String>,
}

/// Analyses the entry to its end or to the end of its budget.
pub fn analyse<'a, 'b>(
    task: &'b EntryTask<'a>,
    search: OpenSearch<'b>,
    on_change: &mut dyn FnMut(&AngelicEntryStats, usize, usize),
) -> EntryResult {
    let started = Instant::now();
    let mut analysis = Analysis {
        permissive: Permissive::new(
            task.switches,
            task.entry,
            task.front_end,
            task.request.permissiveness,
        ),
        generaliser: Generaliser::new(task.request.vocabulary.generalise_after),
        task,
        search,
        active: Vec::new(),
        result: EntryResult::default(),
        lemmas: Vec::new(),
        reported: task.dropped.difference(&task.weak).copied().collect(),
        summaries: Vec::new(),
        incomplete: None,
    };
    let ran = analysis.run(on_change);
    analysis.note_unnecessary();
    let ran = ran.and_then(|()| analysis.find_definite());
    if let Err(error) = ran {
        // An interrupted solver cannot read its models either.
        let reason = match task.budget.check() {
            Err(exhausted) => exhausted.to_string(),
            Ok(()) => error.0,
        };
        analysis.incomplete.get_or_insert(reason);
    }
    analysis.finish(started)
}

impl Analysis<'_, '_> {
    fn run(
        &mut self,
        on_change: &mut dyn FnMut(&AngelicEntryStats, usize, usize),
    ) -> Result<(), SolverError> {
        self.permissive.prepare(&mut self.search, self.task.switches)?;
        for given in self.task.given.clone() {
            self.use_given(given)?;
        }
        if self.given_contradict()? {
            let text = "the specifications that were accepted contradict each other: no execution is left to look at";
            self.incomplete.get_or_insert_with(|| text.to_owned());
            return Ok(());
        }
        for found in self.task.before.clone() {
            self.take_up(found)?;
        }
        self.summaries = self.usable_summaries();
        self.restart()?;
        loop {
            let started = Instant::now();
            let found = self.search.next_failure();
            self.result.stats.verify_seconds += started.elapsed().as_secs_f64();
            match found {
                Found::Nothing { bound, complete } => {
                    let is_bounded = self.search.rests_on_bounded_summaries();
                    // Summaries are found up to the bound of the request.
                    self.result.bound = match complete && is_bounded {
                        true => self.task.request.program.bound,
                        false => bound,
                    };
                    self.result.complete = complete && !is_bounded;
                    return Ok(());
                }
                Found::Unknown { reason, completed } => {
                    let exhausted = self.task.budget.check().err();
                    let reason = exhausted.map_or(reason, |exhausted| exhausted.to_string());
                    self.result.bound = completed.unwrap_or(0);
                    self.incomplete.get_or_insert(match completed {
                        Some(bound) => format!("{reason}; within bound {bound} nothing else fails"),
                        None => reason,
                    });
                    return Ok(());
                }
                Found::Failure(failure) => {
                    self.result.stats.traces += 1;
                    self.failing(*failure)?;
                }
            }
            self.result.stats.solver_calls = self.search.session.stats().solver_calls;
            on_change(&self.result.stats, self.active.len(), self.result.warnings.len());
        }
    }

    /// Lines 8 to 15 of Algorithm 1.
    fn failing(&mut self, found: FoundFailure) -> Result<(), SolverError> {
        let assert = found.assert;
        if let Some(reason) = &found.unsupported {
            self.incomplete.get_or_insert(reason.clone());
            return self.drop_assertion(assert);
        }
        // One that is in doubt may still be excluded by a specification: then it does not matter whether it exists.
        if !found.failure.confirmed && !found.replayed {
            return self.doubt(&found);
        }
        if self.task.request.vocabulary.empty {
            return self.report(found, Confidence::Demonic, ValueOrigin::default(), None, None);
        }
        let is_weak = self.task.weak.contains(&assert);
        let started = Instant::now();
        let explained = self.explain(&found, Weakness::Single)?;
        self.result.stats.explain_seconds += started.elapsed().as_secs_f64();
        let Explained {
            explanation,
            origin,
            lemmas,
            evidence,
            ..
        } = explained;
        // What the explanation took for granted of fresh memory.
        for lemma in &lemmas {
            self.add_lemma(lemma, assert)?;
        }
        match explanation {
            // The callee's warning says it already.
            Explanation::Blocked(_) if is_weak => self.drop_assertion(assert),
            Explanation::Blocked(blocking) => {
                self.block(found, blocking, origin, &evidence, !lemmas.is_empty())
            }
            Explanation::Infeasible(lemma) => self.add_lemma(&lemma, assert),
            Explanation::AlwaysFails => {
                let reason = "what avoids it is no condition of this execution".to_owned();
                self.report(found, Confidence::NotExpressible, origin, None, Some(reason))
            }
            Explanation::OutOfTime | Explanation::TooHard => self.unexplained(&explanation, assert),
            Explanation::NotExpressible { reason, .. } => {
                self.report(found, Confidence::NotExpressible, origin, None, Some(reason))
            }
        }
    }

    /// No alarm: a specification might well excuse the failure.
    pub(crate) fn unexplained(
        &mut self,
        explanation: &Explanation,
        assert: AssertId,
    ) -> Result<(), SolverError> {
        let text = match (self.task.budget.check(), explanation) {
            (Err(exhausted), _) => exhausted.to_string(),
            (Ok(()), Explanation::OutOfTime) => {
                "the time for explaining a failing execution is over (--explain-time-limit)".to_owned()
            }
            (Ok(()), _) => "whether a specification avoids a failure was too hard to find out".to_owned(),
        };
        self.incomplete.get_or_insert(text);
        self.drop_assertion(assert)
    }

    pub(crate) fn explain(
        &mut self,
        found: &FoundFailure,
        weakness: Weakness,
    ) -> Result<Explained, SolverError> {
        let task = self.task;
        let known: Vec<(VarId, bool)> = task.switches.known(&self.search.reached);
        let trace = FailingTrace {
            program: &task.front_end.program,
            entry: task.entry.proc,
            events: &found.events,
            failing: found.assert,
            open: task.open,
            known: &known,
            in_words: &|pool, term, placeholders| in_words(&task.wording, pool, term, placeholders),
        };
        let time = task.request.explain_seconds.map(Duration::from_secs_f64);
        let options = ExplainOptions {
            vocabulary: task.request.vocabulary.clone(),
            weakness,
            time: time.unwrap_or(EXPLAIN_TIME),
            ..ExplainOptions::default()
        };
        let (context, pool) = self.search.session.context();
        let mut explained = explain_with(task.facts, context, pool, &trace, &options)?;
        // The end of the entry's time interrupts the solver, which has then not said that no formula excludes the failure.
        let is_negative = matches!(explained.explanation, Explanation::NotExpressible { .. });
        if is_negative && task.budget.check().is_err() {
            explained.explanation = Explanation::OutOfTime;
        }
        Ok(explained)
    }

    /// The trace is excluded by a specification, if that is acceptable.
    fn block(
        &mut self,
        found: FoundFailure,
        blocking: Blocking,
        origin: ValueOrigin,
        evidence: &[StmtId],
        has_lemmas: bool,
    ) -> Result<(), SolverError> {
        let pool = self.search.session.pool();
        let text = describe(&self.task.wording, pool, &blocking);
        if let Some(text) = rejected_part(self.task, pool, &blocking, &text) {
            let refused = Refused { text, seek: None };
            return self.report(found, Confidence::Rejected, origin, Some(refused), None);
        }
        let assumed = self
            .active
            .iter()
            .any(|active| active.found.text.formal == text.formal);
        // What is known of memory was not known when the specification was found.
        if assumed && has_lemmas {
            return Ok(());
        }
        if assumed {
            self.incomplete.get_or_insert_with(|| {
                format!(
                    "the specification `{}` does not exclude a trace that it was made for",
                    text.source
                )
            });
            return self.drop_assertion(found.assert);
        }
        let found_spec = FoundSpec::inferred(text, vec![found.assert]);
        let index = self.activate(blocking, found_spec, Some(found.assert))?;
        match self.is_permissive(index, evidence)? {
            Verdict::Permissive if self.task.budget.check().is_err() => {
                self.active.remove(index);
                self.unexplained(&Explanation::OutOfTime, found.assert)
            }
            Verdict::Permissive => {
                let pool = &self.search.session.problem().program.pool;
                let Active {
                    blocking, literal, ..
                } = &self.active[index];
                self.generaliser.note(self.task, pool, blocking);
                let literal = *literal;
                self.search.session.assume_literal(literal);
                Ok(())
            }
            Verdict::Contradicts(seek) => {
                let refused = self.active.remove(index);
                if self.weaken(&found, &refused.found.text, seek)? {
                    return Ok(());
                }
                let refused = Refused {
                    text: refused.found.text.source,
                    seek: Some(seek),
                };
                self.report(found, Confidence::Inconsistent, origin, Some(refused), None)
            }
        }
    }

    /// Asks whether what is assumed, with the newest, leaves every angelic assertion possible; afterwards the search stands
    /// where it was.
    pub(crate) fn is_permissive(
        &mut self,
        index: usize,
        evidence: &[StmtId],
    ) -> Result<Verdict, SolverError> {
        let started = Instant::now();
        let mut all: Vec<Ast> = self.active.iter().map(|active| active.literal).collect();
        all.extend(&self.lemmas);
        // What the user has accepted is the environment.
        let is_accepted = |active: &&Active| active.found.status == SpecificationStatus::Accepted;
        let mut anyway: Vec<Ast> = self
            .active
            .iter()
            .filter(is_accepted)
            .map(|active| active.literal)
            .collect();
        anyway.extend(&self.lemmas);
        let newest = &self.active[index];
        let owners = crate::permissive::owners(self.task.front_end, &newest.blocking);
        let verdict = self.permissive.check(
            &mut self.search,
            self.task,
            &Subject {
                newest: newest.switch,
                owners: &owners,
                evidence,
            },
            &Assumed { all, anyway },
            &mut self.result.stats.permissive_checks,
        )?;
        self.result.stats.permissive_seconds += started.elapsed().as_secs_f64();
        if self.permissive.has_moved() {
            self.restart()?;
        }
        Ok(verdict)
    }

    pub(crate) fn activate(
        &mut self,
        blocking: Blocking,
        found: FoundSpec,
        for_assert: Option<AssertId>,
    ) -> Result<usize, SolverError> {
        let (switch, literal) = assumption(&mut self.search.session, self.task.open, &blocking)?;
        self.active.push(Active {
            found,
            blocking,
            switch,
            literal,
            for_assert,
        });
        Ok(self.active.len() - 1)
    }

    pub(crate) fn add_lemma(&mut self, lemma: &Blocking, assert: AssertId) -> Result<(), SolverError> {
        let before = self.lemmas.len();
        let (_, literal) = assumption(&mut self.search.session, self.task.open, lemma)?;
        self.lemmas.push(literal);
        self.search.session.assume_literal(literal);
        // A lemma that excludes nothing must not be found for ever.
        if before > 1000 {
            self.incomplete.get_or_insert_with(|| {
                "too many executions touch fresh memory in ways that cannot be".into()
            });
            return self.drop_assertion(assert);
        }
        Ok(())
    }

    /// Lines 11 and 12 of Algorithm 1, unless the execution goes on behind what does not return.
    fn report(
        &mut self,
        found: FoundFailure,
        confidence: Confidence,
        origin: ValueOrigin,
        refused: Option<Refused>,
        note: Option<String>,
    ) -> Result<(), SolverError> {
        if confidence != Confidence::Demonic && self.ends_before(&found)? {
            return Ok(());
        }
        if !found.failure.confirmed {
            return self.doubt(&found);
        }
        let assert = found.assert;
        self.result.warnings.push(FoundWarning {
            assert,
            confidence,
            failure: found.failure,
            origin,
            refused,
            note,
        });
        self.drop_assertion(assert)
    }

    /// Nothing may be said about an execution that may not exist.
    fn doubt(&mut self, found: &FoundFailure) -> Result<(), SolverError> {
        let why = found.failure.why_not.as_deref().unwrap_or("the replay differs");
        let text = format!("a failing execution could not be replayed ({why})");
        self.incomplete.get_or_insert(text);
        self.drop_assertion(found.assert)
    }

    /// The assertion is assumed from now on, and what was assumed for it is not.
    fn drop_assertion(&mut self, assert: AssertId) -> Result<(), SolverError> {
        self.never_fails(assert)?;
        let before = self.active.len();
        self.active.retain(|active| active.for_assert != Some(assert));
        if self.active.len() != before {
            self.restart()?;
        }
        Ok(())
    }

    fn never_fails(&mut self, assert: AssertId) -> Result<(), SolverError> {
        self.reported.insert(assert);
        if let Some(&check) = self.task.switches.checks.get(&assert) {
            let literal = self.search.session.literal(check, false)?;
            self.search.session.assume_literal(literal);
        }
        Ok(())
    }

    /// Verifies normal assertions under what is assumed now.
    pub(crate) fn restart(&mut self) -> Result<(), SolverError> {
        let mut literals = self
            .permissive
            .normal_literals(&mut self.search, self.task.switches)?;
        literals.extend(self.active.iter().map(|active| active.literal));
        literals.extend(&self.lemmas);
        for &switch in &self.summaries {
            literals.push(self.search.session.literal(switch, true)?);
        }
        for assert in &self.reported {
            if let Some(&check) = self.task.switches.checks.get(assert) {
                literals.push(self.search.session.literal(check, false)?);
            }
        }
        self.search.session.restart(literals);
        Ok(())
    }

    /// Lists general specifications instead of their instances.
    fn list_generals(&mut self) {
        let pool = &self.search.session.problem().program.pool;
        for general in std::mem::take(&mut self.generaliser.generals) {
            let mut suppresses = Vec::new();
            for active in &mut self.active {
                let is_inferred = active.found.status == SpecificationStatus::Inferred;
                let map = point(self.task, pool, &active.blocking).map(|(map, _)| map);
                if is_inferred && map == Some(general.map) {
                    suppresses.extend(&active.found.suppresses);
                    active.found.inherited = true;
                }
            }
            if !suppresses.is_empty() {
                self.result
                    .specs
                    .push(FoundSpec::inferred(general.text, suppresses));
            }
        }
    }

    /// What was given and the last question did not rest on.
    fn note_unnecessary(&mut self) {
        let is_done = self.incomplete.is_none();
        for active in &mut self.active {
            let is_given = active.for_assert.is_none();
            active.found.unnecessary = is_given && is_done && !self.search.session.rests_on(active.literal);
        }
    }

    fn finish(mut self, started: Instant) -> EntryResult {
        self.list_generals();
        let active = leave_out(&self.search.session.problem().program.pool, self.active);
        let listed = active.into_iter().map(|active| active.found);
        self.result.specs.extend(listed.filter(|found| !found.inherited));
        self.result.stats.seconds = started.elapsed().as_secs_f64();
        self.result.outcome = Some(match self.incomplete {
            None => EntryOutcome::Done,
            Some(reason) => EntryOutcome::Incomplete { reason },
        });
        self.result
    }
}

/// Adds a specification to a search: its switch, and the literal of that.
pub(crate) fn assumption(
    session: &mut Session<'_>,
    open: &OpenInfo,
    blocking: &Blocking,
) -> Result<(VarId, Ast), SolverError> {
    let bool_sort = session.pool().bool_sort();
    let switch = session.pool().declare_var("spec", bool_sort);
    let literal = session.assume(Assumption {
        term: blocking.term,
        switch,
        sites: blocking
            .placeholders
            .iter()
            .map(|placeholder| AssumptionSite {
                placeholder: placeholder.var,
                stmt: placeholder.stmt,
                var: placeholder.site_var,
                execution: execution_of(open, blocking, placeholder),
            })
            .collect(),
    })?;
    Ok((switch, literal))
}

/// The execution of a call that gave a value: what a formula says of several values of one is said of each execution by itself. Two values
/// of one place are of two executions.
fn execution_of(open: &OpenInfo, blocking: &Blocking, placeholder: &Placeholder) -> Option<usize> {
    let unknown = |site: &Placeholder| {
        let is_it = |unknown: &&Unknown| unknown.stmt == site.stmt && unknown.var == site.site_var;
        open.unknowns.iter().find(is_it)
    };
    let own = unknown(placeholder)?;
    let is_same = |other: &Placeholder| {
        other.occurrence == placeholder.occurrence
            && unknown(other).is_some_and(|other| own.is_of_same_call(other))
    };
    let of_call = || blocking.placeholders.iter().filter(|other| is_same(other));
    let is_twice = of_call().any(|one| {
        let at_place = |other: &&Placeholder| (other.stmt, other.site_var) == (one.stmt, one.site_var);
        of_call().filter(at_place).count() > 1
    });
    let first = blocking.placeholders.iter().position(is_same)?;
    (!is_twice).then_some(first)
}

/// The text of a specification, or of a part of its conjunction, that the user has rejected.
pub(crate) fn rejected_part(
    task: &EntryTask<'_>,
    pool: &TermPool,
    blocking: &Blocking,
    text: &SpecText,
) -> Option<String> {
    let rejected = task.given.iter();
    let rejected = rejected.filter(|given| given.status == SpecificationStatus::Rejected);
    let rejected: Vec<&str> = rejected.map(|given| given.text.as_str()).collect();
    if rejected.is_empty() {
        return None;
    }
    let parts = match pool.op(blocking.term) {
        Op::And => pool.args(blocking.term),
        _ => &[],
    };
    let parts = parts.iter().map(|&term| {
        let placeholders = blocking.placeholders.clone();
        describe(&task.wording, pool, &Blocking { term, placeholders }).source
    });
    let mut texts = std::iter::once(text.source.clone()).chain(parts);
    texts.find(|text| rejected.contains(&text.as_str()))
}
