/* jsmn: the tokens of any text of up to eight bytes. */
#include "jsmn.h"
#include "input.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *text = any_input(buffer, &length);
    jsmntok_t tokens[2];
    jsmn_parser parser;
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, (const char *)text, length, tokens, 2);
    return count < 0;
}
