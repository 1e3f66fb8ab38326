//! The machine that executes statements and jumps.

use std::rc::Rc;

use lariat_base::Budget;
use lariat_ir::{BlockId, ProcId, Program, Stmt, Terminator};
use lariat_term::{Op, TermId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use self::free_run::FreeRun;
use self::records::Waiting;
use self::threads::Scheduler;
use super::access::Plan;
use super::pending::{Pending, candidates};
use super::{Doubt, Replay, ReplayOptions, ReplayOutcome, Store};
use crate::axioms::check_axioms;
use crate::definition::Definitions;
use crate::environment::Overlay;
use crate::eval::{EvalError, Evaluation, Evaluator, canonical, fits};
use crate::event::{ChangeKind, Event, EventKind, Flow, Place, Read};
use crate::oracle::{Oracle, Recorder};
use crate::trace::{FrameId, Trace, TraceStep};

mod calls;
mod free_run;
mod jumps;
mod maps;
mod records;
mod reframe;
mod statements;
mod threads;

/// An open call.
struct Activation {
    number: u32,
    place: Place,
    locals: Store,
    /// `None`: the trace says nothing of this activation.
    frame: Option<FrameId>,
    /// The next step of the frame.
    position: usize,
    /// How often a jump of several targets on which the trace says nothing went to a block.
    visits: FxHashMap<BlockId, u32>,
}

pub(super) struct Machine<'a> {
    program: &'a Program,
    trace: &'a Trace,
    options: &'a ReplayOptions,
    budget: &'a Budget,
    evaluator: Evaluator<'a>,
    oracle: Recorder<'a>,
    shared: FxHashSet<VarId>,
    globals: Store,
    stack: Vec<Activation>,
    pending: Pending,
    plans: FxHashMap<Place, Rc<Plan>>,
    events: Vec<Event>,
    doubts: Vec<Doubt>,
    activations: u32,
    skipped: usize,
    guessed: usize,
    idle: u64,
    /// The event that left the value of a variable open: it shows the value once it is chosen.
    opened: FxHashMap<(Option<u32>, VarId), usize>,
    waiting_records: Vec<Waiting>,
    free_run: Option<FreeRun>,
    /// Ways that the free run of the call at hand has tried in vain.
    next_way: u32,
    /// Statements of all free runs so far.
    free_steps: u64,
    failed_free_runs: FxHashMap<ProcId, u32>,
    scheduler: Scheduler,
}

/// `Err` ends the execution.
type Progress<T = ()> = Result<T, ReplayOutcome>;

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        trace: &'a Trace,
        oracle: &'a mut dyn Oracle,
        options: &'a ReplayOptions,
        budget: &'a Budget,
    ) -> Self {
        Machine {
            program,
            trace,
            options,
            budget,
            evaluator: Evaluator::new(&program.pool),
            oracle: Recorder::with_definitions(&program.pool, oracle, Definitions::of(program).0),
            shared: program
                .globals
                .iter()
                .chain(&program.constants)
                .copied()
                .collect(),
            globals: Store::default(),
            stack: Vec::new(),
            pending: Pending::default(),
            plans: FxHashMap::default(),
            events: Vec::new(),
            doubts: Vec::new(),
            activations: 0,
            skipped: 0,
            guessed: 0,
            idle: 0,
            opened: FxHashMap::default(),
            waiting_records: Vec::new(),
            free_run: None,
            next_way: 0,
            free_steps: 0,
            failed_free_runs: FxHashMap::default(),
            scheduler: Scheduler::default(),
        }
    }

    pub fn run(mut self, entry: ProcId) -> Replay {
        let outcome = self.execute(entry).unwrap_or_else(|outcome| outcome);
        let mut axiom_instances = 0;
        let mut violated_axioms = Vec::new();
        if self.options.check_axioms {
            let check = check_axioms(self.program, &self.globals, &mut self.oracle, self.budget);
            axiom_instances = check.instances;
            violated_axioms = check.violated;
            self.doubts.extend(check.violations);
        }
        let points = self.oracle.into_points();
        let used = points.applications.keys().map(|(function, _)| function);
        if let Some(function) = used
            .into_iter()
            .find(|function| self.program.unmodelled.contains(function))
        {
            let name = &self.program.pool.function(*function).name;
            self.doubts.push(Doubt {
                reason: format!("what the function `{name}` means is not modelled"),
                span: None,
            });
        }
        Replay {
            outcome,
            events: self.events,
            points,
            skipped: self.skipped,
            guessed: self.guessed,
            doubts: self.doubts,
            axiom_instances,
            violated_axioms,
        }
    }

    fn execute(&mut self, entry: ProcId) -> Progress<ReplayOutcome> {
        let program = self.program;
        self.activate(entry, Some(self.trace.root), Vec::new());
        let own: FxHashSet<VarId> = program.procs[entry].vars().collect();
        // Variables that the lowered program does not know are of the passes' making.
        let mut inputs: Vec<(VarId, Value)> = self
            .trace
            .inputs
            .iter()
            .filter(|(var, _)| own.contains(var) || self.shared.contains(var))
            .map(|(&var, value)| (var, value.clone()))
            .collect();
        inputs.sort_unstable_by_key(|(var, _)| *var);
        for (var, value) in &inputs {
            self.set_from_trace(*var, value.clone())?;
        }
        self.set_initial_values(entry, Some(self.trace.root))?;
        self.oracle.set_constants(
            program
                .constants
                .iter()
                .filter_map(|&var| Some((var, self.globals.get(&var)?.clone())))
                .collect(),
        );
        self.event(EventKind::Start { values: inputs }, Vec::new(), Vec::new());
        self.assume_at_start()?;
        loop {
            if let Err(exhausted) = self.budget.check() {
                return Err(self.diverged(exhausted.to_string()));
            }
            match self.step() {
                Ok(None) => {}
                Ok(Some(outcome)) => return Ok(outcome),
                Err(ReplayOutcome::Diverged { .. }) if self.abandon_free_run() => {}
                Err(outcome) => return Err(outcome),
            }
        }
    }

    /// One statement or terminator; the outcome if the entry returns.
    fn step(&mut self) -> Progress<Option<ReplayOutcome>> {
        let program = self.program;
        if self.idle > self.options.patience || !self.free_tick() {
            return Err(self.diverged("the execution goes on for ever without the trace".into()));
        }
        let place = self.place();
        let block = &program.procs[place.proc].blocks[place.block];
        match (block.stmts.get(place.index), &block.terminator) {
            _ if self.trace.has_threads && self.stops_here()? => {}
            (Some(stmt), _) if self.trace.has_threads => {
                if self.may_run(stmt)? {
                    self.statement(stmt)?;
                }
            }
            (Some(stmt), _) => self.statement(stmt)?,
            (None, Terminator::Goto(targets))
                if self.trace.has_threads && targets.is_empty() && self.free_run.is_none() =>
            {
                self.end_thread()?;
            }
            (None, Terminator::Goto(targets)) => self.jump(targets)?,
            (None, Terminator::Return) if self.stack.len() == 1 && self.trace.has_threads => {
                self.thread_returns()?;
            }
            (None, Terminator::Return) if self.stack.len() == 1 => {
                let globals = program
                    .globals
                    .iter()
                    .filter_map(|&var| Some((var, self.globals.get(&var)?.clone())))
                    .collect();
                return Ok(Some(ReplayOutcome::EntryReturned { globals }));
            }
            (None, Terminator::Return) if self.free_run_is_doubtful() => {
                return Err(self.diverged("a call could not be evaluated".into()));
            }
            (None, Terminator::Return) => self.return_from_call(),
        }
        Ok(None)
    }

    /// Where-clauses of globals, and axioms that are no quantifiers: those are checked at the end,
    /// at the points that the execution used.
    fn assume_at_start(&mut self) -> Progress {
        let program = self.program;
        for &condition in &program.initial {
            if !self.assume(condition, &self.free_vars(condition)) {
                return Err(self.diverged(format!(
                    "`{}` does not hold at the start",
                    program.pool.term_text(condition)
                )));
            }
        }
        for axiom in &program.axioms {
            let mut quantified = false;
            program.pool.visit_subterms(&[axiom.term], |term| {
                quantified |= matches!(program.pool.op(term), Op::Quantifier(_));
            });
            if !quantified && !self.assume(axiom.term, &self.free_vars(axiom.term)) {
                return Err(ReplayOutcome::Diverged {
                    reason: "an axiom does not hold".into(),
                    span: axiom.span,
                });
            }
        }
        Ok(())
    }

    fn free_vars(&self, term: TermId) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self.program.pool.free_vars(&[term]).into_iter().collect();
        vars.sort_unstable();
        vars
    }

    // ---- state -------------------------------------------------------------

    fn top(&self) -> &Activation {
        self.stack.last().expect("the entry is open until the end")
    }

    fn top_mut(&mut self) -> &mut Activation {
        self.stack.last_mut().expect("the entry is open until the end")
    }

    fn place(&self) -> Place {
        self.top().place
    }

    fn value(&self, var: VarId) -> Option<&Value> {
        if self.shared.contains(&var) {
            self.globals.get(&var)
        } else {
            self.top().locals.get(&var)
        }
    }

    /// Sets a variable, or with `None` leaves its value open; the old value is returned.
    fn set(&mut self, var: VarId, value: Option<Value>) -> Option<Value> {
        self.pending.overwritten(var);
        self.settle_records(var);
        self.store(var, value)
    }

    fn store(&mut self, var: VarId, value: Option<Value>) -> Option<Value> {
        if let Some(value) = &value {
            self.oracle.held(value);
        }
        let store = if self.shared.contains(&var) {
            &mut self.globals
        } else {
            &mut self.top_mut().locals
        };
        match value {
            Some(value) => store.insert(var, value),
            None => store.remove(&var),
        }
    }

    fn set_from_trace(&mut self, var: VarId, value: Value) -> Progress<Option<Value>> {
        let pool = &self.program.pool;
        if !fits(pool, &value, pool.var_sort(var)) {
            let name = pool.var_name(var);
            return Err(self.diverged(format!("the trace gives `{name}` a value of another sort")));
        }
        let is_map = matches!(value, Value::Map(_));
        let old = self.set(var, Some(canonical(value)));
        if is_map {
            self.pending.give(var, self.shared.contains(&var));
        }
        Ok(old)
    }

    /// The variable in the running activation, or the global.
    fn cell(&self, var: VarId, indices: Option<Vec<Value>>) -> Read {
        Read {
            activation: (!self.shared.contains(&var)).then(|| self.top().number),
            var,
            indices,
        }
    }

    fn diverged(&self, reason: String) -> ReplayOutcome {
        let span = self.stack.last().and_then(|top| top.place.span(self.program));
        ReplayOutcome::Diverged { reason, span }
    }

    fn doubt(&mut self, error: &EvalError) {
        self.doubts.push(Doubt {
            reason: error.text(&self.program.pool),
            span: self.place().span(self.program),
        });
    }

    fn event(&mut self, kind: EventKind, uses: Vec<Read>, flows: Vec<Flow>) {
        let event = Event {
            place: self.place(),
            kind,
            activation: self.top().number,
            thread: self.scheduler.running as u32,
            depth: self.stack.len() as u32 - 1,
            uses,
            flows,
        };
        self.events.push(event);
    }

    fn next_step(&self) -> Option<&'a TraceStep> {
        let top = self.top();
        self.trace.frames.get(top.frame?)?.steps.get(top.position)
    }

    fn use_step(&mut self) {
        self.top_mut().position += 1;
        self.idle = 0;
    }

    // ---- evaluation --------------------------------------------------------

    /// Gives every open variable among these, which are about to be read, some value; returns which ones.
    fn materialise(&mut self, vars: &[VarId]) -> Vec<VarId> {
        self.pending.read(vars);
        let mut chosen = Vec::new();
        for &var in vars {
            if self.value(var).is_none() {
                let pool = &self.program.pool;
                if let Some(value) = Value::any_of(pool, pool.var_sort(var)) {
                    self.pending.overwritten(var);
                    self.store(var, Some(value.clone()));
                    self.show_choice(var, value);
                    chosen.push(var);
                }
            }
        }
        chosen
    }

    fn eval(&mut self, evaluation: &mut Evaluation, term: TermId) -> Result<Value, EvalError> {
        let environment = Overlay {
            inner: &self.stack.last().expect("the entry is open until the end").locals,
            outer: &self.globals,
        };
        self.evaluator
            .eval_in(evaluation, term, &environment, &mut self.oracle)
    }

    fn holds(&mut self, evaluation: &mut Evaluation, condition: TermId) -> Result<bool, EvalError> {
        Ok(self.eval(evaluation, condition)? == Value::Bool(true))
    }

    /// The value of a term; if there is none, some value and a doubt.
    fn eval_or_doubt(&mut self, evaluation: &mut Evaluation, term: TermId) -> Option<Value> {
        self.eval(evaluation, term)
            .inspect_err(|error| self.doubt(error))
            .ok()
    }

    /// What the statement at a place reads.
    fn plan(&mut self, place: Place, stmt: &Stmt) -> Rc<Plan> {
        let pool = &self.program.pool;
        self.plans
            .entry(place)
            .or_insert_with(|| Plan::of(pool, stmt))
            .clone()
    }

    /// Makes the condition true if some choice of open variables does; whether it holds then.
    /// A condition that cannot be evaluated counts as true, with a doubt.
    fn assume(&mut self, condition: TermId, vars: &[VarId]) -> bool {
        self.pending.about_to_assume(vars);
        for var in self.materialise(vars) {
            self.pending.open(var);
        }
        match self.holds(&mut Evaluation::default(), condition) {
            Ok(true) => {
                self.pending.assumed(condition, vars);
                true
            }
            Ok(false) => {
                self.choose_again(condition, vars)
                    || self.reframe(condition, vars)
                    || self.refill(condition, vars)
                    || self.define_map(condition)
            }
            Err(error) => {
                self.doubt(&error);
                true
            }
        }
    }

    /// Tries other values of one open variable such that this and all earlier assumes hold.
    fn choose_again(&mut self, condition: TermId, vars: &[VarId]) -> bool {
        let program = self.program;
        for var in self.pending.open_among(vars) {
            let before = self.value(var).cloned();
            let sort = program.pool.var_sort(var);
            let others = |other: VarId| (other != var).then(|| self.value(other).cloned()).flatten();
            for candidate in candidates(&program.pool, condition, sort, others) {
                self.put_open(var, Some(candidate));
                let mut conditions = self.pending.conditions().to_vec();
                conditions.push(condition);
                let mut evaluation = Evaluation::default();
                if conditions
                    .into_iter()
                    .all(|condition| self.holds(&mut evaluation, condition) == Ok(true))
                {
                    self.pending.assumed(condition, vars);
                    if let Some(value) = self.value(var).cloned() {
                        self.show_choice(var, value);
                    }
                    return true;
                }
            }
            self.put_open(var, before);
        }
        false
    }

    /// Puts the value that was chosen into the event that left it open.
    fn show_choice(&mut self, var: VarId, value: Value) {
        self.show_in_records(var);
        let cell = self.cell(var, None);
        let Some(&event) = self.opened.get(&(cell.activation, var)) else {
            return;
        };
        let (EventKind::Havoc { changes } | EventKind::Return { changes, .. }) = &mut self.events[event].kind
        else {
            return;
        };
        for change in changes.iter_mut().filter(|change| change.var == var) {
            if let ChangeKind::Whole { new, .. } = &mut change.kind {
                *new = Some(value.clone());
            }
        }
    }

    /// Another value of an open variable, which stays open.
    fn put_open(&mut self, var: VarId, value: Option<Value>) {
        let store = if self.shared.contains(&var) {
            &mut self.globals
        } else {
            &mut self.top_mut().locals
        };
        if let Some(value) = value {
            store.insert(var, value);
        }
    }
}
