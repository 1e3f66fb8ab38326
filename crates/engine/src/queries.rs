//! The questions that a search asks the solver.
//!
//! Blocking a call is an assumption, not an assertion, so that the solver keeps what it has learned from one
//! query to the next and an unsat core names the blocked calls that it needs.

use lariat_smt::{Ast, CheckResult, Doubt, Model, Stop};
use rustc_hash::FxHashSet;

use crate::dag::CallSiteId;
use crate::options::{ExpandPolicy, SplitPolicy};
use crate::path::Path;
use crate::search::Search;
use crate::unfolding::Unfolding;

/// The effort of a query along one path, less than a second: it is easy, or another path may be better.
const ALONG_EFFORT: u32 = 2_000_000;

/// A satisfiable query: its model, and why the solver does not vouch for it.
pub(crate) struct Candidate {
    pub model: Model,
    pub doubt: Option<Doubt>,
}

/// The answer to a query: an execution, or the blocked calls that its absence rests on.
pub(crate) type QueryResult = Result<Candidate, Vec<CallSiteId>>;

impl Search<'_> {
    /// Query type 1: is there an execution through no open call?
    pub(crate) fn under_approximate(&mut self) -> Result<Option<Candidate>, Stop> {
        let open: Vec<CallSiteId> = self.unfolding.open_sites().to_vec();
        let answer = self.ask_blocking(&open)?;
        self.observer
            .under_approximated(open.len(), answer.is_ok(), &self.unfolding.stats);
        Ok(answer.ok())
    }

    /// Query type 2: is there one if calls within the bound may do anything?
    pub(crate) fn over_approximate(&mut self) -> Result<QueryResult, Stop> {
        let open = self.unfolding.open_sites().iter().copied();
        let cut: Vec<CallSiteId> = open.filter(|&site| !self.within_bound(site)).collect();
        let answer = self.ask_blocking(&cut)?;
        self.observer
            .over_approximated(self.bound, cut.len(), answer.is_ok(), &self.unfolding.stats);
        Ok(answer)
    }

    /// Query type 2 for the executions along a path, whose open calls have been inlined since. `None` if there is none, or if that is
    /// not easily found out; it says nothing about other paths.
    pub(crate) fn go_along(&mut self, path: &Path) -> Result<Option<Candidate>, Stop> {
        self.budget.check_memory()?;
        let open = self.unfolding.open_sites().iter().copied();
        let cut = open.filter(|&site| !self.within_bound(site));
        let mut literals: Vec<Ast> = cut.map(|site| self.unfolding.sites[site].blocked).collect();
        literals.extend(self.unfolding.assumptions());
        literals.extend(&path.taken);
        for &literal in &path.not_taken {
            literals.push(self.unfolding.context.not(literal)?);
        }
        let answer = self.ask_solver(&literals, Some(ALONG_EFFORT))?;
        let unfolding = &mut self.unfolding;
        let doubt = match &answer {
            CheckResult::Sat => None,
            CheckResult::Unknown(reason) => Doubt::of_reason(reason),
            CheckResult::Unsat => None,
        };
        let found = answer == CheckResult::Sat || doubt.is_some();
        let model = found.then(|| unfolding.solver.model(&unfolding.context));
        let candidate = match model {
            Some(Ok(model)) => Some(Candidate { model, doubt }),
            _ => None,
        };
        self.observer
            .went_along(candidate.is_some(), &self.unfolding.stats);
        Ok(candidate)
    }

    /// Is there an execution with these calls blocked?
    pub(crate) fn ask_blocking(&mut self, sites: &[CallSiteId]) -> Result<QueryResult, Stop> {
        let mut seen = FxHashSet::default();
        let blocked: Vec<Ast> = sites
            .iter()
            .map(|&site| self.unfolding.sites[site].blocked)
            .filter(|&ast| seen.insert(ast))
            .collect();
        let answer = self.check(&blocked)?.map_err(|core| {
            let named: FxHashSet<Ast> = core.iter().map(|&index| blocked[index]).collect();
            let is_named = |site: &CallSiteId| named.contains(&self.unfolding.sites[*site].blocked);
            sites.iter().copied().filter(is_named).collect::<Vec<_>>()
        });
        if let (Err(blamed), true) = (&answer, self.options.split != SplitPolicy::Never) {
            self.splitting.note_core(blamed);
        }
        Ok(answer)
    }

    /// Asks the solver: a candidate, or the unsat core as positions of assumptions.
    fn check(&mut self, assumptions: &[Ast]) -> Result<Result<Candidate, Vec<usize>>, Stop> {
        self.budget.check_memory()?;
        let mut literals = assumptions.to_vec();
        literals.extend(&self.unfolding.assumed);
        let (answer, mut core) = self.ask(&mut literals)?;
        let unfolding = &mut self.unfolding;
        unfolding.stats.solver_calls = unfolding.solver.stats().checks;
        unfolding.stats.solver_seconds = unfolding.solver.stats().seconds;
        if self.options.expand == ExpandPolicy::Adaptive {
            unfolding.stats.solver_effort = unfolding.solver.effort(&unfolding.context);
        }
        self.report();
        let started = std::time::Instant::now();
        let unfolding = &mut self.unfolding;
        let result = match answer {
            CheckResult::Unsat => {
                let switch = unfolding.facts.switch();
                let used = core.iter().any(|&index| Some(literals[index]) == switch);
                unfolding.facts.note_core(used);
                let assumed = core.iter().filter(|&&index| index >= assumptions.len());
                unfolding.used.extend(assumed.map(|&index| literals[index]));
                core.retain(|&index| index < assumptions.len());
                Err(core)
            }
            CheckResult::Sat => Ok(Candidate {
                model: unfolding.solver.model(&unfolding.context)?,
                doubt: None,
            }),
            _ if answer.is_out_of_effort() => return Err(Stop::OutOfEffort),
            CheckResult::Unknown(reason) => {
                self.budget.check_memory()?;
                // Incomplete quantifiers leave a model that satisfies everything else.
                match (
                    unfolding.solver.model(&unfolding.context),
                    Doubt::of_reason(&reason),
                ) {
                    (Ok(model), Some(doubt)) => Ok(Candidate {
                        model,
                        doubt: Some(doubt),
                    }),
                    _ => return Err(Stop::GaveUp(reason)),
                }
            }
        };
        unfolding.stats.model_seconds += started.elapsed().as_secs_f64();
        Ok(result)
    }

    /// Asks the solver, with the inferred facts as long as they do not make it too hard: see
    /// [`crate::facts`]. Their switch is added to the literals if the answer is under it. The second result is the unsat core, if
    /// there is one.
    fn ask(&mut self, literals: &mut Vec<Ast>) -> Result<(CheckResult, Vec<usize>), Stop> {
        while let Some(switch) = self.unfolding.facts.switch() {
            let effort = self.unfolding.facts.effort();
            let before = self.unfolding.effort();
            literals.push(switch);
            let answer = self.ask_solver(literals, Some(effort))?;
            if !answer.is_out_of_effort() || self.is_out_of_effort() {
                let spent = self.unfolding.effort().saturating_sub(before);
                self.unfolding.facts.note_answer(spent);
                return self.with_core(answer, literals);
            }
            literals.pop();
            self.observer.facts_too_hard();
            if let Some(switch) = self.unfolding.facts.note_failure() {
                self.unfolding.retire(switch)?;
                break;
            }
            let answer = self.ask_solver(literals, Some(effort.saturating_mul(2)))?;
            if !answer.is_out_of_effort() || self.is_out_of_effort() {
                return self.with_core(answer, literals);
            }
        }
        let answer = self.ask_solver(literals, None)?;
        self.with_core(answer, literals)
    }

    /// The answer with its unsat core.
    fn with_core(&self, answer: CheckResult, literals: &[Ast]) -> Result<(CheckResult, Vec<usize>), Stop> {
        let unfolding = &self.unfolding;
        let core = match answer {
            CheckResult::Unsat => unfolding.solver.unsat_core(&unfolding.context, literals)?,
            _ => Vec::new(),
        };
        Ok((answer, core))
    }

    /// Asks the solver, which may take this much effort and what the search has left.
    fn ask_solver(&mut self, literals: &[Ast], effort: Option<u32>) -> Result<CheckResult, Stop> {
        self.budget.check()?;
        let left = self.effort_limit.map(|limit| {
            let left = limit.saturating_sub(self.unfolding.effort());
            u32::try_from(left).unwrap_or(u32::MAX)
        });
        if left == Some(0) {
            return Err(Stop::OutOfEffort);
        }
        let limit = match (effort, left) {
            (Some(effort), Some(left)) => Some(effort.min(left)),
            (effort, left) => effort.or(left),
        };
        if self.options.split == SplitPolicy::WhenAsked || self.budget.takes_turns() {
            return self.ask_in_slices(literals, limit);
        }
        let Unfolding { solver, context, .. } = &mut self.unfolding;
        Ok(match limit {
            Some(limit) => solver.check_within(context, literals, limit)?,
            None => solver.check(context, literals)?,
        })
    }

    /// Whether the whole search has used up its effort.
    pub(crate) fn is_out_of_effort(&self) -> bool {
        let effort = || self.unfolding.effort();
        self.effort_limit.is_some_and(|limit| effort() >= limit)
    }
}
