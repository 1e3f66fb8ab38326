//! Branches of inlined calls that constants decide, such as arguments that are numbers: the side that is never taken is left
//! out. Branches of the component itself stay: the user wants to see them.
//!
//! Invariant: executions are the same before and after.

use std::collections::VecDeque;

use cranelift_entity::{PrimaryMap, SecondaryMap};
use lariat_term::{Substitution, TermId, TermPool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Cfa, EdgeId, EdgeKind, Label, LocationId, Transformer};

/// Variables that always have the same value at a state.
pub(super) type Constants = FxHashMap<VarId, TermId>;

impl Cfa {
    /// The automaton without the sides of branches that are never taken.
    pub(super) fn specialise(mut self) -> Cfa {
        let constants = self.constants();
        let mut never: FxHashSet<EdgeId> = FxHashSet::default();
        for (id, edge) in self.edges.iter() {
            let source = &self.locations[edge.source];
            if !matches!(source.label, Label::Branch { .. }) || source.depth == 0 {
                continue;
            }
            if let Some(known) = &constants[edge.source]
                && after(&mut self.pool, known, &edge.transformer).is_none()
            {
                never.insert(id);
            }
        }
        match never.is_empty() {
            true => self,
            false => self.without(&never),
        }
    }

    fn constants(&mut self) -> SecondaryMap<LocationId, Option<Constants>> {
        let mut at: SecondaryMap<LocationId, Option<Constants>> = SecondaryMap::new();
        at[self.initial] = Some(Constants::default());
        let mut open = VecDeque::from([self.initial]);
        while let Some(location) = open.pop_front() {
            let Some(known) = at[location].clone() else {
                continue;
            };
            for &edge in &self.outgoing[location] {
                let target = self.edges[edge].target;
                let Some(after) = after(&mut self.pool, &known, &self.edges[edge].transformer) else {
                    continue;
                };
                let changed = match &mut at[target] {
                    None => {
                        at[target] = Some(after);
                        true
                    }
                    Some(before) => {
                        let count = before.len();
                        before.retain(|var, value| after.get(var) == Some(value));
                        before.len() < count
                    }
                };
                if changed {
                    open.push_back(target);
                }
            }
        }
        at
    }

    /// What remains reachable without some edges, renumbered in the order of discovery.
    fn without(self, never: &FxHashSet<EdgeId>) -> Cfa {
        let mut cfa = Cfa {
            locations: PrimaryMap::new(),
            edges: PrimaryMap::new(),
            outgoing: SecondaryMap::new(),
            ..self
        };
        let mut number: FxHashMap<LocationId, LocationId> = FxHashMap::default();
        let mut order = vec![self.initial];
        cfa.initial = cfa.locations.push(self.locations[self.initial].clone());
        number.insert(self.initial, cfa.initial);
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            next += 1;
            let own = number[&old];
            let kept: Vec<EdgeId> = (self.outgoing[old].iter().copied())
                .filter(|edge| !never.contains(edge))
                .collect();
            let is_decided = kept.len() < self.outgoing[old].len();
            if is_decided {
                cfa.locations[own].label = match kept.is_empty() {
                    true => Label::Halt,
                    false => Label::Goto,
                };
            }
            for edge in kept {
                let mut edge = self.edges[edge].clone();
                let target = edge.target;
                edge.source = own;
                edge.target = *number.entry(target).or_insert_with(|| {
                    order.push(target);
                    cfa.locations.push(self.locations[target].clone())
                });
                if is_decided {
                    // The other side is never taken, so nothing is assumed here.
                    edge.kind = EdgeKind::Step;
                    edge.transformer = Transformer::identity(&mut cfa.pool);
                }
                let edge = cfa.edges.push(edge);
                cfa.outgoing[own].push(edge);
            }
        }
        cfa
    }
}

/// What is known after a step; `None` if it is never taken.
pub(super) fn after(pool: &mut TermPool, known: &Constants, transformer: &Transformer) -> Option<Constants> {
    let mut values: Substitution = known.iter().map(|(&var, &value)| (var, value)).collect();
    let assumption = values.apply(pool, transformer.assumption);
    if pool.as_bool(assumption) == Some(false) {
        return None;
    }
    let mut after = known.clone();
    for &(var, term) in &transformer.assignments {
        let value = values.apply(pool, term);
        if pool.is_value(value) {
            after.insert(var, value);
        } else {
            after.remove(&var);
        }
    }
    Some(after)
}
