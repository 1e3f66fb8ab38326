// A pointer that is not null stays so when a number is added: specifications are about the pointer.
// run: default
//   spec before: end != NULL
//   spec element: a != NULL
//   spec last: tokens != NULL
//   spec last: parser != NULL
// run: default
//   given rejected element: a != NULL
//   warning rejected element: *p
//   spec before: end != NULL
//   spec element: a != NULL
//   spec last: tokens != NULL
//   spec last: parser != NULL
struct token { int type, start; };
struct parser { unsigned next; };
int before(const unsigned char *end, unsigned size) { const unsigned char *p = end - size; return *p; }
int element(int *a, int i) { int *p = a + i; return *p; }
int next(int *a, int i) { int *p = &a[i]; p++; return *p; }
int last(struct parser *parser, struct token *tokens) { struct token *t = &tokens[parser->next - 1]; return t->type; }
