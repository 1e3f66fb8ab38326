//! The systems and formulas of a specification, and the systems of the routines.

use std::rc::Rc;

use lariat_base::{Diagnostic, Diagnostics, SourceId};
use lariat_lts::fsp::{self, CompileError, Compiler};
use lariat_lts::ltl::{Fairness, Formulas};
use lariat_lts::{ActionTable, Lts, LtsBuilder, StateKind, Stopped, aut};
use rustc_hash::FxHashMap;

use super::Loader;
use crate::behaviour::Asks;
use crate::front_end::RoutineInput;
use crate::project::{Alternative, Located, Specification, SystemText, TemporalText};

/// What the formula of a specification is called among the assertions of its text.
const OWN_FORMULA: &str = "LTL_OF_THE_SPECIFICATION";

/// A property of the model.
enum Temporal {
    Assertion(Located),
    Progress(Located),
}

impl Loader<'_> {
    /// The specification and the systems of the routines.
    pub(super) fn systems(
        &mut self,
        specification: &Specification,
        actions: &mut ActionTable,
    ) -> Result<Option<(Lts, Asks, Vec<RoutineInput>)>, Stopped> {
        let Some((source, text)) = self.text(&specification.text) else {
            return Ok(None);
        };
        let is_aut = matches!(&specification.text, SystemText::File(file) if file.text.ends_with(".aut"));
        let mut model = match is_aut {
            true => fsp::ast::Model::default(),
            false => {
                let (model, diagnostics) = fsp::parse(source, &text);
                self.diagnostics.extend(diagnostics);
                model
            }
        };
        let asked = self.asked(specification, &mut model);
        if self.diagnostics.has_errors() {
            return Ok(None);
        }
        let mut systems = Systems {
            loader: self,
            model: &model,
            actions,
            known: FxHashMap::default(),
        };
        let mut asks = Asks::Traces;
        let system = match (&asked, &specification.process, is_aut) {
            (Some(temporal), ..) => systems.temporal(specification, temporal)?.map(|(system, own)| {
                asks = own;
                system
            }),
            (None, _, true) => systems.aut(source, &text),
            (None, Some(process), false) => systems.process(process, &[])?,
            (None, None, false) => {
                let hint = match model.process_names().last() {
                    Some(name) => format!("add process = \"{}\"", name.text),
                    None => "add process = \"NAME\"".to_owned(),
                };
                let message = "which process is the specification?";
                let diagnostic = Diagnostic::error("conform-specification", specification.span, message);
                systems.loader.diagnostics.push(diagnostic.hint(hint));
                None
            }
        };
        let mut routines = Vec::new();
        for routine in &systems.loader.project.routines {
            let mut alternatives = Vec::new();
            for Alternative {
                guard,
                process,
                arguments,
            } in &routine.alternatives
            {
                if let Some(system) = systems.process(process, arguments)? {
                    systems.loader.check_returns(&system, process, systems.actions);
                    alternatives.push((guard.clone(), system));
                }
            }
            routines.push(RoutineInput {
                name: routine.name.text.clone(),
                parameters: routine.parameters.clone(),
                alternatives,
            });
        }
        let more = specification.alphabet.iter();
        let more = more.map(|action| actions.named(&action.text)).collect();
        let has_errors = self.diagnostics.has_errors();
        if let Some(relation) = specification.relation {
            asks = Asks::Relation(relation);
        }
        Ok(system
            .filter(|_| !has_errors)
            .map(|system| ((*system).clone().with_alphabet(&more), asks, routines)))
    }

    /// The temporal property that a specification names. One that it has itself becomes one of the model.
    fn asked(&mut self, specification: &Specification, model: &mut fsp::ast::Model) -> Option<Temporal> {
        let (ltl, start) = match &specification.temporal {
            None => return None,
            Some(TemporalText::Assertion(name)) => return Some(Temporal::Assertion(name.clone())),
            Some(TemporalText::Progress(name)) => return Some(Temporal::Progress(name.clone())),
            Some(TemporalText::Formula(ltl, start)) => (ltl, *start),
        };
        let before = format!("assert {OWN_FORMULA} = ");
        // Blanks between the two keep the positions of the project file.
        let blanks = start.and_then(|start| start.checked_sub(before.len()));
        let text = before + &" ".repeat(blanks.unwrap_or(0)) + &ltl.text;
        let source = match blanks {
            Some(_) => ltl.span.source,
            None => self.sources.add("ltl", text.clone()),
        };
        let (own, diagnostics) = fsp::parse(source, &text);
        self.diagnostics.extend(diagnostics);
        model.assertions.extend(own.assertions);
        Some(Temporal::Assertion(Located {
            text: OWN_FORMULA.to_owned(),
            span: ltl.span,
        }))
    }
}

struct Systems<'s, 'l, 'm> {
    loader: &'s mut Loader<'l>,
    model: &'m fsp::ast::Model,
    actions: &'s mut ActionTable,
    known: FxHashMap<(String, Vec<i64>), Rc<Lts>>,
}

impl Systems<'_, '_, '_> {
    fn aut(&mut self, source: SourceId, text: &str) -> Option<Rc<Lts>> {
        match aut::read(source, text, self.actions) {
            Ok(lts) => Some(Rc::new(lts)),
            Err(diagnostics) => {
                self.loader.diagnostics.extend(diagnostics);
                None
            }
        }
    }

    /// A process of the model, or a file in AUT.
    fn process(&mut self, name: &Located, arguments: &[i64]) -> Result<Option<Rc<Lts>>, Stopped> {
        let key = (name.text.clone(), arguments.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(Rc::clone(known)));
        }
        let system = if name.text.ends_with(".aut") {
            match self.loader.file(name) {
                Some((source, text)) => self.aut(source, &text),
                None => None,
            }
        } else {
            let limit = self.loader.project.options.state_limit;
            let mut compiler = Compiler::new(self.model, self.actions, self.loader.budget, limit);
            match compiler.compile(&name.text, arguments) {
                Ok(lts) => Some(Rc::new(lts)),
                Err(CompileError::Stopped(stopped)) => return Err(stopped),
                Err(CompileError::Input(diagnostics)) => {
                    self.tell(&diagnostics, name);
                    None
                }
            }
        };
        if let Some(system) = &system {
            self.known.insert(key, Rc::clone(system));
        }
        Ok(system)
    }

    /// An unknown process is the project's mistake: it is shown there.
    fn tell(&mut self, diagnostics: &Diagnostics, name: &Located) {
        for mut diagnostic in diagnostics.iter().cloned() {
            diagnostic.span = diagnostic.span.or(Some(name.span));
            self.loader.diagnostics.push(diagnostic);
        }
    }

    /// A property, and a system that allows everything and observes what the property speaks of.
    fn temporal(
        &mut self,
        specification: &Specification,
        temporal: &Temporal,
    ) -> Result<Option<(Rc<Lts>, Asks)>, Stopped> {
        let limit = self.loader.project.options.state_limit;
        let mut compiler = Compiler::new(self.model, self.actions, self.loader.budget, limit);
        let mut formulas = Box::new(Formulas::new());
        let (name, compiled, is_fair) = match temporal {
            Temporal::Assertion(name) => {
                let formula = compiler.assertion(&name.text, &mut formulas);
                (name, formula, specification.is_fair.unwrap_or(false))
            }
            Temporal::Progress(name) => {
                let formula = compiler.progress(&name.text, &mut formulas);
                (name, formula, specification.is_fair.unwrap_or(true))
            }
        };
        let formula = match compiled {
            Ok(formula) => formula,
            Err(CompileError::Stopped(stopped)) => return Err(stopped),
            Err(CompileError::Input(diagnostics)) => {
                self.tell(&diagnostics, name);
                return Ok(None);
            }
        };
        let mut builder = LtsBuilder::new();
        let only = builder.state(StateKind::Ordinary);
        for action in formulas.alphabet().iter() {
            builder.transition(only, action, only);
        }
        let fairness = match is_fair {
            true => Fairness::Choice,
            false => Fairness::None,
        };
        let asks = Asks::Temporal {
            formulas,
            formula,
            fairness,
        };
        Ok(Some((Rc::new(builder.finish(only)), asks)))
    }
}
