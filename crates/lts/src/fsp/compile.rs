//! text ─> tokens ─> ast **─> systems**
//!
//! Every process is compiled once per list of arguments. As in LTSA, all instances of all local
//! processes are expanded, reachable or not, since their actions belong to the alphabet and a
//! wrong index is wrong anywhere; what cannot be reached is left out afterwards.
//!
//! Invariant: a function that returns [`Reported`] has added a diagnostic or set `stopped`.

mod composite;
mod labels;
mod process;
mod temporal;
mod value;

use std::collections::BTreeSet;
use std::rc::Rc;

use lariat_base::names::closest;
use lariat_base::{Budget, Diagnostic, Diagnostics, Span};
use rustc_hash::FxHashMap;

use super::ast::{Expression, Instance, Model, Modifiers, Parameter, Relabelling, Visibility};
use crate::action::ActionTable;
use crate::action_guided::ActionGuided;
use crate::determinise::{determinise, property};
use crate::lts::Lts;
use crate::process::{SearchControl, Stopped};
use value::{Environment, Global, Value};

/// How deeply composites may consist of composites.
const MAX_NESTING: usize = 100;

/// Why there is no system.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The model is wrong.
    Input(Diagnostics),
    /// The budget was used up.
    Stopped(Stopped),
}

/// The failure has been recorded in the compiler.
struct Reported;

type Compile<T> = Result<T, Reported>;

/// Compiles processes of one model.
pub struct Compiler<'m> {
    model: &'m Model,
    actions: &'m mut ActionTable,
    budget: &'m Budget,
    state_limit: usize,
    /// Constants, ranges and sets that have been evaluated; `None` while that is being done.
    globals: FxHashMap<&'m str, Option<Global>>,
    compiled: FxHashMap<(String, Vec<i64>), Rc<Lts>>,
    /// The processes that are being compiled, outermost first.
    open: Vec<String>,
    diagnostics: Diagnostics,
    warnings: Diagnostics,
    /// Where and what was reported, since one place is compiled for many indices.
    reported: BTreeSet<(Option<Span>, &'static str)>,
    stopped: Option<Stopped>,
}

impl<'m> Compiler<'m> {
    pub fn new(
        model: &'m Model,
        actions: &'m mut ActionTable,
        budget: &'m Budget,
        state_limit: usize,
    ) -> Self {
        Compiler {
            model,
            actions,
            budget,
            state_limit,
            globals: FxHashMap::default(),
            compiled: FxHashMap::default(),
            open: Vec::new(),
            diagnostics: Diagnostics::new(),
            warnings: Diagnostics::new(),
            reported: BTreeSet::new(),
            stopped: None,
        }
    }

    /// The system of a process or composite; parameters without argument have their defaults.
    pub fn compile(&mut self, name: &str, arguments: &[i64]) -> Result<Lts, CompileError> {
        let result = self.check_definitions().and_then(|()| {
            let found = self
                .model
                .process_names()
                .into_iter()
                .any(|known| known.text == name);
            match found {
                true => self.compiled(name, arguments, None),
                false => Err(self.unknown_process(name, None)),
            }
        });
        self.finished(result).map(|lts| (*lts).clone())
    }

    /// The result of compiling something, or what was recorded about its failure.
    fn finished<T>(&mut self, result: Compile<T>) -> Result<T, CompileError> {
        self.open.clear();
        let diagnostics = std::mem::take(&mut self.diagnostics);
        self.reported.clear();
        match (self.stopped.take(), result) {
            (Some(stopped), _) => Err(CompileError::Stopped(stopped)),
            (None, Ok(compiled)) if !diagnostics.has_errors() => Ok(compiled),
            (None, _) => Err(CompileError::Input(diagnostics)),
        }
    }

    /// What is suspicious in the processes compiled so far.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Names may be defined once.
    fn check_definitions(&mut self) -> Compile<()> {
        let model = self.model;
        let mut names: Vec<_> = model
            .process_names()
            .into_iter()
            .chain(model.constants.iter().map(|(name, _)| name))
            .chain(model.ranges.iter().map(|(name, _, _)| name))
            .chain(model.sets.iter().map(|(name, _)| name))
            .chain(model.fluents.iter().map(|fluent| &fluent.name))
            .chain(model.assertions.iter().map(|assertion| &assertion.name))
            .chain(model.progress.iter().map(|progress| &progress.name))
            .collect();
        names.sort_by_key(|name| name.span.start);
        let mut first: FxHashMap<&str, Span> = FxHashMap::default();
        let mut result = Ok(());
        for name in names {
            if let Some(&earlier) = first.get(name.text.as_str()) {
                let message = format!("`{}` is defined twice", name.text);
                let diagnostic = Diagnostic::error("fsp-duplicate", name.span, message)
                    .related(earlier, "the first definition")
                    .hint("rename one of them");
                result = Err(self.report(diagnostic));
            } else {
                first.insert(&name.text, name.span);
            }
        }
        result
    }

    fn instance(&mut self, instance: &Instance, environment: &Environment) -> Compile<Rc<Lts>> {
        let arguments = instance
            .arguments
            .iter()
            .map(|argument| self.integer(argument, environment))
            .collect::<Compile<Vec<i64>>>()?;
        self.compiled(&instance.name.text, &arguments, Some(instance.span))
    }

    fn compiled(&mut self, name: &str, arguments: &[i64], span: Option<Span>) -> Compile<Rc<Lts>> {
        let key = (name.to_owned(), arguments.to_vec());
        if let Some(known) = self.compiled.get(&key) {
            return Ok(Rc::clone(known));
        }
        let model = self.model;
        if self.open.iter().any(|open| open == name) {
            let message = format!("`{name}` is a part of itself");
            let hint = "only local processes, which are defined after a comma, may be recursive";
            return Err(self.report(diagnostic("fsp-recursion", span, message).hint(hint)));
        }
        if self.open.len() >= MAX_NESTING {
            let message = format!("processes consist of processes more than {MAX_NESTING} levels deep");
            return Err(self.report(diagnostic("fsp-too-large", span, message)));
        }
        self.open.push(name.to_owned());
        let lts = if let Some(process) = model.processes.iter().find(|process| process.name.text == name) {
            let parameters = self.bind_parameters(&process.parameters, arguments, name, span)?;
            self.process(process, &parameters)?
        } else if let Some(composite) = model.composites.iter().find(|known| known.name.text == name) {
            let parameters = self.bind_parameters(&composite.parameters, arguments, name, span)?;
            self.composite(composite, &parameters)?
        } else {
            return Err(self.unknown_process(name, span));
        };
        self.open.pop();
        let lts = Rc::new(lts);
        self.compiled.insert(key, Rc::clone(&lts));
        Ok(lts)
    }

    fn bind_parameters(
        &mut self,
        parameters: &'m [Parameter],
        arguments: &[i64],
        name: &str,
        span: Option<Span>,
    ) -> Compile<Environment> {
        if arguments.len() > parameters.len() {
            let message = format!(
                "`{name}` has {} parameter(s), but {} argument(s) are given",
                parameters.len(),
                arguments.len()
            );
            let hint = format!("declare parameters with defaults, `{name}(N=1) = …`");
            return Err(self.report(diagnostic("fsp-arguments", span, message).hint(hint)));
        }
        let mut environment = Environment::default();
        for (index, parameter) in parameters.iter().enumerate() {
            let value = match arguments.get(index) {
                Some(&value) => value,
                None => self.integer(&parameter.default, &environment)?,
            };
            environment.bind(&parameter.name.text, Value::Int(value));
        }
        Ok(environment)
    }

    /// What follows the behaviour of a definition: relabelling is done, the rest is here.
    fn finish(
        &mut self,
        lts: Lts,
        modifiers: Modifiers,
        visibility: Option<&'m Visibility>,
        environment: &Environment,
        span: Span,
    ) -> Compile<Lts> {
        let mut lts = match visibility {
            None => lts,
            Some(Visibility::Hide(set)) => lts.hide(&self.set_names(set, environment)?, self.actions),
            Some(Visibility::Expose(set)) => lts.expose(&self.set_names(set, environment)?, self.actions),
        };
        if modifiers.minimal {
            let mut quotient = ActionGuided::new(lts);
            lts = quotient
                .refine_fully(self.budget)
                .and_then(|()| quotient.quotient())
                .map_err(|stopped| self.stop(stopped, span))?;
        }
        if modifiers.deterministic && !modifiers.property {
            lts = self.limited(span, |control| determinise(&lts, control))?;
        }
        if modifiers.property {
            lts = self.limited(span, |control| property(&lts, control))?;
        }
        Ok(lts)
    }

    fn relabelled(
        &mut self,
        lts: Lts,
        relabellings: &'m [Relabelling],
        environment: &Environment,
    ) -> Compile<Lts> {
        if relabellings.is_empty() {
            return Ok(lts);
        }
        let renamings = self.renamings(relabellings, environment)?;
        Ok(lts.relabel(&renamings, self.actions))
    }

    /// Runs a search under the limits; a definition at the span is what grows too large.
    fn limited<T>(
        &mut self,
        span: Span,
        search: impl FnOnce(&mut SearchControl<'_>) -> Result<T, Stopped>,
    ) -> Compile<T> {
        let mut silent = |_| {};
        let mut control = SearchControl::new(self.budget, self.state_limit, &mut silent);
        search(&mut control).map_err(|stopped| self.stop(stopped, span))
    }

    fn stop(&mut self, stopped: Stopped, span: Span) -> Reported {
        if stopped == Stopped::StateLimit(self.state_limit) {
            let message = format!("this has more than {} states", self.state_limit);
            let hint = "make ranges smaller, or hide and minimise parts before composing them";
            return self.report(Diagnostic::error("fsp-too-large", span, message).hint(hint));
        }
        self.stopped.get_or_insert(stopped);
        Reported
    }

    fn unknown_process(&mut self, name: &str, span: Option<Span>) -> Reported {
        let names = self.model.process_names();
        let hint = match closest(name, names.iter().map(|known| known.text.as_str())) {
            Some(close) => format!("did you mean `{close}`?"),
            None if names.is_empty() => "the file defines no process".to_owned(),
            None => {
                let list: Vec<&str> = names.iter().take(8).map(|known| known.text.as_str()).collect();
                format!("defined are {}", list.join(", "))
            }
        };
        self.report(diagnostic("fsp-unbound", span, format!("there is no process `{name}`")).hint(hint))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.reported.insert((diagnostic.span, diagnostic.code)) {
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    fn warn(&mut self, diagnostic: Diagnostic) {
        if self.reported.insert((diagnostic.span, diagnostic.code)) {
            self.warnings.push(diagnostic);
        }
    }

    /// An expression that must be a number.
    fn integer(&mut self, expression: &Expression, environment: &Environment) -> Compile<i64> {
        match self.evaluate(expression, environment)? {
            Value::Int(value) => Ok(value),
            Value::Label(label) => {
                let message = format!("a number was expected, but this is the label `{label}`");
                let diagnostic = Diagnostic::error("fsp-type", expression.span, message)
                    .hint("labels can be indices and can be compared with `==` and `!=`");
                Err(self.report(diagnostic))
            }
        }
    }
}

fn diagnostic(code: &'static str, span: Option<Span>, message: String) -> Diagnostic {
    match span {
        Some(span) => Diagnostic::error(code, span, message),
        None => Diagnostic::global_error(code, message),
    }
}
