//! Conditions of assumptions and assertions, where open values may stay open.

use std::rc::Rc;

use super::code::{Action, Conjunct, Relation, Target};
use super::machine::{Halt, Machine};
use super::numbers::holds;
use super::value::{CellKind, OpenCell, Val};

/// Bounds beyond this are not kept: they would come near the ends of `i128`, which mean no bound.
const MAX_BOUND: i128 = 1 << 120;

/// What is done about an open value that decides a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Only look: nothing is chosen and nothing kept.
    LookAhead,
    /// Its range is narrowed such that the condition holds.
    Assume,
    /// Its range is narrowed such that the condition fails.
    Refute,
    /// It is chosen.
    Choose,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    True,
    False,
    /// For some values of the range and not for others.
    Either,
}

/// A restriction of a number.
#[derive(Clone, Copy, Debug)]
enum Bound {
    AtMost(i128),
    AtLeast(i128),
    Is(i128),
    IsNot(i128),
}

impl Bound {
    /// What `number relation limit` says of the number, or `limit relation number` if flipped.
    fn new(relation: Relation, limit: i128, flipped: bool) -> Bound {
        match (relation, flipped) {
            (Relation::Le, false) => Bound::AtMost(limit),
            (Relation::Lt, false) => Bound::AtMost(limit - 1),
            (Relation::Le, true) => Bound::AtLeast(limit),
            (Relation::Lt, true) => Bound::AtLeast(limit + 1),
            (Relation::Eq, _) => Bound::Is(limit),
            (Relation::Ne, _) => Bound::IsNot(limit),
        }
    }

    fn negated(self) -> Bound {
        match self {
            Bound::AtMost(limit) => Bound::AtLeast(limit + 1),
            Bound::AtLeast(limit) => Bound::AtMost(limit - 1),
            Bound::Is(limit) => Bound::IsNot(limit),
            Bound::IsNot(limit) => Bound::Is(limit),
        }
    }

    /// Of the values that the cell can have.
    fn truth(self, cell: &OpenCell) -> Truth {
        let (low, high) = (cell.low.get(), cell.high.get());
        let (always, never) = match self {
            Bound::AtMost(limit) => (high <= limit, low > limit),
            Bound::AtLeast(limit) => (low >= limit, high < limit),
            Bound::Is(limit) => (low == limit && high == limit, limit < low || limit > high),
            Bound::IsNot(limit) => (limit < low || limit > high, low == limit && high == limit),
        };
        match (always, never) {
            (true, _) => Truth::True,
            (_, true) => Truth::False,
            _ => Truth::Either,
        }
    }
}

/// What looking ahead says of a target.
enum Outlook {
    Impossible,
    /// This many of its first actions hold already and need not be executed.
    Possible {
        done: usize,
    },
    /// A conjunct cannot be decided without a choice.
    Undecided(usize, usize),
}

impl<'a> Machine<'a> {
    /// Whether all conjuncts hold; those behind the first that does not are not evaluated.
    pub(super) fn condition(&mut self, condition: &'a [Conjunct], purpose: Purpose) -> Result<bool, Halt> {
        for conjunct in condition {
            if self.conjunct(conjunct, purpose)? == Truth::False {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn conjunct(&mut self, conjunct: &'a Conjunct, purpose: Purpose) -> Result<Truth, Halt> {
        match conjunct {
            Conjunct::Compare(relation, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.compare(*relation, a, b, purpose)
            }
            Conjunct::Is(code, expected) => {
                let value = self.eval(code)?;
                self.compare(Relation::Eq, value, Val::Bool(*expected), purpose)
            }
        }
    }

    fn compare(&mut self, relation: Relation, a: Val, b: Val, purpose: Purpose) -> Result<Truth, Halt> {
        if let (Val::Int(a), Val::Int(b)) = (&a, &b) {
            return Ok(truth(relation.holds(a.cmp(b))));
        }
        let (a, b) = (known(a), known(b));
        if let (Val::Open(a), Val::Open(b)) = (&a, &b)
            && Rc::ptr_eq(a, b)
        {
            return Ok(truth(matches!(relation, Relation::Le | Relation::Eq)));
        }
        if purpose != Purpose::Choose {
            let restricted = match (&a, &b) {
                (Val::Open(cell), other) => limit(cell, other).map(|limit| (cell, limit, false)),
                (other, Val::Open(cell)) => limit(cell, other).map(|limit| (cell, limit, true)),
                _ => None,
            };
            if let Some((cell, limit, flipped)) = restricted {
                return Ok(self.restrict(cell, Bound::new(relation, limit, flipped), purpose));
            }
        }
        let (a, b) = (self.settled(a)?, self.settled(b)?);
        holds(&self.program.pool, relation, &a, &b).map(truth)
    }

    fn restrict(&mut self, cell: &OpenCell, bound: Bound, purpose: Purpose) -> Truth {
        match (bound.truth(cell), purpose) {
            (Truth::Either, Purpose::Assume) => {
                self.narrow(cell, bound);
                Truth::True
            }
            (Truth::Either, Purpose::Refute) => {
                self.narrow(cell, bound.negated());
                Truth::False
            }
            (decided, _) => decided,
        }
    }

    /// Some values of the range satisfy the bound.
    fn narrow(&mut self, cell: &OpenCell, bound: Bound) {
        let (low, high) = (cell.low.get(), cell.high.get());
        match bound {
            Bound::AtMost(limit) => cell.high.set(high.min(limit)),
            Bound::AtLeast(limit) => cell.low.set(low.max(limit)),
            Bound::Is(limit) => {
                cell.low.set(limit);
                cell.high.set(limit);
            }
            Bound::IsNot(limit) if limit == low => cell.low.set(limit + 1),
            Bound::IsNot(limit) if limit == high => cell.high.set(limit - 1),
            // A range has no holes, so one side is chosen.
            Bound::IsNot(limit) => match self.chooser.among(2) {
                0 => cell.low.set(limit + 1),
                _ => cell.high.set(limit - 1),
            },
        }
    }

    /// The target of a jump with several, and where to go on there; `None` if there is no way on.
    pub(super) fn choose_target(&mut self, targets: &'a [Target]) -> Result<Option<(Target, usize)>, Halt> {
        loop {
            let mut possible: Vec<(Target, usize)> = Vec::with_capacity(targets.len());
            let mut undecided = None;
            for &target in targets {
                match self.look_ahead(target)? {
                    Outlook::Impossible => continue,
                    Outlook::Possible { done } => possible.push((target, target.start + done)),
                    Outlook::Undecided(action, conjunct) => {
                        possible.push((target, target.start));
                        undecided.get_or_insert((action, conjunct));
                    }
                }
            }
            match (possible.as_slice(), undecided) {
                ([], _) => return Ok(None),
                (&[only], _) => return Ok(Some(only)),
                (_, Some((action, conjunct))) => {
                    // What it needs is chosen, then all are looked at again.
                    if let Action::Assume(condition) = &self.proc.actions[action] {
                        self.conjunct(&condition[conjunct], Purpose::Choose)?;
                    }
                }
                (several, None) => return Ok(Some(several[self.chooser.among(several.len())])),
            }
        }
    }

    /// Evaluates the assumptions that the target starts with, without any choice.
    fn look_ahead(&mut self, target: Target) -> Result<Outlook, Halt> {
        self.looks_ahead = true;
        let outlook = self.outlook(target);
        self.looks_ahead = false;
        outlook
    }

    fn outlook(&mut self, target: Target) -> Result<Outlook, Halt> {
        let proc = self.proc;
        let mut done = None;
        for (index, action) in proc.actions[target.start..].iter().enumerate() {
            let Action::Assume(condition) = action else {
                done.get_or_insert(index);
                break;
            };
            for (number, conjunct) in condition.iter().enumerate() {
                match self.conjunct(conjunct, Purpose::LookAhead) {
                    Ok(Truth::True) => {}
                    Ok(Truth::False) => return Ok(Outlook::Impossible),
                    Ok(Truth::Either) => {
                        done.get_or_insert(index);
                    }
                    Err(Halt::NeedsChoice) => return Ok(Outlook::Undecided(target.start + index, number)),
                    Err(halt) => return Err(halt),
                }
            }
        }
        Ok(Outlook::Possible {
            done: done.unwrap_or(0),
        })
    }
}

fn truth(holds: bool) -> Truth {
    match holds {
        true => Truth::True,
        false => Truth::False,
    }
}

/// An open value that has been chosen is that value.
fn known(value: Val) -> Val {
    match &value {
        Val::Open(cell) => match cell.value.get() {
            Some(chosen) => chosen.clone(),
            None => value,
        },
        _ => value,
    }
}

/// The other side of a comparison as a bound of the cell, if it can be one.
fn limit(cell: &OpenCell, other: &Val) -> Option<i128> {
    match (cell.kind, other) {
        (CellKind::Number, &Val::Int(limit)) if limit.abs() < MAX_BOUND => Some(limit),
        (CellKind::Bool, &Val::Bool(limit)) => Some(i128::from(limit)),
        _ => None,
    }
}
