//! Conformance decided on action-guided abstractions of the MPi (§7, §8).
//!
//! ```text
//! MPi ─ reduction: only actions that others have, smallest with these traces ─> Ri ─ action-guided ─> MAi
//! ```
//!
//! Invariants:
//! - Traces of MPi over the actions that the specification or another component has are traces of MAi. Ri has the same
//!   ones as MPi, so that a trace of all Ri is a counterexample of all MPi.
//! - The product is only built of the MAi, on the fly. What the search has found before a split and does not touch it is
//!   kept.

use std::collections::BTreeSet;

use lariat_lts::language::path_with_trace;
use lariat_lts::process::Step;
use lariat_lts::reduction::reduce;
use lariat_lts::{
    ActionGuided, ActionId, Alphabet, Composition, Goal, Inclusion, InclusionSearch, Lts, Process, Progress,
    Refinement, SearchControl, StateId, StateKind, Stopped, Tuples,
};

use super::{Cegar, ComponentStatistics, FinalModels, Next, Reason, Trace, Verdict};
use crate::abstraction::Mp;
use crate::counterexample::Outcome;

/// What is known of one component.
struct Model {
    mp: Lts,
    /// The actions that somebody else has too.
    kept: Alphabet,
    guided: ActionGuided,
}

impl Cegar<'_> {
    pub(super) fn with_both(&mut self) -> Result<Verdict, Stopped> {
        let mut models = Vec::new();
        for index in 0..self.components.len() {
            models.push(self.model(index)?);
        }
        loop {
            self.statistics.predicate_iterations += 1;
            match self.decide_models(&mut models)? {
                Next::Done(verdict) => {
                    for (statistics, model) in self.statistics.components.iter_mut().zip(models) {
                        statistics.ma_states = model.guided.state_count();
                        if self.options.keep_models {
                            let ma = model.guided.quotient().ok();
                            statistics.models = Some(FinalModels { mp: model.mp, ma });
                        }
                    }
                    return Ok(verdict);
                }
                Next::Refined(index) => models[index] = self.model(index)?,
            }
        }
    }

    /// MP and MA0 of a component.
    fn model(&mut self, index: usize) -> Result<Model, Stopped> {
        let others = self
            .components
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != index);
        let others = others.flat_map(|(_, other)| other.alphabet.iter());
        let seen: Alphabet = others.chain(self.specification.alphabet().iter()).collect();
        let own = self.components[index].alphabet.iter();
        let kept: Alphabet = own.filter(|&action| seen.contains(action)).collect();
        let mut mp = Mp {
            component: &mut self.components[index],
            abstraction: &mut self.abstractions[index],
        };
        let mp = mp.explore(self.budget, self.options.state_limit)?;
        let guided = ActionGuided::new(reduce(&mp, &kept, self.budget)?);
        Ok(Model { mp, kept, guided })
    }

    /// Refines the MAi until the specification holds of them or a counterexample is one of all MPi.
    fn decide_models(&mut self, models: &mut [Model]) -> Result<Next, Stopped> {
        let mut search = InclusionSearch::new(self.specification);
        let mut tuples = Tuples::default();
        self.statistics
            .components
            .resize(models.len(), ComponentStatistics::default());
        loop {
            let processes = models
                .iter()
                .map(|model| Box::new(&model.guided) as Box<dyn Process + '_>)
                .collect();
            let mut composition = Composition::with_tuples(processes, tuples);
            let mut silent = |_: Progress| {};
            let mut control = SearchControl::new(self.budget, self.options.state_limit, &mut silent);
            let inclusion = search.run(&mut composition, &mut control)?;
            let initial = composition.initial()?;
            tuples = composition.into_tuples();
            let (violation, pairs) = match inclusion {
                Inclusion::Holds { pairs } => {
                    self.report(pairs);
                    return Ok(Next::Done(Verdict::Conforms));
                }
                Inclusion::Violated { violation, pairs } => (violation, pairs),
            };
            self.report(pairs);
            let actions = violation.trace();
            let end = violation.path.last().map_or(initial, |step| step.target);
            let mut goals = Vec::new();
            let mut split: Vec<(usize, BTreeSet<StateId>)> = Vec::new();
            for (index, model) in models.iter_mut().enumerate() {
                let goal = match (&model.guided).kind(tuples.get(end)[index]) {
                    StateKind::Error => Goal::Error,
                    _ => Goal::Anywhere,
                };
                goals.push(goal);
                if let Refinement::Eliminated { split: states } =
                    model.guided.refine(&actions, goal, self.budget)?
                {
                    split.push((index, states.into_iter().collect()));
                }
            }
            if !split.is_empty() {
                self.statistics.action_iterations += 1;
                search.forget(|state| {
                    let tuple = tuples.get(state);
                    split
                        .iter()
                        .any(|(index, states)| states.contains(&tuple[*index]))
                });
                continue;
            }
            let mut paths = Vec::new();
            for (model, &goal) in models.iter().zip(&goals) {
                paths.push(model.path(&actions, goal)?);
            }
            let kept: Vec<&Alphabet> = models.iter().map(|model| &model.kept).collect();
            let actions = merged(&actions, &kept, &paths);
            let paths = models
                .iter()
                .zip(&paths)
                .enumerate()
                .map(|(index, (model, path))| self.counterexample(index, model.mp.initial(), path))
                .collect();
            let trace = Trace {
                actions: actions.clone(),
                reason: Reason::NotAllowed(violation.reason),
                paths,
            };
            return match self.check(trace)? {
                Next::Refined(index) => {
                    self.refine_further(index, &models[index].kept, &actions, goals[index])
                }
                done => Ok(done),
            };
        }
    }
}

impl Cegar<'_> {
    /// Refines the predicates of a component until MP does not have a trace any more, or has it for a reason: there may
    /// be many paths with one trace, and only what is on them is made of MP here.
    fn refine_further(
        &mut self,
        index: usize,
        kept: &Alphabet,
        trace: &[ActionId],
        goal: Goal,
    ) -> Result<Next, Stopped> {
        let trace = kept.project(trace);
        loop {
            self.budget.check()?;
            let mut mp = Mp {
                component: &mut self.components[index],
                abstraction: &mut self.abstractions[index],
            };
            let initial = mp.initial()?;
            let Some(path) = path_with_trace(&mut mp, &trace, goal, |action| !kept.contains(action))? else {
                return Ok(Next::Refined(index));
            };
            let path = self.counterexample(index, initial, &path);
            let Outcome::Spurious { core } = self.components[index].check(&path, self.budget)? else {
                return Ok(Next::Refined(index));
            };
            self.statistics.predicate_iterations += 1;
            self.report(self.statistics.states);
            if let done @ Next::Done(_) = self.refine(index, path, &core)? {
                return Ok(done);
            }
        }
    }
}

impl Model {
    /// A path of MP with the actions that MP keeps of a trace.
    fn path(&self, trace: &[ActionId], goal: Goal) -> Result<Vec<Step>, Stopped> {
        let is_silent = |action| !self.kept.contains(action);
        let path = path_with_trace(&mut &self.mp, &self.kept.project(trace), goal, is_silent)?;
        path.ok_or_else(|| Stopped::Failed("a trace of the reduced model is none of the model".to_owned()))
    }
}

/// The trace with the actions that components do on their own, each as soon as the next common action needs it.
pub(super) fn merged(trace: &[ActionId], kept: &[&Alphabet], paths: &[Vec<Step>]) -> Vec<ActionId> {
    let mut visible: Vec<_> = paths
        .iter()
        .map(|path| {
            let actions = path
                .iter()
                .map(|step| step.action)
                .filter(|action| !action.is_tau());
            actions.peekable()
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
