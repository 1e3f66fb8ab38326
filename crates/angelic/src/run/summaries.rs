//! Which entries get summaries, and which summaries an entry gets.
//!
//! An entry that calls no other one that calls it back gets its summary when it is done. Entries that call themselves or each other get theirs
//! together when all of them have ended, done or not: their callers wait for that, and those that are not done yet start from it in the next
//! round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cranelift_entity::EntitySet;
use lariat_base::Budget;
use lariat_ir::{AssertId, OpenEntry, ProcId, Program, Stmt, StmtKind};

use super::{Done, Run};
use crate::specification::SpecText;
use crate::summary::induction::Member;
use crate::summary::{Attached, ProcSummary};

/// Entries that call themselves or each other.
pub(super) struct Recursive {
    components: Vec<Vec<usize>>,
    /// The position of each entry's component.
    of: BTreeMap<usize, usize>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How many members of each component have not ended in this round.
    running: BTreeMap<usize, usize>,
    /// What came of the members so far.
    ended: BTreeMap<usize, Arc<Done>>,
    summaries: BTreeMap<usize, ProcSummary>,
}

impl Recursive {
    pub fn new(components: Vec<Vec<usize>>) -> Self {
        let numbered = components.iter().enumerate();
        let of = numbered.flat_map(|(number, members)| members.iter().map(move |&member| (member, number)));
        Recursive {
            of: of.collect(),
            components,
            state: Mutex::new(State::default()),
        }
    }

    /// These entries are analysed next; what is known of the others stays.
    pub fn start_round(&self, chosen: &[usize], known: &[Option<Arc<Done>>]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.clear();
        for index in chosen {
            if let Some(&component) = self.of.get(index) {
                *state.running.entry(component).or_default() += 1;
            }
        }
        for &index in self.of.keys() {
            if let Some(done) = &known[index] {
                state.ended.insert(index, Arc::clone(done));
            }
        }
    }

    /// A member has ended. The members with what came of them, if it is the last one of its component.
    fn end(&self, index: usize, done: &Arc<Done>) -> Option<Vec<(usize, Arc<Done>)>> {
        let component = self.of.get(&index)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended.insert(index, Arc::clone(done));
        let running = state.running.get_mut(component)?;
        *running -= 1;
        if *running > 0 {
            return None;
        }
        let members = self.components[*component].iter();
        members
            .map(|member| Some((*member, Arc::clone(state.ended.get(member)?))))
            .collect()
    }

    fn summary(&self, index: usize) -> Option<ProcSummary> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.summaries.get(&index).cloned()
    }

    fn component(&self, index: usize) -> &[usize] {
        self.of
            .get(&index)
            .map_or(&[], |&component| &self.components[component])
    }
}

impl Run<'_> {
    /// The entries that others call which have to be analysed.
    pub(super) fn needing_summaries(&self) -> BTreeSet<usize> {
        let others = self.dependencies.iter().enumerate();
        let analysed = others.filter(|&(other, _)| self.reusable(other).is_none());
        analysed.flat_map(|(_, before)| before).copied().collect()
    }

    /// What is known of the procedures that an entry calls, its own included.
    pub(super) fn known_summaries(
        &self,
        index: usize,
        look_up: &dyn Fn(usize) -> Option<Arc<Done>>,
    ) -> Vec<ProcSummary> {
        let callees = self.dependencies[index].iter();
        let callees = callees.filter_map(|&other| match self.recursive.summary(other) {
            Some(summary) => Some(summary),
            None => look_up(other)?.summary.clone(),
        });
        let own = self.recursive.component(index).iter();
        callees
            .chain(own.filter_map(|&member| self.recursive.summary(member)))
            .collect()
    }

    /// Entries that call themselves or each other, and reach nothing that is checked, are not gone through: what cannot fail at all is proved
    /// before anything is known of them.
    pub(super) fn prove_idle(&self) {
        let mut checking: EntitySet<ProcId> = EntitySet::new();
        for (id, proc) in &self.front_end.program.procs {
            let mut stmts = proc.blocks.values().flat_map(|block| &block.stmts);
            let is_check = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assert { assert, .. } if self.switches.checks.contains_key(&assert));
            if stmts.any(is_check) {
                checking.insert(id);
            }
        }
        for members in &self.recursive.components {
            let first = self.entries[members[0]].proc;
            let reachable = self.calls.reachable_from(first);
            if self
                .front_end
                .program
                .procs
                .keys()
                .any(|proc| reachable.contains(proc) && checking.contains(proc))
            {
                continue;
            }
            let nothing: Vec<Member<'_>> = members
                .iter()
                .map(|&member| Member {
                    entry: &self.entries[member],
                    specs: &[],
                })
                .collect();
            let proved = self
                .summaries
                .of_component(&nothing, &[], &BTreeSet::new(), &[], self.budget);
            let proved = members
                .iter()
                .zip(proved)
                .filter_map(|(&member, summary)| Some((member, summary?)));
            let mut state = self
                .recursive
                .state
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            state.summaries.extend(proved);
        }
    }

    /// The summary of an entry, if it is needed and can be proved. Those of recursive ones are proved together.
    pub(super) fn summary(
        &self,
        index: usize,
        specs: &[SpecText],
        dropped: &BTreeSet<AssertId>,
        callees: &[Arc<Done>],
        known: &[ProcSummary],
        budget: &Budget,
    ) -> Option<ProcSummary> {
        if !self.needs_summary.contains(&index) || !self.recursive.component(index).is_empty() {
            return None;
        }
        let known: Vec<&ProcSummary> = known.iter().collect();
        let results = results_of(callees);
        self.summaries
            .of(&self.entries[index], specs, results, dropped, &known, budget)
    }

    /// Notes that an entry has ended; if it is the last one of a recursive component, the summaries of that are proved. That may
    /// take an entry's share of the time.
    pub(super) fn note_member(
        &self,
        index: usize,
        done: &Arc<Done>,
        share: Option<Duration>,
        look_up: &dyn Fn(usize) -> Option<Arc<Done>>,
    ) {
        let Some(ended) = self.recursive.end(index, done) else {
            return;
        };
        let is_wanted = |(index, done): &(usize, Arc<Done>)| {
            let is_done = done.reused.is_some() || done.result.is_done();
            !is_done || self.needs_summary.contains(index)
        };
        let is_known = |(index, _): &(usize, Arc<Done>)| self.recursive.summary(*index).is_some();
        if self.budget.check().is_err() || !ended.iter().any(is_wanted) || ended.iter().all(is_known) {
            return;
        }
        // The members have the same callees outside of their component.
        let outside = self.dependencies[index].iter();
        let (mut callees, mut known) = (Vec::new(), Vec::new());
        for &other in outside {
            let Some(done) = look_up(other) else { continue };
            known.extend(self.recursive.summary(other).or_else(|| done.summary.clone()));
            callees.push(done);
        }
        let known: Vec<&ProcSummary> = known.iter().collect();
        let dropped = ended
            .iter()
            .flat_map(|(_, done)| &done.dropped)
            .copied()
            .collect();
        let members: Vec<Member<'_>> = ended
            .iter()
            .map(|(member, done)| Member {
                entry: &self.entries[*member],
                specs: &done.specs,
            })
            .collect();
        let mut budget = self.budget.part();
        if let Some(share) = share {
            budget = budget.within(share);
        }
        let proved = self
            .summaries
            .of_component(&members, &results_of(&callees), &dropped, &known, &budget);
        let proved = ended
            .iter()
            .zip(proved)
            .filter_map(|((member, _), summary)| Some((*member, summary?)));
        let mut state = self
            .recursive
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        state.summaries.extend(proved);
    }

    /// The program with summaries of what the entry calls.
    pub(super) fn with_summaries(
        &self,
        entry: &OpenEntry,
        known: &[ProcSummary],
    ) -> (Program, Vec<Attached>) {
        let known: Vec<&ProcSummary> = known.iter().collect();
        let mut program = self.cones.cut(&self.front_end.program, self.calls, entry.proc);
        let attached = self
            .summaries
            .attach(&mut program, entry.proc, &known, &|pool, assert| {
                // What is reported is assumed.
                match self.switches.checks.get(&assert) {
                    Some(&check) => {
                        let is_checked = pool.var(check);
                        Some(pool.not(is_checked))
                    }
                    None => Some(pool.bool(true)),
                }
            });
        (program, attached)
    }
}

/// The specifications about results that hold for whoever calls these entries.
fn results_of(callees: &[Arc<Done>]) -> Vec<String> {
    let results = callees.iter().flat_map(|done| &done.inherited);
    results.map(|text| text.exact.clone()).collect()
}
