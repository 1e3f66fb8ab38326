/* What the toolkit expects of its environment: no function here has a body in the library. */
#ifndef NETKIT_ENV_H
#define NETKIT_ENV_H

/* Locks: each is taken and released in alternation. */
struct nk_lock {
    unsigned word;
};

void env_lock(struct nk_lock *lock);
void env_unlock(struct nk_lock *lock);

/* Files: what env_open returns is open until env_close. NULL: it could not be opened. */
struct env_file;

struct env_file *env_open(const char *path, int mode);
void env_close(struct env_file *file);
int env_read(struct env_file *file, char *data, unsigned size);
int env_write(struct env_file *file, const char *data, unsigned size);

/* Interrupt levels: raised from passive to dispatch, and lowered again. */
int env_raise_irql(void);
void env_lower_irql(int level);

/* Device registers. */
unsigned env_register_read(unsigned port);
void env_register_write(unsigned port, unsigned value);

/* Time, text and messages. */
unsigned env_clock(void);
void env_log(int level, const char *text);
int env_string_equal(const char *left, const char *right);
unsigned env_string_length(const char *text);
void env_copy(char *target, const char *source, unsigned size);

/* What is known of the other side of a connection. */
struct env_peer {
    unsigned address;
    unsigned port;
    unsigned weight;
    const char *name;
};

struct env_peer *env_peer_of(unsigned address);
struct env_peer *env_gateway(void);

/* Credentials of the user that a request came from. */
struct env_user {
    unsigned id;
    unsigned groups;
    struct env_user *delegate;
};

struct env_user *env_current_user(void);
int env_find_user(unsigned id, struct env_user **found);

#endif
