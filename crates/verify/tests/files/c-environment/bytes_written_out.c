// lariat: --check reach,uninit
// expect: all_written proved
// expect: not_all_written bug line 37 uninit
// expect: padding_written_out bug line 46 uninit
// expect: sent bug line 55 uninit
// expect: none_written_out proved
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct padded {
    char a;
    int b;
};

void all_written(void)
{
    char text[8];
    struct padded s;
    for (int i = 0; i < 8; i++)
        text[i] = 'a';
    fwrite(text, 1, 8, stdout);
    write(1, text, 3);
    s.a = 1;
    s.b = 2;
    fwrite(&s.b, sizeof s.b, 1, stdout);
    if (s.a != 1)
        reach_error();
}

void not_all_written(void)
{
    char text[8];
    text[0] = 'a';
    fwrite(text, 1, 8, stdout);
}

/* Clang's sanitizer reports it, too: these bytes hold what was there before. */
void padding_written_out(void)
{
    struct padded s;
    s.a = 1;
    s.b = 2;
    write(1, &s, sizeof s);
}

void sent(void)
{
    int numbers[4];
    unsigned n = __VERIFIER_nondet_uint();
    numbers[0] = numbers[1] = 1;
    if (n <= 3)
        send(3, numbers, n * sizeof(int), 0);
}

void none_written_out(void)
{
    char text[8];
    text[0] = 'a';
    if (fwrite(text, 1, 0, stdout) != 0 || fwrite(text, 1, 1, stdout) > 1)
        reach_error();
}
