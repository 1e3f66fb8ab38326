//! The trace of an execution. Values are filled in at the end, when all choices have been made.

use lariat_ir::{BlockId, StmtId};
use lariat_term::{TermPool, Value, VarId};
use rustc_hash::FxHashMap;

use super::machine::Halt;
use super::value::Val;
use crate::trace::{FrameId, Trace, TraceStep};

/// A step of the trace that says in which context a thread goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepPlace(FrameId, usize);

/// How far a trace was, for the frames that a thread may still add to.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    frames: Vec<(FrameId, usize)>,
    steps: usize,
    open: usize,
}

/// Traces with more steps are not shown.
const MAX_STEPS: usize = 3_000_000;

#[derive(Debug)]
pub(super) struct Recording {
    trace: Trace,
    steps: usize,
    /// Values that were never set, and where the trace records them.
    open: Vec<(Site, VarId, Val)>,
}

#[derive(Clone, Copy, Debug)]
enum Site {
    Input,
    Initial(FrameId),
    /// By the index of the step.
    Havoc(FrameId, usize),
}

impl Recording {
    pub fn new() -> Self {
        Recording {
            trace: Trace::new(FxHashMap::default()),
            steps: 0,
            open: Vec::new(),
        }
    }

    pub fn root(&self) -> FrameId {
        self.trace.root
    }

    fn count(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        match self.steps > MAX_STEPS {
            true => Err(Halt::TooLong),
            false => Ok(()),
        }
    }

    pub fn enter(&mut self, frame: FrameId, block: BlockId) -> Result<(), Halt> {
        self.trace.push(frame, TraceStep::Enter(block));
        self.count()
    }

    pub fn call(&mut self, caller: FrameId, stmt: StmtId) -> Result<FrameId, Halt> {
        self.count()?;
        Ok(self.trace.push_call(caller, stmt))
    }

    pub fn havoc(&mut self, frame: FrameId, stmt: StmtId, values: Vec<(VarId, Val)>) -> Result<(), Halt> {
        let site = Site::Havoc(frame, self.trace.frames[frame].steps.len());
        self.trace.push(frame, TraceStep::Havoc(stmt, Vec::new()));
        self.open
            .extend(values.into_iter().map(|(var, value)| (site, var, value)));
        self.count()
    }

    /// A thread gives way before the statement; so far it does not go on.
    pub fn moves(&mut self, frame: FrameId, before: StmtId) -> Result<StepPlace, Halt> {
        self.trace.has_threads = true;
        let context = u32::MAX;
        let steps = &mut self.trace.frames[frame].steps;
        let index = steps.len();
        // A thread that came too early has not done anything.
        if let Some(TraceStep::Move {
            before: known,
            context: resumes,
        }) = steps.last_mut()
            && *known == before
        {
            *resumes = context;
            return Ok(StepPlace(frame, index - 1));
        }
        self.trace.push(frame, TraceStep::Move { before, context });
        self.count()?;
        Ok(StepPlace(frame, index))
    }

    /// The thread that gave way there goes on in this context.
    pub fn resumes(&mut self, place: StepPlace, context: u32) {
        if let Some(TraceStep::Move { context: known, .. }) =
            self.trace.frames[place.0].steps.get_mut(place.1)
        {
            *known = context;
        }
    }

    /// A thread does not come back from where it stands, before a branch to the block.
    pub fn waits_for_ever(&mut self, frame: FrameId, block: BlockId, before: StmtId) {
        let context = u32::MAX;
        self.trace.push(frame, TraceStep::Enter(block));
        self.trace.push(frame, TraceStep::Move { before, context });
    }

    pub fn mark(&self, frames: impl Iterator<Item = FrameId>) -> Mark {
        let lengths = frames.map(|frame| (frame, self.trace.frames[frame].steps.len()));
        Mark {
            frames: lengths.collect(),
            steps: self.steps,
            open: self.open.len(),
        }
    }

    /// What was recorded since the mark has not happened.
    pub fn go_back(&mut self, mark: Mark) {
        for (frame, length) in mark.frames {
            self.trace.frames[frame].steps.truncate(length);
        }
        self.steps = mark.steps;
        self.open.truncate(mark.open);
    }

    /// A global, a constant or a variable of the entry is read that was never set.
    pub fn input(&mut self, var: VarId, value: Val) {
        self.open.push((Site::Input, var, value));
    }

    /// The same for a variable of an activation.
    pub fn initial(&mut self, frame: FrameId, var: VarId, value: Val) {
        let site = match frame == self.trace.root {
            true => Site::Input,
            false => Site::Initial(frame),
        };
        self.open.push((site, var, value));
    }

    pub fn into_trace(mut self, pool: &TermPool) -> Trace {
        for (site, var, value) in &self.open {
            let Some(value) = value.to_value(pool, pool.var_sort(*var)) else {
                continue;
            };
            match *site {
                Site::Input => {
                    self.trace.inputs.insert(*var, value);
                }
                Site::Initial(frame) => self.trace.frames[frame].initial.push((*var, value)),
                Site::Havoc(frame, index) => set_havoc(&mut self.trace, frame, index, *var, value),
            }
        }
        self.trace
    }
}

fn set_havoc(trace: &mut Trace, frame: FrameId, index: usize, var: VarId, value: Value) {
    if let Some(TraceStep::Havoc(_, values)) = trace.frames[frame].steps.get_mut(index) {
        values.push((var, value));
    }
}
