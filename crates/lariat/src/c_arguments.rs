//! The flags for programs in C.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lariat_report::{CCheck, CIntegers, CMachine, COptions};

/// How C is read and what is checked in it; common to all commands that read programs.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options for C")]
pub struct CArguments {
    /// Look for headers in this folder; may be given several times.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro, as `NAME` or `NAME=VALUE`; may be given several times.
    #[arg(short = 'D', value_name = "MACRO")]
    pub define: Vec<String>,

    /// Undefine a macro, after all definitions; may be given several times.
    #[arg(short = 'U', value_name = "MACRO")]
    pub undefine: Vec<String>,

    /// The language standard, such as `c11` or `gnu89`.
    #[arg(long = "std", value_name = "STANDARD")]
    pub standard: Option<String>,

    /// The sizes of the types [default: lp64, or what a benchmark's row says].
    #[arg(long, value_name = "MACHINE", value_parser = machine())]
    pub machine: Option<CMachine>,

    /// Take the flags of each file from a `compile_commands.json`.
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,

    /// What integers are to the solver.
    #[arg(long, value_name = "HOW", default_value = "exact", value_parser = integers())]
    pub integers: CIntegers,

    /// What can go wrong; may be given several times or as a list
    /// [default: reach,assert, and null for `angelic`; or what a benchmark's row says].
    #[arg(long, value_name = "CHECK", value_delimiter = ',', value_parser = checks())]
    pub check: Vec<CheckArgument>,

    /// Use the functions of this file instead of Lariat's models of the library; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,

    /// Use no models: library functions return anything.
    #[arg(long, conflicts_with = "models")]
    pub no_models: bool,

    /// Let `malloc` and its kin return null.
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// A call of this function is an error too; may be given several times.
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
            ..COptions::default()
        };
        let defined = self.define.iter().map(|name| format!("-D{name}"));
        let undefined = self.undefine.iter().map(|name| format!("-U{name}"));
        options.macros = defined.chain(undefined).collect();
        if !self.check.is_empty() {
            options.checks = CheckArgument::selected(&self.check);
        }
        for name in &self.error_function {
            if !options.is_error_function(name) {
                options.error_functions.push(name.clone());
            }
        }
        options
    }
}

/// A check, or a group of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckArgument {
    One(CCheck),
    Memory,
    All,
}

impl CheckArgument {
    /// The groups with their names.
    const GROUPS: [(&'static str, CheckArgument); 2] =
        [("memory", CheckArgument::Memory), ("all", CheckArgument::All)];

    /// Everything that can be asked for, with its name.
    pub fn named() -> Vec<(&'static str, CheckArgument)> {
        let one = CCheck::ALL.map(|check| (check.name(), CheckArgument::One(check)));
        one.into_iter().chain(Self::GROUPS).collect()
    }

    /// The checks that were asked for, in their order.
    pub fn selected(arguments: &[CheckArgument]) -> Vec<CCheck> {
        let asked = |check: &CCheck| arguments.iter().any(|argument| argument.includes(*check));
        CCheck::ALL.into_iter().filter(asked).collect()
    }

    fn includes(self, check: CCheck) -> bool {
        match self {
            CheckArgument::One(one) => one == check,
            CheckArgument::Memory => CCheck::MEMORY.contains(&check),
            CheckArgument::All => true,
        }
    }
}

pub fn machine() -> impl TypedValueParser<Value = CMachine> {
    let describe = |machine| match machine {
        CMachine::Lp64 => "64-bit Linux",
        CMachine::Ilp32 => "32-bit Linux",
    };
    let values = CMachine::ALL.map(|machine| PossibleValue::new(machine.name()).help(describe(machine)));
    PossibleValuesParser::new(values).map(|name| {
        let found = CMachine::ALL.into_iter().find(|machine| machine.name() == name);
        found.expect("only names of machines pass")
    })
}

fn integers() -> impl TypedValueParser<Value = CIntegers> {
    let describe = |integers| match integers {
        CIntegers::Exact => "As the machine has them, in whichever form is faster",
        CIntegers::Math => "Mathematical integers: faster, and the verdict says so",
        CIntegers::Wrapped => "Exact, as integers that wrap around",
        CIntegers::BitVectors => "Exact, as bit-vectors",
    };
    let values = CIntegers::ALL.map(|integers| PossibleValue::new(integers.name()).help(describe(integers)));
    PossibleValuesParser::new(values).map(|name| {
        let found = CIntegers::ALL
            .into_iter()
            .find(|integers| integers.name() == name);
        found.expect("only names of integers pass")
    })
}

fn checks() -> impl TypedValueParser<Value = CheckArgument> {
    let describe = |check| match check {
        CCheck::Reach => "Calls of error functions, and labels `ERROR`",
        CCheck::Assert => "`assert` and `__VERIFIER_assert`",
        CCheck::Abort => "Calls of `abort`",
        CCheck::Null => "Null pointers that are dereferenced",
        CCheck::Bounds => "Accesses outside of an object",
        CCheck::UseAfterFree => "Accesses to memory that was freed",
        CCheck::DoubleFree => "Memory that is freed twice",
        CCheck::InvalidFree => "`free` of what was not allocated",
        CCheck::Leak => "Memory that is not freed at the end",
        CCheck::Overflow => "Signed arithmetic that leaves its range",
        CCheck::DivByZero => "Divisions by zero",
        CCheck::Shift => "Shifts by too many bits",
        CCheck::Uninit => "Variables that are read before they have a value",
    };
    let values = CheckArgument::named().into_iter().map(|(name, argument)| {
        PossibleValue::new(name).help(match argument {
            CheckArgument::One(check) => describe(check),
            CheckArgument::Memory => "null, bounds, use-after-free, double-free and invalid-free",
            CheckArgument::All => "Everything",
        })
    });
    PossibleValuesParser::new(values).map(|wanted| {
        let mut named = CheckArgument::named().into_iter();
        let found = named.find(|(name, _)| *name == wanted);
        found.expect("only names of checks pass").1
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

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
            [CCheck::Reach, CCheck::Overflow]
        );
        assert_eq!(options(&["--check", "memory"]).checks, CCheck::MEMORY);
        assert_eq!(options(&["--check=all"]).checks, CCheck::ALL);
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
        assert_eq!(options.machine, CMachine::Ilp32);
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
