// Functions that call themselves or each other: a bug in a call below the first one is found, beside what is safe by induction.
// run: default
//   warning not-expressible sum: *scale
//   warning not-expressible second: *scale
//   warning not-expressible heads: *scale
//   spec sum: scale != NULL
//   spec even: scale != NULL
//   spec odd: scale != NULL
#include <stddef.h>

struct tree { struct tree *left, *right; int *value; int count; };

// Nothing in it can fail.
int same(struct tree *a, struct tree *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->count == b->count && same(a->left, b->left) && same(a->right, b->right);
}

int is_same(struct tree *a)
{
    return a != NULL && same(a->left, a->right);
}

// Hands on what it needs.
int sum(int *scale, struct tree *t)
{
    if (t == NULL)
        return 0;
    return *scale * t->count + sum(scale, t->left) + sum(scale, t->right);
}

// Violates what `sum` needs.
int sum_nothing(struct tree *t)
{
    if (t == NULL)
        return 0;
    return sum(NULL, t);
}

// Fails in the second call only.
int second(int *scale, struct tree *t)
{
    if (t == NULL)
        return 0;
    return *scale * t->count + second(NULL, t->left);
}

int odd(int *scale, struct tree *t);

int even(int *scale, struct tree *t)
{
    return t == NULL ? 0 : odd(scale, t->left) + *scale;
}

int odd(int *scale, struct tree *t)
{
    return t == NULL ? 1 : even(scale, t->right) + *scale;
}

int tails(int *scale, struct tree *t);

// The other one forgets what this one needs.
int heads(int *scale, struct tree *t)
{
    return t == NULL ? 0 : tails(scale, t->left) + *scale;
}

int tails(int *scale, struct tree *t)
{
    return t == NULL ? 0 : heads(NULL, t->left);
}
