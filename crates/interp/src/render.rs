//! Events as lines for people: pure data, colour is the business of the command.

use lariat_base::{SourceMap, Span};
use lariat_ir::{Origin, ProcId, Program, StmtKind, Terminator};
pub use lariat_options::TraceDetail;
use lariat_term::{Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use self::closed::{Closed, failing_library, is_failing_call, libraries};
use self::shorten::{is_same_call, is_same_guard, is_stored_by, shortened};
use crate::event::{Change, Event, EventKind, Place, Read};
use crate::show::literal_text;
use crate::slice::{Slice, backward_slice};
use crate::wording::Wording;

mod closed;
mod shorten;
mod source;
mod text;
mod threads;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceLine {
    pub indent: u32,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The statement as it stands in the source, on one line; of a condition also which way it went.
    pub text: String,
    /// Variables and elements of maps with their new values; for a failure the values it read.
    pub changes: Vec<(String, String)>,
    /// Those names of `changes` that stand for globals and constants.
    pub globals: Vec<String>,
    pub kind: LineKind,
    /// Of a condition: whether it was true.
    pub outcome: Option<bool>,
    /// Of a `switch`: the label that it goes to.
    pub case: Option<String>,
    /// Of a call that has returned: its result.
    pub result: Option<String>,
    /// The statement is in library code.
    pub is_library: bool,
    /// Of a call or return: the procedure.
    pub callee: Option<String>,
    /// The label of the block.
    pub block: Option<String>,
    /// Of an execution with several threads: which one, numbered from 1.
    pub thread: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    Start,
    Statement,
    /// A value from outside the program.
    Input,
    Assume,
    /// A condition of an `if` or `while`, or the value of a `switch`.
    Guard,
    Call,
    Return,
    /// A value that the program shows.
    Record,
    /// A call of library code, from its start to its return.
    LibraryCall,
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
        TraceDetail::Source => return source::lines(events, program, sources),
        TraceDetail::Brief => backward_slice(program, events),
        TraceDetail::Full => Slice {
            relevant: vec![true; events.len()],
            inputs: events.iter().flat_map(start_vars).collect(),
        },
    };
    let libraries = libraries(events, program, wording);
    let mut renderer = Renderer {
        program,
        sources,
        wording,
        slice,
        opens_libraries: detail == TraceDetail::Full,
        failing: failing_library(events, program, &libraries),
        libraries,
        lines: Vec::new(),
        collapsed: Vec::new(),
        last_branch: None,
    };
    renderer.run(events);
    threads::name_threads(&mut renderer.lines);
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
        TraceDetail::Full | TraceDetail::Source => renderer.lines,
    }
}

impl TraceLine {
    /// Words without a place.
    fn note(text: String) -> Self {
        TraceLine {
            indent: 0,
            file: None,
            line: None,
            column: None,
            text,
            changes: Vec::new(),
            globals: Vec::new(),
            kind: LineKind::Elided,
            outcome: None,
            case: None,
            result: None,
            is_library: false,
            callee: None,
            block: None,
            thread: None,
        }
    }
}

/// What a record shows: the text that the program gave it, and the value.
fn record_text(program: &Program, place: Place, value: Option<&Value>) -> Vec<(String, String)> {
    let record = place.stmt(program).and_then(|stmt| program.records.get(&stmt.id));
    let Some(record) = record else {
        return Vec::new();
    };
    let pool = &program.pool;
    let any = || Value::any_of(pool, pool.sort_of(record.value));
    let Some(value) = value.cloned().or_else(any) else {
        return Vec::new();
    };
    let name = match &record.text {
        Some(text) => text.to_string(),
        None => "v".to_owned(),
    };
    vec![(name, literal_text(pool, &value))]
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
    /// What happens in library code is shown, too.
    opens_libraries: bool,
    libraries: FxHashSet<ProcId>,
    /// Shown as one line in any case: see [`failing_library`].
    failing: Option<ProcId>,
    lines: Vec<TraceLine>,
    /// Calls that do not matter since the last line.
    collapsed: Vec<TraceLine>,
    /// Whether the last jump of several targets took the first one.
    last_branch: Option<bool>,
}

impl Renderer<'_> {
    fn run(&mut self, events: &[Event]) {
        // For each thread the call that is not opened.
        let mut all_closed: FxHashMap<u32, Closed<'_>> = FxHashMap::default();
        let mut last_thread = 0;
        let mut running = 0;
        for (index, event) in events.iter().enumerate() {
            let is_relevant = self.slice.relevant[index];
            if event.thread != running {
                let shown = self.lines.len();
                self.flush_collapsed();
                self.show_switch(shown, running, &mut last_thread);
                running = event.thread;
            }
            let shown = self.lines.len();
            if let Some(&Closed {
                activation,
                call,
                callee,
                matters,
            }) = all_closed.get(&event.thread)
            {
                match &event.kind {
                    EventKind::Return {
                        activation: ended, ..
                    } if *ended == activation => {
                        all_closed.remove(&event.thread);
                        if !matters {
                            self.collapse(call, callee);
                        }
                        // The results may matter although nothing inside does.
                        if is_relevant {
                            self.event(event);
                        }
                    }
                    // What fails in library code fails where the user calls it.
                    EventKind::AssertFailed { assert, .. } => {
                        let text = self.call_text(call.place, callee);
                        let shown = match &call.kind {
                            // The arguments of `assert` and the like are not those of the user.
                            _ if is_failing_call(&self.program.asserts[*assert].kind) => Vec::new(),
                            EventKind::Call { arguments, .. } => self.arguments(arguments),
                            _ => Vec::new(),
                        };
                        self.push(call.place, call.depth, text, shown, LineKind::Failure);
                    }
                    _ => {}
                }
                self.show_switch(shown, event.thread, &mut last_thread);
                continue;
            }
            match &event.kind {
                // A thread that starts: the call is over at once.
                EventKind::Call { callee, .. } if self.is_spawn(*callee) => {
                    self.event(event);
                }
                // What a thread executes around the function that the user gave it.
                EventKind::Call { callee, .. }
                    if !self.opens_libraries
                        && self.libraries.contains(callee)
                        && self.is_spawn(event.place.proc) => {}
                EventKind::Call {
                    callee, arguments, ..
                } if self.is_around_thread(event) && !self.libraries.contains(callee) => {
                    self.thread_starts(event, *callee, arguments);
                }
                EventKind::AssertFailed { .. } => self.event(event),
                _ if self.is_around_thread(event) => {}
                EventKind::Call {
                    callee, activation, ..
                } if !is_relevant || !self.opens(*callee) => {
                    let closed = Closed {
                        activation: *activation,
                        call: event,
                        callee: *callee,
                        matters: is_relevant,
                    };
                    all_closed.insert(event.thread, closed);
                }
                _ if is_relevant => self.event(event),
                _ => {}
            }
            self.show_switch(shown, event.thread, &mut last_thread);
        }
    }

    fn event(&mut self, event: &Event) {
        let (program, place, depth) = (self.program, event.place, event.depth);
        let is_internal = place.origin(program).is_some_and(Origin::is_internal);
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
                self.mark_globals(values.iter().map(|(var, _)| *var));
            }
            EventKind::Assign { changes } | EventKind::Havoc { changes } => {
                if !is_internal {
                    let vars = changes.iter().map(|change| change.var);
                    let changes = self.changes(place, changes);
                    let stmt = place.stmt(program);
                    let kind = match stmt.is_some_and(|stmt| self.wording.is_input(stmt)) {
                        true => LineKind::Input,
                        false => LineKind::Statement,
                    };
                    self.push(place, depth, self.stmt_text(place), changes, kind);
                    self.mark_globals(vars);
                }
            }
            EventKind::Assume | EventKind::AssertHeld => self.assume(place, depth),
            EventKind::AssertFailed { values, .. } => {
                let values = self.values_text(values);
                self.push(place, depth, self.stmt_text(place), values, LineKind::Failure);
            }
            EventKind::Record { value } => {
                let shown = record_text(program, place, value.as_ref());
                self.push(place, depth, self.stmt_text(place), shown, LineKind::Record);
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
            } => self.call(event, *callee, arguments),
            EventKind::Return {
                callee,
                changes,
                results,
                ..
            } => self.return_from_call(event, *callee, changes, results),
            EventKind::Skipped { callee } => self.collapse(event, *callee),
        }
    }

    fn call(&mut self, event: &Event, callee: ProcId, arguments: &[(VarId, Option<Value>)]) {
        let shown = self.arguments(arguments);
        let text = self.call_text(event.place, callee);
        self.push(event.place, event.depth, text, shown, LineKind::Call);
    }

    fn arguments(&self, arguments: &[(VarId, Option<Value>)]) -> Vec<(String, String)> {
        arguments
            .iter()
            .filter_map(|(var, value)| self.wording.variable(self.program, *var, value.as_ref()?))
            .collect()
    }

    fn return_from_call(
        &mut self,
        event: &Event,
        callee: ProcId,
        changes: &[Change],
        results: &[(VarId, Option<Value>)],
    ) {
        let program = self.program;
        let result = match results {
            [(out, Some(value))] => self.wording.variable(program, *out, value),
            _ => None,
        };
        let result = result.map(|(_, value)| value);
        let is_library = !self.opens_libraries && self.libraries.contains(&callee);
        let text = match (is_library, &result) {
            (true, None) => self.call_text(event.place, callee),
            _ => {
                let text = self.stmt_text(event.place);
                self.wording
                    .returned(&text, &program.procs[callee].name, result.as_deref())
            }
        };
        let kind = match is_library {
            true => LineKind::LibraryCall,
            false => LineKind::Return,
        };
        let vars = changes.iter().map(|change| change.var);
        let changes = self.changes(event.place, changes);
        self.flush_collapsed();
        let line = self.line(event.place, event.depth, text, changes, kind);
        let line = TraceLine { result, ..line };
        // Calls in one use of a macro are one call, and the last one decides its value.
        self.lines.pop_if(|last| is_same_call(last, &line));
        self.lines.push(line);
        self.mark_globals(vars);
    }

    /// Says of the last line which of the shown names are variables of the whole program; `vars` are those that changed.
    fn mark_globals(&mut self, vars: impl Iterator<Item = VarId>) {
        let program = self.program;
        let is_global = |var: &VarId| program.globals.contains(var) || program.constants.contains(var);
        let names: Vec<&str> = vars
            .filter(is_global)
            .map(|var| &**program.pool.var_name(var))
            .collect();
        let Some(line) = self.lines.last_mut().filter(|_| !names.is_empty()) else {
            return;
        };
        let root = |name: &str| name.split(['[', '.', '-', ' ']).next().unwrap_or("").to_owned();
        let shown = line.changes.iter().map(|(name, _)| name.clone());
        line.globals = shown
            .filter(|name| names.contains(&root(name).as_str()))
            .collect();
    }

    fn assume(&mut self, place: Place, depth: u32) {
        let kind = match place.origin(self.program) {
            Some(Origin::Internal | Origin::Type) => return,
            Some(Origin::Guard) => LineKind::Guard,
            _ => {
                return self.push(place, depth, self.stmt_text(place), Vec::new(), LineKind::Assume);
            }
        };
        let mut text = text::guard(&self.stmt_text(place));
        let stmt = place.stmt(self.program);
        let case = stmt.and_then(|stmt| self.wording.case(stmt, self.sources));
        let outcome = match case {
            Some(_) => None,
            None => {
                let is_negated = stmt.is_some_and(|stmt| self.wording.is_negated(stmt));
                self.last_branch.map(|first| first != is_negated)
            }
        };
        match (&case, outcome) {
            (Some(case), _) => text = format!("switch ({text}) goes to {case}"),
            (None, Some(outcome)) => text = format!("{text} is {outcome}"),
            (None, None) => {}
        }
        let line = TraceLine {
            outcome,
            case,
            ..self.line(place, depth, text, Vec::new(), kind)
        };
        // Parts of one macro are one condition, and the last part decides it.
        if self.collapsed.is_empty() && self.lines.last().is_some_and(|last| is_same_guard(last, &line)) {
            self.lines.pop();
        }
        self.flush_collapsed();
        self.lines.push(line);
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
        if event.place.origin(self.program).is_some_and(Origin::is_internal) {
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
        let mut line = self.line(place, depth, text, changes, kind);
        // An input or the result of a library function that is stored at once needs no line of its own.
        if self.collapsed.is_empty()
            && let Some(last) = self.lines.pop_if(|last| is_stored_by(last, &line))
            && last.kind == LineKind::Input
        {
            line.kind = LineKind::Input;
        }
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
            changes,
            kind,
            ..TraceLine::note(text)
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
            changes,
            kind,
            is_library: self.libraries.contains(&place.proc),
            ..TraceLine::note(text)
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
