// The record around a member: said as people write it, and understood when it is read again.
// run: default
//   spec value_of: link != NULL
//   spec value_of: link->next != NULL
//   spec value_of: container_of(link->next, item, link)->value != NULL
//   spec of_bytes: bytes != NULL
//   spec of_bytes: ((struct item *)(bytes - 8))->value != NULL
//   spec same: item != NULL
//   spec same: item->value != NULL
//   no warning
// run: default
//   given accepted value_of: container_of(link->next, item, link)->value != NULL
//   spec value_of: link != NULL
//   spec value_of: link->next != NULL
//   spec value_of: container_of(link->next, item, link)->value != NULL
//   spec of_bytes: bytes != NULL
//   spec of_bytes: ((struct item *)(bytes - 8))->value != NULL
//   spec same: item != NULL
//   spec same: item->value != NULL
//   no warning
#include <stddef.h>
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
struct list { struct list *next, *prev; };
struct item { int key; struct list link; int *value; };
int value_of(struct list *link) { return *container_of(link->next, struct item, link)->value; }
int of_bytes(char *bytes) { return *container_of(bytes, struct item, link)->value; }
int same(struct item *item) { return *container_of(&item->link, struct item, link)->value; }
