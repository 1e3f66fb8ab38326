//! The rows.
//!
//! To add a function: one row here, and for [`Meaning::Model`] its model in `c-models/models`. Other spellings of a name
//! (`__builtin_`, `_chk`, …) are resolved by `names` and need no row.

use crate::Meaning::{Contract, Intrinsic, Model, Refused};
use crate::{Allocator, Effect, Meaning, Pointers, Row};

/// Of functions that are not in the table.
pub(crate) const UNKNOWN: Effect = effect(Pointers::Unknown, true);
/// Writes nothing that the program sees; the result is not an address of the program.
const PURE: Effect = effect(Pointers::Plain, false);
/// Writes numbers, but no addresses, through its pointer arguments.
const FILLS: Effect = effect(Pointers::Plain, true);
const FRESH: Effect = effect(Pointers::Allocate, false);
const RESIZES: Effect = effect(Pointers::Reallocate, true);
const PASSES: Effect = effect(Pointers::ReturnsFirst, false);
/// Writes to the first argument and returns it.
const WRITES_FIRST: Effect = effect(Pointers::ReturnsFirst, true);
const SEARCHES: Effect = effect(Pointers::ReturnsInsideFirst, false);
const COPIES: Effect = effect(Pointers::Copy, true);

const fn effect(pointers: Pointers, writes: bool) -> Effect {
    Effect { pointers, writes }
}

const fn row(meaning: Meaning, effect: Effect, names: &'static str) -> Row {
    Row {
        prefix: "",
        names,
        variants: "",
        meaning,
        effect,
        allocator: None,
        needs: "",
        never_returns: false,
    }
}

impl Row {
    const fn prefix(self, prefix: &'static str) -> Row {
        Row { prefix, ..self }
    }

    /// For `float` and `long double` too.
    const fn floats(self) -> Row {
        Row {
            variants: "f l",
            ..self
        }
    }

    /// For `long` and `long long` too.
    const fn longs(self) -> Row {
        Row {
            variants: "l ll",
            ..self
        }
    }

    const fn needing(self, needs: &'static str) -> Row {
        Row { needs, ..self }
    }

    /// The product of these arguments is the size of what it returns.
    const fn sized(self, size: &'static [usize]) -> Row {
        self.allocates(size, false, None)
    }

    const fn cleared(self, size: &'static [usize]) -> Row {
        self.allocates(size, true, None)
    }

    const fn allocates(self, size: &'static [usize], cleared: bool, old: Option<usize>) -> Row {
        let allocator = Some(Allocator { size, cleared, old });
        Row { allocator, ..self }
    }

    const fn never_returns(self) -> Row {
        Row {
            never_returns: true,
            ..self
        }
    }
}

/// Names that begin alike.
pub(crate) const FAMILIES: &[Row] = &[
    // What `c-lower` does not know of these it refuses.
    row(Intrinsic, UNKNOWN, "__sync_* __atomic_*"),
];

pub(crate) const ROWS: &[&[Row]] = &[
    INTRINSICS, BUILTINS, SVCOMP, ASSERTIONS, MEMORY, KERNEL, STRINGS, NUMBERS, CHARACTERS, MATH, STREAMS,
    SYSTEM, CONTROL,
];

/// What our models are written in: see `c-models/models/prelude.h`.
const INTRINSICS: &[Row] = &[
    row(
        Intrinsic,
        PURE,
        "assume check stop unsupported point_into evaluate change_variables has_count_format free object_size valid malloc_may_fail angelic \
     any_int any_number checks real_float real_double real_long_double atomic_begin atomic_end thread_id thread_stop end_thread_objects uses",
    )
    .prefix("__lariat_"),
    row(Intrinsic, FRESH, "__lariat_allocate"),
    row(Intrinsic, FILLS, "__lariat_zero_padding __lariat_copy_padding"),
    row(Intrinsic, effect(Pointers::ExposesFirst, false), "__lariat_expose"),
    row(
        Intrinsic,
        effect(Pointers::FillBytes, true),
        "__lariat_havoc __lariat_any_bytes",
    ),
];

/// The compiler's functions that are operators in the form of calls. Other `__builtin_NAME` are the functions of that name.
const BUILTINS: &[Row] = &[
    row(Intrinsic, PASSES, "expect expect_with_probability assume_aligned").prefix("__builtin_"),
    row(
        Intrinsic,
        PURE,
        "va_end prefetch object_size dynamic_object_size constant_p ia32_pause bswap16 bswap32 bswap64",
    )
    .prefix("__builtin_"),
    row(Intrinsic, PURE, "trap unreachable")
        .prefix("__builtin_")
        .never_returns(),
    row(
        Intrinsic,
        effect(Pointers::VaStart, true),
        "va_start c23_va_start",
    )
    .prefix("__builtin_"),
    row(Intrinsic, effect(Pointers::VaCopy, true), "va_copy").prefix("__builtin_"),
    row(Intrinsic, effect(Pointers::VaCopy, true), "va_copy"),
    row(Intrinsic, PURE, "va_end"),
    row(Intrinsic, FRESH, "alloca").sized(&[0]),
    row(Intrinsic, FRESH, "__builtin_alloca").sized(&[0]),
    row(Intrinsic, PURE, "popcount parity clz ctz ffs")
        .prefix("__builtin_")
        .longs(),
    row(
        Intrinsic,
        effect(Pointers::ComputesIntoThird, true),
        "add_overflow sub_overflow mul_overflow sadd_overflow ssub_overflow smul_overflow uadd_overflow \
     usub_overflow umul_overflow saddl_overflow ssubl_overflow smull_overflow uaddl_overflow \
     usubl_overflow umull_overflow saddll_overflow ssubll_overflow smulll_overflow uaddll_overflow \
     usubll_overflow umulll_overflow",
    )
    .prefix("__builtin_"),
    row(
        Intrinsic,
        PURE,
        "inf huge_val nan fabs sqrt fma isnan isinf signbit floor ceil trunc round rint nearbyint",
    )
    .prefix("__builtin_")
    .floats(),
    row(Intrinsic, PURE, "__builtin_isnormal"),
    row(
        Model,
        PURE,
        "isgreater isgreaterequal isless islessequal isunordered",
    ),
    row(Model, PURE, "isinf_sign").needing("__isinf __isinff __isinfl"),
    row(Model, PURE, "isfinite").needing("__finite __finitef __finitel"),
    row(Model, PURE, "fpclassify").needing("__fpclassify __fpclassifyf __fpclassifyl"),
    row(Model, PURE, "ffs ffsl ffsll"),
    row(
        Model,
        PURE,
        "rotateleft8 rotateleft16 rotateleft32 rotateleft64 rotateright8 rotateright16 rotateright32 rotateright64 \
     clrsb clrsbl clrsbll",
    )
    .prefix("__lariat_"),
    row(
        Model,
        FILLS,
        "addcb addcs addc addcl addcll subcb subcs subc subcl subcll",
    )
    .prefix("__lariat_"),
];

const SVCOMP: &[Row] = &[
    row(
        Intrinsic,
        PURE,
        "bool _Bool char schar uchar unsigned_char short ushort int uint unsigned long ulong longlong \
     ulonglong int128 uint128 float double size_t ssize_t loff_t sector_t pthread_t time_t S8 s8 u8 s16 \
     u16 s32 u32 s64 u64 int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t charp pchar \
     const_char_pointer",
    )
    .prefix("__VERIFIER_nondet_"),
    row(Intrinsic, UNKNOWN, "__VERIFIER_nondet_pointer"),
    row(Model, PURE, "assume atomic_begin atomic_end assert").prefix("__VERIFIER_"),
    row(Model, PURE, "__VERIFIER_error reach_error").never_returns(),
    row(
        Model,
        effect(Pointers::FillBytes, true),
        "__VERIFIER_nondet_memory",
    ),
    row(Model, FRESH, "__VERIFIER_nondet_string"),
];

/// What `assert` calls when it fails.
const ASSERTIONS: &[Row] = &[
    row(
        Model,
        PURE,
        "__assert_fail __assert_perror_fail __assert __assert_rtn __assert_func",
    )
    .never_returns(),
    row(Intrinsic, PURE, "__assert13").never_returns(),
];

const MEMORY: &[Row] = &[
    row(Model, FRESH, "malloc valloc").sized(&[0]),
    row(Contract, FRESH, "pvalloc g_malloc").sized(&[0]),
    row(Contract, FRESH, "g_malloc0").cleared(&[0]),
    row(Model, FRESH, "calloc")
        .cleared(&[0, 1])
        .needing("__lariat_typed_calloc __lariat_stdlib_c"),
    row(Model, FRESH, "aligned_alloc memalign").sized(&[1]),
    row(Contract, FRESH, "alloca_with_align").sized(&[0]),
    row(Model, RESIZES, "realloc")
        .allocates(&[1], false, Some(0))
        .needing("__lariat_typed_realloc __lariat_stdlib_c"),
    row(Model, RESIZES, "reallocarray").allocates(&[1, 2], false, Some(0)),
    row(Contract, RESIZES, "g_realloc").allocates(&[1], false, Some(0)),
    row(Model, UNKNOWN, "posix_memalign"),
    row(Model, PURE, "free"),
    row(Model, COPIES, "memcpy __memcpy")
        .needing("__lariat_typed_copy __lariat_typed_apart __lariat_string_c"),
    row(Model, COPIES, "memmove").needing("__lariat_typed_move __lariat_string_c"),
    row(Model, UNKNOWN, "mempcpy").needing("__lariat_typed_copy __lariat_typed_apart __lariat_string_c"),
    row(Model, UNKNOWN, "memccpy"),
    row(Model, effect(Pointers::CopyBack, true), "bcopy").needing("__lariat_typed_move __lariat_string_c"),
    row(
        Model,
        effect(Pointers::SetBytes, true),
        "memset memset_explicit bzero explicit_bzero",
    )
    .needing("__lariat_typed_zero __lariat_string_c"),
    row(Model, effect(Pointers::CompareBytes, false), "memcmp bcmp"),
    row(Model, SEARCHES, "memchr memrchr rawmemchr memmem"),
];

/// Linux, Windows drivers.
const KERNEL: &[Row] = &[
    row(Model, FRESH, "kmalloc __kmalloc kmalloc_node vmalloc").sized(&[0]),
    row(Model, FRESH, "kzalloc vzalloc").cleared(&[0]),
    row(Model, FRESH, "kcalloc").cleared(&[0, 1]),
    row(Model, FRESH, "kmalloc_array").sized(&[0, 1]),
    row(Model, FRESH, "kmemdup kstrdup"),
    row(Contract, FRESH, "ExAllocatePoolWithTag ExAllocatePool").sized(&[1]),
    row(Contract, RESIZES, "krealloc").allocates(&[1], false, Some(0)),
    row(Model, PURE, "kfree kzfree vfree"),
    row(
        Model,
        UNKNOWN,
        "copy_from_user __copy_from_user _copy_from_user copy_to_user __copy_to_user _copy_to_user",
    ),
    row(Model, PURE, "printk").needing(PRINTED),
    row(Model, PURE, "panic").never_returns(),
    row(Contract, PURE, "KeBugCheck KeBugCheckEx").never_returns(),
];

const STRINGS: &[Row] = &[
    row(
        Model,
        PURE,
        "strlen strnlen strcmp strncmp strcoll strcasecmp strncasecmp strspn strcspn",
    ),
    row(Model, WRITES_FIRST, "strcpy strncpy strcat strncat"),
    row(
        Model,
        effect(Pointers::ReturnsInsideFirst, true),
        "stpcpy stpncpy",
    ),
    row(Model, FILLS, "strlcpy strlcat strxfrm"),
    row(
        Model,
        SEARCHES,
        "strchr strrchr strstr strcasestr strpbrk index rindex strchrnul",
    ),
    row(
        Model,
        UNKNOWN,
        "strtok strtok_r strsep strerror_r __xpg_strerror_r",
    ),
    row(Model, FRESH, "strdup strndup"),
    row(Model, PURE, "strerror strsignal"),
];

const NUMBERS: &[Row] = &[
    row(
        Model,
        PURE,
        "abs labs llabs imaxabs div ldiv lldiv atoi atol atoll atof",
    ),
    row(
        Model,
        effect(Pointers::StoresFirstInSecond, true),
        "strtol strtoul strtoll strtoull strtod strtof strtold strtoimax strtoumax",
    ),
    row(
        Model,
        PURE,
        "rand srand random srandom lrand48 mrand48 drand48 srand48 arc4random arc4random_uniform",
    ),
    row(Model, FILLS, "rand_r"),
    row(Model, UNKNOWN, "qsort").needing("__lariat_typed_qsort __lariat_stdlib_c"),
    row(Model, UNKNOWN, "bsearch qsort_r lfind lsearch"),
];

const CHARACTERS: &[Row] = &[
    row(
        Model,
        PURE,
        "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper \
     isxdigit toascii tolower toupper",
    ),
    row(Contract, PURE, "__ctype_b_loc").needing(
        "__lariat_ctype_b __lariat_ctype_index isupper islower isalpha isdigit isxdigit isspace isprint \
     isgraph isblank iscntrl ispunct isalnum",
    ),
    row(Contract, PURE, "__ctype_tolower_loc").needing("__lariat_ctype_tolower"),
    row(Contract, PURE, "__ctype_toupper_loc").needing("__lariat_ctype_toupper"),
];

const MATH: &[Row] = &[
    row(
        Model,
        PURE,
        "__isnan isnan __isinf isinf __finite finite __signbit __fpclassify fabs copysign sqrt trunc floor \
     ceil round rint nearbyint lrint lround llrint llround fmin fmax fdim fmod sin cos tan asin atan acos \
     atan2 sinh tanh cbrt asinh atanh erf expm1 log1p cosh acosh tgamma lgamma erfc exp exp2 log log2 \
     log10 pow hypot ldexp scalbn scalbln remainder drem logb ilogb fma",
    )
    .floats(),
    row(Model, FILLS, "modf frexp remquo sincos").floats(),
    row(Model, FILLS, "lgamma_r lgammaf_r lgammal_r"),
    row(Model, PURE, "fegetround fesetround"),
    row(Contract, PURE, "feclearexcept feraiseexcept fetestexcept"),
    row(Contract, FILLS, "fegetexceptflag fegetenv"),
    row(
        Refused("the floating-point environment is not modelled"),
        UNKNOWN,
        "fesetenv feupdateenv feholdexcept fesetmode fesetexceptflag feenableexcept __builtin_ia32_ldmxcsr _mm_setcsr",
    ),
];

const PRINTED: &str = "__lariat_printed_string __lariat_printed_count __lariat_any_printf __lariat_any_fprintf \
     __lariat_any_dprintf __lariat_any_asprintf __lariat_stdio_c";

const PUT: &str = "__lariat_put __lariat_put_char __lariat_put_string __lariat_put_signed __lariat_put_unsigned \
     __lariat_put_any __lariat_put_end __lariat_stdio_c";

const SCAN: &str = "__lariat_scan_stdin __lariat_scan_file __lariat_scan_text __lariat_scan_string __lariat_scan_chars \
     __lariat_printed_count";

/// Functions that write to buffers and have no model.
const WITHOUT_MODEL: &str = "strftime wcsftime swprintf vswprintf wcscpy wcsncpy wcscat wcsncat wmemcpy wmemmove wmemset \
     wcpcpy wcpncpy wcstombs mbstowcs mbtowc wctomb mbrtowc wcrtomb wcsrtombs mbsrtowcs fgetws swscanf \
     gethostname getdomainname getlogin_r ttyname_r readlink readlinkat realpath ctime_r asctime_r localtime_r gmtime_r \
     inet_ntop inet_pton confstr strfmon readv preadv recvfrom recvmsg getrandom getentropy tmpnam mkstemp mkdtemp \
     getgroups getrlimit getrusage uname stat fstat lstat times sigaltstack";

const STREAMS: &[Row] = &[
    row(Model, UNKNOWN, "fopen fdopen popen freopen tmpfile"),
    row(
        Model,
        PURE,
        "fclose pclose fflush feof ferror clearerr fileno fseek fseeko ftell ftello rewind fgetc getc getchar \
     getw ungetc fputc putc putchar fputs puts perror vprintf vfprintf vdprintf remove rename",
    ),
    row(Model, UNKNOWN, "setbuf setvbuf getdelim getline"),
    row(Model, WRITES_FIRST, "fgets gets"),
    row(Model, FILLS, "fread"),
    row(Model, PURE, "fwrite"),
    row(Model, PURE, "printf fprintf dprintf").needing(PRINTED),
    row(Model, FILLS, "sprintf snprintf").needing(PUT),
    row(Model, FILLS, "vsprintf vsnprintf"),
    row(Contract, FILLS, "vscanf vfscanf vsscanf"),
    row(Contract, UNKNOWN, WITHOUT_MODEL),
    row(Model, UNKNOWN, "asprintf").needing(PRINTED),
    row(Model, UNKNOWN, "vasprintf"),
    row(Model, FILLS, "scanf fscanf sscanf").needing(SCAN),
];

const SYSTEM: &[Row] = &[
    row(Model, PURE, "__errno_location __error __errno"),
    row(
        Model,
        PURE,
        "open openat creat close write pwrite send lseek dup dup2 unlink rmdir mkdir chdir chmod access fsync \
     ftruncate isatty umask getpid getppid getuid geteuid getgid getegid kill sleep usleep alarm sysconf \
     clock difftime system setenv unsetenv",
    ),
    row(
        Model,
        FILLS,
        "read pread recv pipe nanosleep time gettimeofday clock_gettime",
    ),
    row(Model, UNKNOWN, "getcwd"),
    row(Model, PURE, "getenv"),
    row(Contract, FILLS, "wait"),
];

const CONTROL: &[Row] = &[
    row(Model, UNKNOWN, "atexit on_exit")
        .needing("__lariat_run_exit_handlers __lariat_exit __lariat_stdlib_c"),
    row(Model, UNKNOWN, "at_quick_exit").needing("__lariat_quick_exit __lariat_stdlib_c"),
    row(Model, UNKNOWN, "pthread_once call_once"),
    row(Model, UNKNOWN, "pthread_create").needing("__lariat_thread"),
    row(Model, UNKNOWN, "thrd_create").needing("__lariat_c11_thread"),
    row(
        Model,
        UNKNOWN,
        "pthread_join thrd_join pthread_tryjoin_np pthread_timedjoin_np",
    ),
    row(Model, UNKNOWN, "pthread_exit thrd_exit").never_returns(),
    row(
        Model,
        PURE,
        "pthread_self pthread_equal pthread_detach sched_yield thrd_current thrd_equal thrd_detach thrd_yield thrd_sleep \
     pthread_testcancel pthread_setname_np",
    ),
    row(
        Model,
        UNKNOWN,
        "pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific tss_create tss_delete tss_get tss_set",
    ),
    row(
        Model,
        FILLS,
        "pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock \
     pthread_spin_init pthread_spin_destroy \
     pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_cond_init pthread_cond_destroy \
     pthread_cond_signal pthread_cond_broadcast pthread_cond_wait pthread_cond_timedwait pthread_rwlock_init \
     pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock \
     pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_barrier_init pthread_barrier_destroy pthread_barrier_wait \
     sem_init sem_destroy sem_wait sem_trywait sem_timedwait sem_post sem_getvalue pthread_mutex_timedlock mtx_init \
     mtx_destroy mtx_lock mtx_trylock mtx_timedlock mtx_unlock cnd_init cnd_destroy cnd_signal cnd_broadcast cnd_wait \
     cnd_timedwait pthread_mutex_clocklock pthread_cond_clockwait pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock \
     sem_clockwait",
    ),
    row(
        Model,
        FILLS,
        "pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate \
     pthread_attr_setstacksize pthread_attr_getstacksize pthread_attr_setscope pthread_attr_setinheritsched \
     pthread_attr_setschedpolicy pthread_attr_setguardsize pthread_setcancelstate pthread_setcanceltype \
     pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype pthread_mutexattr_gettype \
     pthread_mutexattr_setpshared pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock \
     pthread_condattr_setpshared pthread_rwlockattr_init pthread_rwlockattr_destroy pthread_rwlockattr_setpshared \
     pthread_barrierattr_init pthread_barrierattr_destroy pthread_barrierattr_setpshared",
    ),
    row(
        Refused("this function of threads is not modelled"),
        UNKNOWN,
        "pthread_cancel pthread_kill pthread_mutexattr_setrobust pthread_mutexattr_setprotocol \
     pthread_mutex_consistent pthread_atfork pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock sem_open",
    ),
    row(Model, PURE, "abort exit _exit _Exit quick_exit").never_returns(),
    row(
        Refused("setjmp/longjmp is not modelled"),
        PURE,
        "setjmp _setjmp sigsetjmp __sigsetjmp longjmp siglongjmp _longjmp",
    ),
    row(
        Refused("threads are not modelled"),
        UNKNOWN,
        "clone getcontext setcontext makecontext swapcontext",
    ),
    row(Refused("processes are not modelled"), UNKNOWN, "fork vfork"),
    row(
        Refused("signal handlers are not modelled"),
        UNKNOWN,
        "signal sigaction bsd_signal sysv_signal __sysv_signal ssignal sigset sigvec signalfd timer_create",
    ),
];
