//! Trace inclusion L(M) ⊆ L(Spec), the notion of conformance of [Magic04].
//!
//! The specification is determinised and complemented on the fly. It observes the actions of
//! its own alphabet only: M conforms iff the projection of every trace of M on the
//! specification's alphabet is a trace of the specification (Definitions 4 and 5). An `ERROR`
//! state of M is a violation too.
//!
//! The search can be continued after some states of M have changed ([`InclusionSearch`]), which is
//! what happens when action-guided refinement splits an abstract state.
//!
//! The search visits pairs of a state m of M and a set S of states of the specification. A pair
//! (m, S) is passed over if some (m, S′) with S′ ⊆ S was expanded before: whatever is refused
//! from S is refused from S′. Since S′ was reached by no more actions, the first violation
//! found is still a shortest.

mod search;

use crate::action::ActionId;
use crate::lts::Lts;
use crate::process::{PathStep, Process, SearchControl, Stopped, trace_of};

pub use search::InclusionSearch;

/// The answer, with the number of pairs that the search holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inclusion {
    Holds { pairs: usize },
    Violated { violation: Violation, pairs: usize },
}

impl Inclusion {
    pub fn holds(&self) -> bool {
        matches!(self, Inclusion::Holds { .. })
    }

    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Inclusion::Holds { .. } => None,
            Inclusion::Violated { violation, .. } => Some(violation),
        }
    }
}

/// A path of M that the specification does not allow, with as few visible actions as possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub path: Vec<PathStep>,
    pub reason: ViolationReason,
}

impl Violation {
    /// The visible actions of the path, those that the specification does not observe included.
    pub fn trace(&self) -> Vec<ActionId> {
        trace_of(&self.path)
    }
}

/// What is wrong with the last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ViolationReason {
    /// The specification refuses it; these are what it would have allowed there.
    Refused { allowed: Vec<ActionId> },
    /// It leads to `ERROR`.
    ErrorState,
    /// There is no step: the specification, or the process, starts in `ERROR`.
    AtStart,
}

/// Asks once.
pub fn trace_inclusion(
    process: &mut dyn Process,
    specification: &Lts,
    control: &mut SearchControl<'_>,
) -> Result<Inclusion, Stopped> {
    InclusionSearch::once(specification).run(process, control)
}
