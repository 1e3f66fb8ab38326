//! Projects in a folder of their own.

#![allow(dead_code)]

use std::time::Duration;

use lariat_base::Budget;
use lariat_base::threads::spawn_with_big_stack;
use lariat_conform::run::conform;
use lariat_report::{ConformReport, ConformRequest};
use lariat_testkit::folder::Folder;

pub struct Files(Folder);

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Files {
        Files(Folder::with("conform-project", files))
    }

    pub fn write(&mut self, name: &str, text: &str) {
        self.0.write(name, text);
    }

    /// What is replaced must be there.
    pub fn replace(&mut self, name: &str, from: &str, to: &str) {
        self.0.replace(name, from, to);
    }

    pub fn run(&self, project: &str) -> ConformReport {
        self.run_request(&self.request(project), &Budget::unlimited())
    }

    /// With a limit for what may be large.
    pub fn run_within(&self, seconds: f64, project: &str) -> ConformReport {
        let limit = Duration::from_secs_f64(seconds);
        self.run_request(&self.request(project), &Budget::new(Some(limit), None))
    }

    pub fn request(&self, project: &str) -> ConformRequest {
        ConformRequest {
            project: self.0.path().join(project),
            ..ConformRequest::default()
        }
    }

    /// On a stack as large as the command's.
    pub fn run_request(&self, request: &ConformRequest, budget: &Budget) -> ConformReport {
        let work = || conform(request, budget, &mut |_| {});
        std::thread::scope(|scope| {
            let thread = spawn_with_big_stack(scope, "conform", work).expect("a thread");
            thread.join().expect("no panic")
        })
    }
}

/// All messages as they are shown.
pub fn rendered(report: &ConformReport) -> String {
    let all: Vec<&str> = report
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.rendered.as_str())
        .collect();
    all.join("\n")
}
