//! Linear temporal logic over actions, with fluents as in LTSA, and whether every execution of a system has such a property.
//!
//! ```text
//! Formula ─ automaton ─> which obligations are left after each action ─┐
//! Lts ─────────────────────────────────────────────────────────────────┴─ check ─> lasso: an execution without the property
//! ```
//!
//! - An execution is a path that does not end before it must. Its word has one position for each visible action, in their
//!   order; τ has none. Where an execution ends, or goes on with τ only, nothing happens any more: from then on no action
//!   holds, and every fluent keeps its value.
//! - An action holds at the positions where it happens. A fluent holds from an initiating action on, that position
//!   included, up to a terminating one.
//! - Under [`Fairness::Choice`] only executions count that take each transition infinitely often from whose source they
//!   pass infinitely often: they end up in a set of states that cannot be left, and do everything that can be done there.

mod automaton;
pub mod check;

use indexmap::IndexSet;

use crate::action::{ActionId, Alphabet};

pub use check::{Fairness, Lasso, find_violation};

/// What can hold at a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Proposition {
    /// One of these actions happens.
    Action(Alphabet),
    Fluent {
        initiating: Alphabet,
        terminating: Alphabet,
        initially: bool,
    },
}

impl Proposition {
    /// The actions that it depends on.
    pub fn alphabet(&self) -> Alphabet {
        match self {
            Proposition::Action(actions) => actions.clone(),
            Proposition::Fluent {
                initiating,
                terminating,
                ..
            } => initiating.union(terminating),
        }
    }

    /// Its value before the first position.
    fn at_start(&self) -> bool {
        matches!(self, Proposition::Fluent { initially: true, .. })
    }

    /// Its value at the next position, where this action happens; `None` where nothing happens any more.
    fn after(&self, before: bool, action: Option<ActionId>) -> bool {
        match (self, action) {
            (Proposition::Action(actions), Some(action)) => actions.contains(action),
            (Proposition::Action(_), None) => false,
            (Proposition::Fluent { .. }, None) => before,
            (
                Proposition::Fluent {
                    initiating,
                    terminating,
                    ..
                },
                Some(action),
            ) => initiating.contains(action) || (before && !terminating.contains(action)),
        }
    }
}

/// A formula of a [`Formulas`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormulaId(u32);

/// Formulas in negation normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Constant(bool),
    /// Whether the proposition of this number has this value.
    Literal(u32, bool),
    And(FormulaId, FormulaId),
    Or(FormulaId, FormulaId),
    Next(FormulaId),
    /// The second will hold, and the first until then.
    Until(FormulaId, FormulaId),
    /// The dual: the second holds up to where the first does, if it ever does.
    Release(FormulaId, FormulaId),
}

/// The most propositions of one formula.
pub const MAX_PROPOSITIONS: usize = 64;

/// Formulas over some propositions, interned. Each is made together with its negation, so that negating is free.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: IndexSet<Node>,
    negations: Vec<FormulaId>,
    propositions: IndexSet<Proposition>,
}

impl Formulas {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn propositions(&self) -> impl ExactSizeIterator<Item = &Proposition> {
        self.propositions.iter()
    }

    /// How many different formulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn node(&self, formula: FormulaId) -> Node {
        self.nodes[formula.0 as usize]
    }

    fn pair(&mut self, node: Node, negation: Node) -> FormulaId {
        let (own, _) = self.nodes.insert_full(node);
        let (other, _) = self.nodes.insert_full(negation);
        for (index, negated) in [(own, other), (other, own)] {
            if self.negations.len() <= index {
                self.negations.resize(index + 1, FormulaId(0));
            }
            self.negations[index] = FormulaId(negated as u32);
        }
        FormulaId(own as u32)
    }

    pub fn not(&self, formula: FormulaId) -> FormulaId {
        self.negations[formula.0 as usize]
    }

    pub fn constant(&mut self, value: bool) -> FormulaId {
        self.pair(Node::Constant(value), Node::Constant(!value))
    }

    /// `None` if there are too many propositions.
    pub fn proposition(&mut self, proposition: Proposition) -> Option<FormulaId> {
        let (number, _) = self.propositions.insert_full(proposition);
        let number = u32::try_from(number).ok()?;
        (self.propositions.len() <= MAX_PROPOSITIONS)
            .then(|| self.pair(Node::Literal(number, true), Node::Literal(number, false)))
    }

    pub fn and(&mut self, one: FormulaId, other: FormulaId) -> FormulaId {
        let negation = Node::Or(self.not(one), self.not(other));
        self.pair(Node::And(one, other), negation)
    }

    pub fn or(&mut self, one: FormulaId, other: FormulaId) -> FormulaId {
        let negation = Node::And(self.not(one), self.not(other));
        self.pair(Node::Or(one, other), negation)
    }

    pub fn implies(&mut self, one: FormulaId, other: FormulaId) -> FormulaId {
        let one = self.not(one);
        self.or(one, other)
    }

    pub fn next(&mut self, formula: FormulaId) -> FormulaId {
        let negation = Node::Next(self.not(formula));
        self.pair(Node::Next(formula), negation)
    }

    pub fn until(&mut self, one: FormulaId, other: FormulaId) -> FormulaId {
        let negation = Node::Release(self.not(one), self.not(other));
        self.pair(Node::Until(one, other), negation)
    }

    /// `one W other`: the first holds until the second does, or for ever.
    pub fn weak_until(&mut self, one: FormulaId, other: FormulaId) -> FormulaId {
        let either = self.or(one, other);
        let negation = Node::Until(self.not(other), self.not(either));
        self.pair(Node::Release(other, either), negation)
    }

    pub fn eventually(&mut self, formula: FormulaId) -> FormulaId {
        let always = self.constant(true);
        self.until(always, formula)
    }

    pub fn always(&mut self, formula: FormulaId) -> FormulaId {
        let negated = self.not(formula);
        let ever = self.eventually(negated);
        self.not(ever)
    }

    /// □◇: again and again.
    pub fn infinitely_often(&mut self, formula: FormulaId) -> FormulaId {
        let ever = self.eventually(formula);
        self.always(ever)
    }

    /// The actions that the propositions depend on.
    pub fn alphabet(&self) -> Alphabet {
        let alphabets = self.propositions.iter().map(Proposition::alphabet);
        alphabets.fold(Alphabet::default(), |all, own| all.union(&own))
    }
}
