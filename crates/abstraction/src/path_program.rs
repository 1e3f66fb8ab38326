//! One path of a program as a program without branches and calls.
//!
//! The path is given by its blocks in the order of execution. At a call the next listed block is the
//! callee's entry, after a `goto` it is the target. If procedures are executed in place of their calls
//! ([`lariat_vc::straight_line_procs`]) their blocks are not listed: they have one each. Every
//! activation has variables of its own here, so the statements of the path need no scopes, and passing
//! arguments and results has become assignment. This is the path `P` of [Corral12] §3.1.

use std::collections::BTreeSet;
use std::rc::Rc;

use cranelift_entity::EntitySet;
use lariat_ir::{BlockId, Call, Proc, ProcId, Program, StmtKind, Terminator};
use lariat_smt::Stop;
use lariat_term::{Substitution, TermId, TermPool, VarId, VarSet};
use lariat_vc::{Problem, straight_line_procs};

use crate::global_vars::GlobalVars;

/// A term of the path with its free variables, all and globals only, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct PathTerm {
    pub term: TermId,
    pub vars: Rc<[VarId]>,
    pub globals: Rc<[VarId]>,
}

#[derive(Clone, Debug)]
pub(crate) enum PathStmt {
    Assume(PathTerm),
    /// Simultaneous.
    Assign(Vec<(VarId, PathTerm)>),
    Havoc(Vec<VarId>),
}

/// A path with its statements in a row.
#[derive(Clone, Debug)]
pub struct PathProgram {
    pub(crate) pool: TermPool,
    pub(crate) stmts: Vec<PathStmt>,
    pub(crate) axioms: Vec<TermId>,
    pub(crate) all_globals: VarSet,
    /// `G`: the globals that the path reads. No other can be needed to refute it.
    globals: BTreeSet<VarId>,
    /// The error flag, which is tracked whatever else is.
    pub(crate) error: Option<VarId>,
}

impl PathProgram {
    /// The path through the blocks; `in_place` says whether the list leaves out the blocks of
    /// straight-line procedures.
    pub fn new(problem: &Problem, blocks: &[BlockId], in_place: bool) -> Result<Self, Stop> {
        let mut walk = Walk::new(problem);
        walk_path(problem, blocks, in_place, |event| walk.event(event))?;
        let globals = walk
            .stmts
            .iter()
            .flat_map(|stmt| match stmt {
                PathStmt::Assume(term) => vec![term.globals.clone()],
                PathStmt::Assign(assignments) => {
                    assignments.iter().map(|(_, term)| term.globals.clone()).collect()
                }
                PathStmt::Havoc(_) => Vec::new(),
            })
            .flat_map(|globals| globals.to_vec())
            .collect();
        Ok(PathProgram {
            pool: walk.pool,
            stmts: walk.stmts,
            axioms: problem.program.axioms.iter().map(|axiom| axiom.term).collect(),
            all_globals: problem.program.globals.iter().copied().collect(),
            globals,
            error: problem.error,
        })
    }

    /// The globals that the path reads.
    pub fn globals(&self) -> &BTreeSet<VarId> {
        &self.globals
    }

    /// Statements of all activations together.
    pub fn len(&self) -> usize {
        self.stmts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.stmts.is_empty()
    }
}

/// What happens along a path.
pub(crate) enum PathEvent<'a> {
    /// An activation visits the block.
    Block(ProcId, BlockId),
    /// A statement that is not a call, in the activation under way.
    Stmt(&'a StmtKind),
    /// An activation of the callee starts.
    Call(&'a Call),
    /// It ends, and the caller goes on.
    Return(&'a Call),
}

struct Frame<'a> {
    proc: ProcId,
    block: BlockId,
    next: usize,
    call: Option<&'a Call>,
}

/// Follows the blocks through the program.
pub(crate) fn walk_path<'a>(
    problem: &'a Problem,
    blocks: &[BlockId],
    in_place: bool,
    mut visit: impl FnMut(PathEvent<'a>),
) -> Result<(), Stop> {
    let program = &problem.program;
    let in_place: EntitySet<ProcId> = if in_place {
        straight_line_procs(program, problem.error)
    } else {
        EntitySet::new()
    };
    let mut listed = blocks.iter().copied();
    let entry = &program.procs[problem.entry];
    let mut next_listed = |allowed: &[BlockId], proc: &Proc| match listed.next() {
        Some(block) if allowed.contains(&block) => Ok(block),
        Some(block) => Err(not_a_path(format!("{block} does not come next in {}", proc.name))),
        None => Err(not_a_path(format!("it ends inside of {}", proc.name))),
    };
    let start = next_listed(&[entry.entry], entry)?;
    visit(PathEvent::Block(problem.entry, start));
    let mut stack = vec![Frame {
        proc: problem.entry,
        block: start,
        next: 0,
        call: None,
    }];
    while let Some(frame) = stack.last_mut() {
        let proc = &program.procs[frame.proc];
        let block = &proc.blocks[frame.block];
        if let Some(stmt) = block.stmts.get(frame.next) {
            frame.next += 1;
            let StmtKind::Call(call) = &stmt.kind else {
                visit(PathEvent::Stmt(&stmt.kind));
                continue;
            };
            let callee = &program.procs[call.callee];
            let first = if in_place.contains(call.callee) {
                callee.entry
            } else {
                next_listed(&[callee.entry], callee)?
            };
            visit(PathEvent::Call(call));
            visit(PathEvent::Block(call.callee, first));
            stack.push(Frame {
                proc: call.callee,
                block: first,
                next: 0,
                call: Some(call),
            });
            continue;
        }
        match &block.terminator {
            Terminator::Goto(targets) => {
                frame.block = next_listed(targets, proc)?;
                frame.next = 0;
                visit(PathEvent::Block(frame.proc, frame.block));
            }
            Terminator::Return => {
                if let Some(call) = frame.call {
                    visit(PathEvent::Return(call));
                }
                stack.pop();
            }
        }
    }
    match listed.next() {
        Some(block) => Err(not_a_path(format!("{block} comes after the end"))),
        None => Ok(()),
    }
}

/// The variables of one activation under their names on the path, as far as they were met.
#[derive(Default)]
struct Activation {
    names: Substitution,
}

/// Turns events into statements over variables of the path.
struct Walk<'a> {
    program: &'a Program,
    pool: TermPool,
    global_vars: GlobalVars,
    shared: VarSet,
    stack: Vec<Activation>,
    stmts: Vec<PathStmt>,
}

impl<'a> Walk<'a> {
    fn new(problem: &'a Problem) -> Self {
        let program = &problem.program;
        let shared = program
            .globals
            .iter()
            .chain(&program.constants)
            .copied()
            .collect();
        let mut walk = Walk {
            program,
            pool: program.pool.clone(),
            global_vars: GlobalVars::new(&program.globals),
            shared,
            stack: vec![Activation::default()],
            stmts: Vec::new(),
        };
        for &condition in &program.initial {
            let condition = walk.term(condition);
            walk.stmts.push(PathStmt::Assume(condition));
        }
        walk
    }

    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Block(..) => {}
            PathEvent::Stmt(StmtKind::Assume(condition)) => {
                let condition = self.term(*condition);
                if self.pool.as_bool(condition.term) != Some(true) {
                    self.stmts.push(PathStmt::Assume(condition));
                }
            }
            PathEvent::Stmt(StmtKind::Assign(assignments)) => {
                let assignments = assignments
                    .iter()
                    .map(|&(var, term)| (self.name(var), self.term(term)))
                    .collect();
                self.stmts.push(PathStmt::Assign(assignments));
            }
            PathEvent::Stmt(StmtKind::Havoc(vars)) => {
                let vars = vars.iter().map(|&var| self.name(var)).collect();
                self.stmts.push(PathStmt::Havoc(vars));
            }
            PathEvent::Stmt(StmtKind::Assert { .. }) => {
                unreachable!("assertions are gone after instrument_errors, which the validator checks")
            }
            PathEvent::Stmt(StmtKind::Enter(_) | StmtKind::Call(_)) => {}
            PathEvent::Call(call) => {
                let ins: Vec<PathTerm> = call.ins.iter().map(|&term| self.term(term)).collect();
                self.stack.push(Activation::default());
                let params = &self.program.procs[call.callee].params;
                let arguments = params.iter().map(|&param| self.name(param)).collect::<Vec<_>>();
                self.assign(arguments.into_iter().zip(ins).collect());
            }
            PathEvent::Return(call) => {
                let outs = &self.program.procs[call.callee].outs;
                let results: Vec<PathTerm> = outs
                    .iter()
                    .map(|&out| {
                        let out = self.pool.var(out);
                        self.term(out)
                    })
                    .collect();
                self.stack.pop();
                let targets = call.outs.iter().map(|&var| self.name(var)).collect::<Vec<_>>();
                self.assign(targets.into_iter().zip(results).collect());
            }
        }
    }

    fn assign(&mut self, assignments: Vec<(VarId, PathTerm)>) {
        if !assignments.is_empty() {
            self.stmts.push(PathStmt::Assign(assignments));
        }
    }

    /// The variable under its name on the path: globals and constants keep theirs.
    fn name(&mut self, var: VarId) -> VarId {
        if self.shared.contains(&var) {
            return var;
        }
        let Some(activation) = self.stack.last_mut() else {
            return var;
        };
        if let Some(name) = activation.names.get(var).and_then(|name| self.pool.as_var(name)) {
            return name;
        }
        let data = self.pool.var_data(var).clone();
        let name = self.pool.declare_var(data.name, data.sort);
        let term = self.pool.var(name);
        activation.names.insert(var, term);
        name
    }

    fn term(&mut self, term: TermId) -> PathTerm {
        let free = self.global_vars.free_vars(&self.pool, term);
        for &var in free.iter() {
            self.name(var);
        }
        let term = match self.stack.last_mut() {
            Some(activation) => activation.names.apply(&mut self.pool, term),
            None => term,
        };
        PathTerm {
            term,
            vars: self.global_vars.free_vars(&self.pool, term),
            globals: self.global_vars.of(&self.pool, term),
        }
    }
}

fn not_a_path(reason: String) -> Stop {
    Stop::Internal(format!("the blocks are not a path of the program: {reason}"))
}
