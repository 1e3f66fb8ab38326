//! Projects in a folder of their own.

#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lariat_base::threads::spawn_with_big_stack;
use lariat_conform::run;
use lariat_report::{ConformReport, ConformRequest};

pub struct Files {
    folder: PathBuf,
}

/// Folders of tests that run at the same time must differ.
static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Files {
    pub fn new(files: &[(&str, &str)]) -> Files {
        let name = format!(
            "lariat-conform-project-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut all = Files { folder };
        for (name, text) in files {
            all.write(name, text);
        }
        all
    }

    pub fn write(&mut self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a file");
    }

    /// What is replaced must be there.
    pub fn replace(&mut self, name: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.folder.join(name)).expect("a file");
        assert!(text.contains(from), "no {from:?} in {name}");
        self.write(name, &text.replacen(from, to, 1));
    }

    pub fn run(&self, project: &str) -> ConformReport {
        self.run_request(ConformRequest {
            project: self.folder.join(project),
            ..ConformRequest::default()
        })
    }

    /// With a limit for what may be large.
    pub fn run_within(&self, seconds: f64, project: &str) -> ConformReport {
        self.run_request(ConformRequest {
            project: self.folder.join(project),
            time_limit: Some(seconds),
            ..ConformRequest::default()
        })
    }

    /// On a stack as large as the command's.
    pub fn run_request(&self, request: ConformRequest) -> ConformReport {
        let work = || run::run(&request, &mut |_| {});
        std::thread::scope(|scope| {
            let thread = spawn_with_big_stack(scope, "conform", work).expect("a thread");
            thread.join().expect("no panic")
        })
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = std::fs::remove_dir_all(&self.folder);
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
