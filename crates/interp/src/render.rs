//! Events as lines for people: pure data, colour is the business of the command.

use lariat_base::{SourceMap, Span};
use lariat_ir::{Origin, ProcId, Program, StmtKind, Terminator};
pub use lariat_options::TraceDetail;
use lariat_term::{Value, VarId};

use crate::event::{Change, Event, EventKind, Place, Read};
use crate::slice::{Slice, backward_slice};
use crate::wording::Wording;

mod text;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLine {
    pub indent: u32,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The statement as it stands in the source, on one line.
    pub text: String,
    /// Variables and elements of maps with their new values; for a failure the values it read.
    pub changes: Vec<(String, String)>,
    pub kind: LineKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    Start,
    Statement,
    Assume,
    /// A condition of an `if` or `while` and whether it was true.
    Guard {
        taken: bool,
    },
    Call,
    Return,
    /// Calls that do not matter, on one line.
    Collapsed,
    /// Lines left out because there are too many.
    Elided,
    Failure,
    /// The end of a trace in which the entry returns.
    End,
}

/// More calls in a row that do not matter than this become one line without their names.
const MAX_COLLAPSED_IN_A_ROW: usize = 3;

/// How many lines a brief trace keeps at its start and at its end if it has many more.
const BRIEF_START: usize = 300;
const BRIEF_END: usize = 700;

/// The lines of an execution. External locations are shown instead of the place in the source
/// file where a statement has one.
pub fn render(
    events: &[Event],
    program: &Program,
    sources: &SourceMap,
    wording: &dyn Wording,
    detail: TraceDetail,
) -> Vec<TraceLine> {
    let slice = match detail {
        TraceDetail::Brief => backward_slice(program, events),
        TraceDetail::Full => Slice {
            relevant: vec![true; events.len()],
            inputs: events.iter().flat_map(start_vars).collect(),
        },
    };
    let mut renderer = Renderer {
        program,
        sources,
        wording,
        slice,
        lines: Vec::new(),
        collapsed: Vec::new(),
        last_branch: None,
    };
    renderer.run(events);
    if detail == TraceDetail::Full
        && !matches!(
            events.last().map(|event| &event.kind),
            Some(EventKind::AssertFailed { .. })
        )
        && let Some(last) = events.last()
    {
        renderer.push(
            last.place,
            last.depth,
            "the trace ends here".into(),
            Vec::new(),
            LineKind::End,
        );
    }
    match detail {
        TraceDetail::Brief => shortened(renderer.lines),
        TraceDetail::Full => renderer.lines,
    }
}

/// Only the start and the end of a trace that is too long to be read.
fn shortened(mut lines: Vec<TraceLine>) -> Vec<TraceLine> {
    if lines.len() <= BRIEF_START + BRIEF_END + 1 {
        return lines;
    }
    let end = lines.split_off(lines.len() - BRIEF_END);
    let left_out = lines.len() - BRIEF_START;
    lines.truncate(BRIEF_START);
    lines.push(TraceLine {
        indent: lines.last().map_or(0, |line| line.indent),
        file: None,
        line: None,
        column: None,
        text: format!("… {left_out} lines left out"),
        changes: Vec::new(),
        kind: LineKind::Elided,
    });
    lines.extend(end);
    lines
}

/// Whether a call comes back; what fails inside is shown.
fn returns(events: &[Event], call: u32) -> bool {
    events
        .iter()
        .any(|event| matches!(event.kind, EventKind::Return { activation, .. } if activation == call))
}

fn start_vars(event: &Event) -> Vec<VarId> {
    match &event.kind {
        EventKind::Start { values } => values.iter().map(|(var, _)| *var).collect(),
        _ => Vec::new(),
    }
}

struct Renderer<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    wording: &'a dyn Wording,
    slice: Slice,
    lines: Vec<TraceLine>,
    /// Calls that do not matter since the last line.
    collapsed: Vec<TraceLine>,
    /// Whether the last jump of several targets took the first one.
    last_branch: Option<bool>,
}

impl Renderer<'_> {
    fn run(&mut self, events: &[Event]) {
        let mut hidden_until_return_of = None;
        for (index, event) in events.iter().enumerate() {
            if let Some(activation) = hidden_until_return_of {
                if matches!(event.kind, EventKind::Return { activation: a, .. } if a == activation) {
                    hidden_until_return_of = None;
                    // The results may matter although nothing inside does.
                    if self.slice.relevant[index] {
                        self.event(event);
                    }
                }
                continue;
            }
            match &event.kind {
                EventKind::Call {
                    callee, activation, ..
                } if !self.slice.relevant[index] => {
                    hidden_until_return_of = Some(*activation);
                    self.collapse(event, *callee);
                }
                EventKind::Call {
                    callee, activation, ..
                } if self.wording.hides(self.program, *callee) && returns(&events[index..], *activation) => {
                    hidden_until_return_of = Some(*activation);
                    self.event(event);
                }
                _ if self.slice.relevant[index] => self.event(event),
                _ => {}
            }
        }
    }

    fn event(&mut self, event: &Event) {
        let (program, place, depth) = (self.program, event.place, event.depth);
        let is_internal = place.origin(program) == Some(&Origin::Internal);
        match &event.kind {
            EventKind::Start { values } => {
                let shown: Vec<(String, String)> = values
                    .iter()
                    .filter(|(var, _)| self.slice.inputs.contains(var))
                    .filter_map(|(var, value)| self.wording.variable(program, *var, value))
                    .collect();
                let text = format!("entry {}", program.procs[place.proc].name);
                let span = program.procs[place.proc].span;
                self.push_at(span, depth, text, shown, LineKind::Start);
            }
            EventKind::Assign { changes } | EventKind::Havoc { changes } => {
                if !is_internal {
                    let changes = self.changes(place, changes);
                    self.push(place, depth, self.stmt_text(place), changes, LineKind::Statement);
                }
            }
            EventKind::Assume | EventKind::AssertHeld => self.assume(place, depth),
            EventKind::AssertFailed { values, .. } => {
                let values = self.values_text(values);
                self.push(place, depth, self.stmt_text(place), values, LineKind::Failure);
            }
            EventKind::Branch { target } => {
                let block = &program.procs[place.proc].blocks[place.block];
                self.last_branch = match &block.terminator {
                    Terminator::Goto(targets) => targets.first().map(|first| first == target),
                    Terminator::Return => None,
                };
            }
            EventKind::Call {
                callee, arguments, ..
            } => {
                let shown = arguments
                    .iter()
                    .filter_map(|(var, value)| self.wording.variable(program, *var, value.as_ref()?))
                    .collect();
                self.push(
                    place,
                    depth,
                    self.call_text(place, *callee),
                    shown,
                    LineKind::Call,
                );
            }
            EventKind::Return { callee, changes, .. } => {
                let text = format!("return from {}", program.procs[*callee].name);
                let changes = self.changes(place, changes);
                self.push(place, depth, text, changes, LineKind::Return);
            }
            EventKind::Skipped { callee } => self.collapse(event, *callee),
        }
    }

    fn assume(&mut self, place: Place, depth: u32) {
        let taken = self.last_branch.unwrap_or(true);
        match place.origin(self.program) {
            Some(Origin::Internal) => {}
            Some(Origin::Guard) => {
                let text = text::guard(&self.stmt_text(place));
                self.push(place, depth, text, Vec::new(), LineKind::Guard { taken });
            }
            _ => self.push(place, depth, self.stmt_text(place), Vec::new(), LineKind::Assume),
        }
    }

    fn changes(&self, place: Place, changes: &[Change]) -> Vec<(String, String)> {
        let stmt = place.stmt(self.program);
        changes
            .iter()
            .flat_map(|change| self.wording.change(self.program, stmt, change))
            .collect()
    }

    fn values_text(&self, values: &[(Read, Value)]) -> Vec<(String, String)> {
        values
            .iter()
            .filter_map(|(read, value)| self.wording.read(self.program, read, value))
            .collect()
    }

    fn stmt_text(&self, place: Place) -> String {
        let stmt = place.stmt(self.program);
        let source = place
            .span(self.program)
            .map(|span| text::statement(self.sources.snippet(span)))
            .filter(|text| !text.is_empty());
        match (source, stmt) {
            (Some(text), _) => text,
            (None, Some(stmt)) => text::statement(&self.program.stmt_text(stmt)),
            (None, None) => "goto".into(),
        }
    }

    /// The call as the user wrote it; if the statement is of another kind, the callee's name.
    fn call_text(&self, place: Place, callee: ProcId) -> String {
        let is_call = matches!(
            place.stmt(self.program).map(|stmt| &stmt.kind),
            Some(StmtKind::Call(_))
        );
        let text = if is_call {
            self.stmt_text(place)
        } else {
            String::new()
        };
        self.wording.call(&text, &self.program.procs[callee].name)
    }

    fn collapse(&mut self, event: &Event, callee: ProcId) {
        if event.place.origin(self.program) == Some(&Origin::Internal) {
            return;
        }
        let name = format!("{}(…) … returned", self.program.procs[callee].name);
        let text = self.wording.call("", &name);
        let line = self.line(event.place, event.depth, text, Vec::new(), LineKind::Collapsed);
        self.collapsed.push(line);
    }

    fn flush_collapsed(&mut self) {
        let count = self.collapsed.len();
        if count > MAX_COLLAPSED_IN_A_ROW {
            self.collapsed.truncate(1);
            self.collapsed[0].text = format!("… {count} calls that do not matter");
        }
        self.lines.append(&mut self.collapsed);
    }

    fn push(
        &mut self,
        place: Place,
        depth: u32,
        text: String,
        changes: Vec<(String, String)>,
        kind: LineKind,
    ) {
        let line = self.line(place, depth, text, changes, kind);
        self.flush_collapsed();
        self.lines.push(line);
    }

    fn push_at(
        &mut self,
        span: Option<Span>,
        indent: u32,
        text: String,
        changes: Vec<(String, String)>,
        kind: LineKind,
    ) {
        self.flush_collapsed();
        let (file, line, column) = self.source_place(span);
        self.lines.push(TraceLine {
            indent,
            file,
            line,
            column,
            text,
            changes,
            kind,
        });
    }

    fn line(
        &self,
        place: Place,
        indent: u32,
        text: String,
        changes: Vec<(String, String)>,
        kind: LineKind,
    ) -> TraceLine {
        let (file, line, column) = match place.location(self.program) {
            Some(location) => (
                Some(location.file.to_string()),
                Some(location.line),
                location.column,
            ),
            None => self.source_place(place.span(self.program)),
        };
        TraceLine {
            indent,
            file,
            line,
            column,
            text,
            changes,
            kind,
        }
    }

    fn source_place(&self, span: Option<Span>) -> (Option<String>, Option<u32>, Option<u32>) {
        let Some(span) = span else {
            return (None, None, None);
        };
        let (line, column) = self.sources.line_column(span);
        let file = self.sources.path(span).display().to_string();
        (Some(file), Some(line as u32), Some(column as u32))
    }
}

#[cfg(test)]
mod tests;
