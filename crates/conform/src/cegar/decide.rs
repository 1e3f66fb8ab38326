//! The decision: does MA1 || … || MAn have the property? If not, the counterexample that speaks against it.

use lariat_lts::process::PathStep;
use lariat_lts::stepwise::{StepwiseInclusion, stepwise_inclusion};
use lariat_lts::{
    ActionId, Alphabet, Composition, Inclusion, Lts, PathGoal, Process, Progress, SearchControl, StateId,
    StateKind, Stopped, Tuples, Violation,
};

use super::model::Small;
use super::{Cegar, Levels, Property, Reason};
use crate::abstraction::Mp;
use crate::minimise::Minimise;

/// A product with more pairs is not searched before the models were put together step by step.
const MAX_AT_ONCE: usize = 5_000;

/// The most states of a system that is made on the way.
const MAX_PART: usize = 200_000;

/// The most counterexamples that are taken from one search beside the first.
const MAX_OTHERS: usize = 24;

/// How the models are composed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Together {
    /// At once, as long as that is small.
    Undecided,
    StepByStep,
    AtOnce,
}

/// A counterexample of MA1 || … || MAn.
pub(super) struct Suspect {
    pub trace: Vec<ActionId>,
    pub reason: Reason,
    /// How it goes through each component.
    pub ways: Vec<Way>,
}

pub(super) enum Way {
    /// This path of MP.
    Along(Vec<PathStep>),
    /// With the trace to the goal, in MA.
    To(PathGoal),
    /// With the trace to a state that has this mark, in a reduction for deadlocks.
    ToMark(ActionId),
}

impl Cegar<'_> {
    /// Why the question cannot be decided at all.
    pub(super) fn cannot_decide(&self) -> Option<String> {
        match self.property {
            Property::Conformance => None,
            Property::DeadlockFreedom => {
                (0..self.components.len()).find_map(|index| self.ends_together(index))
            }
        }
    }

    /// A counterexample of the models, perhaps with others that are as short; none if they have the property.
    pub(super) fn decide(&mut self) -> Result<Vec<Suspect>, Stopped> {
        let (suspects, states) = match self.property {
            Property::Conformance => self.find_forbidden_trace()?,
            Property::DeadlockFreedom => {
                let (suspect, states) = self.find_deadlock()?;
                (suspect.into_iter().collect(), states)
            }
        };
        self.report(states);
        Ok(suspects)
    }

    /// Trace inclusion, and how many states were looked at. Where the product of the models is large, they are put together
    /// step by step instead; where that is too large as well, the search of the product goes on.
    fn find_forbidden_trace(&mut self) -> Result<(Vec<Suspect>, usize), Stopped> {
        let is_reduced = matches!(self.options.levels, Levels::Both | Levels::Reduced);
        let may_step = is_reduced && self.components.len() > 2 && self.together != Together::AtOnce;
        if !may_step {
            return self.search_product(self.options.state_limit);
        }
        if self.together == Together::Undecided {
            match self.search_product(self.options.state_limit.min(MAX_AT_ONCE)) {
                Err(Stopped::StateLimit(MAX_AT_ONCE)) => {}
                answer => return answer,
            }
        }
        match self.step_by_step() {
            Err(Stopped::StateLimit(_)) => {
                self.together = Together::AtOnce;
                self.search_product(self.options.state_limit)
            }
            answer => {
                self.together = Together::StepByStep;
                answer
            }
        }
    }

    /// Trace inclusion of the reductions, put together step by step.
    fn step_by_step(&mut self) -> Result<(Vec<Suspect>, usize), Stopped> {
        let reduced: Vec<&Lts> = self
            .models
            .iter()
            .filter_map(|model| match model.small()? {
                Small::Guided(guided) => Some(guided.concrete()),
                Small::Stable(_) => None,
            })
            .collect();
        let limit = self.options.state_limit.min(MAX_PART);
        Ok(
            match stepwise_inclusion(&reduced, self.specification, limit, self.budget)? {
                StepwiseInclusion::Holds { states } => (Vec::new(), states),
                StepwiseInclusion::Violated {
                    trace,
                    reason,
                    error_in,
                    states,
                } => {
                    let goal = |index| match error_in == Some(index) {
                        true => PathGoal::Error,
                        false => PathGoal::Anywhere,
                    };
                    let suspect = Suspect {
                        trace,
                        reason: Reason::NotAllowed(reason),
                        ways: (0..self.models.len()).map(|index| Way::To(goal(index))).collect(),
                    };
                    (vec![suspect], states)
                }
            },
        )
    }

    /// Trace inclusion of the product, and how many pairs of states the search holds.
    fn search_product(&mut self, state_limit: usize) -> Result<(Vec<Suspect>, usize), Stopped> {
        let wants_others = self.options.minimise.mode == Minimise::Optimal
            && self.models.iter().all(|model| model.small().is_none());
        let own = self.components.iter_mut().zip(&mut self.abstractions);
        let processes = own
            .zip(&self.models)
            .map(|((component, abstraction), model)| match model.small() {
                Some(Small::Guided(guided)) => Box::new(guided) as Box<dyn Process + '_>,
                _ => Box::new(Mp {
                    component,
                    abstraction,
                }),
            })
            .collect();
        let mut composition = Composition::with_tuples(processes, std::mem::take(&mut self.tuples));
        let mut silent = |_: Progress| {};
        let mut control = SearchControl::new(self.budget, state_limit, &mut silent);
        let inclusion = self.search.run(&mut composition, &mut control);
        let others = match inclusion {
            Ok(Inclusion::Violated { .. }) if wants_others => {
                self.search.others(&mut composition, &mut control, MAX_OTHERS)
            }
            _ => Ok(Vec::new()),
        };
        let initial = composition.initial();
        self.tuples = composition.into_tuples();
        let (inclusion, others, initial) = (inclusion?, others?, initial?);
        let (violation, pairs) = match inclusion {
            Inclusion::Holds { pairs } => return Ok((Vec::new(), pairs)),
            Inclusion::Violated { violation, pairs } => (violation, pairs),
        };
        let violations = std::iter::once(violation).chain(others);
        let suspects = violations.map(|violation| self.suspect(initial, violation));
        Ok((suspects.collect(), pairs))
    }

    /// How a violation of the product goes through each model.
    fn suspect(&mut self, initial: StateId, violation: Violation) -> Suspect {
        let end = violation.path.last().map_or(initial, |step| step.target);
        let mut ways = Vec::new();
        for (index, model) in self.models.iter_mut().enumerate() {
            ways.push(match model.guided() {
                Some(guided) => match (&*guided).kind(self.tuples.get(end)[index]) {
                    StateKind::Error => Way::To(PathGoal::Error),
                    _ => Way::To(PathGoal::Anywhere),
                },
                None => {
                    let alphabet = &self.components[index].alphabet;
                    Way::Along(path_in(index, alphabet, &self.tuples, initial, &violation.path))
                }
            });
        }
        Suspect {
            trace: violation.trace(),
            reason: Reason::NotAllowed(violation.reason),
            ways,
        }
    }
}

/// The steps of a path of the composition that a component takes part in.
pub(crate) fn path_in(
    index: usize,
    alphabet: &Alphabet,
    tuples: &Tuples,
    initial: StateId,
    path: &[PathStep],
) -> Vec<PathStep> {
    let mut state = tuples.get(initial)[index];
    let mut steps = Vec::new();
    for step in path {
        let target = tuples.get(step.target)[index];
        let moves = match step.action.is_tau() {
            true => target != state,
            false => alphabet.contains(step.action),
        };
        if moves {
            steps.push(PathStep {
                action: step.action,
                target,
            });
        }
        state = target;
    }
    steps
}
