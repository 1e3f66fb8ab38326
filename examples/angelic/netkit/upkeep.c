/* Housekeeping: what is due is counted, and others may have the lock in between. */
#include "upkeep.h"

int nk_upkeep_count(struct nk_upkeep *upkeep)
{
    int count;

    if (upkeep == NULL)
        return 0;
    env_lock(&upkeep->lock);
    count = (int)upkeep->pending;
    env_unlock(&upkeep->lock);
    return count;
}

/* Gives the lock away for a moment, as if the caller held it. */
int nk_upkeep_yield(struct nk_upkeep *upkeep)
{
    if (upkeep == NULL)
        return NK_EINVAL;
    upkeep->rounds++;
    env_unlock(&upkeep->lock); /* B31 */
    env_log(NK_INFO, "upkeep: others may run");
    env_lock(&upkeep->lock);
    return NK_OK;
}

/* Reads the register at the passive level, as if the caller had raised it. */
int nk_upkeep_poll(struct nk_upkeep *upkeep)
{
    unsigned status;

    if (upkeep == NULL)
        return NK_EINVAL;
    env_lower_irql(0); /* B32 */
    status = env_register_read(upkeep->port);
    (void)env_raise_irql();
    if (status != 0)
        upkeep->pending++;
    return NK_OK;
}
