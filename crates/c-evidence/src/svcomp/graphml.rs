//! Witnesses in format 1.0: an automaton as GraphML.
//!
//! A violation witness is a chain: one transition enters the entry, one for each known answer guards
//! it by the result of the call, the last reaches the violation. With threads there is one for each thread that starts and for each
//! statement that another thread goes on with, unless answers are known: their order among those is not. A correctness witness is the automaton
//! with one state, which leaves the proof to the validator.

use std::fmt::Write;

use lariat_report::{Failure, Machine};

use crate::svcomp::witness::{Turn, WitnessKind, WitnessTask, thread_of_failure};

/// Attributes of the graph, its nodes and its edges: name, whose, type.
const KEYS: [(&str, &str, &str); 18] = [
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("startline", "edge", "int"),
    ("originfile", "edge", "string"),
    ("enterFunction", "edge", "string"),
    ("threadId", "edge", "string"),
    ("createThread", "edge", "string"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
];

/// A witness as the text of a `.graphml` file.
pub fn graphml(task: &WitnessTask<'_>) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, whose, ty) in KEYS {
        let _ = write!(
            text,
            " <key attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{whose}\" id=\"{name}\""
        );
        text.push_str(match ty {
            "boolean" => ">\n  <default>false</default>\n </key>\n",
            _ => "/>\n",
        });
    }
    text.push_str(" <graph edgedefault=\"directed\">\n");
    let kind = match task.kind {
        WitnessKind::Correctness => "correctness_witness",
        WitnessKind::Violation(_) => "violation_witness",
    };
    let architecture = match task.machine {
        Machine::Ilp32 => "32bit",
        Machine::Lp64 => "64bit",
    };
    data(&mut text, 2, "witness-type", kind);
    data(&mut text, 2, "sourcecodelang", "C");
    data(&mut text, 2, "producer", &format!("Lariat {}", task.version));
    for line in task.specification.lines() {
        data(&mut text, 2, "specification", line);
    }
    for file in &task.files {
        data(&mut text, 2, "programfile", &file.name);
        data(&mut text, 2, "programhash", &file.hash);
    }
    data(&mut text, 2, "architecture", architecture);
    data(&mut text, 2, "creationtime", task.creation_time);
    match task.kind {
        WitnessKind::Correctness => node(&mut text, 0, Some("entry")),
        WitnessKind::Violation(failure) => violation(&mut text, task, failure),
    }
    text.push_str(" </graph>\n</graphml>\n");
    text
}

fn violation(text: &mut String, task: &WitnessTask<'_>, failure: &Failure) {
    node(text, 0, Some("entry"));
    let mut state = 0;
    let mut step = |text: &mut String, is_last: bool, parts: &[(&str, String)]| {
        state += 1;
        node(text, state, is_last.then_some("violation"));
        let _ = writeln!(text, "  <edge source=\"N{}\" target=\"N{state}\">", state - 1);
        for (key, value) in parts {
            data(text, 3, key, value);
        }
        text.push_str("  </edge>\n");
    };
    let last_thread = thread_of_failure(failure);
    let mut first = vec![("enterFunction", task.entry.to_owned())];
    if last_thread.is_some() {
        first.extend([("createThread", "0".to_owned()), ("threadId", "0".to_owned())]);
    }
    step(text, false, &first);
    let answers = task.answers(failure);
    let turns = match answers.is_empty() {
        true => task.schedule(failure),
        false => Vec::new(),
    };
    for turn in turns {
        match turn {
            Turn::Starts { thread, function } => {
                step(text, false, &[("createThread", thread.to_string())]);
                let enters = [("threadId", thread.to_string()), ("enterFunction", function)];
                step(text, false, &enters);
            }
            Turn::GoesOn {
                thread, file, line, ..
            } => {
                let place = [("originfile", file), ("startline", line.to_string())];
                let [file, line] = place;
                step(text, false, &[file, line, ("threadId", thread.to_string())]);
            }
        }
    }
    for answer in answers {
        let mut parts = vec![
            ("originfile", answer.file.clone()),
            ("startline", answer.call_line.to_string()),
            ("assumption", format!("\\result == {}", answer.input.value)),
            ("assumption.resultfunction", answer.input.function.clone()),
        ];
        parts.extend(
            answer
                .function
                .clone()
                .map(|function| ("assumption.scope", function)),
        );
        step(text, false, &parts);
    }
    let mut last = Vec::new();
    if let Some(location) = &failure.location
        && let Some(file) = task.file_of(location)
    {
        last.push(("originfile", file.name.clone()));
        last.push(("startline", location.line.to_string()));
    }
    last.extend(last_thread.map(|thread| ("threadId", thread.to_string())));
    step(text, true, &last);
}

fn node(text: &mut String, state: usize, mark: Option<&str>) {
    match mark {
        Some(mark) => {
            let _ = writeln!(
                text,
                "  <node id=\"N{state}\">\n   <data key=\"{mark}\">true</data>\n  </node>"
            );
        }
        None => {
            let _ = writeln!(text, "  <node id=\"N{state}\"/>");
        }
    }
}

fn data(text: &mut String, indent: usize, key: &str, value: &str) {
    let value = value
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let _ = writeln!(text, "{:indent$}<data key=\"{key}\">{value}</data>", "");
}
