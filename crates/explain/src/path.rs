//! The statements that a trace executed, in order.
//!
//! The events of a replay say which way jumps went and which calls were made; everything between is found by walking
//! through the program.

use lariat_interp::{Change, Event, EventKind, Place};
use lariat_ir::{BlockId, Call, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::VarId;

use crate::FailingTrace;

/// One step of the execution.
pub(crate) struct TraceStep<'a> {
    pub proc: ProcId,
    pub activation: u32,
    pub kind: TraceStepKind<'a>,
}

pub(crate) enum TraceStepKind<'a> {
    /// A block begins.
    Block(BlockId),
    /// An assume, assert or assignment.
    Stmt(&'a Stmt),
    /// With what it chose, as far as the events show it.
    Havoc {
        stmt: &'a Stmt,
        vars: &'a [VarId],
        changes: &'a [Change],
    },
    /// A jump of several targets at the end of the block.
    Branch { from: BlockId, target: BlockId },
    /// Parameters get their values; the callee's activation begins.
    Call { call: &'a Call, activation: u32 },
    /// Back in the caller: results go to its variables.
    Return { call: &'a Call, activation: u32 },
    /// A call that was not executed: its results are anything.
    Skipped { call: &'a Call },
}

/// An open call.
struct Activation<'a> {
    number: u32,
    place: Place,
    /// The call that it is of; `None` for the entry.
    call: Option<&'a Call>,
}

/// The steps up to the failing assertion, which is the last one. `Err`: the events are not of this program.
pub(crate) fn executed_path<'a>(trace: &FailingTrace<'a>) -> Result<Vec<TraceStep<'a>>, String> {
    let mut walk = Walk {
        program: trace.program,
        events: trace.events,
        next: 0,
        stack: Vec::new(),
        steps: Vec::new(),
        idle: 0,
    };
    walk.activate(trace.entry, 0, None);
    while !walk.step()? {}
    Ok(walk.steps)
}

fn is_control(event: &Event) -> bool {
    matches!(
        event.kind,
        EventKind::Branch { .. }
            | EventKind::Call { .. }
            | EventKind::Return { .. }
            | EventKind::Skipped { .. }
            | EventKind::AssertFailed { .. }
    )
}

struct Walk<'a> {
    program: &'a Program,
    events: &'a [Event],
    next: usize,
    stack: Vec<Activation<'a>>,
    steps: Vec<TraceStep<'a>>,
    /// Jumps since the last event.
    idle: usize,
}

impl<'a> Walk<'a> {
    fn activate(&mut self, proc: ProcId, number: u32, call: Option<&'a Call>) {
        let block = self.program.procs[proc].entry;
        let place = Place {
            proc,
            block,
            index: 0,
        };
        self.stack.push(Activation { number, place, call });
        self.push(TraceStepKind::Block(block));
    }

    fn push(&mut self, kind: TraceStepKind<'a>) {
        if let Some(top) = self.stack.last() {
            self.steps.push(TraceStep {
                proc: top.place.proc,
                activation: top.number,
                kind,
            });
        }
    }

    /// The next event that says where the execution went.
    fn control_event(&mut self) -> Option<&'a Event> {
        let events = self.events;
        while events.get(self.next).is_some_and(|event| !is_control(event)) {
            self.next += 1;
        }
        events.get(self.next)
    }

    /// What the havoc at a place chose.
    fn choices(&mut self, place: Place, activation: u32) -> &'a [Change] {
        let events = self.events;
        while let Some(event) = events.get(self.next)
            && !is_control(event)
        {
            self.next += 1;
            if let EventKind::Havoc { changes } = &event.kind
                && event.place == place
                && event.activation == activation
            {
                return changes;
            }
        }
        &[]
    }

    /// One statement or jump; whether it was the failing one.
    fn step(&mut self) -> Result<bool, String> {
        let program = self.program;
        let Some(top) = self.stack.last() else {
            return Err("the entry returns before the assertion fails".into());
        };
        let (place, number) = (top.place, top.number);
        let block = &program.procs[place.proc].blocks[place.block];
        let Some(stmt) = block.stmts.get(place.index) else {
            self.end_of_block(&block.terminator)?;
            return Ok(false);
        };
        match &stmt.kind {
            StmtKind::Enter(_) => {}
            StmtKind::Call(call) => {
                self.call(call)?;
                return Ok(false);
            }
            StmtKind::Assert { .. } => {
                self.push(TraceStepKind::Stmt(stmt));
                let fails = self.control_event().is_some_and(|event| {
                    matches!(event.kind, EventKind::AssertFailed { .. })
                        && event.place == place
                        && event.activation == number
                });
                if fails {
                    return Ok(true);
                }
            }
            StmtKind::Assume(_) | StmtKind::Assign(_) => self.push(TraceStepKind::Stmt(stmt)),
            StmtKind::Havoc(vars) => {
                let changes = self.choices(place, number);
                self.push(TraceStepKind::Havoc { stmt, vars, changes });
            }
        }
        self.advance();
        Ok(false)
    }

    fn advance(&mut self) {
        if let Some(top) = self.stack.last_mut() {
            top.place.index += 1;
        }
    }

    fn call(&mut self, call: &'a Call) -> Result<(), String> {
        match self.control_event().map(|event| &event.kind) {
            Some(EventKind::Call {
                callee, activation, ..
            }) if *callee == call.callee => {
                let activation = *activation;
                self.used_event();
                self.push(TraceStepKind::Call { call, activation });
                self.activate(call.callee, activation, Some(call));
            }
            Some(EventKind::Skipped { callee }) if *callee == call.callee => {
                self.used_event();
                self.push(TraceStepKind::Skipped { call });
                self.advance();
            }
            _ => return Err(self.misfit("a call")),
        }
        Ok(())
    }

    fn end_of_block(&mut self, terminator: &'a Terminator) -> Result<(), String> {
        let targets = match terminator {
            Terminator::Return => return self.return_from_call(),
            Terminator::Goto(targets) => targets,
        };
        let target = match (&targets[..], self.stack.last()) {
            ([target], _) => *target,
            ([], _) | (_, None) => return Err(self.misfit("an end")),
            (_, Some(top)) => {
                let place = top.place;
                match self.control_event() {
                    Some(event) if event.place == place => {
                        let EventKind::Branch { target } = event.kind else {
                            return Err(self.misfit("a jump"));
                        };
                        self.used_event();
                        let from = place.block;
                        self.push(TraceStepKind::Branch { from, target });
                        target
                    }
                    _ => return Err(self.misfit("a jump")),
                }
            }
        };
        self.idle += 1;
        if let Some(top) = self.stack.last_mut() {
            if self.idle > self.program.procs[top.place.proc].blocks.len() {
                return Err(self.misfit("a loop"));
            }
            top.place.block = target;
            top.place.index = 0;
        }
        self.push(TraceStepKind::Block(target));
        Ok(())
    }

    fn return_from_call(&mut self) -> Result<(), String> {
        match (self.stack.pop(), self.control_event().map(|event| &event.kind)) {
            (
                Some(Activation {
                    number,
                    call: Some(call),
                    ..
                }),
                Some(EventKind::Return { activation, .. }),
            ) if *activation == number => {
                self.used_event();
                self.push(TraceStepKind::Return {
                    call,
                    activation: number,
                });
                self.advance();
                Ok(())
            }
            _ => Err(self.misfit("a return")),
        }
    }

    fn used_event(&mut self) {
        self.next += 1;
        self.idle = 0;
    }

    fn misfit(&self, what: &str) -> String {
        format!("the events of the trace do not fit the program at {what}")
    }
}
