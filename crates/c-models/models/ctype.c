/*
 * ctype.h in the C locale. The argument must be EOF or fit unsigned char; other values are undefined behaviour. Where the
 * program sets a locale, nothing is known of characters that are not ASCII. What is not zero is the bit of glibc's table.
 */

#define LARIAT_LOCALE(c) \
    if (__lariat_uses("setlocale")) \
        if ((c) > 127 || (c) < -1) \
            return __lariat_any_int();

/* 'a' to 'z'. */
int islower(int c)
{
    LARIAT_LOCALE(c)
    return (c >= 'a' && c <= 'z') ? 512 : 0;
}

/* 'A' to 'Z'. */
int isupper(int c)
{
    LARIAT_LOCALE(c)
    return (c >= 'A' && c <= 'Z') ? 256 : 0;
}

/* A letter. */
int isalpha(int c)
{
    LARIAT_LOCALE(c)
    return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) ? 1024 : 0;
}

/* '0' to '9'. */
int isdigit(int c)
{
    return (c >= '0' && c <= '9') ? 2048 : 0;
}

/* A letter or digit. */
int isalnum(int c)
{
    LARIAT_LOCALE(c)
    return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) ? 8 : 0;
}

/* A hexadecimal digit. */
int isxdigit(int c)
{
    return ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) ? 4096 : 0;
}

/* Space, tab, line feed, vertical tab, form feed, carriage return. */
int isspace(int c)
{
    LARIAT_LOCALE(c)
    return (c == ' ' || (c >= '\t' && c <= '\r')) ? 8192 : 0;
}

/* Space or tab. */
int isblank(int c)
{
    LARIAT_LOCALE(c)
    return (c == ' ' || c == '\t') ? 1 : 0;
}

/* A control character of ASCII. */
int iscntrl(int c)
{
    LARIAT_LOCALE(c)
    return ((c >= 0 && c < 32) || c == 127) ? 2 : 0;
}

/* A character of ASCII that takes room, or a space. */
int isprint(int c)
{
    LARIAT_LOCALE(c)
    return (c >= 32 && c < 127) ? 16384 : 0;
}

/* A character of ASCII that takes room. */
int isgraph(int c)
{
    LARIAT_LOCALE(c)
    return (c > 32 && c < 127) ? 32768 : 0;
}

/* A character of ASCII that takes room and is no letter or digit. */
int ispunct(int c)
{
    LARIAT_LOCALE(c)
    return (isgraph(c) && !isalnum(c)) ? 4 : 0;
}

/* A character of ASCII. */
int isascii(int c)
{
    return c >= 0 && c < 128;
}

/* The lowest seven bits. */
int toascii(int c)
{
    return c & 127;
}

/* The lower case of an upper-case letter; others stay. */
int tolower(int c)
{
    LARIAT_LOCALE(c)
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* The upper case of a lower-case letter; others stay. */
int toupper(int c)
{
    LARIAT_LOCALE(c)
    return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

/*
 * glibc's macros look characters up in tables from -128 to 255. The binding turns (*__ctype_b_loc())[c] & mask into a call
 * of the function above whose bit the mask is, and other uses of the tables into calls of the functions below.
 */

/* An index of glibc's tables. */
int __lariat_ctype_index(int c)
{
    __lariat_check(c >= -128 && c <= 255, "bounds", "a character's number must be EOF or fit unsigned char");
    return c;
}

/* The bits of glibc's table for a character of the C locale. */
unsigned short __lariat_ctype_b(int c)
{
    __lariat_ctype_index(c);
    unsigned short bits = 0;
    if (isupper(c))
        bits += 1 << 8;
    if (islower(c))
        bits += 1 << 9;
    if (isalpha(c))
        bits += 1 << 10;
    if (isdigit(c))
        bits += 1 << 11;
    if (isxdigit(c))
        bits += 1 << 12;
    if (isspace(c))
        bits += 1 << 13;
    if (isprint(c))
        bits += 1 << 14;
    if (isgraph(c))
        bits += 1 << 15;
    if (isblank(c))
        bits += 1 << 0;
    if (iscntrl(c))
        bits += 1 << 1;
    if (ispunct(c))
        bits += 1 << 2;
    if (isalnum(c))
        bits += 1 << 3;
    return bits;
}

/* tolower() for an index of glibc's table. */
int __lariat_ctype_tolower(int c)
{
    __lariat_ctype_index(c);
    return c == -1 ? -1 : c < 0 ? tolower(c + 256) : tolower(c);
}

/* toupper() for an index of glibc's table. */
int __lariat_ctype_toupper(int c)
{
    __lariat_ctype_index(c);
    return c == -1 ? -1 : c < 0 ? toupper(c + 256) : toupper(c);
}
