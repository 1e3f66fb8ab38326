//! What can go wrong in a program: the checks of C, the groups they come in, and what a report calls each failure.

use std::str::FromStr;

vocabulary! {
    /// Something that can go wrong in a C program.
    pub enum Check {
        /// Calls of error functions, and labels `ERROR`.
        Reach,
        /// `assert` and `__VERIFIER_assert`.
        Assert,
        /// Calls of `abort`.
        Abort,
        /// Dereferences of null pointers.
        Null,
        /// Accesses outside an object.
        Bounds,
        /// Accesses to freed memory.
        UseAfterFree,
        /// Memory that is freed twice.
        DoubleFree,
        /// `free` of a pointer that was not allocated.
        InvalidFree,
        /// Memory that is not freed when the program ends.
        Leak,
        /// Signed arithmetic that overflows.
        Overflow,
        /// Divisions by zero.
        DivByZero,
        /// Shifts by too many bits.
        Shift,
        /// Variables that are read before they are initialised.
        Uninit,
        /// Data races of threads, as C11 defines them.
        Race,
        /// Threads that wait for each other for ever.
        Deadlock,
        /// Locks that are unlocked by others than their holders, locked twice or destroyed while held.
        Locks,
    }
}

impl Check {
    /// What is checked unless the user says otherwise: what the program says, and what would end an execution early.
    pub const DEFAULT: [Check; 4] = [Check::Reach, Check::Assert, Check::Null, Check::DivByZero];

    /// The group `memory`: every access and every `free` is valid.
    pub const MEMORY: [Check; 5] = [
        Check::Null,
        Check::Bounds,
        Check::UseAfterFree,
        Check::DoubleFree,
        Check::InvalidFree,
    ];

    /// The message of a failure, unless the lowering knows better.
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
            Check::Race => "two threads can access the same object at the same time",
            Check::Deadlock => "all threads can wait for each other for ever",
            Check::Locks => "a lock can be misused",
        }
    }

    /// What a report calls a failure of this check.
    pub fn failure(self) -> FailureKind {
        match self {
            Check::Reach => FailureKind::ErrorReached,
            Check::Assert => FailureKind::Assertion,
            Check::Abort => FailureKind::Abort,
            Check::Null => FailureKind::NullDereference,
            Check::Bounds => FailureKind::OutOfBounds,
            Check::UseAfterFree => FailureKind::UseAfterFree,
            Check::DoubleFree => FailureKind::DoubleFree,
            Check::InvalidFree => FailureKind::InvalidFree,
            Check::Leak => FailureKind::Leak,
            Check::Overflow => FailureKind::SignedOverflow,
            Check::DivByZero => FailureKind::DivisionByZero,
            Check::Shift => FailureKind::InvalidShift,
            Check::Uninit => FailureKind::UninitialisedUse,
            Check::Race => FailureKind::DataRace,
            Check::Deadlock => FailureKind::Deadlock,
            Check::Locks => FailureKind::LockMisuse,
        }
    }
}

/// What is asked for by one word of `--check`: a check, or a group of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckSelector {
    One(Check),
    Memory,
    All,
}

impl CheckSelector {
    /// The groups with their names.
    const GROUPS: [CheckSelector; 2] = [CheckSelector::Memory, CheckSelector::All];

    /// Everything that can be asked for, with its name.
    pub fn named() -> impl Iterator<Item = (&'static str, CheckSelector)> {
        let one = Check::ALL.into_iter().map(CheckSelector::One);
        one.chain(Self::GROUPS)
            .map(|selector| (selector.name(), selector))
    }

    pub fn name(self) -> &'static str {
        match self {
            CheckSelector::One(check) => check.name(),
            CheckSelector::Memory => "memory",
            CheckSelector::All => "all",
        }
    }

    /// The checks that were asked for, in the order of [`Check::ALL`].
    pub fn selected(selectors: &[CheckSelector]) -> Vec<Check> {
        let asked = |check: &Check| selectors.iter().any(|selector| selector.includes(*check));
        Check::ALL.into_iter().filter(asked).collect()
    }

    /// Names of these checks, groups that are among them by theirs.
    pub fn short_names(checks: &[Check]) -> Vec<&'static str> {
        let has_memory = Check::MEMORY.iter().all(|check| checks.contains(check));
        let group = has_memory.then_some(CheckSelector::Memory);
        let others = checks
            .iter()
            .filter(|check| !has_memory || !Check::MEMORY.contains(check));
        let others = others.map(|&check| CheckSelector::One(check));
        group.into_iter().chain(others).map(Self::name).collect()
    }

    fn includes(self, check: Check) -> bool {
        match self {
            CheckSelector::One(one) => one == check,
            CheckSelector::Memory => Check::MEMORY.contains(&check),
            CheckSelector::All => true,
        }
    }
}

impl FromStr for CheckSelector {
    type Err = strum::ParseError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let group = Self::GROUPS.into_iter().find(|group| group.name() == name);
        group.map_or_else(|| name.parse().map(CheckSelector::One), Ok)
    }
}

#[cfg(feature = "clap")]
impl clap::ValueEnum for CheckSelector {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: std::sync::LazyLock<Vec<CheckSelector>> =
            std::sync::LazyLock::new(|| CheckSelector::named().map(|(_, selector)| selector).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let group = |help: &'static str| Some(clap::builder::PossibleValue::new(self.name()).help(help));
        match self {
            CheckSelector::One(check) => check.to_possible_value(),
            CheckSelector::Memory => group("null, bounds, use-after-free, double-free and invalid-free"),
            CheckSelector::All => group("Everything"),
        }
    }
}

vocabulary! {
    /// What is wrong, in a report. Failures of checks come from [`Check::failure`].
    pub enum FailureKind {
        Assertion,
        Precondition,
        Postcondition,
        /// A loop invariant does not hold when the loop is reached.
        InvariantEntry,
        /// A loop invariant is not kept by a round of the loop.
        InvariantMaintained,
        /// The entry can return.
        EntryReturns,
        /// The error variable can be non-zero.
        VariableNonzero,
        /// A call of an error function, or a label `ERROR`.
        ErrorReached,
        Abort,
        NullDereference,
        OutOfBounds,
        UseAfterFree,
        DoubleFree,
        InvalidFree,
        Leak,
        SignedOverflow,
        DivisionByZero,
        InvalidShift,
        UninitialisedUse,
        DataRace,
        Deadlock,
        LockMisuse,
    }
}

impl FailureKind {
    /// What is wrong, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion failure",
            FailureKind::Precondition => "violated precondition",
            FailureKind::Postcondition => "violated postcondition",
            FailureKind::InvariantEntry => "loop invariant violated on entry",
            FailureKind::InvariantMaintained => "loop invariant not maintained",
            FailureKind::EntryReturns => "entry returns",
            FailureKind::VariableNonzero => "error variable set",
            FailureKind::ErrorReached => "error reached",
            FailureKind::Abort => "call of abort",
            FailureKind::NullDereference => "null pointer dereference",
            FailureKind::OutOfBounds => "out-of-bounds access",
            FailureKind::UseAfterFree => "use after free",
            FailureKind::DoubleFree => "double free",
            FailureKind::InvalidFree => "invalid free",
            FailureKind::Leak => "memory leak",
            FailureKind::SignedOverflow => "signed overflow",
            FailureKind::DivisionByZero => "division by zero",
            FailureKind::InvalidShift => "invalid shift",
            FailureKind::UninitialisedUse => "use of an uninitialised value",
            FailureKind::DataRace => "data race",
            FailureKind::Deadlock => "deadlock",
            FailureKind::LockMisuse => "misuse of a lock",
        }
    }
}
