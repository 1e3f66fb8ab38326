//! The machine that executes statements and jumps.

use std::rc::Rc;

use lariat_base::Budget;
use lariat_ir::{AssertKind, BlockId, ProcId, Program, Stmt, StmtKind, Terminator};
use lariat_term::{Op, TermId, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use self::free_run::FreeRun;
use super::access::{Plan, index_values};
use super::pending::{Pending, candidates};
use super::{Doubt, Goal, Replay, ReplayOptions, ReplayOutcome, Store};
use crate::axioms::check_axioms;
use crate::definition::Definitions;
use crate::environment::Overlay;
use crate::eval::{EvalError, Evaluation, Evaluator, canonical, fits};
use crate::event::{Change, ChangeKind, Event, EventKind, Flow, Place, Read};
use crate::oracle::{Oracle, Recorder};
use crate::trace::{FrameId, Step, Trace};

mod calls;
mod free_run;
mod jumps;

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
    free_run: Option<FreeRun>,
    /// Statements of all free runs so far.
    free_steps: u64,
    failed_free_runs: FxHashMap<ProcId, u32>,
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
            free_run: None,
            free_steps: 0,
            failed_free_runs: FxHashMap::default(),
        }
    }

    pub fn run(mut self, entry: ProcId) -> Replay {
        let outcome = self.execute(entry).unwrap_or_else(|outcome| outcome);
        let mut axiom_instances = 0;
        if self.options.check_axioms && !matches!(outcome, ReplayOutcome::Diverged { .. }) {
            let check = check_axioms(self.program, &self.globals, &mut self.oracle, self.budget);
            axiom_instances = check.instances;
            self.doubts.extend(check.violations);
        }
        Replay {
            outcome,
            events: self.events,
            points: self.oracle.into_points(),
            skipped: self.skipped,
            guessed: self.guessed,
            doubts: self.doubts,
            axiom_instances,
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
        self.idle += u64::from(self.free_run.is_none());
        if self.idle > self.options.patience || !self.free_tick() {
            return Err(self.diverged("the execution goes on for ever without the trace".into()));
        }
        let place = self.place();
        let block = &program.procs[place.proc].blocks[place.block];
        match (block.stmts.get(place.index), &block.terminator) {
            (Some(stmt), _) => self.statement(stmt)?,
            (None, Terminator::Goto(targets)) => self.jump(targets)?,
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
        Ok(self.set(var, Some(canonical(value))))
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
            depth: self.stack.len() as u32 - 1,
            uses,
            flows,
        };
        self.events.push(event);
    }

    fn next_step(&self) -> Option<&'a Step> {
        let top = self.top();
        self.trace.frames.get(top.frame?)?.steps.get(top.position)
    }

    fn use_step(&mut self) {
        self.top_mut().position += 1;
        self.idle = 0;
    }

    // ---- evaluation --------------------------------------------------------

    /// Gives every open variable among these some value; tells which ones.
    fn materialise(&mut self, vars: &[VarId]) -> Vec<VarId> {
        let mut chosen = Vec::new();
        for &var in vars {
            if self.value(var).is_none() {
                let pool = &self.program.pool;
                if let Some(value) = Value::any_of(pool, pool.var_sort(var)) {
                    self.set(var, Some(value.clone()));
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
        for var in self.materialise(vars) {
            self.pending.open(var);
        }
        match self.holds(&mut Evaluation::default(), condition) {
            Ok(true) => {
                self.pending.assumed(condition, vars);
                true
            }
            Ok(false) => self.choose_again(condition, vars),
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
            for candidate in candidates(&program.pool, condition, var, |other| self.value(other).cloned()) {
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

    // ---- statements --------------------------------------------------------

    fn statement(&mut self, stmt: &'a Stmt) -> Progress {
        match &stmt.kind {
            StmtKind::Enter(_) => {}
            StmtKind::Assume(condition) => {
                let plan = self.plan(self.place(), stmt);
                let holds = self.assume(*condition, &plan.vars);
                let uses = self.reads(&plan);
                if !holds {
                    let text = self.program.pool.term_text(*condition);
                    return Err(self.diverged(format!("an assumption does not hold: {}", shortened(&text))));
                }
                self.event(EventKind::Assume, uses, Vec::new());
            }
            StmtKind::Assert { condition, assert } => {
                let plan = self.plan(self.place(), stmt);
                self.pending.clear();
                self.materialise(&plan.vars);
                let holds = match self.holds(&mut Evaluation::default(), *condition) {
                    Ok(holds) => holds,
                    Err(error) => {
                        self.doubt(&error);
                        // The trace ends where the assertion fails.
                        self.trace_goes_on()
                    }
                };
                let is_goal = match &self.options.goal {
                    Goal::AnyAssert => true,
                    Goal::Asserts(goals) => goals.contains(assert),
                };
                let uses = self.reads(&plan);
                let info = &self.program.asserts[*assert];
                if !holds && self.free_run.is_some() && matches!(info.kind, AssertKind::Unsupported(_)) {
                    return Err(self.diverged("a call that does not matter cannot be executed".into()));
                }
                if holds {
                    self.event(EventKind::AssertHeld, uses, Vec::new());
                } else if is_goal {
                    let kind = EventKind::AssertFailed {
                        assert: *assert,
                        values: self.values_of(&uses),
                    };
                    self.event(kind, uses, Vec::new());
                    return Err(ReplayOutcome::AssertionFailed {
                        assert: *assert,
                        span: self.program.asserts[*assert].span.or(stmt.span),
                    });
                }
            }
            StmtKind::Assign(assignments) => {
                let plan = self.plan(self.place(), stmt);
                self.pending.clear();
                self.materialise(&plan.vars);
                let mut evaluation = Evaluation::default();
                let values: Vec<Option<Value>> = assignments
                    .iter()
                    .map(|&(_, term)| self.eval_or_doubt(&mut evaluation, term))
                    .collect();
                let targets: Vec<VarId> = assignments.iter().map(|&(var, _)| var).collect();
                let flows = self.flows(&plan, &targets, &evaluation);
                let changes = targets
                    .into_iter()
                    .zip(values)
                    .filter_map(|(var, value)| {
                        let old = self.set(var, value.clone());
                        Change::between(var, old, value)
                    })
                    .collect();
                self.event(EventKind::Assign { changes }, Vec::new(), flows);
            }
            StmtKind::Havoc(vars) => self.havoc(stmt, vars)?,
            StmtKind::Call(call) => return self.call(stmt, call),
        }
        self.top_mut().place.index += 1;
        Ok(())
    }

    fn havoc(&mut self, stmt: &Stmt, vars: &[VarId]) -> Progress {
        let mut chosen: FxHashMap<VarId, Value> = FxHashMap::default();
        if let Some(Step::Havoc(id, values)) = self.next_step()
            && *id == stmt.id
        {
            chosen.extend(values.iter().cloned());
            self.use_step();
        }
        let mut changes = Vec::new();
        let mut flows = Vec::new();
        for &var in vars {
            let value = chosen.remove(&var);
            let old = match &value {
                Some(value) => self.set_from_trace(var, value.clone())?,
                None => self.set(var, None),
            };
            if value.is_none() {
                let cell = self.cell(var, None);
                self.opened.insert((cell.activation, var), self.events.len());
            }
            changes.extend(Change::between(var, old, value));
            flows.push(Flow {
                target: self.cell(var, None),
                sources: Vec::new(),
                is_copy: false,
            });
        }
        self.event(EventKind::Havoc { changes }, Vec::new(), flows);
        Ok(())
    }

    /// What the condition of an assume or assert read.
    fn reads(&mut self, plan: &Plan) -> Vec<Read> {
        // Evaluated again because the values of open variables may have been chosen since.
        let mut evaluation = Evaluation::default();
        let mut reads = Vec::new();
        for term in &plan.terms {
            if !term.reads.elements.is_empty() {
                let _ = self.eval(&mut evaluation, term.term);
            }
            let cells = term.reads.evaluated(&evaluation);
            reads.extend(cells.into_iter().map(|(var, indices)| self.cell(var, indices)));
        }
        reads
    }

    fn values_of(&self, reads: &[Read]) -> Vec<(Read, Value)> {
        reads
            .iter()
            .filter_map(|read| {
                let value = match (self.value(read.var)?, &read.indices) {
                    (Value::Map(map), Some(indices)) => map.get(indices),
                    (value, _) => value,
                };
                Some((read.clone(), value.clone()))
            })
            .collect()
    }

    /// One flow for each target, or one for each element of a map that was written.
    fn flows(&self, plan: &Plan, targets: &[VarId], evaluation: &Evaluation) -> Vec<Flow> {
        let mut flows = Vec::new();
        for (&target, term) in targets.iter().zip(&plan.terms) {
            let sources: Vec<Read> = term
                .reads
                .evaluated(evaluation)
                .into_iter()
                .map(|(var, indices)| self.cell(var, indices))
                .collect();
            let elements: Vec<Option<Vec<Value>>> = match &term.written {
                Some(written) => written
                    .iter()
                    .map(|indices| index_values(evaluation, indices))
                    .collect(),
                None => vec![None],
            };
            flows.extend(elements.into_iter().map(|indices| Flow {
                target: self.cell(target, indices),
                sources: sources.clone(),
                is_copy: term.is_copy,
            }));
        }
        flows
    }
}

/// A text of at most a line.
fn shortened(text: &str) -> String {
    const MAX: usize = 200;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
