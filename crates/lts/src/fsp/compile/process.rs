//! Processes: local processes with all values of their indices, and the points between actions.
//!
//! A state is a point of the text with the values of the variables there. References are
//! followed at once, so a state is a choice, a place in a chain of actions, a state of a process
//! that is entered by `P;Q`, or an ending.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use indexmap::IndexMap;
use lariat_base::Diagnostic;
use rustc_hash::FxBuildHasher;

use super::value::{Environment, Value};
use super::{Compile, Compiler, Reported, closest};
use crate::action::ActionId;
use crate::fsp::ast::{Alternative, Body, Ending, Local, Process, Reference, Sequence};
use crate::lts::{Lts, LtsBuilder, StateId, StateKind};
use crate::process::Stopped;

/// A point of the text.
#[derive(Clone)]
enum Point<'m> {
    Ending(Ending),
    Choice(&'m [Alternative]),
    /// Before an action of a chain that is not its first.
    Chain(&'m Alternative, usize),
    /// In a state of a process of a sequence.
    Inside(&'m Sequence, usize, Rc<Lts>, StateId),
}

/// Equal for equal points: the address of the text and two numbers.
type PointKey = (u8, usize, usize, usize);

impl Point<'_> {
    fn key(&self) -> PointKey {
        match self {
            Point::Ending(ending) => (0, *ending as usize, 0, 0),
            Point::Choice(alternatives) => (1, alternatives.as_ptr().addr(), 0, 0),
            Point::Chain(alternative, position) => (2, std::ptr::from_ref(*alternative).addr(), *position, 0),
            Point::Inside(sequence, process, _, state) => {
                (3, std::ptr::from_ref(*sequence).addr(), *process, state.index())
            }
        }
    }
}

struct Found<'m> {
    point: Point<'m>,
    environment: Environment,
    name: Option<String>,
}

type Instances<'m> = IndexMap<(&'m str, Vec<Value>), (&'m Local, Environment), FxBuildHasher>;

struct States<'m> {
    process: &'m Process,
    instances: Instances<'m>,
    found: IndexMap<(PointKey, Environment), Found<'m>, FxBuildHasher>,
    /// Actions of the processes that are entered by `P;Q`.
    alphabet: Vec<ActionId>,
}

impl<'m> States<'m> {
    fn number(&mut self, point: Point<'m>, environment: Environment) -> usize {
        // An ending is the same whatever the variables are.
        let environment = match point {
            Point::Ending(_) => Environment::default(),
            _ => environment,
        };
        let key = (point.key(), environment.clone());
        let entry = self.found.entry(key);
        let index = entry.index();
        entry.or_insert(Found {
            point,
            environment,
            name: None,
        });
        index
    }
}

impl<'m> Compiler<'m> {
    pub(super) fn process(&mut self, process: &'m Process, parameters: &Environment) -> Compile<Lts> {
        let mut states = States {
            process,
            instances: self.instances(process, parameters)?,
            found: IndexMap::default(),
            alphabet: Vec::new(),
        };
        let mut failed = None;
        // The process itself comes first and so becomes state 0.
        for index in 0..states.instances.len() {
            if let Err(reported) = self.seed(&mut states, index) {
                failed = Some(reported);
            }
        }
        let mut transitions = Vec::new();
        let mut next = 0;
        while next < states.found.len() {
            if next > self.state_limit {
                return Err(self.stop(Stopped::StateLimit(self.state_limit), process.name.span));
            }
            if next % 64 == 0
                && let Err(exhausted) = self.budget.check_memory()
            {
                return Err(self.stop(exhausted.into(), process.name.span));
            }
            match self.steps(&mut states, next) {
                Ok(steps) => transitions.extend(steps.into_iter().map(|(action, to)| (next, action, to))),
                Err(reported) => failed = Some(reported),
            }
            if self.stopped.is_some() {
                break;
            }
            next += 1;
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        let mut builder = LtsBuilder::new();
        for found in states.found.values() {
            let kind = match found.point {
                Point::Ending(Ending::Stop) => StateKind::Stop,
                Point::Ending(Ending::End) => StateKind::End,
                Point::Ending(Ending::Error) => StateKind::Error,
                Point::Choice(_) | Point::Chain(..) | Point::Inside(..) => StateKind::Ordinary,
            };
            builder.named_state(kind, found.name.clone());
        }
        for (source, action, target) in transitions {
            builder.transition(StateId::new(source), action, StateId::new(target));
        }
        builder.extend_alphabet(states.alphabet.iter().copied());
        if let Some(extension) = &process.extension {
            for name in self.set_names(extension, parameters)? {
                builder.extend_alphabet([self.actions.named(&name)]);
            }
        }
        let lts = builder.finish(StateId::new(0)).reachable();
        let lts = self.relabelled(lts, &process.relabellings, parameters)?;
        self.finish(
            lts,
            process.modifiers,
            process.visibility.as_ref(),
            parameters,
            process.name.span,
        )
    }

    /// All local processes with all values of their indices.
    fn instances(&mut self, process: &'m Process, parameters: &Environment) -> Compile<Instances<'m>> {
        let mut instances = Instances::default();
        for local in &process.locals {
            for (values, environment) in self.bindings(&local.indices, parameters, local.name.span)? {
                let key = (local.name.text.as_str(), values);
                if let Some((earlier, _)) = instances.get(&key) {
                    let message = format!("`{}` is defined twice", instance_name(key.0, &key.1));
                    let diagnostic = Diagnostic::error("fsp-duplicate", local.name.span, message)
                        .related(earlier.name.span, "the first definition")
                        .hint("make the ranges of the indices disjoint, or rename one");
                    return Err(self.report(diagnostic));
                }
                instances.insert(key, (local, environment));
                if instances.len() > self.state_limit {
                    return Err(self.stop(Stopped::StateLimit(self.state_limit), local.name.span));
                }
            }
        }
        if process
            .locals
            .first()
            .is_some_and(|first| !first.indices.is_empty())
        {
            let name = &process.name.text;
            let message = format!("`{name}` starts without a value for its index");
            let diagnostic = Diagnostic::error("fsp-index", process.name.span, message).hint(format!(
                "say where it starts: `{name} = {name}[0], {name}[i:0..N] = (…).`"
            ));
            return Err(self.report(diagnostic));
        }
        Ok(instances)
    }

    fn seed(&mut self, states: &mut States<'m>, index: usize) -> Compile<()> {
        let Some((key, (local, environment))) = states.instances.get_index(index) else {
            return Ok(());
        };
        let name = instance_name(key.0, &key.1);
        let (local, environment) = (*local, environment.clone());
        let (point, environment) = self.resolve(states, &local.body, environment)?;
        let state = states.number(point, environment);
        let found = &mut states.found[state];
        if found.name.is_none() && matches!(local.body, Body::Choice(_)) {
            found.name = Some(name);
        }
        Ok(())
    }

    /// The transitions of a state that has been found, as numbers of states.
    fn steps(&mut self, states: &mut States<'m>, index: usize) -> Compile<Vec<(ActionId, usize)>> {
        let found = &states.found[index];
        let (point, environment) = (found.point.clone(), found.environment.clone());
        let mut steps = Vec::new();
        match point {
            Point::Ending(_) => {}
            Point::Choice(alternatives) => {
                for alternative in alternatives {
                    let enabled = match &alternative.guard {
                        Some(guard) => self.integer(guard, &environment)? != 0,
                        None => true,
                    };
                    if enabled {
                        self.prefix_steps(states, alternative, 0, &environment, &mut steps)?;
                    }
                }
            }
            Point::Chain(alternative, position) => {
                self.prefix_steps(states, alternative, position, &environment, &mut steps)?;
            }
            Point::Inside(sequence, process, lts, state) => {
                for transition in lts.transitions(state) {
                    let (point, environment) =
                        self.inside(states, sequence, process, &lts, transition.target, &environment)?;
                    steps.push((transition.action, states.number(point, environment)));
                }
            }
        }
        Ok(steps)
    }

    fn prefix_steps(
        &mut self,
        states: &mut States<'m>,
        alternative: &'m Alternative,
        position: usize,
        environment: &Environment,
        steps: &mut Vec<(ActionId, usize)>,
    ) -> Compile<()> {
        for (name, environment) in self.expand(&alternative.actions[position], environment)? {
            let (point, environment) = match position + 1 < alternative.actions.len() {
                true => (Point::Chain(alternative, position + 1), environment),
                false => self.resolve(states, &alternative.target, environment)?,
            };
            steps.push((self.actions.named(&name), states.number(point, environment)));
        }
        Ok(())
    }

    /// Follows references, conditions and empty processes to where something happens.
    fn resolve(
        &mut self,
        states: &mut States<'m>,
        mut body: &'m Body,
        mut environment: Environment,
    ) -> Compile<(Point<'m>, Environment)> {
        let mut passed: Vec<(*const Local, Environment)> = Vec::new();
        loop {
            match body {
                Body::Ending(ending) => return Ok((Point::Ending(*ending), environment)),
                Body::Choice(alternatives) => return Ok((Point::Choice(alternatives), environment)),
                Body::If(choice) => {
                    body = match (self.integer(&choice.condition, &environment)?, &choice.otherwise) {
                        (0, Some(otherwise)) => otherwise,
                        (0, None) => return Ok((Point::Ending(Ending::Stop), environment)),
                        _ => &choice.then,
                    };
                }
                Body::Sequence(sequence) => match self.enter(states, sequence, 0, &environment)? {
                    Some(point) => return Ok((point, environment)),
                    None => body = &sequence.rest,
                },
                Body::Reference(reference) => {
                    let Some((local, inner)) = self.local(states, reference, &environment)? else {
                        return Ok((Point::Ending(Ending::Error), environment));
                    };
                    let here = (std::ptr::from_ref(local), inner.clone());
                    if passed.contains(&here) {
                        let name = &reference.name.text;
                        let message = format!("`{name}` calls itself without an action in between");
                        let diagnostic = Diagnostic::error("fsp-unguarded", reference.span, message)
                            .hint(format!("put an action before the recursion: `(a -> {name})`"));
                        return Err(self.report(diagnostic));
                    }
                    passed.push(here);
                    (body, environment) = (&local.body, inner);
                }
            }
        }
    }

    /// The start of a sequence from one of its processes on; `None` if all that are left have
    /// ended before they did anything.
    fn enter(
        &mut self,
        states: &mut States<'m>,
        sequence: &'m Sequence,
        from: usize,
        environment: &Environment,
    ) -> Compile<Option<Point<'m>>> {
        for (index, instance) in sequence.processes.iter().enumerate().skip(from) {
            let lts = self.instance(instance, environment)?;
            states.alphabet.extend(lts.alphabet().iter());
            let start = lts.initial();
            match lts.kind(start) {
                StateKind::End => {}
                StateKind::Stop => return Ok(Some(Point::Ending(Ending::Stop))),
                StateKind::Error => return Ok(Some(Point::Ending(Ending::Error))),
                StateKind::Ordinary => return Ok(Some(Point::Inside(sequence, index, lts, start))),
            }
        }
        Ok(None)
    }

    /// A state of a process of a sequence; where it has ended, what comes next.
    fn inside(
        &mut self,
        states: &mut States<'m>,
        sequence: &'m Sequence,
        process: usize,
        lts: &Rc<Lts>,
        state: StateId,
        environment: &Environment,
    ) -> Compile<(Point<'m>, Environment)> {
        let point = match lts.kind(state) {
            StateKind::Ordinary => Point::Inside(sequence, process, Rc::clone(lts), state),
            StateKind::Stop => Point::Ending(Ending::Stop),
            StateKind::Error => Point::Ending(Ending::Error),
            StateKind::End => match self.enter(states, sequence, process + 1, environment)? {
                Some(point) => point,
                None => return self.resolve(states, &sequence.rest, environment.clone()),
            },
        };
        Ok((point, environment.clone()))
    }

    /// The local process that is referred to; none if its index is out of range, which means
    /// `ERROR` in FSP.
    fn local(
        &mut self,
        states: &States<'m>,
        reference: &'m Reference,
        environment: &Environment,
    ) -> Compile<Option<(&'m Local, Environment)>> {
        let values = reference
            .indices
            .iter()
            .map(|index| self.evaluate(index, environment))
            .collect::<Compile<Vec<Value>>>()?;
        let key = (reference.name.text.as_str(), values);
        if let Some((local, environment)) = states.instances.get(&key) {
            return Ok(Some((local, environment.clone())));
        }
        let locals = &states.process.locals;
        let same_name = || {
            locals
                .iter()
                .filter(|local| local.name.text == reference.name.text)
        };
        if let Some(local) = same_name().find(|local| local.indices.len() == key.1.len()) {
            let wanted = instance_name(key.0, &key.1);
            let message =
                format!("`{wanted}` is not defined and so means ERROR: an index is out of its range");
            let diagnostic = Diagnostic::warning("fsp-index", reference.span, message)
                .related(local.name.span, "defined here")
                .hint("guard the action with `when`, or make the range larger, unless ERROR is meant");
            self.warn(diagnostic);
            return Ok(None);
        }
        Err(self.unknown_local(states.process, same_name().next_back(), reference))
    }

    fn unknown_local(
        &mut self,
        process: &'m Process,
        same_name: Option<&Local>,
        reference: &Reference,
    ) -> Reported {
        let name = &reference.name.text;
        if let Some(local) = same_name {
            let message = format!(
                "`{name}` has {} index(es), but {} are given",
                local.indices.len(),
                reference.indices.len()
            );
            let diagnostic = Diagnostic::error("fsp-index", reference.span, message)
                .related(local.name.span, "defined here")
                .hint("give one value for each index");
            return self.report(diagnostic);
        }
        let globals = self.model.process_names();
        let hint = if globals.iter().any(|global| global.text == *name) {
            format!("`{name}` is a process of its own: write `{name};END`, or define it after a comma")
        } else {
            match closest(name, process.locals.iter().map(|local| local.name.text.as_str())) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("define it after a comma: `, {name} = (…)`"),
            }
        };
        let message = format!("`{}` has no local process `{name}`", process.name.text);
        self.report(Diagnostic::error("fsp-unbound", reference.span, message).hint(hint))
    }
}

fn instance_name(name: &str, values: &[Value]) -> String {
    let indices: String = values.iter().map(|value| format!("[{value}]")).collect();
    format!("{name}{indices}")
}
