// A search that leaves its result alone on a miss: the specification that would exclude it speaks of the list only, and not of
// where a local variable is.
// run: default
//   warning inconsistent first_of: entry->value
//   warning not-expressible last_of: found->value
//   spec find: out != NULL
#include <stddef.h>
struct entry { int key; struct entry *next; int value; };
struct entry *table;
static int find(int key, struct entry **out) {
    for (struct entry *e = table; e; e = e->next)
        if (e->key == key) {
            *out = e;
            return 1;
        }
    return 0;
}
int first_of(int key) { struct entry *entry = NULL; find(key, &entry); return entry->value; }
int checked(int key) { struct entry *entry = NULL; return find(key, &entry) ? entry->value : -1; }
int last_of(int key) {
    struct entry *found = NULL;
    for (struct entry *e = table; e; e = e->next)
        if (e->key == key) found = e;
    return found->value;
}
