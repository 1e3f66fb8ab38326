//! The flags for programs in C.

use std::path::PathBuf;

use clap::Args;
use lariat_options::{COptions, CheckSelector, Externals, Integers, Machine};

/// How to read C and what to check in it; common to all commands that read programs.
#[derive(Args, Debug)]
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

    /// Sizes of the types [default: lp64, or that of the benchmark's row]
    #[arg(long, value_enum, value_name = "MACHINE")]
    pub machine: Option<Machine>,

    /// Read the flags of each file from a `compile_commands.json`
    #[arg(long, value_name = "FILE")]
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

impl CArguments {
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
    use clap::Parser;
    use lariat_options::Check;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        c: CArguments,
    }

    fn options(arguments: &[&str]) -> COptions {
        let words = std::iter::once("lariat").chain(arguments.iter().copied());
        Only::try_parse_from(words).expect("arguments").c.options()
    }

    #[test]
    fn checks_come_in_groups_and_in_their_order() {
        assert_eq!(options(&[]), COptions::default());
        assert_eq!(
            options(&["--check", "overflow,reach", "--check", "reach"]).checks,
            [Check::Reach, Check::Overflow]
        );
        assert_eq!(options(&["--check", "memory"]).checks, Check::MEMORY);
        assert_eq!(options(&["--check=all"]).checks, Check::ALL);
        assert!(Only::try_parse_from(["lariat", "--check", "memry"]).is_err());
    }

    #[test]
    fn flags_of_compilers_are_understood() {
        let options = options(&[
            "-Iinclude",
            "-I",
            "more",
            "-DX=1",
            "-D",
            "Y",
            "-UZ",
            "--std=c99",
            "--machine=ilp32",
        ]);
        assert_eq!(options.include, [PathBuf::from("include"), PathBuf::from("more")]);
        assert_eq!(options.macros, ["-DX=1", "-DY", "-UZ"]);
        assert_eq!(options.standard.as_deref(), Some("c99"));
        assert_eq!(options.machine, Machine::Ilp32);
    }

    #[test]
    fn error_functions_are_added() {
        let options = options(&["--error-function", "panic", "--error-function=reach_error"]);
        assert_eq!(
            options.error_functions,
            ["__VERIFIER_error", "reach_error", "panic"]
        );
    }
}
