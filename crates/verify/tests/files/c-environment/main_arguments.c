// lariat: --check memory --check assert
// expect: main proved
// expect: main_arguments_bad bug line 8
#include <assert.h>

int main_arguments_bad(int argc, char **argv)
{
    return *argv[argc];
}

int main(int argc, char **argv)
{
    assert(argc >= 0);
    assert(argv[argc] == 0);
    if (argc > 1) {
        int length = 0;
        return argv[1][0] == '-' && argv[1][0] != 0 ? argv[argc - 1][0] : length;
    }
    return 0;
}
