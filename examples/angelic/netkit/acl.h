/* Access control lists. */
#ifndef NETKIT_ACL_H
#define NETKIT_ACL_H

#include "nk.h"

enum nk_verdict { NK_DENY = 0, NK_ALLOW = 1, NK_ASK = 2 };

struct nk_rule {
    struct nk_rule *next; /* NULL at the end */
    unsigned subject;     /* a user, or groups */
    unsigned rights;
    int verdict;
    int is_group;
};

struct nk_acl {
    struct nk_rule *rules; /* NULL if there are none */
    struct nk_acl *base;   /* NULL if it inherits nothing */
    unsigned count;
    int fallback;
};

struct nk_grant {
    struct env_user *user; /* never NULL */
    struct nk_acl *acl;    /* never NULL */
    unsigned rights;
    unsigned expires;
};

/* What applies where nothing else is set; set up before anything is asked. */
extern struct nk_acl *nk_acl_default;

void nk_acl_init(struct nk_acl *acl, int fallback);
void nk_acl_add(struct nk_acl *acl, struct nk_rule *rule);
int nk_rule_init(struct nk_rule *rule, unsigned subject, unsigned rights, int verdict);
int nk_rule_fits(const struct nk_rule *rule, const struct env_user *user);
int nk_acl_check(const struct nk_acl *acl, const struct env_user *user, unsigned rights);
int nk_acl_check_default(unsigned rights);
unsigned nk_acl_granted(const struct nk_acl *acl, unsigned limit);
int nk_acl_fallback(const struct nk_acl *acl);
int nk_acl_default_fallback(void);
struct nk_rule *nk_acl_rule_of(const struct nk_acl *acl, unsigned subject);
int nk_acl_revoke(struct nk_acl *acl, unsigned subject);
int nk_acl_remove(struct nk_acl *acl, struct nk_rule *rule);
unsigned nk_acl_depth(const struct nk_acl *acl);
int nk_grant_init(struct nk_grant *grant, struct env_user *user, struct nk_acl *acl);
int nk_grant_valid(const struct nk_grant *grant, unsigned now);
int nk_grant_check(const struct nk_grant *grant, unsigned rights);
void nk_grant_extend(struct nk_grant *grant, const struct nk_grant *other);
int nk_grant_for_delegate(struct nk_grant *grant, const struct env_user *user);
int nk_acl_is_open(const struct nk_acl *acl);
unsigned nk_acl_rights(const struct nk_acl *acl, const struct env_user *user);
int nk_acl_inherit(struct nk_acl *acl, struct nk_acl *base);
unsigned nk_acl_user_rights(const struct nk_acl *acl, unsigned id);
void nk_acl_swap_first(struct nk_acl *left, struct nk_acl *right);

#endif
