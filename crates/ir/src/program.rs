//! The data of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cranelift_entity::{PrimaryMap, entity_impl};
use lariat_base::Span;
use lariat_options::Check;
use lariat_term::{FunId, TermId, TermPool, VarId};
use smallvec::SmallVec;

use crate::threads::Threads;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcId(u32);
entity_impl!(ProcId, "proc");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u32);
entity_impl!(BlockId, "block");

/// A statement of the lowered program. Copies that passes make keep the id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StmtId(u32);
entity_impl!(StmtId, "stmt");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssertId(u32);
entity_impl!(AssertId, "assert");

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub pool: TermPool,
    /// Variables that never change.
    pub constants: Vec<VarId>,
    pub globals: Vec<VarId>,
    pub axioms: Vec<Axiom>,
    /// What holds of the globals before the entry procedure starts (their `where` clauses).
    pub initial: Vec<TermId>,
    pub procs: PrimaryMap<ProcId, Proc>,
    pub asserts: PrimaryMap<AssertId, AssertInfo>,
    /// What the user wants to be tried as a summary: neither assumed nor asserted.
    pub candidates: Vec<CandidateClause>,
    /// What the program wants to be shown of an execution. Only the lowered program has it: passes do not keep the terms.
    pub records: BTreeMap<StmtId, Record>,
    /// The attributes of assertions, in their order.
    pub assert_attributes: BTreeMap<AssertId, Vec<AttributeText>>,
    /// Functions that have a meaning which Lariat does not know: an execution that uses one shows nothing.
    pub unmodelled: BTreeSet<FunId>,
    /// Empty if there is one thread only.
    pub threads: Threads,
    next_stmt: u32,
}

#[derive(Clone, Debug)]
pub struct Axiom {
    pub term: TermId,
    pub span: Option<Span>,
}

/// A clause that may hold: a guess of the user, which says nothing about the program. A pass may take
/// variables away that occur in it; then it is unused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CandidateClause {
    /// `None` is a template, to be tried of every procedure.
    pub proc: Option<ProcId>,
    pub kind: CandidateKind,
    /// Over constants, globals and the procedure's own variables.
    pub term: TermId,
    /// Variables of the term that stand for the value of a global at the start of the procedure.
    pub old: Vec<(VarId, VarId)>,
    pub span: Option<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CandidateKind {
    Requires,
    Ensures,
    /// Of any loop in the procedure.
    Invariant,
}

/// A value that the program was instrumented to show: `call {:cexpr "x"} boogie_si_record_int(e);`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What the value is called in the program that this one was compiled from.
    pub text: Option<Arc<str>>,
    pub value: TermId,
}

/// An attribute as it is written: `{:name "text", 3}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeText {
    pub name: Arc<str>,
    pub values: Vec<AttributeValue>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    String(Arc<str>),
    /// An expression, which stands here in the source.
    Source(Span),
}

/// What an assertion is, for reports.
#[derive(Clone, Debug)]
pub struct AssertInfo {
    pub kind: AssertKind,
    /// Where it fails: the assertion, the call whose precondition it is, the return.
    pub span: Option<Span>,
    /// The condition as the user wrote it, where that is not at `span` (a contract).
    pub condition_span: Option<Span>,
    /// `{:id "…"}` or the message that the user gave it.
    pub id: Option<Arc<str>>,
    pub message: Option<Arc<str>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AssertKind {
    Assert,
    /// A precondition of the named callee.
    Requires(Arc<str>),
    /// A postcondition of the named procedure.
    Ensures(Arc<str>),
    /// At the head of a loop.
    LoopInvariant,
    /// The same before the loop.
    LoopInvariantOnEntry,
    /// The constructor test of `C(x) := e`.
    Unpack,
    /// A check that the front end made.
    Check(Check),
    /// The typestate rule of this name.
    Rule(Arc<str>),
    /// Not a property of the program: a construct that Lariat cannot execute. An execution that reaches it
    /// gets the verdict `unknown` with this reason.
    Unsupported(Arc<str>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProcKind {
    /// Written by the user.
    Source,
    /// A loop of another procedure, made tail-recursive by `extract_loops`.
    Loop { parent: ProcId, head: Option<Span> },
}

#[derive(Clone, Debug)]
pub struct Proc {
    pub name: Arc<str>,
    pub kind: ProcKind,
    pub span: Option<Span>,
    /// Marked `{:entrypoint}` on the implementation, or on its procedure only.
    pub entry_mark: Option<EntryMark>,
    /// Added to the recursion bound for this procedure (`{:SIextraRecBound n}`).
    pub extra_bound: u32,
    /// In parameters; never assigned.
    pub params: Vec<VarId>,
    pub outs: Vec<VarId>,
    /// Other variables of the procedure; any value at the start.
    pub locals: Vec<VarId>,
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Has no predecessors.
    pub entry: BlockId,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EntryMark {
    Procedure,
    Implementation,
}

#[derive(Clone, Debug)]
pub struct Block {
    /// The label that the user wrote.
    pub label: Option<Arc<str>>,
    pub stmts: Vec<Stmt>,
    pub terminator: Terminator,
    /// Of the terminator.
    pub span: Option<Span>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// To any of the blocks; to none: no execution goes on from here.
    Goto(SmallVec<[BlockId; 2]>),
    Return,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub id: StmtId,
    pub kind: StmtKind,
    pub span: Option<Span>,
    pub origin: Origin,
    /// A place in the program that this one was compiled from (`{:sourceloc}`, `{:sourcefile}`/`{:sourceline}`).
    pub location: Option<Arc<ExternalLocation>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalLocation {
    pub file: Arc<str>,
    pub line: u32,
    pub column: Option<u32>,
}

/// Why a statement is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user wrote it.
    Source,
    /// The condition of an `if` or `while`, or its negation.
    Guard,
    /// An assumed `where` clause.
    Where,
    /// A precondition assumed at the start of a body.
    Requires,
    /// A postcondition assumed after a call.
    Ensures,
    /// The effect of a call of the named procedure, which has no body.
    External(Arc<str>),
    /// Book-keeping that traces do not show.
    Internal,
    /// An assumption that a value is one of its type. It cuts off no execution: it is there for those who do not know where the
    /// value comes from.
    Type,
}

impl Origin {
    /// Whether traces pass over the statement.
    pub fn is_internal(&self) -> bool {
        matches!(self, Origin::Internal | Origin::Type)
    }
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Assume(TermId),
    Assert {
        condition: TermId,
        assert: AssertId,
    },
    /// Simultaneous.
    Assign(SmallVec<[(VarId, TermId); 1]>),
    Havoc(SmallVec<[VarId; 2]>),
    Call(Call),
    /// The block of the lowered program that starts here: no effect, but passes keep
    /// it, and the interpreter learns from it which way a branch went.
    Enter(BlockId),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub callee: ProcId,
    pub ins: Vec<TermId>,
    /// Distinct variables of the caller or globals; one for each out parameter.
    pub outs: Vec<VarId>,
}

impl Program {
    pub fn new() -> Self {
        Self::default()
    }

    /// A copy of everything but the procedures.
    pub fn without_procs(&self) -> Self {
        Program {
            pool: self.pool.clone(),
            constants: self.constants.clone(),
            globals: self.globals.clone(),
            axioms: self.axioms.clone(),
            initial: self.initial.clone(),
            procs: PrimaryMap::new(),
            asserts: self.asserts.clone(),
            candidates: self.candidates.clone(),
            records: self.records.clone(),
            assert_attributes: self.assert_attributes.clone(),
            unmodelled: self.unmodelled.clone(),
            threads: self.threads.clone(),
            next_stmt: self.next_stmt,
        }
    }

    pub fn fresh_stmt_id(&mut self) -> StmtId {
        let id = StmtId(self.next_stmt);
        self.next_stmt += 1;
        id
    }

    /// A statement with a new id and no external location.
    pub fn stmt(&mut self, kind: StmtKind, span: Option<Span>, origin: Origin) -> Stmt {
        Stmt {
            id: self.fresh_stmt_id(),
            kind,
            span,
            origin,
            location: None,
        }
    }

    pub fn proc_by_name(&self, name: &str) -> Option<ProcId> {
        self.procs
            .iter()
            .find(|(_, proc)| &*proc.name == name)
            .map(|(id, _)| id)
    }
}

impl Stmt {
    /// The variables that the statement itself assigns; for a call its out arguments only.
    pub fn assigned(&self) -> SmallVec<[VarId; 2]> {
        match &self.kind {
            StmtKind::Assume(_) | StmtKind::Assert { .. } | StmtKind::Enter(_) => SmallVec::new(),
            StmtKind::Assign(assignments) => assignments.iter().map(|&(var, _)| var).collect(),
            StmtKind::Havoc(vars) => vars.clone(),
            StmtKind::Call(call) => call.outs.iter().copied().collect(),
        }
    }

    /// The terms that the statement evaluates.
    pub fn terms(&self) -> SmallVec<[TermId; 2]> {
        match &self.kind {
            StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => {
                SmallVec::from_slice(&[*condition])
            }
            StmtKind::Assign(assignments) => assignments.iter().map(|&(_, term)| term).collect(),
            StmtKind::Havoc(_) | StmtKind::Enter(_) => SmallVec::new(),
            StmtKind::Call(call) => call.ins.iter().copied().collect(),
        }
    }

    /// The same, to be replaced.
    pub fn terms_mut(&mut self) -> SmallVec<[&mut TermId; 2]> {
        match &mut self.kind {
            StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => {
                std::iter::once(condition).collect()
            }
            StmtKind::Assign(assignments) => assignments.iter_mut().map(|(_, term)| term).collect(),
            StmtKind::Havoc(_) | StmtKind::Enter(_) => SmallVec::new(),
            StmtKind::Call(call) => call.ins.iter_mut().collect(),
        }
    }
}

impl Block {
    pub fn new(terminator: Terminator) -> Self {
        Block {
            label: None,
            stmts: Vec::new(),
            terminator,
            span: None,
        }
    }

    pub fn successors(&self) -> &[BlockId] {
        match &self.terminator {
            Terminator::Goto(targets) => targets,
            Terminator::Return => &[],
        }
    }
}

impl Terminator {
    pub fn goto(target: BlockId) -> Self {
        Terminator::Goto(SmallVec::from_slice(&[target]))
    }
}

impl Proc {
    /// A procedure of these blocks that has no variables of its own.
    pub fn new(name: Arc<str>, kind: ProcKind, blocks: PrimaryMap<BlockId, Block>, entry: BlockId) -> Self {
        Proc {
            name,
            kind,
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

    /// All variables that belong to the procedure.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.params.iter().chain(&self.outs).chain(&self.locals).copied()
    }

    /// Blocks that the entry reaches, in reverse postorder: a block comes after all its
    /// predecessors except along back edges.
    pub fn reverse_postorder(&self) -> Vec<BlockId> {
        let mut seen = cranelift_entity::SecondaryMap::<BlockId, bool>::with_capacity(self.blocks.len());
        let mut postorder = Vec::with_capacity(self.blocks.len());
        let mut stack = vec![(self.entry, 0)];
        seen[self.entry] = true;
        while let Some((block, next)) = stack.last_mut() {
            match self.blocks[*block].successors().get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !seen[successor] {
                        seen[successor] = true;
                        stack.push((successor, 0));
                    }
                }
                None => {
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        postorder.reverse();
        postorder
    }

    /// For each block the blocks that go to it, once for each edge.
    pub fn predecessors(&self) -> cranelift_entity::SecondaryMap<BlockId, SmallVec<[BlockId; 2]>> {
        let mut predecessors = cranelift_entity::SecondaryMap::<BlockId, SmallVec<[BlockId; 2]>>::new();
        for (block, data) in self.blocks.iter() {
            for &successor in data.successors() {
                predecessors[successor].push(block);
            }
        }
        predecessors
    }
}
