/* Doubly linked lists; the nodes belong to the callers. */
#ifndef NETKIT_LIST_H
#define NETKIT_LIST_H

#include "nk.h"

struct nk_node {
    struct nk_node *next; /* NULL at the end */
    struct nk_node *prev; /* NULL at the start */
    unsigned key;
    int weight;
};

struct nk_list {
    struct nk_node *head; /* NULL if empty */
    struct nk_node *tail;
    unsigned count;
};

void nk_list_init(struct nk_list *list);
void nk_list_push_front(struct nk_list *list, struct nk_node *node);
void nk_list_push_back(struct nk_list *list, struct nk_node *node);
void nk_list_insert_after(struct nk_list *list, struct nk_node *position, struct nk_node *node);
void nk_list_remove(struct nk_list *list, struct nk_node *node);
struct nk_node *nk_list_pop_front(struct nk_list *list);
struct nk_node *nk_list_pop_back(struct nk_list *list);
struct nk_node *nk_list_find(const struct nk_list *list, unsigned key);
struct nk_node *nk_list_heaviest(const struct nk_list *list);
int nk_list_remove_key(struct nk_list *list, unsigned key);
void nk_list_move_to_front(struct nk_list *list, struct nk_node *node);
void nk_list_touch(struct nk_list *list, unsigned key);
void nk_list_rotate(struct nk_list *list);
void nk_list_concat(struct nk_list *first, struct nk_list *second);
void nk_list_reverse(struct nk_list *list);
int nk_list_weight(const struct nk_list *list);
int nk_list_is_sorted(const struct nk_list *list);
void nk_list_insert_sorted(struct nk_list *list, struct nk_node *node);
unsigned nk_list_shift(struct nk_list *target, struct nk_list *source);
unsigned nk_list_length(const struct nk_list *list);
int nk_list_swap_values(struct nk_node *left, struct nk_node *right);
int nk_list_contains(const struct nk_list *list, const struct nk_node *node);
unsigned nk_list_neighbour_keys(const struct nk_node *node);
int nk_list_check(const struct nk_list *list);

#endif
