//! How the values of predicates after a step follow from those before it, worked out once for each edge.

use std::rc::Rc;

use lariat_lts::Stopped;
use lariat_term::{TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{Abstraction, Place, Valuation};
use crate::cfa::{EdgeId, LocationId};
use crate::component::{Component, Precondition};
use crate::predicates::Formula;

/// Where the value of a predicate comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Constant(bool),
    /// A predicate of the state before.
    Copied(Place),
    /// The prover, by the number of the question.
    Asked(usize),
}

/// Truth values of the questions.
type TruthValues = Vec<bool>;

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// For each predicate of each group after the step.
    sources: Vec<SmallVec<[Source; 2]>>,
    /// Conditions of the step that the valuation before decides.
    required: Vec<Place>,
    /// The step is never possible.
    never: bool,
    /// Conditions of the step for the prover.
    assumed: Vec<TermId>,
    questions: Vec<TermId>,
    /// Groups of predicates before the step that the prover needs.
    relevant: Vec<usize>,
    known: FxHashMap<Box<[u16]>, Rc<[TruthValues]>>,
}

impl Plan {
    pub fn of_edge(
        abstraction: &Abstraction,
        component: &mut Component,
        edge: EdgeId,
    ) -> Result<Plan, Stopped> {
        let (source, target) = (component.cfa.edges[edge].source, component.cfa.edges[edge].target);
        let mut plan = Plan::default();
        for group in &abstraction.at[target].groups {
            let mut sources = SmallVec::new();
            for &predicate in &group.predicates {
                sources.push(match component.precondition(edge, predicate)? {
                    Precondition::Constant(value) => Source::Constant(value),
                    Precondition::Literal(literal) => match abstraction.place(source, literal) {
                        Some(place) => Source::Copied(place),
                        None => {
                            let pool = &mut component.cfa.pool;
                            let term =
                                component
                                    .predicates
                                    .with_value(pool, literal.predicate, literal.positive);
                            plan.ask(term)
                        }
                    },
                    Precondition::Open(term) => plan.ask(term),
                });
            }
            plan.sources.push(sources);
        }
        let assumption = component.cfa.edges[edge].transformer.assumption;
        let inputs = component.cfa.edges[edge].transformer.inputs.clone();
        plan.assume(abstraction, component, source, assumption, &inputs)?;
        plan.find_relevant(abstraction, component, source);
        Ok(plan)
    }

    /// Whether a formula can hold at a state.
    pub fn of_condition(
        abstraction: &Abstraction,
        component: &mut Component,
        location: LocationId,
        term: TermId,
    ) -> Result<Plan, Stopped> {
        let mut plan = Plan::default();
        plan.assume(abstraction, component, location, term, &[])?;
        plan.find_relevant(abstraction, component, location);
        Ok(plan)
    }

    fn ask(&mut self, term: TermId) -> Source {
        let known = self.questions.iter().position(|&question| question == term);
        Source::Asked(known.unwrap_or_else(|| {
            self.questions.push(term);
            self.questions.len() - 1
        }))
    }

    fn assume(
        &mut self,
        abstraction: &Abstraction,
        component: &mut Component,
        location: LocationId,
        term: TermId,
        inputs: &[VarId],
    ) -> Result<(), Stopped> {
        for conjunct in component.cfa.conjuncts(term) {
            if let Some(value) = component.cfa.pool.as_bool(conjunct) {
                self.never |= !value;
                continue;
            }
            let vars = component.prover.variables(&component.cfa.pool, conjunct);
            if inputs.iter().any(|input| vars.contains(input)) {
                self.assumed.push(conjunct);
                continue;
            }
            match component.formula(conjunct)? {
                Formula::Constant(value) => self.never |= !value,
                Formula::Literal(literal) => match abstraction.place(location, literal) {
                    Some(place) => self.required.push(place),
                    None => self.assumed.push(conjunct),
                },
            }
        }
        Ok(())
    }

    /// Predicates that share variables with the question, directly or through other predicates.
    fn find_relevant(&mut self, abstraction: &Abstraction, component: &mut Component, location: LocationId) {
        let mut vars: FxHashSet<VarId> = FxHashSet::default();
        for &term in self.questions.iter().chain(&self.assumed) {
            vars.extend(component.prover.variables(&component.cfa.pool, term).iter());
        }
        if vars.is_empty() {
            return;
        }
        let groups = &abstraction.at[location].groups;
        let of_groups: Vec<Vec<VarId>> = groups
            .iter()
            .map(|group| {
                let mut vars = Vec::new();
                for &predicate in &group.predicates {
                    let term = component.predicates.term(predicate);
                    vars.extend(component.prover.variables(&component.cfa.pool, term).iter());
                }
                vars
            })
            .collect();
        let mut is_relevant = vec![false; groups.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (group, own) in of_groups.iter().enumerate() {
                if !is_relevant[group] && own.iter().any(|var| vars.contains(var)) {
                    is_relevant[group] = true;
                    vars.extend(own);
                    changed = true;
                }
            }
        }
        self.relevant = (0..groups.len()).filter(|&group| is_relevant[group]).collect();
    }

    /// Whether the step is possible, if that and all that is after it needs no prover.
    pub fn decided(&self, valuation: &[u16]) -> Option<bool> {
        if self.never || self.required.iter().any(|place| !place.holds(valuation)) {
            return Some(false);
        }
        (self.questions.is_empty() && self.assumed.is_empty()).then_some(true)
    }

    /// The possible answers to the questions of a step that is not decided; none if it is impossible.
    pub fn outcomes(
        &mut self,
        abstraction: &Abstraction,
        component: &mut Component,
        location: LocationId,
        valuation: &[u16],
    ) -> Result<Rc<[TruthValues]>, Stopped> {
        let key: SmallVec<[u16; 16]> = self.relevant.iter().map(|&group| valuation[group]).collect();
        if let Some(known) = self.known.get(&*key) {
            return Ok(Rc::clone(known));
        }
        let mut terms = abstraction.concretisation(component, location, valuation, &self.relevant);
        terms.extend(&self.assumed);
        let found: Rc<[TruthValues]> =
            component
                .prover
                .valuations(&mut component.cfa, &terms, &self.questions)?;
        self.known.insert(key.into_vec().into(), Rc::clone(&found));
        Ok(found)
    }

    /// Whether data that no predicate follows decides if the step is possible, and what the predicates are after it.
    pub fn is_open(&self, component: &mut Component, inputs: &[VarId]) -> (bool, bool) {
        let mut depends = |terms: &[TermId]| {
            terms.iter().any(|&term| {
                let vars = component.prover.variables(&component.cfa.pool, term);
                !vars.iter().all(|var| inputs.contains(var))
            })
        };
        let is_possible = !self.never;
        // Where the predicates before the step leave one answer, they decide it.
        let has_choice = self.known.values().any(|outcomes| outcomes.len() > 1);
        (
            is_possible && depends(&self.assumed),
            is_possible && has_choice && depends(&self.questions),
        )
    }

    /// The valuation after the step, by the one before it and an answer to the questions.
    pub fn next(&self, valuation: &[u16], outcome: &[bool]) -> Valuation {
        let holds = |source: &Source| match *source {
            Source::Constant(value) => value,
            Source::Copied(place) => place.holds(valuation),
            Source::Asked(question) => outcome[question],
        };
        let groups = self.sources.iter();
        groups
            .map(|sources| sources.iter().position(holds).unwrap_or(sources.len()) as u16)
            .collect()
    }
}
