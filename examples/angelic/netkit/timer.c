/* Timers in a wheel: a timer is in the slot of its due time modulo the number of slots. */
#include "timer.h"

void nk_wheel_init(struct nk_wheel *wheel, unsigned now)
{
    unsigned i;

    wheel->lock.word = 0; /* E091 */
    for (i = 0; i < NK_WHEEL_SLOTS; i++)
        wheel->slots[i] = NULL;
    wheel->now = now;
    wheel->active = 0;
}

int nk_timer_init(struct nk_timer *timer, const struct nk_timer_ops *ops, unsigned id)
{
    if (timer == NULL || ops == NULL)
        return NK_EINVAL;
    timer->next = NULL;
    timer->ops = ops;
    timer->id = id;
    timer->due = 0;
    timer->period = 0;
    timer->active = 0;
    return NK_OK;
}

static void link_timer(struct nk_wheel *wheel, struct nk_timer *timer)
{
    unsigned slot = timer->due % NK_WHEEL_SLOTS; /* E092 */

    timer->next = wheel->slots[slot]; /* E093 */
    wheel->slots[slot] = timer;
    timer->active = 1;
    wheel->active++;
}

static int unlink_timer(struct nk_wheel *wheel, struct nk_timer *timer)
{
    unsigned slot = timer->due % NK_WHEEL_SLOTS; /* E094 */
    struct nk_timer *other = wheel->slots[slot]; /* E095 */
    struct nk_timer *prev = NULL;

    while (other != NULL && other != timer) {
        prev = other;
        other = other->next;
    }
    if (other == NULL)
        return NK_EMISSING;
    if (prev != NULL)
        prev->next = other->next;
    else
        wheel->slots[slot] = other->next;
    other->next = NULL;
    other->active = 0;
    wheel->active--;
    return NK_OK;
}

int nk_timer_start(struct nk_wheel *wheel, struct nk_timer *timer, unsigned delay)
{
    if (wheel == NULL || timer == NULL)
        return NK_EINVAL;
    if (timer->active)
        return NK_EBUSY;
    env_lock(&wheel->lock); /* E096 */
    timer->due = wheel->now + delay;
    link_timer(wheel, timer);
    env_unlock(&wheel->lock);
    return NK_OK;
}

int nk_timer_stop(struct nk_wheel *wheel, struct nk_timer *timer)
{
    int result;

    if (!timer->active) /* E097 */
        return NK_EMISSING;
    env_lock(&wheel->lock); /* E098 */
    result = unlink_timer(wheel, timer);
    env_unlock(&wheel->lock);
    return result;
}

/* A timer that runs is stopped first. */
int nk_timer_reschedule(struct nk_wheel *wheel, struct nk_timer *timer, unsigned delay)
{
    int result = NK_OK;

    if (timer != NULL) {
        if (timer->active > 0)
            result = nk_timer_stop(wheel, timer);
    } else {
        env_log(NK_WARN, "timer: nothing to reschedule");
    }
    if (result != NK_OK)
        return result;
    timer->period = delay; /* B02 */
    env_lock(&wheel->lock);
    timer->due = wheel->now + delay;
    link_timer(wheel, timer);
    env_unlock(&wheel->lock);
    return NK_OK;
}

int nk_timer_fire(struct nk_timer *timer, unsigned now)
{
    const struct nk_timer_ops *ops = timer->ops; /* E099 */

    timer->active = 0;
    return ops->fire(timer->id, now); /* E100 */
}

void nk_timer_cancel(struct nk_timer *timer)
{
    if (timer == NULL)
        return;
    timer->active = 0;
    timer->ops->cancelled(timer->id); /* E101 */
}

/* Fires what is due in the slot of the present time. */
unsigned nk_wheel_tick(struct nk_wheel *wheel)
{
    struct nk_timer *timer;
    struct nk_timer *next;
    unsigned now;
    unsigned fired = 0;

    env_lock(&wheel->lock); /* E102 */
    wheel->now++; /* E103 */
    now = wheel->now;
    timer = wheel->slots[now % NK_WHEEL_SLOTS];
    wheel->slots[now % NK_WHEEL_SLOTS] = NULL;
    env_unlock(&wheel->lock);
    while (timer != NULL) {
        next = timer->next;
        timer->next = NULL;
        if (nk_timer_fire(timer, now) != NK_OK)
            env_log(NK_WARN, "timer: failed");
        timer = next;
        fired++;
    }
    return fired;
}

unsigned nk_wheel_advance(struct nk_wheel *wheel, unsigned now)
{
    unsigned steps = 0;

    if (wheel == NULL)
        return 0;
    while (wheel->now < now && steps < NK_WHEEL_SLOTS) {
        wheel->now++;
        steps++;
    }
    return steps;
}

unsigned nk_wheel_next_due(const struct nk_wheel *wheel)
{
    unsigned i;
    unsigned now = wheel->now; /* E104 */
    const struct nk_timer *timer;

    for (i = 0; i < NK_WHEEL_SLOTS; i++) {
        timer = wheel->slots[(now + i) % NK_WHEEL_SLOTS];
        if (timer != NULL)
            return timer->due;
    }
    return now + NK_WHEEL_SLOTS;
}

unsigned nk_timer_left(const struct nk_timer *timer, unsigned now)
{
    if (timer == NULL || !timer->active || timer->due < now)
        return 0;
    return timer->due - now;
}

struct nk_timer *nk_wheel_find(const struct nk_wheel *wheel, unsigned id)
{
    struct nk_timer *timer = wheel->slots[id % NK_WHEEL_SLOTS]; /* E105 */

    while (timer != NULL) {
        if (timer->id == id)
            return timer;
        timer = timer->next;
    }
    return NULL;
}

int nk_wheel_has(const struct nk_wheel *wheel, unsigned id)
{
    if (wheel == NULL)
        return 0;
    return nk_wheel_find(wheel, id) != NULL;
}

int nk_wheel_stop_by_id(struct nk_wheel *wheel, unsigned id)
{
    struct nk_timer *timer;

    if (wheel == NULL)
        return NK_EINVAL;
    timer = nk_wheel_find(wheel, id);
    if (timer == NULL)
        return NK_EMISSING;
    return nk_timer_stop(wheel, timer);
}

void nk_timer_copy(struct nk_timer *target, const struct nk_timer *source)
{
    target->ops = source->ops; /* E106 */
    target->id = source->id;
    target->due = source->due;
    target->period = source->period;
    target->next = NULL;
    target->active = 0;
}

int nk_timer_earlier(const struct nk_timer *left, const struct nk_timer *right)
{
    if (left == NULL)
        return 0;
    if (right == NULL)
        return 1;
    if (left->due == right->due)
        return left->id < right->id;
    return left->due < right->due;
}

unsigned nk_wheel_cancel_slot(struct nk_wheel *wheel, unsigned slot)
{
    struct nk_timer *timer;
    struct nk_timer *next;
    unsigned count = 0;

    if (slot >= NK_WHEEL_SLOTS)
        return 0;
    timer = wheel->slots[slot]; /* E107 */
    wheel->slots[slot] = NULL;
    while (timer != NULL) {
        next = timer->next;
        timer->next = NULL;
        nk_timer_cancel(timer);
        timer = next;
        count++;
    }
    return count;
}

/* The end of a tick whose lock the caller holds. */
void nk_wheel_leave_locked(struct nk_wheel *wheel, unsigned now)
{
    if (wheel->now < now) /* E108 */
        wheel->now = now;
    env_unlock(&wheel->lock); /* E109 */
}
