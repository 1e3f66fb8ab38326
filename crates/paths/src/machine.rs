//! The state of a path, and the trail by which it is taken back.
//!
//! Variables live in slots: globals first, then those of each activation, as they are on the stack. So a slot means the same variable
//! in all states with the same stack. A change of the state is an event on the trail; [`Machine::undo`] takes it back and
//! turns what is needed after the change into what is needed before it.

use std::rc::Rc;

use cranelift_entity::{EntityRef, PrimaryMap};
use lariat_ir::{BlockId, Proc, ProcId, Program};
use lariat_term::{Sort, SortId, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::PathStep;
use crate::explored::Place;
use crate::knowledge::{Change, Knowledge};

/// Something that an exploration depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Use {
    /// The value of a variable.
    Slot(u32),
    /// The entry of a map at a literal key.
    Entry(u32, TermId),
    /// What is assumed of this symbol alone.
    Symbol(VarId),
    /// That this is assumed, of several symbols.
    Assumed(TermId),
}

pub type Uses = SmallVec<[Use; 4]>;
pub type Need = FxHashSet<Use>;

/// What a slot holds.
#[derive(Clone, Debug)]
pub enum Held {
    /// Nobody has set the variable or looked at it: it has any value.
    Any,
    Term(TermId),
    /// A map with one index: `base`, changed at literal keys.
    Map(Map),
}

#[derive(Clone, Debug)]
pub struct Map {
    pub base: TermId,
    pub entries: FxHashMap<TermId, TermId>,
}

/// A position in a procedure: the block, and the next statement of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub block: BlockId,
    pub next: usize,
}

/// How often the procedures of its component of the call graph are on the stack, for the recursion bound.
pub type Counts = Rc<[(ProcId, u32)]>;

/// An activation.
#[derive(Clone, Debug)]
pub struct Frame {
    pub proc: ProcId,
    pub at: Position,
    /// Its first slot.
    pub base: u32,
    pub counts: Counts,
    pub depth: u32,
}

/// The ways of a choice.
#[derive(Clone, Debug)]
pub enum Ways {
    Blocks(SmallVec<[BlockId; 2]>),
    /// The statement is executed again under each of these assumptions.
    Cases(Vec<TermId>),
}

impl Ways {
    pub fn len(&self) -> usize {
        match self {
            Ways::Blocks(blocks) => blocks.len(),
            Ways::Cases(cases) => cases.len(),
        }
    }
}

#[derive(Debug)]
pub struct Choice {
    pub at: Position,
    pub ways: Ways,
    /// The way that comes next.
    pub next: usize,
    /// What the ways that were explored need.
    pub need: Need,
    steps: usize,
}

/// A value for a slot, or for an entry of the map in it.
#[derive(Debug)]
pub struct Assignment {
    pub slot: u32,
    pub value: New,
    /// What the value depends on.
    pub uses: Uses,
}

#[derive(Debug)]
pub enum New {
    Whole(Held),
    /// At this key, which depends on these.
    Entry(TermId, TermId, Uses),
}

/// An assignment that was made.
#[derive(Debug)]
pub struct Assigned {
    slot: u32,
    old: Old,
    uses: Uses,
}

#[derive(Debug)]
enum Old {
    Whole(Held),
    Entry(TermId, Option<TermId>, Uses),
}

#[derive(Debug)]
pub enum Event {
    /// Assigned at once.
    Assigned(SmallVec<[Assigned; 1]>),
    /// The variable got a symbol for its value when it was first read.
    Started {
        slot: u32,
    },
    /// A symbol of this sort is in use.
    Symbol(SortId),
    /// A decision depends on these.
    Decided(Uses),
    Learned(Change),
    Pushed,
    Popped {
        frame: Frame,
        slots: Vec<Held>,
        caller: Position,
    },
    /// A loop goes round in its own activation: what the frame was before.
    WentRound {
        counts: Counts,
        depth: u32,
        at: Position,
    },
    Chose(Choice),
    /// What follows is remembered when it has been explored.
    Remember(Place),
}

/// Where the variables of a procedure are.
struct Layout {
    offsets: FxHashMap<VarId, u32>,
    vars: Vec<VarId>,
}

pub struct Machine {
    /// Without its procedures.
    pub program: Program,
    pub procs: Rc<PrimaryMap<ProcId, Proc>>,
    pub knowledge: Knowledge,
    pub frames: Vec<Frame>,
    pub slots: Vec<Held>,
    pub trail: Vec<Event>,
    pub steps: Vec<PathStep>,
    globals: FxHashMap<VarId, u32>,
    layouts: Vec<Layout>,
    /// Symbols by their sort. A path takes them in turn, so that paths that do alike have the same ones.
    symbols: FxHashMap<SortId, Vec<VarId>>,
    in_use: FxHashMap<SortId, usize>,
}

impl Machine {
    pub fn new(mut program: Program, knowledge: Knowledge) -> Self {
        let procs = Rc::new(std::mem::take(&mut program.procs));
        let globals: FxHashMap<VarId, u32> = program.globals.iter().copied().zip(0..).collect();
        let layouts = procs
            .values()
            .map(|proc| {
                let vars: Vec<VarId> = proc.vars().collect();
                Layout {
                    offsets: vars.iter().copied().zip(0..).collect(),
                    vars,
                }
            })
            .collect();
        Machine {
            slots: vec![Held::Any; globals.len()],
            program,
            procs,
            knowledge,
            frames: Vec::new(),
            trail: Vec::new(),
            steps: Vec::new(),
            globals,
            layouts,
            symbols: FxHashMap::default(),
            in_use: FxHashMap::default(),
        }
    }

    /// The slot of a variable in the activation on top; `None` for a constant of the program.
    pub fn slot(&self, var: VarId) -> Option<u32> {
        let own = self.frames.last().and_then(|frame| {
            let offset = self.layout(frame.proc).offsets.get(&var)?;
            Some(frame.base + offset)
        });
        own.or_else(|| self.globals.get(&var).copied())
    }

    fn layout(&self, proc: ProcId) -> &Layout {
        &self.layouts[proc.index()]
    }

    /// A variable of the activation on top that is in this slot; `None` for a global.
    pub fn own_var(&self, slot: u32) -> Option<VarId> {
        let frame = self.frames.last()?;
        let offset = slot.checked_sub(frame.base)?;
        self.layout(frame.proc).vars.get(offset as usize).copied()
    }

    /// A symbol that the path does not use yet.
    pub fn fresh(&mut self, sort: SortId) -> TermId {
        let used = self.in_use.entry(sort).or_default();
        let known = self.symbols.entry(sort).or_default();
        if *used == known.len() {
            let name = format!("symbol{}", *used);
            known.push(self.program.pool.declare_var(name, sort));
        }
        let var = known[*used];
        *used += 1;
        self.knowledge.is_symbol.insert(var);
        self.trail.push(Event::Symbol(sort));
        self.program.pool.var(var)
    }

    /// A value as a slot holds it: maps with one index by their entries.
    pub fn held(&mut self, value: TermId) -> Held {
        match self.program.pool.sort(self.program.pool.sort_of(value)) {
            Sort::Array { indices, .. } if indices.len() == 1 => {
                let mut base = value;
                let mut entries = FxHashMap::default();
                while self.program.pool.op(base) == lariat_term::Op::Store {
                    let &[map, key, value] = self.program.pool.args(base) else {
                        break;
                    };
                    if !self.program.pool.is_value(key) {
                        break;
                    }
                    entries.entry(key).or_insert(value);
                    base = map;
                }
                Held::Map(Map { base, entries })
            }
            _ => Held::Term(value),
        }
    }

    /// The value of a slot as a term; `None` if it has any value.
    pub fn term_of(&mut self, slot: u32) -> Option<TermId> {
        match &self.slots[slot as usize] {
            Held::Any => None,
            Held::Term(term) => Some(*term),
            Held::Map(map) => {
                let mut entries: Vec<(TermId, TermId)> = map.entries.iter().map(|(&k, &v)| (k, v)).collect();
                entries.sort_unstable();
                let mut term = map.base;
                for (key, value) in entries {
                    term = self.program.pool.store(term, &[key], value);
                }
                Some(term)
            }
        }
    }

    /// The entry of a map at a literal key; `None` if the slot holds no such map.
    pub fn entry(&mut self, slot: u32, key: TermId) -> Option<TermId> {
        let Held::Map(map) = &self.slots[slot as usize] else {
            return None;
        };
        match map.entries.get(&key) {
            Some(&value) => Some(value),
            None => {
                let base = map.base;
                Some(self.program.pool.select(base, &[key]))
            }
        }
    }

    /// Assigns values that were all computed before.
    pub fn assign(&mut self, assignments: impl IntoIterator<Item = Assignment>) {
        let mut assigned = SmallVec::new();
        for Assignment { slot, value, uses } in assignments {
            let held = &mut self.slots[slot as usize];
            let old = match (value, held) {
                (New::Whole(value), held) => Old::Whole(std::mem::replace(held, value)),
                (New::Entry(key, value, key_uses), Held::Map(map)) => {
                    Old::Entry(key, map.entries.insert(key, value), key_uses)
                }
                // Whoever assigns an entry has seen that the slot holds a map.
                (New::Entry(..), Held::Any | Held::Term(_)) => unreachable!("an entry of what is no map"),
            };
            assigned.push(Assigned { slot, old, uses });
        }
        self.trail.push(Event::Assigned(assigned));
    }

    /// Gives a variable that has any value a symbol.
    pub fn start(&mut self, slot: u32, sort: SortId) -> TermId {
        let symbol = self.fresh(sort);
        self.slots[slot as usize] = self.held(symbol);
        self.trail.push(Event::Started { slot });
        self.steps.push(match self.own_var(slot) {
            Some(var) => PathStep::Initial(var, symbol),
            None => PathStep::Input(self.program.globals[slot as usize], symbol),
        });
        symbol
    }

    pub fn push_frame(&mut self, proc: ProcId, counts: Counts, depth: u32) {
        let base = self.slots.len() as u32;
        let size = self.layout(proc).vars.len();
        self.slots.extend(std::iter::repeat_n(Held::Any, size));
        let at = Position {
            block: self.procs[proc].entry,
            next: 0,
        };
        self.frames.push(Frame {
            proc,
            at,
            base,
            counts,
            depth,
        });
        self.trail.push(Event::Pushed);
    }

    /// Ends the activation on top; there is one below it.
    pub fn pop_frame(&mut self) {
        if let Some(frame) = self.frames.pop()
            && let Some(caller) = self.frames.last()
        {
            let slots = self.slots.split_off(frame.base as usize);
            self.trail.push(Event::Popped {
                frame,
                slots,
                caller: caller.at,
            });
        }
    }

    /// The activation on top starts again with other parameters.
    pub fn go_round(&mut self, params: Vec<(TermId, Uses)>, counts: Counts, depth: u32) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let (proc, base) = (frame.proc, frame.base);
        let size = self.layout(proc).vars.len() as u32;
        let mut params = params.into_iter();
        let mut assignments = Vec::new();
        for offset in 0..size {
            let (value, uses) = match params.next() {
                Some((value, uses)) => (self.held(value), uses),
                None => (Held::Any, Uses::new()),
            };
            assignments.push(Assignment {
                slot: base + offset,
                value: New::Whole(value),
                uses,
            });
        }
        self.assign(assignments);
        let entry = self.procs[proc].entry;
        if let Some(frame) = self.frames.last_mut() {
            let at = std::mem::replace(
                &mut frame.at,
                Position {
                    block: entry,
                    next: 0,
                },
            );
            let counts = std::mem::replace(&mut frame.counts, counts);
            let depth = std::mem::replace(&mut frame.depth, depth);
            self.trail.push(Event::WentRound { counts, depth, at });
        }
    }

    pub fn choose(&mut self, ways: Ways) {
        let Some(frame) = self.frames.last() else { return };
        self.trail.push(Event::Chose(Choice {
            at: frame.at,
            ways,
            next: 0,
            need: Need::default(),
            steps: self.steps.len(),
        }));
    }

    /// Goes back to where a choice was made.
    pub fn return_to(&mut self, choice: &Choice) {
        if let Some(frame) = self.frames.last_mut() {
            frame.at = choice.at;
        }
        self.steps.truncate(choice.steps);
    }

    /// Takes an event back. `need` is what is needed after it, and then what is needed before it. Choices and places to remember are
    /// the caller's.
    pub fn undo(&mut self, event: Event, need: &mut Need) {
        match event {
            Event::Assigned(assigned) => self.undo_assignments(assigned, need),
            Event::Started { slot } => {
                forget_slot(need, slot, matches!(self.slots[slot as usize], Held::Map(_)));
                self.slots[slot as usize] = Held::Any;
            }
            Event::Symbol(sort) => {
                if let Some(used) = self.in_use.get_mut(&sort) {
                    *used -= 1;
                }
            }
            Event::Decided(uses) => need.extend(uses),
            Event::Learned(change) => self.knowledge.undo(change),
            Event::Pushed => {
                if let Some(frame) = self.frames.pop() {
                    self.slots.truncate(frame.base as usize);
                }
            }
            Event::Popped { frame, slots, caller } => {
                if let Some(below) = self.frames.last_mut() {
                    below.at = caller;
                }
                self.frames.push(frame);
                self.slots.extend(slots);
            }
            Event::WentRound { counts, depth, at } => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.counts = counts;
                    frame.depth = depth;
                    frame.at = at;
                }
            }
            Event::Chose(_) | Event::Remember(_) => {}
        }
    }
}

impl Machine {
    /// What is needed of the new values is needed of what they were computed from. All of it is of the state before, so it
    /// counts only after all new values are taken out.
    fn undo_assignments(&mut self, assigned: SmallVec<[Assigned; 1]>, need: &mut Need) {
        let mut before = Uses::new();
        for Assigned { slot, old, uses } in assigned.into_iter().rev() {
            let held = &mut self.slots[slot as usize];
            match (old, held) {
                (Old::Whole(old), held) => {
                    if forget_slot(need, slot, matches!(held, Held::Map(_))) {
                        before.extend(uses);
                    }
                    *held = old;
                }
                (Old::Entry(key, old, key_uses), held) => {
                    if need.remove(&Use::Entry(slot, key)) || need.contains(&Use::Slot(slot)) {
                        before.extend(uses);
                    }
                    before.extend(key_uses);
                    if let Held::Map(map) = held {
                        match old {
                            Some(value) => map.entries.insert(key, value),
                            None => map.entries.remove(&key),
                        };
                    }
                }
            }
        }
        need.extend(before);
    }
}

/// Takes a variable out of what is needed; whether it was.
fn forget_slot(need: &mut Need, slot: u32, is_map: bool) -> bool {
    let whole = need.remove(&Use::Slot(slot));
    if !is_map {
        return whole;
    }
    let before = need.len();
    need.retain(|used| !matches!(used, Use::Entry(of, _) if *of == slot));
    whole || need.len() < before
}
