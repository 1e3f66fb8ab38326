//! How the entries share the time of a run.
//!
//! Easy entries come first, and each gets an equal share of the time that is left when it starts: what one does not need is
//! there for the others. The rest of the time goes to those whose share was too small. Without a time limit each entry is
//! analysed once, to its end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashMap;

use super::{Done, Event, Run};
use crate::schedule;

/// Of two results for one entry the one that says more: the second, unless it was cut off earlier than the first.
fn better(first: Arc<Done>, second: Arc<Done>) -> Arc<Done> {
    if second.result.says_as_much_as(&first.result) {
        second
    } else {
        first
    }
}

impl Run<'_> {
    /// Every entry once, and those that need more time again, as long as there is time.
    pub(super) fn all(&self) -> Vec<Option<Arc<Done>>> {
        let jobs = match self.request.jobs {
            0 => self.budget.cores(),
            jobs => jobs,
        };
        let all: Vec<usize> = (0..self.entries.len()).collect();
        let mut results: Vec<Option<Arc<Done>>> = vec![None; all.len()];
        self.prove_idle();
        self.round(&all, jobs, &mut results);
        // The rest of the time goes to those whose share was too small, and again as long as that ends some of them: then more is known for
        // the others.
        let mut left = usize::MAX;
        while self.request.entry_seconds.is_none() && self.budget.check().is_ok() {
            let needs_more = |index: &usize| matches!(&results[*index], Some(done) if done.needs_more_time);
            let again: Vec<usize> = all.iter().copied().filter(needs_more).collect();
            if again.is_empty() || again.len() >= left {
                break;
            }
            left = again.len();
            self.round(&again, jobs, &mut results);
        }
        self.tell(Event::End);
        results
    }

    /// Analyses some entries. Each gets an equal share of the time that is left when it starts.
    fn round(&self, chosen: &[usize], jobs: usize, results: &mut [Option<Arc<Done>>]) {
        let position: FxHashMap<usize, usize> = chosen
            .iter()
            .enumerate()
            .map(|(position, &index)| (index, position))
            .collect();
        let dependencies: Vec<BTreeSet<usize>> = chosen
            .iter()
            .map(|&index| {
                self.dependencies[index]
                    .iter()
                    .filter_map(|other| position.get(other))
            })
            .map(|before| before.copied().collect())
            .collect();
        let sizes: Vec<usize> = chosen.iter().map(|&index| self.sizes[index]).collect();
        let waiting = AtomicUsize::new(chosen.len());
        let known: &[Option<Arc<Done>>] = results;
        self.recursive.start_round(chosen, known);
        let work = |at: usize, look_up: &dyn Fn(usize) -> Option<Arc<Done>>| {
            let index = chosen[at];
            let waiting = waiting.fetch_sub(1, Ordering::Relaxed).max(1);
            let share = self.budget.remaining().map(|left| {
                let at_once = jobs.min(waiting) as u32;
                left * at_once / u32::try_from(waiting).unwrap_or(u32::MAX)
            });
            let look_up = |other: usize| match position.get(&other) {
                Some(&at) => look_up(at),
                None => known[other].clone(),
            };
            let done = match known[index].clone() {
                Some(first) if self.budget.check().is_err() => first,
                Some(first) => {
                    let second = self.entry(index, share, &first.result.specs, &look_up);
                    better(first, Arc::new(second))
                }
                None => Arc::new(self.entry(index, share, &[], &look_up)),
            };
            self.note_member(index, &done, share, &look_up);
            self.tell(Event::Done {
                entry: index,
                done: Arc::clone(&done),
            });
            done
        };
        let found = schedule::run(&dependencies, &sizes, jobs, &work);
        for (&index, done) in chosen.iter().zip(found) {
            results[index] = done.or(results[index].take());
        }
    }
}

#[cfg(test)]
mod tests {
    use lariat_report::EntryOutcome;

    use super::*;
    use crate::found::EntryResult;

    fn ended(traces: u64, bound: u32, outcome: EntryOutcome) -> Arc<Done> {
        let mut result = EntryResult {
            outcome: Some(outcome),
            bound,
            ..EntryResult::default()
        };
        result.stats.traces = traces;
        Arc::new(Done {
            result,
            needs_more_time: true,
            reused: None,
            dropped: BTreeSet::new(),
            weak: BTreeSet::new(),
            specs: Vec::new(),
            inherited: Vec::new(),
            summary: None,
        })
    }

    /// A second round that starts when the time is over has lost the specifications and warnings of the first.
    #[test]
    fn a_second_result_that_says_less_does_not_count() {
        let incomplete = || EntryOutcome::Incomplete {
            reason: "time limit reached".into(),
        };
        let traces = |first, second| better(first, second).result.stats.traces;
        let of = |traces| ended(traces, 0, incomplete());
        assert_eq!(traces(of(5), of(0)), 5);
        assert_eq!(traces(of(5), of(7)), 7);
        assert_eq!(traces(of(5), ended(3, 0, EntryOutcome::Done)), 3);
        let within = |bound| ended(5, bound, incomplete());
        assert_eq!(better(within(1), within(0)).result.bound, 1);
        assert_eq!(better(within(1), within(2)).result.bound, 2);
    }
}
