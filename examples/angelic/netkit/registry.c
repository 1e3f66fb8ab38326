/* The registry. What is looked up may be missing; leases end through nk_lease_drop. */
#include "registry.h"

struct nk_service *nk_registry_find(const struct nk_registry *registry, unsigned key)
{
    struct nk_service *service;

    for (service = registry->buckets[key % NK_REGISTRY_BUCKETS]; service != NULL; service = service->next) /* E319 */
        if (service->key == key)
            return service;
    return NULL;
}

struct nk_endpoint *nk_service_endpoint(const struct nk_service *service, unsigned port)
{
    struct nk_endpoint *endpoint = service->endpoints; /* E320 */

    while (endpoint != NULL) {
        if (endpoint->port == port)
            return endpoint;
        endpoint = endpoint->next;
    }
    return NULL;
}

/* The result in a parameter; an error code if there is none. */
int nk_registry_locate(const struct nk_registry *registry, unsigned key, struct nk_service **found)
{
    *found = nk_registry_find(registry, key); /* E321 */
    return *found == NULL ? NK_EMISSING : NK_OK;
}

static struct nk_prefix *prefix_of(struct nk_prefix *prefix, unsigned value)
{
    while (prefix != NULL && prefix->value != value)
        prefix = value < prefix->value ? prefix->lower : prefix->higher;
    return prefix;
}

static struct nk_service *service_at(const struct nk_registry *registry, unsigned key)
{
    return nk_registry_find(registry, key);
}

/* The lease in a slot; NULL if there is no such slot. */
static struct nk_lease *lease_at(const struct nk_registry *registry, unsigned slot)
{
    if (slot >= NK_REGISTRY_SLOTS)
        return NULL;
    return registry->slots[slot]; /* E322 */
}

unsigned nk_registry_weight(const struct nk_registry *registry, unsigned key)
{
    return nk_registry_find(registry, key)->weight; /* B21 */
}

unsigned nk_registry_uses(const struct nk_registry *registry, unsigned key, unsigned port)
{
    struct nk_service *service = nk_registry_find(registry, key);

    if (service == NULL)
        return 0;
    return nk_service_endpoint(service, port)->uses; /* B22 */
}

unsigned nk_registry_uses_or_none(const struct nk_registry *registry, unsigned key, unsigned port)
{
    struct nk_service *service;
    struct nk_endpoint *endpoint;

    if (nk_registry_locate(registry, key, &service) != NK_OK)
        return 0;
    endpoint = nk_service_endpoint(service, port);
    return endpoint == NULL ? 0 : endpoint->uses;
}

unsigned nk_registry_route(const struct nk_registry *registry, unsigned value)
{
    struct nk_prefix *prefix = prefix_of(registry->prefixes, value); /* E323 */

    return prefix->value; /* B23 */
}

/* Through two levels of callees. */
unsigned nk_registry_share(const struct nk_registry *registry, unsigned key)
{
    struct nk_service *service = service_at(registry, key);

    return service->weight / 2; /* B24 */
}

/* The code of nk_registry_locate is compared the wrong way round. */
unsigned nk_registry_load(const struct nk_registry *registry, unsigned key)
{
    struct nk_service *service;

    if (nk_registry_locate(registry, key, &service) > NK_OK)
        return 0;
    return service->weight; /* B25 */
}

unsigned nk_registry_heaviest(const struct nk_registry *registry, unsigned bucket)
{
    const struct nk_service *service = registry->buckets[bucket % NK_REGISTRY_BUCKETS]; /* E324 */
    const struct nk_service *heaviest = NULL;

    for (; service != NULL; service = service->next)
        if (heaviest == NULL || service->weight > heaviest->weight)
            heaviest = service;
    return heaviest->weight; /* B26 */
}

void nk_registry_enter(struct nk_registry *registry)
{
    env_lock(&registry->lock); /* E325, B27, B28 */
}

void nk_registry_leave(struct nk_registry *registry)
{
    env_unlock(&registry->lock); /* E326 */
}

int nk_registry_add(struct nk_registry *registry, struct nk_service *service)
{
    unsigned bucket = service->key % NK_REGISTRY_BUCKETS; /* E327 */

    nk_registry_enter(registry);
    service->next = registry->buckets[bucket];
    registry->buckets[bucket] = service;
    nk_registry_leave(registry);
    return NK_OK;
}

/* The lock is held while nk_registry_add takes it. */
int nk_registry_replace(struct nk_registry *registry, struct nk_service *service)
{
    int result;

    nk_registry_enter(registry);
    registry->buckets[0] = NULL;
    result = nk_registry_add(registry, service);
    nk_registry_leave(registry);
    return result;
}

/* The first branch does not release the lock that the second one takes. */
unsigned nk_registry_count(struct nk_registry *registry, int again)
{
    unsigned count = 0;

    nk_registry_enter(registry);
    if (registry->prefixes != NULL)
        count++;
    if (again)
        nk_registry_enter(registry);
    nk_registry_leave(registry);
    return count;
}

void nk_lease_drop(struct nk_lease *lease)
{
    free(lease); /* E328, B30 */
}

unsigned nk_lease_renew(struct nk_lease *lease, unsigned id)
{
    nk_lease_drop(lease);
    return lease->id + id; /* B29 */
}

/* A lease that is not kept is dropped twice. */
int nk_lease_transfer(struct nk_lease *lease, int keep)
{
    if (!keep)
        nk_lease_drop(lease);
    nk_lease_drop(lease);
    return NK_OK;
}

void nk_lease_swap(struct nk_registry *registry, unsigned slot, struct nk_lease *lease)
{
    struct nk_lease *old = lease_at(registry, slot);

    if (old == NULL)
        return;
    registry->slots[slot] = lease;
    nk_lease_drop(old);
}

char *nk_lease_end(struct nk_lease *lease)
{
    char *owner = lease->owner; /* E329 */

    nk_lease_drop(lease);
    return owner;
}
