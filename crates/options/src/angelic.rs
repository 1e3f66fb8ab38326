//! What specifications of open programs are made of, and what they must allow.

use serde::{Deserialize, Serialize};

/// Which formulas a specification may be made of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Vocabulary {
    /// No specification at all: every failing trace is a warning (`no-explain`).
    pub empty: bool,
    /// `e1 != e2` of pointers.
    pub alias: bool,
    /// `e1 == e2` of pointers.
    pub alias_equal: bool,
    /// Anything over monitor variables only.
    pub typestate: bool,
    /// `e1 <= e2 + c`.
    pub difference: bool,
    /// Patterns of atoms, such as `_ > 0` or `_[_] != NULL`: `_` is any expression.
    pub patterns: Vec<String>,
    /// What the Boolean structure may be.
    pub structure: Structure,
    /// Specifications may speak about results of procedures without body (quantified).
    pub quantifiers: bool,
    /// So many points of one map are blocked before all of them are at once. 0: never.
    pub generalise_after: u32,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Vocabulary {
            empty: false,
            alias: true,
            alias_equal: false,
            typestate: true,
            difference: false,
            patterns: Vec::new(),
            structure: Structure::default(),
            quantifiers: true,
            generalise_after: 4,
        }
    }
}

vocabulary! {
    /// The Boolean structure of a specification.
    #[derive(Default)]
    pub enum Structure {
        /// A disjunction of atoms.
        Monomial,
        /// A conjunction of atoms.
        Cube,
        /// Monomials first, else conjunctions of disjunctions.
        #[default]
        Cnf,
    }
}

vocabulary! {
    /// The configurations of [Angelic15] §5.1.
    #[derive(Default)]
    pub enum Configuration {
        /// Pointers that differ, and monitor variables.
        #[default]
        Default,
        /// Pointers that differ.
        NoTypestate,
        /// Monitor variables.
        NoAlias,
        /// Nothing: every failing execution is a warning.
        NoExplain,
        /// As `default`, with monitors in their first states: from `--harness`, `--entry` or procedures without callers.
        #[serde(rename = "default+harness")]
        #[strum(serialize = "default+harness")]
        #[cfg_attr(feature = "clap", value(name = "default+harness"))]
        DefaultHarness,
    }
}

impl Configuration {
    pub fn vocabulary(self) -> Vocabulary {
        let default = Vocabulary::default();
        match self {
            Configuration::Default | Configuration::DefaultHarness => default,
            Configuration::NoTypestate => Vocabulary {
                typestate: false,
                ..default
            },
            Configuration::NoAlias => Vocabulary {
                alias: false,
                alias_equal: false,
                ..default
            },
            Configuration::NoExplain => Vocabulary {
                empty: true,
                ..default
            },
        }
    }
}

/// Which angelic assertions there are: what no specification may prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Permissiveness {
    /// `assert false` at the entry.
    pub consistency: bool,
    /// `assert false` in every block.
    pub no_dead_code: bool,
    /// `assert false` wherever the program has found a pointer to be null.
    pub null_checks: bool,
    /// `assert false` at the null checks and at each `return NULL` of callees, as far as they lead to the failure.
    pub evidence: bool,
    /// What the user marked `{:angelic}`, or `__lariat_angelic(e)` in C: observed values too.
    pub user: bool,
}

impl Default for Permissiveness {
    fn default() -> Self {
        Permissiveness {
            consistency: true,
            no_dead_code: false,
            null_checks: true,
            evidence: true,
            user: true,
        }
    }
}
