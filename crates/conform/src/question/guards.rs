//! Whether guards make sense: a component can start (§3.5), and exactly one system describes each call of a routine (§3.4).

use lariat_lts::Stopped;

use super::{Loader, located_error};
use crate::cfa::EdgeId;
use crate::component::Component;
use crate::front_end::{ComponentInput, RoutineInput};

impl Loader<'_> {
    /// A component that cannot start would conform to anything.
    pub(super) fn check_start(
        &mut self,
        input: &ComponentInput,
        component: &mut Component,
    ) -> Result<(), Stopped> {
        let Some(guard) = &input.guard else {
            return Ok(());
        };
        let edges: Vec<EdgeId> = component.cfa.outgoing[component.cfa.initial].to_vec();
        for edge in edges {
            let assumption = component.cfa.edges[edge].transformer.assumption;
            if component.prover.admissible(&component.cfa, &[assumption])? {
                return Ok(());
            }
        }
        let message = format!("`{}` can never start: its guard does not hold", input.name);
        self.diagnostics.push(
            located_error("conform-guard", guard.span, message)
                .hint("globals have the values that C gives them; declare one `extern` without a definition to leave it open"),
        );
        Ok(())
    }

    /// Guards exclude each other and leave nothing out (§3.4).
    pub(super) fn check_guards(
        &mut self,
        component: &mut Component,
        inputs: &[RoutineInput],
    ) -> Result<(), Stopped> {
        let ids: Vec<_> = component.cfa.routines.keys().collect();
        for id in ids {
            let routine = component.cfa.routines[id].clone();
            let Some(input) = inputs.iter().find(|input| input.name == routine.name) else {
                continue;
            };
            let guards: Vec<_> = routine
                .alternatives
                .iter()
                .map(|alternative| alternative.guard)
                .collect();
            let place = |index: usize| input.alternatives[index].0.span;
            for second in 0..guards.len() {
                for first in 0..second {
                    if component
                        .prover
                        .admissible(&component.cfa, &[guards[first], guards[second]])?
                    {
                        let message = format!("two guards of `{}` can hold at once", routine.name);
                        let mut diagnostic = located_error("conform-guards", place(second), message);
                        if let Some(span) = place(first) {
                            diagnostic = diagnostic.related(span, "the other");
                        }
                        self.diagnostics
                            .push(diagnostic.hint(
                                "guards must exclude each other, so that one system says what is done",
                            ));
                    }
                }
            }
            let none: Vec<_> = guards
                .iter()
                .map(|&guard| component.cfa.pool.not(guard))
                .collect();
            if component.prover.admissible(&component.cfa, &none)? {
                let message = format!("no guard of `{}` may hold", routine.name);
                self.diagnostics.push(
                    located_error("conform-guards", place(0), message)
                        .hint("guards must cover all cases: add an alternative for the others"),
                );
            }
        }
        Ok(())
    }
}
