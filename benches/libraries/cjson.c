/* cJSON: any text of up to eight bytes is parsed, and the tree is freed. */
#include "cJSON.h"
#include "input.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *text = any_input(buffer, &length);
    cJSON *tree = cJSON_ParseWithLength((const char *)text, length);
    if (tree != NULL)
        cJSON_Delete(tree);
    return 0;
}
