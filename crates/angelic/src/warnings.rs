//! From what was found entry by entry to what people read: one warning per cause, most confident first.
//!
//! Two failing executions have the same cause if one procedure uses failing values that come from the same places of the program
//! ([Angelic15] §5.2 reports them one by one and regrets it), or if they fail at the same assertion; and if what made the value
//! and the failure meet in the same procedure. Two procedures that use what a shared callee has freed, or that lock twice through a
//! shared callee, are two bugs. Values that only the environment knows
//! have no cause in the program: then it is the assertion. Nor do those that a model of the library makes: what is in a
//! model stands for the call of it.

use lariat_base::Span;
use lariat_explain::Source;
use lariat_front_end::FrontEnd;
use lariat_ir::{AssertId, AssertKind, Program};
use lariat_report::{AngelicWarning, Confidence, EntryTrace, ProcedurePlace, Refusal, Suppressed};
use sha2::{Digest, Sha256};

use crate::found::FoundWarning;
use crate::instrument::Switches;
use crate::reuse::{procedure_at, relative_place};

/// Groups the failing executions of all entries, which are in the order of the text.
pub fn grouped(found: Vec<EntryTrace>) -> Vec<AngelicWarning> {
    let mut groups: Vec<Vec<EntryTrace>> = Vec::new();
    for trace in found {
        match groups.iter_mut().find(|group| group[0].cause == trace.cause) {
            Some(group) => group.push(trace),
            None => groups.push(vec![trace]),
        }
    }
    let mut warnings: Vec<AngelicWarning> = groups
        .into_iter()
        .map(|mut traces| {
            // The most confident, and of those the shortest trace, is the one to show.
            traces.sort_by_key(|trace| (trace.confidence, trace.failure.trace.len()));
            let shown = &traces[0];
            AngelicWarning {
                id: short_hash(&[&shown.cause, shown.confidence.name()]),
                confidence: shown.confidence,
                procedure: shown.procedure.clone(),
                condition: shown.condition.clone(),
                explanation: shown.explanation.clone(),
                origin: shown.origin.clone(),
                refused: shown.refused.clone(),
                traces,
            }
        })
        .collect();
    warnings.sort_by_key(|warning| warning.confidence);
    warnings
}

/// A few digits that stand for the texts.
pub fn short_hash(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text);
        hash.update([0]);
    }
    hash.finalize()
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A failing execution in the form of the report.
pub fn entry_trace(
    front_end: &FrontEnd,
    switches: &Switches,
    procedures: &[ProcedurePlace],
    entry: &str,
    found: &FoundWarning,
) -> EntryTrace {
    let refused = found.refused.as_ref().map(|refused| {
        let seek = refused.seek.map(|seek| &switches.seeks[seek]);
        Refusal {
            specification: refused.text.clone(),
            location: seek
                .and_then(|seek| seek.span)
                .map(|span| front_end.location(span)),
            reason: seek.map_or_else(
                || "it was rejected by hand".to_owned(),
                |seek| seek.policy.contradiction().to_owned(),
            ),
        }
    });
    EntryTrace {
        entry: entry.to_owned(),
        cause: cause(front_end, procedures, found),
        confidence: found.confidence,
        explanation: explanation(found),
        origin: origin_text(front_end, found),
        refused,
        procedure: user_procedure(front_end, procedures, found),
        condition: condition_text(front_end, found.assert),
        failure: found.failure.clone(),
    }
}

/// What makes failing executions one warning: the statements that made the failing value, if it was made in the program;
/// else the assertion. Places are relative to their procedures, so that the text does not change when they move.
fn cause(front_end: &FrontEnd, procedures: &[ProcedurePlace], found: &FoundWarning) -> String {
    let place = |span: Span| relative_place(procedures, &front_end.location(span));
    let sources = found
        .origin
        .sources
        .iter()
        .filter(|source| !is_scene(front_end, source));
    let made: Option<Vec<String>> = sources
        .map(|source| match source {
            Source::Made { span, .. } if !is_of_model(front_end, source) => span.map(place),
            _ => None,
        })
        .collect();
    let kind = format!("{:?}", found.failure.kind);
    let user = user_procedure(front_end, procedures, found);
    let meeting = found
        .origin
        .meeting
        .map(|proc| &front_end.program.procs[proc].name);
    // A meeting in a model is one of its caller, the user of the value.
    let meeting = match meeting {
        Some(name) if **name != *user && !is_model(front_end, name) => format!(", meets in {name}"),
        _ => String::new(),
    };
    match made {
        Some(places) if !places.is_empty() => {
            format!("{kind}: made at {}, used in {user}{meeting}", places.join(", "))
        }
        _ => {
            let span = front_end.program.asserts[found.assert].span;
            let own = || span.map_or_else(|| found.assert.to_string(), place);
            let in_model = is_model(front_end, &procedure_of(&front_end.program, found.assert));
            let call = found.failure.location.as_ref().filter(|_| in_model);
            let text = call.map_or_else(own, |call| relative_place(procedures, call));
            format!("{kind}: {text}{meeting}")
        }
    }
}

/// Whether it is only that something was set up when the entry started, such as the addresses of new memory.
fn is_scene(front_end: &FrontEnd, source: &Source) -> bool {
    let Source::Made { span: Some(span), .. } = source else {
        return false;
    };
    let mut procs = front_end.program.procs.values();
    procs.any(|proc| proc.span == Some(*span))
}

fn is_model(front_end: &FrontEnd, procedure: &str) -> bool {
    front_end.c.as_ref().is_some_and(|side| side.is_model(procedure))
}

/// Whether a model of the library made it.
fn is_of_model(front_end: &FrontEnd, source: &Source) -> bool {
    let Source::Made { stmt, .. } = *source else {
        return false;
    };
    let has_it = |proc: &&lariat_ir::Proc| {
        let mut stmts = proc.blocks.values().flat_map(|block| &block.stmts);
        stmts.any(|other| other.id == stmt)
    };
    let owner = front_end.program.procs.values().find(has_it);
    owner.is_some_and(|proc| is_model(front_end, &proc.name))
}

/// The procedure that fails; the one that calls the library if it is in there.
fn user_procedure(front_end: &FrontEnd, procedures: &[ProcedurePlace], found: &FoundWarning) -> String {
    let procedure = procedure_of(&front_end.program, found.assert);
    let call = found
        .failure
        .location
        .as_ref()
        .filter(|_| is_model(front_end, &procedure));
    match call.and_then(|call| procedure_at(procedures, call)) {
        Some(caller) => caller.name.clone(),
        None => procedure,
    }
}

fn explanation(found: &FoundWarning) -> String {
    match found.confidence {
        Confidence::Inconsistent => "the specification that would exclude it contradicts the code".into(),
        Confidence::Definite => "it fails whatever the environment does".into(),
        Confidence::NotExpressible => match &found.note {
            Some(note) => format!("no specification of the vocabulary excludes it: {note}"),
            None => "no specification of the vocabulary excludes it".into(),
        },
        Confidence::Rejected => "the specification that would exclude it was rejected".into(),
        Confidence::Demonic => "no specification was looked for".into(),
    }
}

/// Where the failing value comes from.
fn origin_text(front_end: &FrontEnd, found: &FoundWarning) -> Option<String> {
    let pool = &front_end.program.pool;
    let texts: Vec<String> = found
        .origin
        .sources
        .iter()
        .filter(|source| !is_scene(front_end, source))
        .filter_map(|source| match *source {
            Source::Input(var) => Some(format!("the initial value of {}", pool.var_name(var))),
            Source::Memory(_) => Some("memory as it was at the start".to_owned()),
            Source::Unknown { stmt, var } => {
                let open = front_end.open.as_ref()?;
                let is_it = |unknown: &&lariat_ir::Unknown| (unknown.stmt, unknown.var) == (stmt, var);
                Some(open.unknowns.iter().find(is_it)?.text.to_string())
            }
            Source::Uninitialised(var) => Some(format!("{}, which is not initialised", pool.var_name(var))),
            Source::Fresh { .. } => None,
            Source::Made { span, .. } => {
                let span = span?;
                let words: Vec<&str> = front_end.sources.snippet(span).split_whitespace().collect();
                Some(format!("`{}` at {}", words.join(" "), front_end.location(span)))
            }
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The procedure that an assertion is in.
pub fn procedure_of(program: &Program, assert: AssertId) -> String {
    let has_it = |proc: &&lariat_ir::Proc| {
        let mut stmts = proc.blocks.values().flat_map(|block| &block.stmts);
        stmts.any(
            |stmt| matches!(stmt.kind, lariat_ir::StmtKind::Assert { assert: other, .. } if other == assert),
        )
    };
    program
        .procs
        .values()
        .find(has_it)
        .map(|proc| proc.name.to_string())
        .unwrap_or_default()
}

/// The condition as it is written.
pub fn condition_text(front_end: &FrontEnd, assert: AssertId) -> Option<String> {
    let info = &front_end.program.asserts[assert];
    let span = info.condition_span.or(info.span)?;
    let text = front_end
        .sources
        .snippet(span)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let text = text.strip_prefix("assert").map_or(text.as_str(), str::trim_start);
    let text = without_attributes(text).trim_end_matches(';').trim();
    let text = without_parentheses(text);
    (!text.is_empty()).then(|| text.to_owned())
}

/// Without parentheses around all of it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    for character in inner.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return text;
        }
    }
    inner.trim()
}

/// Without leading `{:attributes}`.
fn without_attributes(mut text: &str) -> &str {
    while text.starts_with("{:") {
        match text.find('}') {
            Some(end) => text = text[end + 1..].trim_start(),
            None => break,
        }
    }
    text
}

/// An alarm that a specification suppresses.
pub fn suppressed(front_end: &FrontEnd, assert: AssertId) -> Suppressed {
    let info = &front_end.program.asserts[assert];
    let message = match (&info.message, &info.kind) {
        (Some(message), _) => message.to_string(),
        (None, AssertKind::Requires(callee)) => format!("precondition of `{callee}` can be violated"),
        (None, _) => "assertion can fail".to_owned(),
    };
    Suppressed {
        procedure: procedure_of(&front_end.program, assert),
        condition: condition_text(front_end, assert),
        message,
        location: info.span.map(|span| front_end.location(span)),
    }
}

#[cfg(test)]
mod tests {
    use super::{without_attributes, without_parentheses};

    #[test]
    fn conditions_are_bare() {
        assert_eq!(without_parentheses("(x > (y))"), "x > (y)");
        assert_eq!(without_parentheses("(x) && (y)"), "(x) && (y)");
        assert_eq!(without_attributes("{:id \"a\"} {:b} x"), "x");
    }
}
