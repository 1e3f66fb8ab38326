// lariat:
// expect: functions_in_objects unknown
// expect: functions_behind_objects unknown
#include <assert.h>
void external(void **);
void others(void *);

struct operations {
    void (*run)(void);
};
struct device {
    struct operations *operations;
};

static int state;

static void change(void)
{
    state = 1;
}

void functions_in_objects(void)
{
    void *table[1] = {(void *)change};
    external(table);
    assert(state == 0);
}

void functions_behind_objects(void)
{
    static struct operations operations = {change};
    struct device device = {&operations};
    others(&device);
    assert(state == 0);
}
