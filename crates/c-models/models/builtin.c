/* The compiler's functions that the verifier does not know itself: __builtin_NAME is bound to NAME. */

/* One more than the place of the lowest bit that is set, or 0. */
int ffsll(long long x)
{
    return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1;
}

/* One more than the place of the lowest bit that is set, or 0. */
int ffsl(long x)
{
    return x == 0 ? 0 : __builtin_ctzll((unsigned long)x) + 1;
}

/* One more than the place of the lowest bit that is set, or 0. */
int ffs(int x)
{
    return x == 0 ? 0 : __builtin_ctz((unsigned int)x) + 1;
}
