/* Routes requests to handlers. */
#ifndef NETKIT_ROUTER_H
#define NETKIT_ROUTER_H

#include "nk.h"

struct nk_request {
    struct nk_request *next; /* NULL at the end of those that wait */
    const char *path;        /* never NULL */
    char *body;              /* NULL if there is none */
    struct env_user *user;   /* NULL if nobody is logged in */
    unsigned method;
    unsigned size;
};

struct nk_response {
    int status;
    unsigned size;
    char *body; /* NULL if there is none */
};

struct nk_handler {
    int (*handle)(unsigned method, const char *path);
    unsigned methods;
    unsigned calls;
};

struct nk_route {
    struct nk_route *next;      /* NULL at the end */
    struct nk_handler *handler; /* never NULL */
    const char *prefix;         /* never NULL */
    unsigned prefix_length;
    unsigned groups; /* of which one is needed; 0: none */
};

struct nk_router {
    struct nk_route *routes;     /* NULL if there are none */
    struct nk_handler *fallback; /* NULL: requests without route are refused */
    struct nk_filter *filter;    /* NULL: nothing is filtered */
    unsigned count;
};

struct nk_filter {
    unsigned methods;
    unsigned largest;
    struct nk_filter *next; /* NULL at the end */
};

int nk_router_init(struct nk_router *router);
int nk_router_add(struct nk_router *router, struct nk_route *route);
struct nk_route *nk_router_match(const struct nk_router *router, const char *path);
int nk_router_dispatch(struct nk_router *router, struct nk_request *request);
int nk_router_dispatch_default(struct nk_router *router, const struct nk_request *request);
int nk_router_set_fallback(struct nk_router *router, struct nk_handler *handler);
unsigned nk_route_calls(const struct nk_route *route);
int nk_route_allows(const struct nk_route *route, const struct nk_request *request);
int nk_route_replace(struct nk_route *target, const struct nk_route *source);
int nk_route_longer(const struct nk_route *left, const struct nk_route *right);
int nk_request_init(struct nk_request *request, const char *path, unsigned method);
int nk_request_set_user(struct nk_request *request, struct env_user *user);
int nk_request_parse(struct nk_request *request, const char *text, unsigned size);
int nk_request_copy(struct nk_request *target, const struct nk_request *source);
unsigned nk_request_user(const struct nk_request *request);
int nk_filter_accepts(const struct nk_filter *filter, const struct nk_request *request);
int nk_router_filter(const struct nk_router *router, const struct nk_request *request);
void nk_response_init(struct nk_response *response, int status);
int nk_response_answer(struct nk_response *response, const struct nk_request *request);
void nk_response_release(struct nk_response *response);
unsigned nk_router_total_calls(const struct nk_router *router);
void nk_router_reset_first(struct nk_router *router);

#endif
