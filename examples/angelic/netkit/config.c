/* Options of a daemon: sections, the parser of numbers, look-ups with inheritance. */
#include "config.h"

void nk_config_init(struct nk_config *config, const char *section)
{
    config->options = NULL; /* E110 */
    config->parent = NULL;
    config->section = section;
    config->count = 0;
    config->errors = 0;
}

struct nk_option *nk_option_new(const char *name, int number)
{
    struct nk_option *option = malloc(sizeof *option);

    if (option == NULL)
        return NULL;
    option->next = NULL;
    option->name = name;
    option->text = NULL;
    option->number = number;
    option->line = 0;
    return option;
}

int nk_config_add(struct nk_config *config, const char *name, int number)
{
    struct nk_option *option = nk_option_new(name, number);

    if (option == NULL)
        return NK_ENOMEM;
    option->next = config->options; /* E111 */
    config->options = option;
    config->count++;
    return NK_OK;
}

int nk_config_add_text(struct nk_config *config, const char *name, const char *text)
{
    struct nk_option *option;

    if (config == NULL || name == NULL || text == NULL)
        return NK_EINVAL;
    option = nk_option_new(name, 0);
    if (option == NULL)
        return NK_ENOMEM;
    option->text = text;
    option->next = config->options;
    config->options = option;
    config->count++;
    return NK_OK;
}

/* The option of a name in this section or those around it. */
struct nk_option *nk_config_find(const struct nk_config *config, const char *name)
{
    struct nk_option *option;

    while (config != NULL) {
        for (option = config->options; option != NULL; option = option->next)
            if (env_string_equal(option->name, name))
                return option;
        config = config->parent;
    }
    return NULL;
}

/* The option at an index, in `found`: NULL if there is none. */
static int lookup(const struct nk_config *config, unsigned index, const struct nk_option **found)
{
    const struct nk_option *option;

    *found = NULL; /* E112 */
    if (index >= config->count) /* E113 */
        return NK_EMISSING;
    option = config->options;
    while (option != NULL && index > 0) {
        option = option->next;
        index--;
    }
    *found = option;
    return option != NULL ? NK_OK : NK_EMISSING;
}

int nk_config_number(const struct nk_config *config, unsigned index)
{
    const struct nk_option *option;

    if (lookup(config, index, &option) != NK_OK)
        env_log(NK_WARN, "config: no such option");
    return option->number; /* B07 */
}

int nk_config_parent_number(const struct nk_config *config, unsigned index)
{
    const struct nk_option *option;
    const struct nk_config *parent = config->parent; /* E114 */

    if (parent == NULL)
        return NK_EMISSING;
    if (lookup(parent, index, &option) != NK_OK)
        return NK_EMISSING;
    return option->number;
}

int nk_config_number_or(const struct nk_config *config, const char *name, int fallback)
{
    const struct nk_option *option = nk_config_find(config, name);

    if (option == NULL || option->text != NULL)
        return fallback;
    return option->number;
}

const char *nk_config_text_or(const struct nk_config *config, const char *name, const char *fallback)
{
    const struct nk_option *option = nk_config_find(config, name);

    if (option == NULL || option->text == NULL)
        return fallback;
    return option->text;
}

/* The option at an index; NULL if there are not so many. */
static struct nk_option *option_at(struct nk_config *config, unsigned index)
{
    struct nk_option *option;

    if (index >= config->count) /* E115 */
        return NULL;
    option = config->options;
    while (option != NULL && index > 0) {
        option = option->next;
        index--;
    }
    return option;
}

int nk_config_copy_number(struct nk_config *config, unsigned from, unsigned to)
{
    struct nk_option *source;
    struct nk_option *target;

    source = option_at(config, from);
    if (source == NULL)
        return NK_EMISSING;
    target = option_at(config, to);
    if (source == NULL)
        return NK_EMISSING;
    target->number = source->number; /* B12 */
    return NK_OK;
}

int nk_config_swap_lines(struct nk_config *config, unsigned left, unsigned right)
{
    struct nk_option *first;
    struct nk_option *second;
    unsigned line;

    if (config == NULL)
        return NK_EINVAL;
    first = option_at(config, left);
    second = option_at(config, right);
    if (first == NULL || second == NULL)
        return NK_EMISSING;
    line = first->line;
    first->line = second->line;
    second->line = line;
    return NK_OK;
}

const struct nk_config *nk_config_root(const struct nk_config *config)
{
    const struct nk_config *root = config;

    if (config == NULL)
        return NULL;
    while (root->parent != NULL)
        root = root->parent;
    return root;
}

unsigned nk_config_depth(const struct nk_config *config)
{
    unsigned depth = 0;

    while (config != NULL) {
        depth++;
        config = config->parent;
    }
    return depth;
}

void nk_config_release(struct nk_config *config)
{
    struct nk_option *option = config->options; /* E116 */
    struct nk_option *next;

    config->options = NULL;
    config->count = 0;
    while (option != NULL) {
        next = option->next;
        free(option); /* E117 */
        option = next;
    }
}

int nk_config_require(struct nk_config *config, const char *name)
{
    if (config == NULL || name == NULL)
        return NK_EINVAL;
    if (nk_config_find(config, name) == NULL) {
        config->errors++;
        return NK_EMISSING;
    }
    return NK_OK;
}

/* Where the first option of a section was written. */
int nk_config_first_line(const struct nk_config *config)
{
    const struct nk_option *first = config->options; /* E118 */

    if (config->count < 1)
        return 0;
    return (int)first->line; /* E119 */
}

int nk_parser_start(struct nk_parser *parser, struct nk_config *config, const char *text)
{
    if (parser == NULL || config == NULL || text == NULL)
        return NK_EINVAL;
    parser->text = text;
    parser->position = 0;
    parser->size = env_string_length(text);
    parser->line = 1;
    parser->config = config;
    return NK_OK;
}

/* The next character; -1 at the end. */
int nk_parser_peek(const struct nk_parser *parser)
{
    if (parser->position >= parser->size) /* E120 */
        return -1;
    return parser->text[parser->position]; /* E121 */
}

void nk_parser_skip_spaces(struct nk_parser *parser)
{
    int c = nk_parser_peek(parser);

    while (c == ' ' || c == '\n') {
        if (c == '\n')
            parser->line++;
        parser->position++;
        c = nk_parser_peek(parser);
    }
}

int nk_parser_number(struct nk_parser *parser, int *number)
{
    int value = 0;
    int digits = 0;
    int c = nk_parser_peek(parser);

    while (c >= '0' && c <= '9' && digits < 9) {
        value = 10 * value + (c - '0');
        digits++;
        parser->position++;
        c = nk_parser_peek(parser);
    }
    if (digits == 0)
        return NK_EINVAL;
    *number = value; /* E122 */
    return NK_OK;
}

int nk_parser_expect(struct nk_parser *parser, char wanted)
{
    int c;

    nk_parser_skip_spaces(parser);
    c = nk_parser_peek(parser);
    if (c != wanted)
        return NK_EINVAL;
    parser->position++;
    return NK_OK;
}

void nk_parser_fail(struct nk_parser *parser, const char *reason)
{
    parser->config->errors++; /* E123 */
    env_log(NK_ERROR, reason);
}

/* `= NUMBER` after a name. */
int nk_parser_option(struct nk_parser *parser, const char *name)
{
    int number = 0;
    int result;

    result = nk_parser_expect(parser, '=');
    if (result != NK_OK) {
        nk_parser_fail(parser, "config: no value");
        return result;
    }
    result = nk_parser_number(parser, &number);
    if (result != NK_OK) {
        nk_parser_fail(parser, "config: no number");
        return result;
    }
    return nk_config_add(parser->config, name, number);
}
