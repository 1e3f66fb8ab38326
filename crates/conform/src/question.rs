//! From a project to the questions it asks: one for each specification (§3.5).

mod answer;
mod fit;
mod guards;
mod shared;
mod systems;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use lariat_base::{Budget, Diagnostic, Diagnostics, SourceId, SourceMap, Span};
use lariat_c_lower::Names;
use lariat_c_program::CProgram;
use lariat_lts::relabel::Renaming;
use lariat_lts::{ActionTable, Lts, LtsBuilder, StateKind, Stopped};
use lariat_options::COptions;

use crate::behaviour::Asks;
use crate::component::{Component, OwnActions};
use crate::front_end::{
    CComponent, ComponentInput, Errors, Guard, Reading, RoutineInput, Texts, read_component,
};
use crate::project::{Located, Project, Specification, SystemText};

/// Components and the specification they must conform to.
pub struct Question {
    pub actions: ActionTable,
    pub specification: Lts,
    pub components: Vec<Component>,
    /// For showing the traces of the components in source terms.
    pub sides: Vec<CSide>,
    /// Whether all that matters is that the only component reaches no error.
    pub is_reachability: bool,
    pub asks: Asks,
}

pub struct CSide {
    pub program: CProgram,
    pub names: Names,
}

/// Where a project comes from and how C is read.
pub struct Loader<'a> {
    pub project: &'a Project,
    /// What paths are relative to.
    pub folder: &'a Path,
    /// How C is read, beside what the project says.
    pub c: &'a COptions,
    pub budget: &'a Budget,
    pub texts: &'a mut Texts,
    pub sources: &'a mut SourceMap,
    pub diagnostics: &'a mut Diagnostics,
}

impl Loader<'_> {
    /// Whether all specifications and procedure abstractions are valid: their errors should be reported before the first
    /// question, which may take hours.
    pub fn check_systems(&mut self) -> Result<bool, Stopped> {
        let project = self.project;
        for specification in &project.specifications {
            if self.systems(specification, &mut ActionTable::new())?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The question of one specification; `None` if something is wrong, with diagnostics.
    pub fn question(&mut self, specification: &Specification) -> Result<Option<Question>, Stopped> {
        let mut actions = ActionTable::new();
        self.check_names_of_routines();
        let Some((mut system, asks, routines)) = self.systems(specification, &mut actions)? else {
            return Ok(None);
        };
        let returned: Vec<_> = self
            .project
            .routines
            .iter()
            .zip(&routines)
            .map(|(routine, input)| (routine, fit::returned(&input.alternatives, &actions)))
            .collect();
        let names: Vec<&str> = self
            .project
            .components
            .iter()
            .map(|component| component.name.text.as_str())
            .collect();
        for (name, _) in &specification.guards {
            if !names.contains(&name.text.as_str()) {
                self.diagnostics.push(
                    Diagnostic::error(
                        "conform-guard",
                        name.span,
                        format!("there is no component `{}`", name.text),
                    )
                    .hint(format!("there are {}", names.join(", "))),
                );
            }
        }
        let (mut components, mut sides) = (Vec::new(), Vec::new());
        for (position, given) in self.project.components.iter().enumerate() {
            if names[..position].contains(&given.name.text.as_str()) {
                let message = format!("there are two components `{}`", given.name.text);
                self.diagnostics.push(
                    Diagnostic::error("conform-component", given.name.span, message)
                        .hint("give it another name"),
                );
                continue;
            }
            for file in &given.files {
                if !self.folder.join(&file.text).is_file() {
                    let message = format!("there is no file {}", self.folder.join(&file.text).display());
                    self.diagnostics.push(
                        Diagnostic::error("conform-file", file.span, message)
                            .hint("paths are relative to the project file"),
                    );
                }
            }
            if self.diagnostics.has_errors() {
                continue;
            }
            let own_guard = specification
                .guards
                .iter()
                .find(|(name, _)| name.text == given.name.text)
                .map(|(_, guard)| guard.clone());
            let input = ComponentInput {
                name: given.name.text.clone(),
                files: given
                    .files
                    .iter()
                    .map(|file| self.folder.join(&file.text))
                    .collect(),
                procedure: given.procedure.text.clone(),
                guard: both(given.guard.clone(), own_guard),
            };
            let prefix = (self.project.components.len() > 1).then_some(input.name.as_str());
            let macros: Vec<String> = given
                .macros
                .iter()
                .chain(&specification.macros)
                .cloned()
                .collect();
            self.check_renamed(&given.renamed, &routines, &actions);
            let routines = relabelled(&routines, &given.relabel, &mut actions);
            if let Some((component, side)) =
                self.component(&input, &macros, &routines, prefix, &mut actions, &mut system)?
            {
                let more = given.alphabet.iter().map(|action| actions.named(&action.text));
                let mut component = component.with_alphabet(&more.collect());
                component.is_daemon = given.is_daemon;
                component.copy_of = Some(self.first_copy(position, specification));
                self.check_declarations(&side, &returned);
                self.check_result(&given.procedure, &component, &side);
                self.check_start(&input, &mut component)?;
                self.check_guards(&mut component, &routines)?;
                components.push(component);
                sides.push(side);
            } else {
                let hint = "a component is a function with a body in its files";
                self.explain_entry(Some(given.procedure.span), hint);
            }
        }
        let question = Question {
            actions,
            specification: system,
            components,
            sides,
            is_reachability: false,
            asks,
        };
        if self.diagnostics.has_errors() {
            return Ok(None);
        }
        self.check_shared_globals(&question);
        if self.diagnostics.has_errors() {
            return Ok(None);
        }
        self.check_use(&question, specification);
        Ok(Some(question))
    }

    /// The first component that runs the same text from the same start as this one.
    fn first_copy(&self, position: usize, specification: &Specification) -> usize {
        let all = &self.project.components;
        let texts = |files: &[Located]| files.iter().map(|file| file.text.clone()).collect::<Vec<_>>();
        let starts = |number: usize| {
            let own = specification.guards.iter();
            let own = own.filter(|(name, _)| name.text == all[number].name.text);
            let guards = own.map(|(_, guard)| guard).chain(&all[number].guard);
            guards.map(|guard| guard.expr.clone()).collect::<Vec<_>>()
        };
        let is_copy = |&other: &usize| {
            let (one, given) = (&all[other], &all[position]);
            one.procedure.text == given.procedure.text
                && one.macros == given.macros
                && texts(&one.files) == texts(&given.files)
                && starts(other) == starts(position)
        };
        (0..position).find(is_copy).unwrap_or(position)
    }

    /// One component that must never do `error` and may do anything else.
    pub fn reachability(&mut self, input: &ComponentInput) -> Result<Option<Question>, Stopped> {
        let mut actions = ActionTable::new();
        let mut builder = LtsBuilder::new();
        let only = builder.state(StateKind::Ordinary);
        let mut system = builder.finish(only);
        let Some((component, side)) = self.component(input, &[], &[], None, &mut actions, &mut system)?
        else {
            self.explain_entry(None, "choose the function with --procedure NAME");
            return Ok(None);
        };
        if let Errors::Label(label) = &self.project.errors {
            let functions = side.program.functions.values();
            let mut labels: Vec<&str> = functions
                .flat_map(|function| function.labels.values().map(|name| &**name))
                .collect();
            if !labels.contains(&label.as_str()) {
                labels.sort_unstable();
                labels.dedup();
                labels.truncate(8);
                let hint = match labels.is_empty() {
                    true => "the program has no labels".to_owned(),
                    false => format!("there are {}", labels.join(", ")),
                };
                let message = format!("there is no label `{label}` in the program");
                self.diagnostics
                    .push(Diagnostic::global_error("conform-label", message).hint(hint));
            }
        }
        Ok((!self.diagnostics.has_errors()).then_some(Question {
            actions,
            specification: system,
            components: vec![component],
            sides: vec![side],
            is_reachability: true,
            asks: Asks::Traces,
        }))
    }

    /// The front end does not know how a component is chosen here.
    fn explain_entry(&mut self, place: Option<Span>, hint: &str) {
        for mut diagnostic in std::mem::replace(self.diagnostics, Diagnostics::new())
            .iter()
            .cloned()
        {
            if diagnostic.code == "no-such-entry" && diagnostic.span.is_none() {
                diagnostic.span = place;
                diagnostic = diagnostic.hint(hint);
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// A component; its forbidden actions are added to the alphabet of the specification.
    fn component(
        &mut self,
        input: &ComponentInput,
        macros: &[String],
        routines: &[RoutineInput],
        prefix: Option<&str>,
        actions: &mut ActionTable,
        specification: &mut Lts,
    ) -> Result<Option<(Component, CSide)>, Stopped> {
        let mut c = self.c_options();
        c.macros.extend_from_slice(macros);
        let reading = Reading {
            c: &c,
            errors: &self.project.errors,
            texts: self.texts,
        };
        let read = read_component(input, routines, reading, actions, self.sources, self.diagnostics);
        let Some(CComponent {
            cfa,
            alphabet,
            program,
            names,
        }) = read
        else {
            return Ok(None);
        };
        let own = OwnActions::new(actions, specification.alphabet(), prefix);
        let component = Component::new(input.name.clone(), cfa, own, self.project.limits, self.budget)?
            .with_alphabet(&alphabet);
        *specification = specification.clone().with_alphabet(&component.forbidden());
        Ok(Some((component, CSide { program, names })))
    }

    /// The options with what the project says of headers and macros.
    fn c_options(&self) -> COptions {
        let mut c = self.c.clone();
        let include = self.project.include.iter().map(|path| self.folder.join(path));
        c.include.extend(include);
        c.macros.extend(self.project.macros.iter().cloned());
        c
    }

    /// The text of systems with a source whose positions are right.
    fn text(&mut self, text: &SystemText) -> Option<(SourceId, String)> {
        match text {
            SystemText::File(file) => self.file(file),
            SystemText::Inline {
                text,
                start: Some(start),
            } => {
                // Blanks in place of what comes before keep the positions of the project file.
                let whole = &self.sources.file(text.span.source).text;
                let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
                let before: String = whole[..*start]
                    .chars()
                    .flat_map(|c| std::iter::repeat_n(blank(c), c.len_utf8()))
                    .collect();
                Some((text.span.source, before + &text.text))
            }
            SystemText::Inline { text, start: None } => {
                let source = self.sources.add("specification", text.text.clone());
                Some((source, text.text.clone()))
            }
        }
    }

    fn file(&mut self, file: &Located) -> Option<(SourceId, String)> {
        let path: PathBuf = self.folder.join(&file.text);
        match std::fs::read_to_string(&path) {
            Ok(text) => Some((self.sources.add(path, text.clone()), text)),
            Err(error) => {
                let message = format!("cannot read {}: {error}", path.display());
                self.diagnostics.push(
                    Diagnostic::error("conform-file", file.span, message)
                        .hint("paths are relative to the project file"),
                );
                None
            }
        }
    }
}

/// The routines as a component with these renamings calls them.
fn relabelled(
    routines: &[RoutineInput],
    renamings: &[Renaming],
    actions: &mut ActionTable,
) -> Vec<RoutineInput> {
    let mut routines = routines.to_vec();
    if !renamings.is_empty() {
        for routine in &mut routines {
            for (_, process) in &mut routine.alternatives {
                *process = Rc::new(process.relabel(renamings, actions));
            }
        }
    }
    routines
}

fn both(one: Option<Guard>, other: Option<Guard>) -> Option<Guard> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Guard {
            expr: lariat_specs::SpecExpr::binary(lariat_specs::BinaryOp::And, one.expr, other.expr),
            span: other.span,
        }),
        (one, other) => one.or(other),
    }
}

fn located_error(code: &'static str, span: Option<Span>, message: String) -> Diagnostic {
    match span {
        Some(span) => Diagnostic::error(code, span, message),
        None => Diagnostic::global_error(code, message),
    }
}
