/* libyaml: the tokens of any text of up to eight bytes. */
#include "input.h"
#include "yaml.h"

int main(void)
{
    unsigned char buffer[MOST];
    size_t length;
    unsigned char *text = any_input(buffer, &length);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return 1;
    yaml_parser_set_input_string(&parser, text, length);
    for (;;) {
        yaml_token_t token;
        if (!yaml_parser_scan(&parser, &token))
            break;
        yaml_token_type_t type = token.type;
        yaml_token_delete(&token);
        if (type == YAML_STREAM_END_TOKEN || type == YAML_NO_TOKEN)
            break;
    }
    yaml_parser_delete(&parser);
    return 0;
}
