//! CEEliminate (Fig. 8): does MP(P) still have the counterexample?

use std::rc::Rc;

use indexmap::IndexSet;
use lariat_lts::{ActionId, StateId, Stopped};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::abstraction::{Abstraction, Control, MpState};
use crate::cfa::LocationId;
use crate::component::Component;
use crate::counterexample::Counterexample;
use crate::infer::Candidate;

/// The most states of MP that are followed along a counterexample.
const MAX_REACHED: usize = 2000;

impl Component {
    /// Whether no path of MP(P) is consistent with the counterexample; `false` also if MP(P) has too many paths to look
    /// at.
    pub fn eliminates(
        &mut self,
        candidates: &[Candidate],
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        let mut locations: Vec<LocationId> = counterexample.controls.iter().filter_map(location_of).collect();
        locations.sort_unstable();
        locations.dedup();
        let mut abstraction = Abstraction::at_some(self, candidates.to_vec(), &locations)?;
        self.excludes(&mut abstraction, counterexample)
    }

    /// The same for one candidate. What was worked out of MP({p}) is kept for other counterexamples.
    pub fn eliminates_alone(
        &mut self,
        candidate: Candidate,
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        if !self.touches(candidate, counterexample)? {
            return Ok(false);
        }
        let mut alone = match self.alone.remove(&candidate) {
            Some(known) => known,
            None => Alone::new(Abstraction::new(self, vec![candidate])?),
        };
        let excluded = alone.excludes(self, counterexample);
        self.alone.insert(candidate, alone);
        excluded
    }

    /// The same for a set that is asked about with many counterexamples. Most sets have one member.
    pub fn eliminates_again(
        &mut self,
        candidates: &[Candidate],
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        match *candidates {
            [only] => self.eliminates_alone(only, counterexample),
            _ => self.eliminates(candidates, counterexample),
        }
    }

    fn excludes(
        &mut self,
        abstraction: &mut Abstraction,
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        let mut reached: IndexSet<MpState, FxBuildHasher> = IndexSet::default();
        reached.insert(MpState::init());
        for (pair, &action) in counterexample.controls.windows(2).zip(&counterexample.actions) {
            let mut next: IndexSet<MpState, FxBuildHasher> = IndexSet::default();
            for state in &reached {
                match abstraction.steps(self, state, Some((action, pair[1]))) {
                    Ok(steps) => next.extend(steps.into_iter().map(|(_, target)| target)),
                    Err(Stopped::StateLimit(_)) => return Ok(false),
                    Err(stopped) => return Err(stopped),
                }
            }
            if next.is_empty() {
                return Ok(true);
            }
            if next.len() > MAX_REACHED {
                return Ok(false);
            }
            reached = next;
        }
        Ok(false)
    }

    /// Whether a candidate has predicates at any state of the counterexample: the others make no difference to it.
    pub fn touches(
        &mut self,
        candidate: Candidate,
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        let inferred = self.infer_one(candidate)?;
        let mut locations = counterexample.controls.iter().filter_map(location_of);
        Ok(locations.any(|location| !inferred.at[location].is_empty()))
    }

    /// Whether two candidates have a predicate in common at a state of the counterexample.
    pub fn share(
        &mut self,
        one: Candidate,
        other: Candidate,
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        let (one, other) = (self.infer_one(one)?, self.infer_one(other)?);
        let mut locations = counterexample.controls.iter().filter_map(location_of);
        Ok(locations.any(|location| {
            let (one, other) = (&one.at[location], &other.at[location]);
            one.iter().any(|predicate| other.contains(predicate))
        }))
    }
}

/// MP of one candidate, and where it was followed along counterexamples. They have most steps in common, and those of one search
/// start alike.
pub(crate) struct Alone {
    abstraction: Abstraction,
    /// The targets of the steps that were taken.
    targets: FxHashMap<(StateId, ActionId, Control), Rc<[StateId]>>,
    /// The last counterexample, as far as there were states.
    steps: Vec<(ActionId, Control)>,
    /// The states at the start and after each of its steps.
    reached: Vec<Rc<[StateId]>>,
}

impl Alone {
    fn new(mut abstraction: Abstraction) -> Self {
        let initial = abstraction.number(MpState::init());
        Alone {
            abstraction,
            targets: FxHashMap::default(),
            steps: Vec::new(),
            reached: vec![Rc::from([initial])],
        }
    }

    /// As [`Component::excludes`].
    fn excludes(
        &mut self,
        component: &mut Component,
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        let targets = counterexample.controls.iter().skip(1);
        let path = || {
            counterexample
                .actions
                .iter()
                .copied()
                .zip(targets.clone().copied())
        };
        let common = self
            .steps
            .iter()
            .zip(path())
            .take_while(|(own, step)| **own == *step);
        let common = common.count();
        self.steps.truncate(common);
        self.reached.truncate(common + 1);
        for step in path().skip(common) {
            let states = Rc::clone(&self.reached[self.steps.len()]);
            if states.is_empty() {
                return Ok(true);
            }
            let mut next: IndexSet<StateId, FxBuildHasher> = IndexSet::default();
            for &state in states.iter() {
                match self.after(component, state, step) {
                    Ok(targets) => next.extend(targets.iter().copied()),
                    Err(Stopped::StateLimit(_)) => return Ok(false),
                    Err(stopped) => return Err(stopped),
                }
            }
            if next.len() > MAX_REACHED {
                return Ok(false);
            }
            self.reached.push(next.into_iter().collect());
            self.steps.push(step);
        }
        Ok(self.reached[self.steps.len()].is_empty())
    }

    fn after(
        &mut self,
        component: &mut Component,
        state: StateId,
        (action, control): (ActionId, Control),
    ) -> Result<Rc<[StateId]>, Stopped> {
        let key = (state, action, control);
        if let Some(known) = self.targets.get(&key) {
            return Ok(Rc::clone(known));
        }
        let from = self.abstraction.state(state).clone();
        let steps = self
            .abstraction
            .steps(component, &from, Some((action, control)))?;
        let targets = steps
            .into_iter()
            .map(|(_, target)| self.abstraction.number(target));
        let targets: Rc<[StateId]> = targets.collect();
        self.targets.insert(key, Rc::clone(&targets));
        Ok(targets)
    }
}

fn location_of(control: &Control) -> Option<LocationId> {
    match control {
        Control::At(location) | Control::Inlined { location, .. } => Some(*location),
        Control::Init | Control::Stop => None,
    }
}
