// Without inputs there is one execution, and what it does not reach is dead.
// run:
//   4 of 5 reached
//   dead 10 x == 7 is true: the program has one execution only, which does not get there
int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 1000; i++)
        x = x * 1103515245u + 12345u;
    if (x == 7)
        return 1;
    return 0;
}
