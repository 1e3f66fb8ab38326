//! The questions of a request: which entries, and which goal for each.

use std::collections::BTreeSet;

use lariat_base::Diagnostic;
use lariat_front_end::FrontEnd;
use lariat_ir::{AssertId, AssertKind, EntryMark, ProcId, Program};
use lariat_passes::{Goal, ThreadAnalysis, starts_threads};
use lariat_report::{AssertSelector, Check, CheckSelector, GoalKind, VerifyRequest};
use lariat_term::VarId;

/// A question about one entry.
pub struct Question {
    pub name: String,
    pub entry: ProcId,
    pub goal: Goal,
}

impl Question {
    pub fn goal_kind(&self) -> GoalKind {
        match self.goal {
            Goal::AssertionFails { .. } => GoalKind::AssertionFails,
            Goal::EntryReturns => GoalKind::EntryReturns,
            Goal::VariableNonZero(_) => GoalKind::VariableNonzero,
            Goal::VariableZero(_) => GoalKind::VariableZero,
        }
    }

    /// The question in words.
    pub fn goal_text(&self, request: &VerifyRequest, front_end: &FrontEnd) -> String {
        let program = &front_end.program;
        match &self.goal {
            Goal::AssertionFails { checked: None } => match &front_end.c {
                Some(_) if !request.c.checks(Check::Assert) => {
                    let kinds = CheckSelector::short_names(&request.c.checks).join(", ");
                    format!("whether an error of these kinds can happen: {kinds}")
                }
                _ => "whether an assertion can fail".into(),
            },
            Goal::AssertionFails {
                checked: Some(checked),
            } => {
                format!("whether one of {} selected assertions can fail", checked.len())
            }
            Goal::EntryReturns => "whether the entry can return (the program has no assertion)".into(),
            Goal::VariableNonZero(var) => {
                format!(
                    "whether `{}` can be non-zero when the entry returns, or an assertion can fail",
                    program.pool.var_name(*var)
                )
            }
            Goal::VariableZero(var) => {
                format!(
                    "whether `{}` can be zero or false when the entry returns, or an assertion can fail",
                    program.pool.var_name(*var)
                )
            }
        }
    }
}

/// The questions of a request, in order.
pub fn questions(request: &VerifyRequest, front_end: &FrontEnd) -> Result<Vec<Question>, Diagnostic> {
    let program = &front_end.program;
    let goal = goal(request, front_end)?;
    let entries = entries(request, program)?;
    for &entry in &entries {
        check_contracts(program, entry)?;
    }
    Ok(entries
        .into_iter()
        .map(|entry| Question {
            name: program.procs[entry].name.to_string(),
            entry,
            goal: goal.clone(),
        })
        .collect())
}

/// Threads run between the caller's and the callee's view of a contract, so that it would not mean what it says.
fn check_contracts(program: &Program, entry: ProcId) -> Result<(), Diagnostic> {
    if !starts_threads(program, entry) {
        return Ok(());
    }
    let Some(contract) = ThreadAnalysis::new(program, entry).shared_contract(program) else {
        return Ok(());
    };
    let message = format!(
        "a contract or `old` of a procedure with a body speaks of `{}`, which other threads may change meanwhile",
        program.pool.var_name(contract.global)
    );
    let diagnostic = match contract.span {
        Some(span) => Diagnostic::error("unsupported-shared-contract", span, message),
        None => Diagnostic::global_error("unsupported-shared-contract", message),
    };
    Err(diagnostic.hint("assert or assume it in the body, where its moment is clear"))
}

/// The procedures that a request starts from.
pub fn entries(request: &VerifyRequest, program: &Program) -> Result<Vec<ProcId>, Diagnostic> {
    if !request.entries.is_empty() {
        return request
            .entries
            .iter()
            .map(|name| {
                marked(program, name)
                    .or_else(|| program.proc_by_name(name))
                    .ok_or_else(|| {
                        Diagnostic::global_error(
                            "no-such-entry",
                            format!("there is no procedure `{name}` with a body"),
                        )
                        .hint(suggest_entries(program))
                    })
            })
            .collect();
    }
    for mark in [EntryMark::Implementation, EntryMark::Procedure] {
        let marked: Vec<ProcId> = program
            .procs
            .iter()
            .filter(|(_, proc)| proc.entry_mark == Some(mark))
            .map(|(id, _)| id)
            .collect();
        if !marked.is_empty() {
            return Ok(marked);
        }
    }
    match program.proc_by_name("main") {
        Some(main) => Ok(vec![main]),
        None => Err(Diagnostic::global_error(
            "no-entry",
            "there is no entry: no implementation is marked {:entrypoint}, and there is no `main` with a body",
        )
        .hint(suggest_entries(program))),
    }
}

/// The procedure of this name that is marked as an entry: in C, the one that sets up the globals.
fn marked(program: &Program, name: &str) -> Option<ProcId> {
    let mut procs = program.procs.iter();
    procs
        .find(|(_, proc)| proc.entry_mark.is_some() && &*proc.name == name)
        .map(|(id, _)| id)
}

fn suggest_entries(program: &Program) -> String {
    let names: Vec<String> = program
        .procs
        .values()
        .take(5)
        .map(|proc| format!("`{}`", proc.name))
        .collect();
    match (names.len(), program.procs.len()) {
        (0, _) => "the program has no procedure with a body".into(),
        (shown, all) if shown < all => {
            format!("choose with --entry NAME, for example {} …", names.join(", "))
        }
        _ => format!("choose with --entry NAME: {}", names.join(", ")),
    }
}

fn goal(request: &VerifyRequest, front_end: &FrontEnd) -> Result<Goal, Diagnostic> {
    let program = &front_end.program;
    // A pattern that fits nothing is no slip: it is written for many programs.
    for name in request.search.track.iter().filter(|name| !name.contains('*')) {
        global(program, name, "--track")?;
    }
    if let Some(name) = request
        .error_variable
        .as_deref()
        .and_then(|name| name.strip_prefix('!'))
    {
        return Ok(Goal::VariableZero(global(program, name, "--error-variable")?));
    }
    if let Some(name) = &request.error_variable {
        return Ok(Goal::VariableNonZero(global(program, name, "--error-variable")?));
    }
    let is_property =
        |assert: &AssertId| !matches!(program.asserts[*assert].kind, AssertKind::Unsupported(_));
    let asserts: Vec<AssertId> = program.asserts.keys().filter(is_property).collect();
    if !request.asserts.is_empty() {
        let mut checked = BTreeSet::new();
        for selector in &request.asserts {
            let selected: Vec<AssertId> = asserts
                .iter()
                .copied()
                .filter(|&assert| selects(selector, front_end, assert))
                .collect();
            if selected.is_empty() {
                return Err(Diagnostic::global_error(
                    "no-such-assertion",
                    format!("no assertion has {selector}"),
                )
                .hint("--assert takes the line of an assertion or its {:id}"));
            }
            checked.extend(selected);
        }
        return Ok(Goal::AssertionFails {
            checked: Some(checked),
        });
    }
    // Candidates are instead of assertions: who writes them does not ask whether the entry returns.
    let has_candidates = program.candidates.iter().any(|clause| clause.proc.is_some());
    Ok(
        if asserts.is_empty() && !has_candidates && front_end.c.is_none() {
            Goal::EntryReturns
        } else {
            Goal::AssertionFails { checked: None }
        },
    )
}

/// The global variable of this name, which an option asks for.
fn global(program: &Program, name: &str, option: &str) -> Result<VarId, Diagnostic> {
    let found = program
        .globals
        .iter()
        .find(|&&var| **program.pool.var_name(var) == *name);
    found.copied().ok_or_else(|| {
        Diagnostic::global_error(
            "no-such-variable",
            format!("there is no global variable `{name}`"),
        )
        .hint(format!(
            "{option} takes the name of a global variable of the program"
        ))
    })
}

fn selects(selector: &AssertSelector, front_end: &FrontEnd, assert: AssertId) -> bool {
    let info = &front_end.program.asserts[assert];
    match selector {
        AssertSelector::Id(id) => info.id.as_deref() == Some(id.as_str()),
        AssertSelector::Line(line) => [info.span, info.condition_span]
            .into_iter()
            .flatten()
            .any(|span| front_end.sources.line_column(span).0 == *line as usize),
    }
}
