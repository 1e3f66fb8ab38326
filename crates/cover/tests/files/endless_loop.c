// A loop without a bound: what it excludes is proved by an invariant; what needs more rounds is bounded.
// run: --runs 0 --bound 2
//   7 of 9 reached
//   dead 17 low != high is true: `low != high` is false whenever it is evaluated
//   bounded(2) 20 low > 5 is true
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int low = 0, high = 0;
    while (__VERIFIER_nondet_int()) {
        int step = __VERIFIER_nondet_int();
        if (step < 1 || step > 3)
            return 3;
        low += step;
        high += step;
        if (low != high)
            return 1;
    }
    if (low > 5)
        return 2;
    return 0;
}
