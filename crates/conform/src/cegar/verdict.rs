//! What the loop is given and what it answers.

use lariat_lts::inclusion::ViolationReason;
use lariat_lts::{ActionId, Lts};
pub use lariat_options::Levels;

use crate::counterexample::{ConcreteStep, Counterexample};
use crate::minimise::{MinimiseOptions, MinimiseStatistics};

/// What the components are checked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// Every trace is one of the specification.
    Conformance,
    /// The components can always go on until all of them have ended; the specification does not matter.
    DeadlockFreedom,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub levels: Levels,
    pub minimise: MinimiseOptions,
    /// The most states that one model may have.
    pub state_limit: usize,
    /// Whether [`Statistics`] keeps the final models.
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

#[derive(Clone, Debug)]
pub enum CegarVerdict {
    Conforms,
    Violates(Violation),
    Unknown(String),
}

/// A trace of the components that the specification does not allow, or that leads to a deadlock.
#[derive(Clone, Debug)]
pub struct Violation {
    pub trace: Vec<ActionId>,
    pub reason: Reason,
    /// What each component does, with values.
    pub runs: Vec<Run>,
    /// Why executing a component with the solver's values did not follow its path.
    pub doubt: Option<String>,
}

/// What is wrong with a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    NotAllowed(ViolationReason),
    /// The components are stuck after it.
    Deadlock,
    /// It goes on for ever without what the property asks for.
    NotLive {
        /// Where the actions start that are repeated for ever; `None` if nothing happens after the trace.
        cycle: Option<usize>,
        /// Under fairness: the actions that can still happen, again and again.
        repeated: Vec<ActionId>,
    },
    /// The specification cannot follow the components, or they cannot follow it: who does what, the components or not;
    /// nobody answers the last.
    Different {
        plays: Vec<(bool, ActionId)>,
    },
}

#[derive(Clone, Debug)]
pub struct Run {
    pub path: Counterexample,
    pub steps: Vec<ConcreteStep>,
}

/// The columns of Figures 11 to 18.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// St: the states of the last search.
    pub states: usize,
    /// PIt.
    pub predicate_iterations: usize,
    /// LIt.
    pub action_iterations: usize,
    pub minimise: MinimiseStatistics,
    pub components: Vec<ComponentStatistics>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ComponentStatistics {
    /// Distinct predicates.
    pub expressions: usize,
    /// The most predicates with several values at one state.
    pub predicates: usize,
    /// |P|.
    pub candidates: usize,
    pub mp_states: usize,
    /// States of MA; those of MP without action-guided abstraction.
    pub ma_states: usize,
    pub prover_checks: u64,
    pub prover_cached: u64,
    /// Only with [`Options::keep_models`], and only if the loop was not stopped.
    pub models: Option<FinalModels>,
}

/// The models of a component in the last iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalModels {
    pub mp: Lts,
    /// `None` without action-guided abstraction.
    pub ma: Option<Lts>,
}

/// How far the loop has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    pub predicate_iterations: usize,
    pub action_iterations: usize,
    /// |P| over all components.
    pub candidates: usize,
    pub states: usize,
}
