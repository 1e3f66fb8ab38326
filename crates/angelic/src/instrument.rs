//! One program for all questions of angelic verification (`P_{A1,A2}` of [Angelic15] §3.1).
//!
//! Boolean constants of the program switch assertions on and off, so that one solver per entry answers everything:
//!
//! ```text
//! assert c                          assert (strict && check_a ==> c);                           a normal assertion a
//!                                   assume (strict || check_a ==> c)
//! assert c, angelic                 assert (seek_s ==> c)                                       an angelic assertion s
//! return of an entry, dead end      assert !end                                                 an end of the execution
//! ```
//!
//! - `strict` is true while normal assertions are verified: an execution goes on only where they hold, also where one was
//!   reported and dropped (`check_a` is false). It is false while angelic assertions are asked about; then `check_a` says that
//!   an execution goes on only where `a` holds.
//! - `seek_s` is true for at most one `s` at a time.
//! - The ends of executions are sought together, to find out whether a failure can be avoided at all: those of an entry where
//!   it returns, and dead ends (`assume false`, which is what `exit` is) anywhere.
//!
//! Invariants: statements of the program keep their ids; what is added is internal to traces.

use cranelift_entity::EntityRef;
use lariat_base::Span;
use lariat_ir::{
    AssertId, AssertInfo, AssertKind, BlockId, OpenInfo, Origin, ProcId, Program, Stmt, StmtId, StmtKind,
    Terminator,
};
use lariat_report::Permissiveness;
use lariat_term::{TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The switches of an instrumented program.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    pub strict: Option<VarId>,
    /// Of each normal assertion.
    pub checks: FxHashMap<AssertId, VarId>,
    /// The angelic assertions.
    pub seeks: Vec<Seek>,
}

impl Switches {
    /// All of them: traces do not show them.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        let checks = self.checks.values().copied();
        checks
            .chain(self.strict)
            .chain(self.seeks.iter().map(|seek| seek.switch))
    }
}

impl Switches {
    /// The values that they have while normal assertions are verified, of those that belong to some assertions.
    pub fn known(&self, asserts: &FxHashSet<AssertId>) -> Vec<(VarId, bool)> {
        let checks = self.checks.iter().filter(|(assert, _)| asserts.contains(assert));
        let seeks = self.seeks.iter().filter(|seek| asserts.contains(&seek.assert));
        let mut known: Vec<(VarId, bool)> = self.strict.iter().map(|&strict| (strict, true)).collect();
        known.extend(checks.map(|(_, &check)| (check, true)));
        known.extend(seeks.map(|seek| (seek.switch, false)));
        known
    }
}

/// An angelic assertion: no specification may prove it.
#[derive(Clone, Debug)]
pub struct Seek {
    pub assert: AssertId,
    pub switch: VarId,
    pub proc: ProcId,
    pub policy: Policy,
    /// The statement of the program that it comes after.
    pub stmt: Option<StmtId>,
    pub span: Option<Span>,
}

/// Why an angelic assertion is there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Policy {
    Consistency,
    DeadCode,
    NullCheck,
    /// A procedure returns null.
    NullReturn,
    User,
    /// Not a policy: the entry returns.
    Return,
    /// Not a policy: the execution ends elsewhere without a failure.
    DeadEnd,
}

impl Policy {
    /// Whether it is an end of executions.
    pub fn is_end(self) -> bool {
        matches!(self, Policy::Return | Policy::DeadEnd)
    }

    /// What a specification would do that proves the assertion.
    pub fn contradiction(self) -> &'static str {
        match self {
            Policy::Consistency => "it contradicts what is assumed already",
            Policy::DeadCode => "this code would be dead",
            Policy::NullCheck => "the code itself provides for null here",
            Policy::NullReturn => "this could not return null any more",
            Policy::Return | Policy::DeadEnd => "the execution could not end",
            Policy::User => "what is marked angelic would be impossible",
        }
    }
}

/// Instruments a program. `proved` are assertions that need not be checked.
pub fn instrument(
    program: &mut Program,
    open: &OpenInfo,
    permissiveness: &Permissiveness,
    proved: &[AssertId],
) -> Switches {
    let mut instrumentation = Instrumentation {
        switches: Switches::default(),
        angelic: open.angelic.iter().copied().collect(),
        proved: proved.iter().copied().collect(),
        null_tests: match permissiveness.null_checks || permissiveness.evidence {
            true => open.null_tests.iter().copied().collect(),
            false => FxHashSet::default(),
        },
        pointers: open
            .pointers
            .as_ref()
            .map(|pointers| pointers.iter().copied().collect()),
        null: open.null,
        entries: open.entries.iter().map(|entry| entry.proc).collect(),
        permissiveness,
    };
    let bool_sort = program.pool.bool_sort();
    let strict = program.pool.declare_var("strict", bool_sort);
    program.constants.push(strict);
    instrumentation.switches.strict = Some(strict);
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for block in program.procs[proc].blocks.keys().collect::<Vec<_>>() {
            instrumentation.block(program, strict, proc, block);
        }
    }
    instrumentation.switches
}

struct Instrumentation<'a> {
    switches: Switches,
    angelic: FxHashSet<AssertId>,
    proved: FxHashSet<AssertId>,
    null_tests: FxHashSet<StmtId>,
    entries: FxHashSet<ProcId>,
    pointers: Option<FxHashSet<VarId>>,
    null: Option<TermId>,
    permissiveness: &'a Permissiveness,
}

impl Instrumentation<'_> {
    fn block(&mut self, program: &mut Program, strict: VarId, proc: ProcId, block: BlockId) {
        let old = std::mem::take(&mut program.procs[proc].blocks[block].stmts);
        let mut stmts = Vec::with_capacity(old.len() + 2);
        if self.permissiveness.consistency
            && block == program.procs[proc].entry
            && self.entries.contains(&proc)
        {
            let span = program.procs[proc].span;
            stmts.push(self.seek(program, proc, Policy::Consistency, None, span));
        }
        let mut last_span = None;
        for mut stmt in old {
            if matches!(stmt.origin, Origin::Source | Origin::Guard) {
                last_span = stmt.span.or(last_span);
            }
            let (id, span) = (stmt.id, stmt.span);
            let is_null_test = self.null_tests.contains(&id);
            let returns_null = self.permissiveness.evidence && self.returns_null(program, proc, &stmt);
            if is_dead_end(program, &stmt) {
                stmts.push(self.seek(program, proc, Policy::DeadEnd, None, span));
            }
            let mut assumed = None;
            if let StmtKind::Assert { condition, assert } = stmt.kind {
                if self.angelic.contains(&assert) {
                    if !self.permissiveness.user {
                        continue;
                    }
                    let switch = self.switch(program, "seek", assert);
                    let on = program.pool.var(switch);
                    let condition = program.pool.implies(on, condition);
                    stmt.kind = StmtKind::Assert { condition, assert };
                    self.switches.seeks.push(Seek {
                        assert,
                        switch,
                        proc,
                        policy: Policy::User,
                        stmt: None,
                        span,
                    });
                } else if !self.proved.contains(&assert) {
                    let check = match self.switches.checks.get(&assert) {
                        Some(&check) => check,
                        None => self.switch(program, "check", assert),
                    };
                    self.switches.checks.insert(assert, check);
                    let pool = &mut program.pool;
                    let (check, strict) = (pool.var(check), pool.var(strict));
                    let on = pool.and(&[strict, check]);
                    let condition_if_on = pool.implies(on, condition);
                    let holds = pool.or(&[strict, check]);
                    assumed = Some(pool.implies(holds, condition));
                    stmt.kind = StmtKind::Assert {
                        condition: condition_if_on,
                        assert,
                    };
                } else {
                    let pool = &mut program.pool;
                    let strict = pool.var(strict);
                    let condition = pool.implies(strict, condition);
                    stmt.kind = StmtKind::Assume(condition);
                    stmt.origin = Origin::Internal;
                }
            }
            stmts.push(stmt);
            if let Some(condition) = assumed {
                stmts.push(program.stmt(StmtKind::Assume(condition), span, Origin::Internal));
            }
            if is_null_test {
                stmts.push(self.seek(program, proc, Policy::NullCheck, Some(id), span));
            }
            if returns_null {
                stmts.push(self.seek(program, proc, Policy::NullReturn, Some(id), span));
            }
        }
        if self.permissiveness.no_dead_code && last_span.is_some() {
            stmts.push(self.seek(program, proc, Policy::DeadCode, None, last_span));
        }
        let end = match &program.procs[proc].blocks[block].terminator {
            Terminator::Return => self.entries.contains(&proc).then_some(Policy::Return),
            Terminator::Goto(targets) => targets.is_empty().then_some(Policy::DeadEnd),
        };
        if let Some(end) = end {
            stmts.push(self.seek(program, proc, end, None, None));
        }
        program.procs[proc].blocks[block].stmts = stmts;
    }

    /// Whether the procedure returns the null pointer here.
    fn returns_null(&self, program: &Program, proc: ProcId, stmt: &Stmt) -> bool {
        let StmtKind::Assign(assignments) = &stmt.kind else {
            return false;
        };
        let pointers = self.pointers.as_ref();
        assignments.iter().any(|(var, value)| {
            Some(*value) == self.null
                && program.procs[proc].outs.contains(var)
                && pointers.is_none_or(|pointers| pointers.contains(var))
        })
    }

    /// `assert false`, if it is asked for.
    fn seek(
        &mut self,
        program: &mut Program,
        proc: ProcId,
        policy: Policy,
        stmt: Option<StmtId>,
        span: Option<Span>,
    ) -> Stmt {
        let assert = program.asserts.push(AssertInfo {
            kind: AssertKind::Assert,
            span,
            condition_span: None,
            id: None,
            message: None,
        });
        let switch = self.switch(program, "seek", assert);
        let on = program.pool.var(switch);
        let condition = program.pool.not(on);
        self.switches.seeks.push(Seek {
            assert,
            switch,
            proc,
            policy,
            stmt,
            span,
        });
        program.stmt(StmtKind::Assert { condition, assert }, span, Origin::Internal)
    }

    fn switch(&self, program: &mut Program, name: &str, assert: AssertId) -> VarId {
        let bool_sort = program.pool.bool_sort();
        let switch = program
            .pool
            .declare_var(format!("{name}{}", assert.index()), bool_sort);
        program.constants.push(switch);
        switch
    }
}

/// Whether no execution goes on after the statement.
fn is_dead_end(program: &Program, stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Assume(condition) if program.pool.as_bool(condition) == Some(false))
}
