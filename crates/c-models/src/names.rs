//! Which model a name stands for.
//!
//! A name that has no model of its own may be another name of a function that has one: the compiler's
//! `__builtin_NAME`, the checking `__NAME_chk` of glibc (with further arguments), names that headers redirect to.

/// A function that another name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Alias {
    pub name: String,
    /// Arguments that it does not have, from the first on.
    pub dropped: &'static [usize],
}

/// What a name may stand for, the most particular first.
pub(crate) fn aliases(name: &str) -> Vec<Alias> {
    let mut found = Vec::new();
    let mut add = |name: &str, dropped: &'static [usize]| {
        found.push(Alias {
            name: name.to_owned(),
            dropped,
        });
    };
    if let Some(rest) = name.strip_prefix("__builtin_") {
        add(rest, &[]);
        found.extend(checking(rest));
        return found;
    }
    found.extend(checking(name));
    for (prefix, suffix) in [
        ("__isoc99_", ""),
        ("__isoc23_", ""),
        ("_IO_", ""),
        ("__GI_", ""),
        ("", "_unlocked"),
        ("", "64"),
    ] {
        let rest = name
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix(suffix));
        if let Some(rest) = rest {
            found.push(Alias {
                name: rest.to_owned(),
                dropped: &[],
            });
        }
    }
    if let Some(rest) = name.strip_prefix("__").filter(|rest| UNDERSCORED.contains(rest)) {
        found.push(Alias {
            name: rest.to_owned(),
            dropped: &[],
        });
    }
    for (other, plain) in OTHERS {
        if name == *other {
            found.push(Alias {
                name: (*plain).to_owned(),
                dropped: &[],
            });
        }
    }
    found
}

/// The functions of our models that a call of a function of this name may be bound to, besides the model of that name.
pub fn needs(name: &str) -> Vec<String> {
    let mut needed: Vec<String> = aliases(name).into_iter().map(|alias| alias.name).collect();
    for plain in needed.clone().iter().map(String::as_str).chain([name]) {
        if let Some((_, models)) = NEEDED.iter().find(|(names, _)| names.contains(&plain)) {
            needed.extend(models.iter().map(|&model| model.to_owned()));
        }
    }
    needed
}

const PRINTED: &[&str] = &[
    "__lariat_printed_string",
    "__lariat_printed_count",
    "__lariat_stdio_c",
];

/// Which models the calls of functions are bound to in other ways than by their name: see `block`, `format`, `builtins`.
const NEEDED: &[(&[&str], &[&str])] = &[
    (
        &["memcpy", "mempcpy", "__memcpy"],
        &["__lariat_typed_copy", "__lariat_string_c"],
    ),
    (
        &["memmove", "bcopy"],
        &["__lariat_typed_move", "__lariat_string_c"],
    ),
    (
        &["memset", "memset_explicit", "bzero", "explicit_bzero"],
        &["__lariat_typed_zero", "__lariat_string_c"],
    ),
    (&["calloc"], &["__lariat_typed_calloc", "__lariat_stdlib_c"]),
    (&["realloc"], &["__lariat_typed_realloc", "__lariat_stdlib_c"]),
    (&["qsort"], &["__lariat_typed_qsort", "__lariat_stdlib_c"]),
    (
        &["sprintf", "snprintf"],
        &[
            "__lariat_put",
            "__lariat_put_char",
            "__lariat_put_string",
            "__lariat_put_signed",
            "__lariat_put_unsigned",
            "__lariat_put_any",
            "__lariat_put_end",
            "__lariat_stdio_c",
        ],
    ),
    (&["printf", "fprintf", "dprintf", "asprintf", "printk"], PRINTED),
    (
        &["scanf", "fscanf", "sscanf"],
        &[
            "__lariat_scan_stdin",
            "__lariat_scan_file",
            "__lariat_scan_text",
            "__lariat_scan_string",
            "__lariat_scan_chars",
            "__lariat_printed_count",
        ],
    ),
    (&["isinf_sign"], &["__isinf", "__isinff", "__isinfl"]),
    (&["isfinite"], &["__finite", "__finitef", "__finitel"]),
    (
        &["fpclassify"],
        &["__fpclassify", "__fpclassifyf", "__fpclassifyl"],
    ),
    (
        &["__ctype_b_loc"],
        &[
            "__lariat_ctype_b",
            "__lariat_ctype_index",
            "isupper",
            "islower",
            "isalpha",
            "isdigit",
            "isxdigit",
            "isspace",
            "isprint",
            "isgraph",
            "isblank",
            "iscntrl",
            "ispunct",
            "isalnum",
        ],
    ),
    (&["__ctype_tolower_loc"], &["__lariat_ctype_tolower"]),
    (&["__ctype_toupper_loc"], &["__lariat_ctype_toupper"]),
];

/// `__NAME_chk`.
fn checking(name: &str) -> Option<Alias> {
    let plain = name.strip_prefix("__")?.strip_suffix("_chk")?;
    let (_, dropped) = CHECKING.iter().find(|(known, _)| *known == plain)?;
    Some(Alias {
        name: plain.to_owned(),
        dropped,
    })
}

/// The arguments that `__NAME_chk` has and `NAME` has not.
const CHECKING: &[(&str, &[usize])] = &[
    ("memcpy", &[3]),
    ("memmove", &[3]),
    ("mempcpy", &[3]),
    ("memset", &[3]),
    ("explicit_bzero", &[2]),
    ("strcpy", &[2]),
    ("stpcpy", &[2]),
    ("strcat", &[2]),
    ("strncpy", &[3]),
    ("stpncpy", &[3]),
    ("strncat", &[3]),
    ("strlcpy", &[3]),
    ("strlcat", &[3]),
    ("printf", &[0]),
    ("fprintf", &[1]),
    ("dprintf", &[1]),
    ("vprintf", &[0]),
    ("vfprintf", &[1]),
    ("vdprintf", &[1]),
    ("sprintf", &[1, 2]),
    ("vsprintf", &[1, 2]),
    ("snprintf", &[2, 3]),
    ("vsnprintf", &[2, 3]),
    ("asprintf", &[1]),
    ("vasprintf", &[1]),
    ("fgets", &[1]),
    ("gets", &[1]),
    ("fread", &[1]),
    ("read", &[3]),
    ("pread", &[4]),
    ("recv", &[3]),
    ("getcwd", &[2]),
];

/// Functions of glibc that also have a name with two underscores in front.
const UNDERSCORED: &[&str] = &[
    "strdup",
    "strndup",
    "strtok_r",
    "stpcpy",
    "stpncpy",
    "mempcpy",
    "rawmemchr",
    "strcasecmp",
    "strncasecmp",
    "bzero",
    "strchrnul",
    "memchr",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "getpid",
    "read",
    "write",
    "open",
    "close",
    "lseek",
    "getdelim",
];

const OTHERS: &[(&str, &str)] = &[
    ("__libc_malloc", "malloc"),
    ("__libc_calloc", "calloc"),
    ("__libc_realloc", "realloc"),
    ("__libc_free", "free"),
    ("cfree", "free"),
    ("__strtol_internal", "strtol"),
    ("__strtoul_internal", "strtoul"),
    ("__strtoll_internal", "strtoll"),
    ("__strtoull_internal", "strtoull"),
];
