// lariat:
// expect: evaluation_order_ok proved
// expect: evaluation_order_bad bug line 63 assert
// evaluation_order_bad: not to be run: a compiler has one order
// expect: evaluation_order_arguments_bad bug line 57 assert
// expect: evaluation_order_assignment_bad bug line 71 assert
// expect: evaluation_order_initialiser_bad bug line 77 assert
// expect: evaluation_order_unsequenced unknown
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int log_, counter, other;
static int table[4];
struct pair { int first, second; };

static int one(void) { log_ = log_ * 10 + 1; return 1; }
static int two(void) { log_ = log_ * 10 + 2; return 2; }
static int next(void) { return ++counter; }
static int unrelated(void) { other = 3; return other; }
static int add(int a, int b) { return a + b; }

void evaluation_order_ok(void)
{
    counter = 0;
    log_ = 0;
    /* What does not interfere has one meaning. */
    int x = counter + unrelated();
    assert(x == 3);
    table[counter] = unrelated();
    assert(table[0] == 3);
    x = x + next();
    assert(x == 4 && counter == 1);
    int i = 0;
    table[i++] = 5;
    table[i] = table[0] + i;
    assert(table[1] == 6);
    /* What is sequenced has one order. */
    assert((one(), two()) == 2 && log_ == 12);
    assert((one() && two()) && log_ == 1212);
    x = (x = 1, x + 2);
    assert(x == 3);
    /* The order matters, but not to what is asked. */
    log_ = 0;
    add(one(), two());
    assert(log_ == 12 || log_ == 21);
    counter = 5;
    x = counter + next();
    assert(x == 11 || x == 12);
    struct pair p = {next(), unrelated()};
    assert(p.first == 7 && p.second == 3);
}

void evaluation_order_arguments_bad(void)
{
    log_ = 0;
    add(one(), two());
    assert(log_ == 12); /* fails */
}
void evaluation_order_bad(void)
{
    counter = 5;
    int x = counter + next();
    assert(x == 11); /* fails */
}

void evaluation_order_assignment_bad(void)
{
    counter = 0;
    table[0] = table[1] = 0;
    table[counter] = next();
    assert(table[0] == 1); /* fails */
}
void evaluation_order_initialiser_bad(void)
{
    log_ = 0;
    struct pair p = {one(), two()};
    assert(log_ == 12); /* fails */
}

void evaluation_order_unsequenced(void)
{
    int i = __VERIFIER_nondet_int();
    i = i++ + 1;
    assert(i != 7);
}
