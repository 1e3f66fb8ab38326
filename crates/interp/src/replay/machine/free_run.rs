//! Calls that the trace leaves out because they do not matter: executed freely where that works.
//!
//! A free run takes whatever way its values allow. If it returns, the call is part of a real
//! execution like any other. If it gets stuck, needs too long or cannot be evaluated, everything
//! it did is undone; where there was more than one way it is tried again along others, else the
//! call is skipped.

use lariat_ir::ProcId;

use super::{Machine, Store};

/// Statements that one free run may execute.
const MAX_STEPS: u64 = 20_000;

/// Statements of all free runs of a replay.
const MAX_STEPS_IN_ALL: u64 = 2_000_000;

/// Ways that are tried before a call is skipped.
const MAX_WAYS: u32 = 12;

/// Skipped calls after which a procedure is always skipped.
const MAX_ATTEMPTS: u32 = 3;

/// What a free run may have to undo.
pub(super) struct FreeRun {
    callee: ProcId,
    steps: u64,
    /// How many other ways were tried before.
    way: u32,
    /// Some jump could have gone elsewhere.
    has_alternatives: bool,
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
            way: std::mem::take(&mut self.next_way),
            has_alternatives: false,
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

    /// Which of several possible targets a free run takes that has failed before: each way another
    /// sequence of choices. `None` if it is no such run.
    pub(super) fn free_choice(&mut self, count: usize) -> Option<usize> {
        let run = self.free_run.as_mut()?;
        run.has_alternatives |= count > 1;
        if run.way == 0 || count == 0 {
            return None;
        }
        // A bit mixer: neighbouring steps and ways must not choose alike.
        let mut mixed = (u64::from(run.way) << 32 | run.steps).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Some((mixed >> 40) as usize % count)
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

    /// Undoes the free run and tries another way or skips its call; `false` if there is none.
    pub(super) fn abandon_free_run(&mut self) -> bool {
        let Some(run) = self.free_run.take() else {
            return false;
        };
        self.stack.truncate(run.depth);
        self.globals = run.globals;
        self.events.truncate(run.events);
        self.opened.retain(|_, event| *event < run.events);
        self.forget_records(run.events);
        self.doubts.truncate(run.doubts);
        self.activations = run.activations;
        self.skipped = run.skipped;
        self.guessed = run.guessed;
        self.pending.clear();
        if run.has_alternatives && run.way + 1 < MAX_WAYS {
            // The machine stands at the call again.
            self.next_way = run.way + 1;
        } else {
            *self.failed_free_runs.entry(run.callee).or_default() += 1;
            self.skip_call_here();
        }
        true
    }
}
