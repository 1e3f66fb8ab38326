//! Traces that are too long to be read, and lines that say the same.

use super::{LineKind, TraceLine};

/// How many lines a brief trace keeps at its start and at its end if it has more: two screens in all.
const BRIEF_START: usize = 25;
const BRIEF_END: usize = 50;

/// Only the start and the end of a trace that is too long to be read.
pub(super) fn shortened(mut lines: Vec<TraceLine>) -> Vec<TraceLine> {
    if lines.len() <= BRIEF_START + BRIEF_END + 1 {
        return lines;
    }
    let end = lines.split_off(lines.len() - BRIEF_END);
    let left_out = lines.len() - BRIEF_START;
    lines.truncate(BRIEF_START);
    lines.push(TraceLine {
        indent: lines.last().map_or(0, |line| line.indent),
        ..TraceLine::note(format!("… {left_out} lines left out"))
    });
    lines.extend(end);
    lines
}

/// Whether two lines are calls in one use of a macro: they stand at one place with one text.
pub(super) fn is_same_call(last: &TraceLine, line: &TraceLine) -> bool {
    let text = |line: &TraceLine| {
        let end = format!(" = {}", line.result.as_ref()?);
        line.text.strip_suffix(&end).map(str::to_owned)
    };
    last.kind == LineKind::LibraryCall
        && line.kind == LineKind::LibraryCall
        && last.changes.is_empty()
        && (&last.file, last.line, last.column) == (&line.file, line.line, line.column)
        && text(last).is_some()
        && text(last) == text(line)
}

/// Whether two lines are parts of one condition.
pub(super) fn is_same_guard(last: &TraceLine, line: &TraceLine) -> bool {
    let text = |line: &TraceLine| match line.outcome {
        Some(outcome) => line
            .text
            .strip_suffix(&format!(" is {outcome}"))
            .map(str::to_owned),
        None => None,
    };
    last.kind == LineKind::Guard
        && (&last.file, last.line, last.column) == (&line.file, line.line, line.column)
        && text(last).is_some()
        && text(last) == text(line)
}

/// Whether a statement on the same line stores the value of an input or of a library call.
pub(super) fn is_stored_by(last: &TraceLine, line: &TraceLine) -> bool {
    let (call, value) = match (last.kind, last.changes.as_slice(), &last.result) {
        (LineKind::Input, [(_, value)], _) => (last.text.as_str(), value),
        (LineKind::LibraryCall, [], Some(result)) => {
            let suffix = format!(" = {result}");
            (last.text.strip_suffix(&suffix).unwrap_or(&last.text), result)
        }
        _ => return false,
    };
    line.kind == LineKind::Statement
        && (&last.file, last.line) == (&line.file, line.line)
        && line.text.contains(call)
        && matches!(line.changes.as_slice(), [(_, stored)] if stored == value)
}
