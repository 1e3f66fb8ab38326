// A small C program with a buffer overrun: `name` may fill the buffer, and the
// terminating zero is then written behind it.
//
//     lariat verify --check memory examples/greeting.c --harness /tmp/greeting_harness.c
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);

#define SIZE 3

struct message {
    unsigned length;
    char *text;
};

static void append(struct message *message, char c)
{
    message->text[message->length] = c;
    message->length++;
}

int main(void)
{
    struct message greeting = {0, malloc(SIZE)};
    unsigned wanted = __VERIFIER_nondet_uint();

    if (wanted > SIZE)
        wanted = SIZE;
    for (unsigned i = 0; i < wanted; i++)
        append(&greeting, __VERIFIER_nondet_char());
    append(&greeting, '\0');

    free(greeting.text);
    return 0;
}
