//! The texts of the models.

use std::path::PathBuf;

/// Declarations that every model file starts with: the intrinsics, and the types of the standard headers.
const PRELUDE: &str = include_str!("../models/prelude.h");

macro_rules! model_files {
    ($($name:literal),* $(,)?) => {
        [$((concat!("lariat-models/", $name), include_str!(concat!("../models/", $name)))),*]
    };
}

/// The model files with the prelude in front, as paths that exist nowhere on disk with their text. Each stands for
/// itself: no system header is needed to read it.
pub fn models() -> Vec<(PathBuf, String)> {
    model_files![
        "assert.c",
        "builtin.c",
        "ctype.c",
        "errno.c",
        "format.c",
        "linux.c",
        "math.c",
        "mathf.c",
        "mathl.c",
        "stdio.c",
        "stdlib.c",
        "string.c",
        "svcomp.c",
        "typed.c",
        "unistd.c",
    ]
    .into_iter()
    .map(|(path, text)| (PathBuf::from(path), format!("{PRELUDE}\n{text}")))
    .collect()
}

/// What a user's own model file is to be prefixed with so that it may use what ours use.
pub fn prelude() -> &'static str {
    PRELUDE
}

/// Whether the lowering gives the calls of this function, which has no body, their meaning.
pub fn is_intrinsic(name: &str) -> bool {
    name.starts_with("__lariat_") || name.starts_with("__VERIFIER_nondet_") || BUILTINS.contains(&name)
}

/// The compiler's functions that have no meaning in C itself.
const BUILTINS: &[&str] = &[
    "__builtin_va_start",
    "__builtin_va_end",
    "__builtin_va_copy",
    "__builtin_sqrt",
    "__builtin_sqrtf",
    "__builtin_sqrtl",
];
