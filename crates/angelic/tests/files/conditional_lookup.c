// A test of a pointer in `?:` is one like that of an `if`: what returns null then can do so.
// run: default
//   warning inconsistent after: behind(p)->value
//   warning inconsistent before: ahead(p)->value
#include <stddef.h>
struct entry { struct entry *next; int value; };
static struct entry *behind(struct entry *p) { return p ? p + 1 : NULL; }
int after(struct entry *p) { return behind(p)->value; }
static struct entry *ahead(struct entry *p) { return p == NULL ? NULL : p - 1; }
int before(struct entry *p) { return ahead(p)->value; }
int checked(struct entry *p) { struct entry *e = behind(p); return e ? e->value : 0; }
