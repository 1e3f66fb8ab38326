/* What the socket calls need, in the manner of a kernel. */
#ifndef SOCKET_H
#define SOCKET_H

#define ENOMEM 12
#define EINVAL 22
#define ENFILE 23
#define EPIPE 32
#define EAFNOSUPPORT 97

#define FAMILY_UNIX 1
#define FAMILY_INET 2
#define FAMILIES 32

#define TYPE_STREAM 1
#define TYPE_DATAGRAM 2
#define TYPE_PACKET 10

struct inode {
    int mode;
    int uses;
};

struct socket {
    int type;
    int state;
    struct inode inode;
};

int family_is_loaded(int family);
void load_family(int family);
int allocate_inode(void);
void release_inode(void);
int create_protocol(int family, int type);
int get_descriptor(void);
int transmit(int length);
int lookup(int descriptor);
void put_socket(void);

#endif
