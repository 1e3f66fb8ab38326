/* Names of the linker: what is defined here clashes with no declaration in the program. */
#define LARIAT_STRING_(text) #text
#define LARIAT_STRING(text) LARIAT_STRING_(text)
#define LARIAT_SYMBOL(name) __asm__(LARIAT_STRING(__USER_LABEL_PREFIX__) name)
#define LARIAT_PLAIN __attribute__((no_instrument_function))

extern long lariat_write(int, const void *, unsigned long) LARIAT_SYMBOL("write");
extern void lariat_exit(int) LARIAT_SYMBOL("_exit") __attribute__((noreturn));

LARIAT_PLAIN static void lariat_say(const char *text)
{
    unsigned long length = 0;
    while (text[length])
        length++;
    lariat_write(2, text, length);
}

LARIAT_PLAIN static void lariat_say_number(unsigned long number, unsigned base)
{
    char digits[24];
    int at = sizeof digits - 1;
    digits[at] = 0;
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number);
    lariat_say(digits + at);
}

/* A function that stands for an error was called from `site`. */
LARIAT_PLAIN static void lariat_error(const char *name, void *site)
{
    lariat_say("lariat: reached error ");
    lariat_say(name);
    lariat_say(" from 0x");
    lariat_say_number((unsigned long)site, 16);
    lariat_say("\n");
    lariat_exit(42);
}

/* A label was reached. */
LARIAT_PLAIN static void lariat_label(unsigned line)
{
    lariat_say("lariat: reached label at line ");
    lariat_say_number(line, 10);
    lariat_say("\n");
    lariat_exit(42);
}

/* An assertion failed; the file is empty and the line 0 if the caller does not tell them. */
LARIAT_PLAIN static void lariat_assertion(const char *file, unsigned line, void *site)
{
    lariat_say("lariat: reached assertion at line ");
    lariat_say_number(line, 10);
    lariat_say(" of ");
    lariat_say(file);
    lariat_say(" from 0x");
    lariat_say_number((unsigned long)site, 16);
    lariat_say("\n");
    lariat_exit(42);
}
