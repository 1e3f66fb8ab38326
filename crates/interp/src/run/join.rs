//! Executions with values that stay unknown.
//!
//! Where an unknown value decides a branch, every way is taken, one after the other, up to the place
//! where they come together (or up to the return from the procedure); there the states are joined: what
//! differs is unknown from then on. So one run stands for all executions, and the joined state for
//! more than those. If no assertion fails in it, none fails; if one does, that says nothing.
//!
//! Invariant: nothing is chosen, and what a way assumes of an unknown value holds only on that way.

use std::rc::Rc;

use lariat_ir::BlockId;
use smallvec::SmallVec;

use super::code::{BranchCode, Target};
use super::give_up;
use super::machine::{DEPENDS_ON_UNKNOWN, Halt, Machine, Waiting};
use super::value::{Base, CellKind, Map, OpenCell, Val};

/// How deep ways may be taken inside of each other, and how often in all.
const MAX_NESTING: usize = 6;
const MAX_BRANCHES: usize = 50_000;

/// Where the ways that are being taken come together.
#[derive(Default)]
pub(super) struct Join {
    end: Option<End>,
    nesting: usize,
    branches: usize,
    /// The state stands for more than the executions that there are: an assertion that fails now may hold
    /// in all of them.
    pub is_inexact: bool,
    /// Ranges before they were narrowed on the present way.
    trail: Vec<(Rc<OpenCell>, i128, i128)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct End {
    /// Of the call stack.
    depth: usize,
    /// With its first instruction. `None`: the return to this depth.
    block: Option<(BlockId, u32)>,
}

impl Join {
    #[inline(always)]
    pub fn is_active(&self) -> bool {
        self.end.is_some()
    }

    /// The first instruction of the block, if the ways come together there.
    pub fn start_at(&self, depth: usize, block: BlockId) -> Option<usize> {
        match self.end {
            Some(End {
                depth: end,
                block: Some((at, start)),
            }) if end == depth && at == block => Some(start as usize),
            _ => None,
        }
    }

    pub fn is_return(&self, depth: usize) -> bool {
        self.end == Some(End { depth, block: None })
    }

    /// Remembers the range of a cell that is about to be narrowed.
    pub fn note(&mut self, cell: &Rc<OpenCell>) {
        if self.is_active() {
            self.trail.push((cell.clone(), cell.low.get(), cell.high.get()));
        }
    }

    fn undo(&mut self, from: usize) {
        for (cell, low, high) in self.trail.drain(from..).rev() {
            cell.low.set(low);
            cell.high.set(high);
        }
    }
}

/// What the ways may change.
#[derive(Clone)]
struct State<'a> {
    shared: Vec<Val>,
    /// The registers of the activations that may change.
    own: Vec<Val>,
    waiting: SmallVec<[Waiting<'a>; 1]>,
    base: usize,
    proc: &'a super::code::ProcCode,
}

impl<'a> Machine<'a> {
    /// Takes each of the ways and joins the states at their ends; the result is where to go on.
    pub(super) fn take_all(
        &mut self,
        branch: &'a BranchCode,
        ways: &[(Target, usize)],
    ) -> Result<usize, Halt> {
        if self.join.nesting >= MAX_NESTING || self.join.branches >= MAX_BRANCHES {
            return Err(give_up(DEPENDS_ON_UNKNOWN));
        }
        self.join.nesting += 1;
        self.join.branches += 1;
        let outer = self.join.end;
        let depth = self.waiting.len();
        let end = match (branch.join, depth.checked_sub(1)) {
            (Some(block), _) => Some(End {
                depth,
                block: Some(block),
            }),
            (None, Some(depth)) => Some(End { depth, block: None }),
            // From here on the ways never meet: each is executed to its end.
            (None, None) => Some(End {
                depth: usize::MAX,
                block: None,
            }),
        };
        // A return changes the activation that it returns to.
        let kept = match branch.join {
            Some(_) => depth,
            None => depth.saturating_sub(1),
        };
        let start = self.state(kept);
        let mut joined: Option<(State<'a>, usize)> = None;
        for &(target, next) in ways {
            self.restore(start.clone(), kept);
            let trail = self.join.trail.len();
            self.join.end = end;
            let halt = match self.enter(target.block, next) {
                Ok(next) => match stacker::maybe_grow(256 * 1024, 1024 * 1024, || self.run(next)) {
                    Ok(never) => match never {},
                    Err(halt) => halt,
                },
                Err(halt) => halt,
            };
            self.join.undo(trail);
            match halt {
                Halt::Joined(next) => {
                    let state = self.state(kept);
                    joined = Some(match joined.take() {
                        None => (state, next),
                        Some((other, _)) => (self.joined(other, state), next),
                    });
                }
                Halt::Over => {}
                other => return Err(other),
            }
        }
        self.join.end = outer;
        self.join.nesting -= 1;
        self.join.is_inexact = true;
        match joined {
            None => Err(Halt::Over),
            Some((state, next)) => {
                self.restore(state, kept);
                match branch.join {
                    // It may be where outer ways come together, too.
                    Some((block, start)) => self.enter(block, start as usize),
                    None if self.join.is_return(self.waiting.len()) => Err(Halt::Joined(next)),
                    None => Ok(next),
                }
            }
        }
    }

    /// The state above the first waiting activations, which stay as they are.
    fn state(&self, kept: usize) -> State<'a> {
        let own = self.own_start(kept);
        State {
            shared: self.registers[..self.compiled.shared.len()].to_vec(),
            own: self.registers[own..].to_vec(),
            waiting: self.waiting[kept.min(self.waiting.len())..]
                .iter()
                .copied()
                .collect(),
            base: self.base,
            proc: self.proc,
        }
    }

    /// Where the registers of the activation that is this deep begin.
    fn own_start(&self, depth: usize) -> usize {
        match self.waiting.get(depth) {
            Some(waiting) => waiting.base,
            None => self.base,
        }
    }

    fn restore(&mut self, state: State<'a>, kept: usize) {
        let own = self.own_start(kept);
        self.registers.truncate(own);
        self.registers.extend(state.own);
        for (register, value) in self.registers.iter_mut().zip(state.shared) {
            *register = value;
        }
        self.waiting.truncate(kept);
        self.waiting.extend(state.waiting);
        self.base = state.base;
        self.proc = state.proc;
        self.returns.clear();
    }

    fn joined(&self, mut a: State<'a>, b: State<'a>) -> State<'a> {
        for (a, b) in a.shared.iter_mut().zip(b.shared) {
            *a = joined_values(std::mem::replace(a, Val::Undef), b);
        }
        for (a, b) in a.own.iter_mut().zip(b.own) {
            *a = joined_values(std::mem::replace(a, Val::Undef), b);
        }
        a
    }
}

/// A value that stands for both; [`Val::Undef`] stands for every value.
fn joined_values(a: Val, b: Val) -> Val {
    match (&a, &b) {
        (Val::Int(x), Val::Int(y)) if x == y => a,
        (Val::Bool(x), Val::Bool(y)) if x == y => a,
        (Val::Wide(x), Val::Wide(y)) if x == y => a,
        (Val::Float(x), Val::Float(y)) if x == y => a,
        (Val::Big(x), Val::Big(y)) if x == y => a,
        (Val::Other(x), Val::Other(y)) if x == y => a,
        (Val::Open(x), Val::Open(y)) if Rc::ptr_eq(x, y) => a,
        (Val::Map(x), Val::Map(y)) if Rc::ptr_eq(x, y) => a,
        (Val::Map(x), Val::Map(y)) => joined_maps(x, y).map_or(Val::Undef, |map| Val::Map(Rc::new(map))),
        _ => match (range(&a), range(&b)) {
            (Some((low, high)), Some((other_low, other_high))) => Val::Open(Rc::new(OpenCell::between(
                CellKind::Number,
                low.min(other_low),
                high.max(other_high),
            ))),
            _ => match (&a, &b) {
                (Val::Bool(_), Val::Bool(_)) => Val::Open(Rc::new(OpenCell::between(CellKind::Bool, 0, 1))),
                _ => Val::Undef,
            },
        },
    }
}

fn range(value: &Val) -> Option<(i128, i128)> {
    match value {
        Val::Open(cell) if cell.kind == CellKind::Number => match cell.value.get() {
            Some(value) => range(value),
            None => Some((cell.low.get(), cell.high.get())),
        },
        value => value.to_i128().map(|number| (number, number)),
    }
}

/// `None` if it is not worth the effort.
fn joined_maps(a: &Map, b: &Map) -> Option<Map> {
    let same_base = match (&a.base, &b.base) {
        (Base::Open(x), Base::Open(y)) => Rc::ptr_eq(x, y),
        (Base::Same(x), Base::Same(y)) => is_same(x, y),
        _ => false,
    };
    if !same_base || !a.others.is_empty() || !b.others.is_empty() {
        return None;
    }
    let mut joined = a.clone();
    for index in a.words.differences(&b.words) {
        let value = match (a.words.get(index), b.words.get(index)) {
            (Some(x), Some(y)) => joined_values(x, y),
            // The base says what the other one has there.
            (Some(x), None) | (None, Some(x)) => match &a.base {
                Base::Same(base) => joined_values(x, base.clone()),
                Base::Open(_) => return None,
            },
            (None, None) => continue,
        };
        match value {
            Val::Undef => return None,
            value => joined.words.set(index, value),
        }
    }
    Some(joined)
}

fn is_same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a == b,
        (Val::Bool(a), Val::Bool(b)) => a == b,
        (Val::Float(a), Val::Float(b)) => a == b,
        (Val::Open(a), Val::Open(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}
