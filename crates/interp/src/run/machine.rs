//! The machine that executes actions.
//!
//! It stands at an action of a procedure; the activations that wait for it are in a vector. The
//! variables of all activations lie in one vector, those of the running one last.

use std::rc::Rc;
use std::sync::Arc;

use lariat_base::Budget;
use lariat_ir::{AssertId, Program};
use lariat_term::{SortId, TermPool, VarId};
use smallvec::SmallVec;

use super::code::{Action, CallAction, Place, ProcCode, Target, Update};
use super::compile::Compiled;
use super::decide::Purpose;
use super::eval::Scratch;
use super::open::Chooser;
use super::record::Recording;
use super::value::{Key, Val};
use super::{RunOptions, give_up};
use crate::trace::{FrameId, Trace};

/// Actions between two looks at the clock, and looks at the clock between two at the memory.
const BUDGET_INTERVAL: u64 = 1 << 12;
const MEMORY_INTERVAL: u64 = 1 << 18;

/// How an execution ends, or why an evaluation does.
#[derive(Clone, Debug)]
pub(super) enum Halt {
    /// The entry returned or the execution was blocked.
    Over,
    Failed(AssertId),
    Unsupported(AssertId),
    GaveUp(Arc<str>),
    /// While looking ahead: something open would have to be chosen.
    NeedsChoice,
}

/// An activation that waits for a call.
struct Waiting<'a> {
    proc: &'a ProcCode,
    call: &'a CallAction,
    next: usize,
    base: usize,
    frame: FrameId,
}

/// A value that an assignment is about to write.
enum Written {
    Whole(Val),
    Elements(Vec<(Key, Val)>),
}

pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    compiled: &'a Compiled,
    options: &'a RunOptions,
    budget: &'a Budget,
    pub(super) chooser: Chooser<'a>,
    pub(super) scratch: Scratch,
    /// No open value may be chosen now.
    pub(super) looks_ahead: bool,
    pub(super) proc: &'a ProcCode,
    /// The action that comes next.
    next: usize,
    /// Where the variables of the running activation begin.
    base: usize,
    locals: Vec<Val>,
    shared: Vec<Val>,
    waiting: Vec<Waiting<'a>>,
    steps: u64,
    recording: Option<Recording>,
    /// Of the trace, for the running activation.
    frame: FrameId,
}

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        compiled: &'a Compiled,
        options: &'a RunOptions,
        budget: &'a Budget,
    ) -> Self {
        let proc = &compiled.procs[0];
        Machine {
            program,
            compiled,
            options,
            budget,
            chooser: Chooser::new(options.seed, &compiled.literals),
            scratch: Scratch::default(),
            looks_ahead: false,
            proc,
            next: proc.start,
            base: 0,
            locals: vec![Val::Undef; proc.slots.len()],
            shared: vec![Val::Undef; compiled.shared.len()],
            waiting: Vec::new(),
            steps: 0,
            recording: None,
            frame: FrameId::from_u32(0),
        }
    }

    /// A machine that does the same and records a trace.
    pub fn recording(
        program: &'a Program,
        compiled: &'a Compiled,
        options: &'a RunOptions,
        budget: &'a Budget,
    ) -> Self {
        let recording = Recording::new();
        let frame = recording.root();
        Machine {
            frame,
            recording: Some(recording),
            ..Machine::new(program, compiled, options, budget)
        }
    }

    pub fn made_choices(&self) -> bool {
        self.chooser.choices > 0
    }

    pub fn into_trace(self) -> Option<Trace> {
        let pool = &self.program.pool;
        self.recording.map(|recording| recording.into_trace(pool))
    }

    pub fn execute(&mut self) -> Halt {
        loop {
            if let Err(halt) = self.tick().and_then(|()| self.step()) {
                return halt;
            }
        }
    }

    pub(super) fn pool(&self) -> &'a TermPool {
        &self.program.pool
    }

    fn tick(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps > self.options.max_steps {
            return Err(give_up("step limit reached"));
        }
        if !self.steps.is_multiple_of(BUDGET_INTERVAL) {
            return Ok(());
        }
        let checked = match self.steps.is_multiple_of(MEMORY_INTERVAL) {
            true => self.budget.check_memory(),
            false => self.budget.check(),
        };
        checked.map_err(|exhausted| give_up(exhausted.to_string()))
    }

    fn step(&mut self) -> Result<(), Halt> {
        let proc = self.proc;
        let action = &proc.actions[self.next];
        self.next += 1;
        match action {
            Action::Assume(condition) => match self.condition(condition, Purpose::Assume)? {
                true => Ok(()),
                false => Err(Halt::Over),
            },
            Action::Assert {
                condition,
                assert,
                is_supported: true,
            } => match self.condition(condition, Purpose::Refute)? {
                true => Ok(()),
                false => Err(Halt::Failed(*assert)),
            },
            Action::Assert {
                condition, assert, ..
            } => match self.condition(condition, Purpose::Choose)? {
                true => Ok(()),
                false => Err(Halt::Unsupported(*assert)),
            },
            Action::Set(place, code) => {
                let value = self.eval(code)?;
                *self.slot_mut(*place) = value;
                Ok(())
            }
            Action::Assign(updates) => self.assign(updates),
            Action::Havoc { stmt, targets } => {
                let mut values = Vec::new();
                for &(place, var, sort) in targets {
                    let value = Val::fresh(self.pool(), sort);
                    if self.recording.is_some() {
                        values.push((var, value.clone()));
                    }
                    *self.slot_mut(place) = value;
                }
                match &mut self.recording {
                    Some(recording) => recording.havoc(self.frame, *stmt, values),
                    None => Ok(()),
                }
            }
            Action::Call(call) => self.call(call),
            Action::Jump(target) => self.jump(*target, target.start),
            Action::Branch(targets) => match self.choose_target(targets)? {
                Some((target, next)) => self.jump(target, next),
                None => Err(Halt::Over),
            },
            Action::Return => self.return_from_call(),
            Action::Stop => Err(Halt::Over),
        }
    }

    fn jump(&mut self, target: Target, next: usize) -> Result<(), Halt> {
        self.next = next;
        match &mut self.recording {
            Some(recording) => recording.enter(self.frame, target.block),
            None => Ok(()),
        }
    }

    fn assign(&mut self, updates: &'a [(Place, Update)]) -> Result<(), Halt> {
        let mut written: SmallVec<[Written; 2]> = SmallVec::new();
        for (_, update) in updates {
            written.push(match update {
                Update::Whole(code) => Written::Whole(self.eval(code)?),
                Update::Elements(elements) => {
                    let mut values = Vec::with_capacity(elements.len());
                    for (indices, value) in elements {
                        values.push((self.key_of(indices)?, self.eval(value)?));
                    }
                    Written::Elements(values)
                }
            });
        }
        for (&(place, _), written) in updates.iter().zip(written) {
            match written {
                Written::Whole(value) => *self.slot_mut(place) = value,
                Written::Elements(elements) => self.write(place, elements)?,
            }
        }
        Ok(())
    }

    /// Writes elements of a map, in place unless another variable has the same map.
    fn write(&mut self, place: Place, elements: Vec<(Key, Val)>) -> Result<(), Halt> {
        if let Val::Undef = self.slot(place) {
            self.read(place);
        }
        let Val::Map(map) = self.slot_mut(place) else {
            return Err(give_up("a map was expected"));
        };
        Rc::make_mut(map).entries.extend(elements);
        Ok(())
    }

    fn call(&mut self, call: &'a CallAction) -> Result<(), Halt> {
        if self.waiting.len() >= self.options.max_depth {
            return Err(give_up("the call stack is too deep"));
        }
        let compiled = self.compiled;
        let callee = &compiled.procs[call.callee];
        let base = self.locals.len();
        for argument in &call.ins {
            let value = self.eval(argument)?;
            self.locals.push(value);
        }
        self.locals.resize(base + callee.slots.len(), Val::Undef);
        self.waiting.push(Waiting {
            proc: self.proc,
            call,
            next: self.next,
            base: self.base,
            frame: self.frame,
        });
        (self.proc, self.next, self.base) = (callee, callee.start, base);
        if let Some(recording) = &mut self.recording {
            self.frame = recording.call(self.frame, call.stmt)?;
        }
        Ok(())
    }

    fn return_from_call(&mut self) -> Result<(), Halt> {
        let Some(waiting) = self.waiting.pop() else {
            return Err(Halt::Over);
        };
        let first = self.proc.params as u32;
        let values: SmallVec<[Val; 2]> = (first..first + self.proc.outs as u32)
            .map(|slot| self.read(Place::Local(slot)))
            .collect();
        self.locals.truncate(self.base);
        self.proc = waiting.proc;
        self.next = waiting.next;
        self.base = waiting.base;
        self.frame = waiting.frame;
        for (&place, value) in waiting.call.outs.iter().zip(values) {
            *self.slot_mut(place) = value;
        }
        Ok(())
    }

    // ---- variables ---------------------------------------------------------

    pub(super) fn slot(&self, place: Place) -> &Val {
        match place {
            Place::Local(slot) => &self.locals[self.base + slot as usize],
            Place::Shared(slot) => &self.shared[slot as usize],
        }
    }

    fn slot_mut(&mut self, place: Place) -> &mut Val {
        match place {
            Place::Local(slot) => &mut self.locals[self.base + slot as usize],
            Place::Shared(slot) => &mut self.shared[slot as usize],
        }
    }

    /// The value of a variable; if nobody has set it, it is open from now on.
    pub(super) fn read(&mut self, place: Place) -> Val {
        match self.slot(place) {
            Val::Undef => self.open(place),
            Val::Open(cell) => match cell.value.get() {
                Some(value) => value.clone(),
                None => Val::Open(cell.clone()),
            },
            value => value.clone(),
        }
    }

    #[cold]
    fn open(&mut self, place: Place) -> Val {
        let (var, sort): (VarId, SortId) = match place {
            Place::Local(slot) => self.proc.slots[slot as usize],
            Place::Shared(slot) => self.compiled.shared[slot as usize],
        };
        let value = Val::fresh(self.pool(), sort);
        *self.slot_mut(place) = value.clone();
        match (&mut self.recording, place) {
            (None, _) => {}
            (Some(recording), Place::Local(_)) => recording.initial(self.frame, var, value.clone()),
            (Some(recording), Place::Shared(_)) => recording.input(var, value.clone()),
        }
        value
    }
}
