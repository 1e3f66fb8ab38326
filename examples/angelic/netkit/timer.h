/* Timers in a wheel of slots. */
#ifndef NETKIT_TIMER_H
#define NETKIT_TIMER_H

#include "nk.h"

#define NK_WHEEL_SLOTS 8u

struct nk_timer_ops {
    int (*fire)(unsigned id, unsigned now);
    void (*cancelled)(unsigned id);
};

struct nk_timer {
    struct nk_timer *next;          /* NULL at the end of a slot */
    const struct nk_timer_ops *ops; /* never NULL */
    unsigned id;
    unsigned due;
    unsigned period; /* 0: once */
    int active;
};

struct nk_wheel {
    struct nk_lock lock;
    struct nk_timer *slots[NK_WHEEL_SLOTS]; /* NULL: nothing is due */
    unsigned now;
    unsigned active;
};

void nk_wheel_init(struct nk_wheel *wheel, unsigned now);
int nk_timer_init(struct nk_timer *timer, const struct nk_timer_ops *ops, unsigned id);
int nk_timer_start(struct nk_wheel *wheel, struct nk_timer *timer, unsigned delay);
int nk_timer_stop(struct nk_wheel *wheel, struct nk_timer *timer);
int nk_timer_reschedule(struct nk_wheel *wheel, struct nk_timer *timer, unsigned delay);
unsigned nk_wheel_tick(struct nk_wheel *wheel);
unsigned nk_wheel_advance(struct nk_wheel *wheel, unsigned now);
unsigned nk_wheel_next_due(const struct nk_wheel *wheel);
int nk_timer_fire(struct nk_timer *timer, unsigned now);
void nk_timer_cancel(struct nk_timer *timer);
unsigned nk_timer_left(const struct nk_timer *timer, unsigned now);
struct nk_timer *nk_wheel_find(const struct nk_wheel *wheel, unsigned id);
int nk_wheel_has(const struct nk_wheel *wheel, unsigned id);
int nk_wheel_stop_by_id(struct nk_wheel *wheel, unsigned id);
void nk_timer_copy(struct nk_timer *target, const struct nk_timer *source);
int nk_timer_earlier(const struct nk_timer *left, const struct nk_timer *right);
unsigned nk_wheel_cancel_slot(struct nk_wheel *wheel, unsigned slot);
void nk_wheel_leave_locked(struct nk_wheel *wheel, unsigned now);

#endif
