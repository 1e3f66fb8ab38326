// Each side of each condition, cases and defaults.
// run:
//   15 of 20 reached
//   dead 32 x < 0 is true: `x < 0` is false whenever it is evaluated
//   dead 37 never: no execution enters it
//   dead 52 i == 9 is true: `i == 9` is false whenever it is evaluated
//   dead 53 a > 2 is true: it can be reached only if `i == 9` is true (line 52), which never happens
//   dead 53 a > 2 is false: it can be reached only if `i == 9` is true (line 52), which never happens
// run: --runs 0
//   15 of 20 reached
//   dead 32 x < 0 is true: `x < 0` is false whenever it is evaluated
//   dead 37 never: no execution enters it
//   dead 52 i == 9 is true: `i == 9` is false whenever it is evaluated
//   dead 53 a > 2 is true: it can be reached only if `i == 9` is true (line 52), which never happens
//   dead 53 a > 2 is false: it can be reached only if `i == 9` is true (line 52), which never happens
// run: --random-only
//   15 of 20 reached
//   unknown 32 x < 0 is true: only executions with random inputs were tried
//   unknown 37 never: only executions with random inputs were tried
//   unknown 52 i == 9 is true: only executions with random inputs were tried
//   unknown 53 a > 2 is true: only executions with random inputs were tried
//   unknown 53 a > 2 is false: only executions with random inputs were tried
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int classify(int x)
{
    if (x < 0)
        return -1;
    if (x == 123457)
        return 7;
    if (x < 0)
        return 5;
    return 1;
}

int never(int x)
{
    return x > 3 ? 1 : 0;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int n = 0;
    switch (a) {
    case 5: n = 3; break;
    case 987654: n = 8; break;
    default: n = classify(a);
    }
    for (int i = 0; i < 4; i++) {
        if (i == 9) {
            if (a > 2)
                n = never(a);
        }
    }
    if (a * 3 == n + 11)
        reach_error();
    return 0;
}
