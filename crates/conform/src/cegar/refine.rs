//! Refinement of the predicates of one component.

use std::collections::BTreeSet;

use lariat_lts::Stopped;

use super::{Cegar, Next, Run, Verdict};
use crate::abstraction::{Abstraction, Control};
use crate::cfa::{Failure, Label};
use crate::counterexample::{Condition, Counterexample};
use crate::infer::Candidate;
use crate::minimise::{Minimise, Spurious, smallest_union};

impl Cegar<'_> {
    /// Chooses predicates that eliminate this counterexample and all before it.
    pub(super) fn refine(
        &mut self,
        index: usize,
        counterexample: Counterexample,
        core: &[Condition],
    ) -> Result<Next, Stopped> {
        let options = self.options.minimise;
        let component = &mut self.components[index];
        let mut candidates = component.candidates();
        candidates.extend(&self.found[index]);
        let mut eliminating = Vec::new();
        // A path that only goes round more often than an earlier one will be followed by one that goes round once more.
        let goes_round = self.spurious[index]
            .iter()
            .any(|earlier| steps_of(&earlier.counterexample) == steps_of(&counterexample));
        if !goes_round {
            let preferred = in_core(&counterexample, core, &candidates);
            eliminating = component.eliminating_sets(
                &counterexample,
                &candidates,
                &preferred,
                &options,
                self.budget,
            )?;
        }
        if eliminating.is_empty() {
            let found = component.path_invariants(&counterexample, core, self.budget)?;
            let found = component.add_found(found);
            self.found[index].push(found);
            candidates.push(found);
            eliminating =
                component.eliminating_sets(&counterexample, &candidates, &[found], &options, self.budget)?;
        }
        let Some(first) = eliminating.first().cloned() else {
            let reason = "no predicates were found that rule out a spurious counterexample";
            return Ok(Next::Done(Verdict::Unknown(reason.to_owned())));
        };
        self.spurious[index].push(Spurious {
            counterexample,
            eliminating,
        });
        let spurious = &self.spurious[index];
        let mut used: BTreeSet<Candidate> = self.abstractions[index].candidates.iter().copied().collect();
        let chosen: Vec<Candidate> = match options.mode {
            Minimise::Optimal => {
                let families: Vec<&[BTreeSet<Candidate>]> =
                    spurious.iter().map(|one| one.eliminating.as_slice()).collect();
                smallest_union(&families).into_iter().collect()
            }
            Minimise::None => {
                used.extend(first);
                used.into_iter().collect()
            }
            Minimise::Greedy => {
                used.extend(first);
                component.greedily(used.into_iter().collect(), spurious, options.seed, self.budget)?
            }
        };
        self.abstractions[index] = Abstraction::new(&mut self.components[index], chosen)?;
        Ok(Next::Refined(index))
    }

    /// What has no meaning here and lies on the way of a counterexample that the components can go.
    pub(super) fn unsupported_in(&self, runs: &[Run]) -> Option<String> {
        for (component, run) in self.components.iter().zip(runs) {
            for control in &run.path.controls {
                if let Control::At(location) = control
                    && let Label::Fail(Failure::Unsupported(reason)) =
                        &component.cfa.locations[*location].label
                {
                    return Some(format!("{reason} in {}", component.name));
                }
            }
        }
        None
    }
}

/// The steps that a path is made of, however often it takes them.
fn steps_of(counterexample: &Counterexample) -> BTreeSet<(Control, Control)> {
    let pairs = counterexample.controls.windows(2);
    pairs.map(|pair| (pair[0], pair[1])).collect()
}

/// The candidates whose conditions are in the core.
fn in_core(counterexample: &Counterexample, core: &[Condition], candidates: &[Candidate]) -> Vec<Candidate> {
    let mut preferred = Vec::new();
    for condition in core {
        let Some(Control::At(location)) = counterexample.controls.get(condition.step) else {
            continue;
        };
        let matching = candidates.iter().filter(|candidate| match candidate {
            Candidate::Condition(own) | Candidate::Guard(own, _) => own == location,
            _ => false,
        });
        preferred.extend(matching);
    }
    preferred
}
