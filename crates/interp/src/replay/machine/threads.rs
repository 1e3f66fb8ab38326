//! Threads: which one runs, as the trace says.
//!
//! In each context every thread runs at most once, in the order in which the trace was found: a thread that is created comes right
//! before its creator. A thread goes on until the trace moves it to a later context, until it stops for good or ends.

use lariat_ir::{Call, Stmt, ThreadPrimitive};
use lariat_term::{Sort, Value, VarId};
use num_bigint::BigInt;

use super::{Activation, Machine, Progress};
use crate::event::{Change, EventKind};
use crate::replay::{ReplayOutcome, Store};
use crate::trace::TraceStep;

/// A thread that does not run now.
#[derive(Default)]
pub(super) struct Thread {
    pub stack: Vec<Activation>,
    /// Its own globals.
    own: Store,
    id: BigInt,
    child: Option<BigInt>,
    /// The context that it waits for.
    context: u32,
    atomic: u32,
    is_over: bool,
}

pub(super) struct Scheduler {
    /// All threads; the running one's stack and globals are the machine's.
    threads: Vec<Thread>,
    /// Threads in the order in which they run in a context.
    order: Vec<usize>,
    pub running: usize,
    context: u32,
    last_id: BigInt,
    first_returned: bool,
}

impl Default for Scheduler {
    fn default() -> Self {
        Scheduler {
            threads: vec![Thread {
                id: 1.into(),
                context: 1,
                ..Thread::default()
            }],
            order: vec![0],
            running: 0,
            context: 1,
            last_id: 1.into(),
            first_returned: false,
        }
    }
}

impl<'a> Machine<'a> {
    fn thread(&mut self) -> &mut Thread {
        let running = self.scheduler.running;
        &mut self.scheduler.threads[running]
    }

    /// Whether the thread goes on with the statement now; otherwise another one runs.
    pub(super) fn may_run(&mut self, stmt: &Stmt) -> Progress<bool> {
        while let Some(TraceStep::Move { before, context }) = self.next_step() {
            if *before != stmt.id {
                break;
            }
            let context = *context;
            self.use_step();
            if self.thread().atomic > 0 {
                return Err(self.diverged("the trace leaves an atomic block before its end".into()));
            }
            self.thread().context = context;
            if context > self.scheduler.context {
                self.next_thread()?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the trace says that the thread does nothing any more after the statement before this place; then another one runs.
    pub(super) fn stops_here(&mut self) -> Progress<bool> {
        let place = self.place();
        let stmts = &self.program.procs[place.proc].blocks[place.block].stmts;
        let before = place.index.checked_sub(1).and_then(|index| stmts.get(index));
        match (before, self.next_step()) {
            (Some(before), Some(TraceStep::Stop(after))) if before.id == *after => {
                self.use_step();
                self.end_thread()?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Whether a thread was started.
    pub(super) fn has_threads(&self) -> bool {
        self.scheduler.threads.len() > 1
    }

    /// The running thread is over.
    pub(super) fn end_thread(&mut self) -> Progress {
        self.thread().is_over = true;
        self.next_thread()
    }

    /// The running thread's first procedure returns; the outcome if no thread is left.
    pub(super) fn thread_returns(&mut self) -> Progress {
        if self.scheduler.running == 0 {
            self.scheduler.first_returned = true;
        }
        self.end_thread()
    }

    /// The next thread in this context, or the first one in the next context that a thread waits for.
    fn next_thread(&mut self) -> Progress {
        self.free_run = None;
        let scheduler = &self.scheduler;
        let position = scheduler
            .order
            .iter()
            .position(|&thread| thread == scheduler.running);
        let start = position.map_or(0, |position| position + 1);
        let is_ready = |&&thread: &&usize, context: u32| {
            !scheduler.threads[thread].is_over && scheduler.threads[thread].context <= context
        };
        let mut rest = scheduler.order[start..].iter();
        let found = rest.find(|thread| is_ready(thread, scheduler.context)).copied();
        let waiting = scheduler.threads.iter().filter(|thread| !thread.is_over);
        let later = waiting.map(|thread| thread.context).min();
        let (next, context) = match (found, later) {
            (Some(next), _) => (next, scheduler.context),
            (None, Some(context)) => {
                let context = context.max(scheduler.context + 1);
                match scheduler.order.iter().find(|thread| is_ready(thread, context)) {
                    Some(&next) => (next, context),
                    None => return Err(self.no_thread_left()),
                }
            }
            (None, None) => return Err(self.no_thread_left()),
        };
        self.scheduler.context = context;
        self.switch_to(next)
    }

    fn no_thread_left(&self) -> ReplayOutcome {
        if self.scheduler.first_returned {
            let globals = self.program.globals.iter();
            let globals = globals.filter_map(|&var| Some((var, self.globals.get(&var)?.clone())));
            return ReplayOutcome::EntryReturned {
                globals: globals.collect(),
            };
        }
        self.diverged("all threads have stopped".into())
    }

    fn switch_to(&mut self, next: usize) -> Progress {
        if next == self.scheduler.running {
            return Ok(());
        }
        self.pending.clear();
        let own: Vec<VarId> = self.program.threads.locals.clone();
        let mut kept = Store::default();
        for &var in &own {
            if let Some(value) = self.globals.remove(&var) {
                kept.insert(var, value);
            }
        }
        let stack = std::mem::take(&mut self.stack);
        let running = self.thread();
        running.own = kept;
        running.stack = stack;
        self.scheduler.running = next;
        let resumed = self.thread();
        let stack = std::mem::take(&mut resumed.stack);
        let own = std::mem::take(&mut resumed.own);
        self.stack = stack;
        self.globals.extend(own);
        let others = self.scheduler.threads.iter().enumerate();
        let mut atomic = others.filter(|(index, thread)| *index != next && thread.atomic > 0);
        if atomic.any(|(_, thread)| !thread.is_over) {
            return Err(self.diverged("another thread is in an atomic block".into()));
        }
        Ok(())
    }

    /// A call of a primitive; `false` if it is an ordinary call.
    pub(super) fn primitive(&mut self, stmt: &'a Stmt, call: &'a Call) -> Progress<bool> {
        let Some(&primitive) = self.program.threads.primitives.get(&call.callee) else {
            return Ok(false);
        };
        let id = match primitive {
            ThreadPrimitive::Spawn => {
                self.spawn(stmt, call)?;
                return Ok(true);
            }
            ThreadPrimitive::AtomicBegin => {
                self.thread().atomic += 1;
                None
            }
            ThreadPrimitive::AtomicEnd => {
                let thread = self.thread();
                thread.atomic = thread.atomic.saturating_sub(1);
                None
            }
            ThreadPrimitive::Yield => None,
            ThreadPrimitive::ThreadId => Some(self.thread().id.clone()),
            ThreadPrimitive::ChildThreadId => self.thread().child.clone(),
        };
        if let Some(&out) = call.outs.first() {
            let value = id.map(|id| self.id_value(out, id));
            let old = self.set(out, value.clone());
            let changes = Change::between(out, old, value).into_iter().collect();
            self.event(EventKind::Assign { changes }, Vec::new(), Vec::new());
        }
        self.top_mut().place.index += 1;
        Ok(true)
    }

    fn id_value(&self, var: VarId, id: BigInt) -> Value {
        let pool = &self.program.pool;
        match *pool.sort(pool.var_sort(var)) {
            Sort::Bv(width) => Value::Bv { value: id, width },
            _ => Value::Int(id),
        }
    }

    fn spawn(&mut self, stmt: &'a Stmt, call: &'a Call) -> Progress {
        let frame = self.frame_of_call(stmt);
        let arguments = self.pass_arguments(stmt, call);
        // What the trace says of the start of the thread.
        let start = frame
            .and_then(|frame| self.trace.frames.get(frame))
            .and_then(|frame| match frame.steps.first() {
                Some(TraceStep::Start { id, own }) => Some((id.clone(), own.clone())),
                _ => None,
            });
        let id = match start.as_ref().and_then(|(id, _)| id.clone()) {
            Some(id) => id,
            None => &self.scheduler.last_id + 1,
        };
        self.scheduler.last_id = id.clone().max(self.scheduler.last_id.clone());
        self.thread().child = Some(id.clone());
        if let Some(&out) = call.outs.first() {
            let value = self.id_value(out, id.clone());
            self.set(out, Some(value));
        }
        self.top_mut().place.index += 1;
        let new = self.scheduler.threads.len();
        self.scheduler.threads.push(Thread {
            own: start.into_iter().flat_map(|(_, own)| own).collect(),
            id,
            context: self.scheduler.context,
            is_over: frame.is_none(),
            ..Thread::default()
        });
        if frame.is_none() {
            // The trace says nothing of the thread: it never runs.
            return Ok(());
        }
        let running = self.scheduler.running;
        let position = self.scheduler.order.iter().position(|&thread| thread == running);
        self.scheduler.order.insert(position.unwrap_or(0), new);
        self.switch_to(new)?;
        self.activate(call.callee, frame, arguments);
        self.set_initial_values(call.callee, frame)?;
        if matches!(self.next_step(), Some(TraceStep::Start { .. })) {
            self.use_step();
        }
        // The first statement is for those that do not know threads.
        let announced = self.place().stmt(self.program);
        self.top_mut().place.index += 1;
        if let Some(announced) = announced {
            self.may_run(announced)?;
        }
        Ok(())
    }
}
