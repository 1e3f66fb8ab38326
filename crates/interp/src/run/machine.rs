//! The machine that executes statements.
//!
//! It stands at an instruction of a procedure; the activations that wait for it are in a vector. All
//! registers lie in one vector: first those that all share, then those of the activations, the
//! running one last.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;

use lariat_base::Budget;
use lariat_ir::{AssertId, BlockId, Program};
use lariat_term::TermPool;
use smallvec::SmallVec;

use super::code::{CallCode, Instruction, ProcCode, Reg, Relation, UnitPurpose};
use super::compile::Compiled;
use super::decide::Purpose;
use super::join::Join;
use super::open::Chooser;
use super::record::Recording;
use super::threads::Threads;
use super::value::{Map, Val};
use super::{Inputs, RunOptions, give_up};
use crate::trace::{FrameId, Trace};

/// Steps between two looks at the clock, and looks at the clock between two at the memory.
const BUDGET_INTERVAL: u64 = 1 << 14;
const MEMORY_INTERVAL: u64 = 1 << 6;

/// Why an execution with unknown values ends.
pub(super) const DEPENDS_ON_UNKNOWN: &str = "the result depends on an unknown value";

/// How an execution ends, or why an evaluation does.
#[derive(Clone, Debug)]
pub(super) enum Halt {
    /// The entry returned or the execution was blocked.
    Over,
    Failed(AssertId),
    Unsupported(AssertId),
    GaveUp(Arc<str>),
    /// Something open would have to be chosen, and may not be.
    NeedsChoice,
    /// There are too many steps for a trace.
    TooLong,
    /// The way that was tried has come to where it joins the others, at this instruction.
    Joined(usize),
}

/// An activation that waits for a call.
#[derive(Clone, Copy)]
pub(super) struct Waiting<'a> {
    pub proc: &'a ProcCode,
    pub call: &'a CallCode,
    pub next: usize,
    pub base: usize,
    pub frame: FrameId,
}

pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) compiled: &'a Compiled,
    pub(super) options: &'a RunOptions,
    budget: &'a Budget,
    pub(super) chooser: Chooser<'a>,
    /// Literals of wide bit-vectors.
    pub(super) wide_literals: TermPool,
    /// No open value may be chosen now.
    pub(super) looks_ahead: bool,
    pub(super) proc: &'a ProcCode,
    /// Where the registers of the running activation begin.
    pub(super) base: usize,
    pub(super) registers: Vec<Val>,
    /// The instruction that is being executed.
    pub(super) at: usize,
    /// Where to go on behind the code of shared terms.
    pub(super) returns: Vec<usize>,
    pub(super) waiting: Vec<Waiting<'a>>,
    pub steps: u64,
    next_check: u64,
    checks: u64,
    pub(super) recording: Option<Recording>,
    /// Of the trace, for the running activation.
    pub(super) frame: FrameId,
    pub(super) join: Join,
    /// If threads are executed.
    pub(super) threads: Option<Threads<'a>>,
}

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        compiled: &'a Compiled,
        options: &'a RunOptions,
        budget: &'a Budget,
    ) -> Self {
        let proc = &compiled.procs[0];
        let mut registers = vec![Val::Undef; compiled.shared.len()];
        registers.extend_from_slice(&compiled.literals);
        let base = registers.len();
        registers.resize(base + proc.registers, Val::Undef);
        Machine {
            program,
            compiled,
            options,
            budget,
            chooser: Chooser::new(options.seed, &compiled.numbers),
            wide_literals: TermPool::new(),
            looks_ahead: false,
            proc,
            base,
            registers,
            at: 0,
            returns: Vec::new(),
            waiting: Vec::new(),
            steps: 0,
            next_check: BUDGET_INTERVAL,
            checks: 0,
            recording: None,
            frame: FrameId::from_u32(0),
            join: Join::default(),
            threads: compiled.with_threads.then(|| Threads::new(options.seed)),
        }
    }

    /// A machine that does the same and records a trace.
    pub fn recording(
        program: &'a Program,
        compiled: &'a Compiled,
        options: &'a RunOptions,
        budget: &'a Budget,
    ) -> Self {
        let recording = Recording::new();
        let frame = recording.root();
        Machine {
            frame,
            recording: Some(recording),
            ..Machine::new(program, compiled, options, budget)
        }
    }

    pub fn made_choices(&self) -> bool {
        self.chooser.choices > 0 || self.threads.is_some()
    }

    /// Open values stay open: nothing is ever chosen.
    pub(super) fn keeps_open(&self) -> bool {
        self.options.inputs == Inputs::Unknown
    }

    pub fn into_trace(mut self) -> Option<Trace> {
        self.finish_threads();
        let pool = &self.program.pool;
        self.recording.map(|recording| recording.into_trace(pool))
    }

    pub fn execute(&mut self) -> Halt {
        match self.run(self.proc.start) {
            Ok(never) => match never {},
            Err(halt) => halt,
        }
    }

    pub(super) fn pool(&self) -> &'a TermPool {
        &self.program.pool
    }

    #[inline(always)]
    fn count(&mut self, steps: u32) -> Result<(), Halt> {
        self.steps += u64::from(steps);
        match self.steps >= self.next_check {
            true => self.check_limits(),
            false => Ok(()),
        }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Halt> {
        if self.steps > self.options.max_steps {
            return Err(give_up("step limit reached"));
        }
        self.next_check = (self.steps + BUDGET_INTERVAL).min(self.options.max_steps.saturating_add(1));
        self.checks += 1;
        let is_one_of_many = self.made_choices() || self.join.is_inexact || self.join.is_active();
        if is_one_of_many && self.steps >= self.options.most_steps_of_many {
            return Err(give_up("one of many executions takes too long"));
        }
        let checked = match self.checks.is_multiple_of(MEMORY_INTERVAL) {
            true => self.budget.check_memory(),
            false => self.budget.check(),
        };
        checked.map_err(|exhausted| give_up(exhausted.to_string()))
    }

    /// Executes instructions until something ends it.
    pub(super) fn run(&mut self, start: usize) -> Result<Infallible, Halt> {
        let mut next = start;
        loop {
            match self.expressions(next).and_then(|at| self.statement(at)) {
                Ok(then) => next = then,
                Err(Halt::NeedsChoice) if self.keeps_open() => next = self.go_on_without_value()?,
                Err(Halt::Over) if self.threads.is_some() => next = self.go_back()?,
                Err(halt) => return Err(halt),
            }
        }
    }

    /// Something unknown would decide what happens at the present instruction: the result is unknown.
    #[cold]
    fn go_on_without_value(&mut self) -> Result<usize, Halt> {
        self.returns.clear();
        self.join.is_inexact = true;
        let units = &self.proc.tables.units;
        let found = units.partition_point(|unit| unit.start as usize <= self.at);
        let unit = units[..found].last().filter(|unit| self.at < unit.end as usize);
        match unit.map(|unit| (unit.purpose, unit.end as usize)) {
            Some((UnitPurpose::Set(to, sort), end)) => {
                let unknown = Val::fresh(self.pool(), sort);
                self.set(to, unknown);
                Ok(end)
            }
            Some((UnitPurpose::Assume, end)) => Ok(end),
            Some((UnitPurpose::Guard(branch), _)) => self.branch(branch),
            Some((UnitPurpose::Other, _)) | None => Err(give_up(DEPENDS_ON_UNKNOWN)),
        }
    }

    /// Executes the statement at this place; the result is where to go on.
    #[inline(always)]
    fn statement(&mut self, at: usize) -> Result<usize, Halt> {
        let proc = self.proc;
        let next = at + 1;
        self.at = at;
        match proc.instructions[at] {
            Instruction::Assume { relation, a, b } => {
                if let (&Val::Int(x), &Val::Int(y)) = (self.get(a), self.get(b)) {
                    return go_on(relation.of_small(x, y), next, Halt::Over);
                }
                let holds = self.decide(relation, a, b, Purpose::Assume)?;
                go_on(holds, next, Halt::Over)
            }
            Instruction::AssumeNumber { relation, a, number } => {
                if let Val::Int(x) = *self.get(a) {
                    return go_on(relation.of_small(x, number), next, Halt::Over);
                }
                let a = self.value(a);
                let holds = self.decide_values(relation, a, Val::Int(number), Purpose::Assume)?;
                go_on(holds, next, Halt::Over)
            }
            Instruction::AssumeIs { value, expected } => {
                if let Val::Bool(value) = *self.get(value) {
                    return go_on(value == expected, next, Halt::Over);
                }
                let value = self.value(value);
                let holds = self.decide_values(Relation::Eq, value, Val::Bool(expected), Purpose::Assume)?;
                go_on(holds, next, Halt::Over)
            }
            Instruction::Assert {
                relation,
                a,
                b,
                assert,
            } => {
                if let (&Val::Int(x), &Val::Int(y)) = (self.get(a), self.get(b))
                    && relation.of_small(x, y)
                {
                    return Ok(next);
                }
                let (a, b) = (self.value(a), self.value(b));
                self.check(relation, a, b, assert).map(|()| next)
            }
            Instruction::AssertIs {
                value,
                expected,
                assert,
            } => {
                let value = self.value(value);
                self.check(Relation::Eq, value, Val::Bool(expected), assert)
                    .map(|()| next)
            }
            Instruction::Write { map, index, value } => {
                if let Val::Int(index) = *self.get(index) {
                    let value = self.value(value);
                    self.map_mut(map)?.words.set(index, value);
                } else {
                    self.write(map, &[index, value])?;
                }
                Ok(next)
            }
            Instruction::WriteMany { map, list } => {
                self.write(map, &proc.tables.lists[list as usize])?;
                Ok(next)
            }
            Instruction::Havoc(index) => self.havoc(index).map(|()| next),
            Instruction::Call(index) => self.call(&proc.tables.calls[index as usize], next),
            Instruction::Switch(index) => self.switch(&proc.tables.switches[index as usize], next),
            Instruction::Primitive(index) => self.primitive(&proc.tables.primitives[index as usize], at),
            Instruction::Goto { block, start, steps } => {
                self.count(steps)?;
                self.enter(block, start as usize)
            }
            Instruction::BranchOn {
                relation,
                a,
                b,
                branch,
            } => match (self.get(a), self.get(b)) {
                (&Val::Int(x), &Val::Int(y)) => self.branch_on(relation.of_small(x, y), branch),
                _ => self.branch(branch),
            },
            Instruction::BranchOnNumber {
                relation,
                a,
                branch,
                number,
            } => match *self.get(a) {
                Val::Int(x) => self.branch_on(relation.of_small(x, number), branch),
                _ => self.branch(branch),
            },
            Instruction::Branch(branch) => self.branch(branch),
            Instruction::Return { steps } => {
                self.count(steps)?;
                self.return_from_call()
            }
            Instruction::Stop { steps } => {
                self.count(steps)?;
                self.end_thread()
            }
            _ => Err(give_up("an expression where a statement was expected")),
        }
    }

    /// Goes to a block, at this instruction.
    #[inline(always)]
    pub(super) fn enter(&mut self, block: BlockId, next: usize) -> Result<usize, Halt> {
        if self.recording.is_some() || self.join.is_active() {
            self.note_entry(block)?;
        }
        Ok(next)
    }

    #[cold]
    fn note_entry(&mut self, block: BlockId) -> Result<(), Halt> {
        // Assumptions that the block starts with are those of all ways.
        if let Some(start) = self.join.start_at(self.waiting.len(), block) {
            return Err(Halt::Joined(start));
        }
        match &mut self.recording {
            Some(recording) => {
                recording.enter(self.frame, block)?;
                let threads = self.threads.as_mut();
                if let Some((context, stmt)) = threads.and_then(|threads| threads.take_owed(block)) {
                    let place = recording.moves(self.frame, stmt)?;
                    recording.resumes(place, context);
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn branch_on(&mut self, first: bool, branch: u32) -> Result<usize, Halt> {
        let proc = self.proc;
        let branch = &proc.tables.branches[branch as usize];
        self.count(branch.steps)?;
        let target = branch.targets[usize::from(!first)];
        self.enter(target.block, target.after as usize)
    }

    fn branch(&mut self, branch: u32) -> Result<usize, Halt> {
        let proc = self.proc;
        let branch = &proc.tables.branches[branch as usize];
        self.count(branch.steps)?;
        let possible = self.possible_targets(branch)?;
        match *possible.as_slice() {
            [] => Err(Halt::Over),
            [(target, next)] => self.enter(target.block, next),
            _ if self.keeps_open() => self.take_all(branch, &possible),
            _ => {
                let (target, next) = possible[self.chooser.target(possible.len())];
                self.enter(target.block, next)
            }
        }
    }

    /// An assertion whose condition is not known to hold.
    fn check(&mut self, relation: Relation, a: Val, b: Val, assert: AssertId) -> Result<(), Halt> {
        let is_unsupported = self.compiled.unsupported[assert];
        let purpose = match is_unsupported {
            true => Purpose::Choose,
            false => Purpose::Refute,
        };
        match self.decide_values(relation, a, b, purpose)? {
            true => Ok(()),
            false if self.join.is_inexact || self.join.is_active() => Err(give_up(DEPENDS_ON_UNKNOWN)),
            false if is_unsupported => Err(Halt::Unsupported(assert)),
            false => Err(Halt::Failed(assert)),
        }
    }

    fn havoc(&mut self, index: u32) -> Result<(), Halt> {
        let proc = self.proc;
        let havoc = &proc.tables.havocs[index as usize];
        let mut values = Vec::new();
        for &(reg, var, sort) in &havoc.targets {
            let value = Val::fresh(self.pool(), sort);
            if self.recording.is_some() {
                values.push((var, value.clone()));
            }
            self.set(reg, value);
        }
        match &mut self.recording {
            Some(recording) => recording.havoc(self.frame, havoc.stmt, values),
            None => Ok(()),
        }
    }

    /// The map of a variable, to be changed: in place unless another variable has the same map.
    #[inline(always)]
    fn map_mut(&mut self, reg: Reg) -> Result<&mut Map, Halt> {
        if let Val::Undef = self.get(reg) {
            self.value(reg);
        }
        let index = reg.index(self.base);
        match &mut self.registers[index] {
            Val::Map(map) => Ok(Rc::make_mut(map)),
            _ => Err(give_up("a map was expected")),
        }
    }

    /// Writes an element; the list has its indices, then its value.
    fn write(&mut self, map: Reg, list: &[Reg]) -> Result<(), Halt> {
        let Some((&value, indices)) = list.split_last() else {
            return Err(give_up("a store has too few arguments"));
        };
        let key = self.key(indices)?;
        let value = self.value(value);
        self.map_mut(map)?.set(key, value);
        Ok(())
    }

    fn call(&mut self, call: &'a CallCode, next: usize) -> Result<usize, Halt> {
        if self.waiting.len() >= self.options.max_depth {
            return Err(give_up("the call stack is too deep"));
        }
        let compiled = self.compiled;
        let callee = &compiled.procs[call.callee];
        let base = self.registers.len();
        for &argument in &call.ins {
            let value = self.value(argument);
            self.registers.push(value);
        }
        self.registers.resize(base + callee.registers, Val::Undef);
        self.waiting.push(Waiting {
            proc: self.proc,
            call,
            next,
            base: self.base,
            frame: self.frame,
        });
        (self.proc, self.base) = (callee, base);
        if let Some(recording) = &mut self.recording {
            self.frame = recording.call(self.frame, call.stmt)?;
        }
        Ok(callee.start)
    }

    fn return_from_call(&mut self) -> Result<usize, Halt> {
        let Some(waiting) = self.waiting.pop() else {
            return self.end_thread();
        };
        let first = self.proc.params;
        let values: SmallVec<[Val; 2]> = (first..first + self.proc.outs)
            .map(|slot| self.value(Reg::local(slot)))
            .collect();
        self.registers.truncate(self.base);
        self.proc = waiting.proc;
        self.base = waiting.base;
        self.frame = waiting.frame;
        for (&to, value) in waiting.call.outs.iter().zip(values) {
            self.set(to, value);
        }
        match self.join.is_return(self.waiting.len()) {
            true => Err(Halt::Joined(waiting.next)),
            false => Ok(waiting.next),
        }
    }
}

#[inline(always)]
fn go_on(holds: bool, next: usize, otherwise: Halt) -> Result<usize, Halt> {
    match holds {
        true => Ok(next),
        false => Err(otherwise),
    }
}
