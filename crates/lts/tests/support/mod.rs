//! Systems for tests: small ones from triples, and random ones.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::BTreeSet;

use lariat_base::{Budget, SourceMap};
use lariat_lts::fsp::{self, CompileError, Compiler};
use lariat_lts::{
    ActionId, ActionTable, Composition, Inclusion, Lts, LtsBuilder, Process, SearchControl, StateId,
    StateKind, explore, trace_inclusion,
};
pub use lariat_testkit::Random;

pub fn controlled<T>(search: impl FnOnce(&mut SearchControl<'_>) -> T) -> T {
    let budget = Budget::unlimited();
    let mut silent = |_| {};
    search(&mut SearchControl::new(&budget, 1_000_000, &mut silent))
}

pub fn included(implementation: &Lts, specification: &Lts) -> Inclusion {
    controlled(|control| trace_inclusion(&mut &*implementation, specification, control)).expect("no limit")
}

pub fn same_language(one: &Lts, other: &Lts) -> bool {
    included(one, other).holds() && included(other, one).holds()
}

pub fn compose(parts: &[&Lts]) -> Lts {
    let processes = parts
        .iter()
        .map(|&part| Box::new(part) as Box<dyn Process>)
        .collect();
    controlled(|control| explore(&mut Composition::new(processes), control)).expect("no limit")
}

/// A system with ordinary states, and `STOP` where nothing goes on.
pub fn system(
    states: usize,
    triples: &[(usize, ActionId, usize)],
    alphabet: impl IntoIterator<Item = ActionId>,
) -> Lts {
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(alphabet);
    let ids: Vec<StateId> = (0..states)
        .map(
            |state| match triples.iter().any(|&(source, _, _)| source == state) {
                true => builder.state(StateKind::Ordinary),
                false => builder.state(StateKind::Stop),
            },
        )
        .collect();
    for &(source, action, target) in triples {
        builder.transition(ids[source], action, ids[target]);
    }
    builder.finish(ids[0])
}

/// Triples of a random system; one action in `tau_in` is τ.
pub fn random_triples(
    numbers: &mut Random,
    states: usize,
    alphabet: &[ActionId],
    tau_in: usize,
) -> Vec<(usize, ActionId, usize)> {
    let count = states + numbers.below(states + 2);
    (0..count)
        .map(|_| {
            let action = match numbers.one_in(tau_in) {
                true => ActionTable::TAU,
                false => alphabet[numbers.below(alphabet.len())],
            };
            (numbers.below(states), action, numbers.below(states))
        })
        .collect()
}

pub fn random_system(numbers: &mut Random, states: usize, alphabet: &[ActionId], tau_in: usize) -> Lts {
    let triples = random_triples(numbers, states, alphabet, tau_in);
    system(states, &triples, alphabet.iter().copied())
}

/// A random system in which some states without transitions are `ERROR`.
pub fn with_errors(numbers: &mut Random, states: usize, alphabet: &[ActionId]) -> Lts {
    let triples = random_triples(numbers, states, alphabet, 3);
    let mut builder = LtsBuilder::new();
    builder.extend_alphabet(alphabet.iter().copied());
    let ids: Vec<StateId> = (0..states)
        .map(|state| {
            let goes_on = triples.iter().any(|&(source, _, _)| source == state);
            builder.state(match goes_on {
                true => StateKind::Ordinary,
                false if !numbers.one_in(4) => StateKind::Error,
                false => StateKind::Stop,
            })
        })
        .collect();
    for (source, action, target) in triples {
        builder.transition(ids[source], action, ids[target]);
    }
    builder.finish(ids[0])
}

pub fn names(actions: &mut ActionTable, text: &str) -> Vec<ActionId> {
    text.split_whitespace().map(|name| actions.named(name)).collect()
}

/// All sequences of actions of at most this length.
pub fn all_traces(alphabet: &[ActionId], length: usize) -> Vec<Vec<ActionId>> {
    let mut all = vec![Vec::new()];
    let mut last = vec![Vec::new()];
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|trace: &Vec<ActionId>| {
                alphabet.iter().map(move |&action| {
                    let mut longer = trace.clone();
                    longer.push(action);
                    longer
                })
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

/// The traces of a system of at most this length, by name.
pub fn traces(lts: &Lts, actions: &ActionTable, length: usize) -> BTreeSet<String> {
    let alphabet: Vec<ActionId> = lts.alphabet().iter().collect();
    all_traces(&alphabet, length)
        .into_iter()
        .filter(|trace| lariat_lts::language::accepts(lts, trace))
        .map(|trace| actions.names(&trace).join(" "))
        .collect()
}

/// Compiles a process of an FSP text; messages on failure.
pub fn try_fsp(text: &str, name: &str, actions: &mut ActionTable) -> Result<Lts, String> {
    let mut sources = SourceMap::new();
    let source = sources.add("model.lts", text);
    let (model, diagnostics) = fsp::parse(source, text);
    let rendered = |diagnostics: &lariat_base::Diagnostics| {
        diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&sources, false))
            .collect::<Vec<_>>()
            .join("\n")
    };
    if diagnostics.has_errors() {
        return Err(rendered(&diagnostics));
    }
    let budget = Budget::unlimited();
    Compiler::new(&model, actions, &budget, 20_000)
        .compile(name, &[])
        .map_err(|error| match error {
            CompileError::Input(diagnostics) => rendered(&diagnostics),
            CompileError::Stopped(stopped) => stopped.to_string(),
        })
}

pub fn fsp(text: &str, name: &str, actions: &mut ActionTable) -> Lts {
    match try_fsp(text, name, actions) {
        Ok(lts) => lts,
        Err(message) => panic!("{message}"),
    }
}
