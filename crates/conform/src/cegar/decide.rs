//! The decision: does MA1 || … || MAn have the property? If not, the counterexample that speaks against it.

use lariat_lts::process::PathStep;
use lariat_lts::{
    ActionId, Alphabet, Composition, Inclusion, PathGoal, Process, Progress, SearchControl, StateId,
    StateKind, Stopped, Tuples,
};

use super::model::Small;
use super::{Cegar, Property, Reason};
use crate::abstraction::Mp;

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

    /// A counterexample of the models; `None` if there is none.
    pub(super) fn decide(&mut self) -> Result<Option<Suspect>, Stopped> {
        let (suspect, states) = match self.property {
            Property::Conformance => self.find_forbidden_trace()?,
            Property::DeadlockFreedom => self.find_deadlock()?,
        };
        self.report(states);
        Ok(suspect)
    }

    /// Trace inclusion, and how many pairs of states the search holds.
    fn find_forbidden_trace(&mut self) -> Result<(Option<Suspect>, usize), Stopped> {
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
        let mut control = SearchControl::new(self.budget, self.options.state_limit, &mut silent);
        let inclusion = self.search.run(&mut composition, &mut control)?;
        let initial = composition.initial()?;
        self.tuples = composition.into_tuples();
        let (violation, pairs) = match inclusion {
            Inclusion::Holds { pairs } => return Ok((None, pairs)),
            Inclusion::Violated { violation, pairs } => (violation, pairs),
        };
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
        let suspect = Suspect {
            trace: violation.trace(),
            reason: Reason::NotAllowed(violation.reason),
            ways,
        };
        Ok((Some(suspect), pairs))
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
