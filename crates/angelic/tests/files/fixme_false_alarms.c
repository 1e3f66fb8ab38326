// What is still a false alarm, beside the mistakes of the same form.
// run: default
//   warning inconsistent drain: n->value
//   warning inconsistent pop_value: n->value
//   warning inconsistent with_items: items->value
//   warning inconsistent without_items: items->value
//   warning not-expressible poke: d->open++
//   warning not-expressible poke_unchecked: d->open++
//   spec pop: l != NULL
//   spec drain: l != NULL
//   spec pop_value: l != NULL
#include <stddef.h>
struct node { struct node *next; int value; };
struct list { struct node *head; int size; };
static struct node *pop(struct list *l)
{
    struct node *n = l->head;
    if (n == NULL)
        return NULL;
    l->head = n->next;
    l->size--;
    return n;
}
// The size says how often `pop` gives something.
int drain(struct list *l)
{
    int sum = 0;
    while (l->size > 0) {
        struct node *n = pop(l);
        sum += n->value;
    }
    return sum;
}
int pop_value(struct list *l)
{
    struct node *n = pop(l);
    return n->value;
}
// Globals of a module belong together, too.
static struct node *items;
static int item_count, missing;
void add(struct node *n)
{
    items = n;
    item_count++;
}
int with_items(void)
{
    if (items == NULL)
        missing++;
    return item_count > 0 ? items->value : 0;
}
int without_items(void)
{
    if (items == NULL)
        missing++;
    return items->value;
}
// A function of another file that is false for null.
struct device { int open; };
static struct device *devices[8];
void plug(int h, struct device *d)
{
    if (h >= 0 && h < 8)
        devices[h] = d;
}
int is_valid(const struct device *d);
static struct device *lookup(int h) { return h < 0 || h >= 8 ? NULL : devices[h]; }
int poke(int h)
{
    struct device *d = lookup(h);
    if (!is_valid(d))
        return -1;
    d->open++;
    return 0;
}
int poke_unchecked(int h)
{
    struct device *d = lookup(h);
    d->open++;
    return 0;
}
