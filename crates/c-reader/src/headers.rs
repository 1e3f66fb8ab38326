//! The headers that belong to a compiler rather than to the system. libclang comes without them, so they are our own.

/// Where they seem to be; libclang gets them as files in memory.
pub const FOLDER: &str = "/lariat/include";

/// Name and text.
pub const HEADERS: &[(&str, &str)] = &[
    ("float.h", include_str!("../headers/float.h")),
    ("gnu/stubs-32.h", include_str!("../headers/gnu/stubs-32.h")),
    ("iso646.h", include_str!("../headers/iso646.h")),
    ("limits.h", include_str!("../headers/limits.h")),
    ("stdalign.h", include_str!("../headers/stdalign.h")),
    ("stdarg.h", include_str!("../headers/stdarg.h")),
    ("stdatomic.h", include_str!("../headers/stdatomic.h")),
    ("stdbool.h", include_str!("../headers/stdbool.h")),
    ("stddef.h", include_str!("../headers/stddef.h")),
    ("stdint.h", include_str!("../headers/stdint.h")),
    ("stdnoreturn.h", include_str!("../headers/stdnoreturn.h")),
    ("tgmath.h", include_str!("../headers/tgmath.h")),
];
