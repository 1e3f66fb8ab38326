//! The procedures that the environment may call.
//!
//! A procedure `{:ProgramInitialization}` runs before each of them, a procedure `{:ProgramExit}` after each: what is executed
//! then is a procedure of its own with the entry's name and parameters, which calls the initialisation, the entry and the exit.

use std::sync::Arc;

use cranelift_entity::PrimaryMap;
use lariat_boogie::typed::{Implementation, ProcedureId, Type};
use lariat_ir::{
    Block, BlockId, Call, OpenEntry, Origin, Proc, ProcId, ProcKind, Stmt, StmtKind, Terminator,
};
use lariat_term::{TermId, VarId};
use rustc_hash::FxHashSet;

use crate::instances::TypeArgs;
use crate::lowering::Lowering;

impl Lowering<'_> {
    /// All procedures with a body, in the order of the text.
    pub(super) fn open_entries(&mut self) -> Vec<OpenEntry> {
        let source = self.source;
        let is_marked = |implementation: &Implementation, mark: &str| {
            let procedure = &source.procedures[implementation.procedure];
            procedure.attributes.is_set(mark) || implementation.attributes.is_set(mark)
        };
        let mut seen: FxHashSet<ProcedureId> = FxHashSet::default();
        let mut initial: Vec<ProcId> = Vec::new();
        let mut last: Vec<ProcId> = Vec::new();
        let mut entries: Vec<OpenEntry> = Vec::new();
        for implementation in &source.implementations {
            let id = implementation.procedure;
            if !seen.insert(id) {
                continue;
            }
            let Some(proc) = self.open_target(id) else {
                continue;
            };
            if is_marked(implementation, "ProgramInitialization") {
                initial.push(proc);
                continue;
            }
            if is_marked(implementation, "ProgramExit") {
                last.push(proc);
                continue;
            }
            let of_same = |other: &&Implementation| other.procedure == id;
            let marked = source.procedures[id].attributes.is_set("entrypoint")
                || source
                    .implementations
                    .iter()
                    .filter(of_same)
                    .any(|implementation| implementation.attributes.is_set("entrypoint"));
            entries.push(OpenEntry {
                name: source.procedures[id].name.clone(),
                proc,
                marked,
            });
        }
        if !initial.is_empty() || !last.is_empty() {
            for entry in &mut entries {
                entry.proc = self.add_surrounded(&entry.name, entry.proc, &initial, &last);
            }
        }
        entries
    }

    /// What a call of the procedure goes to, for types of which nothing is known if it is polymorphic.
    fn open_target(&self, id: ProcedureId) -> Option<ProcId> {
        let params = &self.source.procedures[id].type_params;
        let args: TypeArgs = params.iter().map(|&param| Type::Param(param)).collect();
        self.procedures.get(&(id, args))?.target
    }

    /// A procedure that calls the initialisation, the entry and the exit.
    fn add_surrounded(
        &mut self,
        name: &Arc<str>,
        entry: ProcId,
        initial: &[ProcId],
        last: &[ProcId],
    ) -> ProcId {
        let span = self.ir.procs[entry].span;
        let params = self.copy_vars(&self.ir.procs[entry].params.clone());
        let outs = self.copy_vars(&self.ir.procs[entry].outs.clone());
        let mut locals = Vec::new();
        let mut stmts: Vec<Stmt> = Vec::new();
        for &callee in initial {
            stmts.push(self.call_of(callee, &mut locals));
        }
        let ins: Vec<TermId> = params.iter().map(|&param| self.ir.pool.var(param)).collect();
        let call = Call {
            callee: entry,
            ins,
            outs: outs.clone(),
        };
        stmts.push(self.ir.stmt(StmtKind::Call(call), span, Origin::Internal));
        for &callee in last {
            stmts.push(self.call_of(callee, &mut locals));
        }
        let mut block = Block::new(Terminator::Return);
        block.stmts = stmts;
        block.span = span;
        let mut blocks: PrimaryMap<BlockId, Block> = PrimaryMap::new();
        let start = blocks.push(block);
        self.ir.procs.push(Proc {
            span,
            params,
            outs,
            locals,
            ..Proc::new(name.clone(), ProcKind::Source, blocks, start)
        })
    }

    /// A call with any arguments.
    fn call_of(&mut self, callee: ProcId, locals: &mut Vec<VarId>) -> Stmt {
        let span = self.ir.procs[callee].span;
        let args = self.copy_vars(&self.ir.procs[callee].params.clone());
        let results = self.copy_vars(&self.ir.procs[callee].outs.clone());
        let ins = args.iter().map(|&arg| self.ir.pool.var(arg)).collect();
        locals.extend(args.into_iter().chain(results.iter().copied()));
        let call = Call {
            callee,
            ins,
            outs: results,
        };
        self.ir.stmt(StmtKind::Call(call), span, Origin::Internal)
    }
}
