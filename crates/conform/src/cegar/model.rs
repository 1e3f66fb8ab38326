//! The model of a component: what stands for MAi in the search.
//!
//! ```text
//! MPi ─ reduction: only actions that others have, smallest with these traces ─> Ri ─ action-guided ─> MAi
//! ```
//!
//! Invariants:
//! - Traces of MPi over the actions that the specification or another component has are traces of MAi. Ri has the same
//!   ones as MPi, so that a trace of all Ri is a counterexample of all MPi.
//! - What the search has found before a split and does not touch it is kept.

use std::collections::BTreeSet;

use cranelift_entity::EntityRef;
use lariat_lts::language::path_with_trace;
use lariat_lts::process::PathStep;
use lariat_lts::reduction::reduce;
use lariat_lts::{
    ActionGuided, ActionId, Alphabet, InclusionSearch, Lts, PathGoal, Refinement, StateId, Stopped, Tuples,
};

use super::deadlock::Stability;
use super::decide::{Suspect, Way};
use super::{Cegar, FinalModels, Levels, Property};
use crate::abstraction::{Control, Mp};
use crate::counterexample::Counterexample;

pub(super) enum Model {
    /// MP itself, explored only as far as the search needs.
    OnTheFly,
    Explored(Box<Explored>),
}

/// A smaller system that is made of all of MP.
pub(super) struct Explored {
    pub mp: Lts,
    /// The actions of MP that the smaller system keeps.
    pub kept: Alphabet,
    pub small: Small,
}

pub(super) enum Small {
    /// MA.
    Guided(ActionGuided),
    /// For deadlocks: the reduction of MP, and where it can be stable. `mp` has a transition for each stable state.
    Stable(Stability),
}

impl Model {
    /// The states that the search sees; `None` for MP itself.
    pub fn state_count(&self) -> Option<usize> {
        Some(match self.small()? {
            Small::Guided(guided) => guided.state_count(),
            Small::Stable(stability) => stability.reduced.state_count(),
        })
    }

    pub fn small(&self) -> Option<&Small> {
        match self {
            Model::OnTheFly => None,
            Model::Explored(explored) => Some(&explored.small),
        }
    }

    pub fn guided(&mut self) -> Option<&mut ActionGuided> {
        match self {
            Model::OnTheFly => None,
            Model::Explored(explored) => match &mut explored.small {
                Small::Guided(guided) => Some(guided),
                Small::Stable(_) => None,
            },
        }
    }

    pub fn stability(&self) -> Option<&Stability> {
        match self.small()? {
            Small::Stable(stability) => Some(stability),
            Small::Guided(_) => None,
        }
    }
}

impl Explored {
    /// A path of MP with the actions that are kept of a trace. A mark at its end is left out.
    fn path(
        &self,
        trace: &[ActionId],
        goal: PathGoal,
        mark: Option<ActionId>,
    ) -> Result<Vec<PathStep>, Stopped> {
        let mut trace = self.kept.project(trace);
        trace.extend(mark);
        let is_silent = |action| !self.kept.contains(action);
        let path = path_with_trace(&mut &self.mp, &trace, goal, is_silent)?;
        let mut path =
            path.ok_or_else(|| Stopped::Failed("the model lacks a trace of its reduction".to_owned()))?;
        if mark.is_some() {
            path.pop();
        }
        Ok(path)
    }
}

impl Cegar<'_> {
    /// MP and MA of a component with its present predicates.
    pub(super) fn model(&mut self, index: usize) -> Result<Model, Stopped> {
        if self.property == Property::Conformance && self.options.levels == Levels::Predicates {
            return Ok(Model::OnTheFly);
        }
        let shared = self.components[index].shared_with(self.components, index);
        let mp = self.explored_mp(index)?;
        Ok(Model::Explored(Box::new(match self.property {
            Property::DeadlockFreedom => self.marked_model(index, &mp, &shared)?,
            Property::Conformance => {
                let is_seen =
                    |action| shared.contains(action) || self.specification.alphabet().contains(action);
                let own = self.components[index].alphabet.iter();
                let kept: Alphabet = match self.options.levels {
                    Levels::Actions => own.collect(),
                    _ => own.filter(|&action| is_seen(action)).collect(),
                };
                let guided = match self.options.levels {
                    Levels::Actions => ActionGuided::new(mp.clone()),
                    // No two states are together.
                    Levels::Reduced => {
                        ActionGuided::within(reduce(&mp, &kept, self.budget)?, |state| state.index())
                    }
                    _ => ActionGuided::new(reduce(&mp, &kept, self.budget)?),
                };
                Explored {
                    mp,
                    kept,
                    small: Small::Guided(guided),
                }
            }
        })))
    }

    fn explored_mp(&mut self, index: usize) -> Result<Lts, Stopped> {
        let (budget, state_limit) = (self.budget, self.options.state_limit);
        self.mp(index).explore(budget, state_limit)
    }

    pub(super) fn mp(&mut self, index: usize) -> Mp<'_> {
        Mp {
            component: &mut self.components[index],
            abstraction: &mut self.abstractions[index],
        }
    }

    /// Forgets what was found about models that are replaced.
    pub(super) fn forget_search(&mut self) {
        self.search = InclusionSearch::new(self.specification);
        self.tuples = Tuples::default();
    }

    /// Action-guided refinement (Fig. 9) of every MAi whose MPi does not have the trace. Whether there was one.
    pub(super) fn split_models(&mut self, suspect: &Suspect) -> Result<bool, Stopped> {
        let mut split: Vec<(usize, BTreeSet<StateId>)> = Vec::new();
        for (index, (model, way)) in self.models.iter_mut().zip(&suspect.ways).enumerate() {
            if let (Some(guided), &Way::To(goal)) = (model.guided(), way)
                && let Refinement::Eliminated { split: states } =
                    guided.refine(&suspect.trace, goal, self.budget)?
            {
                split.push((index, states.into_iter().collect()));
            }
        }
        let tuples = &self.tuples;
        let is_split = |state| {
            let tuple: &[StateId] = tuples.get(state);
            let mut split = split.iter();
            split.any(|(index, states)| states.contains(&tuple[*index]))
        };
        if !split.is_empty() {
            self.search.forget(is_split);
        }
        Ok(!split.is_empty())
    }

    /// The trace of a suspect that all MPi have, with what the components do on their own, and a path of each.
    pub(super) fn paths(&self, suspect: &Suspect) -> Result<(Vec<ActionId>, Vec<Counterexample>), Stopped> {
        let (mut paths, mut kept) = (Vec::new(), Vec::new());
        for (index, (model, way)) in self.models.iter().zip(&suspect.ways).enumerate() {
            let (own, path) = match (model, way) {
                (_, Way::Along(path)) => (&self.components[index].alphabet, path.clone()),
                (Model::OnTheFly, _) => {
                    return Err(Stopped::Failed("a counterexample without its path".to_owned()));
                }
                (Model::Explored(model), &Way::To(goal)) => {
                    (&model.kept, model.path(&suspect.trace, goal, None)?)
                }
                (Model::Explored(model), &Way::ToMark(mark)) => (
                    &model.kept,
                    model.path(&suspect.trace, PathGoal::Anywhere, Some(mark))?,
                ),
            };
            kept.push(own);
            paths.push(path);
        }
        let trace = merged(&suspect.trace, &kept, &paths);
        let paths = paths.iter().enumerate();
        let paths = paths
            .map(|(index, path)| self.counterexample(index, path))
            .collect();
        Ok((trace, paths))
    }

    /// A path of MP from its initial state on.
    pub(super) fn counterexample(&self, index: usize, path: &[PathStep]) -> Counterexample {
        let targets = path
            .iter()
            .map(|step| self.abstractions[index].state(step.target));
        Counterexample {
            controls: std::iter::once(Control::Init)
                .chain(targets.map(|state| state.control))
                .collect(),
            actions: path.iter().map(|step| step.action).collect(),
        }
    }

    /// MP and MA as explicit systems. One that there is no time for is left out.
    pub(super) fn final_models(&mut self, index: usize) -> Option<FinalModels> {
        match self.models.get(index)? {
            Model::OnTheFly => {
                let mp = self.explored_mp(index).ok()?;
                Some(FinalModels { mp, ma: None })
            }
            Model::Explored(explored) => match &explored.small {
                Small::Guided(guided) => Some(FinalModels {
                    mp: explored.mp.clone(),
                    ma: guided.quotient().ok(),
                }),
                Small::Stable(_) => None,
            },
        }
    }
}

/// The trace with the actions that components do on their own, each as soon as the next common action needs it.
fn merged(trace: &[ActionId], kept: &[&Alphabet], paths: &[Vec<PathStep>]) -> Vec<ActionId> {
    let mut visible: Vec<_> = paths
        .iter()
        .map(|path| {
            let actions = path.iter().map(|step| step.action);
            actions.filter(|action| !action.is_tau()).peekable()
        })
        .collect();
    let mut all = Vec::new();
    for &action in trace {
        for (kept, rest) in kept.iter().zip(&mut visible) {
            if kept.contains(action) {
                all.extend(std::iter::from_fn(|| rest.next_if(|&own| own != action)));
                rest.next();
            }
        }
        all.push(action);
    }
    all.extend(visible.into_iter().flatten());
    all
}
