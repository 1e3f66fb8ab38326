// A pointer to functions that the environment has made points to functions of its type: `own_release` is never called as a `grow`.
// run: default
//   no warning
//   specs 9
// run: default --entry drop
//   no warning
//   spec drop: b != NULL
//   spec drop: b->release != NULL
#include <stddef.h>

struct buffer {
    void *(*grow)(struct buffer *b, int by);
    void (*release)(struct buffer *b);
    char *data;
};

static void *own_grow(struct buffer *b, int by) { (void)by; return b->data; }
static void own_release(struct buffer *b) { b->data = NULL; }

void start(struct buffer *b)
{
    if (b->grow == NULL)
        b->grow = own_grow;
    if (b->release == NULL)
        b->release = own_release;
}

int fill(struct buffer *b)
{
    int *p = b->grow(b, 4);
    return *p;
}

void drop(struct buffer *b)
{
    b->release(b);
}
