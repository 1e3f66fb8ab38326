/* The functions of SV-COMP's rules. __VERIFIER_nondet_* are intrinsics. */

/* Executions in which the condition is 0 are not looked at. */
void __VERIFIER_assume(int condition)
{
    __lariat_assume(condition != 0);
}

/* The error that must not be reached (rules until 2019). */
void __VERIFIER_error(void)
{
    __lariat_check(0, "reach", "__VERIFIER_error() is called");
    __lariat_stop();
}

/* The error that must not be reached. */
void reach_error(void)
{
    __lariat_check(0, "reach", "reach_error() is called");
    __lariat_stop();
}

/* An assertion. */
void __VERIFIER_assert(int condition)
{
    if (!condition) {
        __lariat_check(0, "assert", "assertion failed");
        __lariat_stop();
    }
}

/* No other thread runs until the end. */
void __VERIFIER_atomic_begin(void)
{
    __lariat_atomic_begin();
}

/* Other threads may run again. */
void __VERIFIER_atomic_end(void)
{
    __lariat_atomic_end();
}

/* The bytes become anything. */
void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    LARIAT_FILL(memory, size);
}

/* Some string of unknown length, from elsewhere. */
char *__VERIFIER_nondet_string(void)
{
    size_t n = __VERIFIER_nondet_size_t();
    __lariat_assume(n < SIZE_MAX / 2);
    char *value = __lariat_allocate(n + 1, LARIAT_STATIC);
    __lariat_havoc(value, n + 1);
    value[n] = 0;
    return value;
}
