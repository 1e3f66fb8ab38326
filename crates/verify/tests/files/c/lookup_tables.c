// lariat:
// expect: never_changes_ok proved
// expect: never_changes_bad bug line 38 assert
// never_changes_bad fails with the inputs 217
// expect: changes_ok proved
// expect: changes_bad bug line 52 assert
// changes_bad fails with the inputs 3
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

/* Never written: a lookup is a search over the keys. */
static const int table[300] = {
    1, 38, 75, 112, 149, 186, 223, 9, 46, 83, 120, 157, 194, 231, 17, 54, 91, 128, 165, 202,
    239, 25, 62, 99, 136, 173, 210, 247, 33, 70, 107, 144, 181, 218, 4, 41, 78, 115, 152, 189,
    226, 12, 49, 86, 123, 160, 197, 234, 20, 57, 94, 131, 168, 205, 242, 28, 65, 102, 139, 176,
    213, 250, 36, 73, 110, 147, 184, 221, 7, 44, 81, 118, 155, 192, 229, 15, 52, 89, 126, 163,
    200, 237, 23, 60, 97, 134, 171, 208, 245, 31, 68, 105, 142, 179, 216, 2, 39, 76, 113, 150,
    187, 224, 10, 47, 84, 121, 158, 195, 232, 18, 55, 92, 129, 166, 203, 240, 26, 63, 100, 137,
    174, 211, 248, 34, 71, 108, 145, 182, 219, 5, 42, 79, 116, 153, 190, 227, 13, 50, 87, 124,
    161, 198, 235, 21, 58, 95, 132, 169, 206, 243, 29, 66, 103, 140, 177, 214, 251, 37, 74, 111,
    148, 185, 222, 8, 45, 82, 119, 156, 193, 230, 16, 53, 90, 127, 164, 201, 238, 24, 61, 98,
    135, 172, 209, 246, 32, 69, 106, 143, 180, 217, 3, 40, 77, 114, 151, 188, 225, 11, 48, 85,
    122, 159, 196, 233, 19, 56, 93, 130, 167, 204, 241, 27, 64, 101, 138, 175, 212, 900, 35, 72,
    109, 146, 183, 220, 6, 43, 80, 117, 154, 191, 228, 14, 51, 88, 125, 162, 199, 236, 22, 59,
    96, 133, 170, 207, 244, 30, 67, 104, 141, 178, 215, 1, 38, 75, 112, 149, 186, 223, 9, 46,
    83, 120, 157, 194, 231, 17, 54, 91, 128, 165, 202, 239, 25, 62, 99, 136, 173, 210, 247, 33,
    70, 107, 144, 181, 218, 4, 41, 78, 115, 152, 189, 226, 12, 49, 86, 123, 160, 197, 234, 20,
};

int never_changes(unsigned index) { return table[index % 300]; }

void never_changes_ok(void) {
    assert(never_changes(__VERIFIER_nondet_uint()) <= 900);
}

void never_changes_bad(void) {
    assert(never_changes(__VERIFIER_nondet_uint()) < 900);
}

static int weights[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

void lift(unsigned index) { weights[index % 20] = 100; }

void changes_ok(void) {
    lift(3);
    assert(weights[__VERIFIER_nondet_uint() % 20] <= 100);
}

void changes_bad(void) {
    lift(3);
    assert(weights[__VERIFIER_nondet_uint() % 20] < 100);
}
