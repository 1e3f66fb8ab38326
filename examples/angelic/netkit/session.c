/* The table of sessions. The list of sessions is behind the lock; a session belongs to its task. */
#include "session.h"

#define GROUP_WRITERS 2u
#define IDLE_TIME 600u

int nk_sessions_init(struct nk_sessions *sessions, unsigned limit)
{
    if (sessions == NULL || limit == 0)
        return NK_EINVAL;
    sessions->lock.word = 0;
    sessions->first = NULL;
    sessions->count = 0;
    sessions->limit = limit;
    sessions->next_id = 1;
    return NK_OK;
}

/* A new session; NULL if there are too many. */
struct nk_session *nk_session_open(struct nk_sessions *sessions, unsigned address)
{
    struct nk_session *session = malloc(sizeof *session);

    if (session == NULL)
        return NULL;
    session->user = NULL;
    session->peer = env_peer_of(address);
    session->requests = 0;
    session->last_used = env_clock();
    env_lock(&sessions->lock); /* E189 */
    if (sessions->count >= sessions->limit) { /* E190 */
        env_unlock(&sessions->lock);
        free(session);
        return NULL;
    }
    session->id = sessions->next_id++;
    session->next = sessions->first;
    sessions->first = session;
    sessions->count++;
    env_unlock(&sessions->lock);
    return session;
}

struct nk_session *nk_session_find(const struct nk_sessions *sessions, unsigned id)
{
    struct nk_session *session;

    if (sessions == NULL)
        return NULL;
    for (session = sessions->first; session != NULL; session = session->next)
        if (session->id == id)
            return session;
    return NULL;
}

int nk_session_close(struct nk_sessions *sessions, unsigned id)
{
    struct nk_session *session;
    struct nk_session *prev = NULL;

    env_lock(&sessions->lock); /* E191 */
    session = sessions->first; /* E192 */
    while (session != NULL && session->id != id) {
        prev = session;
        session = session->next;
    }
    if (session == NULL) {
        env_unlock(&sessions->lock);
        return NK_EMISSING;
    }
    if (prev != NULL)
        prev->next = session->next;
    else
        sessions->first = session->next;
    sessions->count--;
    env_unlock(&sessions->lock);
    free(session); /* E193 */
    return NK_OK;
}

/* The session at an index; NULL if there are not so many. */
static const struct nk_session *session_at(const struct nk_sessions *sessions, unsigned index)
{
    const struct nk_session *session;

    if (index >= sessions->count) /* E194 */
        return NULL;
    session = sessions->first;
    while (session != NULL && index > 0) {
        session = session->next;
        index--;
    }
    return session;
}

unsigned nk_session_requests(const struct nk_sessions *sessions, unsigned index)
{
    const struct nk_session *session = session_at(sessions, index);

    return session->requests; /* B05 */
}

unsigned nk_session_port_at(const struct nk_sessions *sessions, unsigned index)
{
    const struct nk_session *session = session_at(sessions, index);

    if (session == NULL)
        return 0;
    return session->peer->port; /* E195 */
}

int nk_session_login(struct nk_session *session, unsigned user)
{
    struct env_user *found;

    if (session == NULL)
        return NK_EINVAL;
    if (env_find_user(user, &found) != NK_OK)
        return NK_EDENIED;
    session->user = found;
    if (found->groups == 0) /* E196 */
        env_log(NK_WARN, "session: user without groups");
    return NK_OK;
}

int nk_session_may_write(const struct nk_session *session)
{
    const struct env_user *user = session->user; /* E197 */

    if (user == NULL)
        return 0;
    return (user->groups & GROUP_WRITERS) != 0;
}

/* Who acts for the user of a session; the user if nobody does. */
unsigned nk_session_delegate(const struct nk_session *session)
{
    const struct env_user *user;
    const struct env_user *delegate;

    if (session == NULL)
        return 0;
    user = session->user;
    if (user == NULL)
        return 0;
    delegate = user->delegate;
    if (delegate == NULL)
        return user->id;
    return delegate->id;
}

unsigned nk_sessions_count(struct nk_sessions *sessions)
{
    unsigned count;

    env_lock(&sessions->lock); /* B18 E198 */
    count = sessions->count; /* E199 */
    env_unlock(&sessions->lock);
    return count;
}

int nk_sessions_is_full(struct nk_sessions *sessions)
{
    int full = 0;

    env_lock(&sessions->lock); /* E200 */
    if (sessions->limit < NK_SIZE_LIMIT) /* E201 */
        full = nk_sessions_count(sessions) >= sessions->limit;
    env_unlock(&sessions->lock);
    return full;
}

/* Forgets the users of sessions that nobody has used for a while. */
unsigned nk_sessions_expire(struct nk_sessions *sessions, unsigned now)
{
    struct nk_session *session;
    unsigned expired = 0;

    env_lock(&sessions->lock); /* E202 */
    session = sessions->first; /* E203 */
    while (session != NULL) {
        if (now - session->last_used > IDLE_TIME) {
            session->user = NULL;
            expired++;
        }
        session = session->next;
    }
    env_unlock(&sessions->lock);
    return expired;
}

void nk_session_use(struct nk_session *session)
{
    session->last_used = env_clock(); /* E204 */
    session->requests++;
}

unsigned nk_session_weight(const struct nk_session *session)
{
    const struct env_peer *peer = session->peer; /* E205 */

    return peer->weight + session->requests; /* E206 */
}

int nk_session_same_peer(const struct nk_session *left, const struct nk_session *right)
{
    if (left == NULL || right == NULL)
        return 0;
    if (left == right)
        return 1;
    return left->peer->address == right->peer->address; /* E207 */
}

unsigned nk_session_user_groups(void)
{
    const struct env_user *user = env_current_user();

    return user->groups; /* E208 */
}

int nk_session_is_local(const struct nk_session *session)
{
    const struct env_peer *gateway = env_gateway();

    if (session == NULL)
        return 0;
    return session->peer->address == gateway->address; /* E209 */
}

/* The end of a use that began with the lock taken. */
void nk_sessions_unlock_after(struct nk_sessions *sessions, unsigned used)
{
    const struct nk_session *session = sessions->first; /* E210 */

    if (session != NULL && session->requests < used)
        env_log(NK_DEBUG, "session: many requests");
    env_unlock(&sessions->lock); /* E211 */
}

/* The id of the session with most requests; 0 if there is none. */
unsigned nk_sessions_busiest(struct nk_sessions *sessions)
{
    const struct nk_session *session;
    const struct nk_session *best = NULL;
    unsigned id = 0;

    if (sessions == NULL)
        return 0;
    env_lock(&sessions->lock); /* E212 */
    for (session = sessions->first; session != NULL; session = session->next)
        if (best == NULL || session->requests > best->requests)
            best = session;
    if (best != NULL)
        id = best->id;
    env_unlock(&sessions->lock);
    return id;
}

void nk_session_logout(struct nk_session *session)
{
    if (session == NULL || session->user == NULL)
        return;
    session->user = NULL;
    session->requests = 0;
}

/* Writes who uses a session. */
int nk_session_audit(const struct nk_session *session, const char *path)
{
    struct env_file *file;
    const struct env_peer *peer = session->peer; /* E213 */
    int put;

    file = env_open(path, 1);
    if (file == NULL)
        return NK_EIO;
    put = env_write(file, peer->name, NK_NAME_LIMIT); /* E214 */
    env_close(file);
    return put < 0 ? NK_EIO : NK_OK;
}
