//! Components from C text and systems from FSP text.

#![allow(dead_code, clippy::print_stderr)]

use std::path::PathBuf;
use std::rc::Rc;

use lariat_base::{Budget, Diagnostics, SourceMap};
use lariat_conform::behaviour::{Asks, Behaviour};
use lariat_conform::cegar::{Cegar, CegarVerdict, Options, Property, Statistics};
use lariat_conform::component::{Component, Limits, OwnActions};
use lariat_conform::front_end::{
    ComponentInput, Errors, Guard, Reading, RoutineInput, Texts, read_component,
};
use lariat_lts::fsp::{self, Compiler};
use lariat_lts::ltl::{Fairness, Formulas};
use lariat_lts::{ActionTable, Lts};
use lariat_options::COptions;
use lariat_specs::SpecExpr;
use lariat_testkit::folder::Folder;

pub struct Question {
    pub actions: ActionTable,
    pub specification: Lts,
    pub components: Vec<Component>,
    pub budget: Budget,
}

/// Routine, parameters, guards with processes.
pub type RoutineText<'t> = (&'t str, &'t [&'t str], &'t [(&'t str, &'t str)]);

pub struct Input<'t> {
    /// Name, C text, procedure.
    pub components: &'t [(&'t str, &'t str, &'t str)],
    pub fsp: &'t str,
    pub specification: &'t str,
    pub routines: &'t [RoutineText<'t>],
    pub errors: bool,
}

pub fn processes(text: &str, names: &[&str], actions: &mut ActionTable) -> Vec<Lts> {
    let mut sources = SourceMap::new();
    let source = sources.add("model.fsp", text);
    let (model, diagnostics) = fsp::parse(source, text);
    assert_clean(&diagnostics, &sources);
    let budget = Budget::unlimited();
    let mut compiler = Compiler::new(&model, actions, &budget, 100_000);
    names
        .iter()
        .map(|name| match compiler.compile(name, &[]) {
            Ok(lts) => lts,
            Err(error) => panic!("{name}: {error:?}"),
        })
        .collect()
}

pub fn assert_clean(diagnostics: &Diagnostics, sources: &SourceMap) {
    let texts: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.render(sources, false))
        .collect();
    assert!(!diagnostics.has_errors(), "{}", texts.join("\n"));
}

impl Question {
    pub fn new(input: &Input<'_>, budget: Budget) -> Question {
        let mut actions = ActionTable::new();
        let mut names = vec![input.specification];
        for (_, _, alternatives) in input.routines {
            names.extend(alternatives.iter().map(|&(_, process)| process));
        }
        let mut systems = processes(input.fsp, &names, &mut actions).into_iter();
        let mut specification = systems.next().expect("the specification");
        let routines: Vec<RoutineInput> = input
            .routines
            .iter()
            .map(|(name, parameters, alternatives)| RoutineInput {
                name: (*name).to_owned(),
                parameters: parameters.iter().map(|&name| name.to_owned()).collect(),
                alternatives: alternatives
                    .iter()
                    .map(|(guard, _)| {
                        let expr = SpecExpr::parse(guard).expect("a guard");
                        let system = systems.next().expect("a system for each alternative");
                        (Guard { expr, span: None }, Rc::new(system))
                    })
                    .collect(),
            })
            .collect();
        let mut components = Vec::new();
        for (name, text, procedure) in input.components {
            let folder = Folder::new("conform");
            let file: PathBuf = match text.ends_with(".c") {
                true => PathBuf::from(text),
                false => folder.write("component.c", text),
            };
            let component = ComponentInput {
                name: (*name).to_owned(),
                files: vec![file],
                procedure: (*procedure).to_owned(),
                guard: None,
            };
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
            let read = read_component(
                &component,
                &routines,
                Reading {
                    c: &COptions::default(),
                    errors: if input.errors { &Errors::All } else { &Errors::None },
                    texts: &mut Texts::default(),
                },
                &actions,
                &mut sources,
                &mut diagnostics,
            );
            assert_clean(&diagnostics, &sources);
            let cfa = read.expect("a component").cfa;
            let prefix = (input.components.len() > 1).then_some(*name);
            let own = OwnActions::new(&mut actions, specification.alphabet(), prefix);
            specification = specification.with_alphabet(&own.forbidden().into_iter().collect());
            components.push(Component::new(*name, cfa, own, Limits::default(), &budget).expect("a solver"));
        }
        Question {
            actions,
            specification,
            components,
            budget,
        }
    }

    /// Asks about an assertion of a text, with its fluents.
    pub fn ask_temporal(&mut self, text: &str, assertion: &str, is_fair: bool) -> CegarVerdict {
        let mut sources = SourceMap::new();
        let source = sources.add("formula.fsp", text);
        let (model, diagnostics) = fsp::parse(source, text);
        assert_clean(&diagnostics, &sources);
        let mut formulas = Formulas::new();
        let budget = Budget::unlimited();
        let mut compiler = Compiler::new(&model, &mut self.actions, &budget, 100_000);
        let formula = match compiler.assertion(assertion, &mut formulas) {
            Ok(formula) => formula,
            Err(error) => panic!("{text}: {error:?}"),
        };
        let fairness = match is_fair {
            true => Fairness::Choice,
            false => Fairness::None,
        };
        let asks = Asks::Temporal {
            formulas: Box::new(formulas),
            formula,
            fairness,
        };
        self.ask(&asks)
    }

    pub fn ask(&mut self, asks: &Asks) -> CegarVerdict {
        let behaviour = Behaviour {
            components: &mut self.components,
            specification: &self.specification,
            asks,
            options: &Options::default(),
            budget: &self.budget,
            progress: &mut |_| {},
        };
        behaviour.run().0
    }

    pub fn run(&mut self, property: Property, options: &Options) -> (CegarVerdict, Statistics) {
        let mut progress = |iteration| {
            if std::env::var_os("CONFORM_PROGRESS").is_some() {
                eprintln!("{iteration:?}");
            }
        };
        let cegar = Cegar::new(
            property,
            &mut self.components,
            &self.specification,
            options,
            &self.budget,
            &mut progress,
        );
        cegar.expect("a first abstraction").run()
    }
}

pub fn conforms(verdict: &CegarVerdict) -> bool {
    match verdict {
        CegarVerdict::Conforms => true,
        CegarVerdict::Violates(_) => false,
        CegarVerdict::Unknown(reason) => panic!("unknown: {reason}"),
    }
}
