#include "config/amend.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* ---- tokens --------------------------------------------------------------
 *
 * As libconfig reads them: comments as in a shell, in C and in C++, texts in
 * quotes with backslashes, names, and single signs.
 */
struct token {
    size_t at, end; /* from the first byte to behind the last; at the end of
                       the text both are there */
};

static size_t
skip_comment(const char *text, size_t at)
{
    if (text[at] == '/' && text[at + 1] == '*') {
        const char *end = strstr(text + at + 2, "*/");

        return end == NULL ? at + strlen(text + at) : (size_t)(end - text) + 2;
    }
    return at + strcspn(text + at, "\n");
}

static bool
is_comment(const char *text)
{
    return text[0] == '#' ||
           (text[0] == '/' && (text[1] == '/' || text[1] == '*'));
}

static bool
is_of_name(char sign)
{
    return isalnum((unsigned char)sign) || strchr("_-*+.", sign) != NULL;
}

static size_t
end_of_quote(const char *text, size_t at)
{
    at++;
    while (text[at] != '\0' && text[at] != '"') {
        at += text[at] == '\\' && text[at + 1] != '\0' ? 2 : 1;
    }
    return text[at] == '\0' ? at : at + 1;
}

static struct token
next_token(const char *text, size_t at)
{
    struct token token;

    for (;;) {
        at += strspn(text + at, " \t\r\n\f");
        if (!is_comment(text + at)) {
            break;
        }
        at = skip_comment(text, at);
    }
    token = (struct token){at, at};
    if (text[at] == '"') {
        token.end = end_of_quote(text, at);
    } else if (text[at] != '\0' && is_of_name(text[at])) {
        while (text[token.end] != '\0' && is_of_name(text[token.end])) {
            token.end++;
        }
    } else if (text[at] != '\0') {
        token.end++;
    }
    return token;
}

static bool
token_is(const char *text, struct token token, const char *word)
{
    return token.end - token.at == strlen(word) &&
           memcmp(text + token.at, word, strlen(word)) == 0;
}

/* How much deeper it is behind a token. */
static int
depth_of(const char *text, struct token token)
{
    if (token.end - token.at != 1) {
        return 0;
    }
    return strchr("({[", text[token.at]) != NULL   ? 1
           : strchr(")}]", text[token.at]) != NULL ? -1
                                                   : 0;
}

/* Find a setting at the top level: its name's token.  false: it is not there.
 */
static bool
find_setting(const char *text, const char *key, struct token *found)
{
    int depth = 0;

    for (*found = next_token(text, 0); found->at < found->end;
         *found = next_token(text, found->end)) {
        struct token sign = next_token(text, found->end);

        if (depth == 0 && token_is(text, *found, key) &&
            (token_is(text, sign, "=") || token_is(text, sign, ":"))) {
            return true;
        }
        depth += depth_of(text, *found);
    }
    return false;
}

/* ---- lists --------------------------------------------------------------- */

struct list {
    size_t open, close; /* behind its first parenthesis, at its last */
    size_t last;        /* behind the last token in it; `open`: it is empty */
    bool comma;         /* … which is a comma */
};

/* false: there is none. */
static bool
find_list(const char *text, const char *name, struct list *list)
{
    struct token token;
    int depth = 1;

    if (!find_setting(text, name, &token)) {
        return false;
    }
    token = next_token(text, next_token(text, token.end).end);
    *list = (struct list){.open = token.end, .last = token.end};
    if (!token_is(text, token, "(")) {
        return false;
    }
    for (;;) {
        token = next_token(text, token.end);
        depth += depth_of(text, token);
        if (depth == 0 || token.at == token.end) {
            list->close = token.at;
            return depth == 0;
        }
        list->last = token.end;
        list->comma = token_is(text, token, ",");
    }
}

/* Put something in the place of what lies from one byte to another. */
static void
splice(struct buf *text, size_t from, size_t to, const char *with)
{
    struct buf rest = BUF_INIT;

    buf_add(&rest, text->data + to, text->len - to);
    buf_truncate(text, from);
    buf_add_text(text, with);
    buf_add_buf(text, &rest);
    buf_release(&rest);
}

/* Behind the last line end before it, if only blanks lie between. */
static size_t
begin_of_line(const char *text, size_t at)
{
    size_t line = at;

    while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t')) {
        line--;
    }
    return line > 0 && text[line - 1] == '\n' ? line : at;
}

void
amend_add(struct buf *text, const char *name, const char *group)
{
    struct list list;
    struct buf added = BUF_INIT;

    if (!find_list(buf_text(text), name, &list)) {
        buf_addf(text, "\n%s = (\n%s\n);\n", name, group);
        return;
    }
    size_t at = begin_of_line(buf_text(text), list.close);

    bool begun = at > 0 && buf_text(text)[at - 1] == '\n';
    buf_addf(&added, "%s%s\n", begun ? "" : "\n", group);
    splice(text, at, at, buf_text(&added));
    if (list.last > list.open && !list.comma) {
        splice(text, list.last, list.last, ",");
    }
    buf_release(&added);
}

void
amend_empty(struct buf *text, const char *name)
{
    struct list list;

    if (find_list(buf_text(text), name, &list)) {
        splice(text, list.open, list.close, "\n");
    }
}

void
amend_set_unset(struct buf *text, const char *key, const char *value)
{
    struct token token;
    struct buf line = BUF_INIT;
    struct buf comment = BUF_INIT;

    if (find_setting(buf_text(text), key, &token)) {
        return;
    }
    buf_addf(&line, "%s = %s;", key, value);
    buf_addf(&comment, "\n#%s = ", key);
    const char *found = strstr(buf_text(text), buf_text(&comment));

    if (found == NULL) {
        buf_addf(text, "\n%s\n", buf_text(&line));
    } else {
        size_t at = (size_t)(found - buf_text(text)) + 1;

        splice(text, at, at + strcspn(found + 1, "\n"), buf_text(&line));
    }
    buf_release(&line);
    buf_release(&comment);
}
