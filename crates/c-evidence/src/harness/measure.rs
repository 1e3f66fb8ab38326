//! What tests execute, by gcov.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use crate::harness::build::count;
use crate::harness::source::{HarnessTask, harness_source};

/// How often each line was executed, and each branch of it was taken. Files are named as by [`real_path`].
pub type Coverage = BTreeMap<(PathBuf, u32), LineCoverage>;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineCoverage {
    pub count: u64,
    pub branches: Vec<u64>,
}

/// What gcov prints for one object.
#[derive(Deserialize)]
struct Counts {
    files: Vec<CountedFile>,
}

#[derive(Deserialize)]
struct CountedFile {
    file: PathBuf,
    lines: Vec<CountedLine>,
}

#[derive(Deserialize)]
struct CountedLine {
    line_number: u32,
    #[serde(deserialize_with = "executions")]
    count: u64,
    #[serde(default)]
    branches: Vec<CountedBranch>,
}

#[derive(Deserialize)]
struct CountedBranch {
    #[serde(deserialize_with = "executions")]
    count: u64,
}

/// Counts that gcov derives from others are negative where a signal ended the program in between.
fn executions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    i64::deserialize(deserializer).map(|count| u64::try_from(count).unwrap_or(0))
}

/// The one name of a file: gcov resolves `..` and links, users write them.
pub fn real_path(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    std::fs::canonicalize(path).unwrap_or_else(|_| absolute())
}

/// How a test was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunAs {
    /// On the program's machine, or what the compiler takes for it.
    Itself,
    /// A 32-bit program as a 64-bit one, since the compiler has no 32-bit libraries.
    Bits64,
}

/// Writes a test to `path`, compiles and runs it, and adds its counts to `coverage`. `Err` says why there are none.
pub fn measure(
    task: &HarnessTask<'_>,
    path: &Path,
    coverage: &mut Coverage,
) -> io::Result<Result<RunAs, String>> {
    std::fs::write(path, harness_source(task))?;
    let (text, run_as) = match count(task, path)? {
        Ok(counted) => counted,
        Err(complaint) => return Ok(Err(complaint)),
    };
    // One object for each compiled file, one line for each object.
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let counts: Counts = match serde_json::from_str(line) {
            Ok(counts) => counts,
            Err(error) => return Ok(Err(format!("what gcov prints cannot be read: {error}"))),
        };
        add(&counts, coverage);
    }
    Ok(Ok(run_as))
}

fn add(counts: &Counts, coverage: &mut Coverage) {
    for file in &counts.files {
        let path = real_path(&file.file);
        for line in &file.lines {
            let known = coverage.entry((path.clone(), line.line_number)).or_default();
            known.count += line.count;
            if known.branches.len() < line.branches.len() {
                known.branches.resize(line.branches.len(), 0);
            }
            for (known, new) in known.branches.iter_mut().zip(&line.branches) {
                *known += new.count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_count_is_none() {
        let line = r#"{"line_number": 3, "count": 2, "branches": [{"count": 3}, {"count": -1}]}"#;
        let line: CountedLine = serde_json::from_str(line).expect("a line of gcov");
        let branches: Vec<u64> = line.branches.iter().map(|branch| branch.count).collect();
        assert_eq!((line.count, branches), (2, vec![3, 0]));
    }

    #[test]
    fn counts_of_several_tests_are_added() {
        let object = |first: u64, second: u64| Counts {
            files: vec![CountedFile {
                file: "/a.c".into(),
                lines: vec![CountedLine {
                    line_number: 3,
                    count: first + second,
                    branches: vec![CountedBranch { count: first }, CountedBranch { count: second }],
                }],
            }],
        };
        let mut coverage = Coverage::new();
        add(&object(2, 0), &mut coverage);
        add(&object(0, 1), &mut coverage);
        let line = &coverage[&(PathBuf::from("/a.c"), 3)];
        assert_eq!((line.count, line.branches.as_slice()), (3, [2, 1].as_slice()));
    }
}
