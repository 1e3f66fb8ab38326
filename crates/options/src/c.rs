//! What only C programs are asked about: the machine, the preprocessor, the checks, the library.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Check;
#[cfg(feature = "clap")]
use crate::CheckSelector;

vocabulary! {
    /// The data model: x86-64 or i386 with the System V ABI, little-endian.
    #[derive(Default)]
    pub enum Machine {
        /// 64-bit Linux.
        #[default]
        Lp64,
        /// 32-bit Linux.
        Ilp32,
    }
}

impl Machine {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            Machine::Lp64 => 8,
            Machine::Ilp32 => 4,
        }
    }

    pub fn pointer_bits(self) -> u32 {
        self.pointer_bytes() as u32 * 8
    }
}

vocabulary! {
    /// What integers are to the solver.
    #[derive(Default)]
    pub enum Integers {
        /// As on the machine, in whichever form is faster.
        #[default]
        Exact,
        /// Mathematical integers: faster, and the verdict says so.
        Math,
        /// Exact, as integers that wrap around.
        Wrapped,
        /// Exact, as bit-vectors.
        BitVectors,
    }
}

vocabulary! {
    /// What functions without body do besides giving a result and writing through their pointer arguments.
    #[derive(Default)]
    pub enum Externals {
        /// Nothing.
        #[default]
        Pure,
        /// They may write every variable that other files can see.
        Havoc,
    }
}

vocabulary! {
    /// The language that a program is written in.
    pub enum Language {
        /// C.
        C,
        /// Boogie.
        Boogie,
    }
}

/// How C is read and what is checked in it; without meaning for other languages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct COptions {
    pub machine: Machine,
    /// Folders with headers, in the order of the search.
    pub include: Vec<PathBuf>,
    /// A folder like `/` in which the headers of the system are looked for first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_root: Option<PathBuf>,
    /// `-DX=1` and `-UX`, in their order.
    pub macros: Vec<String>,
    /// The language standard, such as `c11` or `gnu89`. `None`: the reader's default.
    pub standard: Option<String>,
    /// A `compile_commands.json` with the flags of each file.
    pub compile_commands: Option<PathBuf>,
    pub integers: Integers,
    /// What can go wrong; in the order of [`Check::ALL`], each once.
    pub checks: Vec<Check>,
    /// Files whose functions replace Lariat's models of the library.
    pub models: Vec<PathBuf>,
    /// Use no models at all: library functions are functions without body.
    pub no_models: bool,
    /// `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    pub externals: Externals,
    /// Functions that must not be called.
    pub error_functions: Vec<String>,
    /// Labels `ERROR` must not be reached either.
    pub error_labels: bool,
}

impl Default for COptions {
    fn default() -> Self {
        COptions {
            machine: Machine::default(),
            include: Vec::new(),
            system_root: None,
            macros: Vec::new(),
            standard: None,
            compile_commands: None,
            integers: Integers::default(),
            checks: Check::DEFAULT.to_vec(),
            models: Vec::new(),
            no_models: false,
            malloc_may_fail: false,
            externals: Externals::default(),
            error_functions: Self::ERROR_FUNCTIONS.map(str::to_owned).to_vec(),
            error_labels: true,
        }
    }
}

impl COptions {
    /// The functions that must not be called unless the user says otherwise.
    pub const ERROR_FUNCTIONS: [&'static str; 2] = ["__VERIFIER_error", "reach_error"];

    /// Whether a file is read as C: by its extension, or by its text if that says nothing.
    pub fn is_c_file(path: &Path) -> bool {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("c" | "i" | "h" | "C" | "I") => true,
            Some("bpl") => false,
            _ => std::fs::read(path).is_ok_and(|bytes| looks_like_c(&String::from_utf8_lossy(&bytes))),
        }
    }

    pub fn checks(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }

    /// Whether a call of this function is an error.
    pub fn is_error_function(&self, name: &str) -> bool {
        self.error_functions.iter().any(|other| other == name)
    }
}

/// Whether a text is rather C than Boogie: it has lines of the preprocessor, or declares functions as C does.
fn looks_like_c(text: &str) -> bool {
    let types = [
        "int ",
        "void ",
        "char ",
        "static ",
        "extern ",
        "unsigned ",
        "struct ",
        "typedef ",
    ];
    text.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with('#') || types.iter().any(|start| line.starts_with(start))
    })
}

/// How to read C and what to check in it; common to all commands that read programs.
#[cfg(feature = "clap")]
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Options for C")]
pub struct CArguments {
    /// Search for headers in this folder; may be repeated
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro, as `NAME` or `NAME=VALUE`; may be repeated
    #[arg(short = 'D', value_name = "MACRO")]
    pub define: Vec<String>,

    /// Undefine a macro, after all definitions; may be repeated
    #[arg(short = 'U', value_name = "MACRO")]
    pub undefine: Vec<String>,

    /// Language standard, such as `c11` or `gnu89`
    #[arg(long = "std", value_name = "STANDARD")]
    pub standard: Option<String>,

    /// Sizes of C types [default: lp64, or that of the benchmark's row]
    #[arg(long, value_enum, value_name = "MACHINE")]
    pub machine: Option<Machine>,

    /// Read the flags of each file from a `compile_commands.json`, or from the one in this folder
    #[arg(long, value_name = "FILE|DIR")]
    pub compile_commands: Option<PathBuf>,

    /// How to encode integers
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub integers: Integers,

    /// What to check; may be repeated or a list [default: reach,assert,null,div-by-zero, for `angelic`
    /// reach,assert,null; or those of the benchmark's row]
    #[arg(long, value_enum, value_name = "CHECK", value_delimiter = ',')]
    pub check: Vec<CheckSelector>,

    /// Use the functions of this file instead of Lariat's models of the library; may be repeated
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,

    /// Use no models: library functions return anything
    #[arg(long, conflicts_with = "models")]
    pub no_models: bool,

    /// Let `malloc` and its relatives return null
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// What functions without a body may do besides returning a value and writing through their pointer arguments
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    pub externals: Externals,

    /// Treat a call of this function as an error; may be repeated
    #[arg(long, value_name = "NAME")]
    pub error_function: Vec<String>,
}

#[cfg(feature = "clap")]
impl CArguments {
    /// The flags that were given.
    pub fn given(&self) -> Vec<&'static str> {
        let flags = [
            ("-I", !self.include.is_empty()),
            ("-D", !self.define.is_empty()),
            ("-U", !self.undefine.is_empty()),
            ("--std", self.standard.is_some()),
            ("--machine", self.machine.is_some()),
            ("--compile-commands", self.compile_commands.is_some()),
            ("--integers", self.integers != Integers::default()),
            ("--check", !self.check.is_empty()),
            ("--models", !self.models.is_empty()),
            ("--no-models", self.no_models),
            ("--malloc-may-fail", self.malloc_may_fail),
            ("--externals", self.externals != Externals::default()),
            ("--error-function", !self.error_function.is_empty()),
        ];
        flags
            .into_iter()
            .filter_map(|(flag, given)| given.then_some(flag))
            .collect()
    }

    pub fn options(&self) -> COptions {
        let mut options = COptions {
            machine: self.machine.unwrap_or_default(),
            include: self.include.clone(),
            standard: self.standard.clone(),
            compile_commands: self.compile_commands.clone(),
            integers: self.integers,
            models: self.models.clone(),
            no_models: self.no_models,
            malloc_may_fail: self.malloc_may_fail,
            externals: self.externals,
            ..COptions::default()
        };
        let defined = self.define.iter().map(|name| format!("-D{name}"));
        let undefined = self.undefine.iter().map(|name| format!("-U{name}"));
        options.macros = defined.chain(undefined).collect();
        if !self.check.is_empty() {
            options.checks = CheckSelector::selected(&self.check);
        }
        for name in &self.error_function {
            if !options.is_error_function(name) {
                options.error_functions.push(name.clone());
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_and_boogie_are_told_apart_by_their_text() {
        assert!(looks_like_c("// a file\n#include <stdio.h>\n"));
        assert!(looks_like_c("int main(void) { return 0; }"));
        assert!(!looks_like_c(
            "var x: int;\nprocedure main() modifies x;\n{ x := 1; }\n"
        ));
    }
}
