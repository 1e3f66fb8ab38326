//! What only C programs are asked about: the machine, the preprocessor, the checks, the library.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How C is read and what is checked in it; without meaning for other languages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct COptions {
    pub machine: CMachine,
    /// Folders with headers, in the order of the search.
    pub include: Vec<PathBuf>,
    /// `-DX=1` and `-UX`, in their order.
    pub macros: Vec<String>,
    /// The language standard, such as `c11` or `gnu89`. `None`: the reader's own.
    pub standard: Option<String>,
    /// A `compile_commands.json` that tells the flags of each file.
    pub compile_commands: Option<PathBuf>,
    pub integers: CIntegers,
    /// What can go wrong; in the order of [`CCheck::ALL`], each once.
    pub checks: Vec<CCheck>,
    /// Files whose functions replace Lariat's models of the library.
    pub models: Vec<PathBuf>,
    /// Use no models at all: library functions are functions without body.
    pub no_models: bool,
    /// `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    /// Functions that must not be called.
    pub error_functions: Vec<String>,
    /// Labels `ERROR` must not be reached either.
    pub error_labels: bool,
}

impl Default for COptions {
    fn default() -> Self {
        COptions {
            machine: CMachine::default(),
            include: Vec::new(),
            macros: Vec::new(),
            standard: None,
            compile_commands: None,
            integers: CIntegers::default(),
            checks: CCheck::DEFAULT.to_vec(),
            models: Vec::new(),
            no_models: false,
            malloc_may_fail: false,
            error_functions: Self::ERROR_FUNCTIONS.map(str::to_owned).to_vec(),
            error_labels: true,
        }
    }
}

impl COptions {
    /// The functions that must not be called unless the user says otherwise.
    pub const ERROR_FUNCTIONS: [&'static str; 2] = ["__VERIFIER_error", "reach_error"];

    /// Whether a file is read as C: by its extension.
    pub fn is_c_file(path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("c" | "i" | "h" | "C" | "I"))
    }

    pub fn checks(&self, check: CCheck) -> bool {
        self.checks.contains(&check)
    }

    /// Whether a call of this function is an error.
    pub fn is_error_function(&self, name: &str) -> bool {
        self.error_functions.iter().any(|other| other == name)
    }
}

/// The sizes of the types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CMachine {
    /// 64-bit Linux: `long` and pointers have 64 bits.
    #[default]
    Lp64,
    /// 32-bit Linux: `int`, `long` and pointers have 32 bits.
    Ilp32,
}

impl CMachine {
    pub const ALL: [CMachine; 2] = [CMachine::Lp64, CMachine::Ilp32];

    pub fn name(self) -> &'static str {
        match self {
            CMachine::Lp64 => "lp64",
            CMachine::Ilp32 => "ilp32",
        }
    }
}

/// What integers are to the solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CIntegers {
    /// As the machine has them, in whichever form is thought to be faster.
    #[default]
    Exact,
    /// Mathematical integers: faster, and the verdict says so.
    Math,
    /// Exact: integers that are wrapped after each operation that can leave the range.
    Wrapped,
    /// Exact: bit-vectors.
    BitVectors,
}

impl CIntegers {
    pub const ALL: [CIntegers; 4] = [
        CIntegers::Exact,
        CIntegers::Math,
        CIntegers::Wrapped,
        CIntegers::BitVectors,
    ];

    pub fn name(self) -> &'static str {
        match self {
            CIntegers::Exact => "exact",
            CIntegers::Math => "math",
            CIntegers::Wrapped => "wrapped",
            CIntegers::BitVectors => "bit-vectors",
        }
    }
}

/// Something that can go wrong in a C program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CCheck {
    /// A function that stands for an error is called, or (with `error_labels`) a label `ERROR` is reached.
    Reach,
    /// `assert` and `__VERIFIER_assert`.
    Assert,
    /// `abort` is called.
    Abort,
    /// A null pointer is dereferenced.
    Null,
    /// An access outside of its object.
    Bounds,
    UseAfterFree,
    DoubleFree,
    /// `free` of what was not allocated.
    InvalidFree,
    /// Memory that nobody has freed at the end.
    Leak,
    /// Signed arithmetic leaves its range.
    Overflow,
    DivByZero,
    /// A shift by a negative number or by as many bits as there are.
    Shift,
    /// A variable is read before it has a value.
    Uninit,
}

impl CCheck {
    pub const ALL: [CCheck; 13] = [
        CCheck::Reach,
        CCheck::Assert,
        CCheck::Abort,
        CCheck::Null,
        CCheck::Bounds,
        CCheck::UseAfterFree,
        CCheck::DoubleFree,
        CCheck::InvalidFree,
        CCheck::Leak,
        CCheck::Overflow,
        CCheck::DivByZero,
        CCheck::Shift,
        CCheck::Uninit,
    ];

    /// What is checked unless the user says otherwise.
    pub const DEFAULT: [CCheck; 2] = [CCheck::Reach, CCheck::Assert];

    /// The group `memory`: every access and every `free` is valid.
    pub const MEMORY: [CCheck; 5] = [
        CCheck::Null,
        CCheck::Bounds,
        CCheck::UseAfterFree,
        CCheck::DoubleFree,
        CCheck::InvalidFree,
    ];

    pub fn name(self) -> &'static str {
        match self {
            CCheck::Reach => "reach",
            CCheck::Assert => "assert",
            CCheck::Abort => "abort",
            CCheck::Null => "null",
            CCheck::Bounds => "bounds",
            CCheck::UseAfterFree => "use-after-free",
            CCheck::DoubleFree => "double-free",
            CCheck::InvalidFree => "invalid-free",
            CCheck::Leak => "leak",
            CCheck::Overflow => "overflow",
            CCheck::DivByZero => "div-by-zero",
            CCheck::Shift => "shift",
            CCheck::Uninit => "uninit",
        }
    }
}
