//! A part of a search: what a search that is split hands over, and another one, in any process, takes up.
//!
//! A call site is named by the calls that lead to it, so a decision means the same for every engine, whatever it shares
//! between calls: the execution makes this chain of calls, or it does not.

use serde::{Deserialize, Serialize};

/// The executions that all decisions allow. Without decisions: all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Partition {
    pub decisions: Vec<Decision>,
    pub start: SearchStart,
}

/// The two parts of a part: the executions that make a chain of calls, and the others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Halves {
    pub blocked: Partition,
    pub reached: Partition,
}

/// Whether executions make a chain of calls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// From the entry on.
    pub site: Vec<CallName>,
    /// Every execution makes all these calls; if not, none does.
    pub reached: bool,
}

/// A call in a procedure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallName {
    /// Its position among the calls of the procedure.
    pub call: u32,
    pub callee: String,
}

/// Where the search stood that was split. It saves the part the way there, and changes no answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchStart {
    /// The bound that is searched; 0 if nothing was.
    pub bound: u32,
    /// The largest bound within which it found no execution.
    pub completed: Option<u32>,
    /// The calls that it inlined, in this order, by their numbers in an unfolding of the same kind.
    pub opened: Vec<u32>,
}

impl Partition {
    /// Whether it stands for all executions.
    pub fn is_whole(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Of all parts of a search exactly one has made no call that was decided on.
    pub fn is_first(&self) -> bool {
        !self.decisions.iter().any(|decision| decision.reached)
    }
}

impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, call) in self.site.iter().enumerate() {
            let separator = if position == 0 { "" } else { "/" };
            write!(f, "{separator}{}#{}", call.callee, call.call)?;
        }
        f.write_str(if self.reached { " reached" } else { " blocked" })
    }
}
