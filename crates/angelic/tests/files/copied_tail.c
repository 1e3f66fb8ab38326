// The same specification excludes executions that reach different sums of a pointer: each of them brings the fact about its own sum.
// run: default
//   spec grown: s != NULL
//   spec shift: s != NULL
//   spec shift: s->w != NULL
void *memcpy(void *to, const void *from, unsigned long n);
struct s { char *w; unsigned size; unsigned bits; };
char *make(unsigned n);
int grown(struct s *s, const char *end, unsigned copy)
{
    if (s->w == 0) {
        s->w = make(s->bits);
        if (s->w == 0)
            return 1;
    }
    if (s->size == 0)
        s->size = s->bits + 3;
    if (copy >= s->size)
        memcpy(s->w, end - s->size, s->size);
    return 0;
}
void shift(struct s *s, const char *end)
{
    if (s->size == 0)
        s->size = 1U << s->bits;
    memcpy(s->w, end - s->size, s->size);
}
