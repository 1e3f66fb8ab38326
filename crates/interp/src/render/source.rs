//! An execution in terms of the program that this one was compiled from: the places that it passes, its calls, and the values
//! that it shows.
//!
//! The place of a step is the last one that its activation has passed. A step before the first has none.

use std::sync::Arc;

use lariat_base::SourceMap;
use lariat_ir::{ExternalLocation, Program, ThreadPrimitive};
use rustc_hash::FxHashMap;

use super::{LineKind, TraceLine, record_text, text};
use crate::event::{Event, EventKind};

pub(super) fn lines(events: &[Event], program: &Program, sources: &SourceMap) -> Vec<TraceLine> {
    let mut walk = Walk {
        program,
        sources,
        places: FxHashMap::default(),
        thread: 0,
        lines: Vec::new(),
    };
    for event in events {
        walk.event(event);
    }
    super::threads::name_threads(&mut walk.lines);
    walk.lines
}

struct Walk<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    /// The last place that each activation has passed.
    places: FxHashMap<u32, Arc<ExternalLocation>>,
    /// The thread that runs.
    thread: u32,
    lines: Vec<TraceLine>,
}

impl Walk<'_> {
    fn event(&mut self, event: &Event) {
        let program = self.program;
        let stmt = event.place.stmt(program);
        let passed = stmt.and_then(|stmt| stmt.location.clone());
        let is_marked = passed.is_some();
        if let Some(place) = passed {
            self.places.insert(event.activation, place);
        }
        match &event.kind {
            EventKind::Assume | EventKind::AssertHeld if is_marked => {
                let text = format!("in {}", program.procs[event.place.proc].name);
                self.push(event, LineKind::Statement, text);
            }
            EventKind::Call { callee, .. }
                if program.threads.primitives.get(callee) == Some(&ThreadPrimitive::Spawn) =>
            {
                let name = program.procs[*callee].name.to_string();
                self.push_call(event, LineKind::Call, format!("fork {name}"), name);
            }
            EventKind::Call { callee, .. } => {
                let name = program.procs[*callee].name.to_string();
                self.push_call(event, LineKind::Call, format!("call {name}"), name);
            }
            EventKind::Return { callee, .. } => {
                let name = program.procs[*callee].name.to_string();
                self.push_call(event, LineKind::Return, format!("return from {name}"), name);
            }
            // It was called, and nothing in it matters.
            EventKind::Skipped { callee } => {
                let name = program.procs[*callee].name.to_string();
                self.push_call(event, LineKind::Call, format!("call {name}"), name.clone());
                self.push_call(event, LineKind::Return, format!("return from {name}"), name);
            }
            EventKind::Record { value } => {
                let changes = record_text(program, event.place, value.as_ref());
                let line = self.line(event, LineKind::Record, "shows".to_owned());
                self.lines.push(TraceLine { changes, ..line });
            }
            EventKind::AssertFailed { .. } => {
                let span = event.place.span(program);
                let source = span.map(|span| text::statement(self.sources.snippet(span)));
                self.push(event, LineKind::Failure, source.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn push(&mut self, event: &Event, kind: LineKind, text: String) {
        let line = self.line(event, kind, text);
        self.lines.push(line);
    }

    fn push_call(&mut self, event: &Event, kind: LineKind, text: String, callee: String) {
        let line = self.line(event, kind, text);
        let callee = Some(callee);
        self.lines.push(TraceLine { callee, ..line });
    }

    fn line(&mut self, event: &Event, kind: LineKind, text: String) -> TraceLine {
        if event.thread != self.thread {
            self.thread = event.thread;
            let switch = format!("— thread {} —", event.thread + 1);
            self.lines.push(TraceLine {
                thread: Some(event.thread + 1),
                ..TraceLine::note(switch)
            });
        }
        let place = self.places.get(&event.activation);
        let block = &self.program.procs[event.place.proc].blocks[event.place.block];
        TraceLine {
            indent: event.depth,
            file: place.map(|place| place.file.to_string()),
            line: place.map(|place| place.line),
            column: place.and_then(|place| place.column),
            kind,
            block: block.label.as_ref().map(|label| label.to_string()),
            thread: Some(event.thread + 1),
            ..TraceLine::note(text)
        }
    }
}
