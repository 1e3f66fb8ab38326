//! A trace as three columns: the place, the statement indented by calls, the values that changed.

use std::fmt::Write;

use lariat_report::{Change, Location, TraceKind, TraceLine};

use super::{Options, columns, in_style};
use crate::style;

/// Deeper calls are indented no further.
pub const MAX_INDENT: u32 = 16;

/// Longer statements push only their own values to the right, not the whole column.
const MAX_STATEMENT_COLUMN: usize = 64;

/// With more threads than this each line says its thread instead.
const MOST_LANES: u32 = 8;

/// One lane for each thread: the running one has a dot, the others a line.
struct Lanes {
    threads: u32,
}

impl Lanes {
    fn of(lines: &[TraceLine]) -> Self {
        let threads = lines.iter().filter_map(|line| line.thread).max();
        Lanes {
            threads: threads.unwrap_or(0),
        }
    }

    fn show(&self, line: &TraceLine) -> String {
        match (self.threads, line.thread) {
            (0, _) => String::new(),
            (1..=MOST_LANES, running) => (1..=self.threads)
                .map(|thread| match Some(thread) == running {
                    true => "● ",
                    false => "│ ",
                })
                .chain([" "])
                .collect(),
            (_, Some(thread)) => format!("[{thread:>3}] "),
            (_, None) => "      ".to_owned(),
        }
    }
}

pub fn show(text: &mut String, lines: &[TraceLine], options: &Options) {
    let width = options.width;
    let places: Vec<String> = lines.iter().map(place).collect();
    let place_width = places.iter().map(|place| columns(place)).max().unwrap_or(0);
    let room = match options.cut {
        true => width.saturating_sub(4 + place_width).max(12),
        false => usize::MAX,
    };
    let lanes = Lanes::of(lines);
    let statements: Vec<String> = lines
        .iter()
        .map(|line| cut(lanes.show(line) + &statement(line), room))
        .collect();
    let widest = MAX_STATEMENT_COLUMN.min(width / 2);
    let statement_width = (lines.iter().zip(&statements))
        .filter(|(line, _)| !line.changes.is_empty())
        .map(|(_, statement)| columns(statement))
        .filter(|&columns| columns <= widest)
        .max()
        .unwrap_or(0);
    for ((line, place), statement) in lines.iter().zip(&places).zip(&statements) {
        let margin = " ".repeat(place_width - columns(place));
        let _ = write!(text, "  {}{margin}  ", in_style(style::PLACE, place));
        text.push_str(&painted_statement(line.kind, statement));
        if !line.changes.is_empty() {
            let gap = statement_width.saturating_sub(columns(statement)) + 3;
            text.push_str(&" ".repeat(gap));
            let column = 2 + place_width + 2 + columns(statement) + gap;
            show_changes(text, &line.changes, column, width);
        }
        text.push('\n');
    }
}

/// The place of a step; empty if it has none.
pub fn place(line: &TraceLine) -> String {
    line.location.as_ref().map(short_place).unwrap_or_default()
}

/// The file without its folders, and the line: the headline has the whole path.
pub fn short_place(location: &Location) -> String {
    let name = std::path::Path::new(&location.file).file_name();
    let name = name.map_or_else(
        || location.file.clone(),
        |name| name.to_string_lossy().into_owned(),
    );
    format!("{name}:{}", location.line)
}

fn statement(line: &TraceLine) -> String {
    let indent = "  ".repeat(line.indent.min(MAX_INDENT) as usize);
    let mark = match line.kind {
        TraceKind::Return => "← ",
        TraceKind::LoopIteration => "↻ ",
        TraceKind::Failure => "✗ ",
        TraceKind::Record => "shows ",
        _ if line.is_input => "input ",
        _ => "",
    };
    format!("{indent}{mark}{}", one_line(&line.text))
}

fn painted_statement(kind: TraceKind, statement: &str) -> String {
    match kind {
        TraceKind::Start | TraceKind::Call => in_style(style::BOLD, statement),
        TraceKind::LoopIteration => in_style(style::FLOW, statement),
        TraceKind::Return | TraceKind::Note => in_style(style::DIM, statement),
        TraceKind::Failure => in_style(style::ERROR, statement),
        TraceKind::Statement | TraceKind::Havoc | TraceKind::External | TraceKind::Record => {
            statement.to_owned()
        }
    }
}

/// `x = 3, y = 4`, continued below where the line is full.
fn show_changes(text: &mut String, changes: &[Change], column: usize, width: usize) {
    let mut used = column;
    for (index, change) in changes.iter().enumerate() {
        let (name, value) = (one_line(&change.name), one_line(&change.value));
        let needed = columns(&name) + 3 + columns(&value);
        if index > 0 {
            if used + 2 + needed > width {
                text.push('\n');
                text.push_str(&" ".repeat(column));
                used = column;
            } else {
                text.push_str("  ");
                used += 2;
            }
        }
        let _ = write!(
            text,
            "{} {} {value}",
            in_style(style::NAME, &name),
            in_style(style::DIM, "=")
        );
        used += needed;
    }
}

/// A statement that leaves no room for anything else is cut.
fn cut(statement: String, room: usize) -> String {
    match columns(&statement) > room {
        true => statement.chars().take(room - 1).chain(['…']).collect(),
        false => statement,
    }
}

/// Source text must not move the cursor or change colours.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut pending_space = false;
    for c in text.chars() {
        if c.is_whitespace() {
            pending_space = !line.is_empty();
        } else {
            if std::mem::take(&mut pending_space) {
                line.push(' ');
            }
            line.push(if c.is_control() { '\u{fffd}' } else { c });
        }
    }
    line
}
