/* The parts of a daemon, put together. */
#ifndef NETKIT_DAEMON_H
#define NETKIT_DAEMON_H

#include "config.h"
#include "device.h"
#include "nk.h"
#include "pool.h"
#include "queue.h"
#include "router.h"
#include "session.h"
#include "timer.h"

/* None of the parts is NULL once the daemon is set up. */
struct nk_daemon {
    struct nk_queue *queue;
    struct nk_router *router;
    struct nk_sessions *sessions;
    struct nk_wheel *wheel;
    struct nk_pool *pool;
    struct nk_device *device;
    const struct nk_config *config;
    unsigned steps;
    int running;
};

struct nk_worker {
    struct nk_worker *next;   /* NULL at the end */
    struct nk_daemon *daemon; /* never NULL */
    unsigned handled;
    int idle;
};

int nk_daemon_start(struct nk_daemon *daemon);
int nk_daemon_step(struct nk_daemon *daemon);
int nk_daemon_tick(struct nk_daemon *daemon);
int nk_daemon_accept(struct nk_daemon *daemon, unsigned address);
int nk_daemon_serve(struct nk_daemon *daemon, struct nk_request *request);
int nk_daemon_post(struct nk_daemon *daemon, unsigned kind, unsigned size);
unsigned nk_daemon_idle_bytes(const struct nk_daemon *daemon);
int nk_daemon_limit(const struct nk_daemon *daemon);
int nk_daemon_poll_device(struct nk_daemon *daemon);
void nk_daemon_shut_down(struct nk_daemon *daemon);
int nk_worker_run(struct nk_worker *worker);
unsigned nk_worker_total(const struct nk_worker *first);
struct nk_worker *nk_worker_idle(struct nk_worker *first);
int nk_worker_assign(struct nk_worker *first, struct nk_message *message);
int nk_daemon_copy_chunk(struct nk_daemon *daemon, const char *text, unsigned size);

#endif
