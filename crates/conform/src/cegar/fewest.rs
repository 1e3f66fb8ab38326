//! The fewest predicates with which the property holds (§6.3).
//!
//! σ is solved freely where a search starts anew: at the beginning, and after the property was shown. In between, what is in use
//! stays and the cheapest that eliminates the new counterexamples comes in. So counterexamples are met that many sets of
//! predicates have, and σ has few models after few searches; with a free choice each time, hundreds of sets are tried that miss
//! one predicate each.
//!
//! Once the property is shown, the answer is known. A smallest model of σ that costs less than the set that showed it is tried then, until
//! there is none: the set is optimal for the eliminating sets that were generated. The number of these refinements is limited by
//! [`EXTRA`].

use std::collections::BTreeSet;

use lariat_lts::Stopped;

use super::Cegar;
use super::model::Model;
use crate::abstraction::Abstraction;
use crate::infer::Candidate;
use crate::minimise::{Cost, Minimise};

/// So many refinements for each that was needed to show the property may go into a smaller set.
const EXTRA: usize = 2;

/// Predicates that show the property, and the models with them.
pub(super) struct Shown {
    cost: Cost,
    abstractions: Vec<Abstraction>,
    models: Vec<Model>,
    states: usize,
    /// After this many refinements no smaller set is looked for.
    until: usize,
}

impl Cegar<'_> {
    /// The property holds with the present predicates. Whether a smaller set is to be tried: then it is in use.
    pub(super) fn try_fewer(&mut self) -> Result<bool, Stopped> {
        if self.options.minimise.mode != Minimise::Optimal {
            return Ok(false);
        }
        let cost = self.cost()?;
        if self.shown.as_ref().is_none_or(|shown| cost < shown.cost) {
            let count = self.statistics.predicate_iterations;
            self.shown = Some(Shown {
                cost,
                abstractions: std::mem::take(&mut self.abstractions),
                models: std::mem::take(&mut self.models),
                states: self.statistics.states,
                until: self
                    .shown
                    .as_ref()
                    .map_or(count * (1 + EXTRA), |shown| shown.until),
            });
        }
        self.choose_fewest()
    }

    /// The property was shown with fewer predicates than those in use now, and a smaller set is to be tried. `None`: there is no
    /// smaller set, or enough were tried.
    pub(super) fn start_anew(&mut self) -> Result<Option<bool>, Stopped> {
        let Some(shown) = &self.shown else {
            return Ok(Some(false));
        };
        if self.statistics.predicate_iterations >= shown.until {
            return Ok(None);
        }
        if self.cost()? < self.shown.as_ref().map_or((0, 0), |shown| shown.cost) {
            return Ok(Some(false));
        }
        Ok(self.choose_fewest()?.then_some(true))
    }

    /// Uses a smallest model of σ for each component, if that is less than what has shown the property.
    fn choose_fewest(&mut self) -> Result<bool, Stopped> {
        let Some(shown) = &self.shown else {
            return Ok(false);
        };
        if self.statistics.predicate_iterations >= shown.until {
            return Ok(false);
        }
        let mut fewest: Vec<Vec<Candidate>> = Vec::new();
        let mut least = (0, 0);
        for (component, spurious) in self.components.iter_mut().zip(&self.spurious) {
            self.budget.check()?;
            let chosen = component.optimally(&BTreeSet::new(), spurious)?;
            let chosen: Vec<Candidate> = chosen.into_iter().collect();
            let cost = component.cost(&chosen)?;
            least = (least.0 + cost.0, least.1 + cost.1);
            fewest.push(chosen);
        }
        if least >= shown.cost {
            return Ok(false);
        }
        self.abstractions.clear();
        self.models.clear();
        for (index, chosen) in fewest.into_iter().enumerate() {
            let abstraction = Abstraction::new(&mut self.components[index], chosen)?;
            self.abstractions.push(abstraction);
        }
        for index in 0..self.components.len() {
            let model = self.model(index)?;
            self.models.push(model);
        }
        self.forget_search();
        Ok(true)
    }

    /// Takes back the fewest predicates that have shown the property, if any have.
    pub(super) fn take_back_shown(&mut self) -> bool {
        let Some(shown) = self.shown.take() else {
            return false;
        };
        self.abstractions = shown.abstractions;
        self.models = shown.models;
        self.statistics.states = shown.states;
        true
    }

    fn cost(&mut self) -> Result<Cost, Stopped> {
        let mut sum = (0, 0);
        for (component, abstraction) in self.components.iter_mut().zip(&self.abstractions) {
            let cost = component.cost(&abstraction.candidates)?;
            sum = (sum.0 + cost.0, sum.1 + cost.1);
        }
        Ok(sum)
    }
}
