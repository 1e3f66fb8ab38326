//! MP as a process that takes part in compositions.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use lariat_base::Budget;
use lariat_lts::{
    ActionId, Alphabet, Lts, LtsBuilder, Process, ReturnValue, StateId, StateKind, Stopped, Transition,
};

use super::{Abstraction, Control, MpState};
use crate::cfa::{Alternative, Label, LocationId};
use crate::component::Component;

/// A component and one abstraction of it.
pub struct Mp<'a> {
    pub component: &'a mut Component,
    pub abstraction: &'a mut Abstraction,
}

impl Component {
    fn alternative(&self, location: LocationId, alternative: u16) -> Option<&Alternative> {
        match &self.cfa.locations[location].label {
            Label::Call(site) => self.cfa.routines[site.routine]
                .alternatives
                .get(usize::from(alternative)),
            _ => None,
        }
    }

    /// The system that is inlined at a call-site.
    pub fn inlined(&self, location: LocationId, alternative: u16) -> Option<Rc<Lts>> {
        self.alternative(location, alternative)
            .map(|alternative| Rc::clone(&alternative.process))
    }

    /// The value with which an action of the inlined system returns; `None` if it is not a return.
    pub fn returned_by(
        &self,
        location: LocationId,
        alternative: u16,
        action: ActionId,
    ) -> Option<ReturnValue> {
        let alternative = self.alternative(location, alternative)?;
        let position = alternative.returns.iter().position(|&(own, _)| own == action)?;
        Some(alternative.returns[position].1)
    }
}

impl Mp<'_> {
    /// All reachable states; they have the same numbers as in the abstraction.
    pub fn explore(&mut self, budget: &Budget, state_limit: usize) -> Result<Lts, Stopped> {
        let initial = self.initial()?;
        let mut found: Vec<Vec<Transition>> = Vec::new();
        while found.len() < self.abstraction.state_count() {
            budget.check()?;
            if self.abstraction.state_count() > state_limit {
                return Err(Stopped::StateLimit(state_limit));
            }
            let mut transitions = Vec::new();
            self.successors(StateId::new(found.len()), &mut transitions)?;
            found.push(transitions);
        }
        let mut builder = LtsBuilder::new();
        builder.extend_alphabet(self.component.alphabet.iter());
        for index in 0..found.len() {
            let kind = self.kind(StateId::new(index));
            builder.state(kind);
        }
        for (index, transitions) in found.iter().enumerate() {
            for transition in transitions {
                builder.transition(StateId::new(index), transition.action, transition.target);
            }
        }
        Ok(builder.finish(initial))
    }
}

impl Process for Mp<'_> {
    fn alphabet(&self) -> &Alphabet {
        &self.component.alphabet
    }

    fn initial(&mut self) -> Result<StateId, Stopped> {
        Ok(self.abstraction.number(MpState::init()))
    }

    fn kind(&self, state: StateId) -> StateKind {
        self.abstraction
            .kind(self.component, self.abstraction.state(state).control)
    }

    fn successors(&mut self, state: StateId, into: &mut Vec<Transition>) -> Result<(), Stopped> {
        let state = self.abstraction.state(state).clone();
        for (action, target) in self.abstraction.steps(self.component, &state, None)? {
            let target = self.abstraction.number(target);
            into.push(Transition { action, target });
        }
        Ok(())
    }

    fn state_name(&self, state: StateId) -> Option<String> {
        let state = self.abstraction.state(state);
        let values = state
            .valuation
            .iter()
            .map(u16::to_string)
            .collect::<Vec<_>>()
            .join(",");
        Some(match state.control {
            Control::Init => "INIT".to_owned(),
            Control::Stop => "STOP".to_owned(),
            Control::At(location) => format!("{location}({values})"),
            Control::Inlined { location, state, .. } => format!("{location}({values},{state})"),
        })
    }
}
