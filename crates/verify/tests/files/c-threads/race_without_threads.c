// lariat: race
// expect: bounded
static int x;

int main(void)
{
    x++;
    return x;
}
