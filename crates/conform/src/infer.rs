//! PredInfer (Fig. 5): the predicates P_s that a candidate yields at each state of the automaton.
//!
//! P_s of a set of candidates is the union of those of its members: each is computed once, and the union is taken for each
//! set that is tried.
//!
//! Deviations from Fig. 5:
//! - At a call-site x = lib(…), predicates over x do not go through unchanged: their preconditions for each value that the
//!   routine returns do.
//! - Guards of procedure abstractions and assumptions are candidates like branches, and so are predicates that refinement
//!   finds at single states; these stay where they were found.

use std::collections::VecDeque;
use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use indexmap::IndexMap;
use lariat_lts::Stopped;
use lariat_term::{Op, TermId, VarId};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::cfa::{Cfa, Label, LocationId, Transformer};
use crate::component::{Component, Precondition};
use crate::predicates::{Formula, PredicateId, compared_with_literal};

/// Something whose predicates an abstraction may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Candidate {
    /// e == RetVal(r) for every return and every return action of the specification: always used.
    Returns,
    /// The condition of a branch, or the assumption of an assignment.
    Condition(LocationId),
    /// The conditions of all branches that compare the same expression with a number as this one, the first of them.
    Comparisons(LocationId),
    /// The guard of an alternative at a call-site.
    Guard(LocationId, u16),
    /// Predicates at single states, found by a refinement: see [`Component::add_found`].
    Found(u32),
}

/// The most predicates of growing size that a candidate yields at one state: more would come from unrolling a loop, without
/// end.
const MAX_GROWING: usize = 3;

/// The predicates at each state.
#[derive(Clone, Debug, Default)]
pub struct Inferred {
    pub at: SecondaryMap<LocationId, Vec<PredicateId>>,
}

impl Component {
    /// All candidates of the program itself, in the order of the automaton.
    pub fn candidates(&self) -> Rc<[Candidate]> {
        let known = self.candidates.get_or_init(|| self.find_candidates().into());
        Rc::clone(known)
    }

    /// The candidates with an expression of one of these. Only those are looked at whose conditions have a variable in common
    /// with theirs.
    pub fn sharing_expressions(&mut self, members: &[Candidate]) -> Result<Vec<Candidate>, Stopped> {
        if self.by_variable.is_empty() {
            for &candidate in self.candidates().iter() {
                for var in self.condition_variables(candidate) {
                    self.by_variable.entry(var).or_default().push(candidate);
                }
            }
        }
        let mut related = Vec::new();
        let mut theirs: FxHashSet<PredicateId> = FxHashSet::default();
        for &member in members {
            theirs.extend(self.expressions(member)?.iter());
            for var in self.condition_variables(member) {
                let same = self.by_variable.get(&var).into_iter().flatten();
                related.extend(same.copied());
            }
        }
        related.sort_unstable();
        related.dedup();
        let mut sharing = Vec::new();
        for candidate in related {
            if self
                .expressions(candidate)?
                .iter()
                .any(|own| theirs.contains(own))
            {
                sharing.push(candidate);
            }
        }
        Ok(sharing)
    }

    fn condition_variables(&mut self, candidate: Candidate) -> Vec<VarId> {
        let terms: Vec<TermId> = self.seeds(candidate).into_iter().map(|(_, term)| term).collect();
        let mut vars: Vec<VarId> = self.cfa.pool.free_vars(&terms).into_iter().collect();
        vars.sort_unstable();
        vars
    }

    fn find_candidates(&self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (location, data) in self.cfa.locations.iter() {
            if self.cfa.representative(location) != location {
                continue;
            }
            match &data.label {
                Label::Branch { condition } if self.cfa.pool.as_bool(*condition).is_some() => {}
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

    /// What a refinement chooses from. Branches that compare the same expression with numbers are one choice: together they
    /// are one predicate with several values (§9.1.2) and are seldom useful alone.
    pub fn choices(&self) -> Vec<Candidate> {
        let mut choices: Vec<Candidate> = self.candidates().iter().map(|&own| self.choice_of(own)).collect();
        let mut seen = FxHashSet::default();
        choices.retain(|&choice| seen.insert(choice));
        choices
    }

    /// The choice that a candidate is part of.
    pub fn choice_of(&self, candidate: Candidate) -> Candidate {
        match candidate {
            Candidate::Condition(location) => match self.comparisons.get(&location) {
                Some(all) if all.len() > 1 => Candidate::Comparisons(all[0]),
                _ => candidate,
            },
            _ => candidate,
        }
    }

    /// How many branches, assumptions and guards a candidate consists of; predicates that were found are one.
    pub fn branch_count(&self, candidate: Candidate) -> usize {
        match candidate {
            Candidate::Comparisons(location) => self.comparisons.get(&location).map_or(0, |all| all.len()),
            _ => 1,
        }
    }

    /// Whether a candidate is the assumption of an assignment, and not a case of a switch.
    pub fn is_assumption(&self, candidate: Candidate) -> bool {
        match candidate {
            Candidate::Condition(location) => {
                matches!(self.cfa.locations[location].label, Label::Assign(_))
                    && !self.cases.contains(&location)
            }
            _ => false,
        }
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

    /// The predicates of a set of candidates at some states.
    pub fn infer(&mut self, candidates: &[Candidate], locations: &[LocationId]) -> Result<Inferred, Stopped> {
        let mut all = Inferred::default();
        for &candidate in [Candidate::Returns].iter().chain(candidates) {
            let one = self.infer_one(candidate)?;
            for &location in locations {
                all.at[location].extend_from_slice(&one.at[location]);
            }
        }
        for &location in locations {
            all.at[location].sort_unstable();
            all.at[location].dedup();
        }
        Ok(all)
    }

    pub fn infer_one(&mut self, candidate: Candidate) -> Result<Rc<Inferred>, Stopped> {
        if let Some(known) = self.inferred.get(&candidate) {
            return Ok(Rc::clone(known));
        }
        if let Candidate::Comparisons(location) = candidate {
            return self.infer_comparisons(location);
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
                let known = &inferred.at[source];
                if known.contains(&literal.predicate) || known.len() >= self.limits.predicates {
                    continue;
                }
                let size = self.size(self.predicates.term(literal.predicate));
                let sizes: Vec<usize> = (inferred.at[source].iter())
                    .map(|&known| self.size(self.predicates.term(known)))
                    .collect();
                // A loop makes them larger each time.
                if sizes.len() >= MAX_GROWING && sizes.iter().all(|&known| known < size) {
                    continue;
                }
                inferred.at[source].push(literal.predicate);
                open.push_back((source, literal.predicate));
            }
        }
        let inferred = Rc::new(inferred);
        self.inferred.insert(candidate, Rc::clone(&inferred));
        Ok(inferred)
    }

    /// The expressions that a candidate brings in, anywhere.
    pub fn expressions(&mut self, candidate: Candidate) -> Result<Rc<[PredicateId]>, Stopped> {
        if let Some(known) = self.expressions.get(&candidate) {
            return Ok(Rc::clone(known));
        }
        let inferred = self.infer_one(candidate)?;
        let mut expressions: Vec<PredicateId> = inferred.at.values().flatten().copied().collect();
        expressions.sort_unstable();
        expressions.dedup();
        let expressions: Rc<[PredicateId]> = expressions.into();
        self.expressions.insert(candidate, Rc::clone(&expressions));
        Ok(expressions)
    }

    /// The predicates of several branches together.
    fn infer_comparisons(&mut self, location: LocationId) -> Result<Rc<Inferred>, Stopped> {
        let members: Vec<LocationId> = self
            .comparisons
            .get(&location)
            .map_or(Vec::new(), |all| all.to_vec());
        let mut together = Inferred::default();
        for member in members {
            let one = self.infer_one(Candidate::Condition(member))?;
            for (location, predicates) in one.at.iter() {
                together.at[location].extend_from_slice(predicates);
            }
        }
        for predicates in together.at.values_mut() {
            predicates.sort_unstable();
            predicates.dedup();
        }
        let together = Rc::new(together);
        self.inferred
            .insert(Candidate::Comparisons(location), Rc::clone(&together));
        Ok(together)
    }

    /// Where a candidate's predicates come from, at all copies of its state; none if it consists of others.
    fn seeds(&mut self, candidate: Candidate) -> Vec<(LocationId, TermId)> {
        let mut seeds = Vec::new();
        match candidate {
            Candidate::Returns => return self.return_seeds(),
            Candidate::Condition(location) => {
                for &copy in self.cfa.copies_of(location).iter() {
                    match &self.cfa.locations[copy].label {
                        Label::Branch { condition } => seeds.push((copy, *condition)),
                        Label::Assign(transformer) => {
                            let assumed = self.assumed_of_state(transformer).into_iter();
                            seeds.extend(assumed.map(|term| (copy, term)));
                        }
                        _ => {}
                    }
                }
            }
            Candidate::Comparisons(_) => {}
            Candidate::Guard(location, alternative) => {
                for &copy in self.cfa.copies_of(location).iter() {
                    if let Label::Call(site) = self.cfa.locations[copy].label.clone() {
                        seeds.push((copy, self.cfa.guard_at(&site, alternative.into())));
                    }
                }
            }
            Candidate::Found(index) => return self.found.get(index as usize).cloned().unwrap_or_default(),
        }
        seeds
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

/// For each branch that compares an expression with a number all that compare the same expression, in their order. A case of
/// a switch is a branch, too.
pub(crate) fn comparisons(cfa: &Cfa) -> FxHashMap<LocationId, Rc<[LocationId]>> {
    let cases = cases(cfa);
    let mut by_expression: IndexMap<TermId, Vec<LocationId>, FxBuildHasher> = IndexMap::default();
    for (location, data) in cfa.locations.iter() {
        if cfa.representative(location) != location {
            continue;
        }
        let condition = match &data.label {
            Label::Branch { condition } => Some(*condition),
            Label::Assign(transformer) if cases.contains(&location) => {
                cfa.conjuncts(transformer.assumption).first().copied()
            }
            _ => None,
        };
        if let Some(expression) = condition.and_then(|condition| compared(cfa, condition)) {
            by_expression.entry(expression).or_default().push(location);
        }
    }
    let mut comparisons = FxHashMap::default();
    for all in by_expression.into_values() {
        let all: Rc<[LocationId]> = all.into();
        comparisons.extend(all.iter().map(|&location| (location, Rc::clone(&all))));
    }
    comparisons
}

/// What a condition or its negation compares with a number.
fn compared(cfa: &Cfa, condition: TermId) -> Option<TermId> {
    let positive = match (cfa.pool.op(condition), cfa.pool.args(condition)) {
        (Op::Not, &[negated]) => negated,
        _ => condition,
    };
    compared_with_literal(&cfa.pool, positive)
}

/// Where one of several ways starts by assuming something.
pub(crate) fn cases(cfa: &Cfa) -> FxHashSet<LocationId> {
    let mut cases = FxHashSet::default();
    for (location, data) in cfa.locations.iter() {
        if matches!(data.label, Label::Goto) && cfa.outgoing[location].len() > 1 {
            cases.extend(cfa.edges_of(location).map(|(_, edge)| edge.target));
        }
    }
    cases.retain(|&case| matches!(cfa.locations[case].label, Label::Assign(_)));
    cases
}
