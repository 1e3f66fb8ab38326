//! Labels, sets and indices with values put in.

use std::collections::BTreeSet;

use lariat_base::{Diagnostic, Span};

use super::value::{Environment, Global, Value};
use super::{Compile, Compiler};
use crate::fsp::ast::{ExpressionKind, Index, Label, LabelPart, LabelSet, Relabelling, Values};
use crate::relabel::Renaming;

/// One label or index may stand for so many.
const MAX_EXPANSION: usize = 100_000;

impl Compiler<'_> {
    /// All values of an index.
    pub(super) fn values(&mut self, index: &Index, environment: &Environment) -> Compile<Vec<Value>> {
        match &index.values {
            Values::Range(low, high) => {
                let (first, last) = (self.integer(low, environment)?, self.integer(high, environment)?);
                self.range_values(first, last, low.span.to(high.span))
            }
            Values::Set(set) => Ok(labels_as_values(self.set_names(set, environment)?)),
            Values::Expression(expression) => {
                if let ExpressionKind::Name(name) = &expression.kind
                    && !environment.binds(name)
                {
                    match self.global(name, expression.span)? {
                        Some(Global::Range(first, last)) => {
                            return self.range_values(first, last, expression.span);
                        }
                        Some(Global::Set(labels)) => return Ok(labels_as_values(labels.to_vec())),
                        Some(Global::Constant(_)) | None => {}
                    }
                }
                Ok(vec![self.evaluate(expression, environment)?])
            }
        }
    }

    fn range_values(&mut self, first: i64, last: i64, span: Span) -> Compile<Vec<Value>> {
        if last
            .checked_sub(first)
            .is_none_or(|size| size >= MAX_EXPANSION as i64)
        {
            let message = format!("the range {first}..{last} has more than {MAX_EXPANSION} values");
            return Err(
                self.report(Diagnostic::error("fsp-too-large", span, message).hint("make it smaller"))
            );
        }
        Ok((first..=last).map(Value::Int).collect())
    }

    /// The environment with the variables of the indices bound, in all ways, with the values.
    pub(super) fn bindings(
        &mut self,
        indices: &[Index],
        environment: &Environment,
        span: Span,
    ) -> Compile<Vec<(Vec<Value>, Environment)>> {
        let mut all = vec![(Vec::new(), environment.clone())];
        for index in indices {
            let mut longer = Vec::new();
            for (values, environment) in all {
                for value in self.values(index, &environment)? {
                    let mut environment = environment.clone();
                    if let Some(variable) = &index.variable {
                        environment.bind(&variable.text, value.clone());
                    }
                    let mut values = values.clone();
                    values.push(value);
                    longer.push((values, environment));
                }
                self.check_size(longer.len(), span)?;
            }
            all = longer;
        }
        Ok(all)
    }

    fn check_size(&mut self, size: usize, span: Span) -> Compile<()> {
        if size <= MAX_EXPANSION {
            return Ok(());
        }
        let message = format!("this stands for more than {MAX_EXPANSION} labels or values");
        Err(self.report(Diagnostic::error("fsp-too-large", span, message).hint("make ranges smaller")))
    }

    /// The labels that a label stands for, each with the variables that it binds.
    pub(super) fn expand(
        &mut self,
        label: &Label,
        environment: &Environment,
    ) -> Compile<Vec<(String, Environment)>> {
        let mut all = vec![(String::new(), environment.clone())];
        for part in &label.parts {
            let mut longer = Vec::new();
            for (prefix, environment) in all {
                for (text, environment) in self.expand_part(part, &environment, label.span)? {
                    let joined = match prefix.is_empty() {
                        true => text,
                        false => format!("{prefix}.{text}"),
                    };
                    longer.push((joined, environment));
                }
                self.check_size(longer.len(), label.span)?;
            }
            all = longer;
        }
        Ok(all)
    }

    fn expand_part(
        &mut self,
        part: &LabelPart,
        environment: &Environment,
        span: Span,
    ) -> Compile<Vec<(String, Environment)>> {
        match part {
            LabelPart::Name(name) => Ok(vec![(name.text.clone(), environment.clone())]),
            LabelPart::Set(set) => Ok(self
                .set_names(set, environment)?
                .into_iter()
                .map(|name| (name, environment.clone()))
                .collect()),
            LabelPart::Index(index) => Ok(self
                .bindings(std::slice::from_ref(index), environment, span)?
                .into_iter()
                .map(|(values, environment)| (values[0].to_string(), environment))
                .collect()),
            LabelPart::Return(None) => Ok(vec![("return{}".to_owned(), environment.clone())]),
            LabelPart::Return(Some(index)) => {
                let mut all = Vec::new();
                for (values, environment) in self.bindings(std::slice::from_ref(index), environment, span)? {
                    let Value::Int(value) = values[0] else {
                        let message = "only numbers can be returned";
                        let hint = "write `return{5}`, or `return{}` for a procedure without a value";
                        return Err(self.report(Diagnostic::error("fsp-type", span, message).hint(hint)));
                    };
                    all.push((format!("return{{{value}}}"), environment));
                }
                Ok(all)
            }
        }
    }

    /// The labels of a set, in order, each once.
    pub(super) fn set_names(&mut self, set: &LabelSet, environment: &Environment) -> Compile<Vec<String>> {
        match set {
            LabelSet::Named(name) => match self.global(&name.text, name.span)? {
                Some(Global::Set(labels)) => Ok(labels.to_vec()),
                Some(Global::Range(first, last)) => {
                    let values = self.range_values(first, last, name.span)?;
                    Ok(values.iter().map(Value::to_string).collect())
                }
                Some(Global::Constant(_)) | None => {
                    let message = format!("there is no set `{}`", name.text);
                    let hint = format!("define it: `set {} = {{a, b}}`", name.text);
                    Err(self.report(Diagnostic::error("fsp-unbound", name.span, message).hint(hint)))
                }
            },
            LabelSet::Labels(labels) => {
                let mut seen = BTreeSet::new();
                let mut names = Vec::new();
                for label in labels {
                    for (name, _) in self.expand(label, environment)? {
                        if seen.insert(name.clone()) {
                            names.push(name);
                        }
                    }
                }
                Ok(names)
            }
        }
    }

    pub(super) fn renamings(
        &mut self,
        relabellings: &[Relabelling],
        environment: &Environment,
    ) -> Compile<Vec<Renaming>> {
        let mut renamings = Vec::new();
        for relabelling in relabellings {
            let span = relabelling.new.span;
            for (_, environment) in self.bindings(&relabelling.indices, environment, span)? {
                for (new, environment) in self.expand(&relabelling.new, &environment)? {
                    for (old, _) in self.expand(&relabelling.old, &environment)? {
                        renamings.push(Renaming {
                            new: new.clone(),
                            old,
                        });
                    }
                    self.check_size(renamings.len(), span)?;
                }
            }
        }
        Ok(renamings)
    }
}

fn labels_as_values(labels: Vec<String>) -> Vec<Value> {
    labels
        .into_iter()
        .map(|label| Value::Label(label.into()))
        .collect()
}
