/* Names of the linker: what is defined here clashes with no declaration in the program. */
#define LARIAT_STRING_(text) #text
#define LARIAT_STRING(text) LARIAT_STRING_(text)
#define LARIAT_SYMBOL(name) __asm__(LARIAT_STRING(__USER_LABEL_PREFIX__) name)
#define LARIAT_PLAIN __attribute__((no_instrument_function, no_sanitize_thread))

extern long lariat_write(int, const void *, unsigned long) LARIAT_SYMBOL("write");
extern void lariat_leave(int) LARIAT_SYMBOL("_exit") __attribute__((noreturn));

#ifdef LARIAT_COVERAGE
/* What was executed is counted: the counts are written however the program ends, and it ends when it asks for more inputs. */
extern void lariat_write_counts(void) LARIAT_SYMBOL("__gcov_dump");
extern void (*lariat_signal(int, void (*)(int)))(int) LARIAT_SYMBOL("signal");
extern unsigned lariat_alarm(unsigned) LARIAT_SYMBOL("alarm");
#define LARIAT_NO_MORE lariat_exit(0);
#else
#define LARIAT_NO_MORE
#endif

LARIAT_PLAIN static void __attribute__((noreturn)) lariat_exit(int code)
{
#ifdef LARIAT_COVERAGE
    lariat_write_counts();
#endif
    lariat_leave(code);
}

#ifdef LARIAT_COVERAGE
LARIAT_PLAIN static void lariat_stopped(int signal)
{
    lariat_exit(128 + signal);
}

/* Abort, bus error, arithmetic, memory, alarm. */
__attribute__((constructor)) LARIAT_PLAIN static void lariat_watch(void)
{
    lariat_signal(6, lariat_stopped);
    lariat_signal(7, lariat_stopped);
    lariat_signal(8, lariat_stopped);
    lariat_signal(11, lariat_stopped);
    lariat_signal(14, lariat_stopped);
    lariat_alarm(5);
}
#endif

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
