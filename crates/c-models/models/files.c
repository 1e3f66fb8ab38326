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
