//! What is known of threads before a program is made sequential: where other threads may run, how deep in atomic blocks
//! a statement is, and which globals more than one thread uses while another may write them.

use cranelift_entity::{EntitySet, SecondaryMap};
use lariat_base::Span;
use lariat_ir::{AssertKind, BlockId, Origin, ProcId, Program, Stmt, StmtId, StmtKind, ThreadPrimitive};
use lariat_term::{VarId, VarSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_graph::CallGraph;
use crate::free_vars::FreeVars;

/// How many atomic blocks are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    Known(u32),
    Any,
}

impl Depth {
    fn joined(self, other: Depth) -> Depth {
        if self == other { self } else { Depth::Any }
    }

    pub(crate) fn may_be_zero(self) -> bool {
        matches!(self, Depth::Known(0) | Depth::Any)
    }

    fn plus(self, change: Option<i32>) -> Depth {
        match (self, change) {
            (Depth::Known(depth), Some(change)) => Depth::Known(depth.saturating_add_signed(change)),
            _ => Depth::Any,
        }
    }
}

/// What is known before a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    /// Whether another thread may have been started.
    pub others: bool,
    pub depth: Depth,
}

impl Point {
    fn joined(self, other: Point) -> Point {
        Point {
            others: self.others || other.others,
            depth: self.depth.joined(other.depth),
        }
    }
}

/// A contract over shared globals, which other threads may change between the caller's and the callee's view of it.
#[derive(Clone, Debug)]
pub struct SharedContract {
    pub span: Option<Span>,
    pub global: VarId,
}

pub struct ThreadAnalysis {
    /// The globals that need a copy for each context, in ascending order.
    pub shared: Vec<VarId>,
    /// Those of them whose accesses are steps of their own.
    pub(crate) visible: VarSet,
    pub(crate) reachable: EntitySet<ProcId>,
    at_start: FxHashMap<(ProcId, BlockId), Point>,
    may_spawn: EntitySet<ProcId>,
    depth_change: SecondaryMap<ProcId, Option<i32>>,
}

/// Whether the entry reaches a statement that starts a thread.
pub fn starts_threads(program: &Program, entry: ProcId) -> bool {
    let reachable = CallGraph::new(program).reachable_from(entry);
    spawns(program).any(|spawn| reachable.contains(spawn))
}

/// The statements before which a thread may give way: those that access what threads share, and the starts of atomic blocks.
pub fn switch_points(program: &Program, entry: ProcId) -> FxHashSet<StmtId> {
    let analysis = ThreadAnalysis::new(program, entry);
    let mut free_vars = FreeVars::default();
    let mut found = FxHashSet::default();
    for proc in analysis.reachable.keys() {
        analysis.visit(program, proc, |stmt, point| {
            if !point.others || !point.depth.may_be_zero() {
                return;
            }
            let visible = &analysis.visible;
            let mut is_point = match &stmt.kind {
                StmtKind::Call(call) => {
                    program.threads.primitives.get(&call.callee) == Some(&ThreadPrimitive::AtomicBegin)
                }
                _ => stmt.assigned().iter().any(|var| visible.contains(var)),
            };
            free_vars.visit_reads(&program.pool, stmt, |var| is_point |= visible.contains(&var));
            if is_point {
                found.insert(stmt.id);
            }
        });
    }
    found
}

fn spawns(program: &Program) -> impl Iterator<Item = ProcId> + '_ {
    let primitives = program.threads.primitives.iter();
    primitives
        .filter(|(_, primitive)| **primitive == ThreadPrimitive::Spawn)
        .map(|(&proc, _)| proc)
}

impl ThreadAnalysis {
    pub fn new(program: &Program, entry: ProcId) -> Self {
        Self::of(program, entry, false)
    }

    /// The same, but every global that is written while other threads may run counts as shared.
    pub(crate) fn sharing_all(program: &Program, entry: ProcId) -> Self {
        Self::of(program, entry, true)
    }

    fn of(program: &Program, entry: ProcId, share_all: bool) -> Self {
        let calls = CallGraph::new(program);
        let mut analysis = ThreadAnalysis {
            shared: Vec::new(),
            visible: VarSet::default(),
            reachable: calls.reachable_from(entry),
            at_start: FxHashMap::default(),
            may_spawn: EntitySet::new(),
            depth_change: SecondaryMap::with_default(Some(0)),
        };
        analysis.find_spawning(program, &calls);
        analysis.find_depth_changes(program, &calls);
        analysis.find_points(program, entry);
        analysis.find_shared(program, entry, &calls, share_all);
        analysis
    }

    fn find_spawning(&mut self, program: &Program, calls: &CallGraph) {
        let mut work: Vec<ProcId> = spawns(program).collect();
        while let Some(proc) = work.pop() {
            if self.may_spawn.insert(proc) {
                work.extend(calls.callers(proc));
            }
        }
    }

    /// How many atomic blocks more are open after a call than before; `None` if that differs.
    fn find_depth_changes(&mut self, program: &Program, calls: &CallGraph) {
        for &proc in calls.components().iter().flatten() {
            let change = match program.threads.primitives.get(&proc) {
                Some(ThreadPrimitive::AtomicBegin) => Some(1),
                Some(ThreadPrimitive::AtomicEnd) => Some(-1),
                Some(_) => Some(0),
                None => self.relative_change(program, proc),
            };
            self.depth_change[proc] = change;
        }
    }

    fn relative_change(&self, program: &Program, proc: ProcId) -> Option<i32> {
        let data = &program.procs[proc];
        let mut at: FxHashMap<BlockId, i32> = FxHashMap::default();
        let mut result: Option<i32> = None;
        at.insert(data.entry, 0);
        for block in data.reverse_postorder() {
            let mut depth = *at.get(&block)?;
            for stmt in &data.blocks[block].stmts {
                if let StmtKind::Call(call) = &stmt.kind {
                    depth += self.depth_change[call.callee]?;
                }
            }
            for &successor in data.blocks[block].successors() {
                if *at.entry(successor).or_insert(depth) != depth {
                    return None;
                }
            }
            if data.blocks[block].terminator == lariat_ir::Terminator::Return
                && *result.get_or_insert(depth) != depth
            {
                return None;
            }
        }
        Some(result.unwrap_or(0))
    }

    /// What holds after a statement that `point` holds before.
    pub(crate) fn after(&self, stmt: &Stmt, point: Point) -> Point {
        match &stmt.kind {
            StmtKind::Call(call) => Point {
                others: point.others || self.may_spawn.contains(call.callee),
                depth: point.depth.plus(self.depth_change[call.callee]),
            },
            _ => point,
        }
    }

    /// What holds at the start of a block; `None` if no execution gets there.
    pub(crate) fn at_start(&self, proc: ProcId, block: BlockId) -> Option<Point> {
        self.at_start.get(&(proc, block)).copied()
    }

    /// What holds for the first statement of a block; `None` if no execution gets there.
    pub(crate) fn point(&self, program: &Program, proc: ProcId, block: BlockId) -> Option<Point> {
        let point = self.at_start(proc, block)?;
        Some(in_thread(program, proc, block, point))
    }

    fn find_points(&mut self, program: &Program, entry: ProcId) {
        let first = Point {
            others: false,
            depth: Depth::Known(0),
        };
        let mut work = vec![(entry, program.procs[entry].entry, first)];
        while let Some((proc, block, point)) = work.pop() {
            let joined = match self.at_start.get(&(proc, block)) {
                Some(&known) => known.joined(point),
                None => point,
            };
            if self.at_start.insert((proc, block), joined) == Some(joined) {
                continue;
            }
            let mut point = in_thread(program, proc, block, joined);
            let data = &program.procs[proc].blocks[block];
            for stmt in &data.stmts {
                if let StmtKind::Call(call) = &stmt.kind {
                    let start = program.procs[call.callee].entry;
                    work.push((call.callee, start, point));
                }
                point = self.after(stmt, point);
            }
            work.extend(
                data.successors()
                    .iter()
                    .map(|&successor| (proc, successor, point)),
            );
        }
    }

    /// Calls `visit` for each statement of the procedure that can be reached, with what holds before it.
    fn visit(&self, program: &Program, proc: ProcId, mut visit: impl FnMut(&Stmt, Point)) {
        for (block, data) in program.procs[proc].blocks.iter() {
            let Some(mut point) = self.point(program, proc, block) else {
                continue;
            };
            for stmt in &data.stmts {
                visit(stmt, point);
                point = self.after(stmt, point);
            }
        }
    }

    /// A global is shared if one thread writes it and another one uses it while both may run.
    fn find_shared(&mut self, program: &Program, entry: ProcId, calls: &CallGraph, share_all: bool) {
        let threads = &program.threads;
        let own: VarSet = threads.locals.iter().chain(&threads.unordered).copied().collect();
        let globals: VarSet = program
            .globals
            .iter()
            .copied()
            .filter(|var| !own.contains(var))
            .collect();
        let many = activated_often(program, entry, calls);
        let mut free_vars = FreeVars::default();
        let mut users: FxHashMap<VarId, FxHashSet<ProcId>> = FxHashMap::default();
        let mut writers: FxHashMap<VarId, FxHashSet<ProcId>> = FxHashMap::default();
        let roots = std::iter::once(entry).chain(spawns(program));
        for root in roots.filter(|&root| self.reachable.contains(root)) {
            for proc in of_thread(program, calls, root) {
                self.visit(program, proc, |stmt, point| {
                    if !point.others {
                        return;
                    }
                    free_vars.visit_reads(&program.pool, stmt, |var| {
                        if globals.contains(&var) {
                            users.entry(var).or_default().insert(root);
                        }
                    });
                    for var in stmt.assigned() {
                        if globals.contains(&var) {
                            users.entry(var).or_default().insert(root);
                            writers.entry(var).or_default().insert(root);
                        }
                    }
                });
            }
        }
        let is_shared = |var: &&VarId| {
            let (Some(writers), Some(users)) = (writers.get(var), users.get(var)) else {
                return false;
            };
            let mut writers = writers.iter();
            writers
                .any(|writer| share_all || many.contains(*writer) || users.iter().any(|user| user != writer))
        };
        self.shared = program.globals.iter().filter(is_shared).copied().collect();
        self.shared.sort_unstable();
        let quiet: VarSet = program.threads.quiet.iter().copied().collect();
        self.visible = self
            .shared
            .iter()
            .copied()
            .filter(|var| !quiet.contains(var))
            .collect();
    }

    /// The first contract of a procedure with a body that speaks of a shared global.
    pub fn shared_contract(&self, program: &Program) -> Option<SharedContract> {
        let mut free_vars = FreeVars::default();
        let mut found = None;
        for proc in self.reachable.keys() {
            let mut is_external = false;
            self.visit(program, proc, |stmt, _| {
                is_external = match (&stmt.kind, &stmt.origin) {
                    (StmtKind::Havoc(_), Origin::External(_)) => true,
                    (StmtKind::Assume(_), _) => is_external,
                    _ => false,
                };
                let of_contract = match &stmt.kind {
                    StmtKind::Assume(_) => {
                        !is_external && matches!(stmt.origin, Origin::Requires | Origin::Ensures)
                    }
                    StmtKind::Assert { assert, .. } => matches!(
                        program.asserts[*assert].kind,
                        AssertKind::Requires(_) | AssertKind::Ensures(_)
                    ),
                    StmtKind::Assign(assignments) if stmt.origin == Origin::Internal => assignments
                        .iter()
                        .any(|(var, _)| program.pool.var_name(*var).starts_with("old(")),
                    _ => false,
                };
                if of_contract && found.is_none() {
                    free_vars.visit_reads(&program.pool, stmt, |var| {
                        if found.is_none() && self.visible.contains(&var) {
                            found = Some(SharedContract {
                                span: stmt.span,
                                global: var,
                            });
                        }
                    });
                }
            });
        }
        found
    }
}

/// What holds for the statements of a block: at the start of a thread not what holds for its creator.
pub(crate) fn in_thread(program: &Program, proc: ProcId, block: BlockId, point: Point) -> Point {
    let is_spawn = program.threads.primitives.get(&proc) == Some(&ThreadPrimitive::Spawn);
    if is_spawn && block == program.procs[proc].entry {
        return Point {
            others: true,
            depth: Depth::Known(0),
        };
    }
    point
}

/// The procedures that a thread executes which starts with `root`.
fn of_thread(program: &Program, calls: &CallGraph, root: ProcId) -> Vec<ProcId> {
    let is_spawn = |proc: &ProcId| {
        program.threads.primitives.get(proc) == Some(&ThreadPrimitive::Spawn) && *proc != root
    };
    let mut seen = EntitySet::new();
    let mut found = Vec::new();
    let mut work = vec![root];
    while let Some(proc) = work.pop() {
        if seen.insert(proc) {
            found.push(proc);
            work.extend(calls.callees(proc).iter().filter(|callee| !is_spawn(callee)));
        }
    }
    found
}

/// The procedures that may be called more than once in an execution.
fn activated_often(program: &Program, entry: ProcId, calls: &CallGraph) -> EntitySet<ProcId> {
    let mut sites = SecondaryMap::<ProcId, u32>::new();
    let mut work: Vec<ProcId> = Vec::new();
    for proc in calls.reachable_from(entry).keys() {
        let data = &program.procs[proc];
        let cyclic = blocks_in_cycles(data);
        for (block, data) in data.blocks.iter() {
            for stmt in &data.stmts {
                if let StmtKind::Call(call) = &stmt.kind {
                    sites[call.callee] += 1;
                    if sites[call.callee] > 1 || cyclic.contains(block) {
                        work.push(call.callee);
                    }
                }
            }
        }
        if calls.is_recursive(proc) {
            work.push(proc);
        }
    }
    let mut often = EntitySet::new();
    while let Some(proc) = work.pop() {
        if often.insert(proc) {
            work.extend(calls.callees(proc));
        }
    }
    often
}

/// The blocks that may be executed more than once in an activation.
pub(crate) fn blocks_in_cycles(proc: &lariat_ir::Proc) -> EntitySet<BlockId> {
    use cranelift_entity::EntityRef;
    let components = lariat_base::strongly_connected_components(proc.blocks.len(), |node, k| {
        let successors = proc.blocks[BlockId::new(node)].successors();
        successors.get(k).map(|successor| successor.index())
    });
    let mut cyclic = EntitySet::new();
    for component in components {
        let first = BlockId::new(component[0]);
        if component.len() > 1 || proc.blocks[first].successors().contains(&first) {
            for block in component {
                cyclic.insert(BlockId::new(block));
            }
        }
    }
    cyclic
}
