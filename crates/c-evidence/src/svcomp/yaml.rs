//! Witnesses in format 2.0, for executions with threads 2.2: YAML entries.
//!
//! A violation witness is a `violation_sequence`: one segment for each known answer, which follows the
//! return of the call (a `function_return` waypoint stands at the closing parenthesis and constrains
//! `\result`), and a last one with the target. With threads each waypoint says whose it is, and where no call is answered there is a
//! segment for each statement that a thread goes on with; answers and such statements are in no known order. A correctness witness is an `invariant_set` without
//! invariants, which leaves the proof to the validator.

use std::fmt::Write;

use lariat_report::{Failure, Machine, TraceKind, TraceLine};

use crate::svcomp::witness::{Turn, WitnessKind, WitnessTask, is_integer, thread_of_failure};

/// A witness as the text of a `.yml` file.
pub fn yaml(task: &WitnessTask<'_>) -> String {
    let mut text = String::new();
    let entry = match task.kind {
        WitnessKind::Correctness => "invariant_set",
        WitnessKind::Violation(_) => "violation_sequence",
    };
    let _ = writeln!(text, "- entry_type: {entry}");
    metadata(&mut text, task);
    match task.kind {
        WitnessKind::Correctness => text.push_str("  content: []\n"),
        WitnessKind::Violation(failure) => violation(&mut text, task, failure),
    }
    text
}

fn metadata(text: &mut String, task: &WitnessTask<'_>) {
    let model = match task.machine {
        Machine::Ilp32 => "ILP32",
        Machine::Lp64 => "LP64",
    };
    let version = match task.kind {
        WitnessKind::Violation(failure) if thread_of_failure(failure).is_some() => "2.2",
        _ => "2.0",
    };
    let _ = write!(
        text,
        "  metadata:\n    format_version: \"{}\"\n    uuid: {}\n    creation_time: {}\n    producer:\n      \
         name: \"Lariat\"\n      version: {}\n    task:\n      input_files:\n",
        version,
        quoted(&task.uuid()),
        quoted(task.creation_time),
        quoted(task.version),
    );
    for file in &task.files {
        let _ = writeln!(text, "        - {}", quoted(&file.name));
    }
    text.push_str("      input_file_hashes:\n");
    for file in &task.files {
        let _ = writeln!(text, "        {}: {}", quoted(&file.name), quoted(&file.hash));
    }
    let _ = write!(
        text,
        "      specification: {}\n      data_model: {model}\n      language: C\n",
        quoted(task.specification)
    );
}

fn violation(text: &mut String, task: &WitnessTask<'_>, failure: &Failure) {
    text.push_str("  content:\n");
    let answers = task.answers(failure);
    let turns = match answers.is_empty() {
        true => task.schedule(failure),
        false => Vec::new(),
    };
    for turn in &turns {
        if let Turn::GoesOn {
            thread,
            // An assumption holds where a statement starts.
            is_first: true,
            file,
            function,
            line,
            column,
        } = turn
        {
            let constraint = Constraint {
                format: "c_expression",
                value: "1".to_owned(),
            };
            let place = Place {
                file,
                line: *line,
                column: *column,
                function: function.as_deref(),
                thread: Some(*thread),
            };
            waypoint(text, "assumption", Some(&constraint), &place);
        }
    }
    for answer in answers {
        let constraint = Constraint {
            format: "acsl_expression",
            value: format!("\\result == {}", answer.input.value),
        };
        let place = Place {
            file: &answer.file,
            line: answer.line,
            column: answer.column,
            function: answer.function.as_deref(),
            thread: None,
        };
        waypoint(text, "function_return", Some(&constraint), &place);
    }
    if let Some((constraint, line)) = last_choice(failure)
        && turns.is_empty()
        && let Some(location) = &line.location
        && let Some(file) = task.file_of(location)
    {
        let function = task.function_at(location);
        let place = Place {
            file: &file.name,
            line: location.line,
            column: location.column,
            function: function.as_deref(),
            thread: None,
        };
        waypoint(text, "assumption", Some(&constraint), &place);
    }
    // Without a place, the start of the entry's file is all that is known of the target.
    let location = failure.location.as_ref();
    let file = location.and_then(|location| task.file_of(location));
    let function = location.and_then(|location| task.function_at(location));
    let name = file.or(task.files.first()).map_or("", |file| file.name.as_str());
    let place = Place {
        file: name,
        line: location.map_or(1, |location| location.line),
        column: location.map_or(1, |location| location.column),
        function: function.as_deref(),
        thread: thread_of_failure(failure),
    };
    waypoint(text, "target", None, &place);
}

/// The last value that the program does not determine, if no call answered it: it holds where the step
/// after it starts. Earlier ones are left out, because a waypoint for each would have to be passed in
/// the order of the execution, which the places of calls do not tell.
fn last_choice(failure: &Failure) -> Option<(Constraint, &TraceLine)> {
    if !failure.inputs.is_empty() {
        return None;
    }
    let at = failure
        .trace
        .iter()
        .rposition(|line| line.kind == TraceKind::Havoc)?;
    let (choice, next) = (&failure.trace[at], failure.trace.get(at + 1)?);
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let stays = choice.indent == next.indent && next.kind == TraceKind::Statement;
    let [change] = choice.changes.as_slice() else {
        return None;
    };
    (stays && is_name(&change.name) && is_integer(&change.value)).then(|| {
        let constraint = Constraint {
            format: "c_expression",
            value: format!("{} == {}", change.name, change.value),
        };
        (constraint, next)
    })
}

struct Constraint {
    format: &'static str,
    value: String,
}

struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: Option<&'a str>,
    thread: Option<u32>,
}

/// A segment of one waypoint that is followed.
fn waypoint(text: &mut String, kind: &str, constraint: Option<&Constraint>, place: &Place<'_>) {
    let _ = write!(
        text,
        "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow\n"
    );
    if let Some(thread) = place.thread {
        let _ = writeln!(text, "            thread_id: {thread}");
    }
    if let Some(constraint) = constraint {
        let _ = write!(
            text,
            "            constraint:\n              value: {}\n              format: {}\n",
            quoted(&constraint.value),
            constraint.format
        );
    }
    let _ = write!(
        text,
        "            location:\n              file_name: {}\n              line: {}\n              column: {}\n",
        quoted(place.file),
        place.line,
        place.column
    );
    if let Some(function) = place.function {
        let _ = writeln!(text, "              function: {}", quoted(function));
    }
}

/// A string of JSON is a string of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
