//! The two-level algorithm ([Magic04] Fig. 1).
//!
//! ```text
//! C1 … Cn ─ predicate abstraction ─> MP1 … MPn ─ action-guided abstraction ─> MA1 … MAn ─ decision ─> conforms
//!     ▲                                 ▲                                                     │
//!     │ CECheck: can Ci go this way?    │ is it a trace of MPi?                               │ counterexample
//!     └────────── refine P of Ci <──────┴──────────────── split MAi <─────────────────────────┘
//! ```
//!
//! [`Cegar::two_level`] is the loop. It is the same for every [`Property`] and for all [`Levels`]; these choose
//! - the model: what stands for MAi in the search ([`model`]),
//! - the decision: what is searched for in MA1 || … || MAn ([`decide`], [`deadlock`]).
//!
//! The predicates are refined in the same way for all of them ([`refine`]); optimal minimisation goes on after the answer is known, for
//! fewer ones ([`fewest`]).
//!
//! Every check of a counterexample is made component by component; the product is only built of the MAi, on the fly.

mod deadlock;
mod decide;
mod fewest;
mod model;
mod refine;
mod verdict;

use std::collections::BTreeSet;

pub use deadlock::Stable;
pub use verdict::{
    CegarVerdict, ComponentStatistics, FinalModels, Iteration, Levels, Options, Property, Reason, Run,
    Statistics, Violation,
};

use lariat_base::Budget;
use lariat_lts::{InclusionSearch, Lts, Stopped, Tuples};

use crate::abstraction::Abstraction;
use crate::component::Component;
use crate::counterexample::{Condition, Counterexample, PathCheck};
use crate::infer::Candidate;
use crate::minimise::Spurious;
pub(crate) use decide::path_in;
use decide::{Suspect, Together};
use fewest::Shown;
use model::Model;

/// One question about some components.
pub struct Cegar<'a> {
    property: Property,
    components: &'a mut [Component],
    /// Its alphabet has the actions that it forbids.
    specification: &'a Lts,
    options: &'a Options,
    budget: &'a Budget,
    progress: &'a mut dyn FnMut(Iteration),
    /// MPi with the present predicates, as far as it was explored.
    abstractions: Vec<Abstraction>,
    /// MAi.
    models: Vec<Model>,
    /// What the search of the MAi has found so far; it is only valid for the present `models`.
    search: InclusionSearch<'a>,
    tuples: Tuples,
    together: Together,
    /// T: all spurious counterexamples so far, by component.
    spurious: Vec<Vec<Spurious>>,
    /// Candidates that are not conditions of the programs, by component.
    found: Vec<Vec<Candidate>>,
    /// The fewest predicates so far with which the property holds.
    shown: Option<Shown>,
    /// How often each component was refined.
    refinements: Vec<usize>,
    /// Candidates that have eliminated a counterexample, by component.
    named: Vec<BTreeSet<Candidate>>,
    statistics: Statistics,
}

/// What CECheck says of a counterexample that all MPi have.
enum Checked {
    /// All components can go this way.
    Real(Violation),
    /// This one cannot.
    Spurious {
        component: usize,
        path: Counterexample,
        refutation: Refutation,
    },
    Unclear(String),
}

/// Why a component cannot go a way.
enum Refutation {
    /// Each of these candidates eliminates it.
    Eliminated(Vec<Candidate>),
    /// These conditions exclude each other.
    Core(Vec<Condition>),
}

impl<'a> Cegar<'a> {
    pub fn new(
        property: Property,
        components: &'a mut [Component],
        specification: &'a Lts,
        options: &'a Options,
        budget: &'a Budget,
        progress: &'a mut dyn FnMut(Iteration),
    ) -> Result<Self, Stopped> {
        let mut abstractions = Vec::new();
        for component in components.iter_mut() {
            abstractions.push(Abstraction::new(component, Vec::new())?);
        }
        let count = components.len();
        Ok(Cegar {
            property,
            components,
            specification,
            options,
            budget,
            progress,
            abstractions,
            models: Vec::new(),
            search: InclusionSearch::new(specification),
            tuples: Tuples::default(),
            together: Together::Undecided,
            spurious: vec![Vec::new(); count],
            found: vec![Vec::new(); count],
            shown: None,
            refinements: vec![0; count],
            named: vec![BTreeSet::new(); count],
            statistics: Statistics::default(),
        })
    }

    /// The answer and how it was found; a stop is an unknown.
    pub fn run(mut self) -> (CegarVerdict, Statistics) {
        let mut verdict = self.two_level();
        // What was shown once stays shown, whatever ended the search for fewer predicates.
        if !matches!(verdict, Ok(CegarVerdict::Violates(_))) && self.take_back_shown() {
            verdict = Ok(CegarVerdict::Conforms);
        }
        let statistics = self.final_statistics(verdict.is_ok());
        let verdict = verdict.unwrap_or_else(|stopped| CegarVerdict::Unknown(stopped.to_string()));
        (verdict, statistics)
    }

    /// Fig. 1.
    fn two_level(&mut self) -> Result<CegarVerdict, Stopped> {
        if let Some(reason) = self.cannot_decide() {
            return Ok(CegarVerdict::Unknown(reason));
        }
        // Predicate abstraction: MP1 … MPn. Action-guided abstraction: MA1 … MAn.
        for index in 0..self.components.len() {
            let model = self.model(index)?;
            self.models.push(model);
        }
        self.statistics.predicate_iterations = 1;
        loop {
            // L(MA1 || … || MAn) ⊆ L(Spec)?
            let suspects = self.decide()?;
            let Some((suspect, others)) = suspects.split_first() else {
                if self.try_fewer()? {
                    continue;
                }
                return Ok(CegarVerdict::Conforms);
            };
            // π|Act_j ∉ L(MPj) for some j: action-guided refinement of MAj.
            if self.split_models(suspect)? {
                self.statistics.action_iterations += 1;
                continue;
            }
            // π|Act_i ∈ L(Ci) for all i?
            match self.check(suspect)? {
                Checked::Real(violation) => return Ok(CegarVerdict::Violates(violation)),
                Checked::Unclear(reason) => return Ok(CegarVerdict::Unknown(reason)),
                // π|Act_j ∉ L(Cj): predicate abstraction refinement of MPj, and a new MAj.
                Checked::Spurious {
                    component,
                    path,
                    refutation,
                } => {
                    if let Some(violation) = self.learn_from(component, others)? {
                        return Ok(CegarVerdict::Violates(violation));
                    }
                    if !self.refine_predicates(component, suspect, path, refutation)? {
                        let reason = "no predicates were found that rule out a spurious counterexample";
                        return Ok(CegarVerdict::Unknown(reason.to_owned()));
                    }
                    match self.start_anew()? {
                        None => return Ok(CegarVerdict::Conforms),
                        Some(true) => continue,
                        Some(false) => {}
                    }
                    self.models[component] = self.model(component)?;
                    self.teach_copies(component)?;
                    self.forget_search();
                }
            }
        }
    }

    /// CECheck of every component, up to the first that cannot go this way.
    fn check(&mut self, suspect: &Suspect) -> Result<Checked, Stopped> {
        let (trace, paths) = self.paths(suspect)?;
        let mut runs = Vec::new();
        let mut doubt = None;
        for (index, path) in paths.into_iter().enumerate() {
            if let Some(refutation) = self.eliminated(index, &path)? {
                return Ok(Checked::Spurious {
                    component: index,
                    path,
                    refutation,
                });
            }
            match self.components[index].check(&path, self.budget)? {
                PathCheck::Feasible(steps) => runs.push(Run { path, steps }),
                PathCheck::Unconfirmed { steps, reason } => {
                    doubt = Some(format!("{}: {reason}", self.components[index].name));
                    runs.push(Run { path, steps });
                }
                PathCheck::Spurious { core } => {
                    return Ok(Checked::Spurious {
                        component: index,
                        path,
                        refutation: Refutation::Core(core),
                    });
                }
                PathCheck::Unknown(reason) => {
                    let reason = format!("the solver cannot tell whether a counterexample is real: {reason}");
                    return Ok(Checked::Unclear(reason));
                }
            }
        }
        if let Some(reason) = self.unsupported_in(&runs) {
            return Ok(Checked::Unclear(reason));
        }
        Ok(Checked::Real(Violation {
            trace,
            reason: suspect.reason.clone(),
            runs,
            doubt,
        }))
    }

    fn report(&mut self, states: usize) {
        self.statistics.states = states;
        let candidates = self.abstractions.iter();
        (self.progress)(Iteration {
            predicate_iterations: self.statistics.predicate_iterations,
            action_iterations: self.statistics.action_iterations,
            candidates: candidates.map(|abstraction| abstraction.candidates.len()).sum(),
            states,
        });
    }

    /// `is_decided`: the loop has ended by itself, so that the models are those of the verdict.
    fn final_statistics(mut self, is_decided: bool) -> Statistics {
        for index in 0..self.components.len() {
            let models = match self.options.keep_models && is_decided {
                true => self.final_models(index),
                false => None,
            };
            let (component, abstraction) = (&self.components[index], &self.abstractions[index]);
            let (expressions, predicates) = abstraction.predicate_counts();
            let candidates = abstraction.candidates.iter();
            let mp_states = abstraction.state_count();
            let model = self.models.get(index);
            self.statistics.components.push(ComponentStatistics {
                expressions,
                predicates,
                candidates: candidates
                    .map(|&candidate| component.branch_count(candidate))
                    .sum(),
                mp_states,
                ma_states: model.and_then(Model::state_count).unwrap_or(mp_states),
                prover_checks: component.prover.stats().checks,
                prover_cached: component.prover.stats().cached,
                models,
            });
        }
        self.statistics
    }
}
