//! **C text** ─ c-reader ─> c-program
//!
//! Reads C through libclang, which is found at run time.

use std::path::{Path, PathBuf};

use lariat_base::{Diagnostics, SourceMap};
use lariat_c_program::{CProgram, Machine};

/// How the files are to be read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    pub machine: Machine,
    /// `-I`, in order.
    pub include: Vec<PathBuf>,
    /// `-D NAME[=VALUE]` and `-U NAME`, as clang takes them (`-DNAME=1`), in order.
    pub macros: Vec<String>,
    /// `-std=`.
    pub standard: Option<String>,
    /// A `compile_commands.json`: flags for the files that it names.
    pub compile_commands: Option<PathBuf>,
    /// Model files to be read after the user's, as paths with their text (they need not exist on disk).
    pub models: Vec<(PathBuf, String)>,
}

/// Reads and links all files as one program. `None` if there are errors; they are among the diagnostics.
pub fn read(
    files: &[&Path],
    options: &ReadOptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<CProgram> {
    let _ = (files, options, sources, diagnostics);
    None
}
