// lariat:
// expect: linked_list_ok proved
// expect: linked_list_bad bug line 47 assert
// linked_list_bad fails with the inputs 2
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    return n;
}

static void release(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

void linked_list_ok(void)
{
    int x = __VERIFIER_nondet_int();
    struct node *list = push(push(push(NULL, 1), x), 3);
    assert(list->value == 3 && list->next->value == x);
    int count = 0;
    for (struct node *n = list; n; n = n->next)
        count++;
    assert(count == 3);
    assert(list != list->next);
    release(list);
}

void linked_list_bad(void)
{
    struct node *list = push(push(NULL, 2), __VERIFIER_nondet_int());
    assert(list->value != list->next->value); /* fails */
    release(list);
}
