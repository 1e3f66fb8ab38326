/*
 * Numbers with a point in text: strtod and the like, in the locale "C". A number with few digits is one operation on two numbers that are
 * exact: as IEEE 754 rounds it, so does the library. Of others (many digits, large exponents, hexadecimal ones, words) the value is any
 * number, and a failure that used it is unconfirmed.
 */

size_t strlen(const char *s);

/* More digits than this may not fit: 2^53 for double, 2^24 for float. */
#define DIGITS_OF_DOUBLE 9007199254740992ULL
#define DIGITS_OF_FLOAT 16777216ULL

/* The powers of ten that are exact: up to 10^22 for double, 10^10 for float. */
static const double __lariat_powers_of_ten[23] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

struct __lariat_decimal {
    int negative;
    /* digits * 10^exponent, unless the value is not known. */
    int is_known;
    unsigned long long digits;
    int exponent;
    /* How many characters it has with what is before it; 0 if there is no number. */
    size_t length;
};

/* Reads an exponent behind its letter, at s[i]: without a digit it is none. */
static void __lariat_read_exponent(const char *s, size_t i, struct __lariat_decimal *number)
{
    int exponent = 0;
    int negative = s[i] == '-';
    if (s[i] == '-' || s[i] == '+')
        i++;
    for (; s[i] >= '0' && s[i] <= '9'; i++) {
        if (exponent < 100000)
            exponent = exponent * 10 + (s[i] - '0');
        number->length = i + 1;
    }
    number->exponent += negative ? -exponent : exponent;
}

static struct __lariat_decimal __lariat_read_decimal(const char *s)
{
    struct __lariat_decimal number = {0, 1, 0, 0, 0};
    size_t i = 0;
    int is_behind_point = 0;
    while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))
        i++;
    if (s[i] == '-' || s[i] == '+') {
        number.negative = s[i] == '-';
        i++;
    }
    int may_be_word = s[i] == 'i' || s[i] == 'I' || s[i] == 'n' || s[i] == 'N';
    if (may_be_word || (s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X'))) {
        number.is_known = 0;
        number.length = (size_t)__lariat_any_int();
        __lariat_assume(number.length <= strlen(s) && (may_be_word || number.length > i));
        return number;
    }
    for (;; i++) {
        if (s[i] == '.' && !is_behind_point) {
            is_behind_point = 1;
            if (number.length != 0)
                number.length = i + 1;
            continue;
        }
        if (s[i] < '0' || s[i] > '9')
            break;
        if (number.digits >= DIGITS_OF_DOUBLE / 10)
            number.is_known = 0;
        else
            number.digits = number.digits * 10 + (unsigned long long)(s[i] - '0');
        number.exponent -= is_behind_point;
        number.length = i + 1;
    }
    if (number.length != 0 && (s[i] == 'e' || s[i] == 'E'))
        __lariat_read_exponent(s, i + 1, &number);
    return number;
}

/* Whether one operation gives the value, in a type with this many digits and exact powers of ten. */
static int __lariat_is_exact(const struct __lariat_decimal *number, unsigned long long digits, int power)
{
    return number->is_known && number->digits <= digits && number->exponent >= -power && number->exponent <= power;
}

/* A number that the real function knows. It may be too large or too small. */
static double __lariat_other_value(const struct __lariat_decimal *number)
{
    double value;
    if (number->is_known && number->digits == 0)
        return number->negative ? -0.0 : 0.0;
    __lariat_any_bytes(&value, sizeof value);
    if (__lariat_any_int())
        errno = ERANGE;
    return value;
}

/* The number at the start of a text, or 0; *end is the rest. */
double strtod(const char *restrict s, char **restrict end)
{
    struct __lariat_decimal number = __lariat_read_decimal(s);
    if (end != NULL)
        *end = (char *)s + number.length;
    if (number.length == 0)
        return 0.0;
    if (!__lariat_is_exact(&number, DIGITS_OF_DOUBLE, 22))
        return __lariat_other_value(&number);
    double value = number.exponent < 0 ? (double)number.digits / __lariat_powers_of_ten[-number.exponent]
                                       : (double)number.digits * __lariat_powers_of_ten[number.exponent];
    return number.negative ? -value : value;
}

/* The number at the start of a text, rounded once. */
float strtof(const char *restrict s, char **restrict end)
{
    struct __lariat_decimal number = __lariat_read_decimal(s);
    if (end != NULL)
        *end = (char *)s + number.length;
    if (number.length == 0)
        return 0.0f;
    if (!__lariat_is_exact(&number, DIGITS_OF_FLOAT, 10))
        return (float)__lariat_other_value(&number);
    float value = number.exponent < 0 ? (float)number.digits / (float)__lariat_powers_of_ten[-number.exponent]
                                      : (float)number.digits * (float)__lariat_powers_of_ten[number.exponent];
    return number.negative ? -value : value;
}

/* The number at the start of a text, rounded once. */
long double strtold(const char *restrict s, char **restrict end)
{
    struct __lariat_decimal number = __lariat_read_decimal(s);
    if (end != NULL)
        *end = (char *)s + number.length;
    if (number.length == 0)
        return 0.0L;
    if (!__lariat_is_exact(&number, DIGITS_OF_DOUBLE, 22))
        return (long double)__lariat_other_value(&number);
    long double value = number.exponent < 0 ? (long double)number.digits / (long double)__lariat_powers_of_ten[-number.exponent]
                                            : (long double)number.digits * (long double)__lariat_powers_of_ten[number.exponent];
    return number.negative ? -value : value;
}

/* strtod(s, NULL). */
double atof(const char *s)
{
    return strtod(s, NULL);
}
