//! Right and wrong for angelic verification.
//!
//! - The warnings are the expected ones, as a multiset of procedures with conditions, and the specifications say the same,
//!   up to renaming of unknowns: right.
//! - An unexpected or missing warning, or other specifications: wrong.
//! - `error`: the program is refused, right; anything else, wrong.
//! - A run that did not finish, a refused program, a comparison that the solver cannot decide: unsolved, unless a
//!   warning is shown that is not expected.

use std::fmt::Write as _;
use std::path::Path;

use lariat_base::SourceMap;
use lariat_boogie::ast::{AxiomDecl, Decl, Program};
use lariat_boogie::printer;
use lariat_report::{AngelicReport, DiagnosticReport, EntryOutcome, Severity};
use serde::Deserialize;

use super::Judgement;
use super::equivalence::{Comparison, compare};
use super::formula::{Formulas, SpecificationText, expression};
use crate::manifest::{Expect, Row};

/// What a row expects of angelic verification.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct AngelicDetail {
    pub angelic_specs: Vec<String>,
    /// `Assertion failed in proc P with expr E`.
    pub warnings: Vec<String>,
}

/// What the result of a row is worth, and what differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AngelicJudgement {
    pub judgement: Judgement,
    pub differs: Option<String>,
}

impl AngelicJudgement {
    fn new(judgement: Judgement, differs: impl Into<String>) -> Self {
        AngelicJudgement {
            judgement,
            differs: Some(differs.into()),
        }
    }
}

/// `program` is the file of the row.
pub fn judge_angelic(row: &Row, report: &AngelicReport, program: &Path) -> AngelicJudgement {
    if row.expect == Expect::Error {
        return match (report.bad_input, &report.unfinished) {
            (true, _) if first_error(report).is_none() => {
                AngelicJudgement::new(Judgement::Wrong, "the program was refused without a reason")
            }
            (true, _) => AngelicJudgement {
                judgement: Judgement::Right,
                differs: None,
            },
            (false, Some(reason)) => AngelicJudgement::new(Judgement::Unsolved, reason),
            (false, None) => AngelicJudgement::new(Judgement::Wrong, "the program was not refused"),
        };
    }
    let detail = match row.angelic_detail() {
        Ok(detail) => detail,
        Err(reason) => return AngelicJudgement::new(Judgement::Unsolved, reason),
    };
    if report.bad_input {
        let reason = first_error(report).map_or("", |error| error.message.as_str());
        return AngelicJudgement::new(Judgement::Unsolved, format!("the program was refused: {reason}"));
    }
    let (extra, missing) = differing_warnings(&detail, report);
    if !extra.is_empty() {
        return AngelicJudgement::new(Judgement::Wrong, difference(&extra, &missing));
    }
    if let Some(reason) = unfinished(report) {
        return AngelicJudgement::new(Judgement::Unsolved, reason);
    }
    if !missing.is_empty() {
        return AngelicJudgement::new(Judgement::Wrong, difference(&extra, &missing));
    }
    judge_specifications(&detail, report, program)
}

/// Why a program was refused.
pub fn first_error(report: &AngelicReport) -> Option<&DiagnosticReport> {
    let mut diagnostics = report.diagnostics.iter();
    diagnostics.find(|diagnostic| diagnostic.severity == Severity::Error)
}

fn unfinished(report: &AngelicReport) -> Option<String> {
    let incomplete = report.entries.iter().find_map(|entry| match &entry.outcome {
        EntryOutcome::Done => None,
        EntryOutcome::Incomplete { reason } => Some(format!("{}: {reason}", entry.name)),
        EntryOutcome::Pending => Some(format!("{}: not decided", entry.name)),
    });
    report.unfinished.clone().or(incomplete)
}

fn judge_specifications(detail: &AngelicDetail, report: &AngelicReport, program: &Path) -> AngelicJudgement {
    let expected = detail
        .angelic_specs
        .iter()
        .map(|text| SpecificationText { text, entry: None });
    // Without the user's specifications that could not be used.
    let used = report
        .specifications
        .iter()
        .filter(|specification| specification.problem.is_none());
    let found = used.map(|specification| SpecificationText {
        text: &specification.formal,
        entry: Some(&specification.entry),
    });
    let texts: Vec<SpecificationText<'_>> = expected.chain(found).collect();
    let expected = detail.angelic_specs.len();
    let compared = Formulas::read(program, &texts)
        .and_then(|formulas| compare(formulas, expected).map_err(|error| error.to_string()));
    let both = || {
        let list = |texts: &[SpecificationText<'_>]| match texts {
            [] => "none".to_owned(),
            texts => {
                let texts: Vec<String> = texts
                    .iter()
                    .map(|one| match one.entry {
                        Some(entry) => format!("{entry}: {}", one.text),
                        None => one.text.to_owned(),
                    })
                    .collect();
                texts.join("; ")
            }
        };
        let (expected, found) = texts.split_at(expected);
        format!(
            "expected specifications {}; found {}",
            list(expected),
            list(found)
        )
    };
    match compared {
        Ok(Comparison::Equivalent) => AngelicJudgement {
            judgement: Judgement::Right,
            differs: None,
        },
        Ok(Comparison::Different) => AngelicJudgement::new(Judgement::Wrong, both()),
        Ok(Comparison::Undecided) => {
            AngelicJudgement::new(Judgement::Unsolved, format!("not comparable: {}", both()))
        }
        Err(reason) => AngelicJudgement::new(
            Judgement::Unsolved,
            format!("the specifications cannot be compared: {reason}"),
        ),
    }
}

/// Unexpected warnings, and expected ones that are missing: procedures and conditions.
fn differing_warnings(detail: &AngelicDetail, report: &AngelicReport) -> (Vec<String>, Vec<String>) {
    let mut missing: Vec<String> = detail
        .warnings
        .iter()
        .map(|text| expected_warning(text))
        .collect();
    let mut extra = Vec::new();
    for warning in &report.warnings {
        let condition = warning.condition.as_deref().unwrap_or("?");
        let found = format!("{}: {}", warning.procedure, plain(condition));
        match missing.iter().position(|expected| *expected == found) {
            Some(position) => {
                missing.remove(position);
            }
            None => extra.push(found),
        }
    }
    (extra, missing)
}

fn expected_warning(text: &str) -> String {
    let rest = text.strip_prefix("Assertion failed in proc ");
    match rest.and_then(|rest| rest.split_once(" with expr ")) {
        Some((procedure, condition)) => format!("{}: {}", procedure.trim(), plain(condition)),
        None => text.to_owned(),
    }
}

/// A condition without white space and parentheses that it does not need.
fn plain(condition: &str) -> String {
    let mut sources = SourceMap::new();
    let Ok(body) = expression(&mut sources, condition) else {
        return condition.split_whitespace().collect::<Vec<_>>().join(" ");
    };
    let span = body.span;
    let axiom = Decl::Axiom(AxiomDecl {
        hideable: false,
        attributes: Vec::new(),
        body,
        span,
    });
    let text = printer::print(&Program { decls: vec![axiom] });
    let text = text.trim().trim_start_matches("axiom").trim_end_matches(';');
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn difference(extra: &[String], missing: &[String]) -> String {
    let mut text = String::new();
    for (what, warnings) in [("unexpected", extra), ("missing", missing)] {
        if !warnings.is_empty() {
            let separator = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{separator}{what}: {}", warnings.join(", "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use lariat_report::{AngelicRequest, AngelicWarning, Confidence, Specification, SpecificationStatus};

    use super::*;

    fn row(expect: &str, specs: &str, warnings: &str) -> Row {
        let text = format!(
            "{{\"file\": \"a.bpl\", \"expect\": \"{expect}\", \"command\": \"angelic\",
               \"detail\": {{\"angelic_specs\": {specs}, \"warnings\": {warnings}}}}}"
        );
        serde_json::from_str(&text).expect("a row")
    }

    fn warning(procedure: &str, condition: &str) -> AngelicWarning {
        AngelicWarning {
            id: "w".to_owned(),
            confidence: Confidence::Definite,
            procedure: procedure.to_owned(),
            condition: Some(condition.to_owned()),
            explanation: String::new(),
            origin: None,
            refused: None,
            traces: Vec::new(),
        }
    }

    fn specification(entry: &str, formal: &str) -> Specification {
        Specification {
            id: "s".to_owned(),
            entry: entry.to_owned(),
            text: String::new(),
            formal: formal.to_owned(),
            status: SpecificationStatus::Inferred,
            locations: Vec::new(),
            suppresses: Vec::new(),
            unnecessary: false,
            problem: None,
            inferred: None,
        }
    }

    fn report(warnings: Vec<AngelicWarning>, specifications: Vec<Specification>) -> AngelicReport {
        AngelicReport {
            warnings,
            specifications,
            ..AngelicReport::new(&AngelicRequest::default())
        }
    }

    fn judged(row: &Row, report: &AngelicReport) -> (Judgement, String) {
        let name = format!(
            "lariat-judge-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        );
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("a.bpl");
        std::fs::write(
            &file,
            "const NULL: int; procedure P(p: int) { assert (p != NULL); }",
        )
        .expect("a file");
        let judged = judge_angelic(row, report, &file);
        std::fs::remove_dir_all(&folder).expect("the folder is there");
        (judged.judgement, judged.differs.unwrap_or_default())
    }

    #[test]
    fn conditions_are_compared_without_needless_parentheses() {
        assert_eq!(plain("(a!=NULL)"), plain("a  !=  NULL"));
        assert_eq!(plain("!((x) == NULL)"), plain("!(x == NULL)"));
        assert_ne!(plain("a + (b - c) == 0"), plain("(a + b) - c == 0"));
    }

    #[test]
    fn warnings_are_a_multiset() {
        let twice = row(
            "bug",
            "[]",
            r#"["Assertion failed in proc P with expr p != NULL", "Assertion failed in proc P with expr p != NULL"]"#,
        );
        let two = report(
            vec![warning("P", "(p != NULL)"), warning("P", "p != NULL")],
            Vec::new(),
        );
        assert_eq!(judged(&twice, &two), (Judgement::Right, String::new()));
        let one = report(vec![warning("P", "p != NULL")], Vec::new());
        let (judgement, differs) = judged(&twice, &one);
        assert_eq!(
            (judgement, differs.as_str()),
            (Judgement::Wrong, "missing: P: p != NULL")
        );
        let other = report(
            vec![warning("P", "p != NULL"), warning("Q", "p != NULL")],
            Vec::new(),
        );
        let (judgement, differs) = judged(&twice, &other);
        assert_eq!(judgement, Judgement::Wrong);
        assert_eq!(differs, "unexpected: Q: p != NULL; missing: P: p != NULL");
    }

    #[test]
    fn specifications_must_say_the_same() {
        let blocked = row(
            "blocked",
            r#"["(forall x_1: int :: unknownTrigger_0(x_1) ==> x_1 != NULL)"]"#,
            "[]",
        );
        let right = report(Vec::new(), vec![specification("P", "p != NULL")]);
        assert_eq!(judged(&blocked, &right), (Judgement::Right, String::new()));
        let (judgement, differs) = judged(&blocked, &report(Vec::new(), Vec::new()));
        assert_eq!(judgement, Judgement::Wrong);
        assert!(differs.ends_with("; found none"), "{differs}");
        let unreadable = report(Vec::new(), vec![specification("P", "\"something\"")]);
        assert_eq!(judged(&blocked, &unreadable).0, Judgement::Unsolved);
    }

    #[test]
    fn what_did_not_finish_is_unsolved_unless_it_shows_too_much() {
        let safe = row("safe", "[]", "[]");
        let mut partial = report(Vec::new(), Vec::new());
        partial.unfinished = Some("time limit reached".to_owned());
        assert_eq!(
            judged(&safe, &partial),
            (Judgement::Unsolved, "time limit reached".to_owned())
        );
        partial.warnings.push(warning("P", "p != NULL"));
        assert_eq!(judged(&safe, &partial).0, Judgement::Wrong);
    }

    #[test]
    fn a_program_that_must_be_refused() {
        let error = row("error", "[]", "[]");
        let mut refused = report(Vec::new(), Vec::new());
        assert_eq!(judged(&error, &refused).0, Judgement::Wrong);
        refused.bad_input = true;
        assert_eq!(judged(&error, &refused).0, Judgement::Wrong);
        refused.diagnostics.push(DiagnosticReport {
            severity: Severity::Error,
            code: "no-null-constant".to_owned(),
            message: "there is no null".to_owned(),
            location: None,
            label: None,
            hint: None,
            rendered: String::new(),
        });
        assert_eq!(judged(&error, &refused).0, Judgement::Right);
        assert_eq!(judged(&row("safe", "[]", "[]"), &refused).0, Judgement::Unsolved);
    }
}
