//! Composites: the systems of the parts, relabelled, and then composed.

use std::rc::Rc;

use super::value::Environment;
use super::{Compile, Compiler};
use crate::composition::Composition;
use crate::fsp::ast::{Composite, CompositeBody, Labelled};
use crate::lts::Lts;
use crate::process::{Process, explore};

impl<'m> Compiler<'m> {
    pub(super) fn composite(&mut self, composite: &'m Composite, parameters: &Environment) -> Compile<Lts> {
        let mut parts = self.parts(&composite.body, parameters)?;
        if !composite.relabellings.is_empty() {
            parts = parts
                .into_iter()
                .map(|part| {
                    self.relabelled((*part).clone(), &composite.relabellings, parameters)
                        .map(Rc::new)
                })
                .collect::<Compile<_>>()?;
        }
        let span = composite.name.span;
        let mut lts = self.limited(span, |control| {
            let processes = parts
                .iter()
                .map(|part| Box::new(&**part) as Box<dyn Process>)
                .collect();
            explore(&mut Composition::new(processes), control)
        })?;
        if let Some(priority) = &composite.priority {
            let names = self.set_names(&priority.actions, parameters)?;
            lts = lts.prioritise(&names, priority.is_high, self.actions);
        }
        self.finish(
            lts,
            composite.modifiers,
            composite.visibility.as_ref(),
            parameters,
            span,
        )
    }

    fn parts(&mut self, body: &'m CompositeBody, environment: &Environment) -> Compile<Vec<Rc<Lts>>> {
        match body {
            CompositeBody::Parallel(bodies) => {
                let mut parts = Vec::new();
                for body in bodies {
                    parts.extend(self.parts(body, environment)?);
                }
                Ok(parts)
            }
            CompositeBody::Forall(indices, body) => {
                let span = self.span_of(body);
                let mut parts = Vec::new();
                for (_, environment) in self.bindings(indices, environment, span)? {
                    parts.extend(self.parts(body, &environment)?);
                }
                Ok(parts)
            }
            CompositeBody::If(choice) => match self.integer(&choice.condition, environment)? {
                0 => match &choice.otherwise {
                    Some(body) => self.parts(body, environment),
                    None => Ok(Vec::new()),
                },
                _ => self.parts(&choice.then, environment),
            },
            CompositeBody::Labelled(labelled) => self.labelled(labelled, environment),
            CompositeBody::Instance(instance) => Ok(vec![self.instance(instance, environment)?]),
        }
    }

    /// `{a,b}:P` is `a:P || b:P`; `{a,b}::P` is one P that each of `a` and `b` uses.
    fn labelled(&mut self, labelled: &'m Labelled, environment: &Environment) -> Compile<Vec<Rc<Lts>>> {
        let prefixes = match &labelled.prefix {
            Some(label) => self
                .expand(label, environment)?
                .into_iter()
                .map(|(name, environment)| (Some(name), environment))
                .collect(),
            None => vec![(None, environment.clone())],
        };
        let shared = match &labelled.shared {
            Some(label) => {
                let names = self.expand(label, environment)?;
                Some(names.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
            }
            None => None,
        };
        let mut parts = Vec::new();
        for (prefix, environment) in prefixes {
            for part in self.parts(&labelled.body, &environment)? {
                let mut part = (*part).clone();
                if let Some(prefix) = &prefix {
                    part = part.share(std::slice::from_ref(prefix), self.actions);
                }
                if let Some(shared) = &shared {
                    part = part.share(shared, self.actions);
                }
                part = self.relabelled(part, &labelled.relabellings, &environment)?;
                parts.push(Rc::new(part));
            }
        }
        Ok(parts)
    }

    /// Some place in a body, for messages.
    fn span_of(&self, body: &CompositeBody) -> lariat_base::Span {
        match body {
            CompositeBody::Parallel(bodies) => self.span_of(&bodies[0]),
            CompositeBody::Forall(_, body) => self.span_of(body),
            CompositeBody::If(choice) => choice.condition.span,
            CompositeBody::Labelled(labelled) => self.span_of(&labelled.body),
            CompositeBody::Instance(instance) => instance.span,
        }
    }
}
