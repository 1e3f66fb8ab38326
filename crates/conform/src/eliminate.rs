//! CEEliminate (Fig. 8): does MP(P) still have the counterexample?

use indexmap::IndexSet;
use lariat_lts::Stopped;
use rustc_hash::FxBuildHasher;

use crate::abstraction::{Abstraction, Control, MpState};
use crate::component::Component;
use crate::counterexample::Counterexample;
use crate::infer::Candidate;

impl Component {
    /// Whether no path of MP(P) is consistent with the counterexample.
    pub fn eliminates(
        &mut self,
        candidates: &[Candidate],
        counterexample: &Counterexample,
    ) -> Result<bool, Stopped> {
        let mut abstraction = Abstraction::new(self, candidates.to_vec())?;
        let mut reached: IndexSet<MpState, FxBuildHasher> = IndexSet::default();
        reached.insert(MpState::init());
        for (pair, &action) in counterexample.controls.windows(2).zip(&counterexample.actions) {
            let mut next: IndexSet<MpState, FxBuildHasher> = IndexSet::default();
            for state in &reached {
                let steps = abstraction.steps(self, state, Some((action, pair[1])))?;
                next.extend(steps.into_iter().map(|(_, target)| target));
            }
            if next.is_empty() {
                return Ok(true);
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
        Ok(counterexample.controls.iter().any(|control| match control {
            Control::At(location) => !inferred.at[*location].is_empty(),
            _ => false,
        }))
    }
}
