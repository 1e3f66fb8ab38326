//! The examples of the repository answer as their project files say.
//!
//! What an answer is, the authors of the examples have reasoned out; `expect` in the project file says it. Specifications that
//! take long in a debug build are not asked here: `lariat bench --table handshake` asks all of them.

use std::path::Path;

use lariat_base::Budget;
use lariat_conform::run::conform;
use lariat_report::{ConformReport, ConformRequest, Levels, Minimise};

const BOTH: &[Levels] = &[Levels::Both];

/// Asks some specifications of a project of `examples/conform`; all of them if none is named.
fn answers_as_expected(project: &str, only: &[&str], levels: &[Levels]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/conform");
    for &levels in levels {
        let request = ConformRequest {
            project: folder.join(project),
            levels: Some(levels),
            only: only.iter().map(|&name| name.to_owned()).collect(),
            ..ConformRequest::default()
        };
        let report = conform(&request, &Budget::unlimited(), &mut |_| {});
        let messages: Vec<&str> = report
            .diagnostics
            .iter()
            .map(|message| message.rendered.as_str())
            .collect();
        assert!(
            !report.specifications.is_empty(),
            "{project}: {}",
            messages.join("\n")
        );
        for part in &report.specifications {
            assert_eq!(
                part.meets_expectation(),
                Some(true),
                "{project}, {}, {levels:?}: {:?}",
                part.specification,
                part.verdict
            );
        }
    }
}

#[test]
fn locks() {
    let lock = [
        "LOCK_REFUSED",
        "LOCK_REFUSED with NO_DEADLOCK_CHECK",
        "LOCK_ALWAYS",
    ];
    answers_as_expected("locks/lock.conform", &lock, BOTH);
    let unlock = ["UNLOCK_COUNTED", "UNLOCK_COUNTED with FORGETS_COUNT"];
    answers_as_expected("locks/unlock.conform", &unlock, BOTH);
    let levels = [Levels::Predicates, Levels::Both];
    answers_as_expected("locks/worker.conform", &[], &levels);
}

#[test]
fn sockets() {
    let socket = ["MAKE", "MAKE with LEAK", "RESULTS", "RESULTS with WRONG_ERROR"];
    answers_as_expected("sockets/socket.conform", &socket, BOTH);
    let send = ["NOTHING", "SEND with NO_PUT"];
    answers_as_expected("sockets/send.conform", &send, BOTH);
}

#[test]
fn two_phase_commit() {
    answers_as_expected(
        "two-phase-commit/two-phase-commit-2.conform",
        &["ATOMIC", "LOGGED with HASTY"],
        BOTH,
    );
}

#[test]
fn requests() {
    answers_as_expected("requests/requests.conform", &[], BOTH);
}

#[test]
fn handshake_alone() {
    let server = ["S_REQUIRED", "S_NEVER_RESUMES"];
    answers_as_expected("handshake/server.conform", &server, BOTH);
    let client = ["C_RETURN", "C_ALWAYS_ESTABLISHED"];
    answers_as_expected("handshake/client.conform", &client, BOTH);
}

/// Predicate abstraction only, as in Fig. 11 and 12.
fn minimised(project: &str, only: &[&str], minimise: Minimise) -> ConformReport {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/conform");
    let request = ConformRequest {
        project: folder.join(project),
        levels: Some(Levels::Predicates),
        minimise: Some(minimise),
        only: only.iter().map(|&name| name.to_owned()).collect(),
        ..ConformRequest::default()
    };
    conform(&request, &Budget::unlimited(), &mut |_| {})
}

#[test]
fn optimal_minimisation_has_the_fewest_expressions() {
    let server = ["S_CALLBACK", "S_FOUND", "S_CLIENT_FIRST without its guard"];
    let cases: [(&str, &[&str]); 3] = [
        ("locks/lock.conform", &[]),
        ("locks/unlock.conform", &[]),
        ("handshake/server.conform", &server),
    ];
    for (project, only) in cases {
        let optimal = minimised(project, only, Minimise::Optimal);
        for other in [Minimise::None, Minimise::Greedy] {
            let other = minimised(project, only, other);
            assert_eq!(optimal.specifications.len(), other.specifications.len());
            for (optimal, other) in optimal.specifications.iter().zip(&other.specifications) {
                let name = &optimal.specification;
                assert_eq!(optimal.meets_expectation(), Some(true), "{project}, {name}");
                assert_eq!(other.meets_expectation(), Some(true), "{project}, {name}");
                let expressions = optimal.stats.components[0].expressions;
                let others = other.stats.components[0].expressions;
                assert!(
                    expressions <= others,
                    "{project}, {name}: {expressions} and {others}"
                );
            }
        }
    }
}
