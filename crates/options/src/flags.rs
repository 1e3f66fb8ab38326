//! Flags of the search, written once: the command line flattens these structs, a request has them, and what obeys a flag reads it
//! from there. A field's doc is the flag's help.

use serde::{Deserialize, Serialize};

use crate::{MergePolicy, OnOff, RefinementAlgorithm, SolverProfile, Switch};

/// How a program is searched; common to `verify` and `bench`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Search"))]
#[serde(default)]
pub struct SearchFlags {
    /// Of programs with threads: look at executions in which every thread runs at most once in each of K contexts [default: 2 and
    /// more until the time limit, or up to 4]
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=64)))]
    pub contexts: Option<u32>,
    /// Threads give way at `yield` only
    #[cfg_attr(feature = "clap", arg(long))]
    pub cooperative: bool,
    /// Every global that is written counts as shared by threads; not on the command line: for `bench --table concurrent`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub share_all: bool,
    /// Which calls share an inlined copy [default: that of the engine]
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "STRATEGY"))]
    pub merge: Option<MergePolicy>,
    /// For `--engine mix`: the percentage of rounds that are refinements, not widenings [default: adaptive]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100)))]
    pub interleave: Option<u32>,
    /// How the solver goes about a query; `--solver-option` changes single options of it
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW", default_value_t))]
    pub solver_profile: SolverProfile,
    /// Infer summaries of procedures and use them for calls that are not inlined
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHEN", default_value_t))]
    pub summaries: Switch,
    /// Infer summaries of the procedures that proofs rest on while the search runs, where they are not inferred before it
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHEN", default_value_t))]
    pub summaries_from_proofs: OnOff,
    /// Ignore globals that do not matter
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHEN", default_value_t))]
    pub abstraction: OnOff,
    /// With `--abstraction on`: how to find the globals that matter
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW", default_value_t))]
    pub refinement: RefinementAlgorithm,
    /// Never ignore this global; `*` stands for any text; may be repeated
    #[cfg_attr(feature = "clap", arg(long, value_name = "VAR"))]
    pub track: Vec<String>,
    /// Split a search that turns out to be hard into parts, and search N of them at a time: in threads, or on workers with `--on`
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<u32>,
    /// Split in each round, until so many decisions are made: for tests
    #[cfg_attr(feature = "clap", arg(long, hide = true, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced_splits: Option<u32>,
    /// Start the search with this bound: a larger one finds sooner what needs it [default: 1; in Boogie programs, for `widen` and for the
    /// search that takes over in the portfolio when no bound was completed, the largest bound, 3 at most]
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_bound: Option<u32>,
    /// A refinement does not follow the path of its counterexample; not on the command line: for `bench --table ablation-search`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub no_follow: bool,
    /// No member of the portfolio gives way to another; not on the command line: for `bench --table ablation-search`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub no_turns: bool,
}

/// How far calls and loops are unfolded; common to all searches. The engine has these flags as they are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Search"))]
#[serde(default)]
pub struct UnfoldingFlags {
    /// Follow calls up to this stack depth
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    pub stack_depth: Option<u32>,
    /// Fully unroll loops that run a constant number of rounds, up to this many, whatever the bound
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub static_loop_bound: Option<u32>,
    /// Seed of all random choices
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0))]
    pub seed: u32,
}
