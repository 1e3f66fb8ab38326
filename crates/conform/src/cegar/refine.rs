//! Refinement of the predicates of one component (§6).

use std::collections::BTreeSet;

use lariat_lts::Stopped;
use lariat_lts::language::path_with_trace;
use lariat_term::VarId;
use rustc_hash::FxHashMap;

use super::decide::{Suspect, Way};
use super::model::{Model, Small};
use super::{Cegar, Checked, Refutation, Run, Violation};
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
        refutation: Refutation,
    ) -> Result<bool, Stopped> {
        let mut next = Some((path, refutation));
        while let Some((path, refutation)) = next {
            if !self.eliminate(index, path, refutation)? {
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
    ) -> Result<Option<(Counterexample, Refutation)>, Stopped> {
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
        if let Some(refutation) = self.eliminated(index, &path)? {
            return Ok(Some((path, refutation)));
        }
        Ok(match self.components[index].check(&path, self.budget)? {
            PathCheck::Spurious { core } => Some((path, Refutation::Core(core))),
            _ => None,
        })
    }

    /// With optimal minimisation: the candidates that eliminate a path alone, if there are any. Then the component cannot go
    /// this way, since its abstraction cannot.
    pub(super) fn eliminated(
        &mut self,
        index: usize,
        path: &Counterexample,
    ) -> Result<Option<Refutation>, Stopped> {
        if !self.is_free(index) {
            return Ok(None);
        }
        let component = &mut self.components[index];
        let mut given: BTreeSet<Candidate> = in_conflict(component, path);
        given.extend(&self.found[index]);
        let found = self.alone(index, path, &given)?;
        Ok((!found.is_empty()).then_some(Refutation::Eliminated(found)))
    }

    /// Those of the candidates that eliminate a path alone.
    fn alone(
        &mut self,
        index: usize,
        path: &Counterexample,
        given: &BTreeSet<Candidate>,
    ) -> Result<Vec<Candidate>, Stopped> {
        let statistics = &mut self.statistics.minimise;
        self.components[index].eliminating_alone(path, given, &self.options.minimise, statistics)
    }

    /// Whether single branches are chosen.
    fn is_free(&self, index: usize) -> bool {
        self.options.minimise.mode == Minimise::Optimal && self.refinements[index] < MAX_SINGLE
    }

    /// Other counterexamples of the same search: one that all components can go, or else σ says more with those that this
    /// component cannot go.
    pub(super) fn learn_from(
        &mut self,
        index: usize,
        others: &[Suspect],
    ) -> Result<Option<Violation>, Stopped> {
        for other in others {
            self.budget.check()?;
            let Way::Along(path) = &other.ways[index] else {
                continue;
            };
            let counterexample = self.counterexample(index, path);
            let steps = steps_of(&counterexample);
            if self.spurious[index].iter().any(|earlier| earlier.steps == steps) {
                continue;
            }
            match self.check(other)? {
                Checked::Real(violation) => return Ok(Some(violation)),
                Checked::Spurious {
                    component,
                    refutation: Refutation::Eliminated(alone),
                    ..
                } if component == index => self.spurious[index].push(Spurious {
                    counterexample,
                    steps,
                    eliminating: alone.into_iter().map(|one| BTreeSet::from([one])).collect(),
                    goes_round: false,
                }),
                // It comes back if it has to be refuted.
                _ => {}
            }
        }
        Ok(None)
    }

    /// Chooses predicates that eliminate this path and all spurious ones before it.
    fn eliminate(
        &mut self,
        index: usize,
        counterexample: Counterexample,
        refutation: Refutation,
    ) -> Result<bool, Stopped> {
        let options = self.options.minimise;
        let steps = steps_of(&counterexample);
        let (eliminating, goes_round) = match refutation {
            Refutation::Eliminated(alone) => {
                let sets = alone.into_iter().map(|one| BTreeSet::from([one]));
                (sets.collect(), false)
            }
            Refutation::Core(core) => {
                let goes_round = self.goes_round(index, &steps);
                self.sets_by_core(index, &counterexample, &core, goes_round)?
            }
        };
        let Some(first) = eliminating.first().cloned() else {
            return Ok(false);
        };
        self.refinements[index] += 1;
        self.spurious[index].push(Spurious {
            counterexample,
            steps,
            eliminating,
            goes_round,
        });
        let spurious = &self.spurious[index];
        let mut used: BTreeSet<Candidate> = self.abstractions[index].candidates.iter().copied().collect();
        let chosen: Vec<Candidate> = match options.mode {
            Minimise::Optimal => {
                let chosen = self.components[index].optimally(&used, spurious)?;
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

    /// Eliminating sets of a path whose conditions exclude each other, and whether they are there to end going round.
    fn sets_by_core(
        &mut self,
        index: usize,
        counterexample: &Counterexample,
        core: &[Condition],
        goes_round: bool,
    ) -> Result<(Vec<BTreeSet<Candidate>>, bool), Stopped> {
        if self.is_free(index) {
            // Assumptions on the way seldom matter, and there are many of them.
            let component = &self.components[index];
            let all = component.candidates();
            let branches = all.iter().copied();
            let branches = branches
                .filter(|&candidate| !component.is_assumption(candidate))
                .collect();
            let alone = self.alone(index, counterexample, &branches)?;
            if !alone.is_empty() {
                let sets = alone.into_iter().map(|one| BTreeSet::from([one]));
                return Ok((sets.collect(), false));
            }
        }
        if goes_round {
            let sets = self.by_invariants(index, counterexample, core)?;
            if !sets.is_empty() {
                return Ok((sets, true));
            }
        }
        let mut sets = self.by_conditions(index, counterexample, core)?;
        if sets.is_empty() {
            sets = self.by_invariants(index, counterexample, core)?;
        }
        Ok((sets, false))
    }

    /// Eliminating sets of the program's conditions and of predicates that were found earlier.
    fn by_conditions(
        &mut self,
        index: usize,
        counterexample: &Counterexample,
        core: &[Condition],
    ) -> Result<Vec<BTreeSet<Candidate>>, Stopped> {
        let options = self.options.minimise;
        let is_single = self.is_free(index);
        let component = &mut self.components[index];
        if options.mode == Minimise::Path {
            let whole = on_path(component, counterexample);
            if component.eliminates(&whole, counterexample)? {
                return Ok(vec![whole.into_iter().collect()]);
            }
        }
        // One branch at a time, as in the paper, or all that compare the same expression.
        let is_optimal = options.mode == Minimise::Optimal;
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
                if !is_known && component.eliminates_again(&members, &earlier.counterexample)? {
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
            if !is_known && !set.is_subset(&in_use) && component.eliminates_again(&members, counterexample)? {
                eliminating.push(set);
            }
        }
        Ok(())
    }

    /// Whether the path only repeats a loop more often than earlier ones: the next would repeat it once more.
    fn goes_round(&self, index: usize, steps: &BTreeSet<(Control, Control)>) -> bool {
        let earlier = self.spurious[index].iter();
        earlier.filter(|earlier| earlier.steps == *steps).count() >= 2
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
            if component.eliminates_again(&[known], counterexample)? {
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
            if component.eliminates_again(&[found], &earlier.counterexample)? {
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
    component.candidates().iter().copied().filter(is_passed).collect()
}

/// The candidates whose conditions the path passes and that say something of it: that are false there, or depend on a value that
/// another condition depends on.
fn in_conflict(component: &mut Component, counterexample: &Counterexample) -> BTreeSet<Candidate> {
    let path = component.symbolic_path(counterexample);
    let mut uses: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut variables = Vec::new();
    for condition in &path.conditions {
        let vars = component.prover.variables(&component.cfa.pool, condition.term);
        for &var in vars.iter() {
            *uses.entry(var).or_default() += 1;
        }
        variables.push(vars);
    }
    let conditions = path.conditions.into_iter().zip(variables);
    let conflicting: Vec<Condition> = conditions
        .filter(|(_, vars)| vars.is_empty() || vars.iter().any(|var| uses[var] > 1))
        .map(|(condition, _)| condition)
        .collect();
    in_core(component, counterexample, &conflicting)
        .into_iter()
        .collect()
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
