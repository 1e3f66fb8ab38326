// Several entries: a goal is dead if none of them reaches it.
// run: --entry first --entry second
//   10 of 11 reached
//   dead 9 x < -100 is true: `x < -100` is false whenever it is evaluated
static int shared(int x)
{
    if (x > 100)
        return 1;
    if (x < -100)
        return 2;
    return 0;
}

int first(int x)
{
    return x > 0 ? shared(50) : shared(200);
}

int second(int x)
{
    return x > 0 ? shared(x) : shared(0);
}
