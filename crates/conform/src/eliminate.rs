//! CEEliminate (Fig. 8): does MP(P) still have the counterexample?

use indexmap::IndexSet;
use lariat_lts::Stopped;
use rustc_hash::FxBuildHasher;

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
        let mut abstraction = match self.alone.remove(&candidate) {
            Some(known) => known,
            None => Abstraction::new(self, vec![candidate])?,
        };
        let excluded = self.excludes(&mut abstraction, counterexample);
        self.alone.insert(candidate, abstraction);
        excluded
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

fn location_of(control: &Control) -> Option<LocationId> {
    match control {
        Control::At(location) | Control::Inlined { location, .. } => Some(*location),
        Control::Init | Control::Stop => None,
    }
}
