//! Traces that are too long to be read.

use super::TraceLine;

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
