//! The procedures of a component as one graph of statements: every call but those of library routines is replaced by the
//! callee's body (§3.2). Loops stay loops.
//!
//! Invariants: each inlined body has its own copies of variables; its local variables are unknown when it starts. A node that has
//! not exactly one successor is a jump, a return or a failure.

use cranelift_entity::{PrimaryMap, entity_impl};
use lariat_base::Span;
use lariat_ir::{AssertKind, BlockId, Origin, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Substitution, TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{CallSite, Failure, Part, RoutineId};

/// The most statements that a component may have after inlining.
pub const MAX_STATEMENTS: usize = 2_000_000;

/// Why a component cannot be made one procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InlineError {
    /// The procedures of a cycle of the call graph, and where the last of them calls the first.
    Recursion {
        cycle: Vec<String>,
        span: Option<Span>,
    },
    TooLarge,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(u32);
entity_impl!(NodeId, "node");

pub(super) enum Action {
    Jump,
    Assign(Vec<(VarId, TermId)>),
    Havoc(Vec<VarId>),
    Assume(TermId),
    Call(CallSite),
    Return(Option<TermId>),
    Fail(Failure),
}

pub(super) struct Node {
    pub action: Action,
    pub next: Vec<NodeId>,
    pub span: Option<Span>,
    pub part: Option<Part>,
    pub depth: u32,
}

pub(super) struct Graph {
    pub nodes: PrimaryMap<NodeId, Node>,
    pub initial: NodeId,
    /// Copies of variables and what they are copies of.
    pub copies: FxHashMap<VarId, VarId>,
}

/// A body that is being inlined.
struct Instance {
    proc: ProcId,
    entry: NodeId,
    /// Where it returns to; `None` for the component itself.
    exit: Option<NodeId>,
    vars: FxHashMap<VarId, VarId>,
    terms: Substitution,
    depth: u32,
}

impl Instance {
    fn var(&self, var: VarId) -> VarId {
        self.vars.get(&var).copied().unwrap_or(var)
    }
}

pub(super) fn inline(
    program: &mut Program,
    entry: ProcId,
    routines: &FxHashMap<ProcId, RoutineId>,
) -> Result<Graph, InlineError> {
    refuse_recursion(program, entry, routines)?;
    let mut nodes = PrimaryMap::new();
    let initial = nodes.push(jump(0));
    let mut inliner = Inliner {
        program,
        routines,
        graph: Graph {
            nodes,
            initial,
            copies: FxHashMap::default(),
        },
        waiting: Vec::new(),
    };
    inliner.waiting.push(Instance {
        proc: entry,
        entry: initial,
        exit: None,
        vars: FxHashMap::default(),
        terms: Substitution::new(),
        depth: 0,
    });
    while let Some(instance) = inliner.waiting.pop() {
        inliner.body(instance)?;
    }
    Ok(inliner.graph)
}

fn jump(depth: u32) -> Node {
    Node {
        action: Action::Jump,
        next: Vec::new(),
        span: None,
        part: None,
        depth,
    }
}

struct Inliner<'p> {
    program: &'p mut Program,
    routines: &'p FxHashMap<ProcId, RoutineId>,
    graph: Graph,
    waiting: Vec<Instance>,
}

impl Inliner<'_> {
    fn node(&mut self, node: Node) -> Result<NodeId, InlineError> {
        match self.graph.nodes.len() < MAX_STATEMENTS {
            true => Ok(self.graph.nodes.push(node)),
            false => Err(InlineError::TooLarge),
        }
    }

    /// A node after another.
    fn after(
        &mut self,
        current: NodeId,
        action: Action,
        span: Option<Span>,
        stmt: Option<&Stmt>,
    ) -> Result<NodeId, InlineError> {
        let depth = self.graph.nodes[current].depth;
        let part = stmt.map(|stmt| Part {
            stmt: stmt.id,
            span,
            is_shown: matches!(stmt.origin, Origin::Source | Origin::Guard | Origin::External(_)),
            assigned: match &action {
                Action::Assign(assignments) => assignments.iter().map(|&(var, _)| var).collect(),
                Action::Havoc(vars) => vars.clone(),
                _ => Vec::new(),
            },
        });
        let node = self.node(Node {
            action,
            next: Vec::new(),
            span,
            part,
            depth,
        })?;
        self.graph.nodes[current].next.push(node);
        Ok(node)
    }

    fn body(&mut self, mut instance: Instance) -> Result<(), InlineError> {
        let order = self.program.procs[instance.proc].reverse_postorder();
        let mut starts: FxHashMap<BlockId, NodeId> = FxHashMap::default();
        for &block in &order {
            let start = self.node(jump(instance.depth))?;
            starts.insert(block, start);
        }
        let first = starts[&self.program.procs[instance.proc].entry];
        self.graph.nodes[instance.entry].next.push(first);
        for block in order {
            self.block(&mut instance, block, &starts)?;
        }
        Ok(())
    }

    fn block(
        &mut self,
        instance: &mut Instance,
        block: BlockId,
        starts: &FxHashMap<BlockId, NodeId>,
    ) -> Result<(), InlineError> {
        let data = self.program.procs[instance.proc].blocks[block].clone();
        let mut current = starts[&block];
        for stmt in &data.stmts {
            let (span, id) = (stmt.span, Some(stmt));
            current = match &stmt.kind {
                StmtKind::Enter(_) => current,
                StmtKind::Assume(term) => {
                    let term = self.term(instance, *term);
                    self.after(current, Action::Assume(term), span, id)?
                }
                StmtKind::Assign(assignments) => {
                    let assignments = assignments
                        .iter()
                        .map(|&(var, term)| (instance.var(var), self.term(instance, term)))
                        .collect();
                    self.after(current, Action::Assign(assignments), span, id)?
                }
                StmtKind::Havoc(vars) => {
                    let vars = vars.iter().map(|&var| instance.var(var)).collect();
                    self.after(current, Action::Havoc(vars), span, id)?
                }
                StmtKind::Assert { condition, assert } => {
                    let condition = self.term(instance, *condition);
                    let info = &self.program.asserts[*assert];
                    let failure = match &info.kind {
                        AssertKind::Unsupported(reason) => Failure::Unsupported(reason.to_string()),
                        _ => Failure::Error(info.message.as_deref().unwrap_or("an error").to_owned()),
                    };
                    self.assertion(current, condition, failure, span, id)?
                }
                StmtKind::Call(call) => {
                    let ins: Vec<TermId> = call.ins.iter().map(|&term| self.term(instance, term)).collect();
                    let outs: Vec<VarId> = call.outs.iter().map(|&var| instance.var(var)).collect();
                    match self.routines.get(&call.callee) {
                        Some(&routine) => {
                            let site = CallSite {
                                routine,
                                arguments: ins,
                                result: outs.first().copied(),
                            };
                            let returned = self.after(current, Action::Call(site), span, id)?;
                            // Of a struct nothing is known.
                            match outs.get(1..) {
                                Some(more @ [_, ..]) => {
                                    self.after(returned, Action::Havoc(more.to_vec()), span, None)?
                                }
                                _ => returned,
                            }
                        }
                        None => self.call(current, call.callee, ins, outs, span, id)?,
                    }
                }
            };
        }
        let end = self.after(current, Action::Jump, data.span, None)?;
        match &data.terminator {
            Terminator::Goto(targets) => {
                let targets: Vec<NodeId> = targets.iter().map(|target| starts[target]).collect();
                self.graph.nodes[end].next = targets;
            }
            Terminator::Return => match instance.exit {
                Some(exit) => self.graph.nodes[end].next.push(exit),
                None => {
                    let out = self.program.procs[instance.proc].outs.first().copied();
                    let value = out.map(|out| self.program.pool.var(out));
                    self.after(end, Action::Return(value), data.span, None)?;
                }
            },
        }
        Ok(())
    }

    fn term(&mut self, instance: &mut Instance, term: TermId) -> TermId {
        instance.terms.apply(&mut self.program.pool, term)
    }

    /// `if (!condition) fail;`
    fn assertion(
        &mut self,
        current: NodeId,
        condition: TermId,
        failure: Failure,
        span: Option<Span>,
        stmt: Option<&Stmt>,
    ) -> Result<NodeId, InlineError> {
        let pool = &mut self.program.pool;
        let negated = pool.not(condition);
        let (holds, fails) = (pool.as_bool(condition), pool.as_bool(negated));
        if holds == Some(true) {
            return Ok(current);
        }
        if fails == Some(true) {
            self.after(current, Action::Fail(failure), span, stmt)?;
            // What follows is not reached.
            return self.node(jump(self.graph.nodes[current].depth));
        }
        let choice = self.after(current, Action::Jump, span, None)?;
        let holds = self.after(choice, Action::Assume(condition), span, stmt)?;
        let fails = self.after(choice, Action::Assume(negated), span, stmt)?;
        self.after(fails, Action::Fail(failure), span, stmt)?;
        Ok(holds)
    }

    fn call(
        &mut self,
        current: NodeId,
        callee: ProcId,
        ins: Vec<TermId>,
        outs: Vec<VarId>,
        span: Option<Span>,
        stmt: Option<&Stmt>,
    ) -> Result<NodeId, InlineError> {
        let proc = &self.program.procs[callee];
        let own: Vec<VarId> = proc.vars().collect();
        let (params, results) = (proc.params.clone(), proc.outs.clone());
        let mut vars = FxHashMap::default();
        let mut terms = Substitution::new();
        let pool = &mut self.program.pool;
        for var in own {
            let (name, sort) = (pool.var_name(var).clone(), pool.var_sort(var));
            let copy = pool.declare_var(name, sort);
            vars.insert(var, copy);
            terms.insert(var, pool.var(copy));
            self.graph.copies.insert(copy, var);
        }
        let given = params
            .iter()
            .map(|param| vars[param])
            .zip(ins)
            .collect::<Vec<_>>();
        let mut unknown: Vec<VarId> = vars
            .iter()
            .filter(|(var, _)| !params.contains(var))
            .map(|(_, &copy)| copy)
            .collect();
        unknown.sort_unstable();
        let back: Vec<(VarId, TermId)> = outs
            .into_iter()
            .zip(&results)
            .map(|(out, result)| (out, self.program.pool.var(vars[result])))
            .collect();
        let given = self.after(current, Action::Assign(given), span, stmt)?;
        let entry = self.after(given, Action::Havoc(unknown), span, None)?;
        let depth = self.graph.nodes[current].depth;
        let exit = self.node(Node {
            action: Action::Assign(back),
            next: Vec::new(),
            span,
            part: None,
            depth,
        })?;
        self.waiting.push(Instance {
            proc: callee,
            entry,
            exit: Some(exit),
            vars,
            terms,
            depth: depth + 1,
        });
        Ok(exit)
    }
}

/// Looks for a cycle of calls, callees in the order of the program.
fn refuse_recursion(
    program: &Program,
    entry: ProcId,
    routines: &FxHashMap<ProcId, RoutineId>,
) -> Result<(), InlineError> {
    let callees = |proc: ProcId| -> Vec<(ProcId, Option<Span>)> {
        program.procs[proc]
            .blocks
            .values()
            .flat_map(|block| &block.stmts)
            .filter_map(|stmt| match &stmt.kind {
                StmtKind::Call(call) if !routines.contains_key(&call.callee) => {
                    Some((call.callee, stmt.span))
                }
                _ => None,
            })
            .collect()
    };
    let mut done: FxHashSet<ProcId> = FxHashSet::default();
    let mut path = vec![(entry, callees(entry))];
    while let Some((proc, left)) = path.last_mut() {
        let Some((callee, span)) = left.pop() else {
            done.insert(*proc);
            path.pop();
            continue;
        };
        if let Some(start) = path.iter().position(|&(proc, _)| proc == callee) {
            let cycle = path[start..]
                .iter()
                .map(|&(proc, _)| program.procs[proc].name.to_string())
                .collect();
            return Err(InlineError::Recursion { cycle, span });
        }
        if !done.contains(&callee) {
            path.push((callee, callees(callee)));
        }
    }
    Ok(())
}
