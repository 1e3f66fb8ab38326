//! Conditions of assumptions and assertions, where open values may stay open.

use std::rc::Rc;

use smallvec::SmallVec;

use super::code::{BranchCode, Instruction, Reg, Relation, Target};
use super::give_up;
use super::machine::{DEPENDS_ON_UNKNOWN, Halt, Machine};
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
    /// What `number relation limit` says of the number.
    fn new(relation: Relation, limit: i128) -> Bound {
        match relation {
            Relation::Le => Bound::AtMost(limit),
            Relation::Lt => Bound::AtMost(limit - 1),
            Relation::Ge => Bound::AtLeast(limit),
            Relation::Gt => Bound::AtLeast(limit + 1),
            Relation::Eq => Bound::Is(limit),
            Relation::Ne => Bound::IsNot(limit),
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
    /// Everything before this instruction holds already and need not be executed.
    Possible {
        next: usize,
    },
    /// A conjunct cannot be decided without a choice; its code starts here.
    Undecided(usize),
}

/// The targets that a branch can go to, with the instructions to go on at.
pub(super) type PossibleTargets = SmallVec<[(Target, usize); 2]>;

impl<'a> Machine<'a> {
    pub(super) fn decide(
        &mut self,
        relation: Relation,
        a: Reg,
        b: Reg,
        purpose: Purpose,
    ) -> Result<bool, Halt> {
        let (a, b) = (self.value(a), self.value(b));
        self.decide_values(relation, a, b, purpose)
    }

    pub(super) fn decide_values(
        &mut self,
        relation: Relation,
        a: Val,
        b: Val,
        purpose: Purpose,
    ) -> Result<bool, Halt> {
        Ok(self.compare(relation, a, b, purpose)? != Truth::False)
    }

    pub(super) fn compare(
        &mut self,
        relation: Relation,
        a: Val,
        b: Val,
        purpose: Purpose,
    ) -> Result<Truth, Halt> {
        if let (&Val::Int(a), &Val::Int(b)) = (&a, &b) {
            return Ok(truth(relation.of_small(a, b)));
        }
        let (a, b) = (known(a), known(b));
        if let (Val::Open(a), Val::Open(b)) = (&a, &b)
            && Rc::ptr_eq(a, b)
        {
            return Ok(truth(matches!(
                relation,
                Relation::Le | Relation::Ge | Relation::Eq
            )));
        }
        {
            let restricted = match (&a, &b) {
                (Val::Open(cell), other) => limit(cell, other).map(|limit| (cell, limit, false)),
                (other, Val::Open(cell)) => limit(cell, other).map(|limit| (cell, limit, true)),
                _ => None,
            };
            if let Some((cell, limit, flipped)) = restricted {
                let relation = if flipped { relation.flipped() } else { relation };
                let bound = Bound::new(relation, limit);
                if let Some(truth) = self.restrict(cell, bound, purpose)? {
                    return Ok(truth);
                }
            }
        }
        let (a, b) = (self.settled(a)?, self.settled(b)?);
        holds(&self.program.pool, relation, &a, &b).map(truth)
    }

    /// `None` if the value must be chosen.
    fn restrict(
        &mut self,
        cell: &Rc<OpenCell>,
        bound: Bound,
        purpose: Purpose,
    ) -> Result<Option<Truth>, Halt> {
        Ok(match (bound.truth(cell), purpose) {
            (Truth::Either, Purpose::Assume) => {
                self.restrict_range(cell, bound);
                Some(Truth::True)
            }
            (Truth::Either, Purpose::Refute) if self.keeps_open() => {
                return Err(give_up(DEPENDS_ON_UNKNOWN));
            }
            (Truth::Either, Purpose::Refute) => {
                self.restrict_range(cell, bound.negated());
                Some(Truth::False)
            }
            (Truth::Either, Purpose::Choose) => None,
            (decided, _) => Some(decided),
        })
    }

    /// Some values of the range satisfy the bound.
    fn restrict_range(&mut self, cell: &Rc<OpenCell>, bound: Bound) {
        self.join.note(cell);
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
            // A range has no holes: one side is chosen, or the hole is filled.
            Bound::IsNot(_) if self.keeps_open() => self.join.is_inexact = true,
            Bound::IsNot(limit) => match self.chooser.among(2) {
                0 => cell.low.set(limit + 1),
                _ => cell.high.set(limit - 1),
            },
        }
    }

    /// The targets that what is known does not rule out.
    pub(super) fn possible_targets(&mut self, branch: &'a BranchCode) -> Result<PossibleTargets, Halt> {
        loop {
            let mut possible = PossibleTargets::new();
            let mut undecided = None;
            for (index, &target) in branch.targets.iter().enumerate() {
                match self.look_ahead(target)? {
                    Outlook::Impossible if branch.is_complementary && index == 0 => {
                        let other = branch.targets[1];
                        return Ok(PossibleTargets::from_slice(&[(other, other.after as usize)]));
                    }
                    Outlook::Impossible => {}
                    Outlook::Possible { next } => possible.push((target, next)),
                    Outlook::Undecided(conjunct) => {
                        possible.push((target, target.start as usize));
                        undecided.get_or_insert(conjunct);
                    }
                }
            }
            match undecided {
                Some(conjunct) if possible.len() > 1 && !self.keeps_open() => {
                    // What it needs is chosen, then all are looked at again.
                    self.conjunct(conjunct, Purpose::Choose)?;
                }
                _ => return Ok(possible),
            }
        }
    }

    /// Evaluates the assumed conjunct whose code starts here; with the place behind it.
    fn conjunct(&mut self, start: usize, purpose: Purpose) -> Result<(Truth, usize), Halt> {
        let at = self.expressions(start)?;
        let truth = match self.proc.instructions[at] {
            Instruction::Assume { relation, a, b } => {
                let (a, b) = (self.value(a), self.value(b));
                self.compare(relation, a, b, purpose)?
            }
            Instruction::AssumeNumber { relation, a, number } => {
                let a = self.value(a);
                self.compare(relation, a, Val::Int(number), purpose)?
            }
            Instruction::AssumeIs { value, expected } => {
                let value = self.value(value);
                self.compare(Relation::Eq, value, Val::Bool(expected), purpose)?
            }
            _ => return Err(give_up("an assumption was expected")),
        };
        Ok((truth, at + 1))
    }

    /// Evaluates the assumptions that the target starts with, without any choice.
    fn look_ahead(&mut self, target: Target) -> Result<Outlook, Halt> {
        self.looks_ahead = true;
        let outlook = self.outlook(target);
        self.looks_ahead = false;
        self.returns.clear();
        outlook
    }

    fn outlook(&mut self, target: Target) -> Result<Outlook, Halt> {
        let mut at = target.start as usize;
        let mut first_open = None;
        while at < target.end as usize {
            match self.conjunct(at, Purpose::LookAhead) {
                Ok((Truth::True, next)) => at = next,
                Ok((Truth::False, _)) => return Ok(Outlook::Impossible),
                Ok((Truth::Either, next)) => {
                    first_open.get_or_insert(at);
                    at = next;
                }
                Err(Halt::NeedsChoice) => return Ok(Outlook::Undecided(at)),
                Err(halt) => return Err(halt),
            }
        }
        Ok(Outlook::Possible {
            next: first_open.unwrap_or(at),
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
        (CellKind::Number, number) => number.to_i128().filter(|limit| limit.abs() < MAX_BOUND),
        (CellKind::Bool, &Val::Bool(limit)) => Some(i128::from(limit)),
        _ => None,
    }
}
