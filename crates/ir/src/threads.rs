//! What a program does with threads.
//!
//! A primitive is a procedure. Its body is what it means in a program without threads, except that the body of
//! [`ThreadPrimitive::Spawn`] starts with an assertion of kind `Unsupported`: whoever does not know threads does not get past it.
//! The pass `sequentialise` and the interpreter's replay know the primitives; after the pass there are none.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::PrimaryMap;
use lariat_base::Span;
use lariat_term::{Sort, SortId, VarId};
use smallvec::smallvec;

use crate::program::{
    AssertInfo, AssertKind, Block, Call, Origin, Proc, ProcId, ProcKind, Program, Stmt, StmtId, StmtKind,
    Terminator,
};

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
    /// Statements whose accesses synchronise threads: two of them are no data race.
    pub synchronising: BTreeSet<StmtId>,
}

impl ThreadPrimitive {
    fn name(self) -> &'static str {
        match self {
            ThreadPrimitive::Spawn => "async",
            ThreadPrimitive::AtomicBegin => "atomic begin",
            ThreadPrimitive::AtomicEnd => "atomic end",
            ThreadPrimitive::Yield => "yield",
            ThreadPrimitive::ThreadId => "thread id",
            ThreadPrimitive::ChildThreadId => "child thread id",
        }
    }
}

impl Program {
    /// The procedure of a primitive other than [`ThreadPrimitive::Spawn`], which may give a value of this sort.
    pub fn add_thread_primitive(&mut self, primitive: ThreadPrimitive, result: Option<SortId>) -> ProcId {
        let outs: Vec<VarId> = result
            .iter()
            .map(|&sort| self.pool.declare_var("tid", sort))
            .collect();
        let mut stmts = Vec::new();
        if let (ThreadPrimitive::ThreadId, Some(&out)) = (primitive, outs.first()) {
            let first = match *self.pool.sort(self.pool.var_sort(out)) {
                Sort::Bv(width) => self.pool.bv(1, width),
                _ => self.pool.int(1),
            };
            let assign = StmtKind::Assign(smallvec![(out, first)]);
            stmts.push(self.stmt(assign, None, Origin::Internal));
        }
        let proc = self.add_straight(primitive.name().to_owned(), None, outs, stmts);
        self.threads.primitives.insert(proc, primitive);
        proc
    }

    /// The procedure that starts a thread for `body` and may give its id. `reason` is for those that do not know threads.
    pub fn add_spawn(
        &mut self,
        body: ProcId,
        result: Option<SortId>,
        name: String,
        reason: &str,
        span: Span,
    ) -> ProcId {
        let mut copies = |vars: Vec<VarId>| -> Vec<VarId> {
            let pool = &mut self.pool;
            vars.into_iter()
                .map(|var| {
                    let (name, sort) = (pool.var_name(var).clone(), pool.var_sort(var));
                    pool.declare_var(name, sort)
                })
                .collect()
        };
        let params = copies(self.procs[body].params.clone());
        let ignored = copies(self.procs[body].outs.clone());
        let outs = result
            .iter()
            .map(|&sort| self.pool.declare_var("tid", sort))
            .collect();
        let assert = self.asserts.push(AssertInfo {
            kind: AssertKind::Unsupported(reason.into()),
            span: Some(span),
            condition_span: None,
            id: None,
            message: None,
        });
        let condition = self.pool.bool(false);
        let call = StmtKind::Call(Call {
            callee: body,
            ins: params.iter().map(|&param| self.pool.var(param)).collect(),
            outs: ignored.clone(),
        });
        let stmts = [StmtKind::Assert { condition, assert }, call]
            .map(|kind| self.stmt(kind, Some(span), Origin::Internal));
        let proc = self.add_straight(name, Some(span), outs, stmts.into());
        self.procs[proc].params = params;
        self.procs[proc].locals = ignored;
        self.threads.primitives.insert(proc, ThreadPrimitive::Spawn);
        proc
    }

    fn add_straight(
        &mut self,
        name: String,
        span: Option<Span>,
        outs: Vec<VarId>,
        stmts: Vec<Stmt>,
    ) -> ProcId {
        let mut blocks = PrimaryMap::new();
        let mut block = Block::new(Terminator::Return);
        block.stmts = stmts;
        let entry = blocks.push(block);
        self.procs.push(Proc {
            span,
            outs,
            ..Proc::new(name.into(), ProcKind::Source, blocks, entry)
        })
    }
}
