// A pointer with cases: no atom alone excludes the failure but a null check that the code contradicts. All cases together do.
// run: default
//   warning inconsistent compare: node->key
//   spec compare: node != NULL
//   spec middle: index != NULL
//   spec middle: index->nodes != NULL
//   spec middle: index->nodes[-1 * (-1 * index->count / 2)] != NULL && index->nodes[index->count / 2] != NULL
//   spec at: index != NULL
//   spec at: index->nodes != NULL
//   spec missed: index != NULL
//   spec missed: index->nodes != NULL
#include <stddef.h>
struct node { int key; };
struct index { int count; struct node **nodes; };
static int compare(struct node *node, const char *name, const char *value)
{
    if (name) {
        if (node->key != *name)
            return 1;
    }
    if (value)
        return node->key - *value;
    return 0;
}
int middle(struct index *index, const char *name, const char *value)
{
    return compare(index->nodes[index->count / 2], name, value);
}
static struct node *at(struct index *index, int i) { return i < index->count ? index->nodes[i] : NULL; }
int missed(struct index *index, const char *name, const char *value)
{
    return compare(at(index, 3), name, value);
}
