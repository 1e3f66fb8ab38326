//! Actions ([Magic04] §3.1) and alphabets.
//!
//! Invariants: equal actions of one table have equal ids; [`ActionTable::TAU`] is τ in every
//! table; an [`Alphabet`] is sorted, without repetition and without τ. An action's `Display` is
//! the text that [`ActionTable::named`] reads back.

use std::fmt;

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

/// An action of an [`ActionTable`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(u32);
entity_impl!(ActionId, "action");

/// RetVal(r) of a return action r.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReturnValue {
    Void,
    Int(i128),
}

/// What a system can be seen to do, and τ.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// An internal step, invisible from outside.
    Tau,
    /// Anything visible that is not a return, such as `lock` or `send.3`.
    Basic(Box<str>),
    /// The end of a procedure with its value.
    Return(ReturnValue),
}

impl Action {
    fn named(text: &str) -> Action {
        if matches!(text, "tau" | "τ") {
            return Action::Tau;
        }
        let value = text
            .strip_prefix("return{")
            .and_then(|rest| rest.strip_suffix('}'))
            .map(str::trim);
        match value {
            Some("") => Action::Return(ReturnValue::Void),
            Some(digits) => match digits.parse() {
                Ok(value) => Action::Return(ReturnValue::Int(value)),
                Err(_) => Action::Basic(text.into()),
            },
            None => Action::Basic(text.into()),
        }
    }

    pub fn return_value(&self) -> Option<ReturnValue> {
        match self {
            Action::Return(value) => Some(*value),
            Action::Tau | Action::Basic(_) => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Tau => f.write_str("tau"),
            Action::Basic(name) => f.write_str(name),
            Action::Return(ReturnValue::Void) => f.write_str("return{}"),
            Action::Return(ReturnValue::Int(value)) => write!(f, "return{{{value}}}"),
        }
    }
}

/// All actions of one question, interned.
#[derive(Clone, Debug)]
pub struct ActionTable {
    actions: PrimaryMap<ActionId, Action>,
    ids: FxHashMap<Action, ActionId>,
}

impl ActionTable {
    pub const TAU: ActionId = ActionId(0);

    pub fn new() -> Self {
        let mut table = ActionTable {
            actions: PrimaryMap::new(),
            ids: FxHashMap::default(),
        };
        table.intern(Action::Tau);
        table
    }

    fn intern(&mut self, action: Action) -> ActionId {
        if let Some(&id) = self.ids.get(&action) {
            return id;
        }
        let id = self.actions.push(action.clone());
        self.ids.insert(action, id);
        id
    }

    /// The action with this name; `tau`, `return{}` and `return{5}` are the special ones.
    pub fn named(&mut self, text: &str) -> ActionId {
        self.intern(Action::named(text))
    }

    pub fn returning(&mut self, value: ReturnValue) -> ActionId {
        self.intern(Action::Return(value))
    }

    /// The action with this name if any system has mentioned it.
    pub fn find(&self, text: &str) -> Option<ActionId> {
        self.ids.get(&Action::named(text)).copied()
    }

    pub fn name(&self, action: ActionId) -> String {
        self.actions[action].to_string()
    }

    /// The names of a trace, in its order.
    pub fn names(&self, trace: &[ActionId]) -> Vec<String> {
        trace.iter().map(|&action| self.name(action)).collect()
    }

    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Never: every table has τ.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}

impl Default for ActionTable {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Index<ActionId> for ActionTable {
    type Output = Action;

    fn index(&self, action: ActionId) -> &Action {
        &self.actions[action]
    }
}

impl ActionId {
    pub fn is_tau(self) -> bool {
        self == ActionTable::TAU
    }
}

/// Act of Definition 1: a set of visible actions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Alphabet {
    sorted: Vec<ActionId>,
}

impl Alphabet {
    pub fn contains(&self, action: ActionId) -> bool {
        self.sorted.binary_search(&action).is_ok()
    }

    pub fn iter(&self) -> impl Iterator<Item = ActionId> {
        self.sorted.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// Act ∪ Act′.
    pub fn union(&self, other: &Alphabet) -> Alphabet {
        self.iter().chain(other.iter()).collect()
    }

    /// The projection π↾Act of a trace (Definition 4).
    pub fn project(&self, trace: &[ActionId]) -> Vec<ActionId> {
        trace
            .iter()
            .copied()
            .filter(|&action| self.contains(action))
            .collect()
    }
}

impl FromIterator<ActionId> for Alphabet {
    fn from_iter<I: IntoIterator<Item = ActionId>>(actions: I) -> Self {
        let mut sorted: Vec<ActionId> = actions.into_iter().filter(|action| !action.is_tau()).collect();
        sorted.sort_unstable_by_key(|action| action.index());
        sorted.dedup();
        Alphabet { sorted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let mut table = ActionTable::new();
        for name in ["tau", "return{}", "return{-3}", "a.b.1", "return{x}"] {
            let id = table.named(name);
            assert_eq!(table.name(id), name);
            assert_eq!(table.find(name), Some(id));
        }
        assert_eq!(table.named("tau"), ActionTable::TAU);
        let five = table.returning(ReturnValue::Int(5));
        assert_eq!(table.named("return{ 5 }"), five);
        assert_eq!(table[five].return_value(), Some(ReturnValue::Int(5)));
    }
}
