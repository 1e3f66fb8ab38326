/*
 * What every model file starts with. A model is ordinary C: its loads and stores are checked like the user's, at the
 * place of the call. What C itself cannot say is said by the functions below, whose meaning the verifier knows.
 */
#ifndef LARIAT_PRELUDE
#define LARIAT_PRELUDE

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) __builtin_va_arg(list, type)

#define NULL ((void *)0)
#define SIZE_MAX ((size_t)-1)
#define CHAR_BIT 8
#define INT_MAX __INT_MAX__
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (INT_MAX * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX (LLONG_MAX * 2ULL + 1ULL)
#define EOF (-1)

/* Executions in which the condition is false are not looked at. */
void __lariat_assume(int condition);
/* Reports a failure of the named check if that check is asked for and the condition is false; then goes on. */
void __lariat_check(int condition, const char *check, const char *message);
/* Whether the named check is asked for. */
int __lariat_checks(const char *check);
/* Whether the program has the named function. What only happens if it has is not even looked at otherwise. */
int __lariat_uses(const char *function);
/* The verdict is unknown, for this reason, if an execution gets here. */
void __lariat_unsupported(const char *reason) __attribute__((__noreturn__));
/* The program ends here, silently. */
void __lariat_stop(void) __attribute__((__noreturn__));

/* From here to the end no other thread runs. */
void __lariat_atomic_begin(void);
void __lariat_atomic_end(void);
/* The number of the running thread: 1 for the first one. */
unsigned long __lariat_thread_id(void);
/* The lives of the running thread's own objects (_Thread_local) end. */
void __lariat_end_thread_objects(void);
/* The running thread does nothing any more. */
void __lariat_thread_stop(void) __attribute__((__noreturn__));

#define LARIAT_HEAP 0
#define LARIAT_STACK 1
/* Lives until the program ends and must not be freed, as what alloca() has made is not ended either. */
#define LARIAT_STATIC LARIAT_STACK
/* A fresh object with indeterminate content; never null. */
void *__lariat_allocate(size_t bytes, int kind);
/* The object ends its life. With memory checks: must be null or the start of a live object on the heap. */
void __lariat_free(void *pointer);
/* The bytes from here to the end of the object; exact with memory checks only. */
size_t __lariat_object_size(const void *pointer);
/* Whether n bytes may be accessed here; always true without memory checks. */
int __lariat_valid(const void *pointer, size_t n);
/* 0 or 1; always 0 unless allocation may fail. */
int __lariat_malloc_may_fail(void);
/* The environment knows the address from now on. */
void __lariat_expose(const void *pointer);
/* Each of the pointers in the array points into the n bytes; with memory checks only. */
void __lariat_point_into(char **array, size_t count, char *text, size_t n);
/* The n bytes become anything. */
void __lariat_havoc(void *pointer, size_t n);

/* The same, where the real function writes bytes that are not known here: a failure that used them is unconfirmed. */
void __lariat_any_bytes(void *pointer, size_t n);

/* A library function writes n bytes, which become anything. */
#define LARIAT_FILL(pointer, n) \
    do { \
        __lariat_check((n) == 0 || __lariat_valid(pointer, n), "bounds", "the function writes outside of the object"); \
        __lariat_havoc(pointer, n); \
    } while (0)

/* What is copied and where it is copied to must not overlap. */
#define LARIAT_APART(to, written, from, read) \
    __lariat_check(!LARIAT_CHECKS_MEMORY || (written) == 0 || (read) == 0 || (to) + (written) <= (from) || \
                       (from) + (read) <= (to), \
                   "bounds", "memory that is copied can overlap with where it is copied to")

/* Whether memory is checked at all: the null pointer is never valid then. */
#define LARIAT_CHECKS_MEMORY (!__lariat_valid((const void *)0, 1))

_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
size_t __VERIFIER_nondet_size_t(void);

/* Any value, where the real function gives one that is not known here: a failure that used one is unconfirmed. */
int __lariat_any_int(void);
/* The value of a function of math.h, by its name: y is its second argument or 0. The same arguments give the same value; a run
   computes it where it can, and otherwise a failure that used it is unconfirmed. */
float __lariat_real_float(const char *function, float x, float y);
double __lariat_real_double(const char *function, double x, double y);
long double __lariat_real_long_double(const char *function, long double x, long double y);

/* Whether some text of the program has the conversion %n. */
int __lariat_has_count_format(void);
/* Variables of the library that other files define become anything. */
void __lariat_change_variables(void);

/* Where errno is. */
int *__errno_location(void);
#define errno (*__errno_location())
/* A library function has failed: errno becomes some positive number. */
void __lariat_set_errno(void);
void __lariat_fail_with(int number);
/* The program writes to a file, which it may read later. */
void __lariat_note_write(void);
/* Whether it has. */
int __lariat_has_written(void);
/* n bytes leave the program, which uses them. */
void __lariat_give_out(const void *from, size_t n);
#define EINVAL 22
#define ERANGE 34

#endif
