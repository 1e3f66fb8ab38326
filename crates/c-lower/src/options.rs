//! Options of the lowering.

use lariat_c_program::CProgram;
use lariat_options::COptions;
pub use lariat_options::Check;
use lariat_specs::rules::Rule;

use crate::threads::has_threads;

/// Functions that end the life of what their argument points to.
const FREES: [&str; 3] = ["free", "__lariat_free", "realloc"];

/// Options for a program that is lowered without its environment.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Names of globals that are monitors.
    pub typestate: Vec<String>,
    pub rules: Vec<Rule>,
    /// Globals that are monitors have their initial values when an entry starts.
    pub monitors_set: bool,
    /// Nothing has run before the entries: all globals have their initial values.
    pub is_start: bool,
}

#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// As the user gives them.
    pub c: COptions,
    /// Functions to start from.
    pub entries: Vec<String>,
    /// Only labels of this name are errors, whatever the program calls. `None`: as the options say, labels `ERROR` in programs that
    /// call neither an error function nor `assert`.
    pub error_label: Option<String>,
    /// Every function may be called by unknown code, in any state of memory.
    pub open: Option<OpenOptions>,
    /// Functions whose calls stay calls, of procedures with an empty body: the caller of the lowering knows what they do. Their
    /// bodies, if they have any, are left out, and so are their effects on memory.
    pub stubs: Vec<String>,
    /// Whether an access of freed memory makes the verdict unknown: where data races are checked, it may be one with the `free`.
    pub follows_frees: bool,
}

/// Checks that need to know of each object where it came from: not of memory that unknown code has made.
const NEED_OBJECTS: [Check; 4] = [
    Check::UseAfterFree,
    Check::DoubleFree,
    Check::InvalidFree,
    Check::Leak,
];

impl LowerOptions {
    pub fn checks(&self, check: Check) -> bool {
        self.c.checks(check) && !(self.open.is_some() && NEED_OBJECTS.contains(&check))
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
        let is_checked = [
            Check::Bounds,
            Check::UseAfterFree,
            Check::DoubleFree,
            Check::InvalidFree,
        ]
        .into_iter()
        .any(|check| self.checks(check));
        is_checked || self.follows_frees
    }

    /// The options for a program: of those that can free memory while another thread accesses it more is followed.
    pub fn for_program(&self, c: &CProgram) -> LowerOptions {
        let frees = c
            .functions
            .values()
            .any(|function| FREES.contains(&&*function.name));
        let is_checked = self.checks(Check::Race) && !self.checks(Check::UseAfterFree) && self.open.is_none();
        LowerOptions {
            follows_frees: is_checked && frees && has_threads(c),
            ..self.clone()
        }
    }
}
