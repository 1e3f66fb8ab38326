//! What functions without body do to pointers, where that is known from their names.

/// What a call does, as far as pointers are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Returns a fresh object.
    Allocate,
    /// Returns an object with the content of that of the first argument.
    Reallocate,
    /// Stores no address anywhere; what it returns is no address of the program.
    Plain,
    /// Stores no address anywhere, returns its first argument.
    ReturnsFirst,
    /// Stores no address anywhere, returns an address inside the object of its first argument.
    ReturnsInsideFirst,
    /// Copies bytes to the first argument's object from the second's, returns the first.
    Copy,
    /// The same the other way round.
    CopyBack,
    /// Sets bytes of the first argument's object, returns it.
    SetBytes,
    /// Reads bytes of both arguments' objects.
    CompareBytes,
    /// Stores an address inside the first argument's object where the second argument points to.
    StoresFirstInSecond,
    VaStart,
    VaCopy,
    /// Anything that the contract of unknown functions allows.
    Unknown,
}

pub(crate) fn effect_of(name: &str) -> Effect {
    if let Some(intrinsic) = name.strip_prefix("__lariat_") {
        return match intrinsic {
            "allocate" => Effect::Allocate,
            "havoc" => Effect::SetBytes,
            _ => Effect::Plain,
        };
    }
    if name.starts_with("__VERIFIER_nondet_") && name != "__VERIFIER_nondet_pointer" {
        return Effect::Plain;
    }
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = match name.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")) {
        Some(plain) => plain,
        None => name,
    };
    match name {
        "malloc" | "calloc" | "alloca" | "valloc" | "memalign" | "aligned_alloc" | "pvalloc" | "strdup"
        | "strndup" | "alloca_with_align" => Effect::Allocate,
        "realloc" | "reallocarray" => Effect::Reallocate,
        "expect"
        | "assume_aligned"
        | "expect_with_probability"
        | "strcpy"
        | "strncpy"
        | "strcat"
        | "strncat"
        | "fgets"
        | "gets" => Effect::ReturnsFirst,
        "strchr" | "strrchr" | "strstr" | "strpbrk" | "memchr" | "stpcpy" | "index" | "rindex"
        | "strchrnul" => Effect::ReturnsInsideFirst,
        "memcpy" | "memmove" => Effect::Copy,
        "bcopy" => Effect::CopyBack,
        "memset" | "bzero" => Effect::SetBytes,
        "memcmp" | "bcmp" => Effect::CompareBytes,
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtold" => {
            Effect::StoresFirstInSecond
        }
        "va_start" => Effect::VaStart,
        "va_copy" => Effect::VaCopy,
        _ if PLAIN.contains(&name) => Effect::Plain,
        _ => Effect::Unknown,
    }
}

const PLAIN: &[&str] = &[
    "abort",
    "abs",
    "__assert",
    "__assert_fail",
    "__assert_func",
    "__assert_rtn",
    "atexit",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "clock",
    "close",
    "constant_p",
    "exit",
    "_Exit",
    "_exit",
    "fclose",
    "fflush",
    "fgetc",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "free",
    "fscanf",
    "fwrite",
    "getc",
    "getchar",
    "gettimeofday",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "isspace",
    "isupper",
    "labs",
    "longjmp",
    "object_size",
    "perror",
    "prefetch",
    "printf",
    "printk",
    "putc",
    "putchar",
    "puts",
    "quick_exit",
    "raise",
    "rand",
    "random",
    "read",
    "reach_error",
    "recv",
    "scanf",
    "send",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "sleep",
    "snprintf",
    "sprintf",
    "srand",
    "srandom",
    "sscanf",
    "strcasecmp",
    "strcmp",
    "strcoll",
    "strcspn",
    "strlen",
    "strncasecmp",
    "strncmp",
    "strnlen",
    "strspn",
    "time",
    "tolower",
    "toupper",
    "trap",
    "ungetc",
    "unlikely",
    "unreachable",
    "usleep",
    "va_end",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "wait",
    "write",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__VERIFIER_error",
];
