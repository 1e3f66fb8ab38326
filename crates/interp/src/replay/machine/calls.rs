//! Calls and returns.

use lariat_ir::{Call, ProcId, Stmt, StmtKind};
use lariat_term::{Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Activation, Machine, Progress};
use crate::eval::Evaluation;
use crate::event::{Change, EventKind, Flow, Place, Read};
use crate::trace::{FrameId, TraceStep};

impl Machine<'_> {
    pub(super) fn call(&mut self, stmt: &Stmt, call: &Call) -> Progress {
        let frame = self.frame_of_call(stmt);
        if frame.is_none() && self.free_run.is_none() && !self.begin_free_run(call.callee) {
            self.skip_call_here();
            return Ok(());
        }
        let arguments = self.pass_arguments(stmt, call);
        self.activate(call.callee, frame, arguments);
        self.set_initial_values(call.callee, frame)
    }

    /// What the trace says of the call that the machine stands at. The step is used.
    pub(super) fn frame_of_call(&mut self, stmt: &Stmt) -> Option<FrameId> {
        self.pending.clear();
        let frame = match self.next_step() {
            Some(TraceStep::Call(id, frame)) if *id == stmt.id => *frame,
            _ => return None,
        };
        self.use_step();
        Some(frame)
    }

    /// The arguments of the call that the machine stands at, by parameter; the call is an event.
    pub(super) fn pass_arguments(&mut self, stmt: &Stmt, call: &Call) -> Vec<(VarId, Option<Value>)> {
        let program = self.program;
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
        arguments
    }

    pub(super) fn activate(
        &mut self,
        proc: ProcId,
        frame: Option<FrameId>,
        arguments: Vec<(VarId, Option<Value>)>,
    ) {
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
            visits: FxHashMap::default(),
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
        let mut results = Vec::new();
        let mut flows = Vec::new();
        for (&out, &target) in program.procs[callee.place.proc].outs.iter().zip(&call.outs) {
            let value = callee.locals.get(&out).cloned();
            let old = self.set(target, value.clone());
            results.push((out, value.clone()));
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
            results,
        };
        self.event(kind, Vec::new(), flows);
        self.top_mut().place.index += 1;
        self.end_free_run();
    }

    /// What the trace says of the variables of the activation that has just begun. Variables that
    /// the lowered program does not know are of the passes' making.
    pub(super) fn set_initial_values(&mut self, proc: ProcId, frame: Option<FrameId>) -> Progress {
        let Some(frame) = frame.and_then(|frame| self.trace.frames.get(frame)) else {
            return Ok(());
        };
        let data = &self.program.procs[proc];
        let own: FxHashSet<VarId> = data.outs.iter().chain(&data.locals).copied().collect();
        for (var, value) in frame.initial.iter().filter(|(var, _)| own.contains(var)) {
            self.set_from_trace(*var, value.clone())?;
        }
        Ok(())
    }

    /// Passes by the call that the machine stands at: the outs get any value, the globals keep
    /// theirs.
    pub(super) fn skip_call_here(&mut self) {
        let Some(StmtKind::Call(call)) = self.place().stmt(self.program).map(|stmt| &stmt.kind) else {
            return;
        };
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
        self.top_mut().place.index += 1;
    }
}
