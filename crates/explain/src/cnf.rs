//! Conjunctive normal form by distribution, with limits.
//!
//! A clause is a sorted list of literals without a complementary pair; no clause of a set is part of another.

use lariat_term::{TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::atoms::{Shape, Signed, shape};

pub(crate) type Clause = Vec<TermId>;

/// The clauses of a formula; literals that `keep` refuses count as false. `None` if there are too many.
pub(crate) fn clauses(
    pool: &mut TermPool,
    formula: TermId,
    max_clauses: usize,
    keep: impl Fn(TermId) -> bool,
) -> Option<Vec<Clause>> {
    let mut done: FxHashMap<Signed, Vec<Clause>> = FxHashMap::default();
    let mut stack = vec![((formula, true), false)];
    while let Some(((term, positive), expanded)) = stack.pop() {
        if done.contains_key(&(term, positive)) {
            continue;
        }
        let args = pool.args(term).to_vec();
        let of = |signed: Signed| &done[&signed];
        let needed: Vec<Signed> = match shape(pool, term) {
            Shape::Constant(_) | Shape::Atom => Vec::new(),
            Shape::Not => vec![(args[0], !positive)],
            Shape::And | Shape::Or => args.iter().map(|&arg| (arg, positive)).collect(),
            Shape::Ite => vec![
                (args[0], true),
                (args[0], false),
                (args[1], positive),
                (args[2], positive),
            ],
            Shape::Iff => vec![
                (args[0], true),
                (args[0], false),
                (args[1], true),
                (args[1], false),
            ],
        };
        if !expanded && !needed.is_empty() {
            stack.push(((term, positive), true));
            stack.extend(needed.into_iter().map(|signed| (signed, false)));
            continue;
        }
        let result = match (shape(pool, term), positive) {
            (Shape::Constant(value), _) if value == positive => Vec::new(),
            (Shape::Constant(_), _) => vec![Vec::new()],
            (Shape::Atom, _) => {
                let literal = if positive { term } else { pool.not(term) };
                vec![if keep(literal) { vec![literal] } else { Vec::new() }]
            }
            (Shape::Not, _) => of((args[0], !positive)).clone(),
            (Shape::And, true) | (Shape::Or, false) => {
                let mut all = Vec::new();
                for arg in args {
                    all.extend(of((arg, positive)).iter().cloned());
                    if all.len() > 4 * max_clauses {
                        return None;
                    }
                }
                without_subsumed(all)
            }
            (Shape::Or, true) | (Shape::And, false) => {
                let mut all = vec![Vec::new()];
                for arg in args {
                    all = product(pool, &all, of((arg, positive)), max_clauses)?;
                }
                all
            }
            // (¬c ∨ a) ∧ (c ∨ b)
            (Shape::Ite, _) => {
                let then = product(pool, of((args[0], false)), of((args[1], positive)), max_clauses)?;
                let otherwise = product(pool, of((args[0], true)), of((args[2], positive)), max_clauses)?;
                without_subsumed(then.into_iter().chain(otherwise).collect())
            }
            // (¬a ∨ b) ∧ (a ∨ ¬b)
            (Shape::Iff, _) => {
                let one = product(pool, of((args[0], false)), of((args[1], positive)), max_clauses)?;
                let other = product(pool, of((args[0], true)), of((args[1], !positive)), max_clauses)?;
                without_subsumed(one.into_iter().chain(other).collect())
            }
        };
        if result.len() > max_clauses {
            return None;
        }
        done.insert((term, positive), result);
    }
    done.remove(&(formula, true))
}

/// `(a ∧ b) ∨ (c ∧ d) = (a ∨ c) ∧ (a ∨ d) ∧ (b ∨ c) ∧ (b ∨ d)`
fn product(pool: &mut TermPool, a: &[Clause], b: &[Clause], max_clauses: usize) -> Option<Vec<Clause>> {
    if a.len().saturating_mul(b.len()) > 16 * max_clauses {
        return None;
    }
    let mut all = Vec::with_capacity(a.len() * b.len());
    for left in a {
        for right in b {
            let mut clause: Clause = left.iter().chain(right).copied().collect();
            clause.sort_unstable();
            clause.dedup();
            let is_tautology = clause.iter().any(|&literal| {
                let opposite = pool.not(literal);
                clause.binary_search(&opposite).is_ok()
            });
            if !is_tautology {
                all.push(clause);
            }
        }
    }
    let all = without_subsumed(all);
    (all.len() <= max_clauses).then_some(all)
}

/// Drops clauses that contain another one.
pub(crate) fn without_subsumed(mut clauses: Vec<Clause>) -> Vec<Clause> {
    clauses.sort_by_key(Vec::len);
    let mut kept: Vec<Clause> = Vec::new();
    for clause in clauses {
        let contains = |part: &Clause| part.iter().all(|literal| clause.binary_search(literal).is_ok());
        if !kept.iter().any(contains) {
            kept.push(clause);
        }
    }
    kept
}

pub(crate) fn conjunction(pool: &mut TermPool, clauses: &[Clause]) -> TermId {
    let clauses: Vec<TermId> = clauses.iter().map(|clause| pool.or(clause)).collect();
    pool.and(&clauses)
}
