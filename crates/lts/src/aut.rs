//! The AUT (Aldebaran) format.
//!
//! ```text
//! des (0, 2, 3)
//! (0, "request", 1)
//! (1, i, 2)
//! ```
//!
//! `i` and `tau` are τ, in quotes or not, as CADP and mCRL2 write it. An action of that name is
//! written, and read, as `"i()"`. A label reaches from the first comma to the last. State -1 is `ERROR`, as LTSA
//! writes it. The format knows neither alphabets nor kinds of states: on reading, the alphabet
//! is what occurs and a state without transitions is `STOP`; on writing, all states are alike.

use std::fmt::Write as _;

use cranelift_entity::EntityRef;
use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};

use crate::action::{ActionId, ActionTable};
use crate::lts::{Lts, LtsBuilder, StateId, StateKind};

/// So many errors are reported for a file.
const MAX_ERRORS: usize = 50;

/// The largest number of states that is read.
const MAX_STATES: usize = 50_000_000;

pub fn write(lts: &Lts, actions: &ActionTable) -> String {
    let mut text = format!(
        "des ({}, {}, {})\n",
        lts.initial().index(),
        lts.transition_count(),
        lts.state_count()
    );
    for (source, action, target) in lts.triples() {
        let (source, target) = (source.index(), target.index());
        // Writing to a string never fails.
        let _ = match (action.is_tau(), actions.name(action).as_str()) {
            (true, _) => writeln!(text, "({source}, i, {target})"),
            (false, "i") => writeln!(text, "({source}, \"i()\", {target})"),
            (false, name) => writeln!(text, "({source}, \"{name}\", {target})"),
        };
    }
    text
}

pub fn read(source: SourceId, text: &str, actions: &mut ActionTable) -> Result<Lts, Diagnostics> {
    let mut reader = Reader {
        source,
        actions,
        diagnostics: Diagnostics::new(),
    };
    let mut lines = lines(text);
    let Some(first) = lines.next() else {
        reader.error(
            Line { start: 0, text: "" },
            "an AUT file starts with `des (…)`",
            HEADER,
        );
        return Err(reader.diagnostics);
    };
    let Some(header) = reader.header(first) else {
        return Err(reader.diagnostics);
    };
    let mut transitions = Vec::new();
    for line in lines {
        transitions.extend(reader.transition(line, &header));
        if reader.diagnostics.error_count() >= MAX_ERRORS {
            break;
        }
    }
    if !reader.diagnostics.has_errors() && transitions.len() != header.transitions {
        let message = format!(
            "{} transitions are announced, but there are {}",
            header.transitions,
            transitions.len()
        );
        reader.error(
            first,
            message,
            "the second number of `des` counts the transitions",
        );
    }
    if reader.diagnostics.has_errors() {
        return Err(reader.diagnostics);
    }
    Ok(build(&header, &transitions))
}

fn build(header: &Header, transitions: &[(usize, ActionId, Target)]) -> Lts {
    let mut kinds = vec![StateKind::Stop; header.states];
    for &(source, _, _) in transitions {
        kinds[source] = StateKind::Ordinary;
    }
    let mut builder = LtsBuilder::new();
    for kind in kinds {
        builder.state(kind);
    }
    let mut error = None;
    for &(source, action, target) in transitions {
        let target = match target {
            Target::State(number) => StateId::new(number),
            Target::Error => *error.get_or_insert_with(|| builder.state(StateKind::Error)),
        };
        builder.transition(StateId::new(source), action, target);
    }
    builder.finish(StateId::new(header.initial))
}

const HEADER: &str = "write `des (initial state, number of transitions, number of states)`";
const TRANSITION: &str = "write `(source, \"label\", target)`, one transition on each line";

#[derive(Clone, Copy)]
struct Line<'a> {
    start: usize,
    text: &'a str,
}

/// The lines that are not blank, without surrounding space.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let indent = line.len() - line.trim_start().len();
        let found = Line {
            start: start + indent,
            text: line.trim(),
        };
        start += line.len();
        (!found.text.is_empty()).then_some(found)
    })
}

struct Header {
    initial: usize,
    transitions: usize,
    states: usize,
}

#[derive(Clone, Copy)]
enum Target {
    State(usize),
    Error,
}

struct Reader<'a> {
    source: SourceId,
    actions: &'a mut ActionTable,
    diagnostics: Diagnostics,
}

impl Reader<'_> {
    fn error(&mut self, line: Line<'_>, message: impl Into<String>, hint: impl Into<String>) {
        let span = Span::new(self.source, line.start, line.start + line.text.len());
        self.diagnostics
            .push(Diagnostic::error("aut-syntax", span, message).hint(hint));
    }

    fn header(&mut self, line: Line<'_>) -> Option<Header> {
        let numbers: Option<Vec<usize>> = line
            .text
            .strip_prefix("des")
            .and_then(|rest| rest.trim().strip_prefix('(')?.strip_suffix(')'))
            .and_then(|rest| rest.split(',').map(|number| number.trim().parse().ok()).collect());
        let Some(&[initial, transitions, states]) = numbers.as_deref() else {
            self.error(line, "this is not an AUT header", HEADER);
            return None;
        };
        if states > MAX_STATES {
            let hint = format!("at most {MAX_STATES} states are read");
            self.error(line, "the system has too many states", hint);
            return None;
        }
        if initial >= states {
            let message = format!("the initial state {initial} is none of the {states} states");
            self.error(line, message, "states are numbered from 0");
            return None;
        }
        Some(Header {
            initial,
            transitions,
            states,
        })
    }

    fn transition(&mut self, line: Line<'_>, header: &Header) -> Option<(usize, ActionId, Target)> {
        let parts = line
            .text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .and_then(|inner| {
                let (source, rest) = inner.split_once(',')?;
                let (label, target) = rest.rsplit_once(',')?;
                Some((source.trim(), label.trim(), target.trim()))
            });
        let Some((source, label, target)) = parts.filter(|(_, label, _)| !label.is_empty()) else {
            self.error(line, "this is not a transition", TRANSITION);
            return None;
        };
        if label.starts_with('"') && (label.len() == 1 || !label.ends_with('"')) {
            self.error(line, format!("the quote of `{label}` is not closed"), TRANSITION);
            return None;
        }
        let source = self.state(line, source, header)?;
        let target = match target {
            "-1" => Target::Error,
            _ => Target::State(self.state(line, target, header)?),
        };
        let quoted = label.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let action = match quoted.unwrap_or(label) {
            "i" => ActionTable::TAU,
            "i()" => self.actions.named("i"),
            name => self.actions.named(name),
        };
        Some((source, action, target))
    }

    fn state(&mut self, line: Line<'_>, text: &str, header: &Header) -> Option<usize> {
        match text.parse() {
            Ok(number) if number < header.states => Some(number),
            Ok(number) => {
                let count = header.states;
                let message = format!("state {number} is none of the {count} states");
                let hint = format!("states are numbered from 0 to {}", count - 1);
                self.error(line, message, hint);
                None
            }
            Err(_) => {
                self.error(line, format!("`{text}` is not a state number"), TRANSITION);
                None
            }
        }
    }
}
