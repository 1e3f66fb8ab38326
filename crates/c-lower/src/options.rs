//! What is asked of the lowering.

use std::collections::BTreeSet;

use lariat_c_arith::Integers;
use lariat_rules::Rule;

/// A kind of failure that is looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Check {
    /// A call of an error function, or a label `ERROR` in programs that call none.
    Reach,
    /// `assert`, `__VERIFIER_assert`.
    Assert,
    /// A call of `abort`.
    Abort,
    Null,
    Bounds,
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    /// Memory that is still allocated when the program ends.
    Leak,
    /// Of signed integers.
    Overflow,
    DivByZero,
    /// By a negative amount, or by the width or more.
    Shift,
    /// A variable or allocated object is read before it was written.
    Uninit,
}

impl Check {
    pub const ALL: [Check; 13] = [
        Check::Reach,
        Check::Assert,
        Check::Abort,
        Check::Null,
        Check::Bounds,
        Check::UseAfterFree,
        Check::DoubleFree,
        Check::InvalidFree,
        Check::Leak,
        Check::Overflow,
        Check::DivByZero,
        Check::Shift,
        Check::Uninit,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Check::Reach => "reach",
            Check::Assert => "assert",
            Check::Abort => "abort",
            Check::Null => "null",
            Check::Bounds => "bounds",
            Check::UseAfterFree => "use-after-free",
            Check::DoubleFree => "double-free",
            Check::InvalidFree => "invalid-free",
            Check::Leak => "leak",
            Check::Overflow => "overflow",
            Check::DivByZero => "div-by-zero",
            Check::Shift => "shift",
            Check::Uninit => "uninit",
        }
    }

    pub fn from_name(name: &str) -> Option<Check> {
        Check::ALL.into_iter().find(|check| check.name() == name)
    }

    /// What is said of a failure.
    pub fn message(self) -> &'static str {
        match self {
            Check::Reach => "the error function can be reached",
            Check::Assert => "assertion can fail",
            Check::Abort => "abort can be reached",
            Check::Null => "null pointer can be dereferenced",
            Check::Bounds => "access can be out of bounds",
            Check::UseAfterFree => "freed memory can be accessed",
            Check::DoubleFree => "memory can be freed twice",
            Check::InvalidFree => "what is freed may not have been allocated",
            Check::Leak => "memory can be left allocated when the program ends",
            Check::Overflow => "signed arithmetic can overflow",
            Check::DivByZero => "division by zero is possible",
            Check::Shift => "shift amount can be out of range",
            Check::Uninit => "uninitialised value can be used",
        }
    }
}

/// What is asked of a program that is lowered without its environment.
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
    /// `None`: exact, in whichever representation suits the program.
    pub integers: Option<Integers>,
    pub checks: BTreeSet<Check>,
    /// `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    /// Functions to start from.
    pub entries: Vec<String>,
    /// Functions whose call is an error.
    pub error_functions: Vec<String>,
    pub error_labels: ErrorLabels,
    /// Every function may be called by unknown code, in any state of memory.
    pub open: Option<OpenOptions>,
    /// Functions whose calls stay calls, of procedures with an empty body: whoever asked for them knows what they do. Their
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

    /// Whether objects are told apart by their addresses, with size and state of each. Of memory that unknown code has made
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

    /// Whether evaluating an operator or an access can fail.
    pub fn checks_evaluation(&self) -> bool {
        self.checks
            .iter()
            .any(|check| !matches!(check, Check::Reach | Check::Assert | Check::Abort | Check::Leak))
    }
}
