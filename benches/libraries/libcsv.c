/* libcsv: the fields of any text of up to eight bytes. */
#include "csv.h"
#include "input.h"

static size_t fields, rows;

static void on_field(void *text, size_t length, void *given)
{
    (void)text, (void)length, (void)given;
    fields++;
}

static void on_row(int end, void *given)
{
    (void)end, (void)given;
    rows++;
}

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *text = any_input(buffer, &length);
    struct csv_parser parser;
    if (csv_init(&parser, 0) != 0)
        return 1;
    csv_set_blk_size(&parser, 2);
    csv_parse(&parser, text, length, on_field, on_row, NULL);
    csv_fini(&parser, on_field, on_row, NULL);
    csv_free(&parser);
    return 0;
}
