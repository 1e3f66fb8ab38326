
/* Threads run as the trace has them: one at a time, each has a semaphore that it waits on. A turn ends before or after an action: an access of
   an object, seen by the hooks that a compiler calls with -fsanitize=thread, or a part of a call. The functions for threads are simple ones of
   Lariat's: with one thread at a time nothing has to wait that the trace does not have waiting. */
extern int lariat_real_create(unsigned long *, const void *, void *(*)(void *), void *) LARIAT_SYMBOL("pthread_create");
extern int lariat_semaphore_init(void *, int, unsigned) LARIAT_SYMBOL("sem_init");
extern int lariat_semaphore_wait(void *) LARIAT_SYMBOL("sem_wait");
extern int lariat_semaphore_post(void *) LARIAT_SYMBOL("sem_post");

#define LARIAT_MOST_THREADS 128
#define LARIAT_MOST_LOCKS 1024
enum { LARIAT_NEVER, LARIAT_NAMED, LARIAT_ADDRESS, LARIAT_CALL, LARIAT_END };

static struct lariat_thread {
    union { char bytes[64]; long long align; } turn;
    void *(*start)(void *);
    int (*start11)(void *);
    void *argument, *result;
    char finished;
    /* 1: for a lock, 2: for a signal, 3: for the end of a thread. */
    char waits;
    /* The thread whose end it waits for, from 1 on. */
    int joins;
} lariat_threads[LARIAT_MOST_THREADS];
static int lariat_thread_count = 1, lariat_active;
static unsigned lariat_turn, lariat_seen;
static int lariat_leaving;
static __thread int lariat_self;

/* What happens does not fit the trace any more. */
LARIAT_PLAIN static void __attribute__((noreturn)) lariat_diverged(void)
{
    lariat_say("lariat: the program leaves the schedule\n");
    lariat_exit(LARIAT_DIVERGED);
}

LARIAT_PLAIN static void lariat_wait(void)
{
    while (lariat_semaphore_wait(&lariat_threads[lariat_self].turn))
        ;
}

/* The next turn begins; this thread does not wait for its own. */
LARIAT_PLAIN static void lariat_next_turn(void)
{
    int next;
    lariat_seen = 0;
    lariat_leaving = 0;
    /* A thread that has ended before its time has no turns any more. */
    do {
        if (++lariat_turn >= LARIAT_TURNS)
            lariat_diverged();
        next = lariat_turns[lariat_turn].thread;
        if (next >= lariat_thread_count)
            lariat_diverged();
    } while (lariat_threads[next].finished);
    lariat_semaphore_post(&lariat_threads[next].turn);
}

LARIAT_PLAIN static void lariat_give_way(void)
{
    lariat_next_turn();
    lariat_wait();
}

/* The running thread is about to do something; `fits` says whether that is what its turn ends with: 1 for one of these actions, 2 for the rest of
   a call that has begun. */
LARIAT_PLAIN static void lariat_act(int (*fits)(const struct lariat_turn *, const void *), const void *what)
{
    int how;
    if (!lariat_active)
        return;
    if (lariat_leaving)
        lariat_give_way();
    while (lariat_turns[lariat_turn].kind != LARIAT_NEVER && (how = fits(&lariat_turns[lariat_turn], what))) {
        lariat_seen += how == 1;
        if (lariat_seen != lariat_turns[lariat_turn].count || (how == 1 && lariat_turns[lariat_turn].again))
            return;
        if (lariat_turns[lariat_turn].after) {
            lariat_leaving = 1;
            return;
        }
        lariat_give_way();
    }
}

struct lariat_access {
    const char *from;
    unsigned long size;
    int write;
};

LARIAT_PLAIN static int lariat_fits_access(const struct lariat_turn *turn, const void *what)
{
    const struct lariat_access *access = what;
    const char *object = 0;
    if (turn->kind == LARIAT_NAMED)
        object = lariat_shared[turn->object];
#ifdef LARIAT_KNOWN
    else if (turn->kind == LARIAT_ADDRESS) {
        unsigned i;
        for (i = 0; i < lariat_known_count; i++)
            if (turn->address >= lariat_known[i].address && turn->address - lariat_known[i].address < lariat_known[i].size)
                object = lariat_known[i].object - lariat_known[i].address;
    }
#endif
    if (!object)
        return 0;
    object += turn->address;
    return turn->write == access->write && object >= access->from && object < access->from + access->size;
}

LARIAT_PLAIN static void lariat_accesses(const volatile void *from, unsigned long size, int write)
{
    struct lariat_access access = { (const char *)from, size, write };
    lariat_act(lariat_fits_access, &access);
}

struct lariat_part {
    const char *name;
    int again;
};

LARIAT_PLAIN static int lariat_fits_call(const struct lariat_turn *turn, const void *what)
{
    const struct lariat_part *part = what;
    const char *left = turn->name, *right = part->name;
    if (turn->kind != LARIAT_CALL || turn->again < part->again)
        return 0;
    for (; *left && *left == *right; left++, right++)
        ;
    return *left == *right ? 1 + part->again : 0;
}

/* A part of a call: the first one, or one after which another thread may have run. */
LARIAT_PLAIN static void lariat_calls(const char *name, int again)
{
    struct lariat_part part = { name, again };
    lariat_act(lariat_fits_call, &part);
}

LARIAT_PLAIN static int lariat_fits_end(const struct lariat_turn *turn, const void *what)
{
    return turn->kind == LARIAT_END;
}

/* Whether every thread that has not ended waits. */
LARIAT_PLAIN static void lariat_look_for_deadlock(void)
{
    int i, waits = 0, runs = 0;
    for (i = 0; i < lariat_thread_count; i++) {
        waits |= !lariat_threads[i].finished && lariat_threads[i].waits;
        runs |= !lariat_threads[i].finished && !lariat_threads[i].waits;
    }
    if (waits && !runs) {
        lariat_say("lariat: reached deadlock\n");
        lariat_exit(42);
    }
}

/* What threads wait for has happened, or may have. */
LARIAT_PLAIN static void lariat_wakes(int how)
{
    int i;
    for (i = 0; i < lariat_thread_count; i++)
        if (lariat_threads[i].waits == how)
            lariat_threads[i].waits = 0;
}

/* This thread cannot go on. */
LARIAT_PLAIN static void lariat_is_blocked(void)
{
    lariat_threads[lariat_self].waits = lariat_threads[lariat_self].joins ? 3 : 1;
    lariat_look_for_deadlock();
    lariat_give_way();
    lariat_threads[lariat_self].waits = 0;
}

LARIAT_PLAIN static void lariat_misused(void)
{
    if (LARIAT_CHECKS_LOCKS) {
        lariat_say("lariat: reached misuse of a lock\n");
        lariat_exit(42);
    }
}

/* ---- the hooks ---- */

#define LARIAT_HOOK(name, size, write) \
    void name(void *) LARIAT_SYMBOL(#name); \
    LARIAT_PLAIN void name(void *from) { lariat_accesses(from, size, write); }
#define LARIAT_HOOKS(size) \
    LARIAT_HOOK(__tsan_read##size, size, 0) LARIAT_HOOK(__tsan_write##size, size, 1) \
    LARIAT_HOOK(__tsan_unaligned_read##size, size, 0) LARIAT_HOOK(__tsan_unaligned_write##size, size, 1) \
    LARIAT_HOOK(__tsan_volatile_read##size, size, 0) LARIAT_HOOK(__tsan_volatile_write##size, size, 1)
LARIAT_HOOKS(1) LARIAT_HOOKS(2) LARIAT_HOOKS(4) LARIAT_HOOKS(8) LARIAT_HOOKS(16)
LARIAT_PLAIN void __tsan_read_range(void *from, unsigned long size) { lariat_accesses(from, size, 0); }
LARIAT_PLAIN void __tsan_write_range(void *from, unsigned long size) { lariat_accesses(from, size, 1); }
LARIAT_PLAIN void __tsan_init(void) {}
LARIAT_PLAIN void __tsan_func_entry(void *caller) {}
LARIAT_PLAIN void __tsan_func_exit(void *unused) {}

#define LARIAT_UPDATE(bits, type, name, new) \
    LARIAT_PLAIN type __tsan_atomic##bits##_##name(volatile void *at, type value, int order) \
    { \
        type old; \
        lariat_accesses(at, sizeof(type), 0); \
        lariat_accesses(at, sizeof(type), 1); \
        old = *(volatile type *)at; \
        *(volatile type *)at = (new); \
        return old; \
    }
#define LARIAT_ATOMICS(bits, type) \
    LARIAT_PLAIN type __tsan_atomic##bits##_load(const volatile void *at, int order) \
    { lariat_accesses(at, sizeof(type), 0); return *(const volatile type *)at; } \
    LARIAT_PLAIN void __tsan_atomic##bits##_store(volatile void *at, type value, int order) \
    { lariat_accesses(at, sizeof(type), 1); *(volatile type *)at = value; } \
    LARIAT_UPDATE(bits, type, exchange, value) \
    LARIAT_UPDATE(bits, type, fetch_add, old + value) \
    LARIAT_UPDATE(bits, type, fetch_sub, old - value) \
    LARIAT_UPDATE(bits, type, fetch_and, old & value) \
    LARIAT_UPDATE(bits, type, fetch_or, old | value) \
    LARIAT_UPDATE(bits, type, fetch_xor, old ^ value) \
    LARIAT_UPDATE(bits, type, fetch_nand, ~(old & value)) \
    LARIAT_PLAIN _Bool __tsan_atomic##bits##_compare_exchange_strong(volatile void *at, void *expected, type value, int order, int other) \
    { \
        lariat_accesses(at, sizeof(type), 0); \
        if (*(volatile type *)at != *(type *)expected) { \
            *(type *)expected = *(volatile type *)at; \
            return 0; \
        } \
        lariat_accesses(at, sizeof(type), 1); \
        *(volatile type *)at = value; \
        return 1; \
    } \
    LARIAT_PLAIN _Bool __tsan_atomic##bits##_compare_exchange_weak(volatile void *at, void *expected, type value, int order, int other) \
    { return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, order, other); } \
    LARIAT_PLAIN type __tsan_atomic##bits##_compare_exchange_val(volatile void *at, type expected, type value, int order, int other) \
    { __tsan_atomic##bits##_compare_exchange_strong(at, &expected, value, order, other); return expected; }
LARIAT_ATOMICS(8, unsigned char)
LARIAT_ATOMICS(16, unsigned short)
LARIAT_ATOMICS(32, unsigned int)
LARIAT_ATOMICS(64, unsigned long long)
LARIAT_PLAIN void __tsan_atomic_thread_fence(int order) {}
LARIAT_PLAIN void __tsan_atomic_signal_fence(int order) {}

/* ---- threads ---- */

#define LARIAT_FUNCTION(type, name, parameters) \
    type lariat_own_##name parameters LARIAT_SYMBOL("lariat_" #name); \
    LARIAT_PLAIN type lariat_own_##name parameters

LARIAT_PLAIN static void lariat_ends(void *result)
{
    int i;
    lariat_act(lariat_fits_end, 0);
    lariat_threads[lariat_self].result = result;
    lariat_threads[lariat_self].finished = 1;
    for (i = 0; i < lariat_thread_count; i++)
        if (lariat_threads[i].joins == lariat_self + 1)
            lariat_threads[i].waits = 0;
    lariat_look_for_deadlock();
    lariat_next_turn();
}

/* After its end a thread only waits: nothing of it runs any more. */
LARIAT_PLAIN static void lariat_is_over(void)
{
    for (;;)
        lariat_wait();
}

LARIAT_PLAIN static void *lariat_runs(void *own)
{
    struct lariat_thread *thread = own;
    lariat_self = (int)(thread - lariat_threads);
    lariat_wait();
    lariat_ends(thread->start ? thread->start(thread->argument) : (void *)(long)thread->start11(thread->argument));
    lariat_is_over();
    return 0;
}

LARIAT_PLAIN static int lariat_creates(const char *name, unsigned long *id, void *(*start)(void *), int (*start11)(void *), void *argument)
{
    unsigned long real;
    struct lariat_thread *thread = &lariat_threads[lariat_thread_count];
    if (!lariat_active)
        lariat_semaphore_init(&lariat_threads[0].turn, 0, 0);
    lariat_active = 1;
    lariat_calls(name, 0);
    if (lariat_thread_count == LARIAT_MOST_THREADS)
        lariat_diverged();
    thread->start = start;
    thread->start11 = start11;
    thread->argument = argument;
    lariat_semaphore_init(&thread->turn, 0, 0);
    if (lariat_real_create(&real, 0, lariat_runs, thread))
        lariat_diverged();
    *id = (unsigned long)++lariat_thread_count;
    lariat_calls(name, 1);
    return 0;
}

LARIAT_PLAIN static void *lariat_joins(const char *name, unsigned long id)
{
    lariat_calls(name, 0);
    if (id == 0 || id > (unsigned long)lariat_thread_count)
        lariat_diverged();
    lariat_threads[lariat_self].joins = (int)id;
    while (!lariat_threads[id - 1].finished)
        lariat_is_blocked();
    lariat_threads[lariat_self].joins = 0;
    return lariat_threads[id - 1].result;
}

LARIAT_FUNCTION(int, pthread_create, (unsigned long *id, const void *attributes, void *(*start)(void *), void *argument))
{ return lariat_creates("pthread_create", id, start, 0, argument); }
LARIAT_FUNCTION(int, thrd_create, (unsigned long *id, int (*start)(void *), void *argument))
{ return lariat_creates("thrd_create", id, 0, start, argument); }
LARIAT_FUNCTION(int, pthread_join, (unsigned long id, void **result))
{
    void *found = lariat_joins("pthread_join", id);
    if (result)
        *result = found;
    return 0;
}
LARIAT_FUNCTION(int, thrd_join, (unsigned long id, int *result))
{
    void *found = lariat_joins("thrd_join", id);
    if (result)
        *result = (int)(long)found;
    return 0;
}
LARIAT_FUNCTION(void, pthread_exit, (void *result)) { lariat_ends(result); lariat_is_over(); }
LARIAT_FUNCTION(void, thrd_exit, (int result)) { lariat_ends((void *)(long)result); lariat_is_over(); }
LARIAT_FUNCTION(unsigned long, pthread_self, (void)) { return (unsigned long)lariat_self + 1; }
LARIAT_FUNCTION(unsigned long, thrd_current, (void)) { return (unsigned long)lariat_self + 1; }
LARIAT_FUNCTION(int, pthread_detach, (unsigned long id)) { return 0; }
LARIAT_FUNCTION(int, thrd_detach, (unsigned long id)) { return 0; }
