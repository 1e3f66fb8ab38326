//! .avp ─ sections ─> `Property` ─┐
//! rule file ─ specs ─> `Rule` ───┴─> **assertions and assignments in a Boogie program**
//!
//! What rules mean in Boogie programs, where the user writes none of the monitors himself. Two formats:
//!
//! - the rule files of `lariat-specs`, as in C ([`typestate`]);
//! - the property files of PropInst, the instrumentation of the Angelic Verifier ([`property`]): Boogie code with
//!   placeholders that says which commands and procedures get which code.
//!
//! Architecture invariants:
//! - this crate works on syntax trees: names are resolved and types are checked afterwards, with the code that was inserted;
//! - an inserted statement has the place of what it was inserted for, its expressions have their places in the property;
//! - what is not understood in a file is an error: a property that is half read would check something else.

mod build;
mod commands;
mod declared;
mod insertion;
mod matching;
mod procedures;
mod property;
mod sections;
mod template;
mod typestate;

use std::path::Path;

use lariat_base::{Diagnostic, Diagnostics, SourceMap};
use lariat_boogie::ast::{Decl, Program};
use lariat_specs::rules::Rule;
use rustc_hash::FxHashSet;

/// What was added to a program.
#[derive(Debug, Default)]
pub struct Added {
    /// The monitors: globals of the program from now on.
    pub monitors: Vec<String>,
    /// Procedures that have a body only because of the rules: the environment does not call them.
    pub procedures: Vec<String>,
}

/// Adds what the rules ask for to the program; with `monitors_set`, monitors of rule files are in their first states at the
/// start of entries.
pub fn instrument(
    program: &mut Program,
    wanted: &[String],
    monitors_set: bool,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Added {
    let bodies = with_bodies(program);
    let (properties, rules): (Vec<String>, Vec<String>) =
        wanted.iter().cloned().partition(|name| is_property(name));
    let mut monitors = Vec::new();
    for name in properties {
        let text = match std::fs::read_to_string(&name) {
            Ok(text) => text,
            Err(error) => {
                diagnostics.push(Diagnostic::global_error(
                    "no-such-rule",
                    format!("cannot read the property {name}: {error}"),
                ));
                continue;
            }
        };
        if let Some(property) = property::read(Path::new(&name), &text, sources, diagnostics) {
            monitors.extend(property::apply(program, property, diagnostics));
        }
    }
    let mut rules = lariat_specs::rules::load(&rules, sources, diagnostics);
    if monitors_set {
        rules = rules.into_iter().map(Rule::set_up).collect();
    }
    monitors.extend(typestate::apply(program, &rules, diagnostics));
    let mut procedures: Vec<String> = with_bodies(program).difference(&bodies).cloned().collect();
    procedures.sort_unstable();
    Added { monitors, procedures }
}

fn with_bodies(program: &Program) -> FxHashSet<String> {
    let bodies = program.decls.iter().filter_map(|decl| match decl {
        Decl::Procedure(decl) if decl.body.is_some() => Some(&decl.name),
        Decl::Implementation(decl) => Some(&decl.name),
        _ => None,
    });
    bodies.map(|name| name.name.to_string()).collect()
}

/// Whether a rule is a property of PropInst, by its extension.
pub fn is_property(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("avp"))
}
