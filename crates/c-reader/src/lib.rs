//! **C text** ─ c-reader ─> c-program
//!
//! Reads C through libclang, which is found at run time.
//!
//! Architecture invariants:
//! - only [`clang`] knows libclang's functions, and only it has `unsafe` code;
//! - whatever is not understood becomes an `Unsupported` node with its reason; nothing is left out;
//! - what is wrong with the input or the machine is a diagnostic.

#![allow(
    non_upper_case_globals,
    reason = "the constants of libclang are named as in C"
)]

mod arrays;
mod asm;
mod atomic;
mod body;
mod clang;
mod expr;
mod extension;
mod flags;
mod headers;
mod init;
mod library;
mod linkage;
mod literal;
mod locate;
mod messages;
mod node;
mod places;
mod session;
mod stmt;
mod survey;
mod text;
mod types;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use lariat_base::{Diagnostic, Diagnostics, SourceId, SourceMap};
use lariat_c_program::{CProgram, Purpose};
use lariat_options::COptions;

pub use flags::{DatabaseFile, database_files};
pub use library::defined_names;
pub use locate::VARIABLE as LIBCLANG_VARIABLE;
pub use survey::{Survey, Symbol, survey};

/// How the files are to be read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// What the user asked for.
    pub c: COptions,
    /// Model files to be read after the user's, as paths with their text (they need not exist on disk).
    pub models: Vec<(PathBuf, String)>,
    /// More of them, each of which is read only if it defines a name that is used and not defined elsewhere.
    pub library: Vec<(PathBuf, String)>,
    /// Functions that no model stands for, whatever the library has of that name.
    pub without_model: Vec<String>,
}

impl From<COptions> for ReadOptions {
    /// Without models.
    fn from(c: COptions) -> Self {
        ReadOptions {
            c,
            ..ReadOptions::default()
        }
    }
}

/// A file to be parsed.
struct Input {
    path: PathBuf,
    bytes: Vec<u8>,
    purpose: Purpose,
    source: SourceId,
    flags: Vec<String>,
}

/// Reads and links all files as one program. `None` if there are errors; they are among the diagnostics. Of the models,
/// the program has what the user's code names.
///
/// To be called on a thread with a big stack: clang recurses over what it parses.
pub fn read(
    files: &[&Path],
    options: &ReadOptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<CProgram> {
    read_with_models(files, options, |_| Vec::new(), sources, diagnostics)
}

/// [`read`], where a function of a name also needs the models of other names, although nothing names them.
pub fn read_with_models(
    files: &[&Path],
    options: &ReadOptions,
    needs: fn(&str) -> Vec<String>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<CProgram> {
    let inputs = inputs(files, options, sources, diagnostics)?;
    let clang = match locate::load() {
        Ok(clang) => clang,
        Err(message) => {
            diagnostics.push(*message);
            return None;
        }
    };
    let parser = Parser::new(&clang, &inputs, options);
    let parse = |index| parser.unit(index);
    let at_once = inputs.len() - options.library.len();
    let mut library = library::Library::new(&parse, &options.without_model);
    for (index, input) in inputs.iter().enumerate().skip(at_once) {
        library.add(index, input.source, &input.bytes);
    }
    let mut session = session::Session::new(options.c.machine, needs, library, sources, diagnostics);
    for input in &inputs {
        session.know_file(input.path.clone(), input.source);
    }
    for (index, input) in inputs.iter().enumerate().take(at_once) {
        match parser.unit(index) {
            Ok(unit) => session.add_unit(unit, input.purpose, input.source),
            Err(message) => {
                session.diagnostics.push(message);
                return None;
            }
        }
    }
    for (unit, _, _) in session.units.clone() {
        session.report_messages(unit);
    }
    if session.diagnostics.has_errors() {
        return None;
    }
    session.link();
    let has_errors = session.diagnostics.has_errors();
    let program = session.program;
    (!has_errors).then_some(program)
}

/// Parses inputs, each when it is asked for.
struct Parser<'c> {
    clang: &'c clang::Clang,
    inputs: &'c [Input],
    options: &'c ReadOptions,
    /// Files that need not exist on disk.
    overlay: Vec<(String, &'c [u8])>,
    units: Vec<OnceCell<Option<clang::Unit<'c>>>>,
}

impl<'c> Parser<'c> {
    fn new(clang: &'c clang::Clang, inputs: &'c [Input], options: &'c ReadOptions) -> Self {
        let headers = headers::HEADERS.iter();
        let headers = headers.map(|(name, text)| (format!("{}/{name}", headers::FOLDER), text.as_bytes()));
        let files = inputs.iter();
        let files = files.map(|input| (input.path.display().to_string(), input.bytes.as_slice()));
        Parser {
            clang,
            inputs,
            options,
            overlay: headers.chain(files).collect(),
            units: inputs.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The unit of an input, or the message that clang gives up on it.
    fn unit(&self, index: usize) -> Result<&clang::Unit<'_>, Diagnostic> {
        let input = &self.inputs[index];
        let path = input.path.display().to_string();
        let parse = || {
            let arguments = flags::arguments(self.options, &input.flags);
            self.clang.parse(&path, &arguments, &self.overlay)
        };
        self.units[index].get_or_init(parse).as_ref().ok_or_else(|| {
            let arguments = flags::arguments(self.options, &input.flags);
            let standard = flags::standard_problem(&arguments);
            standard.unwrap_or_else(|| {
                Diagnostic::global_error(
                    "clang-failed",
                    format!("libclang gave up on {path} without saying why"),
                )
            })
        })
    }
}

/// Reads the files; `None`, with messages, if one cannot be.
fn inputs(
    files: &[&Path],
    options: &ReadOptions,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Input>> {
    let database = match options
        .c
        .compile_commands
        .as_deref()
        .map(read_database)
        .transpose()
    {
        Ok(database) => database.unwrap_or_default(),
        Err(message) => {
            diagnostics.push(*message);
            return None;
        }
    };
    let mut inputs = Vec::new();
    for &path in files {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("{} cannot be read: {error}", path.display());
                diagnostics.push(Diagnostic::global_error("unreadable-file", message));
                continue;
            }
        };
        if text::looks_binary(&bytes) {
            let message = format!("{} is not a C file: it contains binary data", path.display());
            diagnostics
                .push(Diagnostic::global_error("not-c", message).hint("give C source files (.c or .i)"));
            continue;
        }
        let text = text::lossy(&bytes);
        let mut flags = flags::preprocessed_flags(path, &text);
        flags.extend(flags::database_flags(&database, path));
        inputs.push(Input {
            path: path.to_path_buf(),
            purpose: Purpose::User,
            source: sources.add(path, text),
            flags,
            bytes,
        });
    }
    for (path, text) in options.models.iter().chain(&options.library) {
        inputs.push(Input {
            path: path.clone(),
            bytes: text.clone().into_bytes(),
            purpose: Purpose::Model,
            source: sources.add(path, text.as_str()),
            flags: Vec::new(),
        });
    }
    (!diagnostics.has_errors()).then_some(inputs)
}

/// Reads a compilation database: the file, or the one of that name in a folder.
pub(crate) fn read_database(path: &Path) -> Result<serde_json::Value, Box<Diagnostic>> {
    let path = &match path.is_dir() {
        true => path.join("compile_commands.json"),
        false => path.to_path_buf(),
    };
    let problem = |reason: String| {
        let message = format!("{} is no compilation database: {reason}", path.display());
        Box::new(Diagnostic::global_error("bad-compile-commands", message))
    };
    let text = std::fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| problem(error.to_string()))?;
    if value.is_array() {
        Ok(value)
    } else {
        Err(problem("it holds no list".into()))
    }
}
