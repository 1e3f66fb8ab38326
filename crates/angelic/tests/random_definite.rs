//! `definite` against the enumeration of all environments.
//!
//! Random procedures set three pointers to null and to something else, and use them, on branches that three Boolean parameters decide. The
//! environment is the parameters, so eight executions are all there are. A use of a null pointer that an execution comes to first must be
//! reported, and nothing else may be; what is called `definite` fails in all eight, whatever else fails before.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lariat_base::Budget;
use lariat_report::{AngelicRequest, Confidence, Configuration, EntryOutcome, VerifyRequest};
use lariat_testkit::folder::Folder;
use lariat_testkit::{HANG, Random, seeds};

const POINTERS: usize = 3;
const PARAMETERS: usize = 3;
/// Procedures of one program.
const PROCEDURES: usize = 12;

enum Statement {
    If(usize, Vec<Statement>, Vec<Statement>),
    Use(usize),
    Set(usize, bool),
    Return,
}

fn statements(random: &mut Random, depth: usize) -> Vec<Statement> {
    let count = 1 + random.below(3);
    (0..count).map(|_| statement(random, depth)).collect()
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    match random.below(20) {
        0..8 if depth > 0 => {
            let then = statements(random, depth - 1);
            let otherwise = match random.flip() {
                true => statements(random, depth - 1),
                false => Vec::new(),
            };
            Statement::If(random.below(PARAMETERS), then, otherwise)
        }
        0..15 => Statement::Use(random.below(POINTERS)),
        15..19 => Statement::Set(random.below(POINTERS), random.one_in(3)),
        _ => Statement::Return,
    }
}

fn print(statements: &[Statement], text: &mut String) {
    for statement in statements {
        let _ = match statement {
            Statement::If(parameter, then, otherwise) => {
                let _ = write!(text, " if (c{parameter}) {{");
                print(then, text);
                let _ = write!(text, " }} else {{");
                print(otherwise, text);
                write!(text, " }}")
            }
            Statement::Use(pointer) => write!(text, " assert p{pointer} != NULL;"),
            Statement::Set(pointer, true) => write!(text, " p{pointer} := NULL;"),
            Statement::Set(pointer, false) => write!(text, " p{pointer} := NULL + 1;"),
            Statement::Return => write!(text, " return;"),
        };
    }
}

/// Adds the null pointers that are used, in their order; says whether the procedure has returned.
fn run(
    statements: &[Statement],
    environment: usize,
    null: &mut [bool; POINTERS],
    used: &mut Vec<usize>,
) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::If(parameter, then, otherwise) => {
            let branch = match environment >> parameter & 1 {
                1 => then,
                _ => otherwise,
            };
            run(branch, environment, null, used)
        }
        Statement::Use(pointer) => {
            used.extend(null[*pointer].then_some(*pointer));
            false
        }
        Statement::Set(pointer, is_null) => {
            null[*pointer] = *is_null;
            false
        }
        Statement::Return => true,
    })
}

/// The pointers that some execution fails with, and those that all use while they are null.
fn expected(body: &[Statement]) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let mut first = BTreeSet::new();
    let mut always: BTreeSet<usize> = (0..POINTERS).collect();
    for environment in 0..1 << PARAMETERS {
        let mut used = Vec::new();
        run(body, environment, &mut [true; POINTERS], &mut used);
        first.extend(used.first());
        always.retain(|pointer| used.contains(pointer));
    }
    (first, always)
}

#[test]
fn definite_failures_are_those_of_all_environments() {
    let (mut reported, mut definite) = (0, 0);
    for seed in seeds::seeds(0, 8) {
        let mut random = Random::new(seed);
        let bodies: Vec<Vec<Statement>> = (0..PROCEDURES).map(|_| statements(&mut random, 3)).collect();
        let mut text = String::from("const NULL: int;\n");
        for (number, body) in bodies.iter().enumerate() {
            let _ = write!(
                text,
                "procedure f{number}(c0: bool, c1: bool, c2: bool) {{ var p0, p1, p2: int; \
                 p0 := NULL; p1 := NULL; p2 := NULL;"
            );
            print(body, &mut text);
            text.push_str(" }\n");
        }
        let folder = Folder::with("definite", &[("program.bpl", &text)]);
        let request = AngelicRequest {
            program: VerifyRequest::new(vec![folder.path().join("program.bpl")]),
            vocabulary: Configuration::Default.vocabulary(),
            jobs: 1,
            ..AngelicRequest::default()
        };
        let report = lariat_angelic::angelic(&request, &Budget::unlimited().within(HANG), &mut |_| {});
        assert!(!report.bad_input, "seed {seed}: {:?}", report.diagnostics);
        let is_done = report
            .entries
            .iter()
            .all(|entry| entry.outcome == EntryOutcome::Done);
        assert!(is_done, "seed {seed}: {:?}", report.entries);
        for (number, body) in bodies.iter().enumerate() {
            let (first, always) = expected(body);
            let name = format!("f{number}");
            let traces = report.warnings.iter().flat_map(|warning| &warning.traces);
            let traces = traces.filter(|trace| trace.entry == name);
            let found: BTreeSet<(usize, bool)> = traces
                .map(|trace| {
                    let condition = trace.condition.as_deref().unwrap_or_default();
                    let pointer = (0..POINTERS).find(|pointer| condition.contains(&format!("p{pointer}")));
                    let pointer = pointer.expect("the condition names a pointer");
                    (pointer, trace.confidence == Confidence::Definite)
                })
                .collect();
            let pointers: BTreeSet<usize> = found.iter().map(|&(pointer, _)| pointer).collect();
            assert_eq!(pointers, first, "seed {seed}, {name}: what is reported\n{text}");
            for &(pointer, is_definite) in &found {
                assert!(
                    !is_definite || always.contains(&pointer),
                    "seed {seed}, {name}: p{pointer} is not definite\n{text}"
                );
                reported += 1;
                definite += usize::from(is_definite);
            }
        }
    }
    assert!(
        seeds::are_chosen() || (reported > 60 && definite > 15 && definite < reported),
        "{reported} reported, {definite} definite"
    );
}
