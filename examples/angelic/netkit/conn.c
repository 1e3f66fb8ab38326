/* Connections. Frames wait behind the lock until they are acknowledged. */
#include "conn.h"

int nk_conn_init(struct nk_conn *conn, struct nk_strbuf *input, struct nk_strbuf *output)
{
    if (conn == NULL || input == NULL || output == NULL)
        return NK_EINVAL;
    conn->lock.word = 0;
    conn->pending = NULL;
    conn->input = input;
    conn->output = output;
    conn->peer = NULL;
    conn->trace = NULL;
    conn->sequence = 0;
    conn->failures = 0;
    conn->open = 0;
    return NK_OK;
}

int nk_conn_handshake(struct nk_conn *conn, unsigned address)
{
    struct env_peer *peer = env_peer_of(address);

    if (peer == NULL)
        return NK_EMISSING;
    if (peer->port == 0)
        return NK_EINVAL;
    conn->peer = peer; /* E234 */
    conn->open = 1;
    return NK_OK;
}

struct nk_frame *nk_frame_new(unsigned size)
{
    struct nk_frame *frame;
    char *payload;

    if (size == 0 || size > NK_SIZE_LIMIT)
        return NULL;
    payload = malloc(size);
    if (payload == NULL)
        return NULL;
    frame = malloc(sizeof *frame);
    if (frame == NULL) {
        free(payload);
        return NULL;
    }
    frame->next = NULL;
    frame->payload = payload;
    frame->size = size;
    frame->sequence = 0;
    return frame;
}

void nk_frame_delete(struct nk_frame *frame)
{
    char *payload = frame->payload; /* E235 */

    if (payload != NULL)
        free(payload); /* E236 */
    free(frame); /* E237 */
}

int nk_conn_queue(struct nk_conn *conn, unsigned size)
{
    struct nk_frame *frame = nk_frame_new(size);

    if (frame == NULL)
        return NK_ENOMEM;
    env_lock(&conn->lock); /* E238 */
    frame->sequence = conn->sequence; /* E239 */
    conn->sequence++;
    frame->next = conn->pending;
    conn->pending = frame;
    env_unlock(&conn->lock);
    return NK_OK;
}

/* The first frame that waits, no longer in the list; NULL if there is none. */
struct nk_frame *nk_conn_next_frame(struct nk_conn *conn)
{
    struct nk_frame *frame;

    env_lock(&conn->lock); /* E240 */
    frame = conn->pending; /* E241 */
    if (frame != NULL) {
        conn->pending = frame->next;
        frame->next = NULL;
    }
    env_unlock(&conn->lock);
    return frame;
}

/* Frees the frames that wait. */
unsigned nk_conn_drop_pending(struct nk_conn *conn)
{
    struct nk_frame *frame;
    unsigned count = 0;

    if (conn == NULL)
        return 0;
    frame = conn->pending;
    conn->pending = NULL;
    while (frame != NULL) {
        free(frame); /* E242 */
        frame = frame->next; /* B16 */
        count++;
    }
    return count;
}

int nk_conn_send(struct nk_conn *conn, const char *text, unsigned size)
{
    if (conn == NULL || text == NULL)
        return NK_EINVAL;
    if (!conn->open)
        return NK_EIO;
    return nk_strbuf_append(conn->output, text, size);
}

/* Counts a failure; after too many the output is given up. */
int nk_conn_fail(struct nk_conn *conn, int limit)
{
    struct nk_strbuf *output = conn->output; /* E243 */
    int result = NK_OK;

    conn->failures++;
    if (conn->failures > limit) {
        env_log(NK_ERROR, "conn: too many failures");
        output = NULL;
        result = NK_EIO;
    }
    output->length = 0; /* B04 */
    return result;
}

int nk_conn_receive(struct nk_conn *conn, const char *text, unsigned size)
{
    int result;

    if (!conn->open) /* E244 */
        return NK_EIO;
    result = nk_strbuf_append(conn->input, text, size);
    if (result != NK_OK)
        conn->failures++;
    return result;
}

unsigned nk_conn_port(const struct nk_conn *conn)
{
    const struct env_peer *peer;

    if (conn == NULL)
        return 0;
    peer = conn->peer;
    if (peer == NULL)
        return 0;
    return peer->port;
}

int nk_conn_start_trace(struct nk_conn *conn, const char *path)
{
    struct env_file *file;

    if (conn->trace != NULL) /* E245 */
        return NK_EBUSY;
    file = env_open(path, 1);
    if (file == NULL)
        return NK_EIO;
    conn->trace = file;
    return NK_OK;
}

void nk_conn_stop_trace(struct nk_conn *conn)
{
    struct env_file *file = conn->trace; /* E246 */

    if (file == NULL)
        return;
    env_close(file); /* E247 */
    conn->trace = NULL;
}

/* The end of a trace that somebody else has opened. */
void nk_conn_end_trace(struct env_file *trace, unsigned lines)
{
    if (lines > 0)
        (void)env_write(trace, "end\n", 4);
    env_close(trace); /* E248 */
}

int nk_conn_trace(struct nk_conn *conn, const char *text, unsigned size)
{
    struct env_file *file;

    if (conn == NULL)
        return NK_EINVAL;
    file = conn->trace;
    if (file == NULL)
        return NK_OK;
    if (env_write(file, text, size) < 0)
        return NK_EIO;
    return NK_OK;
}

unsigned nk_conn_buffered(const struct nk_conn *conn)
{
    if (conn == NULL)
        return 0;
    return conn->input->length + conn->output->length; /* E249 */
}

int nk_conn_same_peer(const struct nk_conn *left, const struct nk_conn *right)
{
    const struct env_peer *first = left->peer; /* E250 */
    const struct env_peer *second = right->peer; /* E251 */

    if (first == NULL || second == NULL)
        return 0;
    return first->address == second->address;
}

void nk_conn_swap_buffers(struct nk_conn *conn)
{
    struct nk_strbuf *input = conn->input; /* E252 */
    struct nk_strbuf *output = conn->output;

    output->length = 0; /* E253 */
    conn->input = output;
    conn->output = input;
}

int nk_conn_close(struct nk_conn *conn)
{
    struct nk_frame *frame;

    if (conn == NULL)
        return NK_EINVAL;
    if (!conn->open)
        return NK_EINVAL;
    conn->open = 0;
    conn->peer = NULL;
    frame = nk_conn_next_frame(conn);
    if (frame != NULL) {
        nk_frame_delete(frame);
        return NK_EBUSY;
    }
    return NK_OK;
}

unsigned nk_conn_pending_bytes(struct nk_conn *conn)
{
    const struct nk_frame *frame;
    unsigned bytes = 0;

    env_lock(&conn->lock); /* E254 */
    for (frame = conn->pending; frame != NULL; frame = frame->next) /* E255 */
        bytes += frame->size;
    env_unlock(&conn->lock);
    return bytes;
}

/* Frees the first frame if it has this number. */
int nk_conn_acknowledge(struct nk_conn *conn, unsigned sequence)
{
    struct nk_frame *frame;

    env_lock(&conn->lock); /* E256 */
    frame = conn->pending; /* E257 */
    if (frame == NULL || frame->sequence != sequence) {
        env_unlock(&conn->lock);
        return NK_EMISSING;
    }
    conn->pending = frame->next;
    env_unlock(&conn->lock);
    nk_frame_delete(frame);
    return NK_OK;
}

void nk_conn_leave_locked(struct nk_conn *conn)
{
    if (conn == NULL)
        return;
    conn->sequence++;
    env_unlock(&conn->lock); /* E258 */
}

/* What one connection has received is sent on by the other. */
int nk_conn_relay(struct nk_conn *from, struct nk_conn *to)
{
    int result;

    if (from == to)
        return NK_EINVAL;
    result = nk_strbuf_append_all(to->output, from->input); /* E259 */
    if (result == NK_OK)
        nk_strbuf_clear(from->input);
    return result;
}
