/* A worker that handles requests from a queue under a lock. Bugs: EARLY_RETURN keeps the lock when the queue is closed;
 * DOUBLE_UNLOCK releases it twice after an empty round. */
#include "mutex.h"

#define CLOSED (-1)
#define EMPTY 0

int next_request(void);
int is_urgent(void);
void handle(void);

int work(void)
{
    int is_locked = 0;
    int done = 0;
    int request;
    int old;

    do {
        raw_lock();
        is_locked = 1;
        old = done;
        request = next_request();
        if (request == CLOSED) {
#ifdef EARLY_RETURN
            if (done > 0)
                return done;
#endif
            break;
        }
        if (request == EMPTY) {
            raw_unlock();
            is_locked = 0;
#ifdef DOUBLE_UNLOCK
            if (!is_urgent())
                raw_unlock();
#endif
        } else if (is_urgent()) {
            handle();
            raw_unlock();
            is_locked = 0;
            done++;
        } else {
            raw_unlock();
            handle();
            is_locked = 0;
            done++;
        }
    } while (done != old);
    if (is_locked)
        raw_unlock();
    return OK;
}
