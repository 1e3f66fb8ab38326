//! Data races become assertions.
//!
//! A race is that two threads are about to access the same object, one of them to write it, and not both in order to synchronise. In
//! sequentially consistent executions this is the definition of C11: two conflicting actions that nothing orders can be made
//! neighbours.
//!
//! One object is watched in each execution: which one, and which element of a map, is chosen beforehand and never changes. A thread that
//! is about to access it may stop there for good, and says so (`stopped`, `stopped to write`). Whoever accesses the same object after
//! that fails an assertion. Locks that the stopped thread holds stay locked, so that what they protect is not accessed.
//!
//! The flags make no steps of their own: a thread stops where its last step left it, and the assertion belongs to the access.

use lariat_base::Span;
use lariat_ir::{
    AssertInfo, AssertKind, Block, BlockId, Origin, ProcId, Program, Stmt, StmtKind, Terminator,
};
use lariat_options::Check;
use lariat_term::{Op, SortId, TermId, VarId, VarSet};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::split_accesses::reads;
use crate::thread_analysis::{Point, ThreadAnalysis, starts_threads};

/// An access of a shared object.
struct Access {
    object: VarId,
    /// Of a map the indices of the elements; none for all of it.
    elements: Vec<Vec<TermId>>,
    is_write: bool,
}

struct Watch {
    analysis: ThreadAnalysis,
    /// The number of the object that is watched.
    object: VarId,
    /// The index of the watched element, by sort.
    index: FxHashMap<SortId, VarId>,
    stopped: VarId,
    stopped_to_write: VarId,
}

/// Watches the objects that the threads of an entry share. Each access of one must be a statement of its own.
pub fn watch_races(program: &mut Program, entry: ProcId) {
    if !starts_threads(program, entry) {
        return;
    }
    let (int, truth) = (program.pool.int_sort(), program.pool.bool_sort());
    let watch = Watch {
        analysis: ThreadAnalysis::new(program, entry),
        object: global(program, "watched object", int),
        index: FxHashMap::default(),
        stopped: global(program, "stopped", truth),
        stopped_to_write: global(program, "stopped to write", truth),
    };
    program
        .threads
        .quiet
        .extend([watch.stopped, watch.stopped_to_write]);
    let (start, first) = (program.procs[entry].entry, program.pool.bool(false));
    let kind = StmtKind::Assign(smallvec![(watch.stopped, first), (watch.stopped_to_write, first)]);
    let none = program.stmt(kind, None, Origin::Internal);
    let mut pass = Pass { program, watch };
    for proc in pass.watch.analysis.reachable.keys().collect::<Vec<_>>() {
        for block in pass.program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            if let Some(point) = pass.watch.analysis.point(pass.program, proc, block) {
                pass.block(proc, block, point);
            }
        }
    }
    program.procs[entry].blocks[start].stmts.insert(0, none);
}

fn global(program: &mut Program, name: &str, sort: SortId) -> VarId {
    let var = program.pool.declare_var(name, sort);
    program.globals.push(var);
    var
}

struct Pass<'a> {
    program: &'a mut Program,
    watch: Watch,
}

impl Pass<'_> {
    fn block(&mut self, proc: ProcId, block: BlockId, mut point: Point) {
        let data = &mut self.program.procs[proc].blocks[block];
        let old = std::mem::take(&mut data.stmts);
        let terminator = std::mem::replace(&mut data.terminator, Terminator::Return);
        let span = data.span;
        let (mut current, mut stmts) = (block, Vec::with_capacity(old.len()));
        for stmt in old {
            let after = self.watch.analysis.after(&stmt, point);
            let accesses = match point.others {
                true => accesses(self.program, &self.watch.analysis.visible, &stmt),
                false => Vec::new(),
            };
            let synchronises = self.program.threads.synchronising.contains(&stmt.id);
            let at = stmt.span;
            if !synchronises && point.depth.may_be_zero() {
                for access in &accesses {
                    let stops = self.stops_before(proc, access, at);
                    let rest = self.program.procs[proc]
                        .blocks
                        .push(Block::new(Terminator::Return));
                    let cut = &mut self.program.procs[proc].blocks[current];
                    cut.stmts = std::mem::take(&mut stmts);
                    cut.terminator = Terminator::Goto(smallvec![stops, rest]);
                    current = rest;
                }
            }
            stmts.push(stmt);
            for access in &accesses {
                let check = self.check(access, at);
                stmts.extend(check);
            }
            point = after;
        }
        let end = &mut self.program.procs[proc].blocks[current];
        end.stmts = stmts;
        end.terminator = terminator;
        end.span = span;
    }

    /// Whether an access is one of the watched object.
    fn is_watched(&mut self, access: &Access) -> TermId {
        let shared = &self.watch.analysis.shared;
        let number = shared.binary_search(&access.object).unwrap_or(shared.len());
        let pool = &mut self.program.pool;
        let (object, number) = (pool.var(self.watch.object), pool.int(number));
        let is_object = pool.eq(object, number);
        if access.elements.is_empty() {
            return is_object;
        }
        let mut found = Vec::new();
        for indices in &access.elements {
            let mut parts = vec![is_object];
            for &index in indices {
                let sort = self.program.pool.sort_of(index);
                let watched = match self.watch.index.get(&sort) {
                    Some(&var) => var,
                    None => {
                        let var = global(self.program, "watched element", sort);
                        self.watch.index.insert(sort, var);
                        var
                    }
                };
                let watched = self.program.pool.var(watched);
                parts.push(self.program.pool.eq(watched, index));
            }
            found.push(self.program.pool.and(&parts));
        }
        self.program.pool.or(&found)
    }

    /// A block in which the thread stops before its access.
    fn stops_before(&mut self, proc: ProcId, access: &Access, span: Option<Span>) -> BlockId {
        let is_watched = self.is_watched(access);
        let pool = &mut self.program.pool;
        let stopped = pool.var(self.watch.stopped);
        let nobody = pool.not(stopped);
        let condition = pool.and(&[nobody, is_watched]);
        let (yes, writes) = (pool.bool(true), pool.bool(access.is_write));
        let flags = smallvec![(self.watch.stopped, yes), (self.watch.stopped_to_write, writes)];
        let mut block = Block::new(Terminator::Goto(SmallVec::new()));
        block.stmts = vec![
            self.program
                .stmt(StmtKind::Assume(condition), span, Origin::Internal),
            self.program.stmt(StmtKind::Assign(flags), span, Origin::Source),
        ];
        self.program.procs[proc].blocks.push(block)
    }

    /// Nobody has stopped before an access that conflicts with this one.
    fn check(&mut self, access: &Access, span: Option<Span>) -> [Stmt; 2] {
        let is_watched = self.is_watched(access);
        let pool = &mut self.program.pool;
        let mut parts = vec![pool.var(self.watch.stopped), is_watched];
        if !access.is_write {
            parts.push(pool.var(self.watch.stopped_to_write));
        }
        let race = pool.and(&parts);
        let condition = pool.not(race);
        let what = if access.is_write { "written" } else { "read" };
        let assert = self.program.asserts.push(AssertInfo {
            kind: AssertKind::Check(Check::Race),
            span,
            condition_span: None,
            id: None,
            message: Some(format!("data race: {what} here while another thread can access it").into()),
        });
        [
            StmtKind::Assert { condition, assert },
            StmtKind::Assume(condition),
        ]
        .map(|kind| self.program.stmt(kind, span, Origin::Internal))
    }
}

/// The shared objects that a statement of the program accesses.
fn accesses(program: &Program, visible: &VarSet, stmt: &Stmt) -> Vec<Access> {
    let pool = &program.pool;
    // What every stored value is known to be is no access.
    if matches!(stmt.kind, StmtKind::Assume(_)) && stmt.origin.is_internal() {
        return Vec::new();
    }
    let mut found: Vec<Access> = Vec::new();
    let mut add = |object: VarId, indices: Option<Vec<TermId>>, is_write: bool| {
        let known = found
            .iter_mut()
            .find(|access| access.object == object && access.is_write == is_write);
        match (known, indices) {
            (Some(access), Some(indices)) if !access.elements.is_empty() => access.elements.push(indices),
            (Some(access), _) => access.elements.clear(),
            (None, indices) => found.push(Access {
                object,
                elements: indices.into_iter().collect(),
                is_write,
            }),
        }
    };
    for read in reads(program, visible, stmt) {
        match pool.op(read) {
            Op::Var(var) => add(var, None, false),
            _ => {
                let args = pool.args(read);
                if let Some(map) = pool.as_var(args[0]) {
                    add(map, Some(args[1..].to_vec()), false);
                }
            }
        }
    }
    match &stmt.kind {
        StmtKind::Assign(assignments) => {
            for &(var, value) in assignments.iter().filter(|(var, _)| visible.contains(var)) {
                let mut base = value;
                let mut written = Vec::new();
                while pool.op(base) == Op::Store {
                    let args = pool.args(base);
                    written.push(args[1..args.len() - 1].to_vec());
                    base = args[0];
                }
                if written.is_empty() || pool.as_var(base) != Some(var) {
                    add(var, None, true);
                } else {
                    written
                        .into_iter()
                        .for_each(|indices| add(var, Some(indices), true));
                }
            }
        }
        _ => {
            for var in stmt.assigned().into_iter().filter(|var| visible.contains(var)) {
                add(var, None, true);
            }
        }
    }
    found
}
