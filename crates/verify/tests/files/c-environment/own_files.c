// lariat:
// expect: reads_back bug-unconfirmed line 21 assert
// reads_back: not to be run
// expect: reads_input bug line 32 assert
// reads_input: not to be run
// expect: any_content proved
#include <assert.h>
#include <stdio.h>

/* What the program has written is what it reads: not any input. */
void reads_back(void)
{
    FILE *out = fopen("x", "w");
    if (!out)
        return;
    fputc('a', out);
    fclose(out);
    FILE *in = fopen("x", "r");
    if (!in)
        return;
    int c = fgetc(in); assert(c == 'a' || c == EOF);
    fclose(in);
}

/* A file that others have written has any content. */
void reads_input(void)
{
    printf("reading\n");
    FILE *in = fopen("x", "r");
    if (!in)
        return;
    int c = fgetc(in); assert(c == 'a' || c == EOF);
    fclose(in);
}

/* Whatever the content is. */
void any_content(void)
{
    FILE *file = tmpfile();
    if (!file)
        return;
    fputs("ab", file);
    rewind(file);
    int c = fgetc(file);
    assert(c >= EOF && c < 256);
    fclose(file);
}
