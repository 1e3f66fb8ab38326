//! Other names of functions: the compiler's `__builtin_NAME`, the checking `__NAME_chk` of glibc (with further arguments),
//! names that headers redirect to.

/// A function that another name stands for.
pub(crate) struct Alias {
    pub name: String,
    /// Arguments that it does not have, from the first on.
    pub dropped: &'static [usize],
}

impl Alias {
    fn plain(name: &str) -> Alias {
        Alias {
            name: name.to_owned(),
            dropped: &[],
        }
    }
}

/// What a name may stand for, the most particular first.
pub(crate) fn aliases(name: &str) -> Vec<Alias> {
    let mut found = Vec::new();
    if let Some(rest) = name.strip_prefix("__builtin_") {
        if CARRYING.contains(&rest) {
            found.push(Alias::plain(&format!("__lariat_{rest}")));
        }
        found.push(Alias::plain(rest));
        found.extend(checking(rest));
        return found;
    }
    found.extend(checking(name));
    for prefix in ["__isoc99_", "__isoc23_", "_IO_", "__GI_"] {
        found.extend(name.strip_prefix(prefix).map(Alias::plain));
    }
    for (prefix, suffix, known) in SPELLINGS {
        let rest = name
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix(suffix));
        if let Some(rest) = rest.filter(|rest| known.contains(rest)) {
            found.push(Alias::plain(rest));
        }
    }
    for (other, plain) in OTHERS {
        if name == *other {
            found.push(Alias::plain(plain));
        }
    }
    found
}

/// Builtins whose plain names belong to the user.
const CARRYING: &[&str] = &[
    "addcb",
    "addcs",
    "addc",
    "addcl",
    "addcll",
    "subcb",
    "subcs",
    "subc",
    "subcl",
    "subcll",
    "rotateleft8",
    "rotateleft16",
    "rotateleft32",
    "rotateleft64",
    "rotateright8",
    "rotateright16",
    "rotateright32",
    "rotateright64",
    "clrsb",
    "clrsbl",
    "clrsbll",
];

/// What stands before and after the names of these functions in others of the same meaning.
const SPELLINGS: &[(&str, &str, &[&str])] = &[
    ("__", "", UNDERSCORED),
    ("", "_unlocked", UNLOCKED),
    ("", "64", LARGE_FILE),
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

/// Functions of stdio that also exist without a lock.
const UNLOCKED: &[&str] = &[
    "clearerr", "feof", "ferror", "fflush", "fgetc", "fgets", "fileno", "fputc", "fputs", "fread", "fwrite",
    "getc", "getchar", "putc", "putchar", "puts",
];

/// Functions that also exist for large files.
const LARGE_FILE: &[&str] = &[
    "creat",
    "fopen",
    "freopen",
    "fseeko",
    "ftello",
    "ftruncate",
    "lseek",
    "open",
    "openat",
    "pread",
    "pwrite",
    "tmpfile",
    "ftw",
    "nftw",
    "glob",
    "scandir",
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
