//! Options of the lowering.

use std::collections::BTreeSet;

pub use lariat_options::Check;
use lariat_options::Integers;
use lariat_specs::rules::Rule;

/// Options for a program that is lowered without its environment.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Names of globals that are monitors.
    pub typestate: Vec<String>,
    pub rules: Vec<Rule>,
}

/// Which labels are errors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ErrorLabels {
    #[default]
    None,
    /// `ERROR`, in programs that call neither an error function nor `assert`.
    Conventional,
    /// Those of this name, whatever the program calls.
    Named(String),
}

#[derive(Clone, Debug)]
pub struct LowerOptions {
    pub integers: Integers,
    pub checks: BTreeSet<Check>,
    /// `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    /// Functions without body may change variables of the program that other files can see.
    pub externals_write_globals: bool,
    /// Functions to start from.
    pub entries: Vec<String>,
    /// Functions whose call is an error.
    pub error_functions: Vec<String>,
    pub error_labels: ErrorLabels,
    /// Every function may be called by unknown code, in any state of memory.
    pub open: Option<OpenOptions>,
    /// Functions whose calls stay calls, of procedures with an empty body: the caller of the lowering knows what they do. Their
    /// bodies, if they have any, are left out, and so are their effects on memory.
    pub stubs: Vec<String>,
}

impl LowerOptions {
    pub fn checks(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }

    pub fn is_stub(&self, function: &str) -> bool {
        self.stubs.iter().any(|stub| stub == function)
    }

    /// Whether objects are identified by their addresses, with size and state of each. Of memory that unknown code has made
    /// neither is known.
    pub fn tracks_objects(&self) -> bool {
        if self.open.is_some() {
            return false;
        }
        [
            Check::Bounds,
            Check::UseAfterFree,
            Check::DoubleFree,
            Check::InvalidFree,
        ]
        .into_iter()
        .any(|check| self.checks(check))
    }
}
