//! From the engine's path and model to a trace that the interpreter can follow.
//!
//! The path runs through the program after the passes; the trace speaks of the program as it was
//! lowered. Statements have kept their ids; frames of extracted loops are flattened into the frame
//! that the loop stands in; copies of variables have kept their names.

use std::sync::Arc;

use lariat_engine::{Counterexample, InstanceId, PathStep, Unfolding};
use lariat_interp::{FrameId, Step, Trace};
use lariat_ir::{ProcKind, Program, StmtId, StmtKind};
use lariat_smt::SolverError;
use lariat_term::{Value, VarId};
use lariat_vc::Step as VcStep;
use rustc_hash::FxHashMap;

/// The trace of a counterexample and the statement that sets the error flag on it, if any.
pub struct TraceOfModel {
    pub trace: Trace,
    pub failing: Option<StmtId>,
}

/// Reads all values that the trace needs off the model.
pub fn trace_of(
    lowered: &Program,
    unfolding: &mut Unfolding,
    counterexample: &Counterexample,
) -> Result<TraceOfModel, SolverError> {
    let names = OriginalNames::new(lowered);
    let mut reader = Reader {
        unfolding,
        counterexample,
        names,
    };
    let mut trace = Trace::new(reader.inputs(lowered)?);
    let mut failing = None;
    let root = trace.root;
    trace.frames[root].initial = reader.initial_values(Unfolding::root())?;
    let mut stack: Vec<FrameId> = vec![root];
    for step in &counterexample.path.steps {
        let Some(&frame) = stack.last() else { break };
        match *step {
            PathStep::OpenCall(_) => {}
            PathStep::EnterCall(site) => {
                let data = &reader.unfolding.sites[site];
                let callee = &reader.unfolding.problem.program.procs[data.callee];
                if matches!(callee.kind, ProcKind::Loop { .. }) {
                    stack.push(frame);
                } else {
                    let stmt = reader.unfolding.vc(data.caller).call_sites[data.index].stmt;
                    let instance = data.instance;
                    let new = trace.push_call(frame, stmt);
                    if let Some(instance) = instance {
                        trace.frames[new].initial = reader.initial_values(instance)?;
                    }
                    stack.push(new);
                }
            }
            PathStep::ExitCall(_) => {
                stack.pop();
            }
            PathStep::Step {
                instance,
                block,
                index,
            } => {
                let step = reader.unfolding.vc(instance).blocks[block].steps[index].clone();
                match step {
                    VcStep::Enter(block) => trace.push(frame, Step::Enter(block)),
                    VcStep::Havoc { stmt, values } => {
                        let values = reader.havoc_values(instance, stmt, &values)?;
                        trace.push(frame, Step::Havoc(stmt, values));
                    }
                    VcStep::EnterInPlace { stmt, initial } => {
                        let new = trace.push_call(frame, stmt);
                        trace.frames[new].initial = reader.values(instance, &initial)?;
                        stack.push(new);
                    }
                    VcStep::ExitInPlace => {
                        stack.pop();
                    }
                    VcStep::Fail(stmt) => failing = Some(stmt),
                    VcStep::Call(_) => {}
                }
            }
        }
    }
    Ok(TraceOfModel { trace, failing })
}

struct Reader<'a> {
    unfolding: &'a mut Unfolding,
    counterexample: &'a Counterexample,
    names: OriginalNames,
}

impl Reader<'_> {
    fn value(&mut self, instance: InstanceId, var: VarId) -> Result<Option<Value>, SolverError> {
        let Some(ast) = self.unfolding.ast_of(instance, var) else {
            return Ok(None);
        };
        let unfolding = &mut *self.unfolding;
        let pool = &unfolding.problem.program.pool;
        let sort = pool.var_sort(var);
        self.counterexample
            .model
            .value(&mut unfolding.context, pool, ast, sort)
            .map(Some)
    }

    /// Constants, globals and the entry's parameters.
    fn inputs(&mut self, lowered: &Program) -> Result<FxHashMap<VarId, Value>, SolverError> {
        let mut inputs = FxHashMap::default();
        for &constant in &lowered.constants {
            if let Some(ast) = self.unfolding.context.known_var(constant) {
                let unfolding = &mut *self.unfolding;
                let pool = &unfolding.problem.program.pool;
                let sort = pool.var_sort(constant);
                let value = self
                    .counterexample
                    .model
                    .value(&mut unfolding.context, pool, ast, sort)?;
                inputs.insert(constant, value);
            }
        }
        let ins = self.unfolding.vc(Unfolding::root()).ins.clone();
        for var in ins {
            if let Some(value) = self.value(Unfolding::root(), var)? {
                inputs.insert(self.original(Unfolding::root(), var), value);
            }
        }
        Ok(inputs)
    }

    /// Initial values of an activation's own variables, where the condition mentions them.
    fn initial_values(&mut self, instance: InstanceId) -> Result<Vec<(VarId, Value)>, SolverError> {
        let proc = &self.unfolding.problem.program.procs[self.unfolding.instances[instance].proc];
        let own: Vec<VarId> = proc.outs.iter().chain(&proc.locals).copied().collect();
        let mut values = Vec::new();
        for var in own {
            if let Some(value) = self.value(instance, var)? {
                values.push((self.original(instance, var), value));
            }
        }
        Ok(values)
    }

    /// The variable of the lowered program that a variable of an instance is a copy of.
    fn original(&self, instance: InstanceId, var: VarId) -> VarId {
        let program = &self.unfolding.problem.program;
        let proc = &program.procs[self.unfolding.instances[instance].proc];
        self.names
            .of_procedure(&proc.name, var, program.pool.var_name(var))
    }

    /// Values of variables that are the lowered program's own, by their incarnations.
    fn values(
        &mut self,
        instance: InstanceId,
        incarnations: &[(VarId, VarId)],
    ) -> Result<Vec<(VarId, Value)>, SolverError> {
        let mut values = Vec::new();
        for &(var, incarnation) in incarnations {
            if let Some(value) = self.value(instance, incarnation)? {
                values.push((var, value));
            }
        }
        Ok(values)
    }

    fn havoc_values(
        &mut self,
        instance: InstanceId,
        stmt: StmtId,
        values: &[(VarId, VarId)],
    ) -> Result<Vec<(VarId, Value)>, SolverError> {
        let mut result = Vec::new();
        for &(var, incarnation) in values {
            if let Some(value) = self.value(instance, incarnation)? {
                let name = self.unfolding.problem.program.pool.var_name(var).clone();
                result.push((self.names.of_havoc(stmt, var, &name), value));
            }
        }
        Ok(result)
    }
}

/// Variables of the lowered program by their names, within a havoc or a procedure.
struct OriginalNames {
    havocs: FxHashMap<StmtId, Vec<(VarId, Arc<str>)>>,
    procedures: FxHashMap<Arc<str>, Vec<(VarId, Arc<str>)>>,
}

impl OriginalNames {
    fn new(lowered: &Program) -> Self {
        let name = |&var: &VarId| (var, lowered.pool.var_name(var).clone());
        let mut names = OriginalNames {
            havocs: FxHashMap::default(),
            procedures: FxHashMap::default(),
        };
        for proc in lowered.procs.values() {
            names
                .procedures
                .insert(proc.name.clone(), proc.vars().map(|var| name(&var)).collect());
            for stmt in proc.blocks.values().flat_map(|block| &block.stmts) {
                if let StmtKind::Havoc(vars) = &stmt.kind {
                    names.havocs.insert(stmt.id, vars.iter().map(name).collect());
                }
            }
        }
        names
    }

    fn of_havoc(&self, stmt: StmtId, var: VarId, name: &str) -> VarId {
        self.havocs.get(&stmt).map_or(var, |vars| find(vars, var, name))
    }

    fn of_procedure(&self, procedure: &str, var: VarId, name: &str) -> VarId {
        self.procedures
            .get(procedure)
            .map_or(var, |vars| find(vars, var, name))
    }
}

/// The variable itself if it is there, else the one of its name, else itself.
fn find(vars: &[(VarId, Arc<str>)], var: VarId, name: &str) -> VarId {
    if vars.iter().any(|&(original, _)| original == var) {
        return var;
    }
    vars.iter()
        .find(|(_, original)| **original == *name)
        .map_or(var, |&(original, _)| original)
}
