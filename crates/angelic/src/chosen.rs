//! What a request asks for: whether it can be answered, and which procedures are entries.

use lariat_base::Diagnostic;
use lariat_base::names::matches_pattern;
use lariat_explain::Pattern;
use lariat_ir::{OpenEntry, OpenInfo, ProcId, Program};
use lariat_passes::CallGraph;
use lariat_report::AngelicRequest;

/// What is wrong with the request, whatever the program is like.
pub fn check_request(request: &AngelicRequest) -> Result<(), Diagnostic> {
    for text in &request.vocabulary.patterns {
        Pattern::parse(text)
            .map_err(|error| Diagnostic::global_error("bad-pattern", format!("the {error}")))?;
    }
    Ok(())
}

/// The entries of a request, in the order of the text: those that it names, else those that the program marks, else all,
/// without those that it excludes.
pub fn chosen(
    request: &AngelicRequest,
    program: &Program,
    open: &OpenInfo,
) -> Result<Vec<OpenEntry>, Diagnostic> {
    let named: Vec<&String> = request.harness.iter().chain(&request.program.entries).collect();
    for name in &named {
        if !open.entries.iter().any(|entry| *entry.name == ***name) {
            return Err(no_such_entry(name, open));
        }
    }
    let calls = CallGraph::new(program);
    let any_marked = open.entries.iter().any(|entry| entry.marked);
    let is_chosen = |entry: &OpenEntry| {
        if !named.is_empty() {
            return named.iter().any(|name| *entry.name == ***name);
        }
        let is_root = !request.roots_only || is_root(program, &calls, entry);
        let is_excluded = request
            .exclude
            .iter()
            .any(|pattern| matches_pattern(pattern, &entry.name));
        (entry.marked || !any_marked) && is_root && !is_excluded && !is_vocabulary(&entry.name)
    };
    let entries: Vec<OpenEntry> = open
        .entries
        .iter()
        .filter(|entry| is_chosen(entry))
        .cloned()
        .collect();
    if entries.is_empty() {
        return Err(
            Diagnostic::global_error("no-entry", "there is no procedure to start from")
                .hint("an entry is a procedure with a body; `--exclude` and `--entry-roots` leave some out"),
        );
    }
    Ok(entries)
}

/// Functions that verification tasks bring along to say what they want: no caller of them is unknown.
fn is_vocabulary(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || name == "reach_error"
}

/// Whether no other procedure calls it (by its name: an entry may be a copy of what others call).
fn is_root(program: &Program, calls: &CallGraph, entry: &OpenEntry) -> bool {
    let name = &program.procs[entry.proc].name;
    let copies = program.procs.iter().filter(|(_, proc)| proc.name == *name);
    let is_other = |&caller: &ProcId| program.procs[caller].name != *name;
    copies
        .map(|(id, _)| id)
        .all(|id| !calls.callers(id).iter().any(is_other))
}

fn no_such_entry(name: &str, open: &OpenInfo) -> Diagnostic {
    let names: Vec<String> = open
        .entries
        .iter()
        .take(5)
        .map(|entry| format!("`{}`", entry.name))
        .collect();
    let hint = match names.is_empty() {
        true => "the program has no procedure with a body".to_owned(),
        false => format!("there are {} and others", names.join(", ")),
    };
    Diagnostic::global_error(
        "no-such-entry",
        format!("there is no procedure `{name}` with a body"),
    )
    .hint(hint)
}

#[cfg(test)]
mod tests {
    use super::check_request;
    use lariat_report::AngelicRequest;

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let mut request = AngelicRequest::default();
        assert!(check_request(&request).is_ok());
        request.vocabulary.patterns = vec!["_ > 0".into(), "_ >".into()];
        let text = check_request(&request)
            .expect_err("an expression is missing")
            .message;
        assert!(text.contains("`_ >`"), "{text}");
    }
}
