/* What is remembered of files: whether the program has written to one. */

static int __lariat_written;

/* A file has been written: what files contain from now on may be the program's own output. */
void __lariat_note_write(void)
{
    __lariat_written = 1;
}

/* Whether a file has been written. */
int __lariat_has_written(void)
{
    return __lariat_written;
}

/* n bytes leave the program. To write out a byte is to use it, and padding is a byte, too: whichever of them it is that was never
   written. */
void __lariat_give_out(const void *from, size_t n)
{
    if (!__lariat_checks("uninit") || n == 0)
        return;
    const unsigned char *bytes = from;
    size_t which = __VERIFIER_nondet_size_t();
    __lariat_assume(which < n);
    __lariat_assume(bytes[which] <= 255);
}
