// lariat:
// expect: function_names_ok proved
// expect: function_names_bad bug line 24 assert
// function_names_bad fails with the inputs 2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static const char *name(void)
{
    return __func__;
}

void function_names_ok(void)
{
    assert(__func__[0] == 'f' && sizeof __func__ == 18);
    assert(__FUNCTION__[8] == '_' && __FUNCTION__[9] == 'n');
    assert(name()[0] == 'n' && name()[4] == 0);
    assert(__LINE__ > 1 && sizeof __FILE__ > 1);
}

void function_names_bad(void)
{
    unsigned int i = __VERIFIER_nondet_int() & 3;
    assert(name()[i] != 'm'); /* fails */
}
