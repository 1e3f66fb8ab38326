//! Why no execution reaches a goal, in terms of the source.

use lariat_front_end::FrontEnd;
use lariat_ir::{BlockId, ProcId};
use lariat_report::{CoverGoalKind, CoverStatus};
use rustc_hash::FxHashSet;

use crate::goals::{Goal, Goals, description};

/// The reason of a goal that was proved dead.
pub fn reason(front_end: &FrontEnd, goals: &Goals, statuses: &[CoverStatus], dead: usize) -> String {
    let goal = &goals.goals[dead];
    let is_reached = |index: usize| matches!(statuses[index], CoverStatus::Reached { .. });
    let is_dead = |index: usize| matches!(statuses[index], CoverStatus::Dead { .. });
    let others = |kind: CoverGoalKind| {
        let all = goals.goals.iter().enumerate();
        all.filter(move |(index, other)| {
            *index != dead && other.kind == kind && other.function == goal.function
        })
    };
    if goal.kind == CoverGoalKind::Function {
        return "no execution enters it".to_owned();
    }
    if others(CoverGoalKind::Function).any(|(index, _)| is_dead(index)) {
        return format!("`{}` is never entered", goal.function);
    }
    if goal.kind == CoverGoalKind::Error {
        return "no execution fails here".to_owned();
    }
    let is_sibling = |other: &Goal| other.span == goal.span && other.text == goal.text;
    if goal.kind == CoverGoalKind::Branch
        && goal.side.is_some()
        && others(CoverGoalKind::Branch).any(|(index, other)| is_sibling(other) && is_reached(index))
    {
        let text = goal.text.as_deref().unwrap_or_default();
        return match goal.side.as_deref() {
            Some("true") => format!("`{text}` is false whenever it is evaluated"),
            Some("false") => format!("`{text}` is true whenever it is evaluated"),
            _ => format!("`{text}` never has such a value"),
        };
    }
    let before = before(front_end, goals, goal);
    if !before.is_empty() && before.iter().all(|&index| is_dead(index)) {
        let mut texts: Vec<String> = before
            .iter()
            .map(|&index| {
                let other = &goals.goals[index];
                let line = other.span.map(|span| front_end.sources.line_column(span).0);
                let line = line.map_or(String::new(), |line| format!(" (line {line})"));
                format!("{}{line}", description(other))
            })
            .collect();
        texts.dedup();
        return format!(
            "it can be reached only if {}, which never happens",
            texts.join(", or ")
        );
    }
    "no execution gets there".to_owned()
}

/// The branches that are the last ones before the goal, on all ways to it; empty if a way passes none.
fn before(front_end: &FrontEnd, goals: &Goals, goal: &Goal) -> Vec<usize> {
    let mut found = Vec::new();
    for &(proc, block) in &goal.sites {
        let data = &front_end.program.procs[proc];
        let predecessors = data.predecessors();
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut work: Vec<BlockId> = predecessors[block].to_vec();
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            match branches_at(goals, proc, block) {
                Some(here) => found.extend(here),
                None if block == data.entry => return Vec::new(),
                None => work.extend(&predecessors[block]),
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn branches_at(goals: &Goals, proc: ProcId, block: BlockId) -> Option<Vec<usize>> {
    let here = goals.of_block.get(&(proc, block))?.iter().copied();
    let branches: Vec<usize> = here
        .filter(|&index| goals.goals[index].kind == CoverGoalKind::Branch)
        .collect();
    (!branches.is_empty()).then_some(branches)
}
