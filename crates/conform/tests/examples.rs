//! The examples of the repository answer as their project files say.
//!
//! What an answer is, the authors of the examples have reasoned out; `expect` in the project file says it. Specifications that
//! take long in a debug build are not asked here: `lariat bench --table handshake` asks all of them.

use std::path::Path;

use lariat_conform::run::run;
use lariat_report::{ConformLevels, ConformRequest};

/// Asks all of a project of `examples/conform`, with one level of abstraction and with two.
fn answers_as_expected(project: &str) {
    answers_with(project, &[], &[ConformLevels::Predicates, ConformLevels::Both]);
}

/// Asks some specifications of a project; all of them if none is named.
fn answers_with(project: &str, only: &[&str], levels: &[ConformLevels]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/conform");
    for &levels in levels {
        let request = ConformRequest {
            project: folder.join(project),
            levels: Some(levels),
            only: only.iter().map(|&name| name.to_owned()).collect(),
            ..ConformRequest::default()
        };
        let report = run(&request, &mut |_| {});
        let messages: Vec<&str> = report
            .diagnostics
            .iter()
            .map(|message| message.rendered.as_str())
            .collect();
        assert!(messages.is_empty(), "{project}: {}", messages.join("\n"));
        assert!(!report.specifications.is_empty(), "{project}");
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
    for project in [
        "locks/lock.conform",
        "locks/unlock.conform",
        "locks/worker.conform",
    ] {
        answers_as_expected(project);
    }
}

#[test]
fn sockets() {
    for project in ["sockets/socket.conform", "sockets/send.conform"] {
        answers_as_expected(project);
    }
}

#[test]
fn two_phase_commit() {
    answers_with(
        "two-phase-commit/two-phase-commit-2.conform",
        &["ATOMIC", "LOGGED", "ALWAYS_COMMITS", "ATOMIC with LAST_VOTE_WINS", "LOGGED with HASTY"],
        &[ConformLevels::Both],
    );
}

#[test]
fn handshake_alone() {
    let server = ["S_CALLBACK", "S_NEVER_RESUMES", "S_ALWAYS_ESTABLISHED", "S_CLIENT_FIRST without its guard"];
    answers_with("handshake/server.conform", &server, &[ConformLevels::Both]);
    let client = ["C_CALLBACK", "C_ALWAYS_ESTABLISHED", "C_TICKET", "C_STARTS without its guard"];
    answers_with("handshake/client.conform", &client, &[ConformLevels::Both]);
}
