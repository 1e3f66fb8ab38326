/*
 * Functions on arrays of a type that is not known here: T stands for it. Calls of memcpy, memmove, memset, calloc,
 * realloc and qsort on elements of one type are bound to copies of these in which T is that type, so that objects are
 * read and written as what they are and not byte by byte. Nothing here may depend on the size of T.
 */

void *malloc(size_t size);

struct __lariat_T {
    char byte;
};
typedef struct __lariat_T T;

/* The bytes of an element that belong to no member. */
void __lariat_zero_padding(T *to);
void __lariat_copy_padding(T *to, const T *from);

/* memcpy of count elements. */
void __lariat_typed_copy(T *to, const T *from, size_t count)
{
    __lariat_check(!LARIAT_CHECKS_MEMORY || count == 0 || to == from || to + count <= from || from + count <= to, "bounds",
                   "memory that is copied can overlap with where it is copied to");
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        __lariat_copy_padding(to + i, from + i);
    }
}

/* memcpy of count elements that are assigned one by one. */
void __lariat_typed_apart(const T *to, const T *from, size_t count)
{
    __lariat_check(!LARIAT_CHECKS_MEMORY || to == from || to + count <= from || from + count <= to, "bounds",
                   "memory that is copied can overlap with where it is copied to");
}

/* memmove of count elements. */
void __lariat_typed_move(T *to, const T *from, size_t count)
{
    if (to <= from) {
        for (size_t i = 0; i < count; i++) {
            to[i] = from[i];
            __lariat_copy_padding(to + i, from + i);
        }
    } else {
        for (size_t i = count; i > 0; i--) {
            to[i - 1] = from[i - 1];
            __lariat_copy_padding(to + (i - 1), from + (i - 1));
        }
    }
}

/* memset of count elements to zero. */
void __lariat_typed_zero(T *to, size_t count)
{
    T zero = {};
    for (size_t i = 0; i < count; i++) {
        to[i] = zero;
        __lariat_zero_padding(to + i);
    }
}

/* calloc; an object of `size` bytes is `elements` elements. */
void *__lariat_typed_calloc(size_t count, size_t size, size_t elements)
{
    if (count > SIZE_MAX / size) {
        __lariat_set_errno();
        return NULL;
    }
    T *p = malloc(count * size);
    if (p != NULL) {
        T zero = {};
        for (size_t i = 0; i < count * elements; i++) {
            p[i] = zero;
            __lariat_zero_padding(p + i);
        }
    }
    return p;
}

/* realloc to `bytes` bytes; an element takes `size` of them. */
void *__lariat_typed_realloc(T *from, size_t bytes, size_t size)
{
    if (from == NULL)
        return malloc(bytes);
    __lariat_check(__lariat_valid(from, 0), "use-after-free", "realloc of an object that is not alive");
    if (__lariat_malloc_may_fail() || bytes > SIZE_MAX / 2) {
        __lariat_set_errno();
        return NULL;
    }
    if (bytes == 0 && __VERIFIER_nondet_bool()) {
        __lariat_free(from);
        return NULL;
    }
    T *to = __lariat_allocate(bytes, LARIAT_HEAP);
    size_t n = bytes;
    if (LARIAT_CHECKS_MEMORY && __lariat_object_size(from) < bytes)
        n = __lariat_object_size(from);
    n = n / size;
    for (size_t i = 0; i < n; i++) {
        to[i] = from[i];
        __lariat_copy_padding(to + i, from + i);
    }
    __lariat_free(from);
    return to;
}

/* qsort: by insertion; equal elements end in any order. */
void __lariat_typed_qsort(T *a, size_t count, int (*compare)(const void *, const void *))
{
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        while (j > 0) {
            int order = compare(a + (j - 1), a + j);
            if (order < 0 || (order == 0 && !__VERIFIER_nondet_bool()))
                break;
            T element = a[j - 1];
            a[j - 1] = a[j];
            a[j] = element;
            j--;
        }
    }
}
