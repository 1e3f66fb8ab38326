//! Threads: an execution under a schedule that a seeded generator chooses.
//!
//! A thread runs until it comes to a statement before which threads may give way; then the schedule says who goes on. One half of the
//! seeds gives threads priorities that change at few places (few switches reach most bugs), the other half switches at random.
//!
//! A thread whose assumption fails in an atomic block has come there too early: it goes back to the start of the block and waits until
//! others have done something. Where an assumption fails outside of atomic blocks the execution is over.
//!
//! A trace counts contexts: in each of them every thread runs at most once, in an order in which a thread comes right before its
//! creator. So the context of the thread that goes on is the present one if the thread comes later in that order, otherwise the next one.

use lariat_ir::{BlockId, StmtId, ThreadPrimitive};
use lariat_term::{Sort, SortId, Value};

use super::code::{Instruction, Place, PrimitiveCode, ProcCode, Reg, SwitchCode};
use super::give_up;
use super::machine::{Halt, Machine, Waiting};
use super::record::{Mark, StepPlace};
use super::value::Val;
use crate::trace::FrameId;

/// More threads are not executed.
const MOST_THREADS: usize = 1_000;
/// Priorities change among at most this many first places where threads may give way, as a power of two.
const LAST_CHANGE: u64 = 10;

/// Where a thread stands.
#[derive(Clone)]
struct Standing<'a> {
    proc: &'a ProcCode,
    base: usize,
    /// The registers of its activations.
    registers: Vec<Val>,
    /// Its own globals.
    own: Vec<Val>,
    waiting: Vec<Waiting<'a>>,
    next: usize,
    frame: FrameId,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// It has come too early, and waits until others have done something.
    Blocked,
    Over,
}

struct Thread<'a> {
    /// Of a thread that does not run.
    standing: Option<Standing<'a>>,
    state: State,
    priority: u64,
    /// The number of its last child.
    child: i64,
    /// Where its trace says in which context it goes on.
    resumes: Option<Resumes>,
}

/// Where a trace says in which context a thread goes on.
#[derive(Clone, Copy)]
enum Resumes {
    At(StepPlace),
    /// Behind the next entry of a block.
    AfterBranch,
}

/// What an atomic block has found.
struct Start<'a> {
    standing: Standing<'a>,
    globals: Vec<Val>,
    mark: Option<Mark>,
    stmt: StmtId,
}

enum Policy {
    /// At each place another thread goes on once in `2^rarity` times.
    Walk { rarity: u64 },
    /// The thread with the highest priority runs; at these places the running one's becomes the lowest.
    Priorities { changes: Vec<u64> },
}

pub(super) struct Threads<'a> {
    all: Vec<Thread<'a>>,
    /// As they run in a context.
    order: Vec<usize>,
    running: usize,
    context: u32,
    policy: Policy,
    random: u64,
    /// How many places where threads may give way were passed.
    places: u64,
    /// Priorities below all that were given.
    lowest: u64,
    /// How many atomic blocks the running thread is in, and how it came there.
    atomic: u32,
    start: Option<Start<'a>>,
    /// Something was done since the blocked threads were woken last.
    progress: bool,
    /// The context in which a thread goes on that stood before a branch, and what the blocks start with that it may go to.
    owed: Option<(u32, &'a [(BlockId, StmtId)])>,
}

impl<'a> Threads<'a> {
    pub fn new(seed: u64) -> Self {
        let mut threads = Threads {
            all: Vec::new(),
            order: vec![0],
            running: 0,
            context: 1,
            policy: Policy::Walk { rarity: 1 },
            random: seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ 0x2545_F491_4F6C_DD1D,
            places: 0,
            lowest: 1 << 32,
            atomic: 0,
            start: None,
            progress: false,
            owed: None,
        };
        if seed.is_multiple_of(2) {
            let count = seed / 2 % 4;
            let changes = (0..count)
                .map(|_| {
                    let last = 2 + threads.below(LAST_CHANGE - 1);
                    1 + threads.below(1 << last)
                })
                .collect();
            threads.policy = Policy::Priorities { changes };
        } else {
            threads.policy = Policy::Walk {
                rarity: 1 + seed / 2 % 5,
            };
        }
        let first = threads.thread();
        threads.all.push(first);
        threads
    }

    fn thread(&mut self) -> Thread<'a> {
        Thread {
            standing: None,
            state: State::Ready,
            priority: (1 << 33) + self.below(1 << 32),
            child: 0,
            resumes: None,
        }
    }

    /// splitmix64
    fn below(&mut self, limit: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }

    fn ready(&self) -> Vec<usize> {
        let all = self.all.iter().enumerate();
        all.filter(|(_, thread)| thread.state == State::Ready)
            .map(|(index, _)| index)
            .collect()
    }

    /// Who goes on where the running thread may give way.
    fn choose_at_place(&mut self) -> usize {
        self.places += 1;
        self.progress = true;
        let running = self.running;
        match &self.policy {
            Policy::Walk { rarity } => {
                let rarity = *rarity;
                if self.below(1 << rarity) != 0 {
                    return running;
                }
                self.choose().unwrap_or(running)
            }
            Policy::Priorities { changes } => {
                if changes.contains(&self.places) {
                    self.lowest -= 1;
                    self.all[running].priority = self.lowest;
                }
                self.choose().unwrap_or(running)
            }
        }
    }

    /// One of the threads that can go on.
    fn choose(&mut self) -> Option<usize> {
        let mut ready = self.ready();
        if ready.is_empty() && self.progress {
            self.wake();
            self.progress = false;
            ready = self.ready();
        }
        match self.policy {
            Policy::Walk { .. } if ready.is_empty() => None,
            Policy::Walk { .. } => {
                let index = self.below(ready.len() as u64) as usize;
                Some(ready[index])
            }
            Policy::Priorities { .. } => ready.into_iter().max_by_key(|&index| self.all[index].priority),
        }
    }

    fn wake(&mut self) {
        for thread in &mut self.all {
            if thread.state == State::Blocked {
                thread.state = State::Ready;
            }
        }
    }

    /// The context in which a thread goes on after the running one.
    fn context_of(&mut self, next: usize) -> u32 {
        let position = |thread: usize| self.order.iter().position(|&other| other == thread);
        if position(next) <= position(self.running) {
            self.context += 1;
        }
        self.context
    }

    /// The context of a thread that has just passed a branch, if the trace must say it.
    pub fn take_owed(&mut self, block: BlockId) -> Option<(u32, StmtId)> {
        let (context, targets) = self.owed.take()?;
        let (_, stmt) = targets.iter().find(|(target, _)| *target == block)?;
        Some((context, *stmt))
    }
}

impl<'a> Machine<'a> {
    /// Where the registers of activations begin.
    fn bottom(&self) -> usize {
        self.compiled.shared.len() + self.compiled.literals.len()
    }

    fn standing(&mut self, next: usize) -> Standing<'a> {
        let bottom = self.bottom();
        let own = self.compiled.own.iter();
        Standing {
            proc: self.proc,
            base: self.base,
            registers: self.registers[bottom..].to_vec(),
            own: own.map(|&slot| self.registers[slot].clone()).collect(),
            waiting: self.waiting.clone(),
            next,
            frame: self.frame,
        }
    }

    fn stand(&mut self, standing: Standing<'a>) -> usize {
        let bottom = self.bottom();
        self.registers.truncate(bottom);
        self.registers.extend(standing.registers);
        for (&slot, value) in self.compiled.own.iter().zip(standing.own) {
            self.registers[slot] = value;
        }
        self.proc = standing.proc;
        self.base = standing.base;
        self.waiting = standing.waiting;
        self.frame = standing.frame;
        standing.next
    }

    /// The running thread may give way here; the result is where to go on.
    pub(super) fn switch(&mut self, switch: &'a SwitchCode, next: usize) -> Result<usize, Halt> {
        let Some(threads) = self.threads.as_mut().filter(|threads| threads.atomic == 0) else {
            return Ok(next);
        };
        let chosen = threads.choose_at_place();
        if chosen == threads.running {
            return Ok(next);
        }
        let resumes = match (switch, &mut self.recording) {
            (_, None) => None,
            (SwitchCode::Before(stmt), Some(recording)) => {
                Some(Resumes::At(recording.moves(self.frame, *stmt)?))
            }
            (SwitchCode::AtBranch(_), Some(_)) => Some(Resumes::AfterBranch),
        };
        let standing = self.standing(next);
        if let Some(threads) = &mut self.threads {
            let running = &mut threads.all[threads.running];
            running.standing = Some(standing);
            running.resumes = resumes;
        }
        self.go_on_with(chosen)
    }

    /// Another thread goes on.
    fn go_on_with(&mut self, chosen: usize) -> Result<usize, Halt> {
        let Some(threads) = &mut self.threads else {
            return Err(Halt::Over);
        };
        let context = threads.context_of(chosen);
        threads.running = chosen;
        let thread = &mut threads.all[chosen];
        let (resumes, standing) = (thread.resumes.take(), thread.standing.take());
        let Some(standing) = standing else {
            return Err(give_up("a thread that does not run has no place"));
        };
        match (resumes, &mut self.recording) {
            (Some(Resumes::At(place)), Some(recording)) => recording.resumes(place, context),
            (Some(Resumes::AfterBranch), _) => {
                threads.owed = match standing.proc.switch_before(standing.next) {
                    Some(SwitchCode::AtBranch(targets)) => Some((context, targets)),
                    _ => None,
                };
            }
            _ => {}
        }
        Ok(self.stand(standing))
    }

    /// The running thread is over.
    pub(super) fn end_thread(&mut self) -> Result<usize, Halt> {
        let Some(threads) = &mut self.threads else {
            return Err(Halt::Over);
        };
        if threads.atomic > 0 {
            return Err(Halt::Over);
        }
        let running = threads.running;
        threads.all[running].state = State::Over;
        threads.progress = true;
        threads.wake();
        match threads.choose() {
            Some(chosen) => self.go_on_with(chosen),
            None => Err(Halt::Over),
        }
    }

    /// An assumption of the running thread fails: it goes back to where its atomic block begins.
    pub(super) fn go_back(&mut self) -> Result<usize, Halt> {
        let start = self.threads.as_mut().and_then(|threads| threads.start.take());
        let Some(start) = start else {
            return Err(Halt::Over);
        };
        let shared = self.compiled.shared.len();
        self.registers.splice(..shared, start.globals);
        self.returns.clear();
        let mut resumes = None;
        if let (Some(recording), Some(mark)) = (&mut self.recording, start.mark) {
            recording.go_back(mark);
            resumes = Some(Resumes::At(recording.moves(start.standing.frame, start.stmt)?));
        }
        let Some(threads) = &mut self.threads else {
            return Err(Halt::Over);
        };
        threads.atomic = 0;
        let running = &mut threads.all[threads.running];
        running.state = State::Blocked;
        running.standing = Some(start.standing);
        running.resumes = resumes;
        match threads.choose() {
            Some(chosen) => self.go_on_with(chosen),
            None => Err(Halt::Over),
        }
    }

    /// Executes a primitive; the result is where to go on.
    pub(super) fn primitive(&mut self, code: &'a PrimitiveCode, at: usize) -> Result<usize, Halt> {
        let next = at + 1;
        let call = &code.call;
        match code.primitive {
            ThreadPrimitive::Spawn => return self.spawn(code, next),
            ThreadPrimitive::AtomicBegin => {
                if self.threads.as_ref().is_some_and(|threads| threads.atomic == 0) {
                    let start = Start {
                        standing: self.standing(at),
                        globals: self.registers[..self.compiled.shared.len()].to_vec(),
                        mark: self.mark(),
                        stmt: call.stmt,
                    };
                    if let Some(threads) = &mut self.threads {
                        threads.start = Some(start);
                    }
                }
                if let Some(threads) = &mut self.threads {
                    threads.atomic += 1;
                }
            }
            ThreadPrimitive::AtomicEnd => {
                if let Some(threads) = &mut self.threads {
                    threads.atomic = threads.atomic.saturating_sub(1);
                    if threads.atomic == 0 {
                        threads.start = None;
                        threads.progress = true;
                        threads.wake();
                    }
                }
            }
            ThreadPrimitive::Yield => {}
            ThreadPrimitive::ThreadId | ThreadPrimitive::ChildThreadId => {
                let threads = self.threads.as_ref();
                let id = threads.map_or(1, |threads| match code.primitive {
                    ThreadPrimitive::ThreadId => threads.running as i64 + 1,
                    _ => threads.all[threads.running].child,
                });
                self.set_id(code, id);
            }
        }
        Ok(next)
    }

    fn set_id(&mut self, code: &PrimitiveCode, id: i64) {
        if let (Some(&out), Some(sort)) = (code.call.outs.first(), code.result) {
            let value = self.id_value(sort, id);
            self.set(out, value);
        }
    }

    fn id_value(&self, sort: SortId, id: i64) -> Val {
        match *self.pool().sort(sort) {
            Sort::Bv(width) => Val::literal(Value::Bv {
                value: id.into(),
                width,
            }),
            _ => Val::Int(id),
        }
    }

    /// All frames that the running thread may still add steps to.
    fn mark(&self) -> Option<Mark> {
        let recording = self.recording.as_ref()?;
        let open = self.waiting.iter().map(|waiting| waiting.frame);
        Some(recording.mark(open.chain([self.frame])))
    }

    /// A thread starts; its creator goes on.
    fn spawn(&mut self, code: &'a PrimitiveCode, next: usize) -> Result<usize, Halt> {
        let compiled = self.compiled;
        let callee = &compiled.procs[code.call.callee];
        let mut registers: Vec<Val> = Vec::with_capacity(callee.registers);
        for &argument in &code.call.ins {
            registers.push(self.value(argument));
        }
        registers.resize(callee.registers, Val::Undef);
        let mut frame = self.frame;
        let mut resumes = None;
        if let (Some(recording), Some(announced)) = (&mut self.recording, code.announced) {
            frame = recording.call(self.frame, code.call.stmt)?;
            resumes = Some(Resumes::At(recording.moves(frame, announced)?));
        }
        let standing = Standing {
            proc: callee,
            base: self.bottom(),
            registers,
            own: vec![Val::Undef; compiled.own.len()],
            waiting: Vec::new(),
            next: callee.start,
            frame,
        };
        let Some(threads) = self.threads.as_mut() else {
            return Err(give_up("a thread was started where none is expected"));
        };
        if threads.all.len() >= MOST_THREADS {
            return Err(give_up("too many threads"));
        }
        let thread = Thread {
            standing: Some(standing),
            resumes,
            ..threads.thread()
        };
        let new = threads.all.len();
        threads.all.push(thread);
        let running = threads.running;
        let position = threads.order.iter().position(|&other| other == running);
        threads.order.insert(position.unwrap_or(0), new);
        let id = new as i64 + 1;
        threads.all[running].child = id;
        self.set_id(code, id);
        Ok(next)
    }

    /// At the end: threads that stand before branches do not go on.
    pub(super) fn finish_threads(&mut self) {
        let (Some(threads), Some(recording)) = (&self.threads, &mut self.recording) else {
            return;
        };
        for thread in &threads.all {
            let (Some(Resumes::AfterBranch), Some(standing)) = (thread.resumes, &thread.standing) else {
                continue;
            };
            // It stands behind the instruction that says where it may give way.
            if let Some(SwitchCode::AtBranch(targets)) = standing.proc.switch_before(standing.next)
                && let Some(&(block, stmt)) = targets.first()
            {
                recording.waits_for_ever(standing.frame, block, stmt);
            }
        }
    }
}

impl ProcCode {
    /// What the instruction before this place says, if it is one where threads give way.
    fn switch_before(&self, next: usize) -> Option<&SwitchCode> {
        match self.instructions.get(next.checked_sub(1)?)? {
            Instruction::Switch(index) => self.tables.switches.get(*index as usize),
            _ => None,
        }
    }
}

/// A register of what all share, by its slot.
pub(super) fn slot_of(reg: Reg) -> Option<usize> {
    match reg.place() {
        Place::Shared(slot) => Some(slot),
        Place::Local(_) => None,
    }
}
