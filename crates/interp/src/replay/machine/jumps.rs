//! Which way a jump goes: as the trace says, unless the values do not allow it.

use lariat_ir::{BlockId, StmtKind};
use lariat_term::{Value, VarId};
use rustc_hash::FxHashSet;

use super::{Machine, Progress};
use crate::eval::Evaluation;
use crate::event::{EventKind, Place};
use crate::trace::TraceStep;

impl Machine<'_> {
    pub(super) fn jump(&mut self, targets: &[BlockId]) -> Progress {
        self.idle += u64::from(self.free_run.is_none());
        let target = match targets {
            [] if self.has_threads() => return self.end_thread(),
            [] => return Err(self.diverged("the execution stops here".into())),
            [target] => *target,
            _ => {
                let target = self.choose_target(targets)?;
                self.event(EventKind::Branch { target }, Vec::new(), Vec::new());
                target
            }
        };
        let place = &mut self.top_mut().place;
        place.block = target;
        place.index = 0;
        self.enter(target);
        Ok(())
    }

    /// Uses the step of the trace that says so.
    pub(super) fn enter(&mut self, block: BlockId) {
        if self.next_step() == Some(&TraceStep::Enter(block)) {
            self.use_step();
        }
    }

    fn choose_target(&mut self, targets: &[BlockId]) -> Progress<BlockId> {
        let wanted = match self.next_step() {
            Some(TraceStep::Enter(block)) if targets.contains(block) => Some(*block),
            _ => None,
        };
        if let Some(wanted) = wanted
            && (self.waits_at_start(wanted) || self.can_enter(wanted))
        {
            return Ok(wanted);
        }
        // The trace left out what is irrelevant here (a loop, a branch), so the values decide.
        let mut possible: Vec<BlockId> = Vec::new();
        let mut unsure: Vec<BlockId> = Vec::new();
        for &target in targets {
            match self.guards_hold(target) {
                Some(true) => possible.push(target),
                Some(false) => {}
                None => unsure.push(target),
            }
        }
        possible.extend(unsure);
        // The way that leads on along the trace; else the one least taken, to get out of loops.
        let goal = self.next_entered_block();
        if let Some(choice) = self.free_choice(possible.len()) {
            possible.swap(0, choice);
        } else {
            possible.sort_by_cached_key(|&target| {
                let leads_on = goal.is_some_and(|goal| self.reaches(target, goal));
                (!leads_on, self.top().visits.get(&target).copied().unwrap_or(0))
            });
        }
        let chosen = possible.into_iter().find(|&target| self.can_enter(target));
        match chosen.or(wanted) {
            Some(target) => {
                self.guessed += 1;
                *self.top_mut().visits.entry(target).or_default() += 1;
                Ok(target)
            }
            None => Err(self.diverged("the trace does not say which way the execution goes".into())),
        }
    }

    /// Whether the thread gives way before it looks at the assumes at the start of the block, where the trace goes next: what
    /// holds now does not matter.
    fn waits_at_start(&self, block: BlockId) -> bool {
        let top = self.top();
        let steps = top.frame.and_then(|frame| self.trace.frames.get(frame));
        let next = steps.and_then(|frame| frame.steps.get(top.position + 1));
        let Some(TraceStep::Move { before, .. }) = next else {
            return false;
        };
        let stmts = &self.program.procs[top.place.proc].blocks[block].stmts;
        let mut assumes = stmts
            .iter()
            .take_while(|stmt| matches!(stmt.kind, StmtKind::Assume(_) | StmtKind::Enter(_)));
        assumes.any(|stmt| stmt.id == *before)
    }

    /// Whether the assumes at the start of a block hold or open variables can be chosen such that
    /// they do; then they are.
    fn can_enter(&mut self, block: BlockId) -> bool {
        if let Some(known) = self.guards_hold(block) {
            return known;
        }
        let program = self.program;
        let proc = self.place().proc;
        let (pending, doubts) = (self.pending.clone(), self.doubts.len());
        let mut before: Vec<(VarId, Option<Value>)> = Vec::new();
        let mut holds = true;
        for (index, stmt) in program.procs[proc].blocks[block].stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Enter(_) => {}
                StmtKind::Assume(condition) if holds => {
                    let plan = self.plan(Place { proc, block, index }, stmt);
                    before.extend(plan.vars.iter().map(|&var| (var, self.value(var).cloned())));
                    holds = self.assume(*condition, &plan.vars);
                }
                _ => break,
            }
        }
        // What cannot be evaluated is noted when the assumes are executed.
        self.doubts.truncate(doubts);
        if !holds {
            for (var, value) in before.into_iter().rev() {
                self.set(var, value);
            }
            self.pending = pending;
        }
        holds
    }

    /// Whether the assumes at the start of a block hold; `None` if that is not known.
    fn guards_hold(&mut self, block: BlockId) -> Option<bool> {
        let program = self.program;
        let mut evaluation = Evaluation::default();
        let mut sure = true;
        let proc = self.place().proc;
        for (index, stmt) in program.procs[proc].blocks[block].stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Enter(_) => {}
                StmtKind::Assume(condition) => {
                    let vars = self.plan(Place { proc, block, index }, stmt);
                    // An open variable suits itself to the condition.
                    let is_open = vars.vars.iter().any(|&var| self.value(var).is_none())
                        || !self.pending.open_among(&vars.vars).is_empty();
                    match self.holds(&mut evaluation, *condition) {
                        Ok(true) => {}
                        Ok(false) if !is_open => return Some(false),
                        _ => sure = false,
                    }
                }
                _ => break,
            }
        }
        sure.then_some(true)
    }

    fn next_entered_block(&self) -> Option<BlockId> {
        let top = self.top();
        let steps = self.trace.frames.get(top.frame?)?.steps.get(top.position..)?;
        steps.iter().find_map(|step| match step {
            TraceStep::Enter(block) => Some(*block),
            _ => None,
        })
    }

    pub(super) fn trace_goes_on(&self) -> bool {
        self.stack.iter().any(|activation| {
            let frame = activation.frame.and_then(|frame| self.trace.frames.get(frame));
            frame.is_some_and(|frame| activation.position < frame.steps.len())
        })
    }

    fn reaches(&self, from: BlockId, to: BlockId) -> bool {
        let blocks = &self.program.procs[self.place().proc].blocks;
        let mut seen = FxHashSet::default();
        let mut stack = vec![from];
        while let Some(block) = stack.pop() {
            if block == to {
                return true;
            }
            if seen.insert(block) {
                stack.extend_from_slice(blocks[block].successors());
            }
        }
        false
    }
}
