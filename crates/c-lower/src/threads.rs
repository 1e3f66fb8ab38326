//! Threads: the primitives of the IR, by calls of the functions that our models are written in, and what each thread has of its own.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{CProgram, Expr, FunctionId, GlobalId, Place, Purpose};
use lariat_ir::{Call, Origin, ProcId, StmtKind, ThreadPrimitive};
use lariat_term::VarId;
use num_bigint::BigInt;

use crate::function::FunctionLowering;
use crate::lowering::Lowering;
use crate::storage::VARIABLE;

/// The functions of our models that threads execute.
const THREADS: [&str; 2] = ["__lariat_thread", "__lariat_c11_thread"];

/// Whether something in the program starts threads.
pub fn has_threads(c: &CProgram) -> bool {
    c.functions.keys().any(|function| is_thread(c, function))
}

fn is_thread(c: &CProgram, function: FunctionId) -> bool {
    let data = &c.functions[function];
    data.purpose == Purpose::Model && THREADS.contains(&&*data.name)
}

impl Lowering<'_> {
    /// The procedure that starts a thread for `body`, a procedure of the function.
    fn spawn_of(&mut self, function: FunctionId, body: ProcId, span: Span) -> ProcId {
        if let Some(&(_, known)) = self.spawns.get(&body) {
            return known;
        }
        let result = self.ir.procs[body].outs.first();
        let result = result.map(|&out| self.ir.pool.var_sort(out));
        let reason = "a program with threads";
        let spawn = self.ir.add_spawn(body, result, "thread".to_owned(), reason, span);
        self.spawns.insert(body, (function, spawn));
        spawn
    }

    /// The procedure of a primitive, whose result goes to a variable like `out`.
    fn primitive(&mut self, primitive: ThreadPrimitive, out: Option<VarId>) -> ProcId {
        let sort = out.map(|out| self.ir.pool.var_sort(out));
        if let Some(&known) = self.primitives.get(&(primitive, sort)) {
            return known;
        }
        let proc = self.ir.add_thread_primitive(primitive, sort);
        self.primitives.insert((primitive, sort), proc);
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
        for (id, global) in self.c.globals.iter() {
            if !global.is_thread_local {
                continue;
            }
            let locals = &mut self.ir.threads.locals;
            match storage.split_globals.get(&id) {
                Some(split) => locals.extend(&split.vars),
                None => locals.extend(storage.thread_addresses.get(&id)),
            }
        }
    }

    /// Threads start with objects of their own, where the program has such.
    pub fn start_threads(&mut self) {
        let mut spawns: Vec<(ProcId, (FunctionId, ProcId))> =
            self.spawns.iter().map(|(&body, &spawn)| (body, spawn)).collect();
        spawns.sort_unstable();
        for (body, (function, spawn)) in spawns {
            let mut own: Vec<GlobalId> = self.mentioned_from(body).into_iter().collect();
            own.retain(|&global| self.c.globals[global].is_thread_local);
            if !own.is_empty() {
                FunctionLowering::new(self, function, spawn).run_thread_start(&own);
            }
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Puts the start of a thread's own objects before its body.
    fn run_thread_start(mut self, own: &[GlobalId]) {
        for &id in own {
            let c = self.cx.c;
            let global = &c.globals[id];
            if let Some(&address) = self.cx.storage.thread_addresses.get(&id) {
                let size = BigInt::from(c.types.size(global.ty).unwrap_or(1));
                let size = self.address(&size);
                let fresh = self.allocate(&size, VARIABLE, global.span);
                self.set_silently(address, fresh.term, global.span);
            }
            self.start_global(id, global);
        }
        let start: Vec<_> = self.body.blocks[self.body.current].stmts.drain(..).collect();
        let proc = &mut self.cx.ir.procs[self.proc];
        let entry = proc.entry;
        // The first statement is for those that do not know threads.
        proc.blocks[entry].stmts.splice(1..1, start);
        proc.locals.append(&mut self.body.locals);
    }

    /// Where a call goes: of the function that a thread executes, to the procedure that starts it.
    pub fn thread_of(&mut self, function: FunctionId, proc: ProcId, span: Span) -> ProcId {
        match is_thread(self.cx.c, function) {
            true => self.cx.spawn_of(function, proc, span),
            false => proc,
        }
    }

    /// Whether the competition says that a call of the function is one step.
    pub fn is_atomic(&self, function: FunctionId) -> bool {
        let data = &self.cx.c.functions[function];
        data.purpose == Purpose::User && data.name.starts_with("__VERIFIER_atomic_") && data.body.is_some()
    }

    /// Whether an access of the place is an atomic operation.
    pub fn is_atomic_place(&self, place: &Place) -> bool {
        self.cx.has_threads && self.cx.c.atomic_places.contains(&place.id)
    }

    /// From here to the matching end in the text is one step, whose accesses synchronise threads.
    pub fn begin_synchronising(&mut self, span: Span) {
        if !self.cx.has_threads {
            return;
        }
        if self.synchronising == 0 {
            self.call_primitive(ThreadPrimitive::AtomicBegin, span);
        }
        self.synchronising += 1;
    }

    pub fn end_synchronising(&mut self, span: Span) {
        if !self.cx.has_threads {
            return;
        }
        self.synchronising = self.synchronising.saturating_sub(1);
        if self.synchronising == 0 {
            self.call_primitive(ThreadPrimitive::AtomicEnd, span);
        }
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
