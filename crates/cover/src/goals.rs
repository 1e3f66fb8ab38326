//! What is to be reached, and the program that asks for it.
//!
//! ```text
//! the goal i                        assert !goal_i                          switched by the constant goal_i
//! assert c                          assume c                                an execution ends where an assertion fails
//! assert c, goal i is its failure   assert (goal_i ==> c); assume c
//! assert c, unsupported             assert (beyond ==> c); assume c         switched by the constant beyond
//! ```
//!
//! Invariants: statements of the program keep their ids; what is added is internal to traces. The goal of a branch stands behind
//! the assumptions that its target starts with, so that it is reached only if the branch can be taken.

use std::collections::{BTreeMap, BTreeSet};

use lariat_base::Span;
use lariat_c_program::Purpose;
use lariat_front_end::FrontEnd;
use lariat_interp::Place;
use lariat_ir::{
    AssertId, AssertInfo, AssertKind, BlockId, Origin, ProcId, Program, Stmt, StmtId, StmtKind, Terminator,
};
use lariat_options::Check;
use lariat_report::{CoverAim, CoverGoalKind};
use lariat_term::VarId;
use rustc_hash::{FxHashMap, FxHashSet};

/// One goal; the same place of the source may stand in several places of the program.
pub struct Goal {
    /// The name of the procedure.
    pub function: String,
    pub kind: CoverGoalKind,
    pub text: Option<String>,
    pub side: Option<String>,
    pub span: Option<Span>,
    /// See [`lariat_report::CoverGoal::has_check`].
    pub has_check: bool,
    pub switch: VarId,
    pub asserts: Vec<AssertId>,
    /// The blocks at whose start it is.
    pub sites: Vec<(ProcId, BlockId)>,
}

/// All goals of a program.
#[derive(Default)]
pub struct Goals {
    pub goals: Vec<Goal>,
    pub of_assert: FxHashMap<AssertId, usize>,
    /// Where executions pass goals: at statements, behind the start of blocks.
    pub of_place: FxHashMap<Place, usize>,
    pub of_block: FxHashMap<(ProcId, BlockId), Vec<usize>>,
    /// Switches on constructs that are not modelled, if there are any.
    pub beyond: Option<VarId>,
    /// Their assertions.
    pub unsupported: Vec<AssertId>,
    /// Switches that traces do not show.
    pub switches: Vec<VarId>,
}

/// Where a goal is put.
enum Spot {
    /// Behind the assumptions that the block starts with.
    Start,
    /// Before this statement.
    Before(StmtId),
    /// It is the failure of this assertion.
    Failure(StmtId),
}

/// What makes goals the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    function: String,
    kind: CoverGoalKind,
    place: Option<(usize, usize)>,
    text: Option<String>,
    side: Option<String>,
}

struct Found {
    key: Key,
    span: Option<Span>,
    has_check: bool,
    proc: ProcId,
    block: BlockId,
    spot: Spot,
}

/// Finds the goals in the procedures of `reachable` that the user wrote, and puts them into the program.
pub fn instrument(front_end: &mut FrontEnd, aim: &CoverAim, reachable: &FxHashSet<ProcId>) -> Goals {
    let found = find(front_end, aim, reachable);
    let mut goals = Goals::default();
    let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
    let mut spots: FxHashMap<(ProcId, BlockId), Vec<(Spot, usize)>> = FxHashMap::default();
    for one in found {
        let number = *numbers.entry(one.key.clone()).or_insert_with(|| {
            let name = format!("goal{}", goals.goals.len());
            let switch = declare(&mut front_end.program, &name);
            goals.switches.push(switch);
            goals.goals.push(Goal {
                function: one.key.function,
                kind: one.key.kind,
                text: one.key.text,
                side: one.key.side,
                span: one.span,
                has_check: one.has_check,
                switch,
                asserts: Vec::new(),
                sites: Vec::new(),
            });
            goals.goals.len() - 1
        });
        if matches!(one.spot, Spot::Start) {
            goals.goals[number].sites.push((one.proc, one.block));
            let here = goals.of_block.entry((one.proc, one.block)).or_default();
            here.push(number);
        }
        let here = spots.entry((one.proc, one.block)).or_default();
        here.push((one.spot, number));
    }
    let program = &mut front_end.program;
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            let spots = spots.remove(&(proc, block)).unwrap_or_default();
            goals.rewrite(program, proc, block, &spots);
        }
    }
    front_end.plain.hidden = goals.switches.iter().copied().collect();
    goals
}

impl Goals {
    /// The assertions that a search asks about.
    pub fn checked(&self) -> BTreeSet<AssertId> {
        self.of_assert.keys().chain(&self.unsupported).copied().collect()
    }

    fn rewrite(&mut self, program: &mut Program, proc: ProcId, block: BlockId, spots: &[(Spot, usize)]) {
        let old = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
        let mut stmts = Vec::with_capacity(old.len() + spots.len());
        let mut at_start = true;
        for mut stmt in old {
            if at_start && !matches!(stmt.kind, StmtKind::Assume(_) | StmtKind::Enter(_)) {
                at_start = false;
                self.push_starts(program, spots, &mut stmts);
            }
            for (spot, number) in spots {
                if matches!(spot, Spot::Before(before) if *before == stmt.id) {
                    stmts.push(self.goal_stmt(program, *number, stmt.span));
                }
            }
            let StmtKind::Assert { condition, assert } = stmt.kind else {
                stmts.push(stmt);
                continue;
            };
            let failure = spots
                .iter()
                .find(|(spot, _)| matches!(spot, Spot::Failure(of) if *of == stmt.id));
            let is_unsupported = matches!(program.asserts[assert].kind, AssertKind::Unsupported(_));
            let switch = match failure {
                Some((_, number)) => {
                    self.of_assert.insert(assert, *number);
                    self.goals[*number].asserts.push(assert);
                    Some(self.goals[*number].switch)
                }
                None if is_unsupported => Some(*self.beyond.get_or_insert_with(|| {
                    let switch = declare(program, "beyond");
                    self.switches.push(switch);
                    switch
                })),
                None => None,
            };
            if is_unsupported {
                self.unsupported.push(assert);
            }
            if let Some(switch) = switch {
                let on = program.pool.var(switch);
                let asked = program.pool.implies(on, condition);
                let asking = StmtKind::Assert {
                    condition: asked,
                    assert,
                };
                stmts.push(Stmt {
                    kind: asking,
                    ..stmt.clone()
                });
                stmts.push(program.stmt(StmtKind::Assume(condition), stmt.span, Origin::Internal));
            } else {
                stmt.kind = StmtKind::Assume(condition);
                stmt.origin = Origin::Internal;
                stmts.push(stmt);
            }
        }
        if at_start {
            self.push_starts(program, spots, &mut stmts);
        }
        for (index, stmt) in stmts.iter().enumerate() {
            if let StmtKind::Assert { assert, .. } = stmt.kind
                && let Some(&number) = self.of_assert.get(&assert)
            {
                self.of_place.insert(Place { proc, block, index }, number);
            }
        }
        program.procs[proc].blocks[block].stmts = stmts;
    }

    fn push_starts(&mut self, program: &mut Program, spots: &[(Spot, usize)], stmts: &mut Vec<Stmt>) {
        for (spot, number) in spots {
            if matches!(spot, Spot::Start) {
                let span = self.goals[*number].span;
                stmts.push(self.goal_stmt(program, *number, span));
            }
        }
    }

    /// `assert !goal`.
    fn goal_stmt(&mut self, program: &mut Program, number: usize, span: Option<Span>) -> Stmt {
        let goal = &mut self.goals[number];
        let assert = program.asserts.push(AssertInfo {
            kind: AssertKind::Assert,
            span,
            condition_span: None,
            id: Some(format!("goal-{number}").into()),
            message: Some(description(goal).into()),
        });
        let on = program.pool.var(goal.switch);
        let condition = program.pool.not(on);
        goal.asserts.push(assert);
        let stmt = program.stmt(StmtKind::Assert { condition, assert }, span, Origin::Internal);
        self.of_assert.insert(assert, number);
        stmt
    }
}

/// The goal in words.
pub fn description(goal: &Goal) -> String {
    let text = goal.text.as_deref().unwrap_or_default();
    match (goal.kind, &goal.side) {
        (CoverGoalKind::Function, _) => format!("`{}` is entered", goal.function),
        (CoverGoalKind::Branch, Some(side)) if side.starts_with("case") || side == "default" => {
            format!("the switch takes `{side}`")
        }
        (CoverGoalKind::Branch, Some(side)) => format!("`{text}` is {side}"),
        (CoverGoalKind::Branch, None) => format!("the branch `{text}` is taken"),
        (CoverGoalKind::Line, _) => "the line is reached".to_owned(),
        (CoverGoalKind::Error, _) => "the assertion fails".to_owned(),
        (CoverGoalKind::Label, _) => format!("the label `{text}` is reached"),
    }
}

fn declare(program: &mut Program, name: &str) -> VarId {
    let sort = program.pool.bool_sort();
    let var = program.pool.declare_var(name, sort);
    program.constants.push(var);
    var
}

fn find(front_end: &FrontEnd, aim: &CoverAim, reachable: &FxHashSet<ProcId>) -> Vec<Found> {
    let finder = Finder { front_end };
    let program = &front_end.program;
    let mut found = Vec::new();
    for (id, proc) in program.procs.iter() {
        if !reachable.contains(&id) || proc.span.is_none() || !is_written(front_end, &proc.name) {
            continue;
        }
        if matches!(aim, CoverAim::Branch) {
            found.push(finder.function(id));
        }
        let mut seen = FxHashSet::default();
        let checked = match aim {
            CoverAim::Line => finder.checked_lines(id),
            _ => FxHashSet::default(),
        };
        for block in proc.reverse_postorder() {
            match aim {
                CoverAim::Branch => finder.branches(id, block, &mut seen, &mut found),
                CoverAim::Line => finder.lines(id, block, &checked, &mut found),
                CoverAim::Error => finder.errors(id, block, &mut found),
                CoverAim::Label(name) => found.extend(finder.label(id, block, name)),
            }
        }
    }
    found.sort_by_key(|one| one.span.map(|span| (span.source, span.start)));
    found
}

/// Whether the user wrote the procedure: models of the library are not asked about.
fn is_written(front_end: &FrontEnd, name: &str) -> bool {
    let Some(c) = &front_end.c else {
        return true;
    };
    let mut functions = c.program.functions.values();
    functions.any(|function| &*function.name == name && function.purpose == Purpose::User)
}

struct Finder<'a> {
    front_end: &'a FrontEnd,
}

impl Finder<'_> {
    fn found(
        &self,
        proc: ProcId,
        block: BlockId,
        kind: CoverGoalKind,
        span: Option<Span>,
        spot: Spot,
    ) -> Found {
        let place = span.map(|span| self.front_end.sources.line_column(span));
        Found {
            key: Key {
                function: self.front_end.program.procs[proc].name.to_string(),
                kind,
                place,
                text: None,
                side: None,
            },
            span,
            has_check: false,
            proc,
            block,
            spot,
        }
    }

    fn function(&self, proc: ProcId) -> Found {
        let data = &self.front_end.program.procs[proc];
        let found = self.found(proc, data.entry, CoverGoalKind::Function, data.span, Spot::Start);
        Found {
            key: Key {
                place: None,
                ..found.key
            },
            ..found
        }
    }

    /// The targets of a jump that has several.
    fn branches(&self, proc: ProcId, block: BlockId, seen: &mut FxHashSet<BlockId>, found: &mut Vec<Found>) {
        let program = &self.front_end.program;
        let data = &program.procs[proc].blocks[block];
        let Terminator::Goto(targets) = &data.terminator else {
            return;
        };
        if targets.len() < 2 {
            return;
        }
        for (index, &target) in targets.iter().enumerate() {
            let first = program.procs[proc].blocks[target].stmts.first();
            let guard = first.filter(|stmt| stmt.origin == Origin::Guard);
            // Other jumps of C are choices of the lowering.
            if (guard.is_none() && self.front_end.c.is_some()) || !seen.insert(target) {
                continue;
            }
            let label = program.procs[proc].blocks[target].label.as_ref();
            let span = guard.and_then(|guard| guard.span).or(data.span);
            let mut one = self.found(proc, target, CoverGoalKind::Branch, span, Spot::Start);
            match guard {
                Some(guard) => {
                    let case = self.front_end.wording().case(guard, &self.front_end.sources);
                    let holds = (index == 0) != self.front_end.wording().is_negated(guard);
                    one.key.text = span.map(|span| self.one_line(span));
                    one.key.side = Some(case.unwrap_or_else(|| holds.to_string()));
                }
                None => {
                    let number = format!("target {}", index + 1);
                    one.key.text = Some(label.map_or(number, |label| label.to_string()));
                }
            }
            found.push(one);
        }
    }

    /// The lines of the procedure with something that may hold or fail. What fails whenever it is reached has a condition of its
    /// own on its line (C's `assert`), or is there to be never reached.
    fn checked_lines(&self, proc: ProcId) -> FxHashSet<usize> {
        let program = &self.front_end.program;
        let line = |span: Span| self.front_end.sources.line_column(span).0;
        let stmts = || program.procs[proc].blocks.values().flat_map(|block| &block.stmts);
        let guards = stmts().filter(|stmt| stmt.origin == Origin::Guard);
        let guarded: FxHashSet<usize> = guards.filter_map(|guard| guard.span.map(line)).collect();
        let mut checked = FxHashSet::default();
        for stmt in stmts() {
            let Some(at) = stmt.span.map(line) else {
                continue;
            };
            let is_guarded = guarded.contains(&at);
            let is_checked = match &stmt.kind {
                StmtKind::Call(call) if !is_written(self.front_end, &program.procs[call.callee].name) => {
                    // The library's functions check on behalf of their callers.
                    let blocks = program.procs[call.callee].blocks.values();
                    let mut stmts = blocks.flat_map(|block| &block.stmts);
                    stmts.any(|stmt| self.may_hold(stmt, is_guarded))
                }
                _ => self.may_hold(stmt, is_guarded),
            };
            if is_checked {
                checked.insert(at);
            }
        }
        checked
    }

    /// Whether it is an assertion of the user's that does not fail whenever it is reached.
    fn may_hold(&self, stmt: &Stmt, is_guarded: bool) -> bool {
        let StmtKind::Assert { condition, assert } = stmt.kind else {
            return false;
        };
        let program = &self.front_end.program;
        match program.asserts[assert].kind {
            AssertKind::Unsupported(_) | AssertKind::Check(Check::Reach) => false,
            _ => is_guarded || program.pool.as_bool(condition) != Some(false),
        }
    }

    fn lines(&self, proc: ProcId, block: BlockId, checked: &FxHashSet<usize>, found: &mut Vec<Found>) {
        let mut last = None;
        for stmt in &self.front_end.program.procs[proc].blocks[block].stmts {
            let (Some(span), Origin::Source | Origin::Guard | Origin::External(_)) =
                (stmt.span, &stmt.origin)
            else {
                continue;
            };
            let (line, _) = self.front_end.sources.line_column(span);
            if last == Some(line) {
                continue;
            }
            last = Some(line);
            let mut one = self.found(
                proc,
                block,
                CoverGoalKind::Line,
                Some(span),
                Spot::Before(stmt.id),
            );
            one.key.place = Some((line, 0));
            let file = self.front_end.sources.file(span.source);
            one.key.text = Some(file.line(line).trim().to_owned());
            one.has_check = checked.contains(&line);
            found.push(one);
        }
    }

    fn errors(&self, proc: ProcId, block: BlockId, found: &mut Vec<Found>) {
        let program = &self.front_end.program;
        for stmt in &program.procs[proc].blocks[block].stmts {
            let StmtKind::Assert { assert, .. } = stmt.kind else {
                continue;
            };
            let info = &program.asserts[assert];
            if matches!(info.kind, AssertKind::Unsupported(_)) {
                continue;
            }
            let span = info.span.or(stmt.span);
            let mut one = self.found(proc, block, CoverGoalKind::Error, span, Spot::Failure(stmt.id));
            let written = info.condition_span.or(info.span);
            one.key.text = written.map(|span| self.one_line(span));
            found.push(one);
        }
    }

    fn label(&self, proc: ProcId, block: BlockId, name: &str) -> Option<Found> {
        let data = &self.front_end.program.procs[proc].blocks[block];
        data.label.as_ref().filter(|label| &***label == name)?;
        let span = data.stmts.iter().find_map(|stmt| stmt.span).or(data.span);
        let mut one = self.found(proc, block, CoverGoalKind::Label, span, Spot::Start);
        one.key.text = Some(name.to_owned());
        Some(one)
    }

    /// The text of a place on one line.
    fn one_line(&self, span: Span) -> String {
        let words = self.front_end.sources.snippet(span).split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }
}
