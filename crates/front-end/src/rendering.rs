//! Traces in the form of the report.

use lariat_interp::LineKind;
pub use lariat_report::rendering::{diagnostic, location};
use lariat_report::{Change, Location, TraceKind, TraceLine};

pub fn trace_line(line: lariat_interp::TraceLine) -> TraceLine {
    TraceLine {
        indent: line.indent,
        kind: match line.kind {
            LineKind::Start => TraceKind::Start,
            LineKind::Statement | LineKind::Assume | LineKind::Guard => TraceKind::Statement,
            LineKind::Input => TraceKind::Havoc,
            LineKind::LibraryCall => TraceKind::External,
            LineKind::Call => TraceKind::Call,
            LineKind::Return => TraceKind::Return,
            LineKind::Record => TraceKind::Record,
            LineKind::Collapsed | LineKind::Elided | LineKind::End => TraceKind::Note,
            LineKind::Failure => TraceKind::Failure,
        },
        location: line.file.map(|file| Location {
            file,
            line: line.line.unwrap_or(1),
            column: line.column.unwrap_or(1),
        }),
        text: line.text,
        changes: line
            .changes
            .into_iter()
            .map(|(name, value)| Change {
                is_global: line.globals.contains(&name),
                name,
                value,
            })
            .collect(),
        outcome: line.outcome,
        case: line.case,
        result: line.result,
        is_input: line.kind == LineKind::Input,
        is_library: line.is_library,
        callee: line.callee,
        block: line.block,
        thread: line.thread,
    }
}
