//! MP: the predicate abstraction of a component (Definitions 6 to 8, §5.4), built on the fly, only where it is reached.
//!
//! Invariants:
//! - A valuation of P_s has one value for each group of predicates at s; its concretisation is satisfiable.
//! - A step needs the prover only for predicates whose precondition is not itself a predicate of the state before, and then
//!   only with those predicates that share variables with it, directly or through others. The answer is kept for all
//!   states that agree on these.
//!
//! Deviations from §5.4: Adm is checked for a whole step at once: Γ_s(V), the condition and the precondition of Γ_s′(V′)
//! together. A return also has the special action iff it can return a value that has no action.

mod plan;
mod process;

use std::rc::Rc;

use cranelift_entity::{EntityRef, SecondaryMap};
use indexmap::IndexSet;
use lariat_lts::{ActionId, ActionTable, ReturnValue, StateId, StateKind, Stopped};
use lariat_term::TermId;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::cfa::{EdgeId, Failure, Label, LocationId};
use crate::component::Component;
use crate::infer::{Candidate, Inferred};
use crate::predicates::{Formula, Group, Literal, PredicateId, groups};
use plan::Plan;

pub use process::Mp;

/// The values of the groups of predicates at a state.
pub type Valuation = Rc<[u16]>;

/// A state of MP without its valuation; states with the same control are consistent (Cons of §6.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Control {
    Init,
    Stop,
    At(LocationId),
    /// Inside the system of an alternative at a call-site.
    Inlined {
        location: LocationId,
        alternative: u16,
        state: StateId,
    },
}

/// A state of MP (Definition 7).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MpState {
    pub control: Control,
    pub valuation: Valuation,
}

/// The predicates at one state of the automaton.
#[derive(Clone, Debug, Default)]
struct Predicated {
    groups: Vec<Group>,
    /// Where a predicate is: its group and its number there.
    places: FxHashMap<PredicateId, (usize, u16)>,
}

/// A literal over the predicates of a state: whether a group has a value.
#[derive(Clone, Copy, Debug)]
struct Place {
    group: usize,
    value: u16,
    positive: bool,
}

impl Place {
    fn holds(self, valuation: &[u16]) -> bool {
        (valuation[self.group] == self.value) == self.positive
    }
}

/// MP(P), as far as it has been built.
pub struct Abstraction {
    pub candidates: Vec<Candidate>,
    at: SecondaryMap<LocationId, Predicated>,
    plans: SecondaryMap<EdgeId, Option<Box<Plan>>>,
    /// Whether a formula can hold at a state, by the values of the groups it depends on.
    conditions: FxHashMap<(LocationId, TermId), Plan>,
    states: IndexSet<MpState, FxBuildHasher>,
}

/// A transition whose target has no number yet.
pub type MpStep = (ActionId, MpState);

impl Abstraction {
    pub fn new(component: &mut Component, candidates: Vec<Candidate>) -> Result<Self, Stopped> {
        let locations: Vec<LocationId> = component.cfa.locations.keys().collect();
        Self::at_some(component, candidates, &locations)
    }

    /// Has predicates only at the given states; no other state may be visited.
    pub fn at_some(
        component: &mut Component,
        candidates: Vec<Candidate>,
        locations: &[LocationId],
    ) -> Result<Self, Stopped> {
        let inferred = component.infer(&candidates, locations)?;
        Ok(Self::with_predicates(component, candidates, &inferred))
    }

    fn with_predicates(component: &Component, candidates: Vec<Candidate>, inferred: &Inferred) -> Self {
        let mut at: SecondaryMap<LocationId, Predicated> = SecondaryMap::new();
        for (location, predicates) in inferred.at.iter() {
            let groups = groups(&component.cfa.pool, &component.predicates, predicates);
            let places = groups
                .iter()
                .enumerate()
                .flat_map(|(group, members)| {
                    let members = members.predicates.iter().enumerate();
                    members.map(move |(index, &predicate)| (predicate, (group, index as u16)))
                })
                .collect();
            at[location] = Predicated { groups, places };
        }
        Abstraction {
            candidates,
            at,
            plans: SecondaryMap::new(),
            conditions: FxHashMap::default(),
            states: IndexSet::default(),
        }
    }

    /// P_s.
    pub fn predicates_at(&self, location: LocationId) -> impl Iterator<Item = PredicateId> {
        self.at[location]
            .groups
            .iter()
            .flat_map(|group| group.predicates.iter().copied())
    }

    /// The number of distinct predicates, and the most groups of them at one state.
    pub fn predicate_counts(&self) -> (usize, usize) {
        let mut all: Vec<PredicateId> = self
            .at
            .keys()
            .flat_map(|location| self.predicates_at(location))
            .collect();
        all.sort_unstable();
        all.dedup();
        let most = self.at.values().map(|predicated| predicated.groups.len()).max();
        (all.len(), most.unwrap_or(0))
    }

    /// Where predicates do not decide which way the component goes, or what they are afterwards, as far as MP was built; with
    /// the candidate that would. An input decides for itself.
    pub fn undecided(&self, component: &mut Component) -> Vec<(LocationId, Option<Candidate>)> {
        let mut undecided = Vec::new();
        for (edge, plan) in self.plans.iter() {
            let Some(plan) = plan else { continue };
            let source = component.cfa.edges[edge].source;
            let inputs = component.cfa.edges[edge].transformer.inputs.clone();
            let (way, values) = plan.is_open(component, &inputs);
            if way {
                let candidate = Candidate::Condition(component.cfa.representative(source));
                undecided.push((source, Some(candidate)));
            }
            if values {
                undecided.push((source, None));
            }
        }
        for (&(location, term), plan) in &self.conditions {
            if plan.is_open(component, &[]).0 {
                let site = match &component.cfa.locations[location].label {
                    Label::Call(site) => Some(site.clone()),
                    _ => None,
                };
                let alternative = site.and_then(|site| {
                    let count = component.cfa.routines[site.routine].alternatives.len();
                    (0..count).find(|&alternative| component.cfa.guard_at(&site, alternative) == term)
                });
                let first = component.cfa.representative(location);
                let candidate = alternative.map(|number| Candidate::Guard(first, number as u16));
                undecided.push((location, candidate));
            }
        }
        undecided.sort_unstable();
        undecided.dedup();
        undecided
    }

    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    pub fn number(&mut self, state: MpState) -> StateId {
        StateId::new(self.states.insert_full(state).0)
    }

    pub fn state(&self, state: StateId) -> &MpState {
        &self.states[state.index()]
    }

    pub fn kind(&self, component: &Component, control: Control) -> StateKind {
        match control {
            Control::Init => StateKind::Ordinary,
            Control::Stop => StateKind::Stop,
            Control::At(location) => match &component.cfa.locations[location].label {
                Label::Halt => StateKind::Stop,
                _ => StateKind::Ordinary,
            },
            Control::Inlined {
                location,
                alternative,
                state,
            } => match component.inlined(location, alternative) {
                Some(process) => process.kind(state),
                None => StateKind::Stop,
            },
        }
    }

    /// What a literal says of valuations at a state; `None` if its predicate is not one of P_s.
    fn place(&self, location: LocationId, literal: Literal) -> Option<Place> {
        let &(group, value) = self.at[location].places.get(&literal.predicate)?;
        Some(Place {
            group,
            value,
            positive: literal.positive,
        })
    }

    /// Γ_s(V), restricted to some groups.
    fn concretisation(
        &self,
        component: &mut Component,
        location: LocationId,
        valuation: &[u16],
        restricted: &[usize],
    ) -> Vec<TermId> {
        let mut terms = Vec::new();
        for &group in restricted {
            let value = usize::from(valuation[group]);
            let members = &self.at[location].groups[group].predicates;
            let component_pool = &mut component.cfa.pool;
            match members.get(value) {
                // The others are excluded by it.
                Some(&predicate) => terms.push(component.predicates.term(predicate)),
                None => terms.extend(
                    members
                        .iter()
                        .map(|&predicate| component.predicates.with_value(component_pool, predicate, false)),
                ),
            }
        }
        terms
    }

    /// The transitions of a state; only those with the wanted action and target, if one is given.
    pub fn steps(
        &mut self,
        component: &mut Component,
        state: &MpState,
        wanted: Option<(ActionId, Control)>,
    ) -> Result<Vec<MpStep>, Stopped> {
        let is_wanted = |action, control| wanted.is_none_or(|wanted| wanted == (action, control));
        let mut steps = Vec::new();
        match state.control {
            Control::Stop => {}
            Control::Init => {
                let initial = component.cfa.initial;
                if is_wanted(ActionTable::TAU, Control::At(initial)) {
                    for valuation in self.initial_valuations(component)? {
                        steps.push(internal(Control::At(initial), valuation));
                    }
                }
            }
            Control::At(location) => match &component.cfa.locations[location].label {
                Label::Halt => {}
                Label::Fail(failure) => {
                    let action = match failure {
                        Failure::Error(_) => component.own.error,
                        Failure::Unsupported(_) => component.own.unsupported,
                    };
                    if is_wanted(action, Control::Stop) {
                        steps.push((action, stop()));
                    }
                }
                Label::Assign(_) | Label::Branch { .. } | Label::Goto => {
                    for edge in component.cfa.outgoing[location].clone() {
                        let target = component.cfa.edges[edge].target;
                        if is_wanted(ActionTable::TAU, Control::At(target)) {
                            for valuation in self.along(component, edge, &state.valuation)? {
                                steps.push(internal(Control::At(target), valuation));
                            }
                        }
                    }
                }
                Label::Call(site) => {
                    let site = site.clone();
                    let count = component.cfa.routines[site.routine].alternatives.len();
                    for alternative in 0..count {
                        let initial = component.cfa.routines[site.routine].alternatives[alternative]
                            .process
                            .initial();
                        let control = Control::Inlined {
                            location,
                            alternative: alternative as u16,
                            state: initial,
                        };
                        let guard = component.cfa.guard_at(&site, alternative);
                        if is_wanted(ActionTable::TAU, control)
                            && self.can_hold(component, location, &state.valuation, guard)?
                        {
                            steps.push(internal(control, Rc::clone(&state.valuation)));
                        }
                    }
                }
                &Label::Return(value) => {
                    for action in self.return_actions(component, location, &state.valuation, value)? {
                        if is_wanted(action, Control::Stop) {
                            steps.push((action, stop()));
                        }
                    }
                }
            },
            Control::Inlined {
                location,
                alternative,
                state: inner,
            } => {
                let Some(process) = component.inlined(location, alternative) else {
                    return Ok(steps);
                };
                let mut returned: Vec<ReturnValue> = Vec::new();
                for transition in process.transitions(inner) {
                    if let Some(value) = component.returned_by(location, alternative, transition.action) {
                        if !returned.contains(&value) {
                            returned.push(value);
                        }
                        continue;
                    }
                    let control = Control::Inlined {
                        location,
                        alternative,
                        state: transition.target,
                    };
                    if is_wanted(transition.action, control) {
                        let valuation = Rc::clone(&state.valuation);
                        steps.push((transition.action, MpState { control, valuation }));
                    }
                }
                for value in returned {
                    let Some(edge) = component.cfa.edge_returning(location, value) else {
                        continue;
                    };
                    let target = Control::At(component.cfa.edges[edge].target);
                    if is_wanted(ActionTable::TAU, target) {
                        for valuation in self.along(component, edge, &state.valuation)? {
                            steps.push(internal(target, valuation));
                        }
                    }
                }
            }
        }
        Ok(steps)
    }

    /// V with Adm(Γ(V), Guard).
    fn initial_valuations(&mut self, component: &mut Component) -> Result<Vec<Valuation>, Stopped> {
        let groups = self.at[component.cfa.initial].groups.clone();
        let predicates: Vec<PredicateId> = groups
            .iter()
            .flat_map(|group| group.predicates.iter().copied())
            .collect();
        let terms: Vec<TermId> = predicates
            .iter()
            .map(|&predicate| component.predicates.term(predicate))
            .collect();
        let guard = component.cfa.guard;
        let found = component
            .prover
            .valuations(&mut component.cfa, &[guard], &terms)?;
        let mut valuations: Vec<Valuation> = Vec::new();
        for truth in found.iter() {
            let holds: FxHashMap<PredicateId, bool> =
                predicates.iter().copied().zip(truth.iter().copied()).collect();
            let valuation = groups
                .iter()
                .map(|group| group.value(|predicate| holds[&predicate]))
                .collect();
            if !valuations.contains(&valuation) {
                valuations.push(valuation);
            }
        }
        Ok(valuations)
    }

    fn return_actions(
        &mut self,
        component: &mut Component,
        location: LocationId,
        valuation: &[u16],
        value: Option<TermId>,
    ) -> Result<Vec<ActionId>, Stopped> {
        let returns = component.own.clone();
        let value = match value {
            Some(value) if returns.observed => value,
            None if returns.observed && !returns.observes_void => return Ok(vec![returns.other]),
            _ => return Ok(vec![returns.void]),
        };
        let mut actions = Vec::new();
        let mut differs = Vec::new();
        for &(number, action) in &returns.values {
            let Some(equal) = component.cfa.equals_return(value, number) else {
                continue;
            };
            if self.can_hold(component, location, valuation, equal)? {
                actions.push(action);
            }
            differs.push(component.cfa.pool.not(equal));
        }
        let other = component.cfa.pool.and(&differs);
        if self.can_hold(component, location, valuation, other)? {
            actions.push(returns.other);
        }
        Ok(actions)
    }

    /// Adm(Γ_s(V), ψ).
    fn can_hold(
        &mut self,
        component: &mut Component,
        location: LocationId,
        valuation: &[u16],
        term: TermId,
    ) -> Result<bool, Stopped> {
        if let Formula::Literal(literal) = component.formula(term)?
            && let Some(place) = self.place(location, literal)
        {
            return Ok(place.holds(valuation));
        }
        let key = (location, term);
        if !self.conditions.contains_key(&key) {
            let plan = Plan::of_condition(self, component, location, term)?;
            self.conditions.insert(key, plan);
        }
        if let Some(decided) = self.conditions.get(&key).and_then(|plan| plan.decided(valuation)) {
            return Ok(decided);
        }
        let mut plan = self.conditions.remove(&key).unwrap_or_default();
        let outcome = plan.outcomes(self, component, location, valuation);
        self.conditions.insert(key, plan);
        Ok(!outcome?.is_empty())
    }

    /// V′ with Adm(Γ_s(V) ∧ condition, WP{Γ_s′(V′)}) for an edge from s to s′.
    fn along(
        &mut self,
        component: &mut Component,
        edge: EdgeId,
        valuation: &[u16],
    ) -> Result<Vec<Valuation>, Stopped> {
        let mut plan = match self.plans[edge].take() {
            Some(known) => known,
            None => Box::new(Plan::of_edge(self, component, edge)?),
        };
        let mut valuations: Vec<Valuation> = Vec::new();
        match plan.decided(valuation) {
            Some(false) => {}
            Some(true) => valuations.push(plan.next(valuation, &[])),
            None => {
                let source = component.cfa.edges[edge].source;
                let outcomes = plan.outcomes(self, component, source, valuation)?;
                for outcome in outcomes.iter() {
                    let next = plan.next(valuation, outcome);
                    if !valuations.contains(&next) {
                        valuations.push(next);
                    }
                }
            }
        }
        self.plans[edge] = Some(plan);
        Ok(valuations)
    }
}

fn internal(control: Control, valuation: Valuation) -> MpStep {
    (ActionTable::TAU, MpState { control, valuation })
}

fn stop() -> MpState {
    MpState {
        control: Control::Stop,
        valuation: Rc::from([]),
    }
}

impl MpState {
    /// INIT.
    pub fn init() -> Self {
        MpState {
            control: Control::Init,
            valuation: Rc::from([]),
        }
    }
}
