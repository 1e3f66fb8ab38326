// What is known of a callee says nothing of callers that do not keep to it.
// run: default
//   warning definite use: *value_of(p)
//   warning definite use: *value_of(p)
//   warning not-expressible behind: *p->next->value
//   spec behind: p->next != &last || p->next->value != NULL
//   spec behind: p != NULL
//   spec value_of: p != NULL
//   spec use: p->value != NULL
//   spec use: p != NULL
//   spec use_next: p != NULL
//   spec use_next: p->next->value != NULL
//   spec clear: p != NULL
//   spec cleared: p != NULL
#include <stddef.h>

struct node { struct node *next; int *value; int count; };

static struct node last;

// Fails at a node that callers can make.
int behind(struct node *p)
{
    if (p->next == &last)
        return *p->next->value;
    return p->count;
}

// And this one does.
int ends(struct node *p)
{
    if (p == NULL)
        return 0;
    last.value = NULL;
    p->next = &last;
    return behind(p);
}

int *value_of(struct node *p)
{
    return p->value;
}

int use(struct node *p)
{
    return *value_of(p);
}

// Violates what `use` needs.
int use_null(void)
{
    struct node n = { NULL, NULL, 0 };
    return use(&n);
}

// Provides it.
int use_own(void)
{
    int zero = 0;
    struct node n = { NULL, &zero, 0 };
    return use(&n);
}

// The same for whoever calls it.
int use_next(struct node *p)
{
    if (p->next == NULL)
        return 0;
    return use(p->next) + use(p->next);
}

// What it does decides what happens afterwards.
void clear(struct node *p)
{
    p->value = NULL;
}

int cleared(struct node *p)
{
    clear(p);
    return use(p);
}
