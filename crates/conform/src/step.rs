//! What a step of MP means for the component itself: the transformer of a pair of control states.

use lariat_lts::{ActionId, ReturnValue};
use lariat_term::TermId;

use crate::abstraction::Control;
use crate::cfa::{Label, LocationId, Transformer};
use crate::component::Component;

impl Component {
    /// The transformer of a step; steps inside of inlined systems change nothing.
    pub fn step_transformer(&mut self, from: Control, to: Control, action: ActionId) -> Transformer {
        match (from, to) {
            (Control::Init, _) => Transformer::assume(self.cfa.guard),
            (Control::At(source), Control::At(target)) => match self.cfa.edge_between(source, target) {
                Some(edge) => self.cfa.edges[edge].transformer.clone(),
                None => Transformer::identity(&mut self.cfa.pool),
            },
            (Control::At(location), Control::Inlined { alternative, .. }) => {
                match self.cfa.locations[location].label.clone() {
                    Label::Call(site) => Transformer::assume(self.cfa.guard_at(&site, alternative.into())),
                    _ => Transformer::identity(&mut self.cfa.pool),
                }
            }
            (
                Control::Inlined {
                    location,
                    alternative,
                    state,
                },
                Control::At(_),
            ) => {
                let returned: Vec<ReturnValue> = match self.inlined(location, alternative) {
                    Some(process) => process
                        .transitions(state)
                        .iter()
                        .filter_map(|transition| self.returned_by(location, alternative, transition.action))
                        .collect(),
                    None => Vec::new(),
                };
                self.returned(location, &returned)
            }
            (Control::At(location), Control::Stop) => match self.cfa.locations[location].label {
                Label::Return(Some(value)) => self.return_value(value, action),
                _ => Transformer::identity(&mut self.cfa.pool),
            },
            _ => Transformer::identity(&mut self.cfa.pool),
        }
    }

    /// One of the values that may be returned here (the disjunction of Fig. 7).
    fn returned(&mut self, location: LocationId, values: &[ReturnValue]) -> Transformer {
        let edges: Vec<Transformer> = values
            .iter()
            .filter_map(|&value| self.cfa.edge_returning(location, value))
            .map(|edge| self.cfa.edges[edge].transformer.clone())
            .collect();
        // Any value at all.
        if let Some(any) = edges.iter().find(|transformer| !transformer.inputs.is_empty()) {
            return any.clone();
        }
        match (
            edges.as_slice(),
            edges.first().and_then(|first| first.assignments.first()),
        ) {
            ([], _) => Transformer::identity(&mut self.cfa.pool),
            ([only], _) | ([only, ..], None) => only.clone(),
            (_, Some(&(var, _))) => {
                let input = self.cfa.fresh_input(var);
                let value = self.cfa.pool.var(input);
                let choices: Vec<TermId> = edges
                    .iter()
                    .flat_map(|transformer| &transformer.assignments)
                    .map(|&(_, literal)| self.cfa.pool.eq(value, literal))
                    .collect();
                Transformer {
                    inputs: vec![input],
                    assumption: self.cfa.pool.or(&choices),
                    assignments: vec![(var, value)],
                }
            }
        }
    }

    fn return_value(&mut self, value: TermId, action: ActionId) -> Transformer {
        let own = self.own.clone();
        let mut conditions = Vec::new();
        for &(number, return_action) in own.values.iter().filter(|_| own.observed) {
            let Some(equal) = self.cfa.equals_return(value, number) else {
                continue;
            };
            if return_action == action {
                conditions.push(equal);
            } else if action == own.other {
                conditions.push(self.cfa.pool.not(equal));
            }
        }
        Transformer::assume(self.cfa.pool.and(&conditions))
    }
}
