/* How a program starts and ends: what main is given and exit handlers. */

/* ---- what main is given ---- */

/* argv of main, or its environment: so many strings, then null. */
char **__lariat_arguments(int count)
{
    char **array = __lariat_allocate(((size_t)count + 1) * sizeof *array, LARIAT_STATIC);
    size_t size = __VERIFIER_nondet_size_t();
    __lariat_assume(size >= 1 && size < SIZE_MAX / 4);
    char *text = __lariat_allocate(size, LARIAT_STATIC);
    __lariat_havoc(text, size);
    text[size - 1] = 0;
    /* The first string is the first in memory; where the others start is not known. */
    array[0] = text;
    __lariat_point_into(array, (size_t)count, text, size);
    array[count] = NULL;
    return array;
}

/* ---- what runs when the program ends ---- */

/* The standard promises room for so many handlers; what a further registration does is not modelled. */
#define LARIAT_HANDLERS 32

struct __lariat_handler {
    void (*plain)(void);
    void (*informed)(int, void *);
    void *argument;
};
static struct __lariat_handler __lariat_handlers[LARIAT_HANDLERS];
static int __lariat_handler_count;
static void (*__lariat_quick_handlers[LARIAT_HANDLERS])(void);
static int __lariat_quick_handler_count;

/* The function runs at exit; 0. */
int atexit(void (*handler)(void))
{
    if (__lariat_handler_count == LARIAT_HANDLERS)
        __lariat_unsupported("more than 32 exit handlers");
    __lariat_handlers[__lariat_handler_count].plain = handler;
    __lariat_handler_count++;
    return 0;
}

/* The function runs at exit and is given the status; 0. */
int on_exit(void (*handler)(int, void *), void *argument)
{
    if (__lariat_handler_count == LARIAT_HANDLERS)
        __lariat_unsupported("more than 32 exit handlers");
    __lariat_handlers[__lariat_handler_count].plain = NULL;
    __lariat_handlers[__lariat_handler_count].informed = handler;
    __lariat_handlers[__lariat_handler_count].argument = argument;
    __lariat_handler_count++;
    return 0;
}

/* Runs the handlers of exit(), the last first. */
void __lariat_run_exit_handlers(int status)
{
    while (__lariat_handler_count > 0) {
        __lariat_handler_count--;
        struct __lariat_handler handler = __lariat_handlers[__lariat_handler_count];
        if (handler.plain != NULL)
            handler.plain();
        else
            handler.informed(status, handler.argument);
    }
}

/* exit() of a program with exit handlers. */
void __lariat_exit(int status)
{
    __lariat_run_exit_handlers(status);
    __lariat_stop();
}

/* The function runs at quick_exit(); 0. */
int at_quick_exit(void (*handler)(void))
{
    if (__lariat_quick_handler_count == LARIAT_HANDLERS)
        __lariat_unsupported("more than 32 handlers of quick_exit()");
    __lariat_quick_handlers[__lariat_quick_handler_count] = handler;
    __lariat_quick_handler_count++;
    return 0;
}

/* quick_exit() of a program that calls at_quick_exit(). */
void __lariat_quick_exit(int status)
{
    while (__lariat_quick_handler_count > 0) {
        __lariat_quick_handler_count--;
        __lariat_quick_handlers[__lariat_quick_handler_count]();
    }
    __lariat_stop();
}
