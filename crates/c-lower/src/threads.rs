//! Threads: the primitives of the IR, by calls of the functions that our models are written in, and what each thread has of its own.

use lariat_base::Span;
use lariat_c_arith::Value;
use lariat_c_program::{CProgram, Expr, FunctionId, GlobalId, Place, Purpose};
use lariat_ir::{Call, Origin, ProcId, StmtKind, ThreadPrimitive};
use lariat_term::VarId;
use num_bigint::BigInt;

use crate::function::FunctionLowering;
use crate::lowering::Lowering;
use crate::place::{Located, Where};
use crate::storage::VARIABLE;

/// The functions of our models that threads execute.
const THREADS: [&str; 2] = ["__lariat_thread", "__lariat_c11_thread"];
/// Those that end the running thread in the middle of a function.
const ENDS: [&str; 2] = ["pthread_exit", "thrd_exit"];

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

    /// Whether a call of the function ends the thread, and with it the lives of the caller's variables. (Those of the caller's callers
    /// stay accessible here.)
    pub fn ends_thread(&self, function: FunctionId) -> bool {
        let data = &self.cx.c.functions[function];
        data.purpose == Purpose::Model && ENDS.contains(&&*data.name)
    }

    /// The lives of the running thread's own objects end, where dangling pointers are checked.
    pub fn end_thread_objects(&mut self, span: Span) {
        if !self.ends_lives() {
            return;
        }
        let addresses = &self.cx.storage.thread_addresses;
        let mut own: Vec<(GlobalId, VarId)> = addresses
            .iter()
            .map(|(&global, &address)| (global, address))
            .filter(|&(global, _)| self.cx.c.globals[global].purpose == Purpose::User)
            .collect();
        own.sort_unstable();
        for (global, address) in own {
            self.cx.mention(self.proc, global);
            self.end_object(address, span);
        }
    }

    /// Whether the competition says that a call of the function is one step.
    pub fn is_atomic(&self, function: FunctionId) -> bool {
        let data = &self.cx.c.functions[function];
        data.purpose == Purpose::User && data.name.starts_with("__VERIFIER_atomic_") && data.body.is_some()
    }

    /// Whether each read of what others can change is a step of its own. Models read such objects in atomic blocks, or each once; an
    /// assumption is one step, which waits until it holds.
    fn splits_reads(&self) -> bool {
        let is_one_step = self.assumes || self.atomic_blocks > 0 || self.is_atomic(self.function);
        self.cx.has_threads && !self.is_model() && !is_one_step
    }

    /// The text goes on inside or outside of an atomic block of the competition; older programs have bodies for these functions, with a lock.
    pub fn note_atomic_block(&mut self, function: FunctionId) {
        match &*self.cx.c.functions[function].name {
            "__VERIFIER_atomic_begin" => self.atomic_blocks += 1,
            "__VERIFIER_atomic_end" => self.atomic_blocks = self.atomic_blocks.saturating_sub(1),
            _ => {}
        }
    }

    /// Whether other threads may change what is there between two accesses of ours.
    pub fn others_may_change(&self, located: &Located) -> bool {
        self.splits_reads()
            && match &located.at {
                Where::Split { split, .. } => split.is_global,
                Where::Memory { .. } => true,
                Where::Value { .. } => false,
            }
    }

    /// Whether the expression can be evaluated at any time and in any order, also if it is not needed.
    pub fn needs_no_order(&mut self, expr: &Expr) -> bool {
        self.cx.purity.is_pure(expr) && !(self.splits_reads() && self.cx.purity.reads_objects(expr))
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

    /// What is done to the state of an object is a step: other threads may run before it, and see it. Nothing is no step.
    pub fn as_step(&mut self, span: Span, lower: impl FnOnce(&mut Self)) {
        if !self.cx.has_threads || self.synchronising > 0 {
            return lower(self);
        }
        let (block, before) = (self.body.current, self.body.blocks[self.body.current].stmts.len());
        self.begin_synchronising(span);
        lower(self);
        let is_empty = self.body.current == block && self.body.blocks[block].stmts.len() == before + 1;
        match is_empty {
            true => {
                self.body.blocks[block].stmts.truncate(before);
                self.synchronising = 0;
            }
            false => self.end_synchronising(span),
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
