//! PredInfer (Fig. 5): the predicates P_s that a candidate gives rise to at each state of the automaton.
//!
//! P_s depends on a set of candidates only by union: what one candidate gives rise to is computed once and put together for
//! each set that is tried.
//!
//! Deviations from Fig. 5:
//! - At a call-site x = lib(…), predicates over x do not go through unchanged: their preconditions for each value that the
//!   routine returns do.
//! - Guards of procedure abstractions and assumptions are candidates like branches, and so are predicates that refinement
//!   finds at single states; these stay where they were found.

use std::collections::VecDeque;
use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use lariat_lts::Stopped;
use lariat_term::TermId;

use crate::cfa::{Label, LocationId, Transformer};
use crate::component::{Component, Precondition};
use crate::predicates::{Formula, PredicateId};

/// Something whose predicates an abstraction may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Candidate {
    /// e == RetVal(r) for every return and every return action of the specification: always used.
    Returns,
    /// The condition of a branch, or the assumption of an assignment.
    Condition(LocationId),
    /// The guard of an alternative at a call-site.
    Guard(LocationId, u16),
    /// Predicates at single states, found by a refinement: see [`Component::add_found`].
    Found(u32),
}

/// The predicates at each state.
#[derive(Clone, Debug, Default)]
pub struct Inferred {
    pub at: SecondaryMap<LocationId, Vec<PredicateId>>,
}

impl Component {
    /// All candidates of the program itself, in the order of the automaton.
    pub fn candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (location, data) in self.cfa.locations.iter() {
            match &data.label {
                Label::Branch { .. } => candidates.push(Candidate::Condition(location)),
                Label::Assign(transformer) if !self.assumed_of_state(transformer).is_empty() => {
                    candidates.push(Candidate::Condition(location));
                }
                Label::Call(site) => {
                    let alternatives = &self.cfa.routines[site.routine].alternatives;
                    let real = alternatives
                        .iter()
                        .enumerate()
                        .filter(|(_, alternative)| self.cfa.pool.as_bool(alternative.guard).is_none());
                    candidates.extend(real.map(|(index, _)| Candidate::Guard(location, index as u16)));
                }
                _ => {}
            }
        }
        candidates
    }

    /// What an assignment assumes of the state before it, and not of the values that come in with it.
    fn assumed_of_state(&self, transformer: &Transformer) -> Vec<TermId> {
        let pool = &self.cfa.pool;
        let is_of_state = |&term: &TermId| {
            let vars = pool.free_vars(&[term]);
            !transformer.inputs.iter().any(|input| vars.contains(input))
        };
        let conjuncts = self.cfa.conjuncts(transformer.assumption).into_iter();
        conjuncts.filter(is_of_state).collect()
    }

    /// Makes a candidate of predicates at single states.
    pub fn add_found(&mut self, predicates: Vec<(LocationId, TermId)>) -> Candidate {
        self.found.push(predicates);
        Candidate::Found(self.found.len() as u32 - 1)
    }

    /// What a set of candidates gives rise to.
    pub fn infer(&mut self, candidates: &[Candidate]) -> Result<Inferred, Stopped> {
        let mut all = Inferred::default();
        for &candidate in [Candidate::Returns].iter().chain(candidates) {
            let one = self.infer_one(candidate)?;
            for (location, predicates) in one.at.iter() {
                for &predicate in predicates {
                    if !all.at[location].contains(&predicate) {
                        all.at[location].push(predicate);
                    }
                }
            }
        }
        for predicates in all.at.values_mut() {
            predicates.sort_unstable();
        }
        Ok(all)
    }

    pub fn infer_one(&mut self, candidate: Candidate) -> Result<Rc<Inferred>, Stopped> {
        if let Some(known) = self.inferred.get(&candidate) {
            return Ok(Rc::clone(known));
        }
        let mut inferred = Inferred::default();
        let mut open: VecDeque<(LocationId, PredicateId)> = VecDeque::new();
        for (location, term) in self.seeds(candidate) {
            if let Formula::Literal(literal) = self.formula(term)? {
                inferred.at[location].push(literal.predicate);
                open.push_back((location, literal.predicate));
            }
        }
        if matches!(candidate, Candidate::Found(_)) {
            open.clear();
        }
        while let Some((location, predicate)) = open.pop_front() {
            for edge in self.incoming[location].clone() {
                let Precondition::Literal(literal) = self.precondition(edge, predicate)? else {
                    continue;
                };
                let source = self.cfa.edges[edge].source;
                let known = &mut inferred.at[source];
                if known.contains(&literal.predicate) || known.len() >= self.limits.predicates {
                    continue;
                }
                known.push(literal.predicate);
                open.push_back((source, literal.predicate));
            }
        }
        let inferred = Rc::new(inferred);
        self.inferred.insert(candidate, Rc::clone(&inferred));
        Ok(inferred)
    }

    /// Where a candidate's predicates come from.
    fn seeds(&mut self, candidate: Candidate) -> Vec<(LocationId, TermId)> {
        match candidate {
            Candidate::Returns => self.return_seeds(),
            Candidate::Condition(location) => match &self.cfa.locations[location].label {
                Label::Branch { condition } => vec![(location, *condition)],
                Label::Assign(transformer) => self
                    .assumed_of_state(transformer)
                    .into_iter()
                    .map(|term| (location, term))
                    .collect(),
                _ => Vec::new(),
            },
            Candidate::Guard(location, alternative) => match self.cfa.locations[location].label.clone() {
                Label::Call(site) => vec![(location, self.cfa.guard_at(&site, alternative.into()))],
                _ => Vec::new(),
            },
            Candidate::Found(index) => self.found.get(index as usize).cloned().unwrap_or_default(),
        }
    }

    fn return_seeds(&mut self) -> Vec<(LocationId, TermId)> {
        let mut seeds = Vec::new();
        let locations: Vec<LocationId> = self.cfa.locations.keys().collect();
        for location in locations {
            if let Label::Return(Some(value)) = self.cfa.locations[location].label {
                for (number, _) in self.own.values.clone() {
                    seeds.extend(self.cfa.equals_return(value, number).map(|term| (location, term)));
                }
            }
        }
        seeds
    }
}
