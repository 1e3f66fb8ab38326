//! Loops that a counter bounds by a constant, written out: `for (i = 0; i < 3; i++)` becomes three rounds in a row.
//!
//! A predicate abstraction of such a loop would need a predicate for each value of the counter, and one refinement for each,
//! to learn what constants say already. Which element of an array a round works on is a number then, too.
//!
//! A *counter* is a variable that is only ever given numbers and what a step makes of its own value, and that has few values
//! in all. States become pairs of a state and the values of the counters that are read later. The branch that ends the loop
//! stays, for traces, but its condition is a constant.
//!
//! Invariants:
//! - Executions are the same before and after.
//! - Copies of a state are known as such ([`Cfa::representative`]): a candidate is about all of them.

use std::collections::VecDeque;
use std::rc::Rc;

use cranelift_entity::{PrimaryMap, SecondaryMap};
use indexmap::IndexMap;
use lariat_term::{Substitution, TermId, TermPool, VarId};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::specialise::after;
use super::{Cfa, Label, LocationId, Transformer};

/// The most values of a counter.
const MAX_VALUES: usize = 100;
/// A variable with fewer is no counter.
const MIN_VALUES: usize = 3;
/// The most states of the automaton with its loops written out.
const MAX_LOCATIONS: usize = 4_000;

/// Values of counters at a state, by variable.
type Known = Vec<(VarId, TermId)>;

/// Copies of states, in the order in which they are found.
type Copies = IndexMap<(LocationId, Known), LocationId, FxBuildHasher>;

impl Cfa {
    /// The automaton with loops of a constant number of rounds written out, as many of them as are small enough.
    pub(super) fn unroll(mut self) -> Cfa {
        let mut counters = self.counters();
        while !counters.is_empty() {
            if let Some(unrolled) = self.unrolled(&counters) {
                return unrolled;
            }
            counters.pop();
        }
        self
    }

    /// The first of the copies of a state, which stands for all of them.
    pub fn representative(&self, location: LocationId) -> LocationId {
        self.copies.get(&location).map_or(location, |all| all[0])
    }

    /// All copies of a state.
    pub fn copies_of(&self, location: LocationId) -> Rc<[LocationId]> {
        match self.copies.get(&location) {
            Some(all) => Rc::clone(all),
            None => Rc::from([location]),
        }
    }

    /// Those with the fewest values first.
    fn counters(&mut self) -> Vec<VarId> {
        let mut steps_itself: FxHashSet<VarId> = FxHashSet::default();
        let mut depends: FxHashSet<VarId> = FxHashSet::default();
        let mut assigned: Vec<VarId> = Vec::new();
        for edge in self.edges.values() {
            for &(var, term) in &edge.transformer.assignments {
                let read = self.pool.free_vars(&[term]);
                assigned.push(var);
                if read.contains(&var) {
                    steps_itself.insert(var);
                }
                if read.iter().any(|&other| other != var) {
                    depends.insert(var);
                }
            }
        }
        assigned.sort_unstable();
        assigned.dedup();
        assigned.retain(|var| steps_itself.contains(var) && !depends.contains(var));
        let mut counters: Vec<(usize, VarId)> = Vec::new();
        for var in assigned {
            if let Some(count) = self.value_count(var).filter(|&count| count >= MIN_VALUES) {
                counters.push((count, var));
            }
        }
        counters.sort_unstable();
        counters.into_iter().map(|(_, var)| var).collect()
    }

    /// How many values a variable has, as far as it has known ones; `None` if there are too many.
    fn value_count(&mut self, var: VarId) -> Option<usize> {
        let mut values: FxHashSet<TermId> = FxHashSet::default();
        let mut seen: FxHashSet<(LocationId, Option<TermId>)> = FxHashSet::default();
        let mut open = VecDeque::from([(self.initial, None)]);
        while let Some((location, value)) = open.pop_front() {
            if !seen.insert((location, value)) {
                continue;
            }
            values.extend(value);
            if values.len() > MAX_VALUES {
                return None;
            }
            let known = value.map(|value| (var, value)).into_iter().collect();
            for &edge in &self.outgoing[location] {
                let edge = &self.edges[edge];
                if let Some(after) = after(&mut self.pool, &known, &edge.transformer) {
                    open.push_back((edge.target, after.get(&var).copied()));
                }
            }
        }
        Some(values.len())
    }

    /// `None` if it is too large.
    fn unrolled(&mut self, counters: &[VarId]) -> Option<Cfa> {
        let live = self.live(counters);
        let mut cfa = Cfa {
            locations: PrimaryMap::new(),
            edges: PrimaryMap::new(),
            outgoing: SecondaryMap::new(),
            ..self.clone()
        };
        let mut copies: Copies = Copies::default();
        cfa.initial = self.copy(&mut cfa, &mut copies, (self.initial, Known::new()));
        let mut next = 0;
        while let Some(((location, known), &own)) = copies.get_index(next) {
            next += 1;
            if next > MAX_LOCATIONS {
                return None;
            }
            let (location, known) = (*location, known.iter().copied().collect());
            for &edge in &self.outgoing[location] {
                let edge = &self.edges[edge];
                let Some(after) = after(&mut cfa.pool, &known, &edge.transformer) else {
                    continue;
                };
                let mut after: Known = after
                    .into_iter()
                    .filter(|(var, _)| counters.contains(var) && live[edge.target].contains(var))
                    .collect();
                after.sort_unstable();
                let mut values: Substitution = known.iter().map(|(&var, &value)| (var, value)).collect();
                let mut copy = edge.clone();
                copy.source = own;
                copy.target = self.copy(&mut cfa, &mut copies, (edge.target, after));
                copy.transformer = substituted(&mut cfa.pool, &mut values, &edge.transformer);
                let copy = cfa.edges.push(copy);
                cfa.outgoing[own].push(copy);
            }
        }
        let mut of_original: FxHashMap<LocationId, Vec<LocationId>> = FxHashMap::default();
        for ((original, _), &copy) in &copies {
            of_original.entry(*original).or_default().push(copy);
        }
        for mut all in of_original.into_values() {
            // One that is decided stands for others only if all are.
            all.sort_by_key(|&copy| (cfa.is_decided(copy), copy));
            let all: Rc<[LocationId]> = all.into();
            cfa.copies.extend(all.iter().map(|&copy| (copy, Rc::clone(&all))));
        }
        Some(cfa)
    }

    fn is_decided(&self, location: LocationId) -> bool {
        match self.locations[location].label {
            Label::Branch { condition } => self.pool.as_bool(condition).is_some(),
            _ => false,
        }
    }

    /// The copy of a state for some values.
    fn copy(&self, cfa: &mut Cfa, copies: &mut Copies, key: (LocationId, Known)) -> LocationId {
        if let Some(&known) = copies.get(&key) {
            return known;
        }
        let mut values: Substitution = key.1.iter().copied().collect();
        let mut location = self.locations[key.0].clone();
        match &mut location.label {
            Label::Assign(transformer) => {
                *transformer = substituted(&mut cfa.pool, &mut values, transformer);
            }
            Label::Branch { condition } => *condition = values.apply(&mut cfa.pool, *condition),
            Label::Call(site) => {
                for argument in &mut site.arguments {
                    *argument = values.apply(&mut cfa.pool, *argument);
                }
            }
            Label::Return(Some(value)) => *value = values.apply(&mut cfa.pool, *value),
            Label::Return(None) | Label::Goto | Label::Halt | Label::Fail(_) => {}
        }
        let new = cfa.locations.push(location);
        copies.insert(key, new);
        new
    }

    /// The counters that are read at a state or later, before they are assigned.
    fn live(&self, counters: &[VarId]) -> SecondaryMap<LocationId, FxHashSet<VarId>> {
        let read = |terms: &[TermId]| -> FxHashSet<VarId> {
            let vars = self.pool.free_vars(terms);
            counters
                .iter()
                .copied()
                .filter(|var| vars.contains(var))
                .collect()
        };
        let mut live: SecondaryMap<LocationId, FxHashSet<VarId>> = SecondaryMap::new();
        for (location, data) in self.locations.iter() {
            live[location] = match &data.label {
                Label::Call(site) => {
                    let alternatives = self.routines[site.routine].alternatives.iter();
                    let guards = alternatives.map(|alternative| alternative.guard);
                    read(&guards.chain(site.arguments.iter().copied()).collect::<Vec<_>>())
                }
                Label::Return(value) => read(value.as_slice()),
                Label::Branch { condition } => read(&[*condition]),
                _ => FxHashSet::default(),
            };
        }
        let reads: Vec<FxHashSet<VarId>> = self
            .edges
            .values()
            .map(|edge| {
                let assigned = edge.transformer.assignments.iter().map(|&(_, term)| term);
                read(&assigned.chain([edge.transformer.assumption]).collect::<Vec<_>>())
            })
            .collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (edge, read) in self.edges.values().zip(&reads) {
                let is_assigned = |var: &VarId| {
                    let mut assignments = edge.transformer.assignments.iter();
                    assignments.any(|(assigned, _)| assigned == var)
                };
                let later = live[edge.target].iter().copied();
                let later: Vec<VarId> = later.filter(|var| !is_assigned(var)).collect();
                for var in later.into_iter().chain(read.iter().copied()) {
                    has_changed |= live[edge.source].insert(var);
                }
            }
        }
        live
    }
}

fn substituted(pool: &mut TermPool, values: &mut Substitution, transformer: &Transformer) -> Transformer {
    Transformer {
        inputs: transformer.inputs.clone(),
        assumption: values.apply(pool, transformer.assumption),
        assignments: transformer
            .assignments
            .iter()
            .map(|&(var, term)| (var, values.apply(pool, term)))
            .collect(),
    }
}
