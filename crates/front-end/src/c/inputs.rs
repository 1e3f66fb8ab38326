//! The inputs of a trace, and where the user's code failed.

use lariat_c_program::Type;
use lariat_interp::{Change, ChangeKind, Event, EventKind};
use lariat_report::{Input, Location};

use super::values::literal;
use crate::FrontEnd;
use crate::rendering;

impl FrontEnd {
    /// The values that came from outside, in the order in which the program asked for them.
    pub fn inputs(&self, events: &[Event]) -> Vec<Input> {
        let Some(c) = &self.c else {
            return Vec::new();
        };
        let mut inputs = Vec::new();
        for event in events {
            let EventKind::Havoc { changes } = &event.kind else {
                continue;
            };
            let Some(stmt) = event.place.stmt(&self.program) else {
                continue;
            };
            let Some(source) = c.names.inputs.get(&stmt.id) else {
                continue;
            };
            let types = &c.program.types;
            let value = changes
                .iter()
                .find(|change| change.var == source.var)
                .map(new_value);
            inputs.push(Input {
                function: source.function.clone(),
                ty: match types.get(source.ty) {
                    // One without a tag has no name that a harness could use.
                    Type::Enum(id) => types.enums[*id].underlying.name().to_owned(),
                    _ => types.name(source.ty),
                },
                value: value
                    .flatten()
                    .map_or_else(|| "0".into(), |value| literal(types, source.ty, value)),
                location: Some(rendering::location(&self.sources, source.span)),
                writes: Vec::new(),
            });
        }
        inputs
    }

    /// Where the user's own code fails, if the failure is inside a model of the library: the call of the model.
    pub fn user_place(&self, events: &[Event]) -> Option<Location> {
        let c = self.c.as_ref()?;
        let failing = events.last()?;
        if !c.is_model(&self.program.procs[failing.place.proc].name) {
            return None;
        }
        // The last call that was made by user code and has not returned, in the thread that fails.
        let mut open = Vec::new();
        for event in events.iter().filter(|event| event.thread == failing.thread) {
            match &event.kind {
                EventKind::Call { .. } => open.push(event),
                EventKind::Return { .. } => {
                    open.pop();
                }
                _ => {}
            }
        }
        let is_users = |event: &Event| !c.is_model(&self.program.procs[event.place.proc].name);
        let call = open.into_iter().rev().find(|event| is_users(event));
        // A thread that ends has left the user's code.
        let mut own = events.iter().rev().filter(|event| event.thread == failing.thread);
        let last = own.find(|event| is_users(event) && event.place.span(&self.program).is_some());
        let span = call.or(last)?.place.span(&self.program)?;
        Some(rendering::location(&self.sources, span))
    }
}

fn new_value(change: &Change) -> Option<&lariat_term::Value> {
    match &change.kind {
        ChangeKind::Whole { new, .. } => new.as_ref(),
        ChangeKind::Elements(_) => None,
    }
}
