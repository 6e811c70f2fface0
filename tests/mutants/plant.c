/*
 * Plant a fault in a C source: one small change, by the syntax, that compiles
 * as a rule.  The tests are then to find it.  Which changes there are follows
 * from the text alone, in order, so a number names one.
 *
 *   plant FILE                     list them: number, line, kind
 *   plant FILE NUMBER              print the file with that change
 *   plant --choose COUNT SEED FILE…   choose some of all files, by chance:
 *                                  file, number, line, kind
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token_kind {
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_TEXT,
    TOKEN_SIGN,
    TOKEN_END
};

struct token {
    const char *at;
    size_t len;
    enum token_kind kind;
    unsigned line;
};

struct change {
    const char *at; /* what is replaced */
    size_t len;
    char *text; /* by what */
    const char *kind;
    unsigned line;
};

static struct source {
    const char *path;
    char *text;
    struct token *tokens;
    size_t count;
    struct change *changes;
    size_t change_count;
} source;

static void *
grow(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) {
        return list;
    }
    list = realloc(list, (count == 0 ? 1 : 2 * count) * size);
    if (list == NULL) {
        abort();
    }
    return list;
}

/* ---- reading ----------------------------------------------------------------
 */

/* Where what counts for nothing ends: space, comments, directives. */
static const char *
skip_space(const char *at, const char *begin)
{
    for (;;) {
        bool first = at == begin || at[-1] == '\n';
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            at = end == NULL ? at + strlen(at) : end + 2;
        } else if (strncmp(at, "//", 2) == 0) {
            at += strcspn(at, "\n");
        } else if (*at == '#' && first) {
            do {
                at += strcspn(at, "\n");
                at += *at == '\n';
            } while (at[-1] == '\n' && at[-2] == '\\');
        } else {
            return at;
        }
    }
}

static size_t
sign_length(const char *at)
{
    static const char *const signs[] = {
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
        "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(at, signs[i], strlen(signs[i])) == 0) {
            return strlen(signs[i]);
        }
    }
    return 1;
}

static size_t
quoted_length(const char *at)
{
    size_t len = 1;
    while (at[len] != '\0' && at[len] != *at) {
        len += at[len] == '\\' && at[len + 1] != '\0' ? 2 : 1;
    }
    return len + (at[len] != '\0');
}

static struct token
read_token(const char *at)
{
    struct token token = {.at = at, .len = 1, .kind = TOKEN_SIGN};
    if (*at == '\0') {
        token.kind = TOKEN_END;
        token.len = 0;
    } else if (*at == '"' || *at == '\'') {
        token.kind = TOKEN_TEXT;
        token.len = quoted_length(at);
    } else if (isalnum((unsigned char)*at) || *at == '_') {
        token.kind = isdigit((unsigned char)*at) ? TOKEN_NUMBER : TOKEN_NAME;
        while (isalnum((unsigned char)at[token.len]) || at[token.len] == '_') {
            token.len++;
        }
    } else {
        token.len = sign_length(at);
    }
    return token;
}

static void
read_tokens(void)
{
    const char *at = source.text;
    const char *counted = at;
    unsigned line = 1;
    struct token token;
    do {
        at = skip_space(at, source.text);
        token = read_token(at);
        for (; counted < at; counted++) {
            line += *counted == '\n';
        }
        token.line = line;
        source.tokens = grow(source.tokens, source.count, sizeof token);
        source.tokens[source.count++] = token;
        at += token.len;
    } while (token.kind != TOKEN_END);
}

static void
read_source(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t len = 0;
    source = (struct source){.path = path};
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    for (int c; (c = getc(file)) != EOF;) {
        source.text = grow(source.text, len, 1);
        source.text[len++] = (char)c;
    }
    source.text = grow(source.text, len, 1);
    source.text[len] = '\0';
    (void)fclose(file);
    read_tokens();
}

static bool
is(size_t i, const char *word)
{
    return i < source.count && source.tokens[i].len == strlen(word) &&
           memcmp(source.tokens[i].at, word, strlen(word)) == 0;
}

/* The token that closes the parenthesis or brace at i; the last one: none. */
static size_t
find_close(size_t i)
{
    unsigned depth = 0;
    for (; i + 1 < source.count; i++) {
        depth += is(i, "(") || is(i, "[") || is(i, "{");
        depth -= is(i, ")") || is(i, "]") || is(i, "}");
        if (depth == 0) {
            return i;
        }
    }
    return source.count - 1;
}

/* ---- changes ----------------------------------------------------------------
 */

/* Replace from a token to before another by a text, in which @ stands for what
 * was there. */
static void
add_change(const char *kind, size_t from, size_t to, const char *text)
{
    const char *at = source.tokens[from].at;
    const struct token *last = &source.tokens[to - 1];
    size_t len = (size_t)(last->at + last->len - at);
    const char *hole = strchr(text, '@');
    size_t begin = hole == NULL ? strlen(text) : (size_t)(hole - text);
    size_t room = strlen(text) + len + 1;
    char *made = malloc(room);
    if (made == NULL) {
        abort();
    }
    (void)snprintf(made, room, "%.*s%.*s%s", (int)begin, text,
                   hole == NULL ? 0 : (int)len, at,
                   hole == NULL ? "" : hole + 1);
    source.changes =
        grow(source.changes, source.change_count, sizeof source.changes[0]);
    source.changes[source.change_count++] =
        (struct change){at, len, made, kind, source.tokens[from].line};
}

static void
turn_condition(size_t i)
{
    size_t close = find_close(i + 1);
    if ((is(i, "if") || is(i, "while")) && is(i + 1, "(")) {
        add_change("condition turned", i + 2, close, "!(@)");
    }
}

static void
shift_comparison(size_t i)
{
    static const char *const shifts[][2] = {
        {"<", "<="},  {">", ">="},  {"<=", "<"},  {">=", ">"},
        {"==", "!="}, {"!=", "=="}, {"&&", "||"}, {"||", "&&"}};
    for (size_t j = 0; j < sizeof shifts / sizeof shifts[0]; j++) {
        if (source.tokens[i].kind == TOKEN_SIGN && is(i, shifts[j][0])) {
            add_change("comparison shifted", i, i + 1, shifts[j][1]);
        }
    }
}

/* A call or an assignment that is a statement. */
static void
leave_out_statement(size_t i)
{
    static const char *const others[] = {
        "return", "break", "continue", "goto",  "case", "default",
        "else",   "do",    "if",       "while", "for",  "switch"};
    bool begins = i > 0 && (is(i - 1, ";") || is(i - 1, "{") ||
                            is(i - 1, "}") || is(i - 1, ")"));
    size_t name = i + (is(i, "(") && is(i + 1, "void") ? 3 : 0);
    if (!begins || source.tokens[name].kind != TOKEN_NAME) {
        return;
    }
    for (size_t j = 0; j < sizeof others / sizeof others[0]; j++) {
        if (is(name, others[j])) {
            return;
        }
    }
    /* In a declaration a name or a star follows the first name. */
    if (source.tokens[name + 1].kind == TOKEN_NAME || is(name + 1, "*") ||
        is(name + 1, ":") || is(name + 1, ",") || is(name + 1, "}")) {
        return;
    }
    size_t end = i;
    while (end + 1 < source.count && !is(end, ";") && !is(end, "{") &&
           !is(end, "}")) {
        end = is(end, "(") || is(end, "[") ? find_close(end) + 1 : end + 1;
    }
    if (is(end, ";")) {
        add_change("statement left out", i, end, "(void)0");
    }
}

static void
shift_constant(size_t i)
{
    bool plain =
        source.tokens[i].kind == TOKEN_NUMBER &&
        strspn(source.tokens[i].at, "0123456789") == source.tokens[i].len;
    if (plain && i > 0 && !is(i - 1, "[")) {
        add_change("constant off by one", i, i + 1, "(@ + 1)");
    }
}

/* The first two arguments of a call. */
static void
exchange_arguments(size_t i)
{
    size_t commas[2] = {0, 0};
    size_t close = find_close(i + 1);
    if (source.tokens[i].kind != TOKEN_NAME || !is(i + 1, "(") ||
        is(close + 1, "{")) {
        return;
    }
    for (size_t j = i + 2; j < close; j++) {
        if (is(j, "(") || is(j, "[") || is(j, "{")) {
            j = find_close(j);
        } else if (is(j, ",") && commas[1] == 0) {
            commas[commas[0] != 0] = j;
        }
    }
    size_t end = commas[1] != 0 ? commas[1] : close;
    if (commas[0] == 0) {
        return;
    }
    const struct token *first = &source.tokens[i + 2];
    const struct token *last = &source.tokens[commas[0] - 1];
    const struct token *second = &source.tokens[commas[0] + 1];
    const struct token *final = &source.tokens[end - 1];
    char text[400];
    int len = snprintf(text, sizeof text, "%.*s, %.*s",
                       (int)(final->at + final->len - second->at), second->at,
                       (int)(last->at + last->len - first->at), first->at);
    if (len < (int)sizeof text && strchr(text, '@') == NULL) {
        add_change("arguments exchanged", i + 2, end, text);
    }
}

/* Bodies of functions alone: what is declared outside would not compile. */
static void
find_changes(void)
{
    unsigned depth = 0;
    bool body = false;
    for (size_t i = 0; i + 2 < source.count; i++) {
        if (is(i, "{")) {
            body = depth == 0 ? i > 0 && is(i - 1, ")") : body;
            depth++;
        } else if (is(i, "}")) {
            depth -= depth > 0;
        } else if (depth > 0 && body && !is(i - 1, "case")) {
            turn_condition(i);
            shift_comparison(i);
            leave_out_statement(i);
            shift_constant(i);
            exchange_arguments(i);
        }
    }
}

/* ---- the program ------------------------------------------------------------
 */

/* splitmix64, by Sebastiano Vigna, is in the public domain. */
static uint64_t
next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void
tell(size_t number)
{
    const struct change *change = &source.changes[number];
    int end = (int)strcspn(change->at, "\n");
    int len = (int)change->len < end ? (int)change->len : end;
    printf("%s\t%zu\t%u\t%s\t%.*s\n", source.path, number, change->line,
           change->kind, len < 60 ? len : 60, change->at);
}

static void
choose(unsigned count, uint64_t seed, char **paths, int path_count)
{
    size_t all = 0;
    size_t *ends = calloc((size_t)path_count, sizeof *ends);
    if (ends == NULL || path_count == 0) {
        exit(2);
    }
    for (int i = 0; i < path_count; i++) {
        read_source(paths[i]);
        find_changes();
        all += source.change_count;
        ends[i] = all;
    }
    for (unsigned i = 0; i < count && all > 0; i++) {
        size_t which = (size_t)(next_random(&seed) % all);
        int file = 0;
        while (which >= ends[file]) {
            file++;
        }
        read_source(paths[file]);
        find_changes();
        tell(which - (file == 0 ? 0 : ends[file - 1]));
    }
    free(ends);
}

static void
print_changed(const struct change *change)
{
    fwrite(source.text, 1, (size_t)(change->at - source.text), stdout);
    fputs(change->text, stdout);
    fputs(change->at + change->len, stdout);
}

int
main(int argc, char **argv)
{
    if (argc > 4 && strcmp(argv[1], "--choose") == 0) {
        choose((unsigned)strtoul(argv[2], NULL, 10),
               strtoull(argv[3], NULL, 10), argv + 4, argc - 4);
        return 0;
    }
    if (argc != 2 && argc != 3) {
        fputs("Usage: plant FILE [NUMBER] | --choose COUNT SEED FILE...\n",
              stderr);
        return 2;
    }
    read_source(argv[1]);
    find_changes();
    if (argc == 2) {
        for (size_t i = 0; i < source.change_count; i++) {
            tell(i);
        }
        return 0;
    }
    size_t number = strtoul(argv[2], NULL, 10);
    if (number >= source.change_count) {
        fprintf(stderr, "plant: %s has %zu changes\n", argv[1],
                source.change_count);
        return 2;
    }
    print_changed(&source.changes[number]);
    return 0;
}
