//! Small programs for unit tests.

use cranelift_entity::PrimaryMap;
use lariat_ir::{
    AssertInfo, AssertKind, Block, BlockId, Call, Origin, Proc, ProcId, ProcKind, Program, Stage, StmtId,
    StmtKind, Terminator, validate,
};
use lariat_term::{SortId, TermId, VarId};
use smallvec::smallvec;

/// A program under construction.
pub(crate) struct Builder {
    pub program: Program,
    pub int_sort: SortId,
}

impl Builder {
    pub fn new() -> Self {
        let mut program = Program::new();
        let int_sort = program.pool.int_sort();
        Builder { program, int_sort }
    }

    pub fn var(&mut self, name: &str) -> VarId {
        self.program.pool.declare_var(name, self.int_sort)
    }

    pub fn global(&mut self, name: &str) -> VarId {
        let var = self.var(name);
        self.program.globals.push(var);
        var
    }

    pub fn term(&mut self, var: VarId) -> TermId {
        self.program.pool.var(var)
    }

    pub fn plus(&mut self, var: VarId, offset: i64) -> TermId {
        let (term, offset) = (self.term(var), self.program.pool.int(offset));
        self.program.pool.add(&[term, offset])
    }

    pub fn equals(&mut self, var: VarId, value: i64) -> TermId {
        let (term, value) = (self.term(var), self.program.pool.int(value));
        self.program.pool.eq(term, value)
    }

    pub fn assert(&mut self, condition: TermId) -> StmtKind {
        let assert = self.program.asserts.push(AssertInfo {
            kind: AssertKind::Assert,
            span: None,
            condition_span: None,
            id: None,
            message: None,
        });
        StmtKind::Assert { condition, assert }
    }

    /// Each block with its statements and targets; no targets: return.
    pub fn proc(
        &mut self,
        name: &str,
        params: Vec<VarId>,
        outs: Vec<VarId>,
        locals: Vec<VarId>,
        blocks: Vec<(Vec<StmtKind>, Vec<u32>)>,
    ) -> ProcId {
        let mut map = PrimaryMap::new();
        for (kinds, targets) in blocks {
            let terminator = if targets.is_empty() {
                Terminator::Return
            } else {
                Terminator::Goto(targets.into_iter().map(BlockId::from_u32).collect())
            };
            let mut block = Block::new(terminator);
            for kind in kinds {
                block.stmts.push(self.program.stmt(kind, None, Origin::Source));
            }
            map.push(block);
        }
        self.program.procs.push(Proc {
            params,
            outs,
            locals,
            ..Proc::new(name.into(), ProcKind::Source, map, BlockId::from_u32(0))
        })
    }

    pub fn stmt_id(&self, proc: ProcId, block: u32, index: usize) -> StmtId {
        self.program.procs[proc].blocks[BlockId::from_u32(block)].stmts[index].id
    }

    pub fn check(&self) {
        validate(&self.program, Stage::Lowered).expect("the test's program is well-formed");
    }
}

pub(crate) fn assign(var: VarId, term: TermId) -> StmtKind {
    StmtKind::Assign(smallvec![(var, term)])
}

pub(crate) fn call(callee: ProcId, ins: Vec<TermId>, outs: Vec<VarId>) -> StmtKind {
    StmtKind::Call(Call { callee, ins, outs })
}
