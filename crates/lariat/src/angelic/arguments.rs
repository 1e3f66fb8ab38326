//! The flags of `lariat angelic`. Each has a setting in `lariat.toml` (see `settings`); a flag wins.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use lariat_options::{
    CArguments, Configuration, Engine, Language, Permissiveness, Structure, TraceDetail, Vocabulary,
};

use crate::arguments::SolverArguments;
use crate::cluster::OnArguments;
use crate::command::{LimitArguments, OutputArguments};
use crate::inputs::InputArguments;
use crate::units::parse_duration;

#[derive(Args, Debug)]
pub struct AngelicArguments {
    /// Files of one open program: Boogie (`.bpl`) or C (`.c`, preprocessed `.i`); `-` is standard input, and in patterns `*`, `?`
    /// and `**` are understood
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Language of the files [default: by the extension `.c`, `.i`, `.h` or `.bpl`, else by the text]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<Language>,

    #[command(flatten)]
    pub input: InputArguments,

    /// Analyse this procedure or function; may be repeated [default: every one with a body]
    #[arg(long, value_name = "NAME")]
    pub entry: Vec<String>,

    /// Analyse only procedures without callers
    #[arg(long, conflicts_with = "entry")]
    pub entry_roots: bool,

    /// Do not analyse procedures with this name, where `*` is any text; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Start only from this procedure, which sets up everything and calls the others; monitors of rules are in their first states
    #[arg(long, value_name = "PROC", conflicts_with_all = ["entry", "entry_roots"])]
    pub harness: Option<String>,

    /// Check a typestate rule, by name or file, or a property of PropInst (.avp); may be repeated
    #[arg(long, value_name = "NAME|FILE")]
    pub rule: Vec<String>,

    /// A global variable that is a typestate monitor, in addition to those of the rules; may be repeated
    #[arg(long, value_name = "VAR")]
    pub typestate: Vec<String>,

    /// Analyse this many entries in parallel [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    /// Read decisions about specifications from this file, and write all specifications to it [default: NAME.specs.toml next
    /// to the first file]
    #[arg(long, value_name = "FILE", conflicts_with = "no_specs")]
    pub specs: Option<PathBuf>,

    /// Neither read nor write a file of specifications
    #[arg(long)]
    pub no_specs: bool,

    /// Analyse unchanged entries again, and do not keep the results
    #[arg(long)]
    pub no_cache: bool,

    /// Read settings from this file [default: the `lariat.toml` next to the first file or in a folder above it]
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,

    /// How much of a failing execution to show
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub trace: TraceDetail,

    #[command(flatten)]
    pub acceptable: AcceptableArguments,

    /// Follow recursion up to this many activations of a procedure, and loops up to this many visits of their head [default:
    /// 3]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Search")]
    pub bound: Option<u32>,

    /// How to unfold calls [default: the one that suits many questions about one program]
    #[arg(long, value_enum, value_name = "ENGINE", help_heading = "Search")]
    pub engine: Option<Engine>,

    #[command(flatten)]
    pub solver: SolverArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    /// Time limit of one entry; the others go on
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub entry_time_limit: Option<Duration>,

    /// Time limit of the explanation of one failing execution
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Limits")]
    pub explain_time_limit: Option<Duration>,

    #[command(flatten)]
    pub output: OutputArguments,

    #[command(flatten)]
    pub cluster: OnArguments,

    #[command(flatten)]
    pub c: CArguments,
}

/// Which specifications are acceptable.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Acceptable specifications")]
pub struct AcceptableArguments {
    /// A named vocabulary
    #[arg(long, value_enum, value_name = "CONFIGURATION")]
    pub config: Option<Configuration>,

    /// What specifications may say, instead of the configuration; may be repeated or a list
    #[arg(long, value_enum, value_name = "WORD", value_delimiter = ',')]
    pub vocabulary: Vec<VocabularyWord>,

    /// Allow atoms of this form too, such as `_ > 0`, `_[_] != NULL` or `_->count % 2 == 0`, where `_` is any expression; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub atom: Vec<String>,

    /// What no specification may make impossible; may be repeated or a list [default: consistency,null-checks,evidence,user]
    #[arg(long, value_enum, value_name = "POLICY", value_delimiter = ',')]
    pub permissive: Vec<Policy>,
}

/// A part of a vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum VocabularyWord {
    /// Pointers that differ: `p != q`, `p != NULL`
    Alias,
    /// Pointers that are equal: `p == q`
    AliasEqual,
    /// Anything about monitor variables
    Typestate,
    /// Differences: `x <= y + 3`
    Difference,
    /// Only disjunctions of atoms
    Monomial,
    /// Only conjunctions of atoms
    Cube,
    /// Nothing about the results of procedures without a body
    NoQuantifiers,
}

/// The vocabulary that has these words only.
pub fn vocabulary_of(words: &[VocabularyWord]) -> Vocabulary {
    let has = |word| words.contains(&word);
    Vocabulary {
        empty: false,
        alias: has(VocabularyWord::Alias),
        alias_equal: has(VocabularyWord::AliasEqual),
        typestate: has(VocabularyWord::Typestate),
        difference: has(VocabularyWord::Difference),
        structure: if has(VocabularyWord::Monomial) {
            Structure::Monomial
        } else if has(VocabularyWord::Cube) {
            Structure::Cube
        } else {
            Structure::Cnf
        },
        quantifiers: !has(VocabularyWord::NoQuantifiers),
        ..Vocabulary::default()
    }
}

/// What no specification may make impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Policy {
    /// A call of the entry
    Consistency,
    /// Reaching any block of the code
    DeadCode,
    /// A null pointer where the code has just found it to be null
    NullChecks,
    /// Null checks and `return NULL` in callees, where the failing execution depends on them
    Evidence,
    /// Conditions marked `{:angelic}`, or `__lariat_angelic(e)` in C
    User,
    /// Nothing: every specification is acceptable
    None,
}

/// The policies of a list; an error if `none` is not alone.
pub fn permissiveness_of(policies: &[Policy]) -> Result<Permissiveness, String> {
    let has = |policy| policies.contains(&policy);
    if has(Policy::None) && policies.iter().any(|&policy| policy != Policy::None) {
        return Err("`--permissive none` excludes the other policies".to_owned());
    }
    Ok(Permissiveness {
        consistency: has(Policy::Consistency),
        no_dead_code: has(Policy::DeadCode),
        null_checks: has(Policy::NullChecks),
        evidence: has(Policy::Evidence),
        user: has(Policy::User),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vocabulary_has_its_words_only() {
        let vocabulary = vocabulary_of(&[VocabularyWord::Difference, VocabularyWord::NoQuantifiers]);
        assert!(vocabulary.difference && !vocabulary.alias && !vocabulary.typestate);
        assert!(!vocabulary.quantifiers && !vocabulary.empty);
        assert_eq!(vocabulary.structure, Structure::Cnf);
        assert_eq!(
            vocabulary_of(&[VocabularyWord::Alias, VocabularyWord::Typestate]),
            Vocabulary::default()
        );
    }

    #[test]
    fn no_policy_stands_alone() {
        let permissiveness = permissiveness_of(&[Policy::None]).expect("policies");
        assert!(!permissiveness.consistency && !permissiveness.null_checks && !permissiveness.user);
        assert!(permissiveness_of(&[Policy::None, Policy::User]).is_err());
        assert!(
            permissiveness_of(&[Policy::DeadCode])
                .expect("policies")
                .no_dead_code
        );
    }
}
