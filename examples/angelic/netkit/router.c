/* Routes requests to handlers: the first route whose prefix fits. */
#include "router.h"

#define METHOD_WRITE 2u

int nk_router_init(struct nk_router *router)
{
    if (router == NULL)
        return NK_EINVAL;
    router->routes = NULL;
    router->fallback = NULL;
    router->filter = NULL;
    router->count = 0;
    return NK_OK;
}

int nk_router_add(struct nk_router *router, struct nk_route *route)
{
    route->prefix_length = env_string_length(route->prefix); /* E215 */
    if (route->prefix_length > NK_NAME_LIMIT)
        return NK_ELIMIT;
    route->next = router->routes; /* E216 */
    router->routes = route;
    router->count++;
    return NK_OK;
}

struct nk_route *nk_router_match(const struct nk_router *router, const char *path)
{
    struct nk_route *route;

    for (route = router->routes; route != NULL; route = route->next) /* E217 */
        if (env_string_equal(route->prefix, path))
            return route;
    return NULL;
}

static int call_handler(struct nk_handler *handler, unsigned method, const char *path)
{
    handler->calls++; /* E218 */
    if ((handler->methods & method) == 0)
        return NK_EDENIED;
    return handler->handle(method, path);
}

int nk_router_dispatch(struct nk_router *router, struct nk_request *request)
{
    struct nk_route *route;

    if (router == NULL || request == NULL)
        return NK_EINVAL;
    route = nk_router_match(router, request->path);
    if (route == NULL)
        return NK_EMISSING;
    return call_handler(route->handler, request->method, request->path);
}

/* What no route takes goes to the fallback. */
int nk_router_dispatch_default(struct nk_router *router, const struct nk_request *request)
{
    struct nk_handler *handler = router->fallback; /* E219 */

    if (handler == NULL)
        return NK_EMISSING;
    return call_handler(handler, request->method, request->path); /* E220 */
}

int nk_router_set_fallback(struct nk_router *router, struct nk_handler *handler)
{
    if (handler != NULL)
        return NK_EINVAL;
    handler->calls = 0; /* B03 */
    router->fallback = handler;
    return NK_OK;
}

unsigned nk_route_calls(const struct nk_route *route)
{
    if (route == NULL)
        return 0;
    return route->handler->calls; /* E221 */
}

int nk_route_allows(const struct nk_route *route, const struct nk_request *request)
{
    const struct env_user *user = request->user; /* E222 */

    if (route->groups == 0) /* E223 */
        return 1;
    if (user == NULL)
        return 0;
    return (user->groups & route->groups) != 0;
}

int nk_route_replace(struct nk_route *target, const struct nk_route *source)
{
    if (target == NULL || source == NULL || target == source)
        return NK_EINVAL;
    target->handler = source->handler;
    target->prefix = source->prefix;
    target->prefix_length = source->prefix_length;
    target->groups = source->groups;
    return NK_OK;
}

/* Which of two routes has the longer prefix: 1, -1, or 0. */
int nk_route_longer(const struct nk_route *left, const struct nk_route *right)
{
    if (left == NULL && right == NULL)
        return 0;
    if (left->prefix_length > right->prefix_length) /* B11 */
        return 1;
    if (left->prefix_length < right->prefix_length)
        return -1;
    return 0;
}

int nk_request_init(struct nk_request *request, const char *path, unsigned method)
{
    if (request == NULL || path == NULL)
        return NK_EINVAL;
    request->next = NULL;
    request->path = path;
    request->body = NULL;
    request->user = NULL;
    request->method = method;
    request->size = 0;
    return NK_OK;
}

int nk_request_set_user(struct nk_request *request, struct env_user *user)
{
    struct env_user *acting = user;

    if (user == NULL)
        return NK_EDENIED;
    if (user->delegate != NULL)
        acting = user->delegate;
    if (acting->id == 0)
        return NK_EDENIED;
    request->user = acting; /* E224 */
    return NK_OK;
}

/* `M path`: one letter for the method. */
int nk_request_parse(struct nk_request *request, const char *text, unsigned size)
{
    if (request == NULL || text == NULL)
        return NK_EINVAL;
    if (size < 3 || text[1] != ' ')
        return NK_EINVAL;
    request->method = text[0] == 'W' ? METHOD_WRITE : 1u;
    request->path = text + 2;
    request->size = size - 2;
    request->body = NULL;
    request->user = NULL;
    return NK_OK;
}

int nk_request_copy(struct nk_request *target, const struct nk_request *source)
{
    char *body = NULL;
    const char *from = source->body; /* E225 */

    if (from != NULL && source->size <= NK_SIZE_LIMIT) {
        body = malloc(source->size + 1);
        if (body == NULL)
            return NK_ENOMEM;
        env_copy(body, from, source->size);
    }
    target->next = NULL; /* E226 */
    target->path = source->path;
    target->body = body;
    target->user = source->user;
    target->method = source->method;
    target->size = body != NULL ? source->size : 0;
    return NK_OK;
}

unsigned nk_request_user(const struct nk_request *request)
{
    const struct env_user *user;

    if (request == NULL)
        return 0;
    user = request->user;
    if (user == NULL)
        user = env_current_user();
    return user->id; /* E227 */
}

int nk_filter_accepts(const struct nk_filter *filter, const struct nk_request *request)
{
    if (filter == NULL)
        return 1;
    if ((filter->methods & request->method) == 0) /* E228 */
        return 0;
    return request->size <= filter->largest;
}

int nk_router_filter(const struct nk_router *router, const struct nk_request *request)
{
    const struct nk_filter *filter;

    if (router == NULL || request == NULL)
        return 0;
    for (filter = router->filter; filter != NULL; filter = filter->next)
        if (!nk_filter_accepts(filter, request))
            return 0;
    return 1;
}

void nk_response_init(struct nk_response *response, int status)
{
    response->status = status; /* E229 */
    response->size = 0;
    response->body = NULL;
}

/* The body of the request, back to where it came from. */
int nk_response_answer(struct nk_response *response, const struct nk_request *request)
{
    const char *from;
    char *body;

    if (response == NULL || request == NULL)
        return NK_EINVAL;
    from = request->body;
    if (from == NULL || request->size > NK_SIZE_LIMIT) {
        response->status = NK_EMISSING;
        return NK_EMISSING;
    }
    body = malloc(request->size + 1);
    if (body == NULL)
        return NK_ENOMEM;
    env_copy(body, from, request->size);
    response->body = body;
    response->size = request->size;
    response->status = NK_OK;
    return NK_OK;
}

void nk_response_release(struct nk_response *response)
{
    char *body = response->body; /* E230 */

    response->body = NULL;
    response->size = 0;
    if (body != NULL)
        free(body); /* E231 */
}

unsigned nk_router_total_calls(const struct nk_router *router)
{
    const struct nk_route *route;
    unsigned calls = 0;

    if (router == NULL)
        return 0;
    for (route = router->routes; route != NULL; route = route->next)
        calls += route->handler->calls; /* E232 */
    return calls;
}

/* The first route has not been called yet. */
void nk_router_reset_first(struct nk_router *router)
{
    struct nk_route *first;

    if (router == NULL || router->count < 1)
        return;
    first = router->routes;
    first->handler->calls = 0; /* E233 */
}
