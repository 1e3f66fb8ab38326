//! Threads become calls: Lal and Reps, *Reducing concurrent analysis under a context bound to sequential analysis* ([LalReps09]).
//!
//! The executions of a program with threads are cut into K contexts; in each context every thread runs at most once, in the order in
//! which the sequential program executes them. The pass makes a program that executes each thread from its start to its end,
//! before anything is known of what the threads after it do:
//!
//! - a shared global `x` has K copies: `x` itself is the one of context 1. The copies of later contexts start with values that are
//!   guessed; `x at start of i` keeps them;
//! - the context of the running thread never decreases. It is kept in unary: `context >= i` for i = 2 … K. Before each
//!   access of a shared global it may increase: `context >= i |= move i && context >= i-1`;
//! - `x := e` is executed on the copies of the present context: `x_i := context == i ? e_i : x_i` for each i;
//! - a thread runs where it is created, and its creator goes on afterwards in the context of the creation;
//! - a thread may stop for good outside atomic blocks: `stop` is set and all its procedures return. It is enough to
//!   have this choice at the start and after each effect that others can see (a write, the end of an atomic block, a new
//!   thread). So `assume e` in a thread blocks that thread only: where it fails, the thread has stopped before;
//! - a failing assertion sets `failed` and stops its thread;
//! - at the end of the entry the copies are tied together: `x_i == x at start of i+1`. The guesses were right, so the
//!   contexts in a row are an execution, and `failed` is the question.
//!
//! Deviations: before the first thread is created there is one context. An atomic block is one step, and a thread that is created in one
//! starts in a later context. What a procedure without body does is one step. With `cooperative`, contexts increase at
//! `yield` only; a thread that was created runs in its creator's context if that uses no shared global any more in it (`ceded`).
//!
//! Each move of a thread is a havoc whose values a trace shows; marks (`enter`) show stops and failures.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, EntitySet};
use lariat_ir::{
    AssertId, AssertKind, Block, BlockId, Call, Origin, Proc, ProcId, Program, Stmt, StmtId, StmtKind,
    Terminator, ThreadPrimitive, Threads,
};
use lariat_term::{BvOp, Op, Sort, SortId, Substitution, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::call_graph::CallGraph;
use crate::clone_procedure::clone_procedure;
use crate::free_vars::FreeVars;
use crate::instrument_errors::Goal;
use crate::thread_analysis::{Depth, Point, ThreadAnalysis, blocks_in_cycles};

/// How threads are scheduled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextOptions {
    /// K: in each of so many contexts every thread runs at most once.
    pub contexts: u32,
    /// Threads give way at `yield` only.
    pub cooperative: bool,
    /// Every global that is written counts as shared.
    pub share_all: bool,
}

/// How an execution of the sequential program is read as one with threads.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// For each havoc that may move a thread to a later context, the statement before which it stands, and the variables that
    /// move it from context 1 to 2, from 2 to 3 and so on.
    pub moves: FxHashMap<StmtId, (StmtId, Vec<VarId>)>,
    /// For each havoc at the start of a thread the variable that is its id; the others are its own globals.
    pub starts: FxHashMap<StmtId, Option<VarId>>,
    pub marks: FxHashMap<BlockId, Mark>,
    /// The calls that start threads.
    pub spawns: FxHashSet<StmtId>,
}

/// What a block that the pass made says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The thread stops after this statement.
    Stops(StmtId),
    /// The assertion of this statement fails.
    Fails(StmtId),
}

/// What [`sequentialise`] made of the program.
#[derive(Clone, Debug)]
pub struct Sequentialised {
    pub entry: ProcId,
    /// For each variable that stands for one of the lowered program, that one.
    pub origins: FxHashMap<VarId, VarId>,
    pub schedule: Schedule,
    /// The assertions that were asked about, and the unsupported constructs.
    pub goals: BTreeSet<AssertId>,
    pub failures: BTreeMap<StmtId, AssertId>,
    /// The globals that have copies.
    pub split: Vec<VarId>,
    /// Whether more contexts allow no other executions: no global is shared, or no execution has as many
    /// places where a thread may move on as there are contexts.
    pub exact: bool,
    /// How many calls start threads.
    pub starts: usize,
}

/// Marks are numbered from here on: no procedure has so many blocks.
const FIRST_MARK: usize = 1 << 30;

/// Makes a program that starts threads sequential. The question is then whether the entry returns.
pub fn sequentialise(
    program: &mut Program,
    entry: ProcId,
    goal: &Goal,
    options: &ContextOptions,
) -> Sequentialised {
    let (entry, origins) = if CallGraph::new(program).callers(entry).is_empty() {
        (entry, FxHashMap::default())
    } else {
        let (copy, renamed) = clone_procedure(program, entry);
        (copy, renamed.into_iter().map(|(from, to)| (to, from)).collect())
    };
    let analysis = match options.share_all {
        true => ThreadAnalysis::sharing_all(program, entry),
        false => ThreadAnalysis::new(program, entry),
    };
    let threads = std::mem::take(&mut program.threads);
    let mut pass = Pass {
        state: State::new(program, &analysis, &threads, options.contexts.max(1)),
        program,
        analysis: &analysis,
        threads: &threads,
        goal,
        cooperative: options.cooperative,
        free_vars: FreeVars::default(),
        may_stop: FxHashSet::default(),
        result: Sequentialised {
            entry,
            origins,
            schedule: Schedule::default(),
            goals: BTreeSet::new(),
            failures: BTreeMap::new(),
            split: analysis.shared.clone(),
            exact: false,
            starts: 0,
        },
        switches: FxHashMap::default(),
    };
    pass.find_stopping();
    let procs: Vec<ProcId> = analysis.reachable.keys().collect();
    let loops: FxHashMap<ProcId, Loops> = procs
        .iter()
        .map(|&proc| (proc, Loops::of(&pass.program.procs[proc])))
        .collect();
    for &proc in &procs {
        if threads
            .primitives
            .get(&proc)
            .is_none_or(|primitive| *primitive == ThreadPrimitive::Spawn)
        {
            Body::new(&mut pass, proc).rewrite();
        }
    }
    pass.frame_entry(entry);
    // How often a thread may move on in an execution, if that is bounded.
    let calls = CallGraph::new(pass.program);
    let sizes = calls.tree_sizes(pass.program, |proc| {
        let none = FxHashMap::default();
        let switches = pass.switches.get(&proc).unwrap_or(&none);
        let repeats = loops
            .get(&proc)
            .is_some_and(|loops| loops.call || switches.keys().any(|&block| loops.blocks.contains(block)));
        (!repeats).then(|| switches.values().sum())
    });
    let mut result = pass.result;
    let moves = sizes[entry].map_or(u64::MAX, |moves| moves as u64);
    result.starts = result.schedule.spawns.len();
    result.exact = result.split.is_empty() || moves < u64::from(options.contexts);
    result
}

/// The blocks that may be executed more than once in an activation, and whether something is called there.
struct Loops {
    blocks: EntitySet<BlockId>,
    call: bool,
}

impl Loops {
    fn of(proc: &Proc) -> Self {
        let blocks = blocks_in_cycles(proc);
        let mut stmts = blocks.keys().flat_map(|block| &proc.blocks[block].stmts);
        let call = stmts.any(|stmt| matches!(stmt.kind, StmtKind::Call(_)));
        Loops { blocks, call }
    }
}

/// The variables of the sequential program.
struct State {
    /// `context >= i` for i = 2 … K.
    at_least: Vec<VarId>,
    /// The copies of a shared global: the first one is the global itself.
    copies: FxHashMap<VarId, Vec<VarId>>,
    /// For each context after the first, what the shared globals are called in it.
    names: Vec<Substitution>,
    /// The guessed values: the global, the context and the variable.
    guesses: Vec<(VarId, usize, VarId)>,
    stop: VarId,
    failed: VarId,
    /// How many atomic blocks are open.
    atomic: VarId,
    /// Others run in this context now: the thread must not use shared globals before the next one.
    ceded: VarId,
    /// For each sort of thread ids that of the running thread, of the thread created last, and of its last child.
    ids: Vec<(SortId, VarId, VarId, VarId)>,
}

impl State {
    fn new(program: &mut Program, analysis: &ThreadAnalysis, threads: &Threads, contexts: u32) -> Self {
        let bool_sort = program.pool.bool_sort();
        let int_sort = program.pool.int_sort();
        let global = |program: &mut Program, name: String, sort: SortId| {
            let var = program.pool.declare_var(name, sort);
            program.globals.push(var);
            var
        };
        let at_least = (2..=contexts)
            .map(|i| global(program, format!("context >= {i}"), bool_sort))
            .collect();
        let mut copies: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
        let mut names = vec![Substitution::new(); contexts as usize - 1];
        let mut guesses = Vec::new();
        for &var in &analysis.shared {
            let (name, sort) = (program.pool.var_name(var).clone(), program.pool.var_sort(var));
            let list = copies.entry(var).or_insert_with(|| vec![var]);
            for i in 2..=contexts as usize {
                let copy = global(program, format!("{name} in context {i}"), sort);
                let guess = global(program, format!("{name} at start of context {i}"), sort);
                list.push(copy);
                names[i - 2].insert(var, program.pool.var(copy));
                guesses.push((var, i, guess));
            }
        }
        let sorts: BTreeSet<SortId> = threads
            .primitives
            .keys()
            .flat_map(|&proc| &program.procs[proc].outs)
            .map(|&out| program.pool.var_sort(out))
            .collect();
        let ids = sorts
            .into_iter()
            .map(|sort| {
                let mut id = |name: &str| global(program, name.to_owned(), sort);
                (sort, id("thread id"), id("last thread id"), id("child thread id"))
            })
            .collect();
        State {
            at_least,
            copies,
            names,
            guesses,
            stop: global(program, "stop".to_owned(), bool_sort),
            failed: global(program, "failed".to_owned(), bool_sort),
            atomic: global(program, "atomic".to_owned(), int_sort),
            ceded: global(program, "ceded".to_owned(), bool_sort),
            ids,
        }
    }
}

struct Pass<'a> {
    program: &'a mut Program,
    analysis: &'a ThreadAnalysis,
    threads: &'a Threads,
    goal: &'a Goal,
    cooperative: bool,
    state: State,
    free_vars: FreeVars,
    /// The procedures that may return because their thread stops.
    may_stop: FxHashSet<ProcId>,
    result: Sequentialised,
    /// For each procedure and block how often its thread may move on in it.
    switches: FxHashMap<ProcId, FxHashMap<BlockId, usize>>,
}

type Assignments = SmallVec<[(VarId, TermId); 1]>;

impl Pass<'_> {
    fn primitive(&self, proc: ProcId) -> Option<ThreadPrimitive> {
        self.threads.primitives.get(&proc).copied()
    }

    fn is_goal(&self, assert: AssertId) -> bool {
        let checked = match self.goal {
            Goal::AssertionFails { checked } => {
                checked.as_ref().is_none_or(|checked| checked.contains(&assert))
            }
            Goal::VariableNonZero(_) | Goal::VariableZero(_) => true,
            Goal::EntryReturns => false,
        };
        checked || matches!(self.program.asserts[assert].kind, AssertKind::Unsupported(_))
    }

    fn uses_shared(&mut self, stmt: &Stmt) -> bool {
        let visible = &self.analysis.visible;
        let mut found = stmt.assigned().iter().any(|var| visible.contains(var));
        self.free_vars
            .visit_reads(&self.program.pool, stmt, |var| found |= visible.contains(&var));
        found
    }

    fn find_stopping(&mut self) {
        let calls = CallGraph::new(self.program);
        let mut work = Vec::new();
        for proc in self.analysis.reachable.keys() {
            let blocks = &self.program.procs[proc].blocks;
            let stops = blocks.values().any(|block| {
                let stmts = block.stmts.iter();
                let has_effect = |stmt: &Stmt| match &stmt.kind {
                    StmtKind::Call(call) => self.primitive(call.callee).is_some(),
                    StmtKind::Assert { assert, .. } => self.is_goal(*assert),
                    StmtKind::Assign(_) | StmtKind::Havoc(_) => {
                        let mut assigned = stmt.assigned().into_iter();
                        assigned.any(|var| self.analysis.visible.contains(&var))
                    }
                    _ => false,
                };
                block.terminator == Terminator::Goto(SmallVec::new()) || stmts.into_iter().any(has_effect)
            });
            work.extend(stops.then_some(proc));
        }
        while let Some(proc) = work.pop() {
            // What stops a thread does not stop its creator.
            if self.primitive(proc) != Some(ThreadPrimitive::Spawn) && self.may_stop.insert(proc) {
                work.extend(calls.callers(proc));
            }
        }
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.program.stmt(kind, None, Origin::Internal)
    }

    fn set(&mut self, var: VarId, value: TermId) -> Stmt {
        self.stmt(StmtKind::Assign(smallvec![(var, value)]))
    }

    /// `context == i`.
    fn in_context(&mut self, i: usize) -> TermId {
        let pool = &mut self.program.pool;
        let mut parts = Vec::new();
        if i >= 2 {
            parts.push(pool.var(self.state.at_least[i - 2]));
        }
        if let Some(&next) = self.state.at_least.get(i - 1) {
            let next = pool.var(next);
            parts.push(pool.not(next));
        }
        pool.and(&parts)
    }

    /// A term over the shared globals as they are called in a context.
    fn named(&mut self, term: TermId, i: usize) -> TermId {
        match i {
            1 => term,
            _ => self.state.names[i - 2].apply(&mut self.program.pool, term),
        }
    }

    /// The value of a term in the present context.
    fn value(&mut self, term: TermId) -> TermId {
        let mut value = term;
        for i in 2..=self.state.names.len() + 1 {
            let later = self.named(term, i);
            if later == term {
                break;
            }
            let at_least = self.program.pool.var(self.state.at_least[i - 2]);
            value = self.program.pool.ite(at_least, later, value);
        }
        value
    }

    /// `var := term` in the present context.
    fn assign(&mut self, var: VarId, term: TermId, assignments: &mut Assignments) {
        let Some(copies) = self.state.copies.get(&var).cloned() else {
            let value = self.value(term);
            assignments.push((var, value));
            return;
        };
        for (index, copy) in copies.into_iter().enumerate() {
            let here = self.in_context(index + 1);
            let new = self.named(term, index + 1);
            let value = self.guarded(here, copy, new);
            assignments.push((copy, value));
        }
    }

    /// `here ? new : old`, where updates of maps stay updates.
    fn guarded(&mut self, here: TermId, old: VarId, new: TermId) -> TermId {
        let pool = &mut self.program.pool;
        let mut updates = Vec::new();
        let mut base = new;
        while pool.op(base) == Op::Store {
            updates.push(base);
            base = pool.args(base)[0];
        }
        if updates.is_empty() || pool.as_var(base) != Some(old) {
            let old = pool.var(old);
            return pool.ite(here, new, old);
        }
        let mut value = base;
        for update in updates.into_iter().rev() {
            let args = pool.args(update).to_vec();
            let (indices, stored) = (&args[1..args.len() - 1], args[args.len() - 1]);
            let before = pool.select(value, indices);
            let stored = pool.ite(here, stored, before);
            value = pool.store(value, indices, stored);
        }
        value
    }

    fn mark(&mut self, mark: Mark) -> Stmt {
        let id = BlockId::new(FIRST_MARK + self.result.schedule.marks.len());
        self.result.schedule.marks.insert(id, mark);
        self.stmt(StmtKind::Enter(id))
    }

    fn successor_id(&mut self, id: TermId) -> TermId {
        let pool = &mut self.program.pool;
        match *pool.sort(pool.sort_of(id)) {
            Sort::Bv(width) => {
                let one = pool.bv(1, width);
                pool.bv_op(BvOp::Add, &[id, one])
            }
            _ => {
                let one = pool.int(1);
                pool.add(&[id, one])
            }
        }
    }

    /// All returns go to the block; it is the only one that returns.
    fn return_through(&mut self, proc: ProcId, stmts: Vec<Stmt>) {
        let mut last = Block::new(Terminator::Return);
        last.stmts = stmts;
        let data = &mut self.program.procs[proc];
        let returning: Vec<BlockId> = data
            .blocks
            .iter()
            .filter(|(_, block)| block.terminator == Terminator::Return)
            .map(|(id, _)| id)
            .collect();
        let last = data.blocks.push(last);
        for block in returning {
            data.blocks[block].terminator = Terminator::goto(last);
        }
    }

    /// The start of the entry, and its end, where the guesses must have been right.
    fn frame_entry(&mut self, entry: ProcId) {
        let (no, zero) = (self.program.pool.bool(false), self.program.pool.int(0));
        let mut start: Assignments = smallvec![
            (self.state.stop, no),
            (self.state.failed, no),
            (self.state.ceded, no),
            (self.state.atomic, zero),
        ];
        start.extend(self.state.at_least.iter().map(|&var| (var, no)));
        for &(sort, id, last, _) in &self.state.ids {
            let first = match *self.program.pool.sort(sort) {
                Sort::Bv(width) => self.program.pool.bv(1, width),
                _ => self.program.pool.int(1),
            };
            start.extend([(id, first), (last, first)]);
        }
        let mut end = Vec::new();
        for (var, i, guess) in self.state.guesses.clone() {
            let copies = &self.state.copies[&var];
            let (before, here) = (copies[i - 2], copies[i - 1]);
            let pool = &mut self.program.pool;
            start.push((guess, pool.var(here)));
            let (guess, before) = (pool.var(guess), pool.var(before));
            let was_right = pool.eq(guess, before);
            end.push(self.stmt(StmtKind::Assume(was_right)));
        }
        let goal = match self.goal {
            Goal::EntryReturns => {
                let stop = self.program.pool.var(self.state.stop);
                self.program.pool.not(stop)
            }
            _ => self.program.pool.var(self.state.failed),
        };
        end.push(self.stmt(StmtKind::Assume(goal)));
        self.return_through(entry, end);
        let start = self.stmt(StmtKind::Assign(start));
        let first = self.program.procs[entry].entry;
        self.program.procs[entry].blocks[first].stmts.insert(0, start);
    }
}

mod body;

use body::Body;
