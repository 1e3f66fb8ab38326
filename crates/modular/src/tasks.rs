//! What is to be solved: a condition for each body.

use cranelift_entity::PrimaryMap;
use lariat_base::Span;
use lariat_boogie::typed::{self, Attributes};
use lariat_ir::{
    AssertInfo, AssertKind, Block, Interface, Origin, Proc, ProcId, ProcKind, Program, StmtKind, Terminator,
};
use lariat_lower::{ModularBody, ModularInfo};
use lariat_passes::{CutOptions, cut_every_loop, unroll_loops};
use lariat_term::VarId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::condition::{Checking, Condition, condition};
use crate::flags::{Flags, Inlining};
use crate::inline::Inliner;
use crate::intervals::assume_intervals;
use crate::solve::Limits;

/// A body to verify.
#[derive(Debug)]
pub struct Task {
    pub name: String,
    pub span: Span,
    /// `None`: nothing to check. An error: why there is no condition.
    pub condition: Result<Option<Condition>, String>,
    pub limits: Limits,
}

/// The tasks in the order of the text. The program is used for the terms of the conditions.
pub fn make_tasks(
    program: &mut Program,
    typed: &typed::Program,
    info: &ModularInfo,
    flags: &Flags,
) -> Vec<Task> {
    let scratch = program.procs.push(empty_proc());
    let mut interfaces = PrimaryMap::new();
    for _ in program.procs.keys() {
        interfaces.push(Interface::default());
    }
    let constants: FxHashSet<VarId> = program.constants.iter().copied().collect();
    let bodies: FxHashMap<ProcId, usize> = info
        .bodies
        .iter()
        .enumerate()
        .map(|(index, body)| (body.proc, index))
        .collect();
    let mut by_implementation: FxHashMap<usize, &ModularBody> = FxHashMap::default();
    for body in info.bodies.iter().filter(|body| body.is_generic) {
        by_implementation.insert(body.implementation, body);
    }
    let mut maker = TaskMaker {
        program,
        info,
        flags,
        scratch,
        interfaces,
        constants,
        bodies,
    };
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
            condition: maker.condition(body, attributes),
            limits: limits(attributes, flags),
        });
    }
    tasks
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
    Proc {
        name: "".into(),
        kind: ProcKind::Source,
        span: None,
        entry_mark: None,
        extra_bound: 0,
        params: Vec::new(),
        outs: Vec::new(),
        locals: Vec::new(),
        blocks,
        entry,
    }
}

struct TaskMaker<'a> {
    program: &'a mut Program,
    info: &'a ModularInfo,
    flags: &'a Flags,
    /// The body that is being worked on.
    scratch: ProcId,
    interfaces: PrimaryMap<ProcId, Interface>,
    constants: FxHashSet<VarId>,
    bodies: FxHashMap<ProcId, usize>,
}

impl TaskMaker<'_> {
    fn condition(
        &mut self,
        body: &ModularBody,
        attributes: [&Attributes; 2],
    ) -> Result<Option<Condition>, String> {
        let (scratch, flags) = (self.scratch, self.flags);
        self.program.procs[scratch] = self.program.procs[body.proc].clone();
        let mut own_where;
        let mut where_clauses = &self.info.where_clauses;
        if has_calls(&self.program.procs[scratch]) {
            own_where = where_clauses.clone();
            let inliner = Inliner {
                info: self.info,
                mode: flags.inlining,
                bodies: &self.bodies,
            };
            inliner.inline_calls(self.program, scratch, &mut own_where)?;
            where_clauses = &own_where;
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
            unroll_loops(self.program, scratch, count, beyond)
                .map_err(|_| "unrolling its loops makes the procedure too large".to_owned())?;
        }
        if flags.infer_intervals {
            assume_intervals(self.program, scratch);
        }
        let options = CutOptions {
            where_clauses,
            monotone: &self.info.monotone,
            assume_free: flags.always_assume_free_loop_invariants,
        };
        cut_every_loop(self.program, scratch, options)
            .map_err(|_| "its loops without a head make the procedure too large".to_owned())?;
        let checking = Checking {
            subsumption: flags.subsumption,
            selective: attributes
                .iter()
                .any(|attributes| attributes.is_set("selective_checking")),
            split_everywhere: flags.split_on_every_assert
                || attributes
                    .iter()
                    .any(|attributes| attributes.is_set("vcs_split_on_every_assert")),
        };
        Ok(condition(
            self.program,
            scratch,
            self.info,
            checking,
            &self.interfaces,
            &self.constants,
        ))
    }

    /// The `where` clauses of globals hold at the start.
    fn assume_initial(&mut self) {
        let initial = self.program.initial.clone();
        let stmts: Vec<_> = initial
            .into_iter()
            .map(|term| self.program.stmt(StmtKind::Assume(term), None, Origin::Where))
            .collect();
        let proc = &mut self.program.procs[self.scratch];
        let entry = proc.entry;
        proc.blocks[entry].stmts.splice(0..0, stmts);
    }
}

fn has_calls(proc: &Proc) -> bool {
    let is_call = |stmt: &lariat_ir::Stmt| matches!(stmt.kind, StmtKind::Call(_));
    proc.blocks.values().any(|block| block.stmts.iter().any(is_call))
}
