//! GetAtoms: the literals of the negation normal form of a formula.

use lariat_term::{Op, Sort, TermId, TermPool};
use rustc_hash::FxHashSet;

/// The Boolean structure of a node of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Constant(bool),
    Not,
    And,
    Or,
    Ite,
    /// Equivalence.
    Iff,
    Atom,
}

pub(crate) fn shape(pool: &TermPool, term: TermId) -> Shape {
    match pool.op(term) {
        Op::Bool(value) => Shape::Constant(value),
        Op::Not => Shape::Not,
        Op::And => Shape::And,
        Op::Or => Shape::Or,
        Op::Ite => Shape::Ite,
        Op::Eq if *pool.sort(pool.sort_of(pool.args(term)[0])) == Sort::Bool => Shape::Iff,
        _ => Shape::Atom,
    }
}

/// A node of a formula or its negation.
pub(crate) type Signed = (TermId, bool);

/// The literals of a formula in the polarity that they have there, in the order in which a reader meets them.
pub(crate) fn literals(pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Signed> = FxHashSet::default();
    let mut stack = vec![(formula, true)];
    while let Some((term, positive)) = stack.pop() {
        if !seen.insert((term, positive)) {
            continue;
        }
        let args = pool.args(term).to_vec();
        match shape(pool, term) {
            Shape::Constant(_) => {}
            Shape::Not => stack.push((args[0], !positive)),
            Shape::And | Shape::Or => stack.extend(args.into_iter().rev().map(|arg| (arg, positive))),
            Shape::Ite => stack.extend([
                (args[2], positive),
                (args[1], positive),
                (args[0], false),
                (args[0], true),
            ]),
            Shape::Iff => {
                stack.extend([
                    (args[1], false),
                    (args[1], true),
                    (args[0], false),
                    (args[0], true),
                ]);
            }
            Shape::Atom => found.push(if positive { term } else { pool.not(term) }),
        }
    }
    found
}
