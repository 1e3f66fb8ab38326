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
    let is_builtin = |rest: &str| {
        let variants = [Some(rest), rest.strip_suffix("ll"), rest.strip_suffix(['f', 'l'])];
        rest.ends_with("_overflow")
            || variants
                .into_iter()
                .flatten()
                .any(|plain| BUILTINS.contains(&plain))
    };
    ["__lariat_", "__VERIFIER_nondet_", "__sync_", "__atomic_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || name.strip_prefix("__builtin_").is_some_and(is_builtin)
        || REFUSED.contains(&name)
        || name == "alloca"
}

/// The compiler's functions that the lowering knows, without `__builtin_` and without the letters for other types.
const BUILTINS: &[&str] = &[
    "va_start",
    "c23_va_start",
    "va_end",
    "va_copy",
    "expect",
    "expect_with_probability",
    "assume_aligned",
    "prefetch",
    "object_size",
    "dynamic_object_size",
    "constant_p",
    "unreachable",
    "trap",
    "alloca",
    "ia32_pause",
    "bswap16",
    "bswap32",
    "bswap64",
    "popcount",
    "parity",
    "clz",
    "ctz",
    "ffs",
    "inf",
    "huge_val",
    "nan",
    "fabs",
    "sqrt",
    "isnan",
    "isinf",
    "isnormal",
    "signbit",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
];

/// Functions that the lowering refuses where they are reached, which makes the verdict `unknown`.
const REFUSED: &[&str] = &[
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "signal",
    "sigaction",
];
