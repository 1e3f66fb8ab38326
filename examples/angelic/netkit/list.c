/* Doubly linked lists. An empty list has neither head nor tail. */
#include "list.h"

void nk_list_init(struct nk_list *list)
{
    list->head = NULL; /* E017 */
    list->tail = NULL;
    list->count = 0;
}

void nk_list_push_front(struct nk_list *list, struct nk_node *node)
{
    struct nk_node *first = list->head; /* E018 */

    node->prev = NULL; /* E019 */
    node->next = first;
    if (first != NULL)
        first->prev = node;
    else
        list->tail = node;
    list->head = node;
    list->count++;
}

void nk_list_push_back(struct nk_list *list, struct nk_node *node)
{
    struct nk_node *last = list->tail; /* E020 */

    node->next = NULL; /* E021 */
    node->prev = last;
    if (last != NULL)
        last->next = node;
    else
        list->head = node;
    list->tail = node;
    list->count++;
}

void nk_list_insert_after(struct nk_list *list, struct nk_node *position, struct nk_node *node)
{
    struct nk_node *next = position->next; /* E022 */

    node->prev = position; /* E023 */
    node->next = next;
    if (next != NULL)
        next->prev = node;
    else
        list->tail = node; /* E024 */
    position->next = node;
}

void nk_list_remove(struct nk_list *list, struct nk_node *node)
{
    struct nk_node *prev = node->prev; /* E025 */
    struct nk_node *next = node->next;

    if (prev != NULL)
        prev->next = next;
    else
        list->head = next; /* E026 */
    if (next != NULL)
        next->prev = prev;
    else
        list->tail = prev;
    node->next = NULL;
    node->prev = NULL;
    list->count--;
}

struct nk_node *nk_list_pop_front(struct nk_list *list)
{
    struct nk_node *node = list->head; /* E027 */

    if (node == NULL)
        return NULL;
    nk_list_remove(list, node);
    return node;
}

struct nk_node *nk_list_pop_back(struct nk_list *list)
{
    struct nk_node *node;

    if (list == NULL)
        return NULL;
    node = list->tail;
    if (node == NULL)
        return NULL;
    nk_list_remove(list, node);
    return node;
}

struct nk_node *nk_list_find(const struct nk_list *list, unsigned key)
{
    struct nk_node *node;

    for (node = list->head; node != NULL; node = node->next) /* E028 */
        if (node->key == key)
            return node;
    return NULL;
}

struct nk_node *nk_list_heaviest(const struct nk_list *list)
{
    struct nk_node *best = NULL;
    struct nk_node *node;

    if (list == NULL)
        return NULL;
    for (node = list->head; node != NULL; node = node->next)
        if (best == NULL || node->weight > best->weight)
            best = node;
    return best;
}

int nk_list_remove_key(struct nk_list *list, unsigned key)
{
    struct nk_node *node = nk_list_find(list, key);

    if (node == NULL)
        return NK_EMISSING;
    nk_list_remove(list, node);
    return NK_OK;
}

void nk_list_move_to_front(struct nk_list *list, struct nk_node *node)
{
    struct nk_node *prev = node->prev; /* E029 */
    struct nk_node *first;

    if (prev == NULL)
        return;
    prev->next = node->next;
    node->next = NULL;
    node->prev = NULL;
    if (list->tail == node) /* E030 */
        list->tail = prev;
    else
        node->next->prev = prev; /* B09 */
    first = list->head;
    node->next = first;
    if (first != NULL)
        first->prev = node;
    list->head = node;
}

/* Counts a use of the node with this key. */
void nk_list_touch(struct nk_list *list, unsigned key)
{
    struct nk_node *node = list->head; /* E031 */

    while (node != NULL && node->key != key)
        node = node->next;
    node->weight++; /* B10 */
}

/* The first node becomes the last. */
void nk_list_rotate(struct nk_list *list)
{
    struct nk_node *first;
    struct nk_node *second;
    struct nk_node *last;

    if (list == NULL || list->count < 2)
        return;
    first = list->head;
    last = list->tail;
    second = first->next; /* E032 */
    second->prev = NULL; /* E033 */
    first->next = NULL;
    first->prev = last;
    last->next = first; /* E034 */
    list->head = second;
    list->tail = first;
}

void nk_list_concat(struct nk_list *first, struct nk_list *second)
{
    struct nk_node *last;
    struct nk_node *next;

    if (first == NULL || second == NULL || first == second)
        return;
    last = first->tail;
    next = second->head;
    if (next == NULL)
        return;
    next->prev = last;
    if (last != NULL)
        last->next = next;
    else
        first->head = next;
    first->tail = second->tail;
    first->count += second->count;
    second->head = NULL;
    second->tail = NULL;
    second->count = 0;
}

void nk_list_reverse(struct nk_list *list)
{
    struct nk_node *node = list->head; /* E035 */
    struct nk_node *next;

    list->head = list->tail;
    list->tail = node;
    while (node != NULL) {
        next = node->next;
        node->next = node->prev;
        node->prev = next;
        node = next;
    }
}

int nk_list_weight(const struct nk_list *list)
{
    int sum = 0;
    const struct nk_node *node;

    if (list == NULL)
        return 0;
    for (node = list->head; node != NULL; node = node->next)
        if (node->weight > 0 && sum < 1000000)
            sum += node->weight;
    return sum;
}

int nk_list_is_sorted(const struct nk_list *list)
{
    const struct nk_node *node = list->head; /* E036 */
    const struct nk_node *next;

    while (node != NULL) {
        next = node->next;
        if (next != NULL && next->key < node->key)
            return 0;
        node = next;
    }
    return 1;
}

void nk_list_insert_sorted(struct nk_list *list, struct nk_node *node)
{
    struct nk_node *next = list->head; /* E037 */
    struct nk_node *prev = NULL;

    while (next != NULL && next->key < node->key) {
        prev = next;
        next = next->next;
    }
    node->prev = prev; /* E038 */
    node->next = next;
    if (prev != NULL)
        prev->next = node;
    else
        list->head = node;
    if (next != NULL)
        next->prev = node;
    else
        list->tail = node;
    list->count++;
}

/* The first node of the source becomes the only one of the target. */
unsigned nk_list_shift(struct nk_list *target, struct nk_list *source)
{
    struct nk_node *node;

    target->head = NULL; /* E039 */
    target->tail = NULL;
    target->count = 0;
    node = source->head; /* E040 */
    source->head = node->next; /* E041 */
    node->next = NULL;
    target->head = node;
    target->tail = node;
    target->count = 1;
    return node->key;
}

unsigned nk_list_length(const struct nk_list *list)
{
    unsigned length = 0;
    const struct nk_node *node;

    if (list == NULL)
        return 0;
    for (node = list->head; node != NULL; node = node->next)
        length++;
    return length;
}

int nk_list_swap_values(struct nk_node *left, struct nk_node *right)
{
    unsigned key;
    int weight;

    if (left == right)
        return NK_EINVAL;
    key = left->key; /* E042 */
    weight = left->weight;
    left->key = right->key; /* E043 */
    left->weight = right->weight;
    right->key = key;
    right->weight = weight;
    return NK_OK;
}

int nk_list_contains(const struct nk_list *list, const struct nk_node *node)
{
    const struct nk_node *other;

    if (list == NULL || node == NULL)
        return 0;
    for (other = list->head; other != NULL; other = other->next)
        if (other == node)
            return 1;
    return 0;
}

unsigned nk_list_neighbour_keys(const struct nk_node *node)
{
    unsigned keys = node->key; /* E044 */
    const struct nk_node *next = node->next;
    const struct nk_node *prev = node->prev;

    if (next != NULL)
        keys ^= next->key;
    if (prev != NULL)
        keys ^= prev->key;
    return keys;
}

/* Whether head and tail fit together. */
int nk_list_check(const struct nk_list *list)
{
    const struct nk_node *head;
    const struct nk_node *tail;

    if (list == NULL)
        return 0;
    head = list->head;
    tail = list->tail;
    if (head == NULL || tail == NULL)
        return head == tail && list->count == 0;
    if (head->prev != NULL || tail->next != NULL)
        return 0;
    return list->count > 0;
}
