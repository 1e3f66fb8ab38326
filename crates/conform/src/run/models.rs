//! The systems of a question as pictures and files: the specification, what routines do, and the final models.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use lariat_lts::{ActionTable, Lts, aut, dot, svg};
use lariat_report::{ConformModel, ConformModelKind};

use crate::cegar::Statistics;
use crate::question::Question;

/// The specification and the final models, with drawings of those that are small enough.
pub fn models(question: &Question, specification: &str, statistics: &Statistics) -> Vec<ConformModel> {
    let actions = &question.actions;
    let mut models = vec![model(
        specification,
        ConformModelKind::Specification,
        &question.specification,
        actions,
    )];
    for (component, statistics) in question.components.iter().zip(&statistics.components) {
        let Some(last) = &statistics.models else {
            continue;
        };
        let kinds = [
            (ConformModelKind::ActionGuidedAbstraction, last.ma.as_ref()),
            (ConformModelKind::PredicateAbstraction, Some(&last.mp)),
        ];
        for (kind, lts) in kinds {
            models.extend(lts.map(|lts| model(&component.name, kind, lts, actions)));
        }
    }
    models
}

fn model(name: &str, kind: ConformModelKind, lts: &Lts, actions: &ActionTable) -> ConformModel {
    ConformModel {
        name: name.to_owned(),
        kind,
        states: lts.state_count(),
        transitions: lts.transition_count(),
        svg: svg::draw(lts, actions, name).ok(),
    }
}

/// Writes every system to a folder, as AUT, DOT and, if it is small enough, SVG.
pub fn export(folder: &Path, question: &Question, statistics: &Statistics) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // By the name of the file, so that what components share is written once.
    let mut systems: BTreeMap<String, &Lts> = BTreeMap::new();
    systems.insert("specification".to_owned(), &question.specification);
    for (component, statistics) in question.components.iter().zip(&statistics.components) {
        let component_name = file_name(&component.name);
        for routine in component.cfa.routines.values() {
            for (index, alternative) in routine.alternatives.iter().enumerate() {
                let number = match routine.alternatives.len() {
                    1 => String::new(),
                    _ => format!("-{}", index + 1),
                };
                let name = format!("{component_name}.routine.{}{number}", file_name(&routine.name));
                systems.insert(name, &alternative.process);
            }
        }
        if let Some(last) = &statistics.models {
            systems.insert(format!("{component_name}.MP"), &last.mp);
            if let Some(ma) = &last.ma {
                systems.insert(format!("{component_name}.MA"), ma);
            }
        }
    }
    for (name, lts) in systems {
        let path = |extension: &str| folder.join(format!("{name}.{extension}"));
        fs::write(path("aut"), aut::write(lts, &question.actions))?;
        fs::write(path("dot"), dot::write(lts, &question.actions, &name))?;
        if let Ok(drawing) = svg::draw(lts, &question.actions, &name) {
            fs::write(path("svg"), drawing)?;
        }
    }
    Ok(())
}

/// A name without characters that file systems refuse.
pub fn file_name(name: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let name: String = name.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
    match name.is_empty() {
        true => "specification".to_owned(),
        false => name,
    }
}
