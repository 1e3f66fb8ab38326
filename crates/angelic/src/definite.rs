//! Which failures no environment avoids.
//!
//! An execution that fails before it comes to the failure does not avoid it; one that passes it by and fails later does.

use std::collections::BTreeSet;
use std::time::Instant;

use lariat_interp::{Event, EventKind, Place};
use lariat_ir::{AssertId, Program, Stmt, StmtKind};
use lariat_passes::CallGraph;
use lariat_report::Confidence;
use lariat_smt::{Ast, SolverError};

use crate::analysis::{Analysis, FoundWarning};
use crate::permissive::Inevitable;

impl Analysis<'_, '_> {
    /// Whether a failure that no specification excludes is definite is asked at the end, when all specifications are known
    /// and every other failing assertion is either excluded or reported. What was reported for a callee is reported again only
    /// then.
    pub(crate) fn find_definite(&mut self) -> Result<(), SolverError> {
        let started = Instant::now();
        let mut literals: Vec<Ast> = self.active.iter().map(|active| active.literal).collect();
        literals.extend(&self.lemmas);
        let is_candidate = |warning: &FoundWarning| warning.confidence == Confidence::NotExpressible;
        let mut definite: BTreeSet<AssertId> = BTreeSet::new();
        for warning in self
            .result
            .warnings
            .iter()
            .filter(|warning| is_candidate(warning))
        {
            let avoiding = self.reported.intersection(&warning.later).copied().collect();
            let asked = Inevitable {
                assert: Some(warning.assert),
                avoiding: &avoiding,
                literals: &literals,
            };
            if self
                .permissive
                .is_inevitable(&mut self.search, self.task, &asked)?
            {
                definite.insert(warning.assert);
            }
        }
        for warning in &mut self.result.warnings {
            if definite.contains(&warning.assert) {
                warning.confidence = Confidence::Definite;
            }
        }
        let weak = &self.task.weak;
        self.result
            .warnings
            .retain(|warning| warning.confidence == Confidence::Definite || !weak.contains(&warning.assert));
        // C has no preconditions that could contradict each other.
        let is_silent = self.task.front_end.c.is_none() && self.result.stats.traces == 0;
        if is_silent && self.incomplete.is_none() {
            let asked = Inevitable {
                assert: None,
                avoiding: &self.reported,
                literals: &[],
            };
            self.result.is_vacuous = self
                .permissive
                .is_inevitable(&mut self.search, self.task, &asked)?;
        }
        self.result.stats.permissive_seconds += started.elapsed().as_secs_f64();
        Ok(())
    }
}

/// The assertions that control can come to after the end of an execution, if that did not fail.
pub(crate) fn later_assertions(program: &Program, calls: &CallGraph, events: &[Event]) -> BTreeSet<AssertId> {
    let mut stack: Vec<Place> = Vec::new();
    for event in events {
        match event.kind {
            EventKind::Call { .. } => stack.push(event.place),
            EventKind::Return { .. } => {
                stack.pop();
            }
            _ => {}
        }
    }
    stack.extend(events.last().map(|event| event.place));
    let mut later = BTreeSet::new();
    for place in stack {
        let blocks = &program.procs[place.proc].blocks;
        let rest = blocks[place.block].stmts.iter().skip(place.index + 1);
        rest.for_each(|stmt| note(program, calls, stmt, &mut later));
        let mut seen = BTreeSet::new();
        let mut work = blocks[place.block].successors().to_vec();
        while let Some(block) = work.pop() {
            if seen.insert(block) {
                let stmts = blocks[block].stmts.iter();
                stmts.for_each(|stmt| note(program, calls, stmt, &mut later));
                work.extend(blocks[block].successors());
            }
        }
    }
    later
}

/// Adds what a statement asserts, itself or in what it calls.
fn note(program: &Program, calls: &CallGraph, stmt: &Stmt, later: &mut BTreeSet<AssertId>) {
    match &stmt.kind {
        StmtKind::Assert { assert, .. } => {
            later.insert(*assert);
        }
        StmtKind::Call(call) => {
            let reachable = calls.reachable_from(call.callee);
            let procs = program.procs.iter().filter(|(proc, _)| reachable.contains(*proc));
            let stmts = procs.flat_map(|(_, proc)| proc.blocks.values().flat_map(|block| &block.stmts));
            later.extend(stmts.filter_map(|stmt| match stmt.kind {
                StmtKind::Assert { assert, .. } => Some(assert),
                _ => None,
            }));
        }
        _ => {}
    }
}
