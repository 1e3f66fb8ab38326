//! What is to be solved: a condition for each body.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;
use lariat_base::Span;
use lariat_boogie::typed::{self, Attributes};
use lariat_ir::{
    AssertInfo, AssertKind, Block, Interface, Origin, Proc, ProcId, ProcKind, Program, StmtKind, Terminator,
};
use lariat_lower::{ModularBody, ModularInfo};
use lariat_passes::{CutOptions, cut_every_loop, unroll_loops};
use lariat_term::{PoolSize, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::condition::{Checking, Condition, condition};
use crate::flags::{Flags, Inlining};
use crate::inline::Inliner;
use crate::intervals::assume_intervals;
use crate::solve::Limits;
use crate::trace::mark;

/// A body to verify.
#[derive(Debug)]
pub struct Task<'a> {
    pub name: String,
    pub span: Span,
    pub limits: Limits,
    body: &'a ModularBody,
    checking: Checking,
}

/// The tasks in the order of the text.
pub fn tasks<'a>(typed: &typed::Program, info: &'a ModularInfo, flags: &Flags) -> Vec<Task<'a>> {
    let mut by_implementation: FxHashMap<usize, &ModularBody> = FxHashMap::default();
    for body in info.bodies.iter().filter(|body| body.is_generic) {
        by_implementation.insert(body.implementation, body);
    }
    let mut tasks = Vec::new();
    for (index, implementation) in typed.implementations.iter().enumerate() {
        let procedure = &typed.procedures[implementation.procedure];
        let attributes = [&implementation.attributes, &procedure.attributes];
        if !is_verified(attributes, flags) || !flags.selects(&procedure.name) {
            continue;
        }
        let Some(body) = by_implementation.get(&index) else {
            continue;
        };
        tasks.push(Task {
            name: procedure.name.to_string(),
            span: implementation.span,
            limits: limits(attributes, flags),
            body,
            checking: checking(attributes, flags),
        });
    }
    tasks
}

fn checking(attributes: [&Attributes; 2], flags: &Flags) -> Checking {
    let is_set = |name: &str| attributes.iter().any(|attributes| attributes.is_set(name));
    Checking {
        subsumption: flags.subsumption,
        selective: is_set("selective_checking"),
        split_everywhere: flags.split_on_every_assert || is_set("vcs_split_on_every_assert"),
    }
}

/// `{:verify false}` and bodies that are inlined are not verified on their own.
fn is_verified(attributes: [&Attributes; 2], flags: &Flags) -> bool {
    let is_inlined = matches!(flags.inlining, Inlining::Assume | Inlining::Assert)
        && attributes.iter().any(|attributes| {
            attributes
                .get("inline")
                .is_some_and(|inline| !inline.params.is_empty())
        });
    let is_off =
        |attributes: &&Attributes| attributes.get("verify").is_some() && !attributes.is_set("verify");
    !is_inlined && !attributes.iter().any(is_off)
}

fn limits(attributes: [&Attributes; 2], flags: &Flags) -> Limits {
    let number = |name: &str, otherwise: u32| {
        let given = attributes.iter().find_map(|attributes| attributes.int(name));
        given
            .and_then(|value| u32::try_from(value).ok())
            .unwrap_or(otherwise)
    };
    Limits {
        errors: flags.error_limit,
        seconds: number("timeLimit", flags.time_limit),
        resource: number("rlimit", flags.resource_limit),
    }
}

fn empty_proc() -> Proc {
    let mut blocks = PrimaryMap::new();
    let entry = blocks.push(Block::new(Terminator::Return));
    Proc::new("".into(), ProcKind::Source, blocks, entry)
}

/// What conditions are made of: the same for all workers.
pub struct Source<'a> {
    program: &'a Program,
    info: &'a ModularInfo,
    flags: &'a Flags,
    constants: FxHashSet<VarId>,
    bodies: FxHashMap<ProcId, usize>,
    /// See [`ModularInfo::implemented`]: shared by all conditions.
    implemented: Arc<FxHashSet<Arc<str>>>,
}

impl<'a> Source<'a> {
    pub fn new(program: &'a Program, info: &'a ModularInfo, flags: &'a Flags) -> Self {
        let bodies = info.bodies.iter().enumerate();
        Source {
            program,
            info,
            flags,
            constants: program.constants.iter().copied().collect(),
            bodies: bodies.map(|(index, body)| (body.proc, index)).collect(),
            implemented: Arc::new(info.implemented.clone()),
        }
    }

    pub fn info(&self) -> &ModularInfo {
        self.info
    }
}

/// The procedures of a maker's program: the body at hand as it is worked on…
fn scratch() -> ProcId {
    ProcId::from_u32(0)
}

/// … without calls …
pub fn whole() -> ProcId {
    ProcId::from_u32(1)
}

/// … and without loops too.
pub fn cut() -> ProcId {
    ProcId::from_u32(2)
}

/// Whether a body can be executed after its condition was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    Nothing,
    /// In the procedures [`whole`] and [`cut`].
    Body,
}

/// Makes conditions in a copy of the program, which has no procedures but those of the body at hand.
pub struct ConditionMaker<'a> {
    source: &'a Source<'a>,
    program: Program,
    /// Of the pool before the first condition.
    size: PoolSize,
    interfaces: PrimaryMap<ProcId, Interface>,
}

impl<'a> ConditionMaker<'a> {
    pub fn new(source: &'a Source<'a>) -> Self {
        let mut program = source.program.without_procs();
        let mut interfaces = PrimaryMap::new();
        for _ in [scratch(), whole(), cut()] {
            program.procs.push(empty_proc());
            interfaces.push(Interface::default());
        }
        ConditionMaker {
            source,
            size: program.pool.size(),
            program,
            interfaces,
        }
    }

    /// The program whose terms the conditions are made of.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Forgets all conditions that were made, so that the next ones do not depend on them.
    pub fn forget(&mut self) {
        self.program.pool.cut(&self.size);
    }

    /// The condition of a body. `None`: nothing to check. An error: why there is no condition.
    pub fn condition(&mut self, task: &Task<'_>, keep: Keep) -> Result<Option<Condition>, String> {
        let (scratch, flags, info) = (scratch(), self.source.flags, self.source.info);
        self.program.procs[scratch] = self.source.program.procs[task.body.proc].clone();
        let mut own_where;
        let mut where_clauses = &info.where_clauses;
        if has_calls(&self.program.procs[scratch]) {
            own_where = where_clauses.clone();
            let inliner = Inliner {
                info,
                mode: flags.inlining,
                procs: &self.source.program.procs,
                bodies: &self.source.bodies,
            };
            inliner.inline_calls(&mut self.program, scratch, &mut own_where)?;
            where_clauses = &own_where;
            if has_calls(&self.program.procs[scratch]) {
                return Err(
                    "it contains a call that is neither inlined nor replaced by a contract".to_owned(),
                );
            }
        }
        self.assume_initial();
        if let Some(count) = flags.loop_unroll {
            let beyond = flags.sound_loop_unrolling.then(|| {
                self.program.asserts.push(AssertInfo {
                    kind: AssertKind::Assert,
                    span: self.program.procs[scratch].span,
                    condition_span: None,
                    id: None,
                    message: None,
                })
            });
            unroll_loops(&mut self.program, scratch, count, beyond)
                .map_err(|_| "unrolling its loops makes the procedure too large".to_owned())?;
        }
        if keep == Keep::Body {
            self.program.procs[whole()] = self.program.procs[scratch].clone();
        }
        if flags.infer_intervals {
            assume_intervals(&mut self.program, scratch);
        }
        let options = CutOptions {
            where_clauses,
            monotone: &info.monotone,
            assume_free: flags.always_assume_free_loop_invariants,
        };
        let forgetting = cut_every_loop(&mut self.program, scratch, options)
            .map_err(|_| "its loops without a head make the procedure too large".to_owned())?;
        let mut marks = mark(&mut self.program, scratch, info);
        marks.forgetting = forgetting;
        marks.implemented = self.source.implemented.clone();
        if keep == Keep::Body {
            self.program.procs[cut()] = self.program.procs[scratch].clone();
        }
        Ok(condition(
            &mut self.program,
            scratch,
            info,
            task.checking,
            &self.interfaces,
            &self.source.constants,
            marks,
        ))
    }

    /// The `where` clauses of globals hold at the start.
    fn assume_initial(&mut self) {
        let initial = self.program.initial.clone();
        let stmts: Vec<_> = initial
            .into_iter()
            .map(|term| self.program.stmt(StmtKind::Assume(term), None, Origin::Where))
            .collect();
        let proc = &mut self.program.procs[scratch()];
        let entry = proc.entry;
        proc.blocks[entry].stmts.splice(0..0, stmts);
    }
}

/// Whether an execution can come to a call.
fn has_calls(proc: &Proc) -> bool {
    let is_call = |stmt: &lariat_ir::Stmt| matches!(stmt.kind, StmtKind::Call(_));
    let blocks = proc.reverse_postorder();
    blocks
        .into_iter()
        .any(|block| proc.blocks[block].stmts.iter().any(is_call))
}
