/* Options of a daemon, in sections that inherit from each other. */
#ifndef NETKIT_CONFIG_H
#define NETKIT_CONFIG_H

#include "nk.h"

struct nk_option {
    struct nk_option *next; /* NULL at the end */
    const char *name;       /* never NULL */
    const char *text;       /* NULL if it is a number */
    int number;
    unsigned line;
};

struct nk_config {
    struct nk_option *options; /* NULL if there are none */
    struct nk_config *parent;  /* NULL for the outermost section */
    const char *section;
    unsigned count;
    unsigned errors;
};

/* What the parser is at. */
struct nk_parser {
    const char *text; /* never NULL */
    unsigned position;
    unsigned size;
    unsigned line;
    struct nk_config *config; /* never NULL */
};

void nk_config_init(struct nk_config *config, const char *section);
struct nk_option *nk_option_new(const char *name, int number);
int nk_config_add(struct nk_config *config, const char *name, int number);
int nk_config_add_text(struct nk_config *config, const char *name, const char *text);
struct nk_option *nk_config_find(const struct nk_config *config, const char *name);
int nk_config_number(const struct nk_config *config, unsigned index);
int nk_config_number_or(const struct nk_config *config, const char *name, int fallback);
const char *nk_config_text_or(const struct nk_config *config, const char *name, const char *fallback);
int nk_config_copy_number(struct nk_config *config, unsigned from, unsigned to);
int nk_config_swap_lines(struct nk_config *config, unsigned left, unsigned right);
const struct nk_config *nk_config_root(const struct nk_config *config);
unsigned nk_config_depth(const struct nk_config *config);
void nk_config_release(struct nk_config *config);
int nk_config_require(struct nk_config *config, const char *name);
int nk_parser_start(struct nk_parser *parser, struct nk_config *config, const char *text);
int nk_parser_peek(const struct nk_parser *parser);
void nk_parser_skip_spaces(struct nk_parser *parser);
int nk_parser_number(struct nk_parser *parser, int *number);
int nk_parser_expect(struct nk_parser *parser, char wanted);
int nk_parser_option(struct nk_parser *parser, const char *name);
void nk_parser_fail(struct nk_parser *parser, const char *reason);
int nk_config_first_line(const struct nk_config *config);
int nk_config_parent_number(const struct nk_config *config, unsigned index);

#endif
