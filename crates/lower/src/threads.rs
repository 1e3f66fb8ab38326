//! Threads: `async call`, `yield` and the procedures that Corral gives a meaning.
//!
//! Each becomes a call of a procedure that is a primitive of the IR ([`lariat_ir::Threads`]).

use lariat_base::Span;
use lariat_boogie::typed::{Call as SourceCall, VarKind};
use lariat_ir::{AssertInfo, AssertKind, Call, Origin, ProcId, StmtKind, ThreadPrimitive};
use lariat_term::{Sort, SortId, TermId, VarId as PoolVar};
use smallvec::smallvec;

use crate::body::BodyBuilder;
use crate::lowering::Lowering;
use crate::scope::Lowers;

impl Lowering<'_> {
    /// Globals of which each thread has its own.
    pub(crate) fn declare_thread_locals(&mut self) {
        for &var in &self.source.globals {
            if self.source.vars[var].attributes.is_set("thread_local")
                && let Some(global) = self.shared_vars[var].and_then(|term| self.ir.pool.as_var(term))
            {
                self.ir.threads.locals.push(global);
            }
        }
    }

    pub(crate) fn lower_yield(&mut self, span: Span, builder: &mut BodyBuilder) {
        let callee = self.primitive(ThreadPrimitive::Yield, None);
        self.call_primitive(callee, Vec::new(), Vec::new(), span, builder);
    }

    /// A call of a procedure without body whose name has a meaning; `false` if it has none.
    pub(crate) fn lower_corral_call(
        &mut self,
        call: &SourceCall,
        span: Span,
        builder: &mut BodyBuilder,
    ) -> Lowers<bool> {
        let procedure = &self.source.procedures[call.procedure];
        if self.implementations.contains_key(&call.procedure) || !procedure.type_params.is_empty() {
            return Ok(false);
        }
        let outs: Vec<PoolVar> = procedure
            .outs
            .iter()
            .zip(&call.outs)
            .filter_map(|(_, out)| Some(self.variable((*out)?, &builder.scope)))
            .collect();
        let out_type = procedure
            .outs
            .first()
            .map(|&out| self.source.vars[out].ty.clone());
        let (primitive, results) = match &*procedure.name {
            "corral_atomic_begin" => (ThreadPrimitive::AtomicBegin, 0),
            "corral_atomic_end" => (ThreadPrimitive::AtomicEnd, 0),
            "corral_getThreadID" => (ThreadPrimitive::ThreadId, 1),
            "corral_getChildThreadID" => (ThreadPrimitive::ChildThreadId, 1),
            "corral_assert_not_reachable" if procedure.outs.is_empty() => {
                let info = AssertInfo {
                    kind: AssertKind::Assert,
                    span: Some(span),
                    condition_span: None,
                    id: None,
                    message: Some("`corral_assert_not_reachable` can be reached".into()),
                };
                let condition = self.ir.pool.bool(false);
                self.emit_assert(builder, condition, info, None);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if !procedure.ins.is_empty() || procedure.outs.len() != results {
            return self.unsupported(
                span,
                &format!("`{}` with other parameters than Corral's", procedure.name),
            );
        }
        if outs.len() != results {
            // The result is dropped.
            return Ok(true);
        }
        let scope = crate::scope::Scope::default();
        let sort = out_type.map(|ty| self.sort_in(&ty, &scope));
        if sort.is_some_and(|sort| !self.is_thread_id(sort)) {
            return self.unsupported(span, "a thread id that is neither an integer nor a bit-vector");
        }
        let callee = self.primitive(primitive, sort);
        self.call_primitive(callee, Vec::new(), outs, span, builder);
        Ok(true)
    }

    fn is_thread_id(&self, sort: SortId) -> bool {
        matches!(self.ir.pool.sort(sort), Sort::Int | Sort::Bv(_))
    }

    /// `async call`, after the actual parameters have been evaluated. `callee` is `None` for a procedure without body, whose thread
    /// does nothing that others see.
    pub(crate) fn call_async(
        &mut self,
        call: &SourceCall,
        callee: Option<ProcId>,
        ins: Vec<TermId>,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        let out = call.outs.first().copied().flatten();
        let out = out.map(|out| self.variable(out, &builder.scope));
        let sort = out.map(|out| self.ir.pool.var_sort(out));
        let Some(callee) = callee else {
            if let Some(out) = out {
                let havoc = StmtKind::Havoc(smallvec![out]);
                self.emit_at(builder, havoc, span, Origin::Internal, None);
            }
            return;
        };
        let name = self.source.procedures[call.procedure].name.clone();
        let spawn = self.spawn(callee, sort, &name, span);
        self.call_primitive(spawn, ins, out.into_iter().collect(), span, builder);
    }

    fn call_primitive(
        &mut self,
        callee: ProcId,
        ins: Vec<TermId>,
        outs: Vec<PoolVar>,
        span: Span,
        builder: &mut BodyBuilder,
    ) {
        let call = StmtKind::Call(Call { callee, ins, outs });
        self.emit_at(builder, call, span, Origin::Source, None);
    }

    /// The procedure of a primitive that returns a value of this sort, or nothing.
    fn primitive(&mut self, primitive: ThreadPrimitive, sort: Option<SortId>) -> ProcId {
        let key = (primitive, None, sort);
        if let Some(&known) = self.primitives.get(&key) {
            return known;
        }
        let id = self.ir.add_thread_primitive(primitive, sort);
        self.primitives.insert(key, id);
        id
    }

    /// The procedure that starts a thread for `callee`.
    fn spawn(&mut self, callee: ProcId, sort: Option<SortId>, name: &str, span: Span) -> ProcId {
        let key = (ThreadPrimitive::Spawn, Some(callee), sort);
        if let Some(&known) = self.primitives.get(&key) {
            return known;
        }
        let reason = format!("async call of {name}");
        let id = self
            .ir
            .add_spawn(callee, sort, format!("async {name}"), &reason, span);
        self.primitives.insert(key, id);
        id
    }

    /// Whether a procedure without body may change what other threads see.
    pub(crate) fn changes_globals(&self, call: &SourceCall) -> bool {
        let modifies = &self.source.procedures[call.procedure].modifies;
        modifies
            .iter()
            .any(|&var| self.source.vars[var].kind == VarKind::Global)
    }
}
