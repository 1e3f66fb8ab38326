// No environment has run before `main`: globals have their initial values there, and only there.
// run: default
//   warning definite main: *settings = 2
//   spec later: settings != NULL
#include <stdlib.h>
static int *settings;
static int value = 7, *known = &value;
void set(int *to) { settings = to; }
void later(void) { *settings = 3; }
int main(void) { *known = 1; *settings = 2; return 0; }
