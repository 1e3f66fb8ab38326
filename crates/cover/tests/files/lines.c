// Lines instead of branches.
// run: --goal line
//   4 of 8 reached
//   dead 12 int result = x / 2;: no execution gets there
//   dead 13 return result;: no execution gets there
//   dead 20 x = half(x);: no execution gets there
//   dead 21 x = x + 1;: no execution gets there
extern int __VERIFIER_nondet_int(void);

int half(int x)
{
    int result = x / 2;
    return result;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 4 && x < 3) {
        x = half(x);
        x = x + 1;
    }
    x = 5;
    return x;
}
