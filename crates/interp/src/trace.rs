//! What a replay is guided by.
//!
//! Blocks and statements are those of the lowered program; frames of extracted loops
//! have been flattened into the frame of the procedure that the loop is in. Frames lie in one
//! vector, so that neither building nor dropping a trace recurses over the depth of calls.

use cranelift_entity::{PrimaryMap, entity_impl};
use lariat_ir::{BlockId, StmtId};
use lariat_term::{Value, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(u32);
entity_impl!(FrameId, "frame");

#[derive(Clone, Debug)]
pub struct Trace {
    /// Constants, globals, and parameters and initial values of locals of the entry.
    pub inputs: FxHashMap<VarId, Value>,
    pub frames: PrimaryMap<FrameId, Frame>,
    pub root: FrameId,
    /// Calls that start threads do so; otherwise they are calls.
    pub has_threads: bool,
}

/// One activation of a procedure.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub steps: Vec<TraceStep>,
    /// Initial values of locals and outs of this activation, where the trace fixes them.
    pub initial: Vec<(VarId, Value)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceStep {
    /// The block that is entered; needed where a jump has several targets, allowed everywhere.
    Enter(BlockId),
    /// What a havoc chose; variables that are not listed do not matter.
    Havoc(StmtId, Vec<(VarId, Value)>),
    Call(StmtId, FrameId),
    /// The thread goes on in this context with the statement.
    Move {
        before: StmtId,
        context: u32,
    },
    /// The first step of a thread: its id, and the values of the globals that are its own.
    Start {
        id: Option<BigInt>,
        own: Vec<(VarId, Value)>,
    },
    /// The thread does nothing any more after the statement.
    Stop(StmtId),
}

impl Trace {
    /// A trace whose entry frame has no steps yet.
    pub fn new(inputs: FxHashMap<VarId, Value>) -> Self {
        let mut frames = PrimaryMap::new();
        let root = frames.push(Frame::default());
        Trace {
            inputs,
            frames,
            root,
            has_threads: false,
        }
    }

    pub fn push(&mut self, frame: FrameId, step: TraceStep) {
        self.frames[frame].steps.push(step);
    }

    /// Adds a call to `caller`; the steps of the callee go to the returned frame.
    pub fn push_call(&mut self, caller: FrameId, stmt: StmtId) -> FrameId {
        let callee = self.frames.push(Frame::default());
        self.push(caller, TraceStep::Call(stmt, callee));
        callee
    }
}
