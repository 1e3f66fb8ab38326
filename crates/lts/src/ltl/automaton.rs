//! What is left to hold after each position: a generalised Büchi automaton, built as far as it is needed.
//!
//! A state is a set of formulas that must hold from the next position on. Invariant: an infinite run is accepting iff every
//! until-formula is infinitely often not postponed.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::{FormulaId, Formulas, Node};

/// What one position asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// Propositions that hold there, and that do not, as bits.
    pub positive: u64,
    pub negative: u64,
    pub next: usize,
    /// The until-formulas whose second part is put off, by their numbers.
    pub postponed: Vec<usize>,
}

pub(super) struct Automaton<'f> {
    formulas: &'f Formulas,
    states: IndexSet<BTreeSet<FormulaId>>,
    moves: Vec<Option<Vec<Move>>>,
    untils: IndexSet<FormulaId>,
}

/// A set of formulas in the making.
#[derive(Clone, Default)]
struct Expansion {
    open: Vec<FormulaId>,
    done: BTreeSet<FormulaId>,
    positive: u64,
    negative: u64,
    next: BTreeSet<FormulaId>,
    postponed: BTreeSet<FormulaId>,
}

impl<'f> Automaton<'f> {
    /// The initial state is 0: this formula holds at the first position.
    pub fn new(formulas: &'f Formulas, formula: FormulaId) -> Self {
        Automaton {
            formulas,
            states: IndexSet::from([BTreeSet::from([formula])]),
            moves: vec![None],
            untils: IndexSet::new(),
        }
    }

    /// How many until-formulas have been postponed anywhere.
    pub fn until_count(&self) -> usize {
        self.untils.len()
    }

    pub fn moves(&mut self, state: usize) -> &[Move] {
        if self.moves[state].is_none() {
            let found = self.expand(state);
            self.moves[state] = Some(found);
        }
        self.moves[state].as_deref().unwrap_or_default()
    }

    fn expand(&mut self, state: usize) -> Vec<Move> {
        let start = Expansion {
            open: self.states[state].iter().copied().collect(),
            ..Expansion::default()
        };
        let (mut expansions, mut found) = (vec![start], Vec::new());
        while let Some(mut expansion) = expansions.pop() {
            let Some(formula) = expansion.open.pop() else {
                let own = self.finished(expansion);
                if !found.contains(&own) {
                    found.push(own);
                }
                continue;
            };
            if !expansion.done.insert(formula) {
                expansions.push(expansion);
                continue;
            }
            match self.formulas.node(formula) {
                Node::Constant(false) => continue,
                Node::Constant(true) => {}
                Node::Literal(number, value) => {
                    let bit = 1_u64 << number;
                    match value {
                        true => expansion.positive |= bit,
                        false => expansion.negative |= bit,
                    }
                    if expansion.positive & expansion.negative != 0 {
                        continue;
                    }
                }
                Node::And(one, other) => expansion.open.extend([one, other]),
                Node::Or(one, other) => {
                    let mut second = expansion.clone();
                    second.open.push(other);
                    expansions.push(second);
                    expansion.open.push(one);
                }
                Node::Next(later) => {
                    expansion.next.insert(later);
                }
                Node::Until(one, other) => {
                    let mut later = expansion.clone();
                    later.open.push(one);
                    later.next.insert(formula);
                    later.postponed.insert(formula);
                    expansions.push(later);
                    expansion.open.push(other);
                }
                Node::Release(one, other) => {
                    let mut later = expansion.clone();
                    later.open.push(other);
                    later.next.insert(formula);
                    expansions.push(later);
                    expansion.open.extend([one, other]);
                }
            }
            expansions.push(expansion);
        }
        found
    }

    fn finished(&mut self, expansion: Expansion) -> Move {
        let (next, is_new) = self.states.insert_full(expansion.next);
        if is_new {
            self.moves.push(None);
        }
        let postponed = expansion.postponed.into_iter();
        Move {
            positive: expansion.positive,
            negative: expansion.negative,
            next,
            postponed: postponed.map(|until| self.untils.insert_full(until).0).collect(),
        }
    }
}
