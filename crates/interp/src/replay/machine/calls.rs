//! Calls and returns.

use lariat_ir::{Call, ProcId, Stmt, StmtKind};
use lariat_term::{Value, VarId};

use super::{Activation, Machine, Progress};
use crate::eval::Evaluation;
use crate::event::{Change, EventKind, Flow, Place, Read};
use crate::trace::{FrameId, Step};

impl Machine<'_> {
    pub(super) fn call(&mut self, stmt: &Stmt, call: &Call) -> Progress {
        let program = self.program;
        self.pending.clear();
        let frame = match self.next_step() {
            Some(Step::Call(id, frame)) if *id == stmt.id => *frame,
            _ => {
                self.skip_call(call);
                self.top_mut().place.index += 1;
                return Ok(());
            }
        };
        self.use_step();
        let plan = self.plan(self.place(), stmt);
        self.materialise(&plan.vars);
        let mut evaluation = Evaluation::default();
        let values: Vec<Option<Value>> = call
            .ins
            .iter()
            .map(|&term| self.eval_or_doubt(&mut evaluation, term))
            .collect();
        let params = &program.procs[call.callee].params;
        let number = self.activations;
        let mut flows = self.flows(&plan, params, &evaluation);
        for flow in &mut flows {
            flow.target.activation = Some(number);
        }
        let arguments: Vec<(VarId, Option<Value>)> = params.iter().copied().zip(values).collect();
        let kind = EventKind::Call {
            callee: call.callee,
            activation: number,
            arguments: arguments.clone(),
        };
        self.event(kind, Vec::new(), flows);
        self.activate(call.callee, frame, arguments);
        let initial = self.trace.frames.get(frame).map(|frame| frame.initial.as_slice());
        for (var, value) in initial.unwrap_or_default() {
            self.set_from_trace(*var, value.clone())?;
        }
        Ok(())
    }

    pub(super) fn activate(&mut self, proc: ProcId, frame: FrameId, arguments: Vec<(VarId, Option<Value>)>) {
        let place = Place {
            proc,
            block: self.program.procs[proc].entry,
            index: 0,
        };
        self.stack.push(Activation {
            number: self.activations,
            place,
            locals: arguments
                .into_iter()
                .filter_map(|(var, value)| Some((var, value?)))
                .collect(),
            frame,
            position: 0,
        });
        self.activations += 1;
        self.enter(place.block);
    }

    pub(super) fn return_from_call(&mut self) {
        let program = self.program;
        self.pending.clear();
        let Some(callee) = self.stack.pop() else {
            return;
        };
        let place = self.place();
        let Some(StmtKind::Call(call)) = place.stmt(program).map(|stmt| &stmt.kind) else {
            return;
        };
        let mut changes = Vec::new();
        let mut flows = Vec::new();
        for (&out, &target) in program.procs[callee.place.proc].outs.iter().zip(&call.outs) {
            let value = callee.locals.get(&out).cloned();
            let old = self.set(target, value.clone());
            changes.extend(Change::between(target, old, value));
            flows.push(Flow {
                target: self.cell(target, None),
                sources: vec![Read {
                    activation: Some(callee.number),
                    var: out,
                    indices: None,
                }],
                is_copy: true,
            });
        }
        let kind = EventKind::Return {
            callee: callee.place.proc,
            activation: callee.number,
            changes,
        };
        self.event(kind, Vec::new(), flows);
        self.top_mut().place.index += 1;
    }

    /// The outs get any value; the globals keep theirs.
    fn skip_call(&mut self, call: &Call) {
        self.skipped += 1;
        let flows = call
            .outs
            .iter()
            .map(|&var| Flow {
                target: self.cell(var, None),
                sources: Vec::new(),
                is_copy: false,
            })
            .collect();
        for &var in &call.outs {
            self.set(var, None);
        }
        self.event(EventKind::Skipped { callee: call.callee }, Vec::new(), flows);
    }
}
