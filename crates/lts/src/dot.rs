//! Systems as Graphviz text.
//!
//! The initial state is marked by an arrow, ends and errors have distinct shapes, and
//! transitions between the same two states are one arrow with all labels.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cranelift_entity::EntityRef;

use crate::action::ActionTable;
use crate::lts::{Lts, StateId, StateKind};

/// The labels of the transitions between two states, in the order of their names.
pub(crate) fn merged_edges(lts: &Lts, actions: &ActionTable) -> BTreeMap<(StateId, StateId), Vec<String>> {
    let mut edges: BTreeMap<(StateId, StateId), Vec<String>> = BTreeMap::new();
    for (source, action, target) in lts.triples() {
        let label = match action.is_tau() {
            true => "τ".to_owned(),
            false => actions.name(action),
        };
        edges.entry((source, target)).or_default().push(label);
    }
    for labels in edges.values_mut() {
        labels.sort();
    }
    edges
}

/// What a state is called: by its kind, its name or its number.
pub(crate) fn state_label(lts: &Lts, state: StateId) -> String {
    match (lts.kind(state).name(), lts.name(state)) {
        (Some(kind), _) => kind.to_owned(),
        (None, Some(name)) => name.to_owned(),
        (None, None) => state.index().to_string(),
    }
}

pub fn write(lts: &Lts, actions: &ActionTable, title: &str) -> String {
    let mut text = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=circle, fontname=\"sans-serif\"];\n  \
         edge [fontname=\"sans-serif\"];\n  start [shape=point];\n  start -> {};\n",
        quote(title),
        lts.initial()
    );
    for state in lts.states() {
        let style = match lts.kind(state) {
            StateKind::Ordinary => "",
            StateKind::Stop => ", shape=box",
            StateKind::End => ", shape=doublecircle",
            StateKind::Error => ", shape=octagon, style=filled, fillcolor=\"#f8d0d0\", color=\"#b00020\"",
        };
        let label = quote(&state_label(lts, state));
        let _ = writeln!(text, "  {state} [label={label}{style}];");
    }
    for ((source, target), labels) in merged_edges(lts, actions) {
        let label = quote(&labels.join("\n"));
        let _ = writeln!(text, "  {source} -> {target} [label={label}];");
    }
    text.push_str("}\n");
    text
}

fn quote(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}
