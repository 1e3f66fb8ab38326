/* The registry: services by name, their endpoints by port, routes by prefix, and leases of endpoints. */
#ifndef NETKIT_REGISTRY_H
#define NETKIT_REGISTRY_H

#include "nk.h"

#define NK_REGISTRY_BUCKETS 8u
#define NK_REGISTRY_SLOTS 6u

struct nk_endpoint {
    unsigned port;
    unsigned uses;
    struct nk_endpoint *next;
};

struct nk_service {
    unsigned key;
    unsigned weight;
    struct nk_endpoint *endpoints;
    struct nk_service *next;
};

struct nk_prefix {
    unsigned value;
    struct nk_service *service;
    struct nk_prefix *lower;
    struct nk_prefix *higher;
};

struct nk_lease {
    unsigned id;
    char *owner;
};

struct nk_registry {
    struct nk_lock lock;
    struct nk_service *buckets[NK_REGISTRY_BUCKETS];
    struct nk_prefix *prefixes;
    struct nk_lease *slots[NK_REGISTRY_SLOTS];
};

struct nk_service *nk_registry_find(const struct nk_registry *registry, unsigned key);
struct nk_endpoint *nk_service_endpoint(const struct nk_service *service, unsigned port);
int nk_registry_locate(const struct nk_registry *registry, unsigned key, struct nk_service **found);
unsigned nk_registry_weight(const struct nk_registry *registry, unsigned key);
unsigned nk_registry_uses(const struct nk_registry *registry, unsigned key, unsigned port);
unsigned nk_registry_uses_or_none(const struct nk_registry *registry, unsigned key, unsigned port);
unsigned nk_registry_route(const struct nk_registry *registry, unsigned value);
unsigned nk_registry_share(const struct nk_registry *registry, unsigned key);
unsigned nk_registry_load(const struct nk_registry *registry, unsigned key);
unsigned nk_registry_heaviest(const struct nk_registry *registry, unsigned bucket);
void nk_registry_enter(struct nk_registry *registry);
void nk_registry_leave(struct nk_registry *registry);
int nk_registry_add(struct nk_registry *registry, struct nk_service *service);
int nk_registry_replace(struct nk_registry *registry, struct nk_service *service);
unsigned nk_registry_count(struct nk_registry *registry, int again);
void nk_lease_drop(struct nk_lease *lease);
unsigned nk_lease_renew(struct nk_lease *lease, unsigned id);
int nk_lease_transfer(struct nk_lease *lease, int keep);
void nk_lease_swap(struct nk_registry *registry, unsigned slot, struct nk_lease *lease);
char *nk_lease_end(struct nk_lease *lease);

#endif
