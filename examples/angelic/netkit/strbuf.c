/* Growing buffers of characters. A buffer owns its data; `data` is NULL until something is reserved. */
#include "strbuf.h"

#define FIRST_CAPACITY 32u

int nk_strbuf_init(struct nk_strbuf *sb, unsigned capacity)
{
    char *data = NULL;

    if (capacity > NK_SIZE_LIMIT)
        return NK_ELIMIT;
    if (capacity > 0) {
        data = malloc(capacity);
        if (data == NULL)
            return NK_ENOMEM;
    }
    sb->data = data; /* E001 */
    sb->length = 0;
    sb->capacity = capacity;
    return NK_OK;
}

struct nk_strbuf *nk_strbuf_new(unsigned capacity)
{
    struct nk_strbuf *sb = malloc(sizeof *sb);

    if (sb == NULL)
        return NULL;
    if (nk_strbuf_init(sb, capacity) != NK_OK) {
        free(sb);
        return NULL;
    }
    return sb;
}

void nk_strbuf_release(struct nk_strbuf *sb)
{
    char *data = sb->data; /* E002 */

    if (data != NULL)
        free(data); /* E003 */
    sb->data = NULL;
    sb->length = 0;
    sb->capacity = 0;
}

void nk_strbuf_delete(struct nk_strbuf *sb)
{
    if (sb == NULL)
        return;
    nk_strbuf_release(sb);
    free(sb); /* E004 */
}

int nk_strbuf_reserve(struct nk_strbuf *sb, unsigned extra)
{
    unsigned length = sb->length; /* E005 */
    unsigned wanted = length + extra;
    char *old = sb->data;
    char *data;

    if (extra > NK_SIZE_LIMIT || wanted > NK_SIZE_LIMIT)
        return NK_ELIMIT;
    if (old != NULL && wanted <= sb->capacity)
        return NK_OK;
    if (wanted < FIRST_CAPACITY)
        wanted = FIRST_CAPACITY;
    data = malloc(2 * wanted);
    if (data == NULL)
        return NK_ENOMEM;
    if (old != NULL) {
        env_copy(data, old, length);
        free(old); /* E006 */
    }
    sb->data = data;
    sb->capacity = 2 * wanted;
    return NK_OK;
}

int nk_strbuf_append_char(struct nk_strbuf *sb, char c)
{
    int result = nk_strbuf_reserve(sb, 1);
    char *data;

    if (result != NK_OK)
        return result;
    data = sb->data;
    if (data == NULL)
        return NK_EINVAL;
    data[sb->length] = c;
    sb->length++;
    return NK_OK;
}

int nk_strbuf_append(struct nk_strbuf *sb, const char *text, unsigned size)
{
    int result;
    char *data;

    if (text == NULL || size == 0)
        return NK_OK;
    result = nk_strbuf_reserve(sb, size);
    if (result != NK_OK)
        return result;
    data = sb->data;
    if (data == NULL)
        return NK_EINVAL;
    env_copy(data + sb->length, text, size);
    sb->length += size;
    return NK_OK;
}

int nk_strbuf_append_number(struct nk_strbuf *sb, unsigned number)
{
    char digits[10];
    unsigned count = 0;
    int result = NK_OK;

    do {
        digits[count] = (char)('0' + number % 10);
        number = number / 10;
        count++;
    } while (number > 0 && count < 10);
    while (count > 0 && result == NK_OK) {
        count--;
        result = nk_strbuf_append_char(sb, digits[count]);
    }
    return result;
}

int nk_strbuf_append_all(struct nk_strbuf *sb, const struct nk_strbuf *other)
{
    const char *text = other->data; /* E007 */
    unsigned size = other->length;

    if (text == NULL || size == 0)
        return NK_OK;
    return nk_strbuf_append(sb, text, size);
}

void nk_strbuf_clear(struct nk_strbuf *sb)
{
    sb->length = 0; /* E008 */
}

void nk_strbuf_truncate(struct nk_strbuf *sb, unsigned length)
{
    if (length < sb->length) /* E009 */
        sb->length = length;
}

int nk_strbuf_char_at(const struct nk_strbuf *sb, unsigned index)
{
    const char *data = sb->data; /* E010 */

    if (data == NULL || index >= sb->length)
        return NK_EMISSING;
    return data[index];
}

int nk_strbuf_index_of(const struct nk_strbuf *sb, char wanted)
{
    const char *data;
    unsigned i;

    if (sb == NULL)
        return NK_EINVAL;
    data = sb->data;
    if (data == NULL)
        return NK_EMISSING;
    for (i = 0; i < sb->length; i++)
        if (data[i] == wanted)
            return (int)i;
    return NK_EMISSING;
}

int nk_strbuf_starts_with(const struct nk_strbuf *sb, const char *prefix)
{
    unsigned length = sb->length; /* B01 */
    const char *data;
    unsigned i;

    if (sb == NULL || prefix == NULL)
        return 0;
    data = sb->data;
    if (data == NULL)
        return 0;
    for (i = 0; i < length; i++) {
        if (prefix[i] == '\0')
            return 1;
        if (prefix[i] != data[i])
            return 0;
    }
    return 0;
}

int nk_strbuf_equal(const struct nk_strbuf *left, const struct nk_strbuf *right)
{
    const char *left_data = left->data; /* E011 */
    const char *right_data = right->data; /* E012 */
    unsigned i;

    if (left->length != right->length)
        return 0;
    if (left_data == NULL || right_data == NULL)
        return left_data == right_data;
    for (i = 0; i < left->length; i++)
        if (left_data[i] != right_data[i])
            return 0;
    return 1;
}

unsigned nk_strbuf_count(const struct nk_strbuf *sb, char wanted)
{
    unsigned count = 0;
    unsigned i;
    const char *data;

    if (sb == NULL || sb->data == NULL)
        return 0;
    data = sb->data;
    for (i = 0; i < sb->length; i++)
        if (data[i] == wanted)
            count++;
    return count;
}

void nk_strbuf_swap(struct nk_strbuf *left, struct nk_strbuf *right)
{
    char *data;
    unsigned length;
    unsigned capacity;

    if (left == NULL || right == NULL || left == right)
        return;
    data = left->data;
    length = left->length;
    capacity = left->capacity;
    left->data = right->data;
    left->length = right->length;
    left->capacity = right->capacity;
    right->data = data;
    right->length = length;
    right->capacity = capacity;
}

/* The target gets what the source has; the source is empty afterwards. */
void nk_strbuf_take(struct nk_strbuf *target, struct nk_strbuf *source)
{
    nk_strbuf_release(target);
    target->data = source->data; /* E013 */
    target->length = source->length;
    target->capacity = source->capacity;
    source->data = NULL;
    source->length = 0;
    source->capacity = 0;
}

int nk_strbuf_copy_out(const struct nk_strbuf *sb, char *target, unsigned size)
{
    const char *data = sb->data; /* E014 */
    unsigned length = sb->length;

    if (size == 0)
        return NK_ELIMIT;
    if (length >= size)
        length = size - 1;
    if (data != NULL)
        env_copy(target, data, length);
    else
        length = 0;
    target[length] = '\0'; /* E015 */
    return (int)length;
}

void nk_strbuf_lower(struct nk_strbuf *sb)
{
    char *data = sb->data; /* E016 */
    unsigned i;

    if (data == NULL)
        return;
    for (i = 0; i < sb->length; i++)
        if (data[i] >= 'A' && data[i] <= 'Z')
            data[i] = (char)(data[i] - 'A' + 'a');
}

unsigned nk_strbuf_hash(const struct nk_strbuf *sb)
{
    unsigned hash = 5381;
    const char *data;
    unsigned i;

    if (sb == NULL)
        return hash;
    data = sb->data;
    if (data == NULL)
        return hash;
    for (i = 0; i < sb->length; i++)
        hash = hash * 33 + (unsigned char)data[i];
    return hash;
}
