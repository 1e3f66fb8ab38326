//! How a question is answered.

use lariat_base::Budget;

use super::Question;
use crate::behaviour::{Asks, Behaviour};
use crate::cegar::{Cegar, CegarVerdict, Iteration, Options, Property, Statistics};
use crate::cfa::EdgeId;
use crate::component::Component;

/// A model with more states is given up where there is another way: each way to an error is a question of its own.
const MAX_WHOLE: usize = 50_000;

impl Question {
    pub fn run(
        &mut self,
        property: Property,
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(Iteration),
    ) -> (CegarVerdict, Statistics) {
        let ways = match (self.is_reachability, self.components.as_slice()) {
            (true, [only]) => only.cfa.ways_to_errors().unwrap_or_default(),
            _ => Vec::new(),
        };
        if ways.len() < 2 {
            return self.run_whole(property, options, budget, progress);
        }
        let small = Options {
            state_limit: options.state_limit.min(MAX_WHOLE),
            ..options.clone()
        };
        let (verdict, statistics) = self.run_whole(property, &small, budget, progress);
        match verdict {
            CegarVerdict::Unknown(_) if budget.check().is_ok() => {
                self.run_one_by_one(&ways, options, budget, progress)
            }
            _ => (verdict, statistics),
        }
    }

    /// The errors of the only component, one way to them after the other.
    fn run_one_by_one(
        &mut self,
        ways: &[EdgeId],
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(Iteration),
    ) -> (CegarVerdict, Statistics) {
        let (mut answer, mut all) = (CegarVerdict::Conforms, Statistics::default());
        let whole = self.components[0].cfa.clone();
        for &way in ways {
            let before = &self.components[0];
            let made = Component::new(
                before.name.clone(),
                whole.with_one_way_to_errors(way),
                before.own.clone(),
                before.limits,
                budget,
            );
            match made {
                Ok(component) => self.components[0] = component.with_alphabet(&before.alphabet.clone()),
                Err(stopped) => return (CegarVerdict::Unknown(stopped.to_string()), all),
            }
            let (verdict, one) = self.run_whole(Property::Conformance, options, budget, progress);
            all = Statistics {
                states: all.states + one.states,
                predicate_iterations: all.predicate_iterations + one.predicate_iterations,
                action_iterations: all.action_iterations + one.action_iterations,
                ..one
            };
            match verdict {
                CegarVerdict::Conforms => {}
                CegarVerdict::Violates(_) => return (verdict, all),
                CegarVerdict::Unknown(_) => answer = verdict,
            }
        }
        (answer, all)
    }

    fn run_whole(
        &mut self,
        property: Property,
        options: &Options,
        budget: &Budget,
        progress: &mut dyn FnMut(Iteration),
    ) -> (CegarVerdict, Statistics) {
        if !matches!(self.asks, Asks::Traces) && property == Property::Conformance {
            let behaviour = Behaviour {
                components: &mut self.components,
                specification: &self.specification,
                asks: &self.asks,
                options,
                budget,
                progress,
            };
            return behaviour.run();
        }
        match Cegar::new(
            property,
            &mut self.components,
            &self.specification,
            options,
            budget,
            progress,
        ) {
            Ok(cegar) => cegar.run(),
            Err(stopped) => (CegarVerdict::Unknown(stopped.to_string()), Statistics::default()),
        }
    }
}
