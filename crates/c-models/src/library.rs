//! The texts of the models.

use std::path::PathBuf;

use crate::math;

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
        "decimal.c",
        "errno.c",
        "fenv.c",
        "files.c",
        "format.c",
        "linux.c",
        "process.c",
        "pthread.c",
        "pthread_attributes.c",
        "stdio.c",
        "stdlib.c",
        "string.c",
        "svcomp.c",
        "typed.c",
        "unistd.c",
    ]
    .into_iter()
    .map(|(path, text)| (path, text.to_owned()))
    .chain(math())
    .map(|(path, text)| (PathBuf::from(path), format!("{PRELUDE}\n{text}")))
    .collect()
}

/// The models of `math.h` are written for `double`; the other two types have the same text with their types, names and constants.
fn math() -> Vec<(&'static str, String)> {
    const EXACT: &str = include_str!("../models/math.c");
    const TRANSCENDENTAL: &str = include_str!("../models/transcendental.c");
    let float = math::Real {
        ty: "float",
        suffix: "f",
        limits: "__FLT_",
        constant: "f",
    };
    let long_double = math::Real {
        ty: "long double",
        suffix: "l",
        limits: "__LDBL_",
        constant: "L",
    };
    vec![
        ("lariat-models/math.c", EXACT.to_owned()),
        ("lariat-models/mathf.c", math::instance(EXACT, &float)),
        ("lariat-models/mathl.c", math::instance(EXACT, &long_double)),
        ("lariat-models/transcendental.c", TRANSCENDENTAL.to_owned()),
        (
            "lariat-models/transcendentalf.c",
            math::instance(TRANSCENDENTAL, &float),
        ),
        (
            "lariat-models/transcendentall.c",
            math::instance(TRANSCENDENTAL, &long_double),
        ),
    ]
}

/// What a user's own model file is to be prefixed with so that it may use what ours use.
pub fn prelude() -> &'static str {
    PRELUDE
}

/// The functions of our models that a call of a function of this name may be bound to, besides the model of that name.
pub fn needs(name: &str) -> Vec<String> {
    if name == "main" {
        return vec!["__lariat_arguments".to_owned()];
    }
    let Some(known) = lariat_c_library::find(name) else {
        return Vec::new();
    };
    let others = known.row.needs().map(str::to_owned);
    others.chain([known.name]).collect()
}
