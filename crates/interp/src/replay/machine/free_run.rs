//! Calls that the trace leaves out because they do not matter: executed freely where that works.
//!
//! A free run takes whatever way its values allow. If it returns, the call is part of a real
//! execution like any other. If it gets stuck, needs too long or cannot be evaluated, everything
//! it did is undone and the call is skipped.

use lariat_ir::ProcId;

use super::{Machine, Store};

/// Statements that one free run may execute.
const MAX_STEPS: u64 = 20_000;

/// Statements of all free runs of a replay.
const MAX_STEPS_IN_ALL: u64 = 2_000_000;

/// Failed attempts after which a procedure is always skipped.
const MAX_ATTEMPTS: u32 = 3;

/// What a free run may have to undo.
pub(super) struct FreeRun {
    callee: ProcId,
    steps: u64,
    /// Open activations when it began: those of the trace.
    depth: usize,
    globals: Store,
    events: usize,
    doubts: usize,
    activations: u32,
    skipped: usize,
    guessed: usize,
}

impl Machine<'_> {
    /// Whether the call that the machine stands at is executed freely from now on.
    pub(super) fn begin_free_run(&mut self, callee: ProcId) -> bool {
        let attempts = self.failed_free_runs.get(&callee).copied().unwrap_or(0);
        if attempts >= MAX_ATTEMPTS || self.free_steps >= MAX_STEPS_IN_ALL {
            return false;
        }
        self.free_run = Some(FreeRun {
            callee,
            steps: 0,
            depth: self.stack.len(),
            globals: self.globals.clone(),
            events: self.events.len(),
            doubts: self.doubts.len(),
            activations: self.activations,
            skipped: self.skipped,
            guessed: self.guessed,
        });
        true
    }

    /// Counts a statement of a free run; `false` if it takes too long.
    pub(super) fn free_tick(&mut self) -> bool {
        match &mut self.free_run {
            Some(run) => {
                run.steps += 1;
                self.free_steps += 1;
                run.steps <= MAX_STEPS
            }
            None => true,
        }
    }

    /// Whether the activation that is about to return is the outermost one of a free run, and
    /// something in it was in doubt.
    pub(super) fn free_run_is_doubtful(&self) -> bool {
        self.free_run
            .as_ref()
            .is_some_and(|run| self.stack.len() == run.depth + 1 && self.doubts.len() > run.doubts)
    }

    /// A return may end the free run well.
    pub(super) fn end_free_run(&mut self) {
        if self
            .free_run
            .as_ref()
            .is_some_and(|run| self.stack.len() <= run.depth)
        {
            self.free_run = None;
        }
    }

    /// Undoes the free run and skips its call; `false` if there is none.
    pub(super) fn abandon_free_run(&mut self) -> bool {
        let Some(run) = self.free_run.take() else {
            return false;
        };
        *self.failed_free_runs.entry(run.callee).or_default() += 1;
        self.stack.truncate(run.depth);
        self.globals = run.globals;
        self.events.truncate(run.events);
        self.opened.retain(|_, event| *event < run.events);
        self.doubts.truncate(run.doubts);
        self.activations = run.activations;
        self.skipped = run.skipped;
        self.guessed = run.guessed;
        self.pending.clear();
        self.skip_call_here();
        true
    }
}
