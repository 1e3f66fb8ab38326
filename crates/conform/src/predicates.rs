//! Predicates, and those that are about the same expression.
//!
//! Invariants: a predicate and its negation are one [`PredicateId`], of the form that was met first; formulas that
//! are true or false in every state are not predicates.

use cranelift_entity::{PrimaryMap, entity_impl};
use lariat_lts::Stopped;
use lariat_term::{Op, TermId, TermPool};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::cfa::Cfa;
use crate::prover::Prover;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(u32);
entity_impl!(PredicateId, "p");

/// A predicate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    pub predicate: PredicateId,
    pub positive: bool,
}

/// What a formula is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Formula {
    /// True or false in every state.
    Constant(bool),
    Literal(Literal),
}

/// All predicates of a component.
#[derive(Debug, Default)]
pub struct Predicates {
    terms: PrimaryMap<PredicateId, TermId>,
    known: FxHashMap<TermId, Formula>,
}

impl Predicates {
    pub fn term(&self, predicate: PredicateId) -> TermId {
        self.terms[predicate]
    }

    /// The term that says that the predicate has this value.
    pub fn with_value(&self, pool: &mut TermPool, predicate: PredicateId, value: bool) -> TermId {
        let term = self.terms[predicate];
        if value { term } else { pool.not(term) }
    }

    pub fn formula(&mut self, cfa: &mut Cfa, prover: &mut Prover, term: TermId) -> Result<Formula, Stopped> {
        if let Some(&known) = self.known.get(&term) {
            return Ok(known);
        }
        let negated = cfa.pool.not(term);
        let (formula, opposite) = match prover.constant(cfa, term)? {
            Some(value) => (Formula::Constant(value), Formula::Constant(!value)),
            None => {
                let predicate = self.terms.push(term.min(negated));
                let literal = |positive| Formula::Literal(Literal { predicate, positive });
                (literal(term < negated), literal(negated < term))
            }
        };
        self.known.insert(term, formula);
        self.known.insert(negated, opposite);
        Ok(formula)
    }
}

/// A predicate with several values: mutually exclusive predicates on one expression (§9.1.2). Value i says that the i-th
/// holds; the value after the last says that none does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    pub predicates: SmallVec<[PredicateId; 2]>,
}

impl Group {
    /// Truth values as the value of the group.
    pub fn value(&self, holds: impl Fn(PredicateId) -> bool) -> u16 {
        let position = self.predicates.iter().position(|&predicate| holds(predicate));
        position.unwrap_or(self.predicates.len()) as u16
    }
}

/// The most predicates in one group.
const MAX_GROUP: usize = u16::MAX as usize - 1;

/// Groups of predicates, in the order in which their first members are given.
pub fn groups(pool: &TermPool, predicates: &Predicates, given: &[PredicateId]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut by_expression: FxHashMap<TermId, usize> = FxHashMap::default();
    for &predicate in given {
        let expression = compared_with_literal(pool, predicates.term(predicate));
        let known = expression.and_then(|expression| by_expression.get(&expression));
        match known {
            Some(&group) if groups[group].predicates.len() < MAX_GROUP => {
                groups[group].predicates.push(predicate);
            }
            _ => {
                if let Some(expression) = expression {
                    by_expression.insert(expression, groups.len());
                }
                groups.push(Group {
                    predicates: smallvec![predicate],
                });
            }
        }
    }
    groups
}

/// e of e == 3: two such with different numbers exclude each other.
pub fn compared_with_literal(pool: &TermPool, term: TermId) -> Option<TermId> {
    if pool.op(term) != Op::Eq {
        return None;
    }
    match *pool.args(term) {
        [left, right] if pool.is_value(right) => Some(left),
        [left, right] if pool.is_value(left) => Some(right),
        _ => None,
    }
}
