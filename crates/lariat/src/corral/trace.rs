//! A failing execution in Corral's form.
//!
//! With `/tryCTrace` a line is `FILE(LINE,COLUMN): Trace: Thread=T  (EXTRA)`. Steps without a place in C print nothing; what they
//! would say is said at the next place. Without the flag places are those in Boogie: `(T,K)  FILE(LINE,COLUMN): TEXT  (EXTRA)`.
//! Threads take turns in the order of their numbers, and K counts the rounds, from 0.

use std::fmt::Write;

use lariat_report::{Failure, FailureKind, Location, TraceKind, TraceLine};

use super::flags::Flags;

/// The lines about one failure, from the place of the assertion to the end of the trace.
pub fn render(flags: &Flags, failure: &Failure) -> String {
    match flags.c_trace {
        true => CTrace::default().render(flags, failure),
        false => boogie_trace(failure),
    }
}

/// `FILE(LINE,1): error PF5001: …`, and the line before the trace.
fn heading(place: Option<&Location>) -> String {
    let mut text = String::new();
    if let Some(place) = place {
        let _ = writeln!(
            text,
            "{}({},1): error PF5001: This assertion can fail",
            file_name(place),
            place.line
        );
    }
    text.push_str("\nExecution trace:\n");
    text
}

/// The name without the folders of Windows.
fn file_name(place: &Location) -> &str {
    place.file.rsplit('\\').next().unwrap_or(&place.file)
}

struct CTrace {
    lines: String,
    /// What steps without a place have to say.
    kept: Vec<String>,
    /// The last line that was printed.
    last: String,
    place: Option<Location>,
    /// The thread that runs, numbered from 1.
    thread: u32,
}

impl Default for CTrace {
    fn default() -> Self {
        CTrace {
            lines: String::new(),
            kept: Vec::new(),
            last: String::new(),
            place: None,
            thread: 1,
        }
    }
}

impl CTrace {
    fn render(mut self, flags: &Flags, failure: &Failure) -> String {
        let mut failing = None;
        for line in &failure.trace {
            if line.kind == TraceKind::Record && !flags.data_values {
                continue;
            }
            if let Some(thread) = line.thread.filter(|&thread| thread != self.thread) {
                // What a thread has to say is not said by another.
                if let Some(place) = self.place.clone() {
                    self.say_kept(&place);
                }
                self.thread = thread;
            }
            if line.kind == TraceKind::Note && line.thread.is_some() {
                continue;
            }
            if let Some(place) = &line.location {
                self.place = Some(place.clone());
                self.say_kept(place);
            }
            if line.kind == TraceKind::Failure {
                failing = Some(line);
                break;
            }
            let Some(extra) = extra(line) else { continue };
            match &line.location {
                Some(place) => self.say(place, &extra),
                None if !extra.is_empty() => self.kept.push(extra),
                None => {}
            }
        }
        let place = failing.and_then(|line| line.location.clone());
        // An assertion that no place in C goes with is at the last one; a program without any has its place in Boogie.
        let place = place.or(self.place.take()).or_else(|| failure.location.clone());
        if let Some(place) = &place {
            self.say_kept(place);
            self.say(place, &format!("{}\n ", assertion(failure)));
            self.say(place, "Done");
        }
        heading(place.as_ref()) + &self.lines
    }

    fn say_kept(&mut self, place: &Location) {
        if !self.kept.is_empty() {
            let extra = std::mem::take(&mut self.kept).join(", ");
            self.say(place, &extra);
        }
    }

    fn say(&mut self, place: &Location, extra: &str) {
        let (file, line, column) = (file_name(place), place.line, place.column);
        let thread = self.thread;
        let text = format!("{file}({line},{column}): Trace: Thread={thread}  ({extra})\n");
        if text != self.last {
            self.lines.push_str(&text);
            self.last = text;
        }
    }
}

/// What a line says besides its place; `None` if it is left out.
fn extra(line: &TraceLine) -> Option<String> {
    let callee = line.callee.as_deref().unwrap_or_default();
    // The procedure of a thread has a name of its own.
    let callee = callee.strip_prefix("async ").unwrap_or(callee);
    match line.kind {
        TraceKind::Statement => Some(String::new()),
        TraceKind::Call if line.text.starts_with("fork ") => Some(format!("FORK {callee}")),
        TraceKind::Call => Some(format!("CALL {callee}")),
        TraceKind::Return => Some(format!("RETURN from {callee} ")),
        TraceKind::Record => {
            let change = line.changes.first()?;
            // Readers split at these.
            let is_plain = !change.value.contains([',', '(', ')', '=']);
            is_plain.then(|| format!("{} = {}", change.name, change.value))
        }
        _ => None,
    }
}

/// The assertion as it is written, with its attributes.
fn assertion(failure: &Failure) -> String {
    match (failure.kind, &failure.assertion) {
        (FailureKind::Precondition, _) => "ASSERTION FAILS: Requires".to_owned(),
        (FailureKind::Postcondition, _) => "ASSERTION FAILS: Ensures".to_owned(),
        (_, Some(text)) if text.starts_with("assert") => {
            format!("ASSERTION FAILS {};", text.trim_end_matches(';'))
        }
        (_, Some(text)) => format!("ASSERTION FAILS assert {};", text.trim_end_matches(';')),
        (_, None) => "ASSERTION FAILS".to_owned(),
    }
}

fn boogie_trace(failure: &Failure) -> String {
    let mut text = heading(failure.location.as_ref());
    text.push_str("Format: (tid,k)  filename(line,col): statement   (extra info)\n");
    let (mut thread, mut round) = (1, 0);
    for line in &failure.trace {
        if let Some(next) = line.thread {
            round += u32::from(next < thread);
            thread = next;
        }
        let Some(place) = &line.location else { continue };
        let indent = "  ".repeat(line.indent.min(20) as usize);
        let (file, row, column) = (file_name(place), place.line, place.column);
        let _ = write!(
            text,
            "({thread},{round})  {indent}{file}({row},{column}): {}",
            line.text
        );
        match line.kind {
            TraceKind::Failure => {
                let _ = write!(text, "  ({})", assertion(failure));
            }
            _ if !line.changes.is_empty() => {
                let changes = line
                    .changes
                    .iter()
                    .map(|change| format!("{} = {}", change.name, change.value));
                let _ = write!(text, "  ({})", changes.collect::<Vec<_>>().join(", "));
            }
            _ => {}
        }
        text.push('\n');
    }
    text
}
