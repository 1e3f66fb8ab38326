/* A mutex in the manner of LinuxThreads: fast, recursive or error-checking. */
#ifndef MUTEX_H
#define MUTEX_H

#define FAST 0
#define RECURSIVE 1
#define ERROR_CHECK 2

#define OK 0
#define EPERM 1
#define EINVAL 22
#define EDEADLK 35

struct mutex {
    int kind;
    int owner; /* 0: nobody */
    int count; /* how often the owner has locked a recursive mutex beyond the first time */
};

int self(void);            /* never 0 */
void raw_lock(void);   /* blocks */
void raw_unlock(void);

#endif
