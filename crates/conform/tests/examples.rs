//! The examples of the repository answer as their project files say.
//!
//! What an answer is, the authors of the examples have reasoned out; `expect` in the project file says it. Specifications that
//! take long in a debug build are not asked here: `lariat bench --table handshake` asks all of them.

use std::path::Path;

use lariat_base::Budget;
use lariat_conform::run::run;
use lariat_report::{ConformLevels, ConformRequest};

/// Asks a project of `examples/conform`, all of it or only some specifications.
fn answers_as_expected(project: &str, only: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/conform");
    for levels in [ConformLevels::Predicates, ConformLevels::Both] {
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
        answers_as_expected(project, &[]);
    }
}
