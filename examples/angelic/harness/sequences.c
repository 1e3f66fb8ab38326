/*
 * What the environment of netkit calls in sequence: for `default+harness`, where locks are free, files closed and the level
 * passive at first.
 *
 *     lariat angelic --config default+harness netkit/*.c harness/sequences.c
 *
 * The other functions that nothing calls are called in this state directly.
 */
#include "../netkit/cache.h"
#include "../netkit/conn.h"
#include "../netkit/device.h"
#include "../netkit/queue.h"
#include "../netkit/session.h"
#include "../netkit/timer.h"

void harness_cache(struct nk_cache *cache, const char *path, const char *other, unsigned limit)
{
    if (nk_cache_open(cache, path, limit) != NK_OK)
        return;
    (void)nk_cache_reopen(cache, other);
    nk_cache_close(cache);
}

void harness_cache_store(const char *path)
{
    nk_cache_seal(env_open(path, 1));
}

void harness_conn_trace(struct nk_conn *conn, const char *path)
{
    if (nk_conn_start_trace(conn, path) == NK_OK)
        nk_conn_stop_trace(conn);
}

void harness_conn_foreign_trace(const char *path, unsigned lines)
{
    struct env_file *trace = env_open(path, 1);

    if (trace != NULL)
        nk_conn_end_trace(trace, lines);
}

void harness_conn_locked(struct nk_conn *conn)
{
    if (conn == NULL)
        return;
    env_lock(&conn->lock);
    nk_conn_leave_locked(conn);
}

void harness_device(struct nk_device *device)
{
    nk_device_leave(device, env_raise_irql());
}

void harness_queue(struct nk_queue *queue, unsigned posted)
{
    env_lock(&queue->lock);
    nk_queue_end_batch(queue, posted);
}

void harness_sessions(struct nk_sessions *sessions, unsigned used)
{
    env_lock(&sessions->lock);
    nk_sessions_unlock_after(sessions, used);
}

void harness_wheel(struct nk_wheel *wheel, unsigned now)
{
    env_lock(&wheel->lock);
    nk_wheel_leave_locked(wheel, now);
}
