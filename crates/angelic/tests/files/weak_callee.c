// A weak warning of a callee does not hide what always fails in its callers.
// run: default --check bounds
//   warning definite at: table[i]
//   warning definite at: table[i]
//   warning not-expressible at: table[i]
int table[10];
int at(int i) { return table[i]; }
int past_the_end(void) { return at(10); }
int before_the_start(void) { return at(-1); }
int inside(void) { return at(9); }
