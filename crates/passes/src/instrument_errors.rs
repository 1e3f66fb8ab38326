//! Assertions become a question about the end of the entry ([Corral12] §4.2).
//!
//! A global `error` says that an assertion has failed: `assert e` branches into
//! `assume e` and `assume !e; error := true; return`, and a call of a procedure that may
//! fail is followed by a branch into `assume error; return` and `assume !error`. Deviations:
//! - procedures in which nothing can fail are left as they are;
//! - `error` is `false` at every start of a procedure, so each that may fail begins with
//!   `error := false`: then `error` is only an out of its interface;
//! - there is no check between a call and an immediate `return`;
//! - assertions in a row have one branch together, in front of the first one: which of them fails is asked only of executions
//!   in which one does.
//!
//! After this pass the question is whether the entry can return, and the program is at
//! [`lariat_ir::Stage::Instrumented`].

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;
use lariat_ir::{
    AssertId, AssertKind, Block, BlockId, Origin, ProcId, Program, Stmt, StmtId, StmtKind, Terminator,
};
use lariat_term::{Sort, TermId, VarId};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use crate::call_graph::CallGraph;
use crate::clone_procedure::clone_procedure;

/// The question about the entry.
///
/// Whatever is asked, an [`AssertKind::Unsupported`] that is reached ends the execution as
/// a failure, so that it is seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// One of these assertions fails (`None`: any). The others are assumed.
    AssertionFails { checked: Option<BTreeSet<AssertId>> },
    /// The entry returns. Assertions are assumed.
    EntryReturns,
    /// The entry returns, and then the variable is neither 0 nor `false`, or an assertion fails.
    VariableNonZero(VarId),
    /// The entry returns, and then the variable is 0 or `false`, or an assertion fails.
    VariableZero(VarId),
}

/// What [`instrument_errors`] made of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instrumented {
    /// The procedure to ask about: a copy of the one that was asked for, if that is recursive.
    pub entry: ProcId,
    /// For each variable of such a copy the one that it stands for.
    pub origins: FxHashMap<VarId, VarId>,
    /// The flag; `None` if nothing can fail.
    pub error: Option<VarId>,
    /// The assertions that were asked about and that the entry reaches.
    pub checked: Vec<AssertId>,
    /// The unsupported constructs that the entry reaches.
    pub unsupported: Vec<AssertId>,
    /// For each statement `error := true` the assertion that fails there.
    pub failures: BTreeMap<StmtId, AssertId>,
}

/// Replaces all assertions; see the module.
pub fn instrument_errors(program: &mut Program, entry: ProcId, goal: &Goal) -> Instrumented {
    let (entry, goal, origins) = own_entry(program, entry, goal);
    let calls = CallGraph::new(program);
    let reachable = calls.reachable_from(entry);
    let mut instrumentation = Instrumentation {
        goal: &goal,
        may_fail: EntitySet::new(),
        error: None,
        failures: BTreeMap::new(),
        goals: BTreeSet::new(),
    };
    let mut work = Vec::new();
    for (id, proc) in program.procs.iter() {
        if !reachable.contains(id) {
            continue;
        }
        let mut fails = false;
        for block in proc.reverse_postorder() {
            for stmt in &proc.blocks[block].stmts {
                if let StmtKind::Assert { assert, .. } = stmt.kind
                    && instrumentation.is_goal(program, assert)
                {
                    instrumentation.goals.insert(assert);
                    fails = true;
                }
            }
        }
        work.extend(fails.then_some(id));
    }
    while let Some(proc) = work.pop() {
        if instrumentation.may_fail.insert(proc) {
            work.extend(
                calls
                    .callers(proc)
                    .iter()
                    .filter(|&&caller| reachable.contains(caller)),
            );
        }
    }
    if instrumentation.may_fail.contains(entry) {
        let bool_sort = program.pool.bool_sort();
        let error = program.pool.declare_var("error", bool_sort);
        program.globals.push(error);
        instrumentation.error = Some(error);
    }
    for proc in program.procs.keys().collect::<Vec<_>>() {
        instrumentation.instrument(program, proc, proc == entry);
    }
    let is_unsupported =
        |&assert: &AssertId| matches!(program.asserts[assert].kind, AssertKind::Unsupported(_));
    let (unsupported, checked) = instrumentation.goals.iter().copied().partition(is_unsupported);
    Instrumented {
        entry,
        origins,
        error: instrumentation.error,
        checked,
        unsupported,
        failures: instrumentation.failures,
    }
}

/// An entry without callers: what is assumed at its start and end must not bind other calls.
fn own_entry(program: &mut Program, entry: ProcId, goal: &Goal) -> (ProcId, Goal, FxHashMap<VarId, VarId>) {
    if CallGraph::new(program).callers(entry).is_empty() {
        return (entry, goal.clone(), FxHashMap::default());
    }
    let (copy, renamed) = clone_procedure(program, entry);
    let goal = match goal {
        Goal::VariableNonZero(var) => Goal::VariableNonZero(renamed.get(var).copied().unwrap_or(*var)),
        Goal::VariableZero(var) => Goal::VariableZero(renamed.get(var).copied().unwrap_or(*var)),
        Goal::AssertionFails { .. } | Goal::EntryReturns => goal.clone(),
    };
    let origins = renamed
        .into_iter()
        .map(|(original, own)| (own, original))
        .collect();
    (copy, goal, origins)
}

struct Instrumentation<'a> {
    goal: &'a Goal,
    may_fail: EntitySet<ProcId>,
    error: Option<VarId>,
    failures: BTreeMap<StmtId, AssertId>,
    goals: BTreeSet<AssertId>,
}

impl Instrumentation<'_> {
    fn is_goal(&self, program: &Program, assert: AssertId) -> bool {
        let is_checked = match self.goal {
            Goal::AssertionFails { checked } => {
                checked.as_ref().is_none_or(|checked| checked.contains(&assert))
            }
            Goal::VariableNonZero(_) | Goal::VariableZero(_) => true,
            Goal::EntryReturns => false,
        };
        is_checked || matches!(program.asserts[assert].kind, AssertKind::Unsupported(_))
    }

    fn instrument(&mut self, program: &mut Program, proc: ProcId, is_entry: bool) {
        // The block of all failing calls of this procedure.
        let mut failed: Option<BlockId> = None;
        let error = self.error.filter(|_| self.may_fail.contains(proc));
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            self.instrument_block(program, proc, block, error, &mut failed, is_entry);
        }
        let mut start: Vec<Stmt> = Vec::new();
        if let Some(error) = error {
            let no = program.pool.bool(false);
            start.push(program.stmt(StmtKind::Assign(smallvec![(error, no)]), None, Origin::Internal));
        }
        if is_entry {
            for condition in std::mem::take(&mut program.initial) {
                start.push(program.stmt(StmtKind::Assume(condition), None, Origin::Where));
            }
        }
        let first = program.procs[proc].entry;
        program.procs[proc].blocks[first].stmts.splice(0..0, start);
    }

    /// Cuts the block at what may fail: its start stays, and new blocks go on.
    fn instrument_block(
        &mut self,
        program: &mut Program,
        proc: ProcId,
        block: BlockId,
        error: Option<VarId>,
        failed: &mut Option<BlockId>,
        is_entry: bool,
    ) {
        let data = &mut program.procs[proc].blocks[block];
        let terminator = std::mem::replace(&mut data.terminator, Terminator::Return);
        let span = data.span;
        let old = std::mem::take(&mut data.stmts);
        let last = old.len().wrapping_sub(1);
        let mut current = block;
        let mut stmts: Vec<Stmt> = Vec::new();
        let mut old = old.into_iter().enumerate().peekable();
        while let Some((index, stmt)) = old.next() {
            match stmt.kind {
                StmtKind::Assert { condition, assert } => {
                    let Some(error) = error.filter(|_| self.goals.contains(&assert)) else {
                        stmts.push(holds(stmt, condition));
                        continue;
                    };
                    // What is asserted right after it, with what is assumed of it.
                    let mut row = vec![(stmt.clone(), condition, assert)];
                    let mut passed = vec![holds(stmt, condition)];
                    while let Some((_, next)) = old.next_if(|(_, next)| self.is_in_row(&row, next)) {
                        if let StmtKind::Assert { condition, assert } = next.kind {
                            row.push((next.clone(), condition, assert));
                            passed.push(holds(next, condition));
                        }
                    }
                    let failure = self.failures_block(program, proc, row, error);
                    let rest = program.procs[proc].blocks.push(Block::new(Terminator::Return));
                    let cut = &mut program.procs[proc].blocks[current];
                    cut.stmts = std::mem::replace(&mut stmts, passed);
                    cut.terminator = Terminator::Goto(smallvec![failure, rest]);
                    current = rest;
                }
                StmtKind::Call(ref call) if self.may_fail.contains(call.callee) => {
                    stmts.push(stmt);
                    let Some(error) = error else { continue };
                    if index == last && terminator == Terminator::Return {
                        continue;
                    }
                    let flag = program.pool.var(error);
                    let failed = *failed.get_or_insert_with(|| {
                        let check = program.stmt(StmtKind::Assume(flag), None, Origin::Internal);
                        let mut block = Block::new(Terminator::Return);
                        block.stmts.push(check);
                        program.procs[proc].blocks.push(block)
                    });
                    let rest = program.procs[proc].blocks.push(Block::new(Terminator::Return));
                    let cut = &mut program.procs[proc].blocks[current];
                    cut.stmts = std::mem::take(&mut stmts);
                    cut.terminator = Terminator::Goto(smallvec![failed, rest]);
                    current = rest;
                    let passed = program.pool.not(flag);
                    stmts.push(program.stmt(StmtKind::Assume(passed), None, Origin::Internal));
                }
                _ => stmts.push(stmt),
            }
        }
        if is_entry
            && terminator == Terminator::Return
            && let Some(goal) = self.goal_at_return(program)
        {
            stmts.push(program.stmt(StmtKind::Assume(goal), span, Origin::Internal));
        }
        let end = &mut program.procs[proc].blocks[current];
        end.stmts = stmts;
        end.terminator = terminator;
        end.span = span;
    }

    /// Whether the statement is one more assertion of the row, or only repeats what one of it says.
    fn is_in_row(&self, row: &[(Stmt, TermId, AssertId)], next: &Stmt) -> bool {
        match next.kind {
            StmtKind::Assert { assert, .. } => self.goals.contains(&assert) && row[0].0.span == next.span,
            StmtKind::Assume(condition) => row.iter().any(|&(_, asserted, _)| asserted == condition),
            _ => false,
        }
    }

    /// Where the first of the assertions that does not hold fails.
    fn failures_block(
        &mut self,
        program: &mut Program,
        proc: ProcId,
        row: Vec<(Stmt, TermId, AssertId)>,
        error: VarId,
    ) -> BlockId {
        let mut failures = smallvec![];
        let mut earlier: Vec<TermId> = Vec::new();
        let span = row[0].0.span;
        for (mut stmt, condition, assert) in row {
            stmt.kind = StmtKind::Assume(program.pool.not(condition));
            let failure = self.failure_block(program, proc, stmt, assert, error);
            let held: Vec<Stmt> = earlier
                .iter()
                .map(|&condition| program.stmt(StmtKind::Assume(condition), span, Origin::Internal))
                .collect();
            program.procs[proc].blocks[failure].stmts.splice(0..0, held);
            failures.push(failure);
            earlier.push(condition);
        }
        if let [only] = failures[..] {
            return only;
        }
        let block = Block::new(Terminator::Goto(failures));
        program.procs[proc].blocks.push(block)
    }

    /// `assume !e; error := true; return`.
    fn failure_block(
        &mut self,
        program: &mut Program,
        proc: ProcId,
        fails: Stmt,
        assert: AssertId,
        error: VarId,
    ) -> BlockId {
        let yes = program.pool.bool(true);
        let span = fails.span;
        let set = program.stmt(StmtKind::Assign(smallvec![(error, yes)]), span, Origin::Internal);
        self.failures.insert(set.id, assert);
        let mut block = Block::new(Terminator::Return);
        block.stmts = vec![fails, set];
        block.span = span;
        program.procs[proc].blocks.push(block)
    }

    /// What must hold where the entry returns; failures return on their own.
    fn goal_at_return(&self, program: &mut Program) -> Option<TermId> {
        let error = self.error.map(|error| program.pool.var(error));
        match *self.goal {
            Goal::AssertionFails { .. } => Some(error.unwrap_or_else(|| program.pool.bool(false))),
            Goal::EntryReturns => None,
            Goal::VariableNonZero(var) | Goal::VariableZero(var) => {
                let nonzero = nonzero(program, var);
                let reached = match self.goal {
                    Goal::VariableZero(_) => program.pool.not(nonzero),
                    _ => nonzero,
                };
                let error = error.unwrap_or_else(|| program.pool.bool(false));
                Some(program.pool.or(&[error, reached]))
            }
        }
    }
}

/// What goes on where the assertion holds.
fn holds(assertion: Stmt, condition: TermId) -> Stmt {
    Stmt {
        kind: StmtKind::Assume(condition),
        ..assertion
    }
}

/// `var != 0`, or `var` itself if it is a `Bool`; `true` for other sorts, which have no zero.
fn nonzero(program: &mut Program, var: VarId) -> TermId {
    let term = program.pool.var(var);
    let zero = match program.pool.sort(program.pool.var_sort(var)) {
        Sort::Bool => return term,
        Sort::Int => program.pool.int(0),
        Sort::Bv(width) => {
            let width = *width;
            program.pool.bv(0, width)
        }
        _ => return program.pool.bool(true),
    };
    let is_zero = program.pool.eq(term, zero);
    program.pool.not(is_zero)
}
