//! Refinement and widening in one search: which of the two comes next.
//!
//! Both work on one unfolding and one solver, so what either has inlined and learned serves the other.

use crate::outcome::EngineStats;

/// What a round of the search does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStep {
    /// [Legion22] Alg. 2.
    Refine,
    /// [Legion22] Alg. 3.
    Widen,
    /// Everything within the bound, and then the question.
    InlineAll,
}

/// What was done and what it gave.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mix {
    refined: Tally,
    widened: Tally,
}

#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    rounds: u64,
    /// Of late: instances that came in, and the solver's effort for them.
    inlined: f64,
    effort: f64,
}

/// How much of what was is remembered from one round to the next.
const MEMORY: f64 = 0.8;
/// In so many rounds each of the two is tried at least once.
const PERIOD: u64 = 8;

impl Mix {
    /// So that this share of the rounds are refinements.
    pub fn interleave(&self, share: f64) -> SearchStep {
        let rounds = (self.refined.rounds + self.widened.rounds + 1) as f64;
        if (self.refined.rounds as f64) < share * rounds {
            SearchStep::Refine
        } else {
            SearchStep::Widen
        }
    }

    /// The one that has brought in more for the solver's effort of late.
    pub fn adaptive(&self) -> SearchStep {
        let rounds = self.refined.rounds + self.widened.rounds;
        if rounds < 2 * PERIOD || rounds.is_multiple_of(PERIOD) {
            return self.interleave(0.5);
        }
        if self.refined.rate() >= self.widened.rate() {
            SearchStep::Refine
        } else {
            SearchStep::Widen
        }
    }

    pub fn note(&mut self, step: SearchStep, before: &EngineStats, after: &EngineStats) {
        let tally = match step {
            SearchStep::Refine => &mut self.refined,
            SearchStep::Widen | SearchStep::InlineAll => &mut self.widened,
        };
        tally.rounds += 1;
        tally.inlined = tally.inlined * MEMORY + (after.inlined - before.inlined) as f64;
        tally.effort = tally.effort * MEMORY + (after.solver_effort - before.solver_effort);
    }
}

impl Tally {
    fn rate(&self) -> f64 {
        self.inlined / self.effort.max(1.0)
    }
}
