//! Whether the parts of a project fit together: routines and their systems, routines and their C declarations, the
//! specification and what the components do.
//!
//! What makes an answer meaningless is an error: a routine that never returns hides all that follows its calls. What only
//! may be a slip, such as an action that no component does, is a warning.

use std::collections::BTreeSet;
use std::rc::Rc;

use lariat_base::{Diagnostic, Severity};
use lariat_c_program::{Scalar, Type, TypeId};
use lariat_lts::relabel::matches_any;
use lariat_lts::{ActionTable, Lts, ReturnValue, StateKind};

use super::{CSide, Loader, Question, RoutineInput};
use crate::behaviour::Asks;
use crate::cfa::Label;
use crate::component::Component;
use crate::front_end::Guard;
use crate::project::{Located, ProjectRoutine, Specification};

/// The most names in one message.
const MAX_NAMES: usize = 6;

impl Loader<'_> {
    pub(super) fn check_names_of_routines(&mut self) {
        let routines = &self.project.routines;
        for (index, routine) in routines.iter().enumerate() {
            if let Some(first) = routines[..index]
                .iter()
                .find(|other| other.name.text == routine.name.text)
            {
                let message = format!("`{}` is described twice", routine.name.text);
                self.diagnostics.push(
                    Diagnostic::error("conform-routine", routine.name.span, message)
                        .related(first.name.span, "the first description")
                        .hint("give one list of alternatives with guards"),
                );
            }
        }
    }

    /// A return action leads to `STOP` and nothing else does (§3.4).
    pub(super) fn check_returns(&mut self, system: &Lts, process: &Located, actions: &ActionTable) {
        let is_end = |state| {
            let has_ended = matches!(system.kind(state), StateKind::Stop | StateKind::End);
            has_ended || (system.kind(state) == StateKind::Ordinary && system.transitions(state).is_empty())
        };
        let mut wrong = BTreeSet::new();
        if is_end(system.initial()) {
            wrong.insert("does nothing and never returns".to_owned());
        }
        for (_, action, target) in system.triples() {
            match (actions[action].return_value().is_some(), is_end(target)) {
                (true, false) => wrong.insert(format!("goes on after `{}`", actions.name(action))),
                (false, true) => wrong.insert(format!(
                    "ends with `{}`, which is not a return",
                    actions.name(action)
                )),
                _ => false,
            };
        }
        for what in wrong.into_iter().take(MAX_NAMES) {
            let message = format!("process `{}` describes a routine and {what}", process.text);
            self.diagnostics
                .push(Diagnostic::error("conform-return", process.span, message).hint(
                    "a routine ends with a return: … -> return{} -> STOP, or return{0} -> STOP with a value",
                ));
        }
    }

    /// Routines have the parameters of their C declarations and return values of their types.
    pub(super) fn check_declarations(&mut self, side: &CSide, systems: &[(&ProjectRoutine, BTreeSet<i128>)]) {
        for (routine, returned) in systems {
            let functions = &mut side.program.functions.values();
            let Some(function) = functions.find(|function| *function.name == *routine.name.text) else {
                continue;
            };
            let types = &side.program.types;
            let Type::Function(declared) = types.get(function.ty) else {
                continue;
            };
            let name = &routine.name.text;
            let (given, count) = (routine.parameters.len(), declared.params.len());
            if given != 0 && given != count {
                let message = format!("`{name}` has {count} parameters in C, but {given} are named here");
                self.diagnostics.push(
                    Diagnostic::error("conform-routine", routine.name.span, message)
                        .related(function.span, "its declaration")
                        .hint("name all parameters, in their order"),
                );
            } else if given != 0 && declared.params.iter().any(|&param| types.scalar(param).is_none()) {
                let message =
                    format!("`{name}` has a parameter that is a struct or union: parameters cannot be named");
                self.diagnostics.push(
                    Diagnostic::error("conform-routine", routine.name.span, message)
                        .related(function.span, "its declaration")
                        .hint("leave `parameters` out"),
                );
            }
            let (least, most) = match types.scalar(declared.result) {
                Some(Scalar::Bool) => (0, 1),
                Some(Scalar::Int { bits, signed: true }) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
                Some(Scalar::Int { bits, signed: false }) => (0, (1_i128 << bits) - 1),
                Some(Scalar::Pointer) => (0, (1_i128 << 64) - 1),
                None if matches!(types.get(declared.result), Type::Void) => continue,
                _ => (0, -1),
            };
            if let Some(value) = returned.iter().find(|&value| !(least..=most).contains(value)) {
                let message = match least <= most {
                    true => format!("`{name}` cannot return {value}: its type in C has {least} to {most}"),
                    false => format!("`{name}` cannot return {value}: its type in C is not an integer type"),
                };
                self.diagnostics.push(
                    Diagnostic::error("conform-return", routine.name.span, message)
                        .related(function.span, "its declaration")
                        .hint("return a value of that type, or any value: return{}"),
                );
            }
        }
    }

    /// If the specification mentions returned values, the component must return integers.
    pub(super) fn check_result(&mut self, procedure: &Located, component: &Component, side: &CSide) {
        let mut functions = side.program.functions.values();
        let Some(function) = functions.find(|function| *function.name == *procedure.text) else {
            return;
        };
        let types = &side.program.types;
        let Type::Function(declared) = types.get(function.ty) else {
            return;
        };
        let has_number = match types.scalar(declared.result) {
            Some(scalar) => !matches!(scalar, Scalar::Float(_)),
            None => matches!(types.get(declared.result), Type::Void),
        };
        if component.own.observed && !has_number {
            let message = format!(
                "`{}` does not return an integer, but the specification mentions values that it returns",
                procedure.text
            );
            self.diagnostics.push(
                Diagnostic::error("conform-return", procedure.span, message)
                    .related(function.span, "its declaration")
                    .hint("write return{} for all of them"),
            );
        }
    }

    /// Warns about routines that are never called and actions that no component does.
    pub(super) fn check_use(&mut self, question: &Question, specification: &Specification) {
        self.tell_assumptions(question);
        let called: BTreeSet<&str> = question
            .components
            .iter()
            .flat_map(|component| {
                component
                    .cfa
                    .locations
                    .values()
                    .filter_map(|location| match &location.label {
                        Label::Call(site) => Some(component.cfa.routines[site.routine].name.as_str()),
                        _ => None,
                    })
            })
            .collect();
        for routine in &self.project.routines {
            if !called.contains(routine.name.text.as_str()) {
                let message = format!("no component can reach a call of `{}`", routine.name.text);
                self.tell_once(
                    Diagnostic::warning("conform-routine", routine.name.span, message)
                        .hint("check the name; the actions of a call that is never reached are in the alphabet of its component, which blocks them"),
                );
            }
        }
        let place = specification
            .process
            .as_ref()
            .map_or(specification.span, |process| process.span);
        let forbidden: Vec<_> = question
            .components
            .iter()
            .flat_map(|component| component.own.forbidden())
            .collect();
        let known = |action| {
            question
                .components
                .iter()
                .any(|component| component.alphabet.contains(action))
        };
        let unused: Vec<String> = question
            .specification
            .alphabet()
            .iter()
            .filter(|&action| !known(action) && !forbidden.contains(&action))
            .map(|action| question.actions.name(action))
            .collect();
        if !unused.is_empty() {
            let several = question.components.len() > 1;
            let hint = match unused.iter().any(|name| several && name.starts_with("return{")) {
                true => "the returns of one component of several have its name: server.return{0}",
                false => "the actions of a component are those of the routines it calls, and its returns",
            };
            let more = if unused.len() > MAX_NAMES { ", …" } else { "" };
            let names: Vec<String> = unused
                .iter()
                .take(MAX_NAMES)
                .map(|name| format!("`{name}`"))
                .collect();
            let message = format!("no component ever does {}{more}", names.join(", "));
            self.tell_once(Diagnostic::warning("conform-actions", place, message).hint(hint));
        }
        // A property may be about one of them only.
        if matches!(question.asks, Asks::Temporal { .. }) {
            return;
        }
        let observed = question.specification.alphabet();
        let is_observed = |action| observed.contains(action) && !forbidden.contains(&action);
        let components = question.components.iter();
        let unobserved: Vec<&str> = components
            .filter(|component| !component.alphabet.iter().any(is_observed))
            .map(|component| component.name.as_str())
            .collect();
        if !unobserved.is_empty() {
            let more = if unobserved.len() > MAX_NAMES { ", …" } else { "" };
            let names = unobserved.iter().take(MAX_NAMES);
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            let does = if unobserved.len() > 1 { "do" } else { "does" };
            let message = format!(
                "the specification observes nothing that {}{more} {does}",
                names.join(", ")
            );
            self.diagnostics.push(
                Diagnostic::warning("conform-actions", place, message)
                    .hint("add + {action} to observe an action that the specification never does"),
            );
        }
    }
}

impl Loader<'_> {
    /// A renaming that renames nothing is a slip.
    pub(super) fn check_renamed(
        &mut self,
        renamed: &[Located],
        routines: &[RoutineInput],
        actions: &ActionTable,
    ) {
        for old in renamed {
            let pattern = std::slice::from_ref(&old.text);
            let mut processes = routines.iter().flat_map(|routine| &routine.alternatives);
            let is_used = processes.any(|(_, process)| {
                let mut alphabet = process.alphabet().iter();
                alphabet.any(|action| matches_any(&actions.name(action), pattern))
            });
            if !is_used {
                let message = format!("no routine has an action `{}` or `{}.…`", old.text, old.text);
                self.tell_once(
                    Diagnostic::warning("conform-relabel", old.span, message)
                        .hint("relabel = { old = \"new\" } renames actions of the routines"),
                );
            }
        }
    }

    /// What concerns the project as a whole is found for each of its specifications.
    fn tell_once(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.iter().any(|known| *known == diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// A routine does what its systems say: it does not write through pointers.
    fn tell_assumptions(&mut self, question: &Question) {
        for routine in &self.project.routines {
            let declared = question.sides.iter().find_map(|side| {
                let functions = &mut side.program.functions.values();
                let function = functions.find(|function| *function.name == *routine.name.text)?;
                match side.program.types.get(function.ty) {
                    Type::Function(declared) => Some((side, declared)),
                    _ => None,
                }
            });
            let Some((side, declared)) = declared else {
                continue;
            };
            let is_pointer = |&param: &TypeId| side.program.types.scalar(param) == Some(Scalar::Pointer);
            if declared.params.iter().any(is_pointer) {
                let message = format!(
                    "`{}` is taken to change nothing that its arguments point to",
                    routine.name.text
                );
                self.tell_once(Diagnostic {
                    severity: Severity::Note,
                    ..Diagnostic::warning("conform-assumption", routine.name.span, message)
                        .hint("if it does, write a function that does it and calls the routine")
                });
            }
        }
    }
}

/// The values that the systems of a routine return.
pub(super) fn returned(alternatives: &[(Guard, Rc<Lts>)], actions: &ActionTable) -> BTreeSet<i128> {
    let systems = alternatives.iter().map(|(_, system)| system);
    systems
        .flat_map(|system| system.alphabet().iter())
        .filter_map(|action| match actions[action].return_value() {
            Some(ReturnValue::Int(value)) => Some(value),
            _ => None,
        })
        .collect()
}
