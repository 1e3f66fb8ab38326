/* The table of sessions of a server. */
#ifndef NETKIT_SESSION_H
#define NETKIT_SESSION_H

#include "nk.h"

struct nk_session {
    struct nk_session *next; /* NULL at the end */
    struct env_user *user;   /* NULL before the login */
    struct env_peer *peer;   /* never NULL */
    unsigned id;
    unsigned last_used;
    unsigned requests;
};

struct nk_sessions {
    struct nk_lock lock;
    struct nk_session *first; /* NULL if empty */
    unsigned count;
    unsigned limit;
    unsigned next_id;
};

int nk_sessions_init(struct nk_sessions *sessions, unsigned limit);
struct nk_session *nk_session_open(struct nk_sessions *sessions, unsigned address);
struct nk_session *nk_session_find(const struct nk_sessions *sessions, unsigned id);
int nk_session_close(struct nk_sessions *sessions, unsigned id);
unsigned nk_session_requests(const struct nk_sessions *sessions, unsigned index);
unsigned nk_session_port_at(const struct nk_sessions *sessions, unsigned index);
int nk_session_login(struct nk_session *session, unsigned user);
int nk_session_may_write(const struct nk_session *session);
unsigned nk_session_delegate(const struct nk_session *session);
unsigned nk_sessions_count(struct nk_sessions *sessions);
int nk_sessions_is_full(struct nk_sessions *sessions);
unsigned nk_sessions_expire(struct nk_sessions *sessions, unsigned now);
void nk_session_use(struct nk_session *session);
unsigned nk_session_weight(const struct nk_session *session);
int nk_session_same_peer(const struct nk_session *left, const struct nk_session *right);
unsigned nk_session_user_groups(void);
int nk_session_is_local(const struct nk_session *session);
void nk_sessions_unlock_after(struct nk_sessions *sessions, unsigned used);
unsigned nk_sessions_busiest(struct nk_sessions *sessions);
void nk_session_logout(struct nk_session *session);
int nk_session_audit(const struct nk_session *session, const char *path);

#endif
