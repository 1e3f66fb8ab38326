//! **text ─> text** ─> tokens ─> ast ─> typed
//!
//! The conditional lines `#if`, `#elsif`, `#else` and `#endif` of Boogie. At most one symbol is
//! defined, `FILE_n` in the file with that number; any other `#if X` leaves its branch out, and
//! `#if !X` takes it in.
//!
//! Invariant: the result has the length of the input, so that positions stay valid: lines
//! that are left out become spaces.

use std::borrow::Cow;

use lariat_base::{Diagnostic, Diagnostics, SourceId, Span};

/// One open `#if`.
struct Conditional {
    opened_at: Span,
    has_seen_else: bool,
    /// No branch has been taken yet and the surroundings are taken.
    may_take_another: bool,
    /// What holds outside.
    outer_is_taken: bool,
}

/// Blanks out the lines that the conditionals exclude, and the conditionals themselves.
pub(crate) fn apply_conditionals<'t>(
    text: &'t str,
    source: SourceId,
    defined: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Cow<'t, str> {
    if !text.lines().any(|line| is_conditional(line.trim())) {
        return Cow::Borrowed(text);
    }
    let mut output = String::with_capacity(text.len());
    let mut open: Vec<Conditional> = Vec::new();
    let mut misplaced: Option<(Span, &str)> = None;
    let mut taken = true;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let directive = line.trim();
        let span = Span::new(source, offset, offset + line.trim_end().len());
        offset += line.len();
        if !is_conditional(directive) {
            if taken {
                output.push_str(line)
            } else {
                push_blank(&mut output, line)
            }
            continue;
        }
        push_blank(&mut output, line);
        if let Some(condition) = directive.strip_prefix("#if") {
            let condition_holds = holds(condition, defined);
            open.push(Conditional {
                opened_at: span,
                has_seen_else: false,
                may_take_another: taken && !condition_holds,
                outer_is_taken: taken,
            });
            taken = taken && condition_holds;
            continue;
        }
        let is_end = directive == "#endif";
        let innermost = open
            .last_mut()
            .filter(|conditional| is_end || !conditional.has_seen_else);
        let Some(innermost) = innermost else {
            misplaced.get_or_insert((span, directive));
            continue;
        };
        if is_end {
            taken = innermost.outer_is_taken;
            open.pop();
        } else {
            let condition_holds = match directive.strip_prefix("#elsif") {
                Some(condition) => holds(condition, defined),
                None => {
                    innermost.has_seen_else = true;
                    true
                }
            };
            taken = innermost.may_take_another && condition_holds;
            innermost.may_take_another &= !condition_holds;
        }
    }
    // One of a kind is enough: the next ones usually follow from it.
    if let Some((span, directive)) = misplaced {
        diagnostics.push(
            Diagnostic::error("misplaced-directive", span, format!("misplaced `{directive}`"))
                .label("no `#if` that it could belong to"),
        );
    }
    if let Some(outermost) = open.first() {
        diagnostics.push(
            Diagnostic::error("missing-endif", outermost.opened_at, "this `#if` is never closed")
                .label("expected a matching `#endif`"),
        );
    }
    Cow::Owned(output)
}

fn is_conditional(directive: &str) -> bool {
    directive.starts_with('#')
        && (directive.starts_with("#if")
            || directive.starts_with("#elsif")
            || directive == "#else"
            || directive == "#endif")
}

/// A condition is a symbol, negated any number of times.
fn holds(condition: &str, defined: Option<&str>) -> bool {
    let mut condition = condition.trim();
    let mut is_negated = false;
    while let Some(rest) = condition.strip_prefix('!') {
        is_negated = !is_negated;
        condition = rest.trim_start();
    }
    (defined == Some(condition)) != is_negated
}

fn push_blank(output: &mut String, line: &str) {
    output.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
}
