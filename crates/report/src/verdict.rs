//! The one vocabulary of answers. It never overstates.

use serde::{Deserialize, Serialize};

/// The answer to the question about an entry, or about a whole run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Verdict {
    /// No execution of any length violates it.
    Proved,
    /// No violation within the bound; the report names what hit it.
    Bounded {
        bound: u32,
        /// Of a program with threads: no violation in executions of so many contexts. `None` if their number does not matter.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contexts: Option<u32>,
        /// Calls deeper than this on the stack were not followed. `None` if none was needed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stack_depth: Option<u32>,
    },
    /// A violating execution, re-executed step by step by the concrete interpreter.
    Bug,
    /// The solver gave a model that could not be replayed.
    BugUnconfirmed { reason: String },
    /// No answer.
    Unknown { cause: UnknownCause, reason: String },
    /// The input is not a program that can be verified; the diagnostics say why.
    BadInput,
    /// The program was only read, without errors.
    Accepted,
}

/// What kind of obstacle stood in the way of an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownCause {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The user.
    Interrupted,
    /// A construct that is not modelled lies on a reachable path.
    Unsupported,
    /// The solver gave up.
    Solver,
    /// There was nothing to check: no assertion can be reached, or there is no entry.
    NothingChecked,
    /// The process that did the work died.
    Crashed,
    /// Our own bug.
    Internal,
}

impl Verdict {
    pub fn unknown(cause: UnknownCause, reason: impl Into<String>) -> Self {
        Verdict::Unknown {
            cause,
            reason: reason.into(),
        }
    }

    /// No violation within the bound, of a program in which contexts do not matter.
    pub fn bounded(bound: u32) -> Self {
        Verdict::Bounded {
            bound,
            contexts: None,
            stack_depth: None,
        }
    }

    /// The limits of a bounded verdict for people: `2 contexts, stack depth 5 and bound 3`.
    pub fn limits(bound: u32, contexts: Option<u32>, stack_depth: Option<u32>) -> String {
        let contexts = contexts.map(|contexts| format!("{contexts} contexts"));
        let stack_depth = stack_depth.map(|depth| format!("stack depth {depth}"));
        let others: Vec<String> = contexts.into_iter().chain(stack_depth).collect();
        match others.is_empty() {
            true => format!("bound {bound}"),
            false => format!("{} and bound {bound}", others.join(", ")),
        }
    }

    /// The word for people, which is the `kind` in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Bounded { .. } => "bounded",
            Verdict::Bug => "bug",
            Verdict::BugUnconfirmed { .. } => "bug-unconfirmed",
            Verdict::Unknown { .. } => "unknown",
            Verdict::BadInput => "bad-input",
            Verdict::Accepted => "accepted",
        }
    }

    /// A violation was found, replayed or not.
    pub fn is_bug(&self) -> bool {
        matches!(self, Verdict::Bug | Verdict::BugUnconfirmed { .. })
    }

    /// The verdict of a run over several entries: the worst news among them, and of two verdicts
    /// of the same kind the weaker. `None` if there is none.
    pub fn overall<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Option<Verdict> {
        let mut overall: Option<&Verdict> = None;
        for verdict in verdicts {
            overall = match overall {
                Some(current) if current.badness() >= verdict.badness() => Some(current),
                _ => Some(verdict),
            };
        }
        overall.cloned()
    }

    /// Orders verdicts by how much they take from a claim of success.
    fn badness(&self) -> (u8, u32) {
        match self {
            Verdict::Accepted => (0, 0),
            Verdict::Proved => (1, 0),
            Verdict::Bounded {
                bound,
                contexts,
                stack_depth,
            } => {
                let others = [contexts, stack_depth].map(|limit| limit.unwrap_or(u32::MAX));
                let least = others.into_iter().fold(*bound, u32::min);
                (2, u32::MAX - least)
            }
            Verdict::Unknown { .. } => (3, 0),
            Verdict::BugUnconfirmed { .. } => (4, 0),
            Verdict::Bug => (5, 0),
            Verdict::BadInput => (6, 0),
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Bounded {
                bound,
                contexts: None,
                stack_depth: None,
            } => write!(f, "bounded({bound})"),
            Verdict::Bounded {
                bound,
                contexts,
                stack_depth,
            } => {
                let limits = Verdict::limits(*bound, *contexts, *stack_depth);
                write!(f, "bounded({})", limits.replace(" and ", ", "))
            }
            Verdict::BugUnconfirmed { reason } | Verdict::Unknown { reason, .. } => {
                write!(f, "{}({reason})", self.word())
            }
            _ => f.write_str(self.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_news_decides() {
        let unknown = Verdict::unknown(UnknownCause::Time, "time limit reached");
        let bounded = Verdict::bounded;
        assert_eq!(Verdict::overall([]), None);
        assert_eq!(
            Verdict::overall([&Verdict::Proved, &bounded(3)]),
            Some(bounded(3))
        );
        assert_eq!(
            Verdict::overall([&bounded(5), &bounded(2), &bounded(3)]),
            Some(bounded(2))
        );
        assert_eq!(
            Verdict::overall([&Verdict::Proved, &unknown, &bounded(1)]),
            Some(unknown.clone())
        );
        assert_eq!(
            Verdict::overall([&unknown, &Verdict::Bug, &Verdict::Proved]),
            Some(Verdict::Bug)
        );
    }

    #[test]
    fn verdicts_read_as_in_the_design() {
        assert_eq!(Verdict::bounded(3).to_string(), "bounded(3)");
        let bounded = |contexts, stack_depth| Verdict::Bounded {
            bound: 3,
            contexts,
            stack_depth,
        };
        let words = bounded(Some(2), None).to_string();
        assert_eq!(words, "bounded(2 contexts, bound 3)");
        let words = bounded(Some(2), Some(5)).to_string();
        assert_eq!(words, "bounded(2 contexts, stack depth 5, bound 3)");
        assert_eq!(
            Verdict::unknown(UnknownCause::Time, "time limit").to_string(),
            "unknown(time limit)"
        );
        assert_eq!(Verdict::Proved.to_string(), "proved");
    }
}
