/*
 * What calls of printf and scanf functions with a constant format are bound to. The format is taken apart when the call
 * is bound; for each part one of these functions is called.
 *
 * sprintf(to, "%d:%s", i, s) becomes
 *     count = 0;
 *     count = __lariat_put_signed(to, SIZE_MAX, count, i, 0, 0, -1);
 *     count = __lariat_put_string(to, SIZE_MAX, count, ":", 0, 0, -1);
 *     count = __lariat_put_string(to, SIZE_MAX, count, s, 0, 0, -1);
 *     __lariat_put_end(to, SIZE_MAX, count)
 */

int isspace(int c);
size_t strlen(const char *s);

/* Flags of a conversion. */
#define LEFT 1
#define PLUS 2
#define SPACE 4
#define ALTERNATIVE 8
#define ZERO 16

/* One more character, if there is room for it and for the zero at the end. */
size_t __lariat_put(char *to, size_t room, size_t count, char c)
{
    if (room > 0 && count < room - 1)
        to[count] = c;
    return count + 1;
}

/* A character n times. */
static size_t __lariat_put_many(char *to, size_t room, size_t count, char c, int n)
{
    for (int i = 0; i < n; i++)
        count = __lariat_put(to, room, count, c);
    return count;
}

/* %c: one character. */
size_t __lariat_put_char(char *to, size_t room, size_t count, int c, int flags, int width)
{
    if (!(flags & LEFT))
        count = __lariat_put_many(to, room, count, ' ', width - 1);
    count = __lariat_put(to, room, count, (char)c);
    if (flags & LEFT)
        count = __lariat_put_many(to, room, count, ' ', width - 1);
    return count;
}

/* %s: a string, of which at most `precision` characters are looked at if that is not negative. */
size_t __lariat_put_string(char *to, size_t room, size_t count, const char *s, int flags, int width, int precision)
{
    int length = 0;
    while ((precision < 0 || length < precision) && s[length] != 0)
        length++;
    if (!(flags & LEFT))
        count = __lariat_put_many(to, room, count, ' ', width - length);
    size_t end = count + (size_t)length + 1;
    LARIAT_APART(to, end < room ? end : room, s, (size_t)length + (precision < 0 || length < precision));
    for (int i = 0; i < length; i++)
        count = __lariat_put(to, room, count, s[i]);
    if (flags & LEFT)
        count = __lariat_put_many(to, room, count, ' ', width - length);
    return count;
}

/* A number: `sign` (0: none), then its digits. `base` is 8, 10 or 16; 17 stands for 16 with capital letters. */
static size_t __lariat_put_number(char *to, size_t room, size_t count, unsigned long long value, char sign, int base,
                                  int flags, int width, int precision)
{
    char digits[24];
    int n = 0;
    int capital = base == 17;
    unsigned long long rest = value;
    unsigned long long divisor = base == 17 ? 16 : (unsigned long long)base;
    while (rest != 0) {
        int digit = (int)(rest % divisor);
        digits[n] = (char)(digit < 10 ? '0' + digit : (capital ? 'A' : 'a') + digit - 10);
        n++;
        rest /= divisor;
    }
    int zeros = (precision < 0 ? 1 : precision) - n;
    if (zeros < 0)
        zeros = 0;
    if (base == 8 && (flags & ALTERNATIVE) && zeros == 0)
        zeros = 1;
    int prefix = divisor == 16 && (flags & ALTERNATIVE) && value != 0 ? 2 : 0;
    int length = n + zeros + prefix + (sign != 0);
    if ((flags & ZERO) && !(flags & LEFT) && precision < 0 && width > length) {
        zeros += width - length;
        length = width;
    }
    if (!(flags & LEFT))
        count = __lariat_put_many(to, room, count, ' ', width - length);
    if (sign != 0)
        count = __lariat_put(to, room, count, sign);
    if (prefix != 0) {
        count = __lariat_put(to, room, count, '0');
        count = __lariat_put(to, room, count, capital ? 'X' : 'x');
    }
    count = __lariat_put_many(to, room, count, '0', zeros);
    for (int i = n; i > 0; i--)
        count = __lariat_put(to, room, count, digits[i - 1]);
    if (flags & LEFT)
        count = __lariat_put_many(to, room, count, ' ', width - length);
    return count;
}

/* %d and %i. */
size_t __lariat_put_signed(char *to, size_t room, size_t count, long long value, int flags, int width, int precision)
{
    unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    char sign = value < 0 ? '-' : flags & PLUS ? '+' : flags & SPACE ? ' ' : 0;
    return __lariat_put_number(to, room, count, magnitude, sign, 10, flags, width, precision);
}

/* %u, %o, %x and %X. */
size_t __lariat_put_unsigned(char *to, size_t room, size_t count, unsigned long long value, int base, int flags,
                             int width, int precision)
{
    return __lariat_put_number(to, room, count, value, 0, base, flags, width, precision);
}

/* %p, %f, %e, %g, %a: some text of `least` to `most` characters. */
size_t __lariat_put_any(char *to, size_t room, size_t count, int least, int most)
{
    int length = __lariat_any_int();
    __lariat_assume(length >= least && length <= most);
    for (int i = 0; i < length; i++) {
        char c = (char)__lariat_any_int();
        __lariat_assume(c != 0);
        count = __lariat_put(to, room, count, c);
    }
    return count;
}

/* The zero at the end; the number of characters that there would be with enough room. */
int __lariat_put_end(char *to, size_t room, size_t count)
{
    if (room > 0)
        to[count < room ? count : room - 1] = 0;
    return (int)count;
}

/* A format that is read while the program runs, with its arguments; as long as there is room, the text goes to `to`. */
int __lariat_format(char *to, size_t room, const char *format, va_list arguments)
{
    size_t count = 0;
    for (size_t i = 0; format[i] != 0; i++) {
        if (format[i] != '%') {
            count = __lariat_put(to, room, count, format[i]);
            continue;
        }
        int flags = 0;
        for (i++;; i++) {
            char c = format[i];
            int flag = c == '-'   ? LEFT
                       : c == '+' ? PLUS
                       : c == ' ' ? SPACE
                       : c == '#' ? ALTERNATIVE
                       : c == '0' ? ZERO
                                  : 0;
            if (flag == 0)
                break;
            flags |= flag;
        }
        int amounts[2] = {0, -1};
        for (int part = 0; part < 2; part++) {
            if (part == 1) {
                if (format[i] != '.')
                    break;
                amounts[1] = 0;
                i++;
            }
            if (format[i] == '*') {
                amounts[part] = va_arg(arguments, int);
                i++;
            }
            for (; format[i] >= '0' && format[i] <= '9'; i++)
                amounts[part] = amounts[part] * 10 + (format[i] - '0');
        }
        int width = amounts[0];
        int precision = amounts[1];
        if (width < 0) {
            flags |= LEFT;
            width = -width;
        }
        /* The length: a letter, H and q for two of a kind. */
        char length = 0;
        for (; format[i] == 'h' || format[i] == 'l' || format[i] == 'j' || format[i] == 'z' || format[i] == 't' ||
               format[i] == 'L';
             i++)
            length = length == 'h' && format[i] == 'h' ? 'H' : length == 'l' && format[i] == 'l' ? 'q' : format[i];
        char letter = format[i];
        if (letter == '%') {
            count = __lariat_put(to, room, count, '%');
        } else if (letter == 'd' || letter == 'i') {
            long long value;
            if (length == 'l')
                value = va_arg(arguments, long);
            else if (length == 'q' || length == 'j')
                value = va_arg(arguments, long long);
            else if (length == 'z' || length == 't')
                value = va_arg(arguments, ptrdiff_t);
            else
                value = va_arg(arguments, int);
            if (length == 'h')
                value = (short)value;
            else if (length == 'H')
                value = (signed char)value;
            count = __lariat_put_signed(to, room, count, value, flags, width, precision);
        } else if (letter == 'u' || letter == 'o' || letter == 'x' || letter == 'X') {
            unsigned long long value;
            if (length == 'l')
                value = va_arg(arguments, unsigned long);
            else if (length == 'q' || length == 'j')
                value = va_arg(arguments, unsigned long long);
            else if (length == 'z' || length == 't')
                value = va_arg(arguments, size_t);
            else
                value = va_arg(arguments, unsigned int);
            if (length == 'h')
                value = (unsigned short)value;
            else if (length == 'H')
                value = (unsigned char)value;
            int base = letter == 'u' ? 10 : letter == 'o' ? 8 : letter == 'x' ? 16 : 17;
            count = __lariat_put_unsigned(to, room, count, value, base, flags, width, precision);
        } else if (letter == 'c' && length == 0) {
            count = __lariat_put_char(to, room, count, va_arg(arguments, int), flags, width);
        } else if (letter == 's' && length == 0) {
            count = __lariat_put_string(to, room, count, va_arg(arguments, const char *), flags, width, precision);
        } else if (letter == 'n' && length == 0) {
            *va_arg(arguments, int *) = (int)count;
        } else if (letter == 'p') {
            __lariat_expose(va_arg(arguments, void *));
            count = __lariat_put_any(to, room, count, width > 1 ? width : 1, width > 40 ? width : 40);
        } else if (letter == 'f' || letter == 'F' || letter == 'e' || letter == 'E' || letter == 'g' || letter == 'G' ||
                   letter == 'a' || letter == 'A') {
            if (length == 'L')
                va_arg(arguments, long double);
            else
                va_arg(arguments, double);
            int most = (precision < 0 ? 40 : precision) + (length == 'L' ? 4940 : 320);
            count = __lariat_put_any(to, room, count, width > 1 ? width : 1, width > most ? width : most);
        } else {
            __lariat_unsupported("a conversion of a format that is not modelled");
        }
    }
    return __lariat_put_end(to, room, count);
}

/* An argument for %s of a function that writes to a stream: with memory checks, the string must be there. */
const char *__lariat_printed_string(const char *s, int precision)
{
    if (LARIAT_CHECKS_MEMORY) {
        int length = 0;
        while ((precision < 0 || length < precision) && s[length] != 0)
            length++;
    }
    return s;
}

/* The argument of %n: some number of characters. */
int *__lariat_printed_count(int *count)
{
    int value = __VERIFIER_nondet_int();
    __lariat_assume(value >= 0);
    *count = value;
    return count;
}

/* How many of these conversions scanf makes; EOF if the input ends before the first. */
int __lariat_scan_begin(int conversions)
{
    int made = __VERIFIER_nondet_int();
    __lariat_assume(made >= EOF && made <= conversions);
    if (made == EOF && __VERIFIER_nondet_bool())
        __lariat_set_errno();
    return made;
}

/* %s and %[: at least one and at most `width` characters (any number if it is 0), and a zero. The input is a text of the
   program, which is not looked at, if `is_text`. */
void __lariat_scan_string(char *to, size_t width, int spaces, int is_text)
{
    size_t length = __VERIFIER_nondet_size_t();
    __lariat_assume(length > 0 && (width == 0 || length <= width));
    for (size_t i = 0; i < length; i++) {
        char c = is_text ? (char)__lariat_any_int() : __VERIFIER_nondet_char();
        __lariat_assume(spaces || !isspace((unsigned char)c));
        to[i] = c;
    }
    to[length] = 0;
}

/* %c: `width` characters, without a zero. */
void __lariat_scan_chars(char *to, size_t width)
{
    LARIAT_FILL(to, width);
}
