//! Is what could not be proved a real bug?
//!
//! The interpreter executes the body from the state that the solver found, with what it chose for havocs and for the
//! effects of calls, which are what contracts allow. An execution that passes no loop is that of the solver, statement
//! by statement. Where the solver forgot what a loop changes, its values say nothing about the state after the loop:
//! there the loop is executed round by round, and it is open whether the assertion fails again.
//!
//! Only an execution without doubts counts, only if no procedure with a body is known by its contract alone, and only if the axioms have a model that agrees with it.

use std::sync::Arc;

use lariat_base::Budget;
use lariat_interp::{EventKind, Replay, ReplayGoal, ReplayOptions, ReplayOutcome, Trace, TraceStep};
use lariat_ir::{AssertId, AssertKind, Origin, ProcId, Program, StmtKind};
use lariat_report::BoogieReplay;
use lariat_smt::{Context, Model, SolverError};
use lariat_term::{Op, TermId, Value, VarId};
use lariat_vc::{PassiveBlockId, PassiveStep};
use lariat_verify::{AxiomCheck, Interpretation, ModelOracle, check_axioms, supposes};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::condition::Condition;
use crate::tasks::{cut, whole};

/// Jumps in a row on which the model says nothing. Loops that need more rounds are left open.
const PATIENCE: u64 = 5_000;
/// The solver's effort to check the axioms after a replay.
const AXIOM_EFFORT: u32 = 500_000;

/// An execution that the solver found.
pub struct Found<'a> {
    pub path: &'a [PassiveBlockId],
    pub leaf: PassiveBlockId,
    pub model: &'a Model,
}

/// Executes the body of the condition, which the program holds.
pub fn replay(
    program: &Program,
    condition: &Condition,
    found: &Found<'_>,
    context: &mut Context,
    budget: &Budget,
) -> BoogieReplay {
    let assert = condition.leaves[&found.leaf].assert;
    if let AssertKind::Unsupported(reason) = &program.asserts[assert].kind {
        return open(format!("it contains {reason}"));
    }
    let mut reader = Reader {
        program,
        condition,
        found,
        context,
    };
    let is_forgetting = |step: &PassiveStep| match step {
        PassiveStep::Havoc { stmt, .. } => condition.marks.forgetting.contains(stmt),
        _ => false,
    };
    let steps = found
        .path
        .iter()
        .flat_map(|&block| &condition.vc.blocks[block].steps);
    let passes_loop = steps.into_iter().any(is_forgetting);
    let (proc, goal) = match passes_loop {
        false => (cut(), FxHashSet::from_iter([assert])),
        true => (whole(), same_assertions(program, assert)),
    };
    let trace = match reader.trace(proc, is_forgetting) {
        Ok(trace) => trace,
        Err(SolverError(reason)) => return open(format!("the model could not be read: {reason}")),
    };
    let mut oracle = ModelOracle {
        context,
        pool: &program.pool,
        model: found.model,
        interpretation: None,
        budget,
    };
    let options = ReplayOptions {
        goal: ReplayGoal::Asserts(goal.clone()),
        patience: PATIENCE,
        check_axioms: true,
    };
    let result = lariat_interp::replay(program, proc, &trace, &mut oracle, &options, budget);
    if let Some(reason) = complaint(program, &result, &trace, assert, &goal, budget) {
        return open(reason);
    }
    match rests_on_contract(program, &result, &condition.marks.implemented) {
        None => BoogieReplay::Fails,
        Some(callee) => open(format!(
            "it rests on the contract of `{callee}`, whose body may do less than that allows"
        )),
    }
}

/// A procedure with a body of which the execution knows no more than the contract.
fn rests_on_contract<'r>(
    program: &'r Program,
    result: &Replay,
    implemented: &FxHashSet<Arc<str>>,
) -> Option<&'r Arc<str>> {
    let stmts = result.events.iter().filter_map(|event| event.place.stmt(program));
    let mut callees = stmts.filter_map(|stmt| match &stmt.origin {
        Origin::External(callee) => Some(callee),
        _ => None,
    });
    callees.find(|callee| implemented.contains(*callee))
}

fn open(reason: String) -> BoogieReplay {
    BoogieReplay::Open { reason }
}

/// The assertions of the whole body that the failing one is a copy of.
fn same_assertions(program: &Program, assert: AssertId) -> FxHashSet<AssertId> {
    let wanted = &program.asserts[assert];
    let place = (wanted.span, wanted.condition_span);
    let stmts = program.procs[whole()]
        .blocks
        .values()
        .flat_map(|block| &block.stmts);
    let asserts = stmts.filter_map(|stmt| match stmt.kind {
        StmtKind::Assert { assert, .. } => Some(assert),
        _ => None,
    });
    asserts
        .filter(|&assert| {
            let info = &program.asserts[assert];
            (info.span, info.condition_span) == place
        })
        .collect()
}

/// Why the replay does not show the failure; `None` if it does.
fn complaint(
    program: &Program,
    result: &Replay,
    trace: &Trace,
    assert: AssertId,
    goal: &FxHashSet<AssertId>,
    budget: &Budget,
) -> Option<String> {
    if let Some(complaint) = result.complaint() {
        return Some(complaint);
    }
    let ReplayOutcome::AssertionFailed { .. } = result.outcome else {
        return Some("the execution does not fail".to_owned());
    };
    if result.skipped > 0 {
        return Some("calls could not be executed".to_owned());
    }
    let is_held = |kind: &EventKind, place: lariat_interp::Place| {
        let Some(StmtKind::Assert { assert, .. }) = place.stmt(program).map(|stmt| &stmt.kind) else {
            return false;
        };
        *kind == EventKind::AssertHeld && goal.contains(assert)
    };
    // An invariant that does not hold on entry is another failure than one that a round breaks.
    if program.asserts[assert].kind == AssertKind::LoopInvariant
        && !result
            .events
            .iter()
            .any(|event| is_held(&event.kind, event.place))
    {
        return Some("the invariant fails on entry already".to_owned());
    }
    if !has_quantified_axioms(program) && !supposes(&program.pool, &result.points) {
        return None;
    }
    let mut pool = program.pool.clone();
    let none = Interpretation::default();
    match check_axioms(
        program,
        &mut pool,
        &trace.inputs,
        &result.points,
        &none,
        AXIOM_EFFORT,
        budget,
    ) {
        AxiomCheck::Consistent => None,
        AxiomCheck::Contradicted(_) => Some("the axioms exclude the values that the solver chose".to_owned()),
        AxiomCheck::NoModel(reason) => Some(reason.to_owned()),
        AxiomCheck::Unknown(reason) => Some(format!("the axioms could not be checked: {reason}")),
    }
}

fn has_quantified_axioms(program: &Program) -> bool {
    let axioms: Vec<TermId> = program.axioms.iter().map(|axiom| axiom.term).collect();
    program.pool.has_quantifier(&axioms)
}

/// Reads values off the model.
struct Reader<'a> {
    program: &'a Program,
    condition: &'a Condition,
    found: &'a Found<'a>,
    context: &'a mut Context,
}

impl Reader<'_> {
    /// What guides the execution of a procedure: all of the path, or what comes before the first loop.
    fn trace(
        &mut self,
        proc: ProcId,
        is_forgetting: impl Fn(&PassiveStep) -> bool,
    ) -> Result<Trace, SolverError> {
        let program = self.program;
        let mut inputs: FxHashMap<VarId, Value> = FxHashMap::default();
        let known = program.constants.iter().chain(&program.globals).copied();
        for var in known.chain(program.procs[proc].vars()) {
            if let Some(value) = self.value_of_var(var)? {
                inputs.insert(var, value);
            }
        }
        let mut trace = Trace::new(inputs);
        let root = trace.root;
        let blocks = &self.condition.vc.blocks;
        for &block in self.found.path {
            for step in &blocks[block].steps {
                match step {
                    PassiveStep::Enter(block) if proc == cut() => trace.push(root, TraceStep::Enter(*block)),
                    _ if is_forgetting(step) => return Ok(trace),
                    PassiveStep::Havoc { stmt, values } => {
                        let mut chosen = Vec::new();
                        for &(var, term) in values {
                            chosen.extend(self.value_of_term(term)?.map(|value| (var, value)));
                        }
                        trace.push(root, TraceStep::Havoc(*stmt, chosen));
                    }
                    _ => {}
                }
            }
        }
        Ok(trace)
    }

    /// `None`: the condition does not mention it, so that any value will do.
    fn value_of_var(&mut self, var: VarId) -> Result<Option<Value>, SolverError> {
        let Some(ast) = self.context.known_var(var) else {
            return Ok(None);
        };
        let pool = &self.program.pool;
        let sort = pool.var_sort(var);
        self.found.model.value(self.context, pool, ast, sort).map(Some)
    }

    fn value_of_term(&mut self, term: TermId) -> Result<Option<Value>, SolverError> {
        let pool = &self.program.pool;
        if let Op::Var(var) = pool.op(term) {
            return self.value_of_var(var);
        }
        let ast = self.context.term(pool, term)?;
        let sort = pool.sort_of(term);
        self.found.model.value(self.context, pool, ast, sort).map(Some)
    }
}
