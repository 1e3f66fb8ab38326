//! Assertions and progress properties as formulas over the actions of the table.

use lariat_base::names::closest;
use lariat_base::{Diagnostic, Span};

use super::value::{Environment, Value};
use super::{Compile, CompileError, Compiler, Reported};
use crate::action::Alphabet;
use crate::fsp::ast::{
    ExpressionKind, Index, Label, LabelSet, Reference, Temporal, TemporalBinary, TemporalUnary,
};
use crate::ltl::{FormulaId, Formulas, MAX_PROPOSITIONS, Proposition};

/// The most parts of a formula when its quantifiers are written out.
const MAX_PARTS: usize = 20_000;
/// How deeply assertions may consist of assertions.
const MAX_ASSERTIONS: usize = 50;

impl<'m> Compiler<'m> {
    /// The formula of an assertion. One with indices holds for all of them.
    pub fn assertion(&mut self, name: &str, formulas: &mut Formulas) -> Result<FormulaId, CompileError> {
        let result = self.check_definitions().and_then(|()| {
            let model = self.model;
            match model.assertions.iter().find(|known| known.name.text == name) {
                Some(assertion) => {
                    self.open.push(name.to_owned());
                    let nothing = Environment::default();
                    let all = self.bindings(&assertion.indices, &nothing, assertion.name.span)?;
                    let mut formula = formulas.constant(true);
                    for (_, environment) in all {
                        let one = self.temporal(&assertion.formula, &environment, formulas)?;
                        formula = formulas.and(formula, one);
                    }
                    Ok(formula)
                }
                None => {
                    let names = model.assertions.iter().map(|known| known.name.text.as_str());
                    Err(self.unknown("assertion", name, None, names))
                }
            }
        });
        self.finished(result)
    }

    /// □◇actions, or □◇condition → □◇actions: what progress means for fair executions.
    pub fn progress(&mut self, name: &str, formulas: &mut Formulas) -> Result<FormulaId, CompileError> {
        let result = self.check_definitions().and_then(|()| {
            let model = self.model;
            let Some(progress) = model.progress.iter().find(|known| known.name.text == name) else {
                let names = model.progress.iter().map(|known| known.name.text.as_str());
                return Err(self.unknown("progress property", name, None, names));
            };
            let span = progress.name.span;
            let mut all = formulas.constant(true);
            for (_, environment) in self.bindings(&progress.indices, &Environment::default(), span)? {
                let mut again = |compiler: &mut Self, set: &LabelSet| -> Compile<FormulaId> {
                    let names = compiler.set_names(set, &environment)?;
                    let actions = compiler.alphabet(names);
                    let happens = compiler.proposition(Proposition::Action(actions), span, formulas)?;
                    Ok(formulas.infinitely_often(happens))
                };
                let mut formula = again(self, &progress.actions)?;
                if let Some(condition) = &progress.condition {
                    let condition = again(self, condition)?;
                    formula = formulas.implies(condition, formula);
                }
                all = formulas.and(all, formula);
            }
            Ok(all)
        });
        self.finished(result)
    }

    fn alphabet(&mut self, names: impl IntoIterator<Item = String>) -> Alphabet {
        let names = names.into_iter();
        names.map(|name| self.actions.named(&name)).collect()
    }

    fn labels(&mut self, label: &Label, environment: &Environment) -> Compile<Alphabet> {
        let names = self.expand(label, environment)?;
        Ok(self.alphabet(names.into_iter().map(|(name, _)| name)))
    }

    fn proposition(
        &mut self,
        proposition: Proposition,
        span: Span,
        formulas: &mut Formulas,
    ) -> Compile<FormulaId> {
        formulas.proposition(proposition).ok_or_else(|| {
            let message = format!("this formula has more than {MAX_PROPOSITIONS} different propositions");
            let hint = "make ranges smaller, or use sets of actions";
            self.report(Diagnostic::error("fsp-too-large", span, message).hint(hint))
        })
    }

    fn temporal(
        &mut self,
        formula: &'m Temporal,
        environment: &Environment,
        formulas: &mut Formulas,
    ) -> Compile<FormulaId> {
        Ok(match formula {
            Temporal::Actions(label) => {
                let actions = self.labels(label, environment)?;
                self.proposition(Proposition::Action(actions), label.span, formulas)?
            }
            Temporal::Named(reference) => self.named(reference, environment, formulas)?,
            Temporal::Unary(operator, operand) => {
                let operand = self.temporal(operand, environment, formulas)?;
                match operator {
                    TemporalUnary::Not => formulas.not(operand),
                    TemporalUnary::Next => formulas.next(operand),
                    TemporalUnary::Always => formulas.always(operand),
                    TemporalUnary::Eventually => formulas.eventually(operand),
                }
            }
            Temporal::Binary(operator, left, right) => {
                let left = self.temporal(left, environment, formulas)?;
                let right = self.temporal(right, environment, formulas)?;
                match operator {
                    TemporalBinary::And => formulas.and(left, right),
                    TemporalBinary::Or => formulas.or(left, right),
                    TemporalBinary::Implies => formulas.implies(left, right),
                    TemporalBinary::Equivalent => {
                        let (there, back) = (formulas.implies(left, right), formulas.implies(right, left));
                        formulas.and(there, back)
                    }
                    TemporalBinary::Until => formulas.until(left, right),
                    TemporalBinary::WeakUntil => formulas.weak_until(left, right),
                }
            }
            Temporal::Quantified {
                is_universal,
                indices,
                body,
                span,
            } => {
                let mut all = formulas.constant(*is_universal);
                for (_, environment) in self.bindings(indices, environment, *span)? {
                    let one = self.temporal(body, &environment, formulas)?;
                    all = match is_universal {
                        true => formulas.and(all, one),
                        false => formulas.or(all, one),
                    };
                    if formulas.len() > MAX_PARTS {
                        let message = "this formula is too large when its quantifiers are written out";
                        let diagnostic = Diagnostic::error("fsp-too-large", *span, message);
                        return Err(self.report(diagnostic.hint("make ranges smaller")));
                    }
                }
                all
            }
        })
    }

    /// A fluent, an assertion, a set of actions, `True` or `False`.
    fn named(
        &mut self,
        reference: &Reference,
        environment: &Environment,
        formulas: &mut Formulas,
    ) -> Compile<FormulaId> {
        let (name, span) = (reference.name.text.as_str(), reference.span);
        let model = self.model;
        let mut given = Vec::new();
        for index in &reference.indices {
            given.push(self.evaluate(index, environment)?);
        }
        if let Some(fluent) = model.fluents.iter().find(|fluent| fluent.name.text == name) {
            let inner = self.arguments(name, &fluent.indices, &given, span)?;
            let initiating = self.labels(&fluent.initiating, &inner)?;
            let terminating = self.labels(&fluent.terminating, &inner)?;
            let initially = match &fluent.initially {
                None => false,
                Some(value) => match &value.kind {
                    ExpressionKind::Name(name) if matches!(name.as_str(), "True" | "true") => true,
                    ExpressionKind::Name(name) if matches!(name.as_str(), "False" | "false") => false,
                    _ => self.integer(value, &inner)? != 0,
                },
            };
            if let Some(both) = initiating.iter().find(|&action| terminating.contains(action)) {
                let message = format!("`{}` both starts and ends `{name}`", self.actions.name(both));
                let diagnostic = Diagnostic::error("fsp-fluent", fluent.name.span, message);
                return Err(self.report(diagnostic.hint("an action is in one of the two sets")));
            }
            let fluent = Proposition::Fluent {
                initiating,
                terminating,
                initially,
            };
            return self.proposition(fluent, span, formulas);
        }
        if let Some(assertion) = model.assertions.iter().find(|known| known.name.text == name) {
            if self.open.iter().any(|open| open == name) || self.open.len() >= MAX_ASSERTIONS {
                let message = format!("`{name}` is a part of itself, or nested too deeply");
                return Err(self.report(Diagnostic::error("fsp-recursion", span, message)));
            }
            self.open.push(name.to_owned());
            let inner = self.arguments(name, &assertion.indices, &given, span)?;
            let formula = self.temporal(&assertion.formula, &inner, formulas)?;
            self.open.pop();
            return Ok(formula);
        }
        if given.is_empty() {
            match name {
                "True" => return Ok(formulas.constant(true)),
                "False" => return Ok(formulas.constant(false)),
                _ if model.sets.iter().any(|(known, _)| known.text == name) => {
                    let names = self.set_names(&LabelSet::Named(reference.name.clone()), environment)?;
                    let actions = self.alphabet(names);
                    return self.proposition(Proposition::Action(actions), span, formulas);
                }
                _ => {}
            }
        }
        let fluents = model.fluents.iter().map(|known| known.name.text.as_str());
        let assertions = model.assertions.iter().map(|known| known.name.text.as_str());
        Err(self.unknown("fluent", name, Some(span), fluents.chain(assertions)))
    }

    /// The variables of indices with the values that are given.
    fn arguments(
        &mut self,
        name: &str,
        indices: &[Index],
        given: &[Value],
        span: Span,
    ) -> Compile<Environment> {
        let all = self.bindings(indices, &Environment::default(), span)?;
        let found = all.into_iter().find(|(values, _)| values == given);
        found.map(|(_, environment)| environment).ok_or_else(|| {
            let shown: String = given.iter().map(|value| format!("[{value}]")).collect();
            let message = format!("there is no `{name}{shown}`");
            let hint = format!(
                "`{name}` has {} index(es), with the values that its definition gives",
                indices.len()
            );
            self.report(Diagnostic::error("fsp-index", span, message).hint(hint))
        })
    }

    fn unknown<'n>(
        &mut self,
        what: &str,
        name: &str,
        span: Option<Span>,
        known: impl Iterator<Item = &'n str>,
    ) -> Reported {
        let known: Vec<&str> = known.collect();
        let hint = match closest(name, known.iter().copied()) {
            Some(close) => format!("did you mean `{close}`?"),
            None if known.is_empty() => format!("the text defines no {what}"),
            None => format!("defined are {}", known.join(", ")),
        };
        let message = format!("there is no {what} `{name}`");
        self.report(super::diagnostic("fsp-unbound", span, message).hint(hint))
    }
}
