//! ControlSlice: which conditions of a trace matter for its failure (a variant of path slicing, [Angelic15] §4).
//!
//! Walking backward with the *support*, the variables that the failing condition depends on, a jump is kept if
//! - the trace has not come to its join when it fails, or came to it through no fault of its own: some way from the
//!   jump never gets there; the failing point is then control dependent on the jump, or
//! - something between the jump and its join, on any way, may write what is in the support at the join.
//!
//! The conditions of kept jumps join the support. The guards of dropped ones are not assumed.

use lariat_ir::{BlockId, Origin, Program, Stmt, StmtKind};
use lariat_term::{TermId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::control::{Jumps, ProgramFacts};
use crate::path::{TraceStep, TraceStepKind};

/// What a step of the path is for the explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A condition of a jump that matters.
    Condition,
    /// A condition of a jump that does not.
    Dropped,
    Other,
}

/// A variable: of an activation, or a global (`None`).
type Cell = (Option<u32>, VarId);

/// A jump of the trace that has come to its join.
struct Joined {
    branch: usize,
    proc: lariat_ir::ProcId,
    from: BlockId,
    activation: u32,
}

pub(crate) fn control_slice(program: &Program, facts: &ProgramFacts, path: &[TraceStep<'_>]) -> Vec<Role> {
    let mut jumps = Jumps::new(program, facts);
    let mut guards: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut joined: FxHashMap<usize, Vec<Joined>> = FxHashMap::default();
    let mut roles = vec![Role::Other; path.len()];
    let ends = joins_on_path(path, &mut jumps);
    for (index, step) in path.iter().enumerate() {
        let TraceStepKind::Branch { from, target } = step.kind else {
            continue;
        };
        let own = if jumps.join(step.proc, from) == Some(target) {
            // What stands at the join is on all ways.
            Vec::new()
        } else {
            guards_after(path, index)
        };
        let end = ends[index];
        let must_keep = end.is_none() || jumps.region(step.proc, from).has_dead_end;
        let role = if must_keep { Role::Condition } else { Role::Dropped };
        own.iter().for_each(|&guard| roles[guard] = role);
        guards.insert(index, own);
        if let Some(end) = end
            && !must_keep
        {
            joined.entry(end).or_default().push(Joined {
                branch: index,
                proc: step.proc,
                from,
                activation: step.activation,
            });
        }
    }
    let mut support = Support {
        program,
        globals: program.globals.iter().copied().collect(),
        live: FxHashSet::default(),
    };
    for (index, step) in path.iter().enumerate().rev() {
        let is_failure = index + 1 == path.len();
        // A return puts results into the caller's variables after the callee's jumps have joined.
        support.before(step, is_failure || roles[index] == Role::Condition);
        for joined in joined.remove(&index).unwrap_or_default() {
            let region = jumps.region(joined.proc, joined.from);
            if support.meets(joined.activation, &region.writes) {
                for guard in &guards[&joined.branch] {
                    roles[*guard] = Role::Condition;
                }
            }
        }
    }
    roles
}

/// For each jump the step at which its ways have met again: the block of the join, or the return of its activation.
fn joins_on_path(path: &[TraceStep<'_>], jumps: &mut Jumps<'_>) -> Vec<Option<usize>> {
    let mut ends = vec![None; path.len()];
    // The nearest later step at which a block of an activation begins, and at which the activation returns.
    let mut next: FxHashMap<(u32, Option<BlockId>), usize> = FxHashMap::default();
    for (index, step) in path.iter().enumerate().rev() {
        match step.kind {
            TraceStepKind::Block(block) => {
                next.insert((step.activation, Some(block)), index);
            }
            TraceStepKind::Return { activation, .. } => {
                next.insert((activation, None), index);
            }
            TraceStepKind::Branch { from, .. } => {
                let join = jumps.join(step.proc, from);
                ends[index] = next.get(&(step.activation, join)).copied();
            }
            _ => {}
        }
    }
    ends
}

/// The assumes at the start of the block that a jump went to, which say when it goes there.
fn guards_after(path: &[TraceStep<'_>], branch: usize) -> Vec<usize> {
    let mut guards = Vec::new();
    let mut only_guards = false;
    for (index, step) in path.iter().enumerate().skip(branch + 2) {
        let TraceStepKind::Stmt(Stmt {
            kind: StmtKind::Assume(_),
            origin,
            ..
        }) = &step.kind
        else {
            break;
        };
        // Conditions of an `if` come first; in a program with jumps the user's own assumes are the conditions. Those of
        // jumps that traces do not show, such as the ones inside of `free`, are internal.
        let is_guard = match origin {
            Origin::Guard => true,
            Origin::Source => !only_guards,
            Origin::Internal | Origin::Type => guards.is_empty(),
            _ => false,
        };
        if !is_guard {
            break;
        }
        only_guards |= *origin != Origin::Source;
        guards.push(index);
    }
    guards
}

struct Support<'a> {
    program: &'a Program,
    globals: FxHashSet<VarId>,
    live: FxHashSet<Cell>,
}

impl Support<'_> {
    /// From the support after a step to that before it.
    fn before(&mut self, step: &TraceStep<'_>, is_condition: bool) {
        let here = step.activation;
        match &step.kind {
            TraceStepKind::Block(_) | TraceStepKind::Branch { .. } => {}
            TraceStepKind::Stmt(stmt) => match &stmt.kind {
                StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => {
                    if is_condition {
                        self.add(here, *condition);
                    }
                }
                StmtKind::Assign(assignments) => {
                    let taken: Vec<TermId> = assignments
                        .iter()
                        .filter(|(var, _)| self.remove(here, *var))
                        .map(|&(_, term)| term)
                        .collect();
                    taken.into_iter().for_each(|term| self.add(here, term));
                }
                StmtKind::Havoc(_) | StmtKind::Call(_) | StmtKind::Enter(_) => {}
            },
            TraceStepKind::Havoc { vars, .. } => {
                for &var in *vars {
                    self.remove(here, var);
                }
            }
            TraceStepKind::Skipped { call } => {
                for &var in &call.outs {
                    self.remove(here, var);
                }
            }
            TraceStepKind::Return { call, activation } => {
                let outs = &self.program.procs[call.callee].outs;
                for (&target, &out) in call.outs.iter().zip(outs) {
                    if self.remove(here, target) {
                        self.live.insert((Some(*activation), out));
                    }
                }
            }
            TraceStepKind::Call { call, activation } => {
                let params = &self.program.procs[call.callee].params;
                for (&param, &argument) in params.iter().zip(&call.ins) {
                    if self.live.remove(&(Some(*activation), param)) {
                        self.add(here, argument);
                    }
                }
            }
        }
    }

    fn cell(&self, activation: u32, var: VarId) -> Cell {
        ((!self.globals.contains(&var)).then_some(activation), var)
    }

    fn remove(&mut self, activation: u32, var: VarId) -> bool {
        let cell = self.cell(activation, var);
        self.live.remove(&cell)
    }

    fn add(&mut self, activation: u32, term: TermId) {
        for var in self.program.pool.free_vars(&[term]) {
            let cell = self.cell(activation, var);
            self.live.insert(cell);
        }
    }

    fn meets(&self, activation: u32, writes: &FxHashSet<VarId>) -> bool {
        self.live
            .iter()
            .any(|(owner, var)| owner.is_none_or(|owner| owner == activation) && writes.contains(var))
    }
}
