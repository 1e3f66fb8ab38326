//! Results in Boogie's words.

use lariat_base::{Diagnostic, SourceMap, Span};
use lariat_ir::{AssertInfo, AssertKind};
use lariat_report::{BoogieCounts, BoogieFailure, BoogieOutcome, BoogieProcedure, BoogieReplay, Location};

/// Ends the trace of a failure that the interpreter has seen.
const REPLAYED: &str = "    replayed: a real bug";

pub fn location(sources: &SourceMap, span: Span) -> Location {
    let (line, column) = sources.line_column(span);
    Location {
        file: sources.path(span).display().to_string(),
        line: line as u32,
        column: column as u32,
    }
}

/// `file(line,column)`
pub fn place(location: &Location) -> String {
    format!("{}({},{})", location.file, location.line, location.column)
}

/// What failed, in Boogie's words, and what the related place is.
pub fn messages(info: &AssertInfo) -> (String, Option<&'static str>) {
    let (text, related) = match info.kind {
        AssertKind::Requires(_) => (
            "a precondition for this call could not be proved",
            Some("this is the precondition that could not be proved"),
        ),
        AssertKind::Ensures(_) => (
            "a postcondition could not be proved on this return path",
            Some("this is the postcondition that could not be proved"),
        ),
        AssertKind::LoopInvariantOnEntry => ("this loop invariant could not be proved on entry", None),
        AssertKind::LoopInvariant => (
            "this invariant could not be proved to be maintained by the loop",
            None,
        ),
        AssertKind::Unpack => ("the precondition for unpack could not be proved", None),
        _ => ("this assertion could not be proved", None),
    };
    let message = info.message.as_deref().unwrap_or(text);
    (message.to_owned(), related)
}

/// The lines about one procedure.
pub fn procedure_lines(procedure: &BoogieProcedure, error_trace: bool, values: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for failure in &procedure.failures {
        failure_lines(failure, error_trace, values, &mut lines);
    }
    let place = place(&procedure.location);
    let name = &procedure.name;
    match &procedure.outcome {
        BoogieOutcome::Verified | BoogieOutcome::NotProved => {}
        BoogieOutcome::TimedOut => lines.push(format!("{place}: Verification of '{name}' timed out")),
        BoogieOutcome::OutOfMemory => lines.push(format!("{place}: Verification out of memory ({name})")),
        BoogieOutcome::OutOfResource => lines.push(format!("{place}: Verification out of resource ({name})")),
        BoogieOutcome::Inconclusive { reason } => {
            lines.push(format!("{place}: Verification inconclusive ({name})"));
            lines.push(format!("    {reason}"));
        }
    }
    lines
}

fn failure_lines(failure: &BoogieFailure, error_trace: bool, values: bool, lines: &mut Vec<String>) {
    lines.push(format!(
        "{}: Error: {}",
        place(&failure.location),
        failure.message
    ));
    if let Some((location, text)) = &failure.related {
        lines.push(format!("{}: Related location: {text}", place(location)));
    }
    if error_trace && !failure.trace.is_empty() {
        lines.push("Execution trace:".to_owned());
        for (location, label) in &failure.trace {
            lines.push(format!("    {}: {label}", place(location)));
        }
    }
    if error_trace && values && !failure.printed.is_empty() {
        lines.push("Augmented execution trace:".to_owned());
        lines.extend(failure.printed.iter().cloned());
    }
    if error_trace && failure.replay == BoogieReplay::Fails {
        lines.push(REPLAYED.to_owned());
    }
}

/// `Boogie program verifier finished with …`
pub fn last_line(counts: &BoogieCounts) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut line = format!(
        "Boogie program verifier finished with {} verified, {} error{}",
        counts.verified,
        counts.errors,
        plural(counts.errors)
    );
    for (count, what) in [
        (counts.inconclusive, "inconclusive"),
        (counts.time_outs, "time out"),
    ] {
        if count > 0 {
            line.push_str(&format!(", {count} {what}{}", plural(count)));
        }
    }
    for (count, what) in [
        (counts.out_of_memory, "out of memory"),
        (counts.out_of_resource, "out of resource"),
    ] {
        if count > 0 {
            line.push_str(&format!(", {count} {what}"));
        }
    }
    line
}

pub fn count(counts: &mut BoogieCounts, procedure: &BoogieProcedure) {
    counts.errors += procedure.failures.len();
    match procedure.outcome {
        BoogieOutcome::Verified => counts.verified += 1,
        BoogieOutcome::NotProved => {}
        BoogieOutcome::Inconclusive { .. } => counts.inconclusive += 1,
        BoogieOutcome::TimedOut => counts.time_outs += 1,
        BoogieOutcome::OutOfMemory => counts.out_of_memory += 1,
        BoogieOutcome::OutOfResource => counts.out_of_resource += 1,
    }
}

/// A diagnostic as Boogie prints it: `Error`, or `error` where the parser speaks.
pub fn diagnostic_line(sources: &SourceMap, diagnostic: &Diagnostic, word: &str) -> String {
    match diagnostic.span {
        Some(span) => format!(
            "{}: {word}: {}",
            place(&location(sources, span)),
            diagnostic.message
        ),
        None => format!("{word}: {}", diagnostic.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn procedure(outcome: BoogieOutcome) -> BoogieProcedure {
        BoogieProcedure {
            name: "P".to_owned(),
            location: Location {
                file: "a.bpl".to_owned(),
                line: 3,
                column: 11,
            },
            outcome,
            failures: Vec::new(),
            cached: false,
        }
    }

    #[test]
    fn procedures_without_an_answer_have_a_line() {
        let reason = "why".to_owned();
        for (outcome, expected) in [
            (
                BoogieOutcome::TimedOut,
                "a.bpl(3,11): Verification of 'P' timed out",
            ),
            (
                BoogieOutcome::OutOfMemory,
                "a.bpl(3,11): Verification out of memory (P)",
            ),
            (
                BoogieOutcome::OutOfResource,
                "a.bpl(3,11): Verification out of resource (P)",
            ),
            (
                BoogieOutcome::Inconclusive { reason },
                "a.bpl(3,11): Verification inconclusive (P)",
            ),
        ] {
            assert_eq!(procedure_lines(&procedure(outcome), true, true)[0], expected);
        }
        assert!(procedure_lines(&procedure(BoogieOutcome::Verified), true, true).is_empty());
    }

    #[test]
    fn the_last_line_counts_what_there_is() {
        let mut counts = BoogieCounts::default();
        for outcome in [
            BoogieOutcome::Verified,
            BoogieOutcome::TimedOut,
            BoogieOutcome::OutOfResource,
        ] {
            count(&mut counts, &procedure(outcome));
        }
        assert_eq!(
            last_line(&counts),
            "Boogie program verifier finished with 1 verified, 0 errors, 1 time out, 1 out of resource"
        );
        let counts = BoogieCounts {
            errors: 1,
            inconclusive: 2,
            ..BoogieCounts::default()
        };
        assert_eq!(
            last_line(&counts),
            "Boogie program verifier finished with 0 verified, 1 error, 2 inconclusives"
        );
    }
}
