//! Refinement of the predicates of one component (§6).

use std::collections::BTreeSet;

use lariat_lts::Stopped;
use lariat_lts::language::path_with_trace;

use super::decide::{Suspect, Way};
use super::model::{Model, Small};
use super::{Cegar, Run};
use crate::abstraction::{Abstraction, Control};
use crate::cfa::{Failure, Label, LocationId};
use crate::component::Component;
use crate::counterexample::{Condition, Counterexample, PathCheck};
use crate::infer::Candidate;
use crate::minimise::{Choices, MAX_SINGLE, Minimise, Spurious};

impl Cegar<'_> {
    /// Chooses predicates that eliminate a path of the suspect, and all spurious ones before it; with action-guided
    /// abstraction, all paths with its trace. `false`: no predicates were found.
    pub(super) fn refine_predicates(
        &mut self,
        index: usize,
        suspect: &Suspect,
        path: Counterexample,
        core: &[Condition],
    ) -> Result<bool, Stopped> {
        let mut next = Some((path, core.to_vec()));
        while let Some((path, core)) = next {
            if !self.eliminate(index, path, &core)? {
                return Ok(false);
            }
            self.statistics.predicate_iterations += 1;
            next = self.next_spurious_path(index, suspect)?;
            if next.is_some() {
                self.report(self.statistics.states);
            }
        }
        Ok(true)
    }

    /// Copies of a component use the predicates that it needs: otherwise each would go through the same counterexamples. Not
    /// where predicates are given up again, since each has counterexamples of its own.
    pub(super) fn teach_copies(&mut self, index: usize) -> Result<(), Stopped> {
        if !matches!(self.options.minimise.mode, Minimise::None | Minimise::Path) {
            return Ok(());
        }
        let learned = self.abstractions[index].candidates.clone();
        for copy in 0..self.components.len() {
            if copy == index || !self.components[copy].is_copy_of(&self.components[index]) {
                continue;
            }
            // What was found beside the conditions of the program is a component's own.
            let shared = learned.iter().copied();
            let shared = shared.filter(|candidate| !matches!(candidate, Candidate::Found(_)));
            let own = &self.abstractions[copy].candidates;
            let together: BTreeSet<Candidate> = own.iter().copied().chain(shared).collect();
            if together.len() > own.len() {
                let together = together.into_iter().collect();
                self.abstractions[copy] = Abstraction::new(&mut self.components[copy], together)?;
                self.models[copy] = self.model(copy)?;
            }
        }
        Ok(())
    }

    /// Another path of MP with the trace that the component cannot go. There may be many; MP is explored only along
    /// them.
    fn next_spurious_path(
        &mut self,
        index: usize,
        suspect: &Suspect,
    ) -> Result<Option<(Counterexample, Vec<Condition>)>, Stopped> {
        let (Model::Explored(explored), &Way::To(goal)) = (&self.models[index], &suspect.ways[index]) else {
            return Ok(None);
        };
        if !matches!(explored.small, Small::Guided(_)) {
            return Ok(None);
        }
        self.budget.check()?;
        let kept = explored.kept.clone();
        let trace = kept.project(&suspect.trace);
        let is_silent = |action| !kept.contains(action);
        let Some(path) = path_with_trace(&mut self.mp(index), &trace, goal, is_silent)? else {
            return Ok(None);
        };
        let path = self.counterexample(index, &path);
        Ok(match self.components[index].check(&path, self.budget)? {
            PathCheck::Spurious { core } => Some((path, core)),
            _ => None,
        })
    }

    /// Chooses predicates that eliminate this path and all spurious ones before it.
    fn eliminate(
        &mut self,
        index: usize,
        counterexample: Counterexample,
        core: &[Condition],
    ) -> Result<bool, Stopped> {
        let options = self.options.minimise;
        let (mut eliminating, goes_round) = match self.goes_round(index, &counterexample) {
            true => (self.by_invariants(index, &counterexample, core)?, true),
            false => (Vec::new(), false),
        };
        let goes_round = goes_round && !eliminating.is_empty();
        if eliminating.is_empty() {
            eliminating = self.by_conditions(index, &counterexample, core)?;
        }
        if eliminating.is_empty() {
            eliminating = self.by_invariants(index, &counterexample, core)?;
        }
        let Some(first) = eliminating.first().cloned() else {
            return Ok(false);
        };
        self.spurious[index].push(Spurious {
            counterexample,
            eliminating,
            goes_round,
        });
        let spurious = &self.spurious[index];
        let mut used: BTreeSet<Candidate> = self.abstractions[index].candidates.iter().copied().collect();
        let chosen: Vec<Candidate> = match options.mode {
            Minimise::Optimal => {
                let kept = match spurious.len() <= MAX_SINGLE {
                    true => BTreeSet::new(),
                    false => used,
                };
                let chosen = self.components[index].optimally(kept, spurious)?;
                chosen.into_iter().collect()
            }
            Minimise::Path | Minimise::None => {
                used.extend(first);
                used.into_iter().collect()
            }
            Minimise::Greedy => {
                used.extend(first);
                let used = used.into_iter().collect();
                self.components[index].greedily(used, spurious, options.seed, self.budget)?
            }
        };
        self.abstractions[index] = Abstraction::new(&mut self.components[index], chosen)?;
        Ok(true)
    }

    /// Eliminating sets of the program's conditions and of predicates that were found earlier.
    fn by_conditions(
        &mut self,
        index: usize,
        counterexample: &Counterexample,
        core: &[Condition],
    ) -> Result<Vec<BTreeSet<Candidate>>, Stopped> {
        let options = self.options.minimise;
        let component = &mut self.components[index];
        if options.mode == Minimise::Path {
            let whole = on_path(component, counterexample);
            if component.eliminates(&whole, counterexample)? {
                return Ok(vec![whole.into_iter().collect()]);
            }
        }
        // One branch at a time, as in the paper, or all that compare the same expression.
        let is_optimal = options.mode == Minimise::Optimal;
        let is_single = is_optimal && self.spurious[index].len() < MAX_SINGLE;
        let choice = |component: &Component, candidate| match is_single {
            true => candidate,
            false => component.choice_of(candidate),
        };
        let core: Vec<Candidate> = in_core(component, counterexample, core)
            .into_iter()
            .map(|candidate| choice(component, candidate))
            .collect();
        let in_use = self.abstractions[index].candidates.clone();
        let mut others = in_use.clone();
        others.extend(&self.found[index]);
        let named = self.named[index].iter();
        others.extend(named.map(|&candidate| choice(component, candidate)));
        if is_optimal {
            // Alternatives to what the core names.
            let path = on_path(component, counterexample);
            others.extend(path.into_iter().map(|candidate| choice(component, candidate)));
        }
        let statistics = &mut self.statistics.minimise;
        let mut eliminating = component.eliminating_sets(
            counterexample,
            &Choices {
                core: &core,
                others: &others,
                in_use: &in_use,
            },
            &options,
            statistics,
            self.budget,
        )?;
        if eliminating.is_empty() {
            // Assumptions on the way seldom matter, and there are many of them.
            let is_choice = |candidate: &Candidate| !component.is_assumption(*candidate);
            others.extend(component.choices().into_iter().filter(is_choice));
            eliminating = component.eliminating_sets(
                counterexample,
                &Choices {
                    core: &core,
                    others: &others,
                    in_use: &in_use,
                },
                &options,
                statistics,
                self.budget,
            )?;
        }
        if !is_optimal {
            return Ok(eliminating);
        }
        self.named[index].extend(eliminating.iter().flatten());
        self.share_sets(index, counterexample, &mut eliminating)?;
        Ok(eliminating)
    }

    /// Eliminating sets of this counterexample that eliminate earlier ones, too, and the other way round.
    fn share_sets(
        &mut self,
        index: usize,
        counterexample: &Counterexample,
        eliminating: &mut Vec<BTreeSet<Candidate>>,
    ) -> Result<(), Stopped> {
        if eliminating.is_empty() {
            return Ok(());
        }
        let component = &mut self.components[index];
        let in_use: BTreeSet<Candidate> = self.abstractions[index].candidates.iter().copied().collect();
        let limit = self.options.minimise.max_eliminating;
        let mut earlier_sets: BTreeSet<BTreeSet<Candidate>> = BTreeSet::new();
        for earlier in self.spurious[index]
            .iter_mut()
            .filter(|earlier| !earlier.goes_round)
        {
            self.budget.check()?;
            earlier_sets.extend(earlier.eliminating.iter().cloned());
            for set in eliminating.iter() {
                if earlier.eliminating.len() >= limit {
                    break;
                }
                let members: Vec<Candidate> = set.iter().copied().collect();
                let is_known = earlier.eliminating.iter().any(|known| known.is_subset(set));
                if !is_known && component.eliminates(&members, &earlier.counterexample)? {
                    earlier.eliminating.push(set.clone());
                }
            }
        }
        for set in earlier_sets {
            if eliminating.len() >= limit {
                break;
            }
            let is_known = eliminating.iter().any(|known| known.is_subset(&set));
            let members: Vec<Candidate> = set.iter().copied().collect();
            // The counterexample exists in spite of what is in use.
            if !is_known && !set.is_subset(&in_use) && component.eliminates(&members, counterexample)? {
                eliminating.push(set);
            }
        }
        Ok(())
    }

    /// Whether the path only repeats a loop more often than earlier ones: the next would repeat it once more.
    fn goes_round(&self, index: usize, counterexample: &Counterexample) -> bool {
        let own = steps_of(counterexample);
        let earlier = self.spurious[index].iter();
        earlier
            .filter(|earlier| steps_of(&earlier.counterexample) == own)
            .count()
            >= 2
    }

    /// Eliminating sets of predicates beyond the program's conditions: found earlier, or found now and kept.
    fn by_invariants(
        &mut self,
        index: usize,
        counterexample: &Counterexample,
        core: &[Condition],
    ) -> Result<Vec<BTreeSet<Candidate>>, Stopped> {
        let component = &mut self.components[index];
        for &known in &self.found[index] {
            if component.eliminates(&[known], counterexample)? {
                return Ok(vec![BTreeSet::from([known])]);
            }
        }
        let found = component.path_invariants(counterexample, core, self.budget)?;
        let found = component.add_found(found);
        if !component.eliminates(&[found], counterexample)? {
            return Ok(Vec::new());
        }
        self.found[index].push(found);
        // It may eliminate earlier ones, too.
        for earlier in &mut self.spurious[index] {
            if component.eliminates(&[found], &earlier.counterexample)? {
                earlier.eliminating.push(BTreeSet::from([found]));
            }
        }
        Ok(vec![BTreeSet::from([found])])
    }

    /// An unsupported construct at the end of a counterexample that the components can follow.
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

/// The candidates whose conditions the path passes.
fn on_path(component: &Component, counterexample: &Counterexample) -> Vec<Candidate> {
    let at: BTreeSet<LocationId> = counterexample
        .controls
        .iter()
        .filter_map(|control| match control {
            Control::At(location) => Some(component.cfa.representative(*location)),
            _ => None,
        })
        .collect();
    let is_passed = |candidate: &Candidate| match candidate {
        Candidate::Condition(location) | Candidate::Guard(location, _) => at.contains(location),
        _ => false,
    };
    component.candidates().into_iter().filter(is_passed).collect()
}

/// The candidates whose conditions are in the core.
fn in_core(component: &Component, counterexample: &Counterexample, core: &[Condition]) -> Vec<Candidate> {
    let candidates = component.candidates();
    let mut preferred = Vec::new();
    for condition in core {
        let Some(Control::At(location)) = counterexample.controls.get(condition.step) else {
            continue;
        };
        let location = component.cfa.representative(*location);
        let matching = candidates.iter().filter(|candidate| match candidate {
            Candidate::Condition(own) | Candidate::Guard(own, _) => *own == location,
            _ => false,
        });
        preferred.extend(matching);
    }
    preferred
}
