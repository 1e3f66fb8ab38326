//! Every flag, defined once; help, man pages and completions come from here.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lariat_report::{Engine, LogStage, MergePolicy, SolverOption, Switch, TraceDetail, VerifyRequest};

use crate::angelic::arguments::AngelicArguments;
use crate::c_arguments::CArguments;
use crate::command::{LimitArguments, OutputArguments};
use crate::conform::arguments::ConformArguments;
use crate::evidence::WitnessPath;
use crate::units::{parse_duration, parse_size};

/// Decides whether an assertion of a program can fail, and shows how.
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

    /// When to use colours.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorWhen::Auto)]
    pub color: ColorWhen,

    /// Say less: verdicts only.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say more: where the time went, each row of a benchmark.
    #[arg(short, long, global = true)]
    pub verbose: bool,

    /// Do not show progress, even on a terminal.
    #[arg(long, global = true)]
    pub no_progress: bool,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide whether an assertion of a Boogie or C program can fail.
    ///
    /// The verdict is `proved` (no execution of any length violates it), `bounded(k)` (none within the
    /// bound), `bug` (with a trace that was replayed), `bug-unconfirmed` (with a trace that could not be
    /// replayed) or `unknown` (with the reason).
    Verify(Box<VerifyArguments>),
    /// Report what can go wrong in an open program whatever its environment is like, within reason.
    ///
    /// The program may lack its callers, its libraries and its environment. What an acceptable specification of
    /// them excludes is no warning; the specifications are shown and kept in `NAME.specs.toml`, where they can be
    /// accepted, rejected and edited. The exit code is 1 if there is a warning.
    Angelic(Box<AngelicArguments>),
    /// Decide whether C components that exchange messages do only what a specification allows.
    ///
    /// The components, the specification (a labelled transition system in FSP or AUT) and what library routines do
    /// are named by a project file (`.conform`). The verdict is `proved` (every trace of the components is one of the
    /// specification), `bug` (with the shortest trace that is none, and what each component does in it) or `unknown`
    /// (with the reason). For a C file instead of a project the question is whether it can reach an error.
    Conform(Box<ConformArguments>),
    /// Run many programs and compare the verdicts with what is expected.
    ///
    /// The last line is `R right, W wrong, U unsolved of N in S s`. The exit code is 1 if a verdict is wrong.
    Bench(Box<BenchArguments>),
    /// Print a completion script for a shell.
    Completions {
        /// The shell to complete for.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands.
    Man {
        /// Write one page per command to this folder.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Serve one order of a parent process.
    #[command(name = "__worker", hide = true)]
    Worker {
        /// The kind of request.
        request: String,
    },
}

#[derive(Args, Debug)]
pub struct VerifyArguments {
    /// The files of one program: Boogie (`.bpl`) or C (`.c`, and `.i` if it is preprocessed).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Start from this procedure or function; may be given several times. Otherwise from the implementation marked
    /// `{:entrypoint}`, the procedure so marked, or `main`.
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,

    /// Ask whether this global variable can be non-zero when the entry returns.
    #[arg(long, value_name = "NAME")]
    pub error_variable: Option<String>,

    /// Ask only about assertions on this line or with this `{:id}`; may be given several times.
    #[arg(long, value_name = "LINE|ID")]
    pub assert: Vec<String>,

    /// Find every assertion that can fail, not only the first.
    #[arg(long)]
    pub all: bool,

    /// Only parse, resolve, type-check and lower, and say how fast that was.
    #[arg(long)]
    pub check_only: bool,

    #[command(flatten)]
    pub search: SearchArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    /// Exit with code 0 also where no bug was found within the bound.
    #[arg(long)]
    pub bounded_ok: bool,

    /// How much of a failing execution is shown.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub trace: TraceDetail,

    #[command(flatten)]
    pub output: OutputArguments,

    #[command(flatten)]
    pub c: CArguments,

    /// Write a C program with the inputs of the failure to this file, compile it and run it.
    #[arg(long, value_name = "FILE", help_heading = "Options for C")]
    pub harness: Option<PathBuf>,

    /// Ask what an SV-COMP property file (`.prp`) asks, and print the answer as the competition's tools do.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "error_function", "entry", "error_variable", "assert"])]
    #[arg(help_heading = "Options for C")]
    pub property: Option<PathBuf>,

    /// Write a witness of the answer to this file, `.graphml` (format 1.0) or `.yml` (format 2.0); may be
    /// given several times [default with --property: witness.graphml and witness.yml].
    #[arg(long, value_name = "FILE", requires = "property", value_parser = WitnessPath::parse)]
    #[arg(help_heading = "Options for C")]
    pub witness: Vec<WitnessPath>,

    /// Show the result of a stage; may be given several times or as a list.
    #[arg(long, value_enum, value_name = "STAGE", value_delimiter = ',')]
    pub log: Vec<LogStage>,

    /// Write what `--log` shows to this file instead of standard error.
    #[arg(long, value_name = "FILE", requires = "log")]
    pub log_file: Option<PathBuf>,
}

/// How the search goes about it; common to `verify` and `bench`.
#[derive(Args, Debug)]
pub struct SearchArguments {
    /// At most this many activations of a procedure on the stack, and visits of a loop head in a row
    /// [default: 3, or what a benchmark's row says; for C growing bounds until the time limit, or up to 10].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub bound: Option<u32>,

    #[command(flatten)]
    pub solver: SolverArguments,

    /// How calls are unfolded [default: portfolio]. `bench` compares several.
    #[arg(long, value_enum, value_name = "ENGINE", value_delimiter = ',')]
    pub engine: Vec<Engine>,
    /// Which inlined calls share what is inlined, instead of what the engine does
    #[arg(long, value_enum, value_name = "STRATEGY")]
    pub merge: Option<MergePolicy>,
    /// For `--engine mix`: of all rounds so many per cent are refinements, the others widenings [default: as it pays]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub interleave: Option<u32>,
    /// Infer summaries of procedures and assume them at open calls
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub summaries: Switch,
    /// Leave out globals that do not matter
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub abstraction: Switch,
    /// Never leave out this global; may be given several times.
    #[arg(long, value_name = "VAR")]
    pub track: Vec<String>,
    /// What loop invariants are for.
    #[arg(long, value_enum, value_name = "USE", default_value_t = Invariants::Assert)]
    pub invariants: Invariants,
}

/// Limits of the unfolding and what the solver is told; common to everything that searches.
#[derive(Args, Debug)]
pub struct SolverArguments {
    /// At most this many calls on the stack.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub stack_depth: Option<u32>,

    /// Unroll loops with a constant number of rounds of at most this fully, whatever the bound is.
    #[arg(long, value_name = "N")]
    pub static_loop_bound: Option<u32>,

    /// Seed of every choice that the input does not determine.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,

    /// Hand a parameter to the solver, as in `smt.arith.solver=2`; may be given several times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = solver_option)]
    pub solver_option: Vec<SolverOption>,
}

impl SolverArguments {
    /// The part of a request that these arguments determine.
    pub fn request(&self) -> VerifyRequest {
        VerifyRequest {
            stack_depth: self.stack_depth,
            static_loop_bound: self.static_loop_bound,
            seed: self.seed,
            solver_options: self.solver_option.clone(),
            ..VerifyRequest::default()
        }
    }
}

impl SearchArguments {
    /// The part of a request that these arguments determine.
    pub fn request(&self, engine: Engine) -> VerifyRequest {
        VerifyRequest {
            engine,
            merge: self.merge,
            interleave: self.interleave,
            summaries: self.summaries,
            abstraction: self.abstraction,
            track: self.track.clone(),
            check_invariants: self.invariants == Invariants::Check,
            bound: self.bound.unwrap_or(VerifyRequest::DEFAULT_BOUND),
            ..self.solver.request()
        }
    }
}

#[derive(Args, Debug)]
pub struct BenchArguments {
    /// Folders that hold a `manifest.jsonl`, or manifests.
    #[arg(required_unless_present_any = ["generate", "table"], value_name = "DIR|MANIFEST")]
    pub manifests: Vec<PathBuf>,

    /// Print a program of a family, such as `chain 1000`, instead of running any.
    #[arg(long, num_args = 2, value_names = ["FAMILY", "N"], conflicts_with_all = ["manifests", "table"])]
    pub generate: Option<Vec<String>>,

    /// Measure one technique and print a table.
    #[arg(long, value_enum, value_name = "TABLE")]
    pub table: Option<TableArgument>,

    /// The sizes of the programs of `--table chain`, `refinement` or `two-phase-commit`, instead of the usual ones.
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "table")]
    pub sizes: Option<Vec<u32>>,

    /// The sizes for the tree in `--table chain`.
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "table")]
    pub tree_sizes: Option<Vec<u32>>,

    #[command(flatten)]
    pub search: SearchArguments,

    /// Time for each row.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60")]
    pub time_limit: Duration,

    /// Memory for each row [default: an equal share of 80 % of the machine's].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,

    /// Rows to run at the same time [default: the number of cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    #[command(flatten)]
    pub c: CArguments,

    /// Compile and run a harness of each bug in C; `auto` does so where there is a compiler.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Options for C"
    )]
    pub harness: Switch,

    /// Only rows whose file name contains this.
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,

    /// Run every row with this command, whatever the row says.
    #[arg(long, value_enum, value_name = "COMMAND")]
    pub command: Option<BenchCommand>,

    /// Count every `bounded` verdict as right where `safe` is expected; in C, from bound 10 on.
    #[arg(long)]
    pub bounded_ok: bool,

    /// Keep the results that are already in the output folder and were made with the same settings.
    #[arg(long)]
    pub resume: bool,

    /// Show the results of an earlier run, by its output folder, side by side with this one.
    #[arg(long, value_name = "DIR")]
    pub compare: Vec<PathBuf>,

    /// Write `results.jsonl`, `results.csv` and `report.html` to this folder
    /// [default: target/bench/NAME, or lariat-bench/NAME where there is no target folder].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// A command that all rows of a benchmark are run with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BenchCommand {
    /// Whether a C program can reach an error, by predicate abstraction; projects as they are.
    Conform,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

impl ColorWhen {
    /// Makes everything that is printed from now on obey.
    pub fn apply(self) {
        match self {
            ColorWhen::Auto => anstream::ColorChoice::Auto,
            ColorWhen::Always => anstream::ColorChoice::AlwaysAnsi,
            ColorWhen::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// A measurement of one technique.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TableArgument {
    /// A chain of procedures: a graph of inlined calls grows linearly, a tree exponentially.
    Chain,
    /// What the merging strategies inline if they must inline everything, for manifests.
    Merge,
    /// The algorithms that refine an abstraction, on generated programs.
    Refinement,
    /// Proofs without a bound, for folders of programs.
    Unbounded,
    /// Angelic verification of libraries whose bugs are known, under each configuration.
    Angelic,
    /// Conformance with predicate abstraction only and with both abstractions, for project files.
    Handshake,
    /// Conformance with no, greedy and optimal minimisation of predicates, for project files.
    Minimise,
    /// Two-phase commit with more and more participants, for the folder of its C files.
    TwoPhaseCommit,
}

/// What loop invariants are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Invariants {
    /// They are assertions, checked in each round of the loop.
    Assert,
    /// Loops are cut by them: proofs that rest on no bound.
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
