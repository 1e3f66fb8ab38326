/* Connections: what was received and what is to be sent. */
#ifndef NETKIT_CONN_H
#define NETKIT_CONN_H

#include "nk.h"
#include "strbuf.h"

struct nk_frame {
    struct nk_frame *next; /* NULL at the end */
    char *payload;         /* NULL if there is none */
    unsigned size;
    unsigned sequence;
};

struct nk_conn {
    struct nk_lock lock;
    struct nk_frame *pending; /* NULL if nothing waits */
    struct nk_strbuf *input;  /* never NULL */
    struct nk_strbuf *output; /* never NULL */
    struct env_peer *peer;    /* NULL before the handshake */
    struct env_file *trace;   /* NULL if nothing is traced */
    unsigned sequence;
    int failures;
    int open;
};

int nk_conn_init(struct nk_conn *conn, struct nk_strbuf *input, struct nk_strbuf *output);
int nk_conn_handshake(struct nk_conn *conn, unsigned address);
struct nk_frame *nk_frame_new(unsigned size);
void nk_frame_delete(struct nk_frame *frame);
int nk_conn_queue(struct nk_conn *conn, unsigned size);
struct nk_frame *nk_conn_next_frame(struct nk_conn *conn);
unsigned nk_conn_drop_pending(struct nk_conn *conn);
int nk_conn_send(struct nk_conn *conn, const char *text, unsigned size);
int nk_conn_fail(struct nk_conn *conn, int limit);
int nk_conn_receive(struct nk_conn *conn, const char *text, unsigned size);
unsigned nk_conn_port(const struct nk_conn *conn);
int nk_conn_start_trace(struct nk_conn *conn, const char *path);
void nk_conn_stop_trace(struct nk_conn *conn);
void nk_conn_end_trace(struct env_file *trace, unsigned lines);
int nk_conn_trace(struct nk_conn *conn, const char *text, unsigned size);
unsigned nk_conn_buffered(const struct nk_conn *conn);
int nk_conn_same_peer(const struct nk_conn *left, const struct nk_conn *right);
void nk_conn_swap_buffers(struct nk_conn *conn);
int nk_conn_close(struct nk_conn *conn);
unsigned nk_conn_pending_bytes(struct nk_conn *conn);
int nk_conn_acknowledge(struct nk_conn *conn, unsigned sequence);
void nk_conn_leave_locked(struct nk_conn *conn);
int nk_conn_relay(struct nk_conn *from, struct nk_conn *to);

#endif
