//! Threads: the primitives of the IR, by calls of the functions that our models are written in.

use cranelift_entity::PrimaryMap;
use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{Expr, FunctionId, Purpose};
use lariat_ir::{
    AssertInfo, AssertKind, Block, Call, Origin, Proc, ProcId, ProcKind, Stmt, StmtKind, Terminator,
    ThreadPrimitive,
};
use lariat_term::{Sort, VarId};
use smallvec::smallvec;

use crate::function::FunctionLowering;
use crate::lowering::Lowering;

/// The function of our models that a thread executes.
const THREAD: &str = "__lariat_thread";

impl Lowering<'_> {
    /// The procedure that starts a thread for `body`.
    fn spawn_of(&mut self, body: ProcId, span: Span) -> ProcId {
        if let Some(&known) = self.spawns.get(&body) {
            return known;
        }
        let mut copies = |vars: Vec<VarId>| -> Vec<VarId> {
            let pool = &mut self.ir.pool;
            vars.into_iter()
                .map(|var| {
                    let (name, sort) = (pool.var_name(var).clone(), pool.var_sort(var));
                    pool.declare_var(name, sort)
                })
                .collect()
        };
        let (params, outs) = (
            self.ir.procs[body].params.clone(),
            self.ir.procs[body].outs.clone(),
        );
        let (params, ignored, outs) = (copies(params), copies(outs.clone()), copies(outs));
        let assert = self.ir.asserts.push(AssertInfo {
            kind: AssertKind::Unsupported("a program with threads".into()),
            span: Some(span),
            condition_span: None,
            id: None,
            message: None,
        });
        let condition = self.ir.pool.bool(false);
        let call = StmtKind::Call(Call {
            callee: body,
            ins: params.iter().map(|&param| self.ir.pool.var(param)).collect(),
            outs: ignored.clone(),
        });
        let stmts = [StmtKind::Assert { condition, assert }, call]
            .map(|kind| self.ir.stmt(kind, Some(span), Origin::Internal));
        let proc = self.add_primitive(ThreadPrimitive::Spawn, "thread", params, outs, stmts.into());
        self.ir.procs[proc].locals = ignored;
        self.ir.procs[proc].span = Some(span);
        self.spawns.insert(body, proc);
        proc
    }

    /// The procedure of a primitive, whose result goes to a variable like `out`.
    fn primitive(&mut self, primitive: ThreadPrimitive, out: Option<VarId>) -> ProcId {
        let sort = out.map(|out| self.ir.pool.var_sort(out));
        if let Some(&known) = self.primitives.get(&(primitive, sort)) {
            return known;
        }
        let name = match primitive {
            ThreadPrimitive::AtomicBegin => "atomic begin",
            ThreadPrimitive::AtomicEnd => "atomic end",
            ThreadPrimitive::ThreadId => "thread id",
            _ => "thread",
        };
        let outs: Vec<VarId> = sort
            .iter()
            .map(|&sort| self.ir.pool.declare_var("id", sort))
            .collect();
        let mut stmts = Vec::new();
        if let Some(&out) = outs.first() {
            let first = match *self.ir.pool.sort(self.ir.pool.var_sort(out)) {
                Sort::Bv(width) => self.ir.pool.bv(1, width),
                _ => self.ir.pool.int(1),
            };
            let assign = StmtKind::Assign(smallvec![(out, first)]);
            stmts.push(self.ir.stmt(assign, None, Origin::Internal));
        }
        let proc = self.add_primitive(primitive, name, Vec::new(), outs, stmts);
        self.primitives.insert((primitive, sort), proc);
        proc
    }

    fn add_primitive(
        &mut self,
        primitive: ThreadPrimitive,
        name: &str,
        params: Vec<VarId>,
        outs: Vec<VarId>,
        stmts: Vec<Stmt>,
    ) -> ProcId {
        let mut blocks = PrimaryMap::new();
        let mut block = Block::new(Terminator::Return);
        block.stmts = stmts;
        let entry = blocks.push(block);
        let proc = self.ir.procs.push(Proc {
            name: name.into(),
            kind: ProcKind::Source,
            span: None,
            entry_mark: None,
            extra_bound: 0,
            params,
            outs,
            locals: Vec::new(),
            blocks,
            entry,
        });
        self.ir.threads.primitives.insert(proc, primitive);
        proc
    }

    /// What is book-keeping of memory: no step of a thread shows it, and where fresh memory is does not depend on the order of steps.
    pub fn note_book_keeping(&mut self) {
        let storage = &self.storage;
        self.ir.threads.quiet = vec![storage.size, storage.state, storage.live];
        self.ir
            .threads
            .quiet
            .extend(storage.maps.written.values().flatten());
        self.ir.threads.unordered = vec![storage.next];
        self.ir.threads.locals.extend(storage.returned);
    }

    /// What is not modelled where there is more than one thread.
    fn refused_with_threads(&self) -> Option<&'static str> {
        let own = self.c.globals.values().any(|global| global.is_thread_local);
        if own {
            return Some("objects with thread storage duration in a program with threads");
        }
        let atomic = self.c.has_atomics;
        atomic.then_some("atomic objects in a program with threads")
    }
}

impl FunctionLowering<'_, '_> {
    /// Where a call goes: of the function that a thread executes, to the procedure that starts it.
    pub fn thread_of(&mut self, function: FunctionId, proc: ProcId, span: Span) -> ProcId {
        let data = &self.cx.c.functions[function];
        if data.purpose != Purpose::Model || &*data.name != THREAD {
            return proc;
        }
        if let Some(reason) = self.cx.refused_with_threads() {
            self.unsupported(reason, span);
        }
        self.cx.spawn_of(proc, span)
    }

    /// Whether the competition says that a call of the function is one step.
    pub fn is_atomic(&self, function: FunctionId) -> bool {
        let data = &self.cx.c.functions[function];
        data.purpose == Purpose::User && data.name.starts_with("__VERIFIER_atomic_") && data.body.is_some()
    }

    pub fn call_primitive(&mut self, primitive: ThreadPrimitive, span: Span) {
        self.call_primitive_into(primitive, None, span);
    }

    fn call_primitive_into(&mut self, primitive: ThreadPrimitive, out: Option<VarId>, span: Span) {
        let callee = self.cx.primitive(primitive, out);
        let call = Call {
            callee,
            ins: Vec::new(),
            outs: out.into_iter().collect(),
        };
        self.push(StmtKind::Call(call), span, Origin::Internal);
    }

    /// The number of the running thread.
    pub fn thread_id(&mut self, expr: &Expr) -> Value {
        let scalar = self.scalar(expr.ty);
        let out = self.scalar_temporary(scalar);
        self.call_primitive_into(ThreadPrimitive::ThreadId, Some(out), expr.span);
        self.value_of(out, scalar)
    }
}
