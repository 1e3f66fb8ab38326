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
//! `BLESS=1` rewrites what is expected. Every file is a test of its own, called as its path.
//!
//! Every program is run with all engines, which must agree on the verdict and, with `--all`, on the
//! assertions that fail (see `support/engines.rs`); and what the printer makes of it must have the same
//! verdict. What is expected is the answer of stratified inlining. How the other engines merge and their
//! seeds follow from the file's name; `LARIAT_FULL_MATRIX=1` runs every engine in every way.

mod support;

use std::path::Path;
use std::process::ExitCode;

use lariat_testkit::files::{self, Case};
use lariat_testkit::seeds::full_matrix;
use support::filetest::{FileTest, Matrix, Outcome, run};

/// There are to be many programs; a run that finds few looks in the wrong place.
const FEWEST_FILES: usize = 80;

/// Runs one file; what is wrong with it, if anything.
fn check(path: &Path, bless: bool, matrix: Matrix) -> Result<(), String> {
    // Other expectations in the header move the program, and so the lines that they name.
    for _ in 0..3 {
        match run(&FileTest::read(path), bless, matrix) {
            Outcome::AsExpected => return Ok(()),
            Outcome::Wrong(complaints) => return Err(complaints),
            Outcome::Blessed(text) => std::fs::write(path, text).expect("the program can be rewritten"),
        }
    }
    Err("the answer is another one each time".into())
}

fn main() -> ExitCode {
    let bless = std::env::var_os("BLESS").is_some();
    let matrix = match full_matrix() {
        true => Matrix::All,
        false => Matrix::Sample,
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let cases = files::below(&folder, "bpl")
        .into_iter()
        .map(|(name, path)| Case::new(name, move || check(&path, bless, matrix)))
        .collect();
    files::run(cases, FEWEST_FILES)
}
