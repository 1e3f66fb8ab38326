/* The kernel's functions for memory, as preprocessed drivers call them. */

void *memcpy(void *to, const void *from, size_t n);
void *memset(void *s, int c, size_t n);

/* The bit of the flags that asks for zeros (Linux until 5.x). */
#define GFP_ZERO 0x8000U

/* A fresh object, or null. */
void *__kmalloc(size_t size, unsigned int flags)
{
    if (__lariat_malloc_may_fail())
        return NULL;
    unsigned char *p = __lariat_allocate(size, LARIAT_HEAP);
    if (flags & GFP_ZERO) {
        for (size_t i = 0; i < size; i++)
            p[i] = 0;
    }
    return p;
}

/* A fresh object, or null. */
void *kmalloc(size_t size, unsigned int flags)
{
    return __kmalloc(size, flags);
}

/* A fresh object, or null. */
void *kmalloc_node(size_t size, unsigned int flags, int node)
{
    return __kmalloc(size, flags);
}

/* A fresh object that is zero, or null. */
void *kzalloc(size_t size, unsigned int flags)
{
    return __kmalloc(size, flags | GFP_ZERO);
}

/* A fresh array that is zero, or null. */
void *kcalloc(size_t count, size_t size, unsigned int flags)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return __kmalloc(count * size, flags | GFP_ZERO);
}

/* A fresh array, or null. */
void *kmalloc_array(size_t count, size_t size, unsigned int flags)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return __kmalloc(count * size, flags);
}

/* Ends the life of an object; null is ignored. */
void kfree(const void *pointer)
{
    __lariat_free((void *)pointer);
}

/* Ends the life of an object; null is ignored. */
void kzfree(const void *pointer)
{
    __lariat_free((void *)pointer);
}

/* A copy of a block, or null. */
void *kmemdup(const void *from, size_t size, unsigned int flags)
{
    void *to = __kmalloc(size, flags);
    if (to != NULL)
        memcpy(to, from, size);
    return to;
}

/* A copy of a string, or null; null of null. */
char *kstrdup(const char *s, unsigned int flags)
{
    if (s == NULL)
        return NULL;
    size_t n = 0;
    while (s[n] != 0)
        n++;
    char *to = __kmalloc(n + 1, flags);
    if (to != NULL)
        memcpy(to, s, n + 1);
    return to;
}

/* A fresh object, or null. */
void *vmalloc(unsigned long size)
{
    return __kmalloc(size, 0);
}

/* A fresh object that is zero, or null. */
void *vzalloc(unsigned long size)
{
    return __kmalloc(size, GFP_ZERO);
}

/* Ends the life of an object; null is ignored. */
void vfree(const void *pointer)
{
    __lariat_free((void *)pointer);
}

/* Some bytes come from the user's memory; how many were not copied, which are zero then. */
unsigned long copy_from_user(void *to, const void *from, unsigned long n)
{
    unsigned long left = __VERIFIER_nondet_ulong();
    __lariat_assume(left <= n);
    LARIAT_FILL(to, n - left);
    if (left > 0)
        memset((char *)to + (n - left), 0, left);
    return left;
}

/* Some bytes come from the user's memory; how many were not copied. */
unsigned long __copy_from_user(void *to, const void *from, unsigned long n)
{
    return copy_from_user(to, from, n);
}

/* Some bytes come from the user's memory; how many were not copied. */
unsigned long _copy_from_user(void *to, const void *from, unsigned int n)
{
    return copy_from_user(to, from, n);
}

/* Bytes go to the user's memory, which is elsewhere; how many were not copied. */
unsigned long copy_to_user(void *to, const void *from, unsigned long n)
{
    __lariat_check(n == 0 || __lariat_valid(from, n), "bounds", "copy_to_user reads outside of the object");
    unsigned long left = __VERIFIER_nondet_ulong();
    __lariat_assume(left <= n);
    return left;
}

/* Bytes go to the user's memory, which is elsewhere; how many were not copied. */
unsigned long __copy_to_user(void *to, const void *from, unsigned long n)
{
    return copy_to_user(to, from, n);
}

/* Bytes go to the user's memory, which is elsewhere; how many were not copied. */
unsigned long _copy_to_user(void *to, const void *from, unsigned int n)
{
    return copy_to_user(to, from, n);
}

/* i386: memcpy. */
void *__memcpy(void *to, const void *from, size_t n)
{
    return memcpy(to, from, n);
}

/* Writes a message; any number. */
int printk(const char *format, ...)
{
    return __VERIFIER_nondet_int();
}

/* The program ends abnormally. */
void panic(const char *format, ...)
{
    __lariat_check(0, "abort", "panic() is called");
    __lariat_stop();
}
