/* Hash tables with chains. The bucket of a key is its hash modulo the size, which is a power of two. */
#include "table.h"

#define SMALLEST_SIZE 8u
#define LARGEST_SIZE 4096u

static unsigned bucket_of(const struct nk_table *table, unsigned key)
{
    unsigned hash = key * 2654435761u;

    return hash & (table->size - 1); /* E045 */
}

int nk_table_init(struct nk_table *table, unsigned size)
{
    struct nk_entry **buckets;
    unsigned wanted = SMALLEST_SIZE;

    if (size > LARGEST_SIZE)
        return NK_ELIMIT;
    while (wanted < size)
        wanted = 2 * wanted;
    buckets = calloc(wanted, sizeof *buckets);
    if (buckets == NULL)
        return NK_ENOMEM;
    table->buckets = buckets; /* E046 */
    table->size = wanted;
    table->count = 0;
    table->misses = 0;
    return NK_OK;
}

static void free_chain(struct nk_entry *entry)
{
    struct nk_entry *next;

    while (entry != NULL) {
        next = entry->next;
        free(entry); /* E047 */
        entry = next;
    }
}

void nk_table_release(struct nk_table *table)
{
    unsigned i;

    for (i = 0; i < table->size; i++) { /* E048 */
        free_chain(table->buckets[i]); /* E049 */
        table->buckets[i] = NULL;
    }
    free(table->buckets); /* E050 */
    table->size = 0;
    table->count = 0;
}

struct nk_entry *nk_table_find(struct nk_table *table, unsigned key)
{
    struct nk_entry *entry;

    if (table->count < 1) { /* E051 */
        table->misses++;
        return NULL;
    }
    entry = table->buckets[bucket_of(table, key)]; /* E052 */
    while (entry != NULL) {
        if (entry->key == key)
            return entry;
        entry = entry->next;
    }
    table->misses++;
    return NULL;
}

void *nk_table_get(struct nk_table *table, unsigned key)
{
    struct nk_entry *entry;

    if (table == NULL)
        return NULL;
    entry = nk_table_find(table, key);
    if (entry == NULL)
        return NULL;
    entry->hits++;
    return entry->value;
}

int nk_table_put(struct nk_table *table, unsigned key, void *value)
{
    struct nk_entry *entry = nk_table_find(table, key);
    unsigned bucket;

    if (entry != NULL) {
        entry->value = value;
        return NK_OK;
    }
    entry = malloc(sizeof *entry);
    if (entry == NULL)
        return NK_ENOMEM;
    bucket = bucket_of(table, key);
    entry->key = key;
    entry->hits = 0;
    entry->value = value;
    entry->next = table->buckets[bucket]; /* E053 */
    table->buckets[bucket] = entry;
    table->count++;
    return NK_OK;
}

void *nk_table_remove(struct nk_table *table, unsigned key)
{
    unsigned bucket = bucket_of(table, key);
    struct nk_entry *entry = table->buckets[bucket]; /* E054 */
    struct nk_entry *prev = NULL;
    void *value;

    while (entry != NULL && entry->key != key) {
        prev = entry;
        entry = entry->next;
    }
    if (entry == NULL)
        return NULL;
    if (prev != NULL)
        prev->next = entry->next;
    else
        table->buckets[bucket] = entry->next;
    value = entry->value;
    free(entry); /* E055 */
    table->count--;
    return value;
}

unsigned nk_table_hits(struct nk_table *table, unsigned key)
{
    struct nk_entry *entry = nk_table_find(table, key);

    if (entry == NULL)
        return 0;
    return entry->hits;
}

int nk_table_has(const struct nk_table *table, unsigned key)
{
    const struct nk_entry *entry;

    if (table == NULL || table->buckets == NULL || table->size == 0)
        return 0;
    entry = table->buckets[bucket_of(table, key)];
    while (entry != NULL) {
        if (entry->key == key)
            return 1;
        entry = entry->next;
    }
    return 0;
}

/* Counts a hit of a key, and returns how many there were. */
unsigned nk_table_bump(struct nk_table *table, unsigned key)
{
    struct nk_entry *entry = nk_table_find(table, key);
    unsigned before = entry->hits; /* B06 */

    entry->hits = before + 1;
    return before;
}

unsigned nk_table_bucket_length(const struct nk_table *table, unsigned bucket)
{
    const struct nk_entry *entry;
    unsigned length = 0;

    if (bucket >= table->size) /* E056 */
        return 0;
    for (entry = table->buckets[bucket]; entry != NULL; entry = entry->next) /* E057 */
        length++;
    return length;
}

static void move_chain(struct nk_entry *entry, struct nk_entry **buckets, unsigned size)
{
    struct nk_entry *next;
    unsigned bucket;

    while (entry != NULL) {
        next = entry->next;
        bucket = (entry->key * 2654435761u) & (size - 1);
        entry->next = buckets[bucket]; /* E058 */
        buckets[bucket] = entry;
        entry = next;
    }
}

int nk_table_grow(struct nk_table *table)
{
    struct nk_entry **old = table->buckets; /* E059 */
    struct nk_entry **buckets;
    unsigned size = 2 * table->size;
    unsigned i;

    if (size == 0 || size > LARGEST_SIZE)
        return NK_ELIMIT;
    buckets = calloc(size, sizeof *buckets);
    if (buckets == NULL)
        return NK_ENOMEM;
    for (i = 0; i < table->size; i++)
        move_chain(old[i], buckets, size); /* E060 */
    table->buckets = buckets;
    table->size = size;
    free(old); /* E061 */
    return NK_OK;
}

int nk_table_rename(struct nk_table *table, unsigned from, unsigned to)
{
    struct nk_entry *entry;
    void *value;

    if (table == NULL || from == to)
        return NK_EINVAL;
    if (nk_table_find(table, to) != NULL)
        return NK_EBUSY;
    entry = nk_table_find(table, from);
    if (entry == NULL)
        return NK_EMISSING;
    value = entry->value;
    entry->value = NULL;
    entry->hits = 0;
    return nk_table_put(table, to, value);
}

struct nk_entry *nk_table_busiest(const struct nk_table *table, unsigned bucket)
{
    struct nk_entry *entry;
    struct nk_entry *best = NULL;

    if (table == NULL || bucket >= table->size)
        return NULL;
    for (entry = table->buckets[bucket]; entry != NULL; entry = entry->next) { /* E062 */
        if (best == NULL)
            best = entry;
        else if (entry->hits > best->hits)
            best = entry;
    }
    return best;
}

int nk_cursor_start(struct nk_cursor *cursor, struct nk_table *table)
{
    if (cursor == NULL || table == NULL)
        return NK_EINVAL;
    cursor->table = table;
    cursor->entry = NULL;
    cursor->bucket = 0;
    return NK_OK;
}

/* The next entry; NK_EMISSING if there is none. */
int nk_cursor_next(struct nk_cursor *cursor)
{
    struct nk_entry *entry = cursor->entry; /* E063 */
    struct nk_table *table = cursor->table;

    if (entry != NULL)
        entry = entry->next;
    while (entry == NULL && cursor->bucket < table->size) { /* E064 */
        entry = table->buckets[cursor->bucket]; /* E065 */
        cursor->bucket++;
    }
    cursor->entry = entry;
    return entry != NULL ? NK_OK : NK_EMISSING;
}

void *nk_cursor_value(const struct nk_cursor *cursor)
{
    const struct nk_entry *entry = cursor->entry; /* E066 */

    if (entry == NULL)
        return NULL;
    return entry->value;
}
