//! The procedure that the environment calls: it sets the scene and calls the function.

use lariat_base::Span;
use lariat_c_program::{FunctionId, Purpose, Scalar};
use lariat_ir::{Call, OpenEntry, Origin, StmtKind};

use crate::function::FunctionLowering;
use crate::lowering::Lowering;

impl Lowering<'_> {
    /// Functions with a body that are the user's, in the order of the text; of those the ones that were asked for.
    pub fn open_functions(&self) -> Vec<FunctionId> {
        let functions = self.c.functions.iter();
        let mut found: Vec<FunctionId> = functions
            .filter(|(_, function)| function.body.is_some() && function.purpose == Purpose::User)
            .filter(|(_, function)| {
                let wanted = &self.options.entries;
                wanted.is_empty() || wanted.iter().any(|name| **name == *function.name)
            })
            .map(|(id, _)| id)
            .collect();
        found.sort_by_key(|&id| {
            let span = self.c.functions[id].span;
            (span.source, span.start, id)
        });
        found
    }
}

impl FunctionLowering<'_, '_> {
    /// The whole body of an entry.
    pub fn run_entry(mut self) {
        let span = self.cx.c.functions[self.function].span;
        let body = self.cx.proc_of(self.function);
        let entry = self.body.current;
        self.start_open(span);
        self.start_monitors(span);
        self.take_anything(span);
        let proc = &self.cx.ir.procs[self.proc];
        let (params, outs) = (proc.params.clone(), proc.outs.clone());
        let call = Call {
            callee: body,
            ins: params.iter().map(|&var| self.cx.ir.pool.var(var)).collect(),
            outs,
        };
        self.push(StmtKind::Call(call), span, Origin::Internal);
        let end = self.cx.c.functions[self.function].end.unwrap_or(span);
        self.exit_events(end);
        self.jump(self.exit);
        let name = self.cx.c.functions[self.function].name.clone();
        let marked = !self.cx.options.entries.is_empty();
        let proc = &mut self.cx.ir.procs[self.proc];
        proc.entry = entry;
        proc.blocks = self.body.blocks;
        proc.locals = self.body.locals;
        self.cx.open.entries.push(OpenEntry {
            name,
            proc: self.proc,
            marked,
        });
    }

    /// Parameters hold values of their types.
    fn take_anything(&mut self, span: Span) {
        let data = &self.cx.c.functions[self.function];
        let mut params = self.cx.ir.procs[self.proc].params.clone().into_iter();
        for &local in &data.params {
            let leaves = self.cx.leaves(data.locals[local].ty).unwrap_or_default();
            for leaf in leaves.iter() {
                let Some(var) = params.next() else { return };
                let term = self.cx.ir.pool.var(var);
                self.assume_input(leaf.scalar, term, span);
            }
        }
        // The address of further arguments.
        for var in params {
            let term = self.cx.ir.pool.var(var);
            self.assume_input(Scalar::Pointer, term, span);
        }
    }

    /// A value of the type that the environment knows.
    pub fn assume_input(&mut self, scalar: Scalar, term: lariat_term::TermId, span: Span) {
        self.assume_in_type(term, scalar, span);
        if scalar == Scalar::Pointer {
            self.assume_unknown_pointer(term, span);
        }
    }
}
