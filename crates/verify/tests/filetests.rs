//! Programs with the command and the expected answer in the file.
//!
//! A file in `tests/files/` starts with comment lines:
//!
//! ```text
//! // lariat verify --bound 2 --all          the options, as on the command line
//! // expect: bug 12:3 assertion             what the report says, one line for each fact
//! // trace: 4 x := x + 1;  x = 1            the lines of the first trace, if one `// trace:` line is there
//! // show: ir                               a stage whose text is expected at the end of the file
//! // unconfirmed: why                       needed if a bug of this program cannot be replayed
//! ```
//!
//! `BLESS=1` rewrites what is expected; `LARIAT_FILETEST=text` runs the files whose path contains the text.
//!
//! Every program is run with all engines, which must agree on the verdict and, with `--all`, on the
//! assertions that fail (see `support/engines.rs`); and what the printer makes of it must have the same
//! verdict. What is expected is the answer of stratified inlining. How the other engines merge and their
//! seeds follow from the file's name; `LARIAT_FULL_MATRIX=1` runs every engine in every way.

mod support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::filetest::{FileTest, Matrix, Outcome, run};

/// There are to be many programs; a run that finds few looks in the wrong place.
const FEWEST_FILES: usize = 80;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

/// All programs below a folder, in the order of their names.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder of the programs can be read") {
            let path = entry.expect("the folder of the programs can be read").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "bpl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Runs one file; what is wrong with it, if anything.
fn check(path: &Path, bless: bool, matrix: Matrix) -> Option<String> {
    // Other expectations in the header move the program, and so the lines that they name.
    for _ in 0..3 {
        match run(&FileTest::read(path), bless, matrix) {
            Outcome::AsExpected => return None,
            Outcome::Wrong(complaints) => return Some(complaints),
            Outcome::Blessed(text) => std::fs::write(path, text).expect("the program can be rewritten"),
        }
    }
    Some("  the answer is another one each time".into())
}

#[test]
fn every_program_has_the_expected_answer() {
    let folder = folder();
    let bless = std::env::var_os("BLESS").is_some();
    let matrix = match std::env::var_os("LARIAT_FULL_MATRIX") {
        Some(_) => Matrix::All,
        None => Matrix::Sample,
    };
    let filter = std::env::var("LARIAT_FILETEST").ok();
    let files: Vec<PathBuf> = programs(&folder)
        .into_iter()
        .filter(|path| {
            filter
                .as_ref()
                .is_none_or(|text| path.to_string_lossy().contains(text.as_str()))
        })
        .collect();
    assert!(filter.is_some() || files.len() >= FEWEST_FILES);
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(complaints) = check(path, bless, matrix) else {
                        continue;
                    };
                    let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
                    failures
                        .lock()
                        .expect("no thread panics")
                        .push((name, complaints));
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics");
    failures.sort();
    let mut text = String::new();
    for (name, complaints) in &failures {
        let _ = writeln!(text, "{name}:\n{complaints}");
    }
    assert!(
        failures.is_empty(),
        "{} of {} programs fail\n{text}",
        failures.len(),
        files.len()
    );
}
