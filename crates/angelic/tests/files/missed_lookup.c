// A lookup that returns null on a miss: that the list never ends, or always has what is looked for, is no excuse.
// run: default
//   warning inconsistent first_of: entry_of(id)->value
//   warning inconsistent clear: e->value = 0
// run: default --permissive consistency,null-checks,user
//   spec first_of: table != NULL
//   spec first_of: table->next != NULL
//   spec clear: table != NULL
//   spec clear: table->next != NULL
#include <stddef.h>
struct entry { int id; int value; struct entry *next; };
struct entry *table;
static struct entry *entry_of(int id) {
    for (struct entry *e = table; e; e = e->next)
        if (e->id == id) return e;
    return NULL;
}
int first_of(int id) { return entry_of(id)->value; }
void clear(int id) { struct entry *e = entry_of(id); e->value = 0; }
int checked(int id) { struct entry *e = entry_of(id); return e ? e->value : -1; }
