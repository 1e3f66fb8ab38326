/* Housekeeping that the timer of the environment calls, with no lock held and at the passive level. */
#ifndef NETKIT_UPKEEP_H
#define NETKIT_UPKEEP_H

#include "nk.h"

struct nk_upkeep {
    struct nk_lock lock;
    unsigned rounds;
    unsigned pending;
    unsigned port;
};

int nk_upkeep_count(struct nk_upkeep *upkeep);
int nk_upkeep_yield(struct nk_upkeep *upkeep);
int nk_upkeep_poll(struct nk_upkeep *upkeep);

#endif
