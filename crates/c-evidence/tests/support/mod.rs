//! A program in a folder, and what its harness does.

use std::path::PathBuf;

use lariat_c_evidence::harness::{HarnessTask, confirm};
use lariat_report::{COptions, External, Failure, FailureKind, HarnessOutcome, Input, Location, Machine};
use lariat_testkit::folder::Folder;

/// A folder of one test.
pub struct Case {
    pub folder: Folder,
    pub files: Vec<PathBuf>,
    pub entry: &'static str,
    pub failure: Failure,
    pub externals: Vec<External>,
    pub options: COptions,
}

impl Case {
    /// A program in which `kind` occurs on the line that says `HERE`.
    pub fn new(name: &str, kind: FailureKind, text: &str) -> Self {
        let folder = Folder::new(&format!("harness-{name}"));
        let mut case = Case {
            folder,
            files: Vec::new(),
            entry: "main",
            failure: Failure::new(kind, "it fails"),
            externals: Vec::new(),
            options: COptions::default(),
        };
        case.file("program.c", text);
        case
    }

    pub fn file(&mut self, name: &str, text: &str) {
        let path = self.folder.write(name, text);
        if let Some(line) = text.lines().position(|line| line.contains("HERE")) {
            self.failure.location = Some(Location {
                file: path.display().to_string(),
                line: line as u32 + 1,
                column: 1,
            });
        }
        self.files.push(path);
    }

    pub fn input(mut self, function: &str, ty: &str, value: &str) -> Self {
        self.failure.inputs.push(Input {
            function: function.to_owned(),
            ty: ty.to_owned(),
            value: value.to_owned(),
            location: None,
            writes: Vec::new(),
        });
        self
    }

    /// The value of a variable without initialiser, in the file of the failure.
    pub fn variable(&mut self, name: &str, ty: &str, value: &str, (line, column): (u32, u32)) {
        let location = self.failure.location.clone().map(|place| Location {
            line,
            column,
            ..place
        });
        self.failure.inputs.push(Input {
            function: name.to_owned(),
            ty: ty.to_owned(),
            value: value.to_owned(),
            location,
            writes: Vec::new(),
        });
    }

    pub fn ilp32(mut self) -> Self {
        self.options.machine = Machine::Ilp32;
        self
    }

    pub fn run(&self) -> HarnessOutcome {
        let task = HarnessTask::read(
            &self.files,
            self.entry,
            &self.failure,
            &self.externals,
            &self.options,
        )
        .expect("readable files");
        confirm(&task, &self.folder.path().join("harness.c")).expect("a writable folder")
    }

    #[track_caller]
    pub fn reproduces(&self) -> HarnessOutcome {
        let outcome = self.run();
        assert!(outcome.compiled, "{}\n{}", outcome.how, outcome.output);
        assert!(outcome.reproduced, "{}\n{}", outcome.how, outcome.output);
        outcome
    }

    #[track_caller]
    pub fn does_not_reproduce(&self, why: &str) {
        let outcome = self.run();
        assert!(outcome.compiled, "{}\n{}", outcome.how, outcome.output);
        assert!(!outcome.reproduced, "{}", outcome.output);
        assert!(outcome.output.contains(why), "{}", outcome.output);
    }
}
