/* Queues of messages between tasks. */
#ifndef NETKIT_QUEUE_H
#define NETKIT_QUEUE_H

#include "nk.h"

struct nk_message {
    struct nk_message *next; /* NULL at the end */
    unsigned kind;
    unsigned size;
    unsigned stamp;
    char *body; /* NULL if the size is 0 */
};

struct nk_observer {
    int (*posted)(unsigned kind);
    void (*taken)(unsigned kind);
};

struct nk_queue {
    struct nk_lock lock;
    struct nk_message *first; /* NULL if empty */
    struct nk_message *last;
    struct nk_observer *observer; /* NULL if nobody looks */
    unsigned count;
    unsigned limit;
};

int nk_queue_init(struct nk_queue *queue, unsigned limit);
struct nk_message *nk_message_new(unsigned kind, unsigned size);
void nk_message_delete(struct nk_message *message);
int nk_queue_post(struct nk_queue *queue, struct nk_message *message);
int nk_queue_try_post(struct nk_queue *queue, struct nk_message *message);
struct nk_message *nk_queue_take(struct nk_queue *queue);
struct nk_message *nk_queue_take_kind(struct nk_queue *queue, unsigned kind);
unsigned nk_queue_count(struct nk_queue *queue);
int nk_queue_post_urgent(struct nk_queue *queue, struct nk_message *message);
void nk_queue_observe(struct nk_queue *queue, struct nk_observer *observer);
int nk_queue_notify(const struct nk_queue *queue, unsigned kind);
unsigned nk_queue_discard(struct nk_queue *queue);
int nk_queue_move(struct nk_queue *target, struct nk_queue *source);
void nk_queue_end_batch(struct nk_queue *queue, unsigned posted);
int nk_queue_is_full(const struct nk_queue *queue);
unsigned nk_queue_oldest(struct nk_queue *queue);
int nk_message_set_body(struct nk_message *message, const char *text, unsigned size);
int nk_message_first_byte(const struct nk_message *message);
void nk_message_stamp(struct nk_message *message);
int nk_message_same(const struct nk_message *left, const struct nk_message *right);
int nk_queue_repost(struct nk_queue *queue, struct nk_message *message, unsigned kind);

#endif
