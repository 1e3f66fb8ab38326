/* string.h and strings.h, in the C locale. Bytes are compared as unsigned char. */

void *malloc(size_t size);
int tolower(int c);

/* Says that this file is the one that came with Lariat. */
void __lariat_string_c(void)
{
}

/* The number of characters before the terminating zero. */
size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

/* strlen, but looks at no more than max characters. */
size_t strnlen(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n] != 0)
        n++;
    return n;
}

/*
 * Copies n bytes between objects that do not overlap, or that are the same (compilers rely on it); returns to.
 */
void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    __lariat_check(!LARIAT_CHECKS_MEMORY || n == 0 || d == s || d + n <= s || s + n <= d, "bounds",
                   "memory that is copied can overlap with where it is copied to");
    for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    return to;
}

/* memcpy; returns the byte after the last one written. */
void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    __lariat_check(!LARIAT_CHECKS_MEMORY || n == 0 || d == s || d + n <= s || s + n <= d, "bounds",
                   "memory that is copied can overlap with where it is copied to");
    for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    return d + n;
}

/* Copies n bytes between objects that may overlap; returns to. */
void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    if (d <= s) {
        for (size_t i = 0; i < n; i++)
            d[i] = s[i];
    } else {
        for (size_t i = n; i > 0; i--)
            d[i - 1] = s[i - 1];
    }
    return to;
}

/* Copies up to n bytes, the last being the first that equals c; returns the byte after it in to, or null. */
void *memccpy(void *restrict to, const void *restrict from, int c, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = s[i];
        d[i] = byte;
        if (byte == (unsigned char)c) {
            LARIAT_APART(d, i + 1, s, i + 1);
            return d + i + 1;
        }
    }
    LARIAT_APART(d, n, s, n);
    return NULL;
}

/* Sets n bytes to c; returns s. */
void *memset(void *s, int c, size_t n)
{
    unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)c;
    return s;
}

/* memset that a compiler does not remove. */
void *memset_explicit(void *s, int c, size_t n)
{
    return memset(s, c, n);
}

/* Sets n bytes to zero. */
void bzero(void *s, size_t n)
{
    unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        p[i] = 0;
}

/* bzero that a compiler does not remove. */
void explicit_bzero(void *s, size_t n)
{
    bzero(s, n);
}

/* memmove with the arguments the other way round. */
void bcopy(const void *from, void *to, size_t n)
{
    memmove(to, from, n);
}

/* Negative, zero or positive as the first n bytes compare. */
int memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] - b[i];
    }
    return 0;
}

/* Zero if the first n bytes are equal, otherwise not. */
int bcmp(const void *left, const void *right, size_t n)
{
    return memcmp(left, right, n);
}

/* The first of n bytes that equals c, or null. */
void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    }
    return NULL;
}

/* The last of n bytes that equals c, or null. */
void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = n; i > 0; i--) {
        if (p[i - 1] == (unsigned char)c)
            return (void *)(p + i - 1);
    }
    return NULL;
}

/* The first byte that equals c; there must be one. */
void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

/* The first occurrence of a block of bytes in another, or null. */
void *memmem(const void *s, size_t n, const void *part, size_t length)
{
    const unsigned char *p = s;
    if (length > n)
        return NULL;
    for (size_t i = 0; i <= n - length; i++) {
        if (memcmp(p + i, part, length) == 0)
            return (void *)(p + i);
    }
    return NULL;
}

/* Copies a string with its zero; returns to. */
char *strcpy(char *restrict to, const char *restrict from)
{
    size_t i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    LARIAT_APART(to, i + 1, from, i + 1);
    return to;
}

/* strcpy; returns the address of the zero written. */
char *stpcpy(char *restrict to, const char *restrict from)
{
    size_t i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    LARIAT_APART(to, i + 1, from, i + 1);
    return to + i;
}

/* Writes exactly n characters: those of the string, then zeros; no zero if the string has n or more. */
char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    LARIAT_APART(to, n, from, i < n ? i + 1 : n);
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

/* strncpy; returns the address of the first zero written, or to + n. */
char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    size_t end = i;
    LARIAT_APART(to, n, from, i < n ? i + 1 : n);
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to + end;
}

/* Copies at most size - 1 characters and a zero (nothing if size is 0); returns strlen(from). */
size_t strlcpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t i = 0;
    while (from[i] != 0) {
        if (i + 1 < size)
            to[i] = from[i];
        i++;
    }
    if (size > 0)
        to[i < size ? i : size - 1] = 0;
    LARIAT_APART(to, i < size ? i + 1 : size, from, i + 1);
    return i;
}

/* Appends so that the whole has at most size - 1 characters; returns the length it tried to make. */
size_t strlcat(char *restrict to, const char *restrict from, size_t size)
{
    size_t start = strnlen(to, size);
    if (start == size)
        return size + strlen(from);
    return start + strlcpy(to + start, from, size - start);
}

/* Appends a string; returns to. */
char *strcat(char *restrict to, const char *restrict from)
{
    size_t end = 0;
    while (to[end] != 0)
        end++;
    size_t i = 0;
    while (from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    LARIAT_APART(to + end, i + 1, from, i + 1);
    return to;
}

/* Appends at most n characters and a zero; returns to. */
char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    size_t end = 0;
    while (to[end] != 0)
        end++;
    size_t i = 0;
    while (i < n && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    LARIAT_APART(to + end, i + 1, from, i < n ? i + 1 : n);
    return to;
}

/* Negative, zero or positive as the strings compare: the difference of the characters, as glibc does it. */
int strcmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    unsigned char a = (unsigned char)left[i];
    unsigned char b = (unsigned char)right[i];
    return a - b;
}

/* strcmp of at most n characters. */
int strncmp(const char *left, const char *right, size_t n)
{
    size_t i = 0;
    while (i < n && left[i] != 0 && left[i] == right[i])
        i++;
    if (i == n)
        return 0;
    unsigned char a = (unsigned char)left[i];
    unsigned char b = (unsigned char)right[i];
    return a - b;
}

/* In the C locale, strcmp. */
int strcoll(const char *left, const char *right)
{
    return strcmp(left, right);
}

/* In the C locale, strlcpy. */
size_t strxfrm(char *restrict to, const char *restrict from, size_t n)
{
    return strlcpy(to, from, n);
}

/* strcmp of the strings in lower case. */
int strcasecmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && tolower((unsigned char)left[i]) == tolower((unsigned char)right[i]))
        i++;
    int a = tolower((unsigned char)left[i]);
    int b = tolower((unsigned char)right[i]);
    return a - b;
}

/* strcasecmp of at most n characters. */
int strncasecmp(const char *left, const char *right, size_t n)
{
    size_t i = 0;
    while (i < n && left[i] != 0 && tolower((unsigned char)left[i]) == tolower((unsigned char)right[i]))
        i++;
    if (i == n)
        return 0;
    int a = tolower((unsigned char)left[i]);
    int b = tolower((unsigned char)right[i]);
    return a - b;
}

/* The first character that equals c (the zero counts), or null. */
char *strchr(const char *s, int c)
{
    while (*s != (char)c) {
        if (*s == 0)
            return NULL;
        s++;
    }
    return (char *)s;
}

/* The old name of strchr. */
char *index(const char *s, int c)
{
    return strchr(s, c);
}

/* The first character that equals c, or the address of the zero. */
char *strchrnul(const char *s, int c)
{
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

/* The last character that equals c (the zero counts), or null. */
char *strrchr(const char *s, int c)
{
    const char *found = NULL;
    while (*s != 0) {
        if (*s == (char)c)
            found = s;
        s++;
    }
    if ((char)c == 0)
        found = s;
    return (char *)found;
}

/* The old name of strrchr. */
char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

/* The first occurrence of a string in another, or null. */
char *strstr(const char *s, const char *part)
{
    for (;;) {
        size_t i = 0;
        while (part[i] != 0 && s[i] == part[i])
            i++;
        if (part[i] == 0)
            return (char *)s;
        if (*s == 0)
            return NULL;
        s++;
    }
}

/* strstr without looking at the case of letters. */
char *strcasestr(const char *s, const char *part)
{
    for (;;) {
        size_t i = 0;
        while (part[i] != 0 && tolower((unsigned char)s[i]) == tolower((unsigned char)part[i]))
            i++;
        if (part[i] == 0)
            return (char *)s;
        if (*s == 0)
            return NULL;
        s++;
    }
}

/* Whether a character other than zero is in a string. */
static int __lariat_is_one_of(char c, const char *set)
{
    while (*set != 0) {
        if (*set == c)
            return 1;
        set++;
    }
    return 0;
}

/* The length of the longest start that has only characters of the set. */
size_t strspn(const char *s, const char *accept)
{
    size_t n = 0;
    while (s[n] != 0 && __lariat_is_one_of(s[n], accept))
        n++;
    return n;
}

/* The length of the longest start that has no character of the set. */
size_t strcspn(const char *s, const char *reject)
{
    size_t n = 0;
    while (s[n] != 0 && !__lariat_is_one_of(s[n], reject))
        n++;
    return n;
}

/* The first character that is in the set, or null. */
char *strpbrk(const char *s, const char *accept)
{
    while (*s != 0) {
        if (__lariat_is_one_of(*s, accept))
            return (char *)s;
        s++;
    }
    return NULL;
}

/* The next token of s, or of *next if s is null; the text is cut with zeros. */
char *strtok_r(char *restrict s, const char *restrict separators, char **restrict next)
{
    if (s == NULL)
        s = *next;
    if (s == NULL)
        return NULL;
    while (*s != 0 && __lariat_is_one_of(*s, separators))
        s++;
    if (*s == 0) {
        *next = s;
        return NULL;
    }
    char *token = s;
    while (*s != 0 && !__lariat_is_one_of(*s, separators))
        s++;
    if (*s == 0) {
        *next = s;
    } else {
        *s = 0;
        *next = s + 1;
    }
    return token;
}

static char *__lariat_strtok_next;

/* strtok_r with one hidden place for the rest. */
char *strtok(char *restrict s, const char *restrict separators)
{
    return strtok_r(s, separators, &__lariat_strtok_next);
}

/* The text before the next separator, which is cut with a zero; *s is the rest, or null at the end. */
char *strsep(char **restrict s, const char *restrict separators)
{
    char *token = *s;
    if (token == NULL)
        return NULL;
    char *end = token;
    while (*end != 0 && !__lariat_is_one_of(*end, separators))
        end++;
    if (*end == 0) {
        *s = NULL;
    } else {
        *end = 0;
        *s = end + 1;
    }
    return token;
}

/* A copy on the heap, or null if there is no memory. */
char *strdup(const char *s)
{
    size_t n = strlen(s);
    char *copy = malloc(n + 1);
    if (copy != NULL) {
        for (size_t i = 0; i <= n; i++)
            copy[i] = s[i];
    }
    return copy;
}

/* A copy of at most max characters on the heap, or null if there is no memory. */
char *strndup(const char *s, size_t max)
{
    size_t n = strnlen(s, max);
    char *copy = malloc(n + 1);
    if (copy != NULL) {
        for (size_t i = 0; i < n; i++)
            copy[i] = s[i];
        copy[n] = 0;
    }
    return copy;
}

static char __lariat_message[64];

/* A message: some string of at most 63 characters, which later calls may change. */
static char *__lariat_any_message(void)
{
    __lariat_any_bytes(__lariat_message, sizeof __lariat_message);
    __lariat_message[63] = 0;
    return __lariat_message;
}

/* The text of an error number: some string of at most 63 characters. */
char *strerror(int number)
{
    return __lariat_any_message();
}

/* The text of a signal: some string of at most 63 characters. */
char *strsignal(int number)
{
    return __lariat_any_message();
}

/* GNU: the text of an error number, in the buffer or elsewhere. */
char *strerror_r(int number, char *buffer, size_t size)
{
    if (size > 0 && __VERIFIER_nondet_bool()) {
        LARIAT_FILL(buffer, size);
        buffer[size - 1] = 0;
        return buffer;
    }
    return __lariat_any_message();
}

/* POSIX: writes the text of an error number, cut to size - 1 characters; 0 or an error number. */
int __xpg_strerror_r(int number, char *buffer, size_t size)
{
    int result = __VERIFIER_nondet_int();
    __lariat_assume(result >= 0);
    if (size > 0) {
        LARIAT_FILL(buffer, size);
        buffer[size - 1] = 0;
    }
    return result;
}
