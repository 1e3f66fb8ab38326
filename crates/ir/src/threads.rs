//! What a program does with threads.
//!
//! A primitive is a procedure. Its body is what it means in a program without threads, except that the body of
//! [`ThreadPrimitive::Spawn`] starts with an assertion of kind `Unsupported`: whoever does not know threads does not get past it.
//! The pass `sequentialise` and the interpreter's replay know the primitives; after the pass there are none.

use std::collections::BTreeMap;

use lariat_term::VarId;

use crate::program::ProcId;

/// What a procedure does that only a program with threads can show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ThreadPrimitive {
    /// A thread starts and executes the body, without the assertion at its start. The out parameter, if there is one, is the
    /// id of the thread.
    Spawn,
    /// From here to the matching end no other thread runs. Blocks may be nested.
    AtomicBegin,
    AtomicEnd,
    /// Another thread may run here, if threads are cooperative.
    Yield,
    /// The id of the running thread: 1 is the first one's.
    ThreadId,
    /// The id of the thread that the running one started last.
    ChildThreadId,
}

#[derive(Clone, Debug, Default)]
pub struct Threads {
    pub primitives: BTreeMap<ProcId, ThreadPrimitive>,
    /// Globals of which each thread has its own; any value when it starts.
    pub locals: Vec<VarId>,
    /// Globals that are book-keeping of the front end: an access is no step of its own.
    pub quiet: Vec<VarId>,
    /// Globals that count what is new: which thread comes first does not matter, so they are never shared.
    pub unordered: Vec<VarId>,
}
