// lariat:
// expect: linkage_block_labels_ok proved
// expect: linkage_block_labels_bad bug line 20 assert
// linkage_block_labels_bad fails with the inputs 0
#include <assert.h>

int counter = 1;
int twice(int x) { return 2 * x; }

static int *where(void) { extern int same asm("counter"); return &same; }
static int call(int x) { int other(int) asm("twice"); return other(x); }

void linkage_block_labels_ok(void) {
    *where() = 4;
    assert(counter == 4 && call(3) == 6);
}

void linkage_block_labels_bad(void) {
    *where() = 4;
    assert(counter == 1);
}
