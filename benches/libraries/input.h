/* Arbitrary input of at most eight bytes, for the drivers. */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>

#define MOST 8

extern unsigned char __VERIFIER_nondet_uchar(void);
extern size_t __VERIFIER_nondet_size_t(void);

/* Fills the buffer with arbitrary bytes; any number of the last ones are the input, so that nothing is behind it. */
static unsigned char *any_input(unsigned char *buffer, size_t *length)
{
    size_t n = __VERIFIER_nondet_size_t();
    for (int i = 0; i < MOST; i++)
        buffer[i] = __VERIFIER_nondet_uchar();
    *length = n <= MOST ? n : MOST;
    return buffer + MOST - *length;
}

#endif
