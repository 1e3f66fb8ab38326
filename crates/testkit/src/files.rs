//! A test of its own for each file of a folder, or for each case in a file.
//!
//! A test binary with `harness = false` collects its [`Case`]s and gives them to [`run`]. A case is selected by its name, as
//! any test: `cargo test -p lariat-verify --test c_files -- array_parameters`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

/// What a case does. The text of an error says what is wrong.
type Work = Box<dyn FnOnce() -> Result<(), String> + Send>;

pub struct Case {
    name: String,
    work: Work,
}

impl Case {
    pub fn new(name: impl Into<String>, work: impl FnOnce() -> Result<(), String> + Send + 'static) -> Self {
        Case {
            name: name.into(),
            work: Box::new(work),
        }
    }
}

/// Runs the cases that the arguments of the test binary select.
///
/// # Panics
/// If there are fewer than `fewest`: then it looked in the wrong place.
pub fn run(cases: Vec<Case>, fewest: usize) -> ExitCode {
    assert!(cases.len() >= fewest, "only {} cases were found", cases.len());
    let trials = cases
        .into_iter()
        .map(|case| Trial::test(case.name, move || (case.work)().map_err(Failed::from)))
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// All files below a folder that end in `.extension`, in the order of their paths, each with its path relative to the folder
/// without the extension.
pub fn below(folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).expect("the folder of the files can be read") {
            let path = entry.expect("the folder of the files can be read").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
                found.push((name.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    found.sort();
    found
}
