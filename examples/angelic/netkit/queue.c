/* Queues of messages: what is behind the lock is only touched while it is held. */
#include "queue.h"

int nk_queue_init(struct nk_queue *queue, unsigned limit)
{
    if (queue == NULL || limit == 0)
        return NK_EINVAL;
    queue->lock.word = 0;
    queue->first = NULL;
    queue->last = NULL;
    queue->observer = NULL;
    queue->count = 0;
    queue->limit = limit;
    return NK_OK;
}

struct nk_message *nk_message_new(unsigned kind, unsigned size)
{
    struct nk_message *message;
    char *body = NULL;

    if (size > NK_SIZE_LIMIT)
        return NULL;
    if (size > 0) {
        body = malloc(size);
        if (body == NULL)
            return NULL;
    }
    message = malloc(sizeof *message);
    if (message == NULL) {
        if (body != NULL)
            free(body);
        return NULL;
    }
    message->next = NULL;
    message->kind = kind;
    message->size = size;
    message->stamp = 0;
    message->body = body;
    return message;
}

void nk_message_delete(struct nk_message *message)
{
    char *body = message->body; /* E124 */

    if (body != NULL)
        free(body); /* E125 */
    free(message); /* E126 */
}

/* The caller holds the lock. */
static void append_message(struct nk_queue *queue, struct nk_message *message)
{
    struct nk_message *last = queue->last; /* E127 */

    message->next = NULL; /* E128 */
    if (last != NULL)
        last->next = message;
    else
        queue->first = message;
    queue->last = message;
    queue->count++;
}

int nk_queue_post(struct nk_queue *queue, struct nk_message *message)
{
    int result = NK_ELIMIT;

    env_lock(&queue->lock); /* E129 */
    if (queue->count < queue->limit) { /* E130 */
        append_message(queue, message);
        result = NK_OK;
    }
    env_unlock(&queue->lock);
    return result;
}

/* As nk_queue_post; messages that are too large are refused. */
int nk_queue_try_post(struct nk_queue *queue, struct nk_message *message)
{
    int result = NK_ELIMIT;

    if (message->size > NK_SIZE_LIMIT) { /* E131 */
        env_log(NK_WARN, "queue: message is too large");
        goto out;
    }
    env_lock(&queue->lock); /* A17 */
    if (queue->count < queue->limit) { /* E132 */
        append_message(queue, message);
        result = NK_OK;
    }
out:
    env_unlock(&queue->lock); /* B17 */
    return result;
}

/* The first message; NULL if there is none. */
struct nk_message *nk_queue_take(struct nk_queue *queue)
{
    struct nk_message *message;

    env_lock(&queue->lock); /* E133 */
    message = queue->first; /* E134 */
    if (message != NULL) {
        queue->first = message->next;
        if (queue->first == NULL)
            queue->last = NULL;
        queue->count--;
        message->next = NULL;
    }
    env_unlock(&queue->lock);
    return message;
}

/* The first message of a kind; NULL if there is none. */
struct nk_message *nk_queue_take_kind(struct nk_queue *queue, unsigned kind)
{
    struct nk_message *prev = NULL;
    struct nk_message *message;

    env_lock(&queue->lock); /* E135 */
    message = queue->first; /* E136 */
    while (message != NULL && message->kind != kind) {
        prev = message;
        message = message->next;
    }
    if (message != NULL) {
        if (prev != NULL)
            prev->next = message->next;
        else
            queue->first = message->next;
        if (queue->last == message)
            queue->last = prev;
        queue->count--;
        message->next = NULL;
    }
    env_unlock(&queue->lock);
    return message;
}

unsigned nk_queue_count(struct nk_queue *queue)
{
    unsigned count;

    if (queue == NULL)
        return 0;
    env_lock(&queue->lock); /* E137 */
    count = queue->count;
    env_unlock(&queue->lock);
    return count;
}

/* Before all others, even if the queue is full. */
int nk_queue_post_urgent(struct nk_queue *queue, struct nk_message *message)
{
    if (queue == NULL || message == NULL)
        return NK_EINVAL;
    env_lock(&queue->lock); /* E138 */
    message->next = queue->first;
    queue->first = message;
    if (queue->last == NULL)
        queue->last = message;
    queue->count++;
    env_unlock(&queue->lock);
    return NK_OK;
}

void nk_queue_observe(struct nk_queue *queue, struct nk_observer *observer)
{
    queue->observer = observer; /* E139 */
}

int nk_queue_notify(const struct nk_queue *queue, unsigned kind)
{
    const struct nk_observer *observer = queue->observer; /* E140 */

    if (observer == NULL)
        return NK_OK;
    return observer->posted(kind);
}

/* Frees all messages. */
unsigned nk_queue_discard(struct nk_queue *queue)
{
    struct nk_message *message;
    struct nk_message *next;
    unsigned count = 0;

    env_lock(&queue->lock); /* E141 */
    message = queue->first; /* E142 */
    queue->first = NULL;
    queue->last = NULL;
    queue->count = 0;
    env_unlock(&queue->lock);
    while (message != NULL) {
        next = message->next;
        nk_message_delete(message);
        message = next;
        count++;
    }
    return count;
}

/* One message from queue to queue; their locks are never held together. */
int nk_queue_move(struct nk_queue *target, struct nk_queue *source)
{
    struct nk_message *message;

    if (target == source)
        return NK_EINVAL;
    message = nk_queue_take(source);
    if (message == NULL)
        return NK_EMISSING;
    return nk_queue_post(target, message);
}

/* The end of a batch that began with the lock taken. */
void nk_queue_end_batch(struct nk_queue *queue, unsigned posted)
{
    queue->count += posted; /* E143 */
    env_unlock(&queue->lock); /* E144 */
}

int nk_queue_is_full(const struct nk_queue *queue)
{
    if (queue == NULL)
        return 1;
    return queue->count >= queue->limit;
}

/* When the oldest message was stamped; 0 if there is none. */
unsigned nk_queue_oldest(struct nk_queue *queue)
{
    const struct nk_message *message;
    unsigned stamp = 0;

    env_lock(&queue->lock); /* E145 */
    message = queue->first; /* E146 */
    if (message != NULL)
        stamp = message->stamp;
    env_unlock(&queue->lock);
    return stamp;
}

int nk_message_set_body(struct nk_message *message, const char *text, unsigned size)
{
    char *body;
    char *old;

    if (message == NULL || text == NULL || size == 0 || size > NK_SIZE_LIMIT)
        return NK_EINVAL;
    body = malloc(size);
    if (body == NULL)
        return NK_ENOMEM;
    env_copy(body, text, size);
    old = message->body;
    if (old != NULL)
        free(old); /* E147 */
    message->body = body;
    message->size = size;
    return NK_OK;
}

int nk_message_first_byte(const struct nk_message *message)
{
    if (message->size < 1) /* E148 */
        return NK_EMISSING;
    return message->body[0]; /* E149 */
}

void nk_message_stamp(struct nk_message *message)
{
    message->stamp = env_clock(); /* E150 */
}

int nk_message_same(const struct nk_message *left, const struct nk_message *right)
{
    if (left == NULL || right == NULL)
        return 0;
    return left->kind == right->kind && left->size == right->size;
}

/* Posts a message again under another kind; if the queue is full it is freed. */
int nk_queue_repost(struct nk_queue *queue, struct nk_message *message, unsigned kind)
{
    int result;

    message->kind = kind; /* E151 */
    message->stamp = env_clock();
    result = nk_queue_post(queue, message);
    if (result != NK_OK)
        nk_message_delete(message);
    return result;
}
