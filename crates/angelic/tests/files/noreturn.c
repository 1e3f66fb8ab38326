// What every caller treats as the end of the path, and is called like it, does not return.
// run: default
//   warning inconsistent logged: *p
//   warning inconsistent followed: *p
//   spec ended: fatal does not return
//   spec bug: panic_now does not return
//   spec bug: s != NULL
//   spec kind: s != NULL
// It is a specification: it may be rejected.
// run: default
//   given rejected ended: fatal does not return
//   given accepted bug: panic_now does not return
//   warning inconsistent logged: *p
//   warning inconsistent followed: *p
//   warning inconsistent ended: *p
//   spec ended: fatal does not return
//   spec bug: panic_now does not return
//   spec bug: s != NULL
//   spec kind: s != NULL
#include <stddef.h>
void fatal(const char *message);
void panic_now(void);
void die(int code);
void log_missing(const char *message);
struct s { int *p; int k; };
int ended(int *p) { if (p == NULL) fatal("null"); return *p; }
int logged(int *p) { if (p == NULL) log_missing("null"); return *p; }
int followed(int *p) { if (p == NULL) { die(1); log_missing("null"); } return *p; }
int bug(struct s *s) { if (!s->p) panic_now(); return *s->p; }
int kind(struct s *s, int k) { switch (k) { case 1: s->k = 2; break; default: fatal("kind"); } return s->k; }
