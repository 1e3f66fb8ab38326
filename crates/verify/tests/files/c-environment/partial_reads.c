// lariat:
// expect: few_bytes proved
// few_bytes: not to be run
// expect: few_bytes_bad bug line 21 assert
// few_bytes_bad: not to be run
// expect: behind_many bug-unconfirmed line 28 assert
// behind_many: not to be run
// expect: among_many bug line 35 assert
// among_many: not to be run
// expect: received bug line 43 assert
// received: not to be run
#include <assert.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* What lies behind the bytes that are read stays. */
void few_bytes(void) { char b[3] = { 0 }; fread(b, 1, 2, stdin); assert(b[2] == 0); char c[2] = { 0 }; read(0, c, 1); assert(c[1] == 0); }

/* These bytes are any. */
void few_bytes_bad(void) { char b[3] = { 0 }; fread(b, 1, 2, stdin); assert(b[1] == 0); }

/* No bug, but it takes a proof that the solver is not asked for: it must not be called one. */
void behind_many(void)
{
    char b[100] = { 0 };
    fread(b, 1, 99, stdin);
    assert(b[99] == 0);
}

void among_many(void)
{
    char b[100] = { 0 };
    if (fread(b, 1, 99, stdin) == 99)
        assert(b[7] == 0);
}

/* What is received is not what was sent. */
void received(void)
{
    char b[20] = { 0 }, c = 'x';
    send(5, &c, 1, 0);
    if (recv(5, b, sizeof b, 0) == 20) assert(b[7] == 0);
}
