/* Makes a socket: 0 or more is its descriptor, less than 0 the error.
 *
 * Bugs: LEAK loses the inode when the protocol refuses; WRONG_ERROR reports the lack of memory as success.
 */
#include "socket.h"

/* Gives the socket an inode. */
static int sock_alloc(struct socket *socket)
{
    if (allocate_inode() == 0)
        return 0;
    socket->inode.mode = 1;
    socket->inode.uses = 1;
    socket->state = 0;
    return 1;
}

static void sock_release(struct socket *socket)
{
    if (socket->inode.uses > 0) {
        socket->inode.uses = 0;
        release_inode();
    }
}

static int sock_create(int family, int type, struct socket *socket)
{
    int error;

    if (family < 0 || family >= FAMILIES)
        return -EAFNOSUPPORT;
    if (type == TYPE_PACKET && family == FAMILY_INET)
        family = FAMILY_UNIX;
    if (!family_is_loaded(family)) {
        load_family(family);
        if (!family_is_loaded(family))
            return -EINVAL;
    }
    if (!sock_alloc(socket))
#ifdef WRONG_ERROR
        return 0;
#else
        return -ENFILE;
#endif
    socket->type = type;
    error = create_protocol(family, type);
    if (error < 0) {
#ifndef LEAK
        sock_release(socket);
#endif
        return error;
    }
    return 0;
}

int make_socket(int family, int type)
{
    struct socket socket = { 0, 0, { 0, 0 } };
    int error;
    int descriptor;

    error = sock_create(family, type, &socket);
    if (error < 0)
        return error;
    descriptor = get_descriptor();
    if (descriptor < 0) {
        sock_release(&socket);
        return -ENOMEM;
    }
    return descriptor;
}
