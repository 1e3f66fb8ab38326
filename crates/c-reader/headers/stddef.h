/* Lariat's <stddef.h>: the types are those of the target. Parts can be asked for by __need_ macros, as glibc does. */
#if defined __need_ptrdiff_t || defined __need_size_t || defined __need_wchar_t || defined __need_NULL || defined __need_wint_t
#define __lariat_stddef_part
#endif

#if !defined __lariat_stddef_part || defined __need_size_t
#ifndef __lariat_size_t
#define __lariat_size_t
typedef __SIZE_TYPE__ size_t;
#endif
#endif
#if !defined __lariat_stddef_part || defined __need_ptrdiff_t
#ifndef __lariat_ptrdiff_t
#define __lariat_ptrdiff_t
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif
#endif
#if !defined __lariat_stddef_part || defined __need_wchar_t
#ifndef __lariat_wchar_t
#define __lariat_wchar_t
typedef __WCHAR_TYPE__ wchar_t;
#endif
#endif
#ifdef __need_wint_t
#ifndef __lariat_wint_t
#define __lariat_wint_t
typedef __WINT_TYPE__ wint_t;
#endif
#endif
#if !defined __lariat_stddef_part || defined __need_NULL
#undef NULL
#define NULL ((void *)0)
#endif
#ifndef __lariat_stddef_part
#ifndef __lariat_max_align_t
#define __lariat_max_align_t
typedef struct {
  long long __lariat_integer __attribute__((__aligned__(__alignof__(long long))));
  long double __lariat_float __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;
#endif
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#undef __lariat_stddef_part
#undef __need_ptrdiff_t
#undef __need_size_t
#undef __need_wchar_t
#undef __need_wint_t
#undef __need_NULL
