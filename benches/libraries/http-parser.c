/* http-parser: any request or response of up to eight bytes. */
#include "http_parser.h"
#include "input.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *text = any_input(buffer, &length);
    http_parser_settings settings;
    http_parser_settings_init(&settings);
    http_parser parser;
    http_parser_init(&parser, HTTP_BOTH);
    return http_parser_execute(&parser, &settings, (const char *)text, length) != length;
}
