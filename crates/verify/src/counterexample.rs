//! From the engine's path and model to a trace that the interpreter can follow.
//!
//! The path runs through the program after the passes; the trace is about the program before
//! any pass. Statements have kept their ids; frames of extracted loops are flattened into the frame
//! that the loop stands in; the passes know which variable each copy stands for.

use std::collections::BTreeMap;
use std::sync::Arc;

use lariat_engine::{Counterexample, Dag, InstanceId, PathStep, Session};
use lariat_interp::{FrameId, Trace, TraceStep};
use lariat_ir::{BlockId, ProcKind, Program, StmtId};
use lariat_passes::{MapEntryVars, Mark, Schedule};
use lariat_paths::{FoundPath, PathStep as ExecutedStep};
use lariat_smt::{Model, SolverError};
use lariat_term::{MapValue, TermId, Value, VarId};
use lariat_vc::PassiveStep;
use rustc_hash::FxHashMap;

/// The trace of a counterexample and the statement that sets the error flag on it, if any.
pub struct TraceOfModel {
    pub trace: Trace,
    pub failing: Option<StmtId>,
}

/// Reads all values that the trace needs off the model.
pub fn trace_of(
    lowered: &Program,
    origins: &FxHashMap<VarId, VarId>,
    map_entries: &MapEntryVars,
    schedule: Option<&Schedule>,
    session: &mut Session<'_>,
    counterexample: &Counterexample,
) -> Result<TraceOfModel, SolverError> {
    let mut reader = Reader {
        session,
        counterexample,
        origins,
    };
    let mut trace = Trace::new(reader.inputs(lowered, map_entries)?);
    trace.has_threads = schedule.is_some();
    let mut contexts = Contexts::new(schedule);
    let mut failing = None;
    let root = trace.root;
    trace.frames[root].initial = reader.initial_values(Dag::root())?;
    let mut stack: Vec<FrameId> = vec![root];
    for step in &counterexample.path.steps {
        let Some(&frame) = stack.last() else { break };
        match *step {
            PathStep::OpenCall(_) => {}
            PathStep::EnterCall(site) => {
                let call = reader.session.call(site);
                let callee = &reader.session.problem().program.procs[call.callee];
                if matches!(callee.kind, ProcKind::Loop { .. }) {
                    stack.push(frame);
                    contexts.enter(None);
                } else {
                    let new = trace.push_call(frame, call.stmt);
                    if let Some(instance) = call.instance {
                        trace.frames[new].initial = reader.initial_values(instance)?;
                    }
                    contexts.enter(Some(call.stmt));
                    stack.push(new);
                }
            }
            PathStep::ExitCall(_) => {
                stack.pop();
                contexts.leave();
            }
            PathStep::Statement {
                instance,
                block,
                index,
            } => {
                let step = reader.session.step(instance, block, index).clone();
                match step {
                    PassiveStep::Enter(block) => match contexts.mark(block) {
                        Some(Mark::Stops(stmt)) => trace.push(frame, TraceStep::Stop(stmt)),
                        Some(Mark::Fails(stmt)) => failing = Some(stmt),
                        None => trace.push(frame, TraceStep::Enter(block)),
                    },
                    PassiveStep::Havoc { stmt, values } => {
                        let values = reader.havoc_values(instance, &values)?;
                        if let Some(step) = contexts.havoc(stmt, values) {
                            trace.push(frame, step);
                        }
                    }
                    PassiveStep::EnterInPlace { stmt, initial } => {
                        let new = trace.push_call(frame, stmt);
                        trace.frames[new].initial = reader.values(instance, &initial)?;
                        stack.push(new);
                        contexts.enter(Some(stmt));
                    }
                    PassiveStep::ExitInPlace => {
                        stack.pop();
                        contexts.leave();
                    }
                    PassiveStep::Fail(stmt) => failing = Some(stmt),
                    PassiveStep::Call(_) => {}
                }
            }
        }
    }
    Ok(TraceOfModel { trace, failing })
}

/// The trace of a path that was executed symbolically.
pub fn trace_of_path(
    lowered: &Program,
    origins: &FxHashMap<VarId, VarId>,
    map_entries: &MapEntryVars,
    schedule: Option<&Schedule>,
    prepared: &Program,
    found: &mut FoundPath,
    model: &Model,
) -> Result<TraceOfModel, SolverError> {
    let (context, pool) = (&mut found.context, &found.pool);
    let mut inputs = FxHashMap::default();
    for &constant in &lowered.constants {
        if let Some(ast) = context.known_var(constant) {
            let value = model.value(context, pool, ast, pool.var_sort(constant))?;
            inputs.insert(constant, value);
        }
    }
    let mut value_of = |term: TermId| {
        let ast = context.term(pool, term)?;
        model.value(context, pool, ast, pool.sort_of(term))
    };
    let original = |var: VarId| origins.get(&var).copied().unwrap_or(var);
    let mut maps = MapInputs::default();
    let mut trace = Trace::new(FxHashMap::default());
    trace.has_threads = schedule.is_some();
    let mut contexts = Contexts::new(schedule);
    let mut failing = None;
    // The frame of each activation, and whether it is a loop's, which has none of its own.
    let mut stack: Vec<(FrameId, bool)> = vec![(trace.root, false)];
    for step in &found.steps {
        let Some(&(frame, is_loop)) = stack.last() else {
            break;
        };
        match step {
            ExecutedStep::Input(var, term) => {
                let input = (*var, value_of(*term)?);
                maps.add(lowered, origins, map_entries, input, &mut inputs);
            }
            ExecutedStep::Initial(_, _) if is_loop => {}
            ExecutedStep::Initial(var, term) => {
                let value = value_of(*term)?;
                if frame == trace.root {
                    inputs.insert(original(*var), value.clone());
                }
                trace.frames[frame].initial.push((original(*var), value));
            }
            ExecutedStep::Enter(block) => match contexts.mark(*block) {
                Some(Mark::Stops(stmt)) => trace.push(frame, TraceStep::Stop(stmt)),
                Some(Mark::Fails(stmt)) => failing = Some(stmt),
                None => trace.push(frame, TraceStep::Enter(*block)),
            },
            ExecutedStep::Havoc(stmt, chosen) => {
                let mut values = Vec::new();
                for &(var, term) in chosen {
                    values.push((original(var), value_of(term)?));
                }
                if let Some(step) = contexts.havoc(*stmt, values) {
                    trace.push(frame, step);
                }
            }
            ExecutedStep::Call { stmt, callee } => {
                if matches!(prepared.procs[*callee].kind, ProcKind::Loop { .. }) {
                    stack.push((frame, true));
                    contexts.enter(None);
                } else {
                    let new = trace.push_call(frame, *stmt);
                    contexts.enter(Some(*stmt));
                    stack.push((new, false));
                }
            }
            ExecutedStep::Return => {
                stack.pop();
                contexts.leave();
            }
            ExecutedStep::Fail(stmt) => failing = Some(*stmt),
        }
    }
    maps.finish(&mut inputs);
    trace.inputs = inputs;
    Ok(TraceOfModel { trace, failing })
}

/// Maps at the start of which entries are variables.
#[derive(Default)]
struct MapInputs {
    maps: BTreeMap<VarId, MapValue>,
}

impl MapInputs {
    /// Adds the value of a variable to the inputs, or to the map that it is an entry of.
    fn add(
        &mut self,
        lowered: &Program,
        origins: &FxHashMap<VarId, VarId>,
        map_entries: &MapEntryVars,
        (var, value): (VarId, Value),
        inputs: &mut FxHashMap<VarId, Value>,
    ) {
        let original = |var: VarId| origins.get(&var).copied().unwrap_or(var);
        let Some((map, key)) = map_entries.get(&var) else {
            inputs.insert(original(var), value);
            return;
        };
        let map = original(*map);
        let sort = lowered.pool.var_sort(map);
        if let Some(Value::Map(any)) = Value::any_of(&lowered.pool, sort) {
            let entries = self.maps.entry(map).or_insert_with(|| (*any).clone());
            entries.set(vec![key.clone()], value);
        }
    }

    fn finish(self, inputs: &mut FxHashMap<VarId, Value>) {
        let maps = self.maps.into_iter();
        inputs.extend(maps.map(|(map, value)| (map, Value::Map(Arc::new(value)))));
    }
}

/// The context of the thread whose steps are being read.
struct Contexts<'a> {
    schedule: Option<&'a Schedule>,
    /// The present one last; those of the callers before it.
    stack: Vec<u32>,
    /// For each open call whether it is that of a thread: then its contexts are not its caller's.
    threads: Vec<bool>,
}

impl<'a> Contexts<'a> {
    fn new(schedule: Option<&'a Schedule>) -> Self {
        Contexts {
            schedule,
            stack: vec![1],
            threads: Vec::new(),
        }
    }

    /// A call; `None` for a loop. A thread starts in the context of its creator.
    fn enter(&mut self, stmt: Option<StmtId>) {
        let calls = self.schedule.zip(stmt);
        let is_thread = calls.is_some_and(|(schedule, stmt)| schedule.spawns.contains(&stmt));
        self.threads.push(is_thread);
        if is_thread {
            self.stack.extend(self.stack.last().copied());
        }
    }

    fn leave(&mut self) {
        if self.threads.pop() == Some(true) {
            self.stack.pop();
        }
    }

    fn mark(&self, block: BlockId) -> Option<Mark> {
        self.schedule?.marks.get(&block).copied()
    }

    /// What a havoc means; `None` if it has no effect.
    fn havoc(&mut self, stmt: StmtId, values: Vec<(VarId, Value)>) -> Option<TraceStep> {
        let Some(schedule) = self.schedule else {
            return Some(TraceStep::Havoc(stmt, values));
        };
        if let Some((before, moves)) = schedule.moves.get(&stmt) {
            let context = self.stack.last_mut()?;
            let start = *context;
            let is_made = |moved: &VarId| values.contains(&(*moved, Value::Bool(true)));
            while moves.get(*context as usize - 1).is_some_and(is_made) {
                *context += 1;
            }
            return (*context > start).then_some(TraceStep::Move {
                before: *before,
                context: *context,
            });
        }
        if let Some(id_var) = schedule.starts.get(&stmt) {
            let (ids, own): (Vec<_>, Vec<_>) = values.into_iter().partition(|(var, _)| Some(*var) == *id_var);
            let id = ids.into_iter().find_map(|(_, value)| match value {
                Value::Int(id) | Value::Bv { value: id, .. } => Some(id),
                _ => None,
            });
            return Some(TraceStep::Start { id, own });
        }
        Some(TraceStep::Havoc(stmt, values))
    }
}

struct Reader<'a, 's> {
    session: &'a mut Session<'s>,
    counterexample: &'a Counterexample,
    /// For each variable that a pass made the one that it stands for.
    origins: &'a FxHashMap<VarId, VarId>,
}

impl Reader<'_, '_> {
    fn value(&mut self, instance: InstanceId, var: VarId) -> Result<Option<Value>, SolverError> {
        self.session.value_of(&self.counterexample.model, instance, var)
    }

    /// Constants, globals and the entry's parameters.
    fn inputs(
        &mut self,
        lowered: &Program,
        map_entries: &MapEntryVars,
    ) -> Result<FxHashMap<VarId, Value>, SolverError> {
        let mut inputs = FxHashMap::default();
        for &constant in &lowered.constants {
            let model = &self.counterexample.model;
            if let Some(value) = self.session.value_of_constant(model, constant)? {
                inputs.insert(constant, value);
            }
        }
        let mut maps = MapInputs::default();
        let ins = self.session.inputs();
        for var in ins {
            if let Some(value) = self.value(Dag::root(), var)? {
                let input = (var, value);
                maps.add(lowered, self.origins, map_entries, input, &mut inputs);
            }
        }
        maps.finish(&mut inputs);
        Ok(inputs)
    }

    /// Initial values of an activation's own variables, where the condition mentions them.
    fn initial_values(&mut self, instance: InstanceId) -> Result<Vec<(VarId, Value)>, SolverError> {
        let proc = &self.session.problem().program.procs[self.session.proc_of(instance)];
        let own: Vec<VarId> = proc.outs.iter().chain(&proc.locals).copied().collect();
        let mut values = Vec::new();
        for var in own {
            if let Some(value) = self.value(instance, var)? {
                values.push((self.original(var), value));
            }
        }
        Ok(values)
    }

    fn original(&self, var: VarId) -> VarId {
        self.origins.get(&var).copied().unwrap_or(var)
    }

    /// Values that a havoc chose.
    fn havoc_values(
        &mut self,
        instance: InstanceId,
        terms: &[(VarId, TermId)],
    ) -> Result<Vec<(VarId, Value)>, SolverError> {
        let mut values = Vec::new();
        for &(var, term) in terms {
            let model = &self.counterexample.model;
            if let Some(value) = self.session.value_of_term(model, instance, term)? {
                values.push((self.original(var), value));
            }
        }
        Ok(values)
    }

    /// Values of variables by their incarnations.
    fn values(
        &mut self,
        instance: InstanceId,
        incarnations: &[(VarId, VarId)],
    ) -> Result<Vec<(VarId, Value)>, SolverError> {
        let mut values = Vec::new();
        for &(var, incarnation) in incarnations {
            if let Some(value) = self.value(instance, incarnation)? {
                values.push((self.original(var), value));
            }
        }
        Ok(values)
    }
}
