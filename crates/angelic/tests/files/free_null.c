// What `free` does with null decides nothing about what comes later.
// run: default
//   no warning
//   spec f: x != NULL
// run: default --rule use-after-free
//   warning definite f: x->n
//   spec f: x != NULL
#include <stdlib.h>
struct s { struct s *n; };
struct s *f(struct s *x) { free(x); return x->n; }
