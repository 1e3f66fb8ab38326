/* Hash tables from numbers to values of the caller. */
#ifndef NETKIT_TABLE_H
#define NETKIT_TABLE_H

#include "nk.h"

struct nk_entry {
    struct nk_entry *next; /* NULL at the end of a bucket */
    unsigned key;
    unsigned hits;
    void *value;
};

struct nk_table {
    struct nk_entry **buckets; /* never NULL once the table is set up */
    unsigned size;             /* a power of two */
    unsigned count;
    unsigned misses;
};

/* Walks over all entries of a table. */
struct nk_cursor {
    struct nk_table *table;
    struct nk_entry *entry; /* NULL at the end */
    unsigned bucket;
};

int nk_table_init(struct nk_table *table, unsigned size);
void nk_table_release(struct nk_table *table);
struct nk_entry *nk_table_find(struct nk_table *table, unsigned key);
void *nk_table_get(struct nk_table *table, unsigned key);
int nk_table_put(struct nk_table *table, unsigned key, void *value);
void *nk_table_remove(struct nk_table *table, unsigned key);
unsigned nk_table_hits(struct nk_table *table, unsigned key);
int nk_table_has(const struct nk_table *table, unsigned key);
unsigned nk_table_bump(struct nk_table *table, unsigned key);
unsigned nk_table_bucket_length(const struct nk_table *table, unsigned bucket);
int nk_table_grow(struct nk_table *table);
int nk_table_rename(struct nk_table *table, unsigned from, unsigned to);
struct nk_entry *nk_table_busiest(const struct nk_table *table, unsigned bucket);
int nk_cursor_start(struct nk_cursor *cursor, struct nk_table *table);
int nk_cursor_next(struct nk_cursor *cursor);
void *nk_cursor_value(const struct nk_cursor *cursor);

#endif
