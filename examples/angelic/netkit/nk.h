/* Results and limits that all parts of the toolkit share. */
#ifndef NETKIT_NK_H
#define NETKIT_NK_H

#include <stddef.h>
#include <stdlib.h>

#include "env.h"

enum nk_result {
    NK_OK = 0,
    NK_EINVAL = -1,
    NK_ENOMEM = -2,
    NK_ELIMIT = -3,
    NK_EMISSING = -4,
    NK_EBUSY = -5,
    NK_EIO = -6,
    NK_EDENIED = -7
};

enum nk_level { NK_DEBUG = 0, NK_INFO = 1, NK_WARN = 2, NK_ERROR = 3 };

#define NK_NAME_LIMIT 32u
#define NK_SIZE_LIMIT 65536u

#endif
