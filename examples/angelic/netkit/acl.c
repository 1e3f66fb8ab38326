/* Access control lists: the first rule that fits decides; else the list it inherits from; else the fallback. */
#include "acl.h"

struct nk_acl *nk_acl_default;

void nk_acl_init(struct nk_acl *acl, int fallback)
{
    acl->rules = NULL; /* E279 */
    acl->base = NULL;
    acl->count = 0;
    acl->fallback = fallback;
}

void nk_acl_add(struct nk_acl *acl, struct nk_rule *rule)
{
    rule->next = acl->rules; /* E280 */
    acl->rules = rule;
    acl->count++;
}

int nk_rule_init(struct nk_rule *rule, unsigned subject, unsigned rights, int verdict)
{
    if (rule == NULL || verdict < NK_DENY || verdict > NK_ASK)
        return NK_EINVAL;
    rule->next = NULL;
    rule->subject = subject;
    rule->rights = rights;
    rule->verdict = verdict;
    rule->is_group = 0;
    return NK_OK;
}

int nk_rule_fits(const struct nk_rule *rule, const struct env_user *user)
{
    if (rule->is_group) /* E281 */
        return (user->groups & rule->subject) != 0; /* E282 */
    return user->id == rule->subject; /* E283 */
}

/* NK_ALLOW, NK_DENY or NK_ASK. */
int nk_acl_check(const struct nk_acl *acl, const struct env_user *user, unsigned rights)
{
    const struct nk_rule *rule;

    if (acl == NULL || user == NULL)
        return NK_DENY;
    for (rule = acl->rules; rule != NULL; rule = rule->next)
        if ((rule->rights & rights) == rights && nk_rule_fits(rule, user))
            return rule->verdict;
    return acl->fallback;
}

/* Of the present user, by the list that applies where nothing else is set. */
int nk_acl_check_default(unsigned rights)
{
    const struct env_user *user = env_current_user();
    const struct nk_rule *rule;

    for (rule = nk_acl_default->rules; rule != NULL; rule = rule->next) /* E284 */
        if ((rule->rights & rights) == rights && rule->subject == user->id) /* E285 */
            return rule->verdict;
    return NK_DENY;
}

/* How many rules allow something, among the first ones. */
unsigned nk_acl_granted(const struct nk_acl *acl, unsigned limit)
{
    const struct nk_rule *rule = acl->rules; /* B13 */
    unsigned granted = 0;
    unsigned seen = 0;

    while (rule != NULL && seen < limit) {
        if (rule->verdict == NK_ALLOW)
            granted++;
        rule = rule->next;
        seen++;
    }
    if (acl == NULL || limit == 0)
        return 0;
    return granted;
}

int nk_acl_fallback(const struct nk_acl *acl)
{
    const struct nk_acl *base;

    if (acl == NULL)
        return NK_DENY;
    base = acl->base;
    if (base != NULL)
        return base->fallback;
    return acl->fallback;
}

int nk_acl_default_fallback(void)
{
    return nk_acl_default->fallback; /* E286 */
}

struct nk_rule *nk_acl_rule_of(const struct nk_acl *acl, unsigned subject)
{
    struct nk_rule *rule;

    for (rule = acl->rules; rule != NULL; rule = rule->next) /* E287 */
        if (rule->subject == subject)
            return rule;
    return NULL;
}

int nk_acl_revoke(struct nk_acl *acl, unsigned subject)
{
    struct nk_rule *rule = nk_acl_rule_of(acl, subject);

    if (rule == NULL)
        return NK_EMISSING;
    rule->verdict = NK_DENY;
    rule->rights = 0;
    return NK_OK;
}

int nk_acl_remove(struct nk_acl *acl, struct nk_rule *rule)
{
    struct nk_rule *other = acl->rules; /* E288 */
    struct nk_rule *prev = NULL;

    while (other != NULL && other != rule) {
        prev = other;
        other = other->next;
    }
    if (other == NULL)
        return NK_EMISSING;
    if (prev != NULL)
        prev->next = other->next;
    else
        acl->rules = other->next;
    other->next = NULL;
    acl->count--;
    return NK_OK;
}

unsigned nk_acl_depth(const struct nk_acl *acl)
{
    unsigned depth = 0;

    while (acl != NULL) {
        depth++;
        acl = acl->base;
    }
    return depth;
}

int nk_grant_init(struct nk_grant *grant, struct env_user *user, struct nk_acl *acl)
{
    if (grant == NULL || user == NULL || acl == NULL)
        return NK_EINVAL;
    grant->user = user;
    grant->acl = acl;
    grant->rights = 0;
    grant->expires = 0;
    return NK_OK;
}

int nk_grant_valid(const struct nk_grant *grant, unsigned now)
{
    if (grant->expires < now) /* E289 */
        return 0;
    return grant->user->id != 0; /* E290 */
}

int nk_grant_check(const struct nk_grant *grant, unsigned rights)
{
    const struct nk_acl *acl;

    if (grant == NULL)
        return NK_DENY;
    if ((grant->rights & rights) == rights)
        return NK_ALLOW;
    acl = grant->acl;
    return acl->fallback; /* E291 */
}

void nk_grant_extend(struct nk_grant *grant, const struct nk_grant *other)
{
    grant->rights |= other->rights; /* E292 */
    if (grant->expires < other->expires)
        grant->expires = other->expires;
}

/* A grant of the one who acts for a user. */
int nk_grant_for_delegate(struct nk_grant *grant, const struct env_user *user)
{
    struct env_user *delegate = user->delegate; /* E293 */

    if (delegate == NULL)
        return NK_EMISSING;
    grant->user = delegate; /* E294 */
    grant->rights = delegate->groups;
    return NK_OK;
}

int nk_acl_is_open(const struct nk_acl *acl)
{
    if (acl == NULL)
        return 0;
    return acl->rules == NULL && acl->fallback == NK_ALLOW;
}

unsigned nk_acl_rights(const struct nk_acl *acl, const struct env_user *user)
{
    const struct nk_rule *rule;
    unsigned rights = 0;

    if (acl == NULL)
        return 0;
    for (rule = acl->rules; rule != NULL; rule = rule->next)
        if (rule->verdict == NK_ALLOW && nk_rule_fits(rule, user))
            rights |= rule->rights;
    return rights;
}

int nk_acl_inherit(struct nk_acl *acl, struct nk_acl *base)
{
    if (acl == NULL || acl == base)
        return NK_EINVAL;
    if (base != NULL && base->base == acl)
        return NK_EINVAL;
    acl->base = base;
    return NK_OK;
}

/* The rights of a user who need not be logged in. */
unsigned nk_acl_user_rights(const struct nk_acl *acl, unsigned id)
{
    struct env_user *user;

    if (env_find_user(id, &user) != NK_OK)
        return 0;
    if (user->id != id) /* E295 */
        return 0;
    return nk_acl_rights(acl, user);
}

/* The first rules of two lists change places; neither is empty. */
void nk_acl_swap_first(struct nk_acl *left, struct nk_acl *right)
{
    struct nk_rule *first = left->rules; /* E296 */
    struct nk_rule *second = right->rules; /* E297 */
    struct nk_rule *rest = first->next; /* E298 */

    first->next = second->next; /* E299 */
    second->next = rest;
    left->rules = second;
    right->rules = first;
}
