//! Calls that are one line: of library code, and those that do not matter.

use lariat_ir::{AssertKind, ProcId, Program};
use lariat_options::Check;
use rustc_hash::FxHashSet;

use super::Renderer;
use crate::event::{Event, EventKind};
use crate::wording::Wording;

/// A call that is not opened. What stands on one line of its own says that it has returned, so it is shown then: other threads
/// may run meanwhile, or for good.
pub(super) struct Closed<'a> {
    pub activation: u32,
    pub call: &'a Event,
    pub callee: ProcId,
    pub matters: bool,
}

/// The procedures of the trace that are library code.
pub(super) fn libraries(events: &[Event], program: &Program, wording: &dyn Wording) -> FxHashSet<ProcId> {
    let mut procs: FxHashSet<ProcId> = events.iter().map(|event| event.place.proc).collect();
    procs.extend(events.iter().filter_map(|event| match event.kind {
        EventKind::Call { callee, .. } => Some(callee),
        _ => None,
    }));
    procs.retain(|&proc| wording.is_library(program, proc));
    procs
}

/// Whether an assertion fails because the user calls what fails always: `assert` with a false condition, `abort`.
pub(super) fn is_failing_call(kind: &AssertKind) -> bool {
    matches!(
        kind,
        AssertKind::Check(Check::Assert | Check::Reach | Check::Abort)
    )
}

/// The library's procedure in which the execution fails, if all it does is to fail: nobody wants to look into it.
pub(super) fn failing_library(
    events: &[Event],
    program: &Program,
    libraries: &FxHashSet<ProcId>,
) -> Option<ProcId> {
    let last = events.last()?;
    let EventKind::AssertFailed { assert, .. } = last.kind else {
        return None;
    };
    let proc = last.place.proc;
    (is_failing_call(&program.asserts[assert].kind) && libraries.contains(&proc)).then_some(proc)
}

impl Renderer<'_> {
    /// Whether the steps of the procedure are shown.
    pub(super) fn opens(&self, callee: ProcId) -> bool {
        let is_open = self.opens_libraries || !self.libraries.contains(&callee);
        is_open && self.failing != Some(callee)
    }
}
