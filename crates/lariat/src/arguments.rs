//! Every flag, defined once; help, man pages and completions come from here.

mod table;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lariat_options::{CArguments, Engine, LogStage, SearchFlags, Switch, TraceDetail, UnfoldingFlags};
use lariat_report::{OnOff, RefinementAlgorithm, SolverOption, VerifyRequest};

pub use self::table::TableArgument;
use crate::angelic::arguments::AngelicArguments;
use crate::check::CheckArguments;
use crate::cluster::{OnArguments, QueueArguments, WorkerArguments};
use crate::command::{LimitArguments, OutputArguments};
use crate::conform::arguments::ConformArguments;
use crate::cover::CoverArguments;
use crate::evidence::WitnessPath;
use crate::explain::ExplainArguments;
use crate::format::OutputFormat;
use crate::inputs::InputArguments;
use crate::lsp::LspArguments;
use crate::units::{parse_duration, parse_size};

/// Checks programs: whether an assertion can fail, and how.
#[derive(Parser, Debug)]
#[command(
    name = "lariat",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
#[command(
    after_help = "Exit codes: 0 proved, 1 bug or warning, 2 bad input or usage, 3 bounded or unknown, \
                        101 a bug in Lariat, 130 interrupted."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours
    #[arg(long, global = true, help_heading = "Common options", value_enum, value_name = "WHEN", default_value_t = ColorWhen::Auto)]
    pub color: ColorWhen,

    /// Print verdicts only
    #[arg(
        short,
        long,
        global = true,
        help_heading = "Common options",
        conflicts_with = "verbose"
    )]
    pub quiet: bool,

    /// Print more: where the time went, each row of a benchmark
    #[arg(short, long, global = true, help_heading = "Common options")]
    pub verbose: bool,

    /// Do not show progress, even on a terminal
    #[arg(long, global = true, help_heading = "Common options")]
    pub no_progress: bool,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check whether an assertion of a Boogie or C program can fail
    ///
    /// The verdict is `proved` (no execution of any length violates it), `bounded(k)` (none within the bound), `bug` (with a
    /// trace that was replayed), `bug-unconfirmed` (with a trace that could not be replayed) or `unknown` (with the reason).
    Verify(Box<VerifyArguments>),
    /// Check a program without its callers, libraries and environment
    ///
    /// Warns about failures that no acceptable specification of the missing parts rules out. The specifications that rule out
    /// the other failures are shown and kept in `NAME.specs.toml`, where you can accept, reject and edit them. The exit code
    /// is 1 if there is a warning.
    Angelic(Box<AngelicArguments>),
    /// Check C components that exchange messages against a protocol
    ///
    /// A project file (`.conform`) names the components, the specification (a labelled transition system in FSP or AUT) and
    /// the behaviour of library routines. The verdict is `proved` (the specification allows every trace of the components),
    /// `bug` (with a shortest trace that it does not allow, and what each component does in it) or `unknown` (with the
    /// reason). Given C files instead of a project, checks whether the program can reach an error.
    Conform(Box<ConformArguments>),
    /// Ask of every branch whether an execution reaches it
    ///
    /// A branch is `reached` (with the inputs of an execution that was replayed), `dead` (no execution of any length reaches
    /// it), `bounded(k)` (none within the bound) or `unknown` (with the reason). The inputs can be written as tests. The exit
    /// code is 0 if every branch is reached or dead, else 3.
    Cover(Box<CoverArguments>),
    /// Verify every procedure of Boogie programs against its contract, as Boogie does
    ///
    /// Takes Boogie's flags (`-proc:P`, `/inline:spec`, …) and prints what Boogie prints; `docs/boogie.md` tells what differs.
    /// Options of its own: `--output-format text|json|sarif`, `--jobs N`, `--cache DIR`, `--cache check`.
    Boogie {
        /// Files and flags
        #[arg(
            required = true,
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "FILE|FLAG"
        )]
        arguments: Vec<String>,
    },
    /// Take the flags of Corral and print what it prints, for tools that start it
    ///
    /// Also what the program does under the name `corral`. A path of an existing file is a file, anything else that starts with
    /// `/` a flag, such as `/recursionBound:2` or `/tryCTrace`. The exit code is 0 for every verdict, 1 for bad input or usage.
    Corral {
        /// The program (`.bpl`) and flags of Corral
        #[arg(value_name = "FILE|FLAG", trailing_var_arg = true)]
        flags: Vec<OsString>,
    },
    /// Show a saved result again, as text, SARIF or a page
    ///
    /// Reads what `--output-format json` has written. Nothing is verified; the exit code is that of the run.
    Explain(Box<ExplainArguments>),
    /// Check all targets of `lariat.toml`
    ///
    /// The exit code is that of the worst target: 2 bad input, 1 a finding, 3 no answer, 0 none of these.
    Check(Box<CheckArguments>),
    /// Tell what this installation has: versions, libraries, compiler, machine
    Doctor,
    /// Serve an editor: findings, verdicts and symbols while you write
    ///
    /// A language server for C, Boogie and FSP on standard input and output. `docs/editors.md` says how editors start it.
    Lsp(Box<LspArguments>),
    /// Run many programs and compare the verdicts with the expected ones
    ///
    /// The last line is `R right, W wrong, U unsolved of N in S s`. The exit code is 1 if a verdict is wrong.
    Bench(Box<BenchArguments>),
    /// Work for coordinators on other machines: `bench` and `verify` with --on
    ///
    /// Takes tasks from a NATS server (JetStream) until it is stopped, and may be killed at any time: what it had taken goes to
    /// another worker. On SIGTERM its tasks go back at once. Programs are read and checked, never executed.
    Worker(WorkerArguments),
    /// Show, drain or purge the queue of a NATS server
    Queue(QueueArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands
    Man {
        /// Write one page per command to this folder
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Serve one order of a parent process
    #[command(name = "__worker", hide = true)]
    Serve {
        /// The kind of request
        request: String,
    },
}

#[derive(Args, Debug)]
pub struct VerifyArguments {
    /// Files of one program: Boogie (`.bpl`) or C (`.c`, preprocessed `.i`); `-` is standard input, and in patterns `*`, `?` and
    /// `**` are understood. Without any, all C files of --compile-commands: each program by its `main`, each library by its
    /// functions
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Language of the files [default: by the extension `.c`, `.i`, `.h` or `.bpl`, else by the text]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<lariat_options::Language>,

    /// Start from this procedure or function; may be repeated. In C `*` stands for any text, as in `parse_*`: each function
    /// that fits is an entry of its own [default: the implementation or procedure marked `{:entrypoint}`, else `main`]
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,

    /// Check whether this global variable can be non-zero (with a `!` before it: zero or false) when the entry returns, instead of
    /// assertions
    #[arg(long, value_name = "NAME")]
    pub error_variable: Option<String>,

    /// Check only assertions on this line or with this `{:id}`; may be repeated
    #[arg(long, value_name = "LINE|ID")]
    pub assert: Vec<String>,

    /// Find every assertion that can fail, not only the first
    #[arg(long)]
    pub all: bool,

    /// Only parse, resolve, type-check and lower the program, and report the speed
    #[arg(long)]
    pub check_only: bool,

    /// Exit with code 0 if there is no bug within the bound
    #[arg(long)]
    pub bounded_ok: bool,

    /// After a success, tell which lines executions within the bound reach, and which checks none of them does; HTML pages
    /// always do. Takes as long as the verification at most, or ten seconds
    #[arg(long)]
    pub coverage: bool,

    /// How much of a failing execution to show
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub trace: TraceDetail,

    /// Show the result of a stage; may be repeated or a list
    #[arg(long, value_enum, value_name = "STAGE", value_delimiter = ',')]
    pub log: Vec<LogStage>,

    /// Write the log to this file instead of standard error
    #[arg(long, value_name = "FILE", requires = "log")]
    pub log_file: Option<PathBuf>,

    #[command(flatten)]
    pub input: InputArguments,

    #[command(flatten)]
    pub search: SearchArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,

    #[command(flatten)]
    pub project: ProjectArguments,

    #[command(flatten)]
    pub cluster: OnArguments,

    #[command(flatten)]
    pub c: CArguments,

    /// Write a C program with the inputs of the failure to this file, compile it and run it
    #[arg(long, value_name = "FILE", help_heading = "Options for C")]
    pub harness: Option<PathBuf>,

    /// Check the property of an SV-COMP property file (`.prp`), and print the answer in the form of the competition
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "error_function", "entry", "error_variable", "assert"])]
    #[arg(help_heading = "Options for C")]
    pub property: Option<PathBuf>,

    /// Write a witness of the answer to this file, `.graphml` (format 1.0) or `.yml` (format 2.0); may be repeated [default
    /// with --property: witness.graphml and witness.yml]. Without --property, that of --check: `reach` (which is the default),
    /// `memory` or `overflow`
    #[arg(long, value_name = "FILE", value_parser = WitnessPath::parse)]
    #[arg(help_heading = "Options for C")]
    pub witness: Vec<WitnessPath>,
}

/// How many entries are verified at once, and what is kept of them.
#[derive(Args, Debug)]
#[command(next_help_heading = "Whole projects")]
pub struct ProjectArguments {
    /// Verify this many entries in parallel [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    /// Keep the verdicts of an earlier run whose files and options are the same
    #[arg(long)]
    pub resume: bool,

    /// Keep verdicts in this file [default: lariat-verify.jsonl in the folder of --compile-commands]
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
}

impl ProjectArguments {
    pub fn is_used(&self) -> bool {
        self.jobs.is_some() || self.resume || self.state.is_some()
    }
}

/// Options of the search; common to `verify` and `bench`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArguments {
    /// Follow recursion up to this many activations of a procedure, and loops up to this many visits of their head [default:
    /// 3, or that of the benchmark's row; in C growing bounds until the time limit, or up to 10]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub bound: Option<u32>,

    #[command(flatten)]
    pub flags: SearchFlags,

    #[command(flatten)]
    pub solver: SolverArguments,

    /// How to unfold calls; `bench` takes a list and compares [default: portfolio]
    #[arg(long, value_enum, value_name = "ENGINE", value_delimiter = ',')]
    pub engine: Vec<Engine>,
    /// How to use loop invariants
    #[arg(long, value_enum, value_name = "USE", default_value_t = Invariants::Assert)]
    pub invariants: Invariants,
}

/// Limits of the unfolding and options of the solver; common to all searches.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct SolverArguments {
    #[command(flatten)]
    pub unfolding: UnfoldingFlags,

    /// Set a parameter of the solver, as in `smt.arith.solver=2`; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = solver_option)]
    pub solver_option: Vec<SolverOption>,
}

impl SolverArguments {
    /// The part of a request that these arguments determine.
    pub fn request(&self) -> VerifyRequest {
        VerifyRequest {
            unfolding: self.unfolding.clone(),
            solver_options: self.solver_option.clone(),
            ..VerifyRequest::default()
        }
    }
}

impl SearchArguments {
    /// Options that this engine ignores, in words.
    pub fn without_effect(&self, engine: Engine) -> Vec<String> {
        let mut messages = Vec::new();
        let name = engine.name();
        if self.flags.interleave.is_some() && !matches!(engine, Engine::Mix | Engine::Portfolio) {
            messages.push(format!(
                "`--interleave` has no effect with `--engine {name}`, only with `mix`"
            ));
        }
        if self.flags.merge.is_some() && engine == Engine::Chc {
            messages.push("`--merge` has no effect with `--engine chc`, which inlines nothing".to_owned());
        }
        if self.solver.unfolding.stack_depth.is_some() && engine == Engine::Chc {
            messages.push("`--stack-depth` has no effect with `--engine chc`, which has no bound".to_owned());
        }
        if self.bound.is_some() && engine == Engine::Chc {
            messages.push("`--bound` has no effect with `--engine chc`, which has no bound".to_owned());
        }
        if self.flags.abstraction == OnOff::On && engine == Engine::Chc {
            messages.push(
                "`--abstraction` has no effect with `--engine chc`, which needs all globals".to_owned(),
            );
        }
        if !self.flags.track.is_empty() && self.flags.abstraction != OnOff::On {
            messages.push(
                "`--track` has no effect without `--abstraction on`: every global is tracked".to_owned(),
            );
        }
        if self.flags.refinement != RefinementAlgorithm::default() && self.flags.abstraction != OnOff::On {
            messages.push("`--refinement` has no effect without `--abstraction on`".to_owned());
        }
        if self.flags.summaries_from_proofs == OnOff::On && self.flags.summaries == Switch::On {
            messages.push(
                "`--summaries-from-proofs` has no effect with `--summaries on`, which infers them before the search"
                    .to_owned(),
            );
        }
        if self.flags.summaries_from_proofs == OnOff::On && self.flags.abstraction == OnOff::On {
            messages.push("`--summaries-from-proofs` has no effect with `--abstraction on`".to_owned());
        }
        messages
    }

    /// The part of a request that these arguments determine.
    pub fn request(&self, engine: Engine) -> VerifyRequest {
        VerifyRequest {
            engine,
            search: self.flags.clone(),
            check_invariants: self.invariants == Invariants::Check,
            bound: self.bound.unwrap_or(VerifyRequest::DEFAULT_BOUND),
            ..self.solver.request()
        }
    }
}

#[derive(Args, Debug)]
pub struct BenchArguments {
    /// Folders with a `manifest.jsonl`, or manifests
    #[arg(required_unless_present_any = ["generate", "table"], value_name = "DIR|MANIFEST")]
    pub manifests: Vec<PathBuf>,

    /// Print a generated program, such as `chain 1000`, instead of running any
    #[arg(long, num_args = 2, value_names = ["FAMILY", "N"], conflicts_with_all = ["manifests", "table"])]
    pub generate: Option<Vec<String>>,

    /// Measure one technique and print a table
    #[arg(long, value_enum, value_name = "TABLE")]
    pub table: Option<TableArgument>,

    /// Sizes of the programs for `--table chain`, `refinement` or `two-phase-commit`; numbers of workers for `workers`
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "table")]
    pub sizes: Option<Vec<u32>>,

    /// Sizes for the tree in `--table chain`
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "table")]
    pub tree_sizes: Option<Vec<u32>>,

    /// Run this many rows in parallel [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    /// Run only rows whose file name contains this text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,

    /// Run every row with this command instead of its own
    #[arg(long, value_enum, value_name = "COMMAND")]
    pub command: Option<BenchCommand>,

    /// Count every `bounded` verdict as right where `safe` is expected; in C only from bound 10
    #[arg(long)]
    pub bounded_ok: bool,

    /// Keep results in the output folder that were made with the same settings
    #[arg(long)]
    pub resume: bool,

    /// Compare with an earlier run, given by its output folder; may be repeated
    #[arg(long, value_name = "DIR")]
    pub compare: Vec<PathBuf>,

    /// Write `results.jsonl`, `results.csv` and `report.html` to this folder [default: target/bench/NAME, or
    /// lariat-bench/NAME without a target folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Format of the result on standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = OutputFormat::Text, help_heading = "Output")]
    pub output_format: OutputFormat,

    /// Write the result to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Also write the result as an HTML page to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub cluster: OnArguments,

    #[command(flatten)]
    pub search: SearchArguments,

    /// Time limit of each row
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60", help_heading = "Limits")]
    pub time_limit: Duration,

    /// Memory limit of each row [default: an equal share of 80 % of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Limits")]
    pub memory_limit: Option<u64>,

    #[command(flatten)]
    pub c: CArguments,

    /// Compile and run a harness of each bug in C; `auto` does so if there is a compiler
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Options for C"
    )]
    pub harness: Switch,
}

/// A command that all rows of a benchmark are run with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BenchCommand {
    /// Check by predicate abstraction whether a C program can reach an error
    Conform,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl ColorWhen {
    /// Applies to everything printed from now on.
    pub fn apply(self) {
        match self {
            ColorWhen::Auto => anstream::ColorChoice::Auto,
            ColorWhen::Always => anstream::ColorChoice::AlwaysAnsi,
            ColorWhen::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// What loop invariants are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Invariants {
    /// As assertions in each iteration of the loop
    Assert,
    /// To cut loops: proofs for every bound
    Check,
}

fn solver_option(text: &str) -> Result<SolverOption, String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok(SolverOption {
            key: key.trim().to_owned(),
            value: value.trim().to_owned(),
        }),
        _ => Err(format!("`{text}` is not of the form KEY=VALUE")),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_of_the_arguments_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_without_effect_are_told() {
        let told = |words: &[&str]| {
            let words = ["lariat", "verify", "a.bpl"].iter().chain(words);
            let arguments = Arguments::try_parse_from(words).expect("arguments");
            match arguments.command {
                Command::Verify(verify) => verify.search.without_effect(verify.search.engine[0]).len(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            told(&[
                "--engine",
                "mix",
                "--interleave",
                "30",
                "--merge",
                "maxc",
                "--stack-depth",
                "9"
            ]),
            0
        );
        assert_eq!(told(&["--engine", "dag", "--interleave", "30"]), 1);
        assert_eq!(
            told(&["--engine", "chc", "--merge", "maxc", "--stack-depth", "9"]),
            2
        );
        assert_eq!(
            told(&["--engine", "dag", "--track", "x", "--abstraction", "off"]),
            1
        );
        assert_eq!(told(&["--engine", "dag", "--track", "x"]), 1);
        assert_eq!(
            told(&["--engine", "dag", "--track", "x", "--abstraction", "on"]),
            0
        );
        assert_eq!(
            told(&["--engine", "chc", "--bound", "3", "--abstraction", "on"]),
            2
        );
    }

    #[test]
    fn every_flag_is_documented() {
        let command = Arguments::command();
        for subcommand in std::iter::once(&command).chain(command.get_subcommands()) {
            for argument in subcommand.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{} of {}",
                    argument.get_id(),
                    subcommand.get_name()
                );
            }
        }
    }
}
