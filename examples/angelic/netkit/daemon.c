/* The parts of a daemon, put together: one step takes one message. */
#include "daemon.h"

#define KIND_STOP 9u

int nk_daemon_start(struct nk_daemon *daemon)
{
    int result;

    if (daemon == NULL)
        return NK_EINVAL;
    if (daemon->running)
        return NK_EBUSY;
    result = nk_device_start(daemon->device);
    if (result != NK_OK)
        return result;
    daemon->steps = 0;
    daemon->running = 1;
    return NK_OK;
}

int nk_daemon_step(struct nk_daemon *daemon)
{
    struct nk_message *message = nk_queue_take(daemon->queue); /* E309 */

    if (message == NULL)
        return NK_EMISSING;
    daemon->steps++;
    if (message->kind == KIND_STOP)
        daemon->running = 0;
    nk_message_delete(message);
    return NK_OK;
}

int nk_daemon_tick(struct nk_daemon *daemon)
{
    unsigned fired;

    if (daemon == NULL || !daemon->running)
        return 0;
    fired = nk_wheel_tick(daemon->wheel);
    return fired > 0;
}

int nk_daemon_accept(struct nk_daemon *daemon, unsigned address)
{
    struct nk_session *session;

    if (daemon == NULL)
        return NK_EINVAL;
    session = nk_session_open(daemon->sessions, address);
    if (session == NULL)
        return NK_EBUSY;
    nk_session_use(session);
    return (int)session->id;
}

int nk_daemon_serve(struct nk_daemon *daemon, struct nk_request *request)
{
    int result;

    if (request == NULL)
        return NK_EINVAL;
    result = nk_router_dispatch(daemon->router, request); /* E310 */
    if (result == NK_EMISSING)
        env_log(NK_INFO, "daemon: no route");
    return result;
}

int nk_daemon_post(struct nk_daemon *daemon, unsigned kind, unsigned size)
{
    struct nk_message *message = nk_message_new(kind, size);
    int result;

    if (message == NULL)
        return NK_ENOMEM;
    result = nk_queue_post(daemon->queue, message); /* E311 */
    if (result != NK_OK)
        nk_message_delete(message);
    return result;
}

unsigned nk_daemon_idle_bytes(const struct nk_daemon *daemon)
{
    return nk_pool_idle_bytes(daemon->pool); /* E312 */
}

int nk_daemon_limit(const struct nk_daemon *daemon)
{
    if (daemon == NULL)
        return 0;
    return nk_config_number_or(daemon->config, "limit", 64);
}

int nk_daemon_poll_device(struct nk_daemon *daemon)
{
    struct nk_device *device = daemon->device; /* E313 */

    if (device->state == NK_DEVICE_OFF) /* E314 */
        return NK_OK;
    return nk_device_interrupt(device);
}

void nk_daemon_shut_down(struct nk_daemon *daemon)
{
    if (daemon == NULL)
        return;
    daemon->running = 0;
    (void)nk_queue_discard(daemon->queue);
    (void)nk_pool_drain(daemon->pool);
}

int nk_worker_run(struct nk_worker *worker)
{
    struct nk_daemon *daemon = worker->daemon; /* E315 */

    if (!daemon->running) /* E316 */
        return NK_EBUSY;
    worker->idle = 0;
    if (nk_daemon_step(daemon) == NK_OK)
        worker->handled++;
    worker->idle = 1;
    return NK_OK;
}

unsigned nk_worker_total(const struct nk_worker *first)
{
    unsigned total = 0;

    while (first != NULL) {
        total += first->handled;
        first = first->next;
    }
    return total;
}

/* The first worker that is idle; NULL if there is none. */
struct nk_worker *nk_worker_idle(struct nk_worker *first)
{
    struct nk_worker *worker;

    for (worker = first; worker != NULL; worker = worker->next)
        if (worker->idle)
            return worker;
    return NULL;
}

int nk_worker_assign(struct nk_worker *first, struct nk_message *message)
{
    struct nk_worker *worker = nk_worker_idle(first);

    if (worker == NULL)
        return NK_EBUSY;
    worker->idle = 0;
    message->stamp = worker->handled; /* E317 */
    return nk_queue_post(worker->daemon->queue, message); /* E318 */
}

/* Keeps a text in a chunk of the pool, and gives it back. */
int nk_daemon_copy_chunk(struct nk_daemon *daemon, const char *text, unsigned size)
{
    struct nk_chunk *chunk;
    int result;

    if (daemon == NULL || text == NULL)
        return NK_EINVAL;
    chunk = nk_pool_get(daemon->pool, size);
    if (chunk == NULL)
        return NK_ENOMEM;
    result = nk_chunk_write(chunk, text, size);
    nk_pool_put(daemon->pool, chunk);
    return result;
}
