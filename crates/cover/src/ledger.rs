//! What is known of each goal so far.

use lariat_interp::{Event, EventKind, Replay};
use lariat_report::{CoverExecution, CoverMeans, CoverStatus, Failure};
use rustc_hash::FxHashSet;

use crate::goals::Goals;

/// The state of a run, for all entries.
pub struct Ledger<'g> {
    pub goals: &'g Goals,
    /// Of each goal the execution that reaches it.
    pub reached: Vec<Option<usize>>,
    pub executions: Vec<CoverExecution>,
    /// Of each execution the goals on it.
    passed: Vec<FxHashSet<usize>>,
    /// What the entries before have found about goals that none of them reaches.
    earlier: Vec<Option<CoverStatus>>,
    /// What the present entry has found.
    present: Vec<Option<CoverStatus>>,
    /// No entry comes after the present one.
    pub is_last: bool,
    /// All entries are done.
    is_over: bool,
}

impl<'g> Ledger<'g> {
    pub fn new(goals: &'g Goals) -> Self {
        let count = goals.goals.len();
        Ledger {
            goals,
            reached: vec![None; count],
            executions: Vec::new(),
            passed: Vec::new(),
            earlier: vec![None; count],
            present: vec![None; count],
            is_last: false,
            is_over: false,
        }
    }

    /// The goals that the present entry still has to decide.
    pub fn open(&self) -> Vec<usize> {
        let all = 0..self.goals.goals.len();
        all.filter(|&goal| self.is_open(goal)).collect()
    }

    pub fn is_open(&self, goal: usize) -> bool {
        self.reached[goal].is_none() && self.present[goal].is_none()
    }

    pub fn decide(&mut self, goal: usize, status: CoverStatus) {
        if self.reached[goal].is_none() {
            self.present[goal] = Some(status);
        }
    }

    /// Goals that are open, or have no answer yet, get this one.
    pub fn decide_open(&mut self, status: &CoverStatus) {
        for goal in self.open() {
            self.decide(goal, status.clone());
        }
    }

    /// Notes a replayed execution that ends at `goal`; the goals that it is the first to reach.
    pub fn note(
        &mut self,
        entry: &str,
        found_by: CoverMeans,
        end: Failure,
        goal: usize,
        replay: Option<&Replay>,
    ) -> Vec<usize> {
        let mut passed = replay.map_or_else(FxHashSet::default, |replay| self.on(&replay.events));
        passed.insert(goal);
        let mut new: Vec<usize> = passed
            .iter()
            .copied()
            .filter(|&goal| self.reached[goal].is_none())
            .collect();
        new.sort_unstable();
        if !new.is_empty() {
            for &goal in &new {
                self.reached[goal] = Some(self.executions.len());
                self.present[goal] = None;
            }
            self.passed.push(passed);
            self.executions.push(CoverExecution {
                entry: entry.to_owned(),
                found_by,
                needed: false,
                end: Failure { id: None, ..end },
                test: None,
            });
        }
        new
    }

    /// The goals that an execution passes.
    fn on(&self, events: &[Event]) -> FxHashSet<usize> {
        let mut passed = FxHashSet::default();
        let goals = self.goals;
        for (index, event) in events.iter().enumerate() {
            match &event.kind {
                EventKind::AssertHeld | EventKind::AssertFailed { .. } => {
                    passed.extend(goals.of_place.get(&event.place).copied());
                }
                EventKind::Branch { target } => {
                    let is_assumption =
                        |later: &Event| later.place.block == *target && later.kind == EventKind::Assume;
                    let mut rest = events[index + 1..].iter();
                    let is_passed =
                        rest.any(|later| later.activation == event.activation && !is_assumption(later));
                    let here = goals.of_block.get(&(event.place.proc, *target));
                    passed.extend(here.into_iter().flatten().filter(|_| is_passed));
                }
                _ => {}
            }
        }
        passed
    }

    /// Ends the work on one entry: what it could not decide is kept with the others' answers, the weakest of all.
    pub fn end_entry(&mut self, otherwise: &str) {
        self.is_over = self.is_last;
        for goal in 0..self.goals.goals.len() {
            let present = self.present[goal].take().unwrap_or_else(|| CoverStatus::Unknown {
                reason: otherwise.to_owned(),
            });
            self.earlier[goal] = Some(match self.earlier[goal].take() {
                Some(earlier) => weaker(earlier, present),
                None => present,
            });
        }
    }

    pub fn status(&self, goal: usize) -> CoverStatus {
        if let Some(execution) = self.reached[goal] {
            return CoverStatus::Reached { execution };
        }
        match (&self.present[goal], &self.earlier[goal]) {
            (Some(present), Some(earlier)) if self.is_last => weaker(earlier.clone(), present.clone()),
            (Some(present), None) if self.is_last => present.clone(),
            (None, Some(earlier)) if self.is_over => earlier.clone(),
            _ => CoverStatus::Pending,
        }
    }

    /// Marks executions that reach all that is reached: those first that reach most.
    pub fn mark_needed(&mut self) {
        let mut missing: FxHashSet<usize> = (0..self.reached.len())
            .filter(|&goal| self.reached[goal].is_some())
            .collect();
        while !missing.is_empty() {
            let gain = |passed: &FxHashSet<usize>| passed.intersection(&missing).count();
            let best = (0..self.passed.len()).max_by_key(|&index| (gain(&self.passed[index]), index));
            let Some(best) = best.filter(|&best| gain(&self.passed[best]) > 0) else {
                break;
            };
            self.executions[best].needed = true;
            missing.retain(|goal| !self.passed[best].contains(goal));
        }
    }
}

/// The answer that claims less.
fn weaker(one: CoverStatus, other: CoverStatus) -> CoverStatus {
    let rank = |status: &CoverStatus| match status {
        CoverStatus::Reached { .. } => 4,
        CoverStatus::Dead { .. } => 3,
        CoverStatus::Bounded { .. } => 2,
        CoverStatus::Unknown { .. } => 1,
        CoverStatus::Pending => 0,
    };
    match (&one, &other) {
        (CoverStatus::Bounded { bound }, CoverStatus::Bounded { bound: less }) if less < bound => other,
        _ if rank(&other) < rank(&one) => other,
        _ => one,
    }
}
