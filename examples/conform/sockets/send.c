/* Sends on a socket: 1 if all was sent, 0 if not all, or an error.
 *
 * Bugs: NO_PUT keeps the socket when sending fails; UNCHECKED sends on a descriptor that is none.
 */
#include "socket.h"

/* 1: all was sent, 0: not all, less: an error. */
static int sock_sendmsg(int length)
{
    int step;

    while (length > 0) {
        step = transmit(length);
        if (step < 0)
            return step;
        if (step == 0)
            return 0;
        length -= step;
    }
    return 1;
}

int send_on(int descriptor, int length)
{
    int result;

    if (length < 0)
        return -EINVAL;
#ifndef UNCHECKED
    if (!lookup(descriptor))
        return -EINVAL;
#else
    lookup(descriptor);
#endif
    result = sock_sendmsg(length);
#ifdef NO_PUT
    if (result < 0)
        return -EPIPE;
#endif
    put_socket();
    return result < 0 ? -EPIPE : result;
}
