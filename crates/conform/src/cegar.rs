//! The two-level algorithm (Fig. 1).
//!
//! ```text
//! C1 … Cn ─ predicate abstraction ─> MP1 … MPn ─ action-guided abstraction ─> MA1 … MAn ─ trace inclusion ─> conforms
//!     ▲                                 ▲                                                      │
//!     │ CECheck: can Ci go this way?    │ is it a trace of MPi?                                │ counterexample
//!     └────────── refine P of Ci <──────┴──────────────── split MAi <──────────────────────────┘
//! ```
//!
//! Every check of a counterexample is made component by component; the product is only built of the MAi, on the fly.

mod both;
mod deadlock;
mod refine;

use std::collections::BTreeSet;

pub use deadlock::Stable;

use lariat_base::Budget;
use lariat_lts::inclusion::ViolationReason;
use lariat_lts::process::Step;
use lariat_lts::{
    ActionId, Alphabet, Composition, Inclusion, Lts, Process, Progress, SearchControl, StateId, Stopped,
    Tuples, trace_inclusion,
};

pub use lariat_options::Levels;

use crate::abstraction::{Abstraction, Mp};
use crate::component::Component;
use crate::counterexample::{ConcreteStep, Counterexample, Outcome};
use crate::infer::Candidate;
use crate::minimise::{Chooser, MinimiseOptions, Spurious};

#[derive(Clone, Debug)]
pub struct Options {
    pub levels: Levels,
    pub minimise: MinimiseOptions,
    /// Of one model.
    pub state_limit: usize,
    /// The final models are wanted.
    pub keep_models: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            levels: Levels::Both,
            minimise: MinimiseOptions::default(),
            state_limit: 50_000_000,
            keep_models: false,
        }
    }
}

/// The columns of Figures 11 to 18.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// St: states on which the question was decided.
    pub states: usize,
    /// PIt.
    pub predicate_iterations: usize,
    /// LIt.
    pub action_iterations: usize,
    pub components: Vec<ComponentStatistics>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ComponentStatistics {
    /// Different expressions, predicates with several values at one state at most, candidates in P.
    pub expressions: usize,
    pub predicates: usize,
    pub candidates: usize,
    pub mp_states: usize,
    /// States of MA; those of MP without action-guided abstraction.
    pub ma_states: usize,
    pub prover_checks: u64,
    pub prover_cached: u64,
    /// If they are wanted and a verdict was found with them.
    pub models: Option<FinalModels>,
}

/// The models of a component in the last iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalModels {
    pub mp: Lts,
    /// `None` without action-guided abstraction.
    pub ma: Option<Lts>,
}

/// Where the algorithm is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    pub predicate_iterations: usize,
    pub action_iterations: usize,
    /// |P| over all components.
    pub candidates: usize,
    pub states: usize,
}

/// What is wrong with a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    NotAllowed(ViolationReason),
    /// The components are stuck after it.
    Deadlock,
}

/// A trace of the components that the specification does not allow, or that leads to a deadlock.
#[derive(Clone, Debug)]
pub struct Violation {
    pub trace: Vec<ActionId>,
    pub reason: Reason,
    /// What each component does, with values.
    pub runs: Vec<Run>,
    /// Why an execution of a component is not what the solver says.
    pub doubt: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Run {
    pub path: Counterexample,
    pub steps: Vec<ConcreteStep>,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Conforms,
    Violates(Violation),
    Unknown(String),
}

/// One question.
pub struct Cegar<'a> {
    pub components: &'a mut [Component],
    /// Its alphabet has the actions that it forbids.
    pub specification: &'a Lts,
    pub options: &'a Options,
    pub budget: &'a Budget,
    pub progress: &'a mut dyn FnMut(Iteration),
    abstractions: Vec<Abstraction>,
    /// T: all spurious counterexamples so far, by component.
    spurious: Vec<Vec<Spurious>>,
    /// Candidates that are no part of the programs, by component.
    found: Vec<Vec<Candidate>>,
    choosers: Vec<Chooser>,
    /// Candidates that were of use, by component.
    named: Vec<BTreeSet<Candidate>>,
    statistics: Statistics,
}

/// A counterexample of the composition, seen from each component.
struct Trace {
    actions: Vec<ActionId>,
    reason: Reason,
    paths: Vec<Counterexample>,
}

/// What the checks of a counterexample lead to.
enum Next {
    Done(Verdict),
    /// The predicates of this component have changed.
    Refined(usize),
}

impl<'a> Cegar<'a> {
    pub fn new(
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
            components,
            specification,
            options,
            budget,
            progress,
            abstractions,
            spurious: vec![Vec::new(); count],
            found: vec![Vec::new(); count],
            choosers: vec![Chooser::default(); count],
            named: vec![BTreeSet::new(); count],
            statistics: Statistics::default(),
        })
    }

    /// The answer and how it was found; a stop is an unknown.
    pub fn run(mut self) -> (Verdict, Statistics) {
        let verdict = match self.options.levels {
            Levels::Predicates => self.with_predicates_only(),
            Levels::Both => self.with_both(),
        };
        let verdict = verdict.unwrap_or_else(|stopped| Verdict::Unknown(stopped.to_string()));
        if self.options.keep_models && self.options.levels == Levels::Predicates {
            self.keep_predicate_abstractions();
        }
        self.finish_statistics();
        (verdict, self.statistics)
    }

    /// The search has built them only as far as it came. A model that there is no time for is left out.
    fn keep_predicate_abstractions(&mut self) {
        let count = self.components.len();
        self.statistics
            .components
            .resize(count, ComponentStatistics::default());
        for index in 0..count {
            let mut mp = Mp {
                component: &mut self.components[index],
                abstraction: &mut self.abstractions[index],
            };
            let mp = mp.explore(self.budget, self.options.state_limit).ok();
            self.statistics.components[index].models = mp.map(|mp| FinalModels { mp, ma: None });
        }
    }

    fn finish_statistics(&mut self) {
        self.statistics
            .components
            .resize(self.components.len(), ComponentStatistics::default());
        let both = self.options.levels == Levels::Both;
        for ((component, abstraction), statistics) in self
            .components
            .iter()
            .zip(&self.abstractions)
            .zip(&mut self.statistics.components)
        {
            (statistics.expressions, statistics.predicates) = abstraction.predicate_counts();
            statistics.candidates = (abstraction.candidates.iter())
                .map(|&candidate| component.branch_count(candidate))
                .sum();
            statistics.mp_states = abstraction.state_count();
            if !both {
                statistics.ma_states = statistics.mp_states;
            }
            statistics.prover_checks = component.prover.stats().checks;
            statistics.prover_cached = component.prover.stats().cached;
        }
    }

    fn report(&mut self, states: usize) {
        self.statistics.states = states;
        (self.progress)(Iteration {
            predicate_iterations: self.statistics.predicate_iterations,
            action_iterations: self.statistics.action_iterations,
            candidates: self
                .abstractions
                .iter()
                .map(|abstraction| abstraction.candidates.len())
                .sum(),
            states,
        });
    }

    fn with_predicates_only(&mut self) -> Result<Verdict, Stopped> {
        loop {
            self.statistics.predicate_iterations += 1;
            let alphabets: Vec<Alphabet> = self
                .components
                .iter()
                .map(|component| component.alphabet.clone())
                .collect();
            let processes = self
                .components
                .iter_mut()
                .zip(&mut self.abstractions)
                .map(|(component, abstraction)| {
                    Box::new(Mp {
                        component,
                        abstraction,
                    }) as Box<dyn Process + '_>
                })
                .collect();
            let mut composition = Composition::new(processes);
            let mut silent = |_: Progress| {};
            let mut control = SearchControl::new(self.budget, self.options.state_limit, &mut silent);
            let inclusion = trace_inclusion(&mut composition, self.specification, &mut control)?;
            let initial = composition.initial()?;
            let tuples = composition.into_tuples();
            let (violation, pairs) = match inclusion {
                Inclusion::Holds { pairs } => {
                    self.report(pairs);
                    return Ok(Verdict::Conforms);
                }
                Inclusion::Violated { violation, pairs } => (violation, pairs),
            };
            self.report(pairs);
            let paths = (0..self.components.len())
                .map(|index| self.path_in(index, &alphabets[index], &tuples, initial, &violation.path))
                .collect();
            let trace = Trace {
                actions: violation.trace(),
                reason: Reason::NotAllowed(violation.reason),
                paths,
            };
            if let Next::Done(verdict) = self.check(trace)? {
                return Ok(verdict);
            }
        }
    }

    /// The steps of a path of the composition that a component takes part in.
    fn path_in(
        &self,
        index: usize,
        alphabet: &Alphabet,
        tuples: &Tuples,
        initial: StateId,
        path: &[Step],
    ) -> Counterexample {
        let mut state = tuples.get(initial)[index];
        let mut steps = Vec::new();
        for step in path {
            let target = tuples.get(step.target)[index];
            let moves = match step.action.is_tau() {
                true => target != state,
                false => alphabet.contains(step.action),
            };
            if moves {
                steps.push(Step {
                    action: step.action,
                    target,
                });
            }
            state = target;
        }
        self.counterexample(index, tuples.get(initial)[index], &steps)
    }

    fn counterexample(&self, index: usize, initial: StateId, steps: &[Step]) -> Counterexample {
        let control = |state| self.abstractions[index].state(state).control;
        Counterexample {
            controls: std::iter::once(initial)
                .chain(steps.iter().map(|step| step.target))
                .map(control)
                .collect(),
            actions: steps.iter().map(|step| step.action).collect(),
        }
    }

    /// CECheck of every component; refines the predicates of the first that cannot go this way.
    fn check(&mut self, trace: Trace) -> Result<Next, Stopped> {
        let mut runs = Vec::new();
        let mut doubt = None;
        for (index, path) in trace.paths.into_iter().enumerate() {
            match self.components[index].check(&path, self.budget)? {
                Outcome::Feasible(steps) => runs.push(Run { path, steps }),
                Outcome::Unconfirmed { steps, reason } => {
                    doubt = Some(format!("{}: {reason}", self.components[index].name));
                    runs.push(Run { path, steps });
                }
                Outcome::Spurious { core } => return self.refine(index, path, &core),
                Outcome::Unknown(reason) => {
                    let reason = format!("the solver cannot tell whether a counterexample is real: {reason}");
                    return Ok(Next::Done(Verdict::Unknown(reason)));
                }
            }
        }
        if let Some(reason) = self.unsupported_in(&runs) {
            return Ok(Next::Done(Verdict::Unknown(reason)));
        }
        Ok(Next::Done(Verdict::Violates(Violation {
            trace: trace.actions,
            reason: trace.reason,
            runs,
            doubt,
        })))
    }
}
